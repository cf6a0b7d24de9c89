"""Patterns across the sessions of a scope: sequential, causal, co-occurring and structural ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.condensing.columns import Columns, columns
from graph.condensing.contrasts import Contrast, causes, companions
from graph.condensing.forms import KINDS, Form, rows_of_kinds, shapes
from graph.condensing.model import PatternLimits
from graph.condensing.sequences import evidence, runs
from graph.model.consolidation.patterns import FoundPattern, Happening, PatternType

_USUAL = PatternLimits()


def patterns(
    happenings: Sequence[Happening], limits: PatternLimits = _USUAL
) -> tuple[FoundPattern, ...]:
    """Find what recurs across sessions, by the four types.

    Everything is counted in sessions, so a long one counts once. What chance alone would give is left out:
    ``limits.chance`` is how likely one false pattern of a type is where there are none. Labels that a
    sequence has are not told again as a correlation.

    Parameters
    ----------
    happenings
        Memories of one scope, in any order.
    limits
        What makes something that recurs a pattern.

    Returns
    -------
    tuple
        Patterns by type (sequential, causal, correlational, structural), of each type the one of the highest
        support times confidence first, ties by items.

    Raises
    ------
    ValueError
        Never; where nothing recurs it is empty.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Pattern Detection" and "MemoryPattern Collection".

    Examples
    --------
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, (label,)) for i in range(9)
    ...         for place, label in enumerate((f"x{i}", "deploy", "rollback", f"y{i}"))]
    >>> rows += [Happening(f"t{i}", 0, (f"z{i}",)) for i in range(9)]
    >>> for one in patterns(rows):
    ...     print(one.type, one.support, round(one.confidence, 2), one.text)
    sequential 9 0.91 `deploy` is usually followed by `rollback`.
    """
    read = columns(happenings, limits)
    sequential = _sequential(read, limits)
    # what a sequence says comes together is not told again as a correlation
    said = [frozenset(one.items) for one in sequential]
    forms = shapes(read, limits) + rows_of_kinds(read, limits)
    return (
        *sequential,
        *_first(_of(read, "causal", causes(read, limits)), limits),
        *_first(_of(read, "correlational", companions(read, limits, said)), limits),
        *_first(_of(read, "structural", forms), limits),
    )


def worded(type: PatternType, items: Sequence[str]) -> str:
    """Say a pattern in plain English, without its counts.

    Examples
    --------
    >>> worded("causal", ("hurry", "failure"))
    'After `hurry`, `failure` is more frequent than without it.'
    >>> worded("structural", ("kinds", "problem", "episode"))
    'Sessions with these kinds of memories usually go from `problem` to `episode`.'
    """
    names = [f"`{item}`" for item in items]
    match type:
        case "sequential":
            return f"{', then '.join(names[:-1])} is usually followed by {names[-1]}."
        case "causal":
            return f"After {names[0]}, {names[1]} is more frequent than without it."
        case "correlational":
            return f"{names[0]} and {names[1]} usually occur in the same sessions."
        case "structural" if items[0] == KINDS:
            row = " to ".join(names[1:])
            return f"Sessions with these kinds of memories usually go from {row}."
        case "structural":
            keys = f"{', '.join(names[1:-1])} and {names[-1]}"
            return f"Structured content with the keys {keys} recurs."


def _sequential(read: Columns, limits: PatternLimits) -> list[FoundPattern]:
    found = {tuple(read.names[label] for label in run.labels): run for run in runs(read, limits)}
    bare = [
        _pattern(read, "sequential", items, run.support, run.confidence, ())
        for items, run in found.items()
    ]
    return [
        _pattern(
            read,
            one.type,
            one.items,
            one.support,
            one.confidence,
            _rows(read, found[one.items].labels, limits),
        )
        for one in _first(bare, limits)
    ]


def _rows(read: Columns, labels: Sequence[int], limits: PatternLimits) -> tuple[int, ...]:
    return tuple(row for rows in evidence(read, labels, limits.most_evidence) for row in rows)


def _of(read: Columns, type: PatternType, found: Iterable[Contrast | Form]) -> list[FoundPattern]:
    return [_pattern(read, type, one.items, one.support, one.confidence, one.rows) for one in found]


def _pattern(
    read: Columns,
    type: PatternType,
    items: tuple[str, ...],
    support: int,
    confidence: float,
    rows: tuple[int, ...],
) -> FoundPattern:
    # sorted: the rows come by session, and a memory is found by its place in what was given
    places = tuple(sorted(int(read.places[row]) for row in rows))
    return FoundPattern(type, items, support, confidence, places, worded(type, items))


def _first(found: Iterable[FoundPattern], limits: PatternLimits) -> list[FoundPattern]:
    ranked = sorted(found, key=lambda one: (-one.support * one.confidence, one.items))
    return ranked[: limits.most]
