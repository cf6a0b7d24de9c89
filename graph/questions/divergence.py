"""Comparison of right and wrong attempts: the first step behind a shared beginning that they do not share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from graph.kernel.values import Vector
from graph.model.episodes.divergence import (
    AttemptVector,
    Branch,
    Divergence,
    DivergencePoint,
    Trial,
    TrialStep,
)

Label = Callable[[TrialStep], str]

_SHOWN = 5  # problems, uids and texts of a branch


@dataclass(frozen=True, slots=True)
class _Parting:
    """Wrong attempts that leave right ones at one step, and these; both have the shared beginning."""

    shared: tuple[str, ...]
    label: Label
    wrong: tuple[Trial, ...]
    right: tuple[Trial, ...]

    @property
    def steps(self) -> tuple[frozenset[str | None], frozenset[str | None]]:
        """Next steps of the wrong attempts, and of the right ones."""
        return (
            frozenset(_next(trial, self) for trial in self.wrong),
            frozenset(_next(trial, self) for trial in self.right),
        )


def divergence_of(
    wrong: Sequence[Trial],
    right: Sequence[Trial],
    alike: Mapping[str, Sequence[str]],
    limit: int,
) -> Divergence:
    """Compare each wrong attempt with right ones at its problem, else at problems that are alike.

    ``alike`` has for a ``problem_key`` those of solved problems that are alike.
    """
    partings: list[_Parting] = []
    unmatched = 0
    for lost, won in _groups(wrong, right, alike):
        partings += _partings(lost, won) if won else ()
        unmatched += 0 if won else len(lost)
    merged = sorted(
        _merged(partings), key=lambda one: (-len(one.wrong), -len(one.right), one.shared)
    )
    return Divergence(len(right), len(wrong), unmatched, tuple(map(_point, merged[:limit])))


def alike(
    wrong: Sequence[AttemptVector], right: Sequence[AttemptVector], least: float
) -> dict[str, tuple[str, ...]]:
    """Return for each wrong attempt, by uid, the right ones that are alike.

    Their vectors have a cosine of at least ``least``, or their problems need one concept.
    """
    if not (wrong and right):
        return {}
    rows, needs = _rows([*wrong, *right]), _needs([*wrong, *right])
    near = rows[: len(wrong)] @ rows[len(wrong) :].T >= least
    near |= needs[: len(wrong)] @ needs[len(wrong) :].T > 0
    uids = [one.uid for one in right]
    found = {
        one.uid: tuple(uids[place] for place in np.flatnonzero(row).tolist())
        for one, row in zip(wrong, near, strict=True)
    }
    return {uid: others for uid, others in found.items() if others}


def _needs(attempts: Sequence[AttemptVector]) -> Vector:
    """Write which concepts each attempt's problem needs: rows of zeros and ones."""
    place = {
        concept: place
        for place, concept in enumerate(
            sorted(set[str]().union(*(one.concepts for one in attempts)))
        )
    }
    needs = np.zeros((len(attempts), len(place)), dtype=np.float32)
    for row, one in zip(needs, attempts, strict=True):
        row[[place[concept] for concept in one.concepts]] = 1.0
    return needs


def _rows(attempts: Sequence[AttemptVector]) -> Vector:
    """Vectors as rows; one that is missing, or shorter than others, is zero."""
    size = max(0 if one.vector is None else one.vector.size for one in attempts)
    rows = np.zeros((len(attempts), size), dtype=np.float32)
    for row, one in zip(rows, attempts, strict=True):
        if one.vector is not None and one.vector.size == size:
            row[:] = one.vector
    return rows


def _groups(
    wrong: Sequence[Trial], right: Sequence[Trial], alike: Mapping[str, Sequence[str]]
) -> list[tuple[list[Trial], list[Trial]]]:
    """Put wrong attempts together with the right ones that they are compared with."""
    lost, won = _by_problem(wrong), _by_problem(right)
    groups: dict[tuple[str, ...], list[Trial]] = {}
    for problem, trials in lost.items():
        solved = (
            (problem,)
            if problem in won
            else tuple(one for one in alike.get(problem, ()) if one in won)
        )
        groups.setdefault(solved, []).extend(trials)
    return [
        (trials, [one for problem in solved for one in won[problem]])
        for solved, trials in groups.items()
    ]


