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
"""Of the error rate, by length, so that three sessions of the same three to ten steps suffice.

They add up to more than 1, as the count of possible runs is an upper bound: on shuffled sessions of 2 to 10 steps at
most 0.03 had a false run."""

MOST_RUNS, MOST_PLACES = 1000, 100_000
"""Runs of one length that are made longer, and memories on which they end: the highest support times confidence."""


@dataclass(frozen=True, slots=True)
class Run:
    """Labels that follow each other, as numbers."""

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
    """Find what is usually followed by what.

    A run is 2 to 4 labels of successive memories of a session, with at most one memory between two; a label
    that follows itself makes none. Of ``n`` sessions with the run without its last label, ``k`` have all of it; at
    least ``limits.minimum_confidence`` must, and the confidence is ``(k + 1) / (n + 2)``, so that it also says how
    little is known. A run is told where it would not stand in as many sessions if the memories of each were
    shuffled: its chance (binomial, over sessions), times the number of runs of its length that could
    stand in enough sessions, is at most its length's share of ``limits.error_rate``. Three sessions with the same
    three or four steps suffice. What is told of a part of a run must not explain it: the first or last label
    must come with the rest more often than a shuffle of it alone would bring. A part of a longer run of the
    same support is left out.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        What makes a run a pattern.

    Returns
    -------
    list
        Runs, the longest last.

    Raises
    ------
    ValueError
        Never; where nothing recurs it is empty.

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
    # a longer run of few sessions has parts of as few, so only frequent ones are made longer
    while level.runs and len(level.runs[0].labels) < LONGEST_RUN:
        level = _longer(columns, _best(level), limits)
        found += _beyond_chance(columns, level.runs, limits)
    return _closed(_adding(columns, found, limits))


def evidence(columns: Columns, items: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Give the rows of the first place of each session where a run stands, at most ``most`` rows."""
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
    """Say whether labels stand in successive rows, with at most one row between two."""
    labels = [set(row) for row in rows]
    return any(_match(labels, items, first) for first in range(len(rows)))


def _match(labels: Sequence[set[str]], names: Sequence[str], at: int) -> tuple[int, ...]:
    if at >= len(labels) or names[0] not in labels[at]:
        return ()
    if len(names) == 1:
        return (at,)
    for step in range(1, REACH + 1):
        rest = _match(labels, names[1:], at + step)
        if rest:
            return (at, *rest)
    return ()


