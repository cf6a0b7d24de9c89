"""Patterns across the sessions of a scope: sequential, causal, co-occurring and structural ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.condensing.columns import Columns, columns
from graph.condensing.contrasts import Contrast, causes, correlations
from graph.condensing.forms import KINDS, Form, key_sets, kind_sequences
from graph.condensing.model import PatternLimits
from graph.condensing.sequences import evidence, runs
from graph.model.consolidation.patterns import FoundPattern, Happening, PatternType

_DEFAULT = PatternLimits()


def patterns(
    happenings: Sequence[Happening], limits: PatternLimits = _DEFAULT
) -> tuple[FoundPattern, ...]:
    """Find sequential, causal, correlational and structural patterns across sessions.

    Everything is counted in sessions, so a long one counts once. Patterns that chance explains are left out, see
    ``PatternLimits``. Labels of a sequence are not reported as a correlation too.

    Parameters
    ----------
    happenings
        Memories of one scope, in any order.
    limits
        Thresholds of a pattern.

    Returns
    -------
    tuple
        Patterns by type (sequential, causal, correlational, structural), of each type the one of the highest
        support times confidence first, ties by items.

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
    table = columns(happenings, limits)
    sequential = _sequential(table, limits)
    known = [frozenset(one.items) for one in sequential]
    forms = key_sets(table, limits) + kind_sequences(table, limits)
    return (
        *sequential,
        *_strongest(_patterns_of(table, "causal", causes(table, limits)), limits),
        *_strongest(
            _patterns_of(table, "correlational", correlations(table, limits, known)), limits
        ),
        *_strongest(_patterns_of(table, "structural", forms), limits),
    )


def pattern_text(type: PatternType, items: Sequence[str]) -> str:
    """Describe a pattern in plain English, without its counts.

    Examples
    --------
    >>> pattern_text("causal", ("hurry", "failure"))
    'After `hurry`, `failure` is more frequent than without it.'
    >>> pattern_text("structural", ("kinds", "problem", "episode"))
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


def _sequential(table: Columns, limits: PatternLimits) -> list[FoundPattern]:
    by_items = {
        tuple(table.names[label] for label in run.labels): run for run in runs(table, limits)
    }
    without_evidence = [
        _pattern(table, "sequential", items, run.support, run.confidence, ())
        for items, run in by_items.items()
    ]
    return [
        _pattern(
            table,
            pattern.type,
            pattern.items,
            pattern.support,
            pattern.confidence,
            _evidence_rows(table, by_items[pattern.items].labels, limits),
        )
        for pattern in _strongest(without_evidence, limits)
    ]


def _evidence_rows(table: Columns, labels: Sequence[int], limits: PatternLimits) -> tuple[int, ...]:
    return tuple(row for rows in evidence(table, labels, limits.most_evidence) for row in rows)


def _patterns_of(
    table: Columns, type: PatternType, found: Iterable[Contrast | Form]
) -> list[FoundPattern]:
    return [
        _pattern(table, type, one.items, one.support, one.confidence, one.rows) for one in found
    ]


def _pattern(
    table: Columns,
    type: PatternType,
    items: tuple[str, ...],
    support: int,
    confidence: float,
    rows: tuple[int, ...],
) -> FoundPattern:
    # sorted: rows come by session, and callers look memories up in the order they gave
    places = tuple(sorted(int(table.places[row]) for row in rows))
    return FoundPattern(type, items, support, confidence, places, pattern_text(type, items))


def _strongest(found: Iterable[FoundPattern], limits: PatternLimits) -> list[FoundPattern]:
    ranked = sorted(found, key=lambda one: (-one.support * one.confidence, one.items))
    return ranked[: limits.most]
