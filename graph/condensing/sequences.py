"""Sequential patterns: runs of labels in successive memories of sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from graph.condensing.chance import Floats, Ints, binomial_tail
from graph.condensing.columns import Columns
from graph.condensing.model import PatternLimits

LONGEST_RUN = 4
REACH = 2
"""Memories from one label to the next at most: one may lie between."""

_SHARES = {2: 0.25, 3: 0.57, 4: 0.28}
"""Shares of the error rate by length, so that three sessions of the same three to ten steps suffice.

They add up to more than 1, as the number of possible runs is an upper bound: of shuffled sessions of 2 to 10 steps at
most 0.03 had a false run."""

MAX_RUNS, MAX_PLACES = 1000, 100_000
"""Most runs of one length that are extended, and memories on which they end, by support times confidence."""


@dataclass(frozen=True, slots=True)
class Run:
    """A sequence of labels, by their indices."""

    labels: tuple[int, ...]
    support: int
    confidence: float


@dataclass(frozen=True, slots=True)
class _Level:
    """Runs of one length, and where each of them ends."""

    runs: tuple[Run, ...]
    run: Ints
    """Index of the run, shape ``(o,)``."""
    end: Ints
    """Row of its last label, shape ``(o,)``."""


def runs(columns: Columns, limits: PatternLimits) -> list[Run]:
    """Find runs of labels whose last label usually follows the others.

    A run is 2 to 4 labels of successive memories of a session, with at most one memory between two; a label
    that follows itself makes none. Of ``n`` sessions with the run without its last label, ``k`` have all of it; at
    least ``limits.minimum_confidence`` must, and the confidence is ``(k + 1) / (n + 2)`` (Laplace), so that few
    sessions count less. A run is significant if shuffled memories would hardly have it in as many sessions: its p-value
    (binomial, over sessions), times the number of possible runs of its length, is at most its length's share of
    ``limits.error_rate``. Three sessions with the same three or four steps suffice. A significant part of a run must not
    explain it: the first or last label must come with the others more often than a shuffle of it alone would bring.
    Only closed runs are kept: a part of a longer run of the same support is left out.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        Thresholds of a pattern.

    Returns
    -------
    list
        Runs, the longest last.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Pattern Detection"; Agrawal and Srikant, "Mining
    sequential patterns", 1995; Yan, Han and Afshar, "CloSpan", 2003 (closed ones); Laplace's rule of succession.

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, (label,)) for i in range(3)
    ...         for place, label in enumerate(("build", "check", "deploy"))]
    >>> limits = PatternLimits()
    >>> runs(columns(rows, limits), limits)
    [Run(labels=(0, 1, 2), support=3, confidence=0.8)]
    """
    level = _single(columns)
    found: list[Run] = []
    # as in Apriori: a run is no more frequent than its parts, so only frequent ones are extended
    while level.runs and len(level.runs[0].labels) < LONGEST_RUN:
        level = _extended(columns, _pruned(level), limits)
        found += _significant(columns, level.runs, limits)
    return _closed(_non_redundant(columns, found, limits))


def evidence(columns: Columns, items: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield the rows of the first occurrence of a run in each session, at most ``most`` rows."""
    names = [columns.names[item] for item in items]
    for start, size in zip(columns.starts.tolist(), columns.sizes.tolist(), strict=True):
        if most < len(items):
            return
        labels = [set(row.labels) for row in columns.rows[start : start + size]]
        for first in range(size):
            where = _match(labels, names, first)
            if where:
                most -= len(items)
                yield tuple(start + one for one in where)
                break


def follows(rows: Sequence[Sequence[str]], items: Sequence[str]) -> bool:
    """Return whether labels follow each other in rows, with at most one row between two."""
    labels = [set(row) for row in rows]
    return any(_match(labels, items, first) for first in range(len(rows)))


def _match(labels: Sequence[set[str]], names: Sequence[str], at: int) -> tuple[int, ...]:
    if at >= len(labels) or names[0] not in labels[at]:
        return ()
    if len(names) == 1:
        return (at,)
    for step in range(1, REACH + 1):
        remaining = _match(labels, names[1:], at + step)
        if remaining:
            return (at, *remaining)
    return ()


