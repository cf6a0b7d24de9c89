"""Selection of the attempts that represent a concept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


def exemplars(
    problems: Sequence[str],
    procedures: Sequence[str],
    right: Flags,
    *,
    successes: int,
    failures: int,
) -> Flags:
    """Return the attempts of a concept to keep, so that every procedure has examples.

    Of each procedure the first ``successes`` correct attempts are kept, each of another problem, and the first
    ``failures`` of all wrong ones, preferring problems that have a correct attempt.

    Parameters
    ----------
    problems
        Problem of each attempt; the attempts are ordered, the best first.
    procedures
        What was done in each attempt, as a name.
    right
        Whether each attempt was right, shape ``(n,)``.
    successes
        Right attempts that are kept of each procedure, ``>= 0``.
    failures
        Wrong attempts that are kept in all, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``; True for what is kept.

    Raises
    ------
    ValueError
        If a number is negative.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Safety and Guardrails": successes and instructive
    failures.

    Examples
    --------
    >>> problems, ways = ["p", "p", "q", "q"], ["add", "add", "add", "halve"]
    >>> exemplars(problems, ways, np.array([True, True, True, False]), successes=2, failures=1)
    array([ True, False,  True,  True])
    """
    if successes < 0 or failures < 0:
        raise ValueError(f"{successes} successes or {failures} failures is out of range")
    solving: list[int] = np.flatnonzero(right).tolist()
    solved = {problems[place] for place in solving}
    wrong = sorted(np.flatnonzero(~right).tolist(), key=lambda place: problems[place] not in solved)
    kept = np.zeros(len(problems), dtype=np.bool_)
    kept[_first_of_each(solving, problems, procedures, successes)] = True
    kept[wrong[:failures]] = True
    return kept


def _first_of_each(
    places: Sequence[int], problems: Sequence[str], procedures: Sequence[str], most: int
) -> list[int]:
    """Return the first indexes of each procedure, limited in number, each of another problem."""
    shown = Counter[str]()
    seen: set[tuple[str, str]] = set()
    found: list[int] = []
    for place in places:
        pair = (procedures[place], problems[place])
        if pair in seen or shown[procedures[place]] >= most:
            continue
        seen.add(pair)
        shown[procedures[place]] += 1
        found.append(place)
    return found