def _by_problem(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.problem_key, []).append(trial)
    return found


def _partings(wrong: Sequence[Trial], right: Sequence[Trial]) -> list[_Parting]:
    """Return where wrong attempts leave all right ones, by the names of their steps.

    Attempts whose steps have the same names are compared by what their actions say, at the same problem alone:
    at another one they say something else anyway.
    """
    named = [(one, _row(one, _name)) for one in right]
    rows = {row for _, row in named}
    found: dict[tuple[Label, tuple[str, ...]], list[Trial]] = {}
    for trial in wrong:
        own, told = _row(trial, _name), _row(trial, _text)
        same = {
            _row(one, _text)
            for one, row in named
            if row == own and one.problem_key == trial.problem_key
        }
        in_words = bool(same - {told})
        shared = _shared(told, same) if in_words else _shared(own, rows)
        found.setdefault((_text if in_words else _name, shared), []).append(trial)
    return [
        _Parting(
            shared,
            label,
            tuple(trials),
            tuple(one for one in right if _row(one, label)[: len(shared)] == shared),
        )
        for (label, shared), trials in found.items()
    ]


def _name(step: TrialStep) -> str:
    return step.name


def _text(step: TrialStep) -> str:
    return " ".join((step.action or step.thought or step.name).split())


def _row(trial: Trial, label: Label) -> tuple[str, ...]:
    return tuple(label(step) for step in trial.steps)


def _next(trial: Trial, parting: _Parting) -> str | None:
    place = len(parting.shared)
    return parting.label(trial.steps[place]) if place < len(trial.steps) else None


def _shared(own: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the longest beginning that a row shares with one of others."""
    pairs = (zip(own, row, strict=False) for row in rows)
    lengths = (sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], row)) for row in pairs)
    return own[: max(lengths, default=0)]


def _merged(partings: Iterable[_Parting]) -> list[_Parting]:
    """Put together where the same steps stand against each other, at whatever problems."""
    found: dict[object, _Parting] = {}
    for one in partings:
        key = one.shared, one.steps
        other = found.get(key)
        found[key] = one if other is None else _both(other, one)
    return list(found.values())


def _both(one: _Parting, other: _Parting) -> _Parting:
    def each(*sides: tuple[Trial, ...]) -> tuple[Trial, ...]:
        return tuple({trial.uid: trial for side in sides for trial in side}.values())

    return replace(one, wrong=each(one.wrong, other.wrong), right=each(one.right, other.right))


def _point(parting: _Parting) -> DivergencePoint:
    problems = (trial.problem for trial in (*parting.wrong, *parting.right))
    return DivergencePoint(
        tuple(dict.fromkeys(problems))[:_SHOWN],
        parting.shared,
        _branches(parting.wrong, parting),
        _branches(parting.right, parting),
    )


def _branches(trials: Sequence[Trial], parting: _Parting) -> tuple[Branch, ...]:
    found: dict[str | None, list[Trial]] = {}
    for trial in trials:
        found.setdefault(_next(trial, parting), []).append(trial)
    branches = (_branch(step, same, len(parting.shared)) for step, same in found.items())
    return tuple(sorted(branches, key=lambda branch: (-branch.attempts, branch.step or "")))


def _branch(step: str | None, trials: Sequence[Trial], place: int) -> Branch:
    taken = [trial.steps[place] for trial in trials if place < len(trial.steps)]
    return Branch(
        step=step,
        attempts=len(trials),
        uids=tuple(trial.uid for trial in trials[:_SHOWN]),
        said=taken[0] if taken else None,
        insights=_most_frequent(trial.insight for trial in trials),
        observations=_most_frequent(one.observation for one in taken),
        answers=_most_frequent(trial.answer for trial in trials),
    )


def _most_frequent(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text, _ in Counter(filter(None, texts)).most_common(_SHOWN))
