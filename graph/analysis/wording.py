"""What a group of problems is called where nobody else words it: by what was done, and by its words."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMES = {1: "", 2: " twice", 3: " three times"}


def telling_words(
    inside: Sequence[Sequence[str]], outside: Sequence[Sequence[str]], *, most: int
) -> tuple[str, ...]:
    """Words that texts of a group share and others lack.

    The score of a word is ``d·log(1 + (d/n)/((D + 1)/(N + 2)))``, with ``d`` of the group's ``n`` texts and
    ``D`` of the other ``N`` that hold it; what only one text of the group says is left out.

    Parameters
    ----------
    inside
        Words of each text of the group.
    outside
        Words of each text beside it.
    most
        How many are wanted, ``>= 0``.

    Returns
    -------
    tuple
        Words, the most telling first, ties by name; no shape.

    Raises
    ------
    ValueError
        If fewer than none are wanted.

    References
    ----------
    Spärck Jones, "A statistical interpretation of term specificity and its application in retrieval", 1972.

    Examples
    --------
    >>> telling_words([["egg", "price"], ["egg", "hen"]], [["price"], ["car"]], most=2)
    ('egg',)
    """
    if most < 0:
        raise ValueError(f"{most} words cannot be wanted")
    within = Counter(word for words in inside for word in set(words))
    beyond = Counter(word for words in outside for word in set(words))

    def score(word: str) -> float:
        share = within[word] / len(inside)
        return within[word] * log(1 + share * (len(outside) + 2) / (beyond[word] + 1))

    shared = [word for word, times in within.items() if times > 1]
    return tuple(sorted(shared, key=lambda word: (-score(word), word))[:most])


def usual_actions(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The row of actions that stands for several: the most frequent one.

    Counts whole rows, ``argmax_r |{i : r_i = r}|``.

    Parameters
    ----------
    rows
        Names of actions in their order, of each solution; empty rows do not count.

    Returns
    -------
    tuple
        One of them; of equally frequent ones the shortest, then the first by name. No shape.

    Raises
    ------
    ValueError
        Never; without rows it is empty.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant A: Dual Memory (Episodic + Semantic)".

    Examples
    --------
    >>> usual_actions([["add"], ["multiply", "add"], ["multiply", "add"]])
    ('multiply', 'add')
    """
    counts = Counter(tuple(row) for row in rows if row)
    return min(counts, key=lambda row: (-counts[row], len(row), row), default=())


def worded_actions(actions: Sequence[str]) -> str:
    """Actions as words, what follows itself told once.

    Joins the runs by ``, then``.

    Parameters
    ----------
    actions
        Names of actions in their order.

    Returns
    -------
    str
        A phrase, no shape; empty for none.

    Raises
    ------
    ValueError
        Never; whatever is given is told.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant A: Dual Memory (Episodic + Semantic)".

    Examples
    --------
    >>> worded_actions(["multiply", "multiply", "add"])
    'multiply twice, then add'
    """
    runs = [(name, len(list(run))) for name, run in groupby(actions)]
    return ", then ".join(f"{name}{_TIMES.get(times, f' {times} times')}" for name, times in runs)
