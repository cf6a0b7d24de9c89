"""Properties that a condensed memory inherits from its sources."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from graph.condensing.model import Abstraction, Standing
from graph.phrases.extraction import key_phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_RUN = 4
_T = TypeVar("_T", str, "tuple[str, ...]")


def inherited(sources: Sequence[Standing]) -> Standing:
    """Return what the memory stands at that is made of others.

    Q is their mean weighed by how often each was rewarded (the plain mean where none was), counts and
    accesses add up, importance, surprise, grace and weight are the highest, tags are all of them.

    Raises
    ------
    ValueError
        If there is nothing to inherit from.
    """
    if not sources:
        raise ValueError("nothing is inherited from nobody")
    count = sum(source.q_count for source in sources)
    counts = [source.q_count if count else 1 for source in sources]
    values = (source.q_value * times for source, times in zip(sources, counts, strict=True))
    return Standing(
        q_value=sum(values) / sum(counts),
        q_count=count,
        importance=max(source.importance for source in sources),
        weight=max(source.weight for source in sources),
        accesses=sum(source.accesses for source in sources),
        surprise=max(source.surprise for source in sources),
        grace_until=max(source.grace_until for source in sources),
        tags=tuple(sorted({tag for source in sources for tag in source.tags})),
    )


def abstraction(
    texts: Sequence[str],
    *,
    actions: Sequence[Sequence[str]] = (),
    concepts: Sequence[Sequence[str]] = (),
    most: int = 8,
) -> Abstraction:
    """Return what at least two memories have in common: phrases, runs of actions, concepts."""
    display: dict[str, str] = {}
    said: Counter[str] = Counter()
    for text in texts:
        for phrase in key_phrases(text, limit=4 * most):
            said[phrase.name] += 1
            display.setdefault(phrase.name, phrase.display)
    taken = Counter(run for row in actions for run in _runs(row))
    known = Counter(concept for row in concepts for concept in set(row))
    return Abstraction(
        phrases=tuple((display[name], count) for name, count in _shared(said)[:most]),
        actions=tuple(_longest(_shared(taken))[:most]),
        concepts=tuple(_shared(known)[:most]),
    )


def _shared(counts: Counter[_T]) -> list[tuple[_T, int]]:
    found = [(name, count) for name, count in counts.items() if count > 1]
    return sorted(found, key=lambda one: (-one[1], -len(one[0]), one[0]))


def _runs(row: Sequence[str]) -> set[tuple[str, ...]]:
    return {
        tuple(row[start : start + length])
        for length in range(2, _LONGEST_RUN + 1)
        for start in range(len(row) - length + 1)
    }


def _longest(
    runs: Iterable[tuple[tuple[str, ...], int]],
) -> list[tuple[tuple[str, ...], int]]:
    """Leave out what is part of a longer run that is as frequent."""
    kept: list[tuple[tuple[str, ...], int]] = []
    for run, count in runs:
        inside = any(
            count == times and any(run == other[i : i + len(run)] for i in range(len(other)))
            for other, times in kept
        )
        if not inside:
            kept.append((run, count))
    return kept