def _single(columns: Columns) -> _Level:
    session = columns.session[columns.at]
    pairs = _distinct(columns.label * max(columns.sessions, 1) + session)
    support = np.bincount(pairs // max(columns.sessions, 1), minlength=len(columns.names))
    found = tuple(Run((number,), int(count), 1.0) for number, count in enumerate(support))
    return _Level(found, columns.label, columns.at)


def _longer(columns: Columns, level: _Level, limits: PatternLimits) -> _Level:
    """Add one label to each run that it follows in enough sessions."""
    many = len(columns.names)
    run, end = _next_rows(columns, level)
    begins = np.searchsorted(columns.at, end)
    times = np.searchsorted(columns.at, end, side="right") - begins
    skipped = begins - (np.cumsum(times) - times)
    label = columns.label[np.repeat(skipped, times) + np.arange(int(times.sum()))]
    last = np.array([one.labels[-1] for one in level.runs], dtype=np.int64)
    before, row = np.repeat(run, times), np.repeat(end, times)
    # a label that follows itself makes no run
    new = label != last[before]
    key, row = before[new] * many + label[new], row[new]
    kept, hits = _sessions_of(columns, key, row)
    enough = hits >= limits.minimum_support
    kept, hits = kept[enough], hits[enough]
    runs = tuple(
        _with(level.runs[int(one // many)], int(one % many), int(count))
        for one, count in zip(kept, hits, strict=True)
    )
    place = np.searchsorted(kept, key)
    inside = place < len(kept)
    inside[inside] = kept[place[inside]] == key[inside]
    return _Level(runs, place[inside], row[inside])


def _with(run: Run, label: int, support: int) -> Run:
    return Run((*run.labels, label), support, support / run.support)


def _best(level: _Level) -> _Level:
    """Keep the runs of the highest support times confidence, as many as may be looked at."""
    few = len(level.end) <= MOST_PLACES and len(level.runs) <= MOST_RUNS
    # single labels are all needed: a rare first one can begin a frequent run
    if few or len(level.runs[0].labels) == 1:
        return level
    worth = np.array([run.support * run.confidence for run in level.runs])
    order = np.argsort(-worth, kind="stable")
    ends = np.cumsum(np.bincount(level.run, minlength=len(level.runs))[order])
    kept = np.sort(order[ends <= MOST_PLACES][:MOST_RUNS])
    inside = np.isin(level.run, kept)
    return _Level(
        tuple(level.runs[int(one)] for one in kept),
        np.searchsorted(kept, level.run[inside]),
        level.end[inside],
    )


def _next_rows(columns: Columns, level: _Level) -> tuple[Ints, Ints]:
    """Rows within reach of where each run ends, each once, in the same session."""
    size = len(columns.rows)
    run, row = np.tile(level.run, REACH), np.concatenate([level.end + s for s in (1, REACH)])
    same = row < size
    ends = np.tile(level.end, REACH)
    same[same] = columns.session[row[same]] == columns.session[ends[same]]
    keys = _distinct(run[same] * max(size, 1) + row[same])
    return keys // max(size, 1), keys % max(size, 1)


def _sessions_of(columns: Columns, key: Ints, row: Ints) -> tuple[Ints, Ints]:
    """Each key, rising, and in how many sessions its rows are."""
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


def _beyond_chance(columns: Columns, found: Sequence[Run], limits: PatternLimits) -> Iterator[Run]:
    """Give the runs of one length that hold often enough, and would not if memories were shuffled."""
    held = [run for run in found if run.confidence >= limits.minimum_confidence]
    if not held:
        return
    length = len(held[0].labels)
    counts = columns.counts()
    ways = _placings(columns.sizes.astype(np.float64), length) / _orders(columns.sizes, length)
    expected = ways * _choices(counts, np.array([run.labels for run in held], dtype=np.int64))
    tries = (expected > 0).sum(axis=1)
    rates = np.minimum(expected, 1.0).sum(axis=1) / tries
    least = limits.error_rate * _SHARES[length] / _possible(counts, length, limits)
    for run, shuffled, rate in zip(held, tries.tolist(), rates.tolist(), strict=True):
        if binomial_tail(run.support, shuffled, rate) <= least:
            # from the share of the part: rounding undoes the division
            most = round(run.support / run.confidence)
            yield Run(run.labels, run.support, (run.support + 1) / (most + 2))


def _adding(columns: Columns, found: Sequence[Run], limits: PatternLimits) -> list[Run]:
    """Leave out runs of which a told part, and chance, bring the rest."""
    counts = columns.counts()
    told: dict[tuple[int, ...], Run] = {}
    for run in found:  # the shorter first
        ends = ((run.labels[:-1], run.labels[-1]), (run.labels[1:], run.labels[0]))
        if all(
            part not in told or _adds(columns, counts, run, told[part], label, limits)
            for part, label in ends
        ):
            told[run.labels] = run
    return list(told.values())


def _adds(
    columns: Columns, counts: Floats, run: Run, part: Run, label: int, limits: PatternLimits
) -> bool:
    """Tell whether a label stands at the end of a part more often than anywhere else in its sessions."""
    length, sizes = len(part.labels), columns.sizes.astype(np.float64)
    here = (counts[:, list(part.labels)] > 0).all(axis=1)
    others = np.maximum(_placings(sizes, length) * (sizes - length), 1.0)
    rate = np.minimum(counts[:, label] * _placings(sizes, length + 1) / others, 1.0)[here].mean()
    together = (counts[here] > 0).sum(axis=0) >= limits.minimum_support
    tested = max(int(together.sum()) - length, 1)
    return binomial_tail(run.support, part.support, float(rate)) * tested <= limits.error_rate


def _choices(counts: Floats, labels: Ints) -> Floats:
    """In how many ways each session has the labels of each run, shape ``(r, s)``."""
    found = np.ones((len(labels), len(counts)))
    for place in range(labels.shape[1]):
        taken = (labels[:, :place] == labels[:, place, None]).sum(axis=1)
        found *= np.maximum(counts[:, labels[:, place]].T - taken[:, None], 0.0)
    return found


def _possible(counts: Floats, length: int, limits: PatternLimits) -> float:
    """Return how many runs of a length could stand in enough sessions, at most."""
    held = _orders(counts.sum(axis=1), length).sum() / limits.minimum_support
    labels = counts.shape[1]
    return max(1.0, min(held, float(labels * (labels - 1) ** (length - 1))))


def _orders(sizes: Floats | Ints, length: int) -> Floats:
    """In how many orders so many can be drawn from each size; 1 where it is too small."""
    drawn = np.prod([np.maximum(sizes - taken, 0) for taken in range(length)], axis=0)
    return np.maximum(drawn.astype(np.float64), 1.0)


def _placings(sizes: Floats, length: int) -> Floats:
    """In how many ways a run fits into a session of each size."""
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
            run.support == other.support and _part(run.labels, other.labels)
            for other in longer.get(len(run.labels), [])
        )
    ]


def _part(run: tuple[int, ...], other: tuple[int, ...]) -> bool:
    rest = iter(other)
    return all(item in rest for item in run)