def _single(columns: Columns) -> _Level:
    session = columns.session[columns.at]
    pairs = _distinct(columns.label * max(columns.sessions, 1) + session)
    support = np.bincount(pairs // max(columns.sessions, 1), minlength=len(columns.names))
    found = tuple(Run((number,), int(count), 1.0) for number, count in enumerate(support))
    return _Level(found, columns.label, columns.at)


def _extended(columns: Columns, level: _Level, limits: PatternLimits) -> _Level:
    """Return the runs one label longer that have enough sessions."""
    label_count = len(columns.names)
    run, end = _next_rows(columns, level)
    begins = np.searchsorted(columns.at, end)
    times = np.searchsorted(columns.at, end, side="right") - begins
    skipped = begins - (np.cumsum(times) - times)
    label = columns.label[np.repeat(skipped, times) + np.arange(int(times.sum()))]
    last = np.array([one.labels[-1] for one in level.runs], dtype=np.int64)
    before, row = np.repeat(run, times), np.repeat(end, times)
    # a label that follows itself makes no run
    new = label != last[before]
    key, row = before[new] * label_count + label[new], row[new]
    kept, hits = _sessions_of(columns, key, row)
    enough = hits >= limits.minimum_support
    kept, hits = kept[enough], hits[enough]
    runs = tuple(
        _extend(level.runs[int(one // label_count)], int(one % label_count), int(count))
        for one, count in zip(kept, hits, strict=True)
    )
    place = np.searchsorted(kept, key)
    inside = place < len(kept)
    inside[inside] = kept[place[inside]] == key[inside]
    return _Level(runs, place[inside], row[inside])


def _extend(run: Run, label: int, support: int) -> Run:
    return Run((*run.labels, label), support, support / run.support)


def _pruned(level: _Level) -> _Level:
    """Keep the runs of the highest support times confidence within the limits."""
    fits = len(level.end) <= MAX_PLACES and len(level.runs) <= MAX_RUNS
    # all single labels are kept: a rare first one can begin a frequent run
    if fits or len(level.runs[0].labels) == 1:
        return level
    score = np.array([run.support * run.confidence for run in level.runs])
    order = np.argsort(-score, kind="stable")
    ends = np.cumsum(np.bincount(level.run, minlength=len(level.runs))[order])
    kept = np.sort(order[ends <= MAX_PLACES][:MAX_RUNS])
    inside = np.isin(level.run, kept)
    return _Level(
        tuple(level.runs[int(one)] for one in kept),
        np.searchsorted(kept, level.run[inside]),
        level.end[inside],
    )


def _next_rows(columns: Columns, level: _Level) -> tuple[Ints, Ints]:
    """Return distinct pairs of a run and a row within reach of its end, in the same session."""
    size = len(columns.rows)
    run, row = np.tile(level.run, REACH), np.concatenate([level.end + s for s in (1, REACH)])
    same = row < size
    ends = np.tile(level.end, REACH)
    same[same] = columns.session[row[same]] == columns.session[ends[same]]
    keys = _distinct(run[same] * max(size, 1) + row[same])
    return keys // max(size, 1), keys % max(size, 1)


def _sessions_of(columns: Columns, key: Ints, row: Ints) -> tuple[Ints, Ints]:
    """Return each key, rising, and its number of sessions."""
    count = max(columns.sessions, 1)
    keys = _distinct(key * count + columns.session[row]) // count
    starts = _starts(keys)
    return keys[starts], np.diff(starts, append=len(keys))


def _distinct(values: Ints) -> Ints:
    """Sort, and drop repeats: several times faster than ``np.unique`` by hashing."""
    ordered = np.sort(values)
    return ordered[_starts(ordered)]


def _starts(ordered: Ints) -> Ints:
    return np.flatnonzero(np.diff(ordered, prepend=-1))


def _significant(columns: Columns, found: Sequence[Run], limits: PatternLimits) -> Iterator[Run]:
    """Yield the runs of one length with enough confidence that are significant against a shuffle."""
    candidates = [run for run in found if run.confidence >= limits.minimum_confidence]
    if not candidates:
        return
    length = len(candidates[0].labels)
    counts = columns.counts()
    probability = _placements(columns.sizes.astype(np.float64), length) / _ordered_draws(
        columns.sizes, length
    )
    expected = probability * _label_choices(
        counts, np.array([run.labels for run in candidates], dtype=np.int64)
    )
    tries = (expected > 0).sum(axis=1)
    rates = np.minimum(expected, 1.0).sum(axis=1) / tries
    significance = limits.error_rate * _SHARES[length] / _possible_runs(counts, length, limits)
    for run, shuffled, rate in zip(candidates, tries.tolist(), rates.tolist(), strict=True):
        if binomial_tail(run.support, shuffled, rate) <= significance:
            # from the share of the part: rounding undoes the division
            most = round(run.support / run.confidence)
            yield Run(run.labels, run.support, (run.support + 1) / (most + 2))


def _non_redundant(columns: Columns, found: Sequence[Run], limits: PatternLimits) -> list[Run]:
    """Leave out runs that a kept part of them and chance explain."""
    counts = columns.counts()
    kept: dict[tuple[int, ...], Run] = {}
    for run in found:  # the shorter first
        ends = ((run.labels[:-1], run.labels[-1]), (run.labels[1:], run.labels[0]))
        if all(
            part not in kept or _adds_information(columns, counts, run, kept[part], label, limits)
            for part, label in ends
        ):
            kept[run.labels] = run
    return list(kept.values())


def _adds_information(
    columns: Columns, counts: Floats, run: Run, part: Run, label: int, limits: PatternLimits
) -> bool:
    """Return whether a label is significantly more frequent at the end of a part than elsewhere in its sessions."""
    length, sizes = len(part.labels), columns.sizes.astype(np.float64)
    with_part = (counts[:, list(part.labels)] > 0).all(axis=1)
    free_places = np.maximum(_placements(sizes, length) * (sizes - length), 1.0)
    rate = np.minimum(counts[:, label] * _placements(sizes, length + 1) / free_places, 1.0)[
        with_part
    ].mean()
    together = (counts[with_part] > 0).sum(axis=0) >= limits.minimum_support
    tested = max(int(together.sum()) - length, 1)
    return binomial_tail(run.support, part.support, float(rate)) * tested <= limits.error_rate


def _label_choices(counts: Floats, labels: Ints) -> Floats:
    """Number of ways to choose the labels of each run from each session, shape ``(r, s)``."""
    choices = np.ones((len(labels), len(counts)))
    for place in range(labels.shape[1]):
        taken = (labels[:, :place] == labels[:, place, None]).sum(axis=1)
        choices *= np.maximum(counts[:, labels[:, place]].T - taken[:, None], 0.0)
    return choices


def _possible_runs(counts: Floats, length: int, limits: PatternLimits) -> float:
    """Return an upper bound of the runs of a length that could have enough sessions."""
    occurrences = _ordered_draws(counts.sum(axis=1), length).sum() / limits.minimum_support
    labels = counts.shape[1]
    return max(1.0, min(occurrences, float(labels * (labels - 1) ** (length - 1))))


def _ordered_draws(sizes: Floats | Ints, length: int) -> Floats:
    """Number of ordered draws of a length from each size; 1 where it is too small."""
    drawn = np.prod([np.maximum(sizes - taken, 0) for taken in range(length)], axis=0)
    return np.maximum(drawn.astype(np.float64), 1.0)


def _placements(sizes: Floats, length: int) -> Floats:
    """Number of placements of a run in a session of each size."""
    return np.sum(
        [
            comb(length - 1, skips) * np.maximum(sizes - (length - 1) - skips, 0.0)
            for skips in range(length)
        ],
        axis=0,
    )


def _closed(found: Sequence[Run]) -> list[Run]:
    longer = {length: [r for r in found if len(r.labels) > length] for length in range(LONGEST_RUN)}
    return [
        run
        for run in found
        if not any(
            run.support == other.support and _is_subsequence(run.labels, other.labels)
            for other in longer.get(len(run.labels), [])
        )
    ]


def _is_subsequence(run: tuple[int, ...], other: tuple[int, ...]) -> bool:
    remaining = iter(other)
    return all(item in remaining for item in run)
