"""Divergence of right and wrong attempts: the first steps after a common prefix."""

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
class _Split:
    """Wrong and right attempts that diverge after a common prefix."""

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
    least_similarity: float = 0.0,
) -> Divergence:
    """Compare each wrong attempt with right ones at its problem, else at similar problems.

    ``alike`` maps a ``problem_key`` to those of similar solved problems. Attempts have at least ``least_similarity`` to
    the topic, if there is one.
    """
    splits: list[_Split] = []
    unmatched = 0
    for failed, succeeded in _groups(wrong, right, alike):
        splits += _splits(failed, succeeded) if succeeded else ()
        unmatched += 0 if succeeded else len(failed)
    near = _near_topic(wrong, least_similarity)
    merged = sorted(_merged(splits), key=lambda split: _order_of(split, near))
    return Divergence(len(right), len(wrong), unmatched, tuple(map(_point, merged[:limit])))


def _near_topic(wrong: Sequence[Trial], least: float) -> float:
    """Return the similarity from which a problem is surely about the topic: halfway to the nearest one."""
    found = (trial.similarity for trial in wrong if trial.similarity is not None)
    return (least + max(found, default=least)) / 2


def _order_of(split: _Split, near: float) -> tuple[object, ...]:
    """Return the sort key: splits with a next step, splits about the topic, then those with most wrong attempts."""
    is_explained = any(step is not None for steps in split.steps for step in steps)
    known = [trial.similarity for trial in split.wrong if trial.similarity is not None]
    is_near = not known or max(known) >= near
    return not is_explained, not is_near, -len(split.wrong), -len(split.right), split.shared


def alike(
    wrong: Sequence[AttemptVector], right: Sequence[AttemptVector], least: float
) -> dict[str, tuple[str, ...]]:
    """Return for each wrong attempt, by uid, the similar right ones.

    Their vectors have a cosine of at least ``least``, or their problems share a concept.
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
    """Return the concepts of each attempt's problem, as rows of 0 and 1."""
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
    """Group wrong attempts with the right ones that they are compared with."""
    failed, succeeded = _by_problem(wrong), _by_problem(right)
    groups: dict[tuple[str, ...], list[Trial]] = {}
    for problem, trials in failed.items():
        solved = (
            (problem,)
            if problem in succeeded
            else tuple(one for one in alike.get(problem, ()) if one in succeeded)
        )
        groups.setdefault(solved, []).extend(trials)
    return [
        (trials, [one for problem in solved for one in succeeded[problem]])
        for solved, trials in groups.items()
    ]


def _by_problem(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.problem_key, []).append(trial)
    return found


def _splits(wrong: Sequence[Trial], right: Sequence[Trial]) -> list[_Split]:
    """Return where wrong attempts diverge from all right ones, by the names of their steps.

    Attempts with the same names of steps are compared by the texts of their actions, at the same problem only.
    """
    named = [(one, _row(one, _name)) for one in right]
    rows = {row for _, row in named}
    found: dict[tuple[Label, tuple[str, ...]], list[Trial]] = {}
    for trial in wrong:
        own_names, own_texts = _row(trial, _name), _row(trial, _text)
        same = {
            _row(one, _text)
            for one, row in named
            if row == own_names and one.problem_key == trial.problem_key
        }
        in_words = bool(same - {own_texts})
        shared = _common_prefix(own_texts, same) if in_words else _common_prefix(own_names, rows)
        found.setdefault((_text if in_words else _name, shared), []).append(trial)
    return [
        _Split(
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


def _next(trial: Trial, split: _Split) -> str | None:
    place = len(split.shared)
    return split.label(trial.steps[place]) if place < len(trial.steps) else None


def _common_prefix(own: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the longest common prefix of a row with one of others."""
    pairs = (zip(own, row, strict=False) for row in rows)
    lengths = (sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], row)) for row in pairs)
    return own[: max(lengths, default=0)]


def _merged(splits: Iterable[_Split]) -> list[_Split]:
    """Merge divergences with the same prefix and next steps, across problems."""
    found: dict[object, _Split] = {}
    for one in splits:
        key = one.shared, one.steps
        other = found.get(key)
        found[key] = one if other is None else _union(other, one)
    return list(found.values())


def _union(one: _Split, other: _Split) -> _Split:
    def each(*sides: tuple[Trial, ...]) -> tuple[Trial, ...]:
        return tuple({trial.uid: trial for side in sides for trial in side}.values())

    return replace(one, wrong=each(one.wrong, other.wrong), right=each(one.right, other.right))


def _point(split: _Split) -> DivergencePoint:
    problems = (trial.problem for trial in (*split.wrong, *split.right))
    return DivergencePoint(
        tuple(dict.fromkeys(problems))[:_SHOWN],
        split.shared,
        _branches(split.wrong, split),
        _branches(split.right, split),
    )


def _branches(trials: Sequence[Trial], split: _Split) -> tuple[Branch, ...]:
    found: dict[str | None, list[Trial]] = {}
    for trial in trials:
        found.setdefault(_next(trial, split), []).append(trial)
    branches = (_branch(step, same, len(split.shared)) for step, same in found.items())
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
