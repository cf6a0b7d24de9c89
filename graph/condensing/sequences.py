"""What usually follows what: runs of labels in successive memories of sessions."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from graph.condensing.chance import discoveries, tail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from graph.condensing.chance import Flags, Floats, Ints
    from graph.condensing.columns import Columns
    from graph.condensing.model import PatternLimits

LONGEST_RUN = 4
REACH = 2
"""How many memories on the next label may stand: one may lie between."""

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
    """Which run, shape ``(o,)``."""
    end: Ints
    """Row of its last label, shape ``(o,)``."""


def runs(columns: Columns, limits: PatternLimits) -> list[Run]:
    """Find what is usually followed by what.

    A run is 2 to 4 labels of successive memories of a session, with at most one memory between two; a label
    that follows itself makes none. Its confidence is ``support(run) / support(run without its last)``.
    A label is added to a run where it follows more often

    - than its share of all memories lets expect (Hoeffding's bound, times the number of runs that could be,
      at most ``limits.chance``), and
    - than it would if it stood anywhere in the same sessions (Benjamini and Hochberg, ``limits.false_order``).

    A part of a longer run of the same support is left out.

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
    sequential patterns", 1995; Yan, Han and Afshar, "CloSpan", 2003 (closed ones).

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, (label,)) for i in range(9)
    ...         for place, label in enumerate((f"x{i}", "deploy", "rollback", f"y{i}"))]
    >>> limits = PatternLimits()
    >>> runs(columns(rows, limits), limits)
    [Run(labels=(0, 1), support=9, confidence=1.0)]
    """
    level = _single(columns)
    found: list[Run] = []
    while level.runs and len(level.runs[0].labels) < LONGEST_RUN:
        level = _longer(columns, _best(level), limits)
        found += level.runs
    return _closed([run for run in found if run.confidence >= limits.minimum_confidence])


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
    """Add one label to each run that it follows beyond chance."""
    many = len(columns.names)
    run, end = _next_rows(columns, level)
    begins = np.searchsorted(columns.at, end)
    times = np.searchsorted(columns.at, end, side="right") - begins
    skipped = begins - (np.cumsum(times) - times)
    label = columns.label[np.repeat(skipped, times) + np.arange(int(times.sum()))]
    last = np.array([one.labels[-1] for one in level.runs], dtype=np.int64)
    before, row = np.repeat(run, times), np.repeat(end, times)
    new = label != last[before]
    key, row = before[new] * many + label[new], row[new]
    support = _sessions_of(columns, key, row)
    slots = np.bincount(run, minlength=len(level.runs))
    runs, kept = _beyond_chance(columns, level, support, slots, limits)
    place = np.searchsorted(kept, key)
    inside = place < len(kept)
    inside[inside] = kept[place[inside]] == key[inside]
    return _Level(runs, place[inside], row[inside])


def _best(level: _Level) -> _Level:
    """Keep the runs of the highest support times confidence, as many as may be looked at."""
    few = len(level.end) <= MOST_PLACES and len(level.runs) <= MOST_RUNS
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


def _beyond_chance(
    columns: Columns,
    level: _Level,
    support: tuple[Ints, Ints],
    slots: Ints,
    limits: PatternLimits,
) -> tuple[tuple[Run, ...], Ints]:
    many = len(columns.names)
    enough = support[1] >= limits.minimum_support
    key, hits = support[0][enough], support[1][enough]
    before, label = key // max(many, 1), key % max(many, 1)
    tries = np.array([one.support for one in level.runs], dtype=np.float64)
    share = np.bincount(columns.label, minlength=many) / max(len(columns.rows), 1)
    # The mean of 1 − (1 − f)^k over sessions is at most that of the mean k.
    rate = 1.0 - (1.0 - share[label]) ** (slots[before] / tries[before])
    chances = tail(hits.astype(np.float64), tries[before], rate)
    kept = np.flatnonzero(chances * many * len(level.runs) <= limits.chance)
    kept = kept[_in_order(columns, level, before[kept], label[kept], hits[kept], limits)]
    runs = tuple(
        Run(
            (*level.runs[int(before[one])].labels, int(label[one])),
            int(hits[one]),
            float(hits[one] / tries[before[one]]),
        )
        for one in kept
    )
    return runs, key[kept]


def _in_order(
    columns: Columns, level: _Level, before: Ints, label: Ints, hits: Ints, limits: PatternLimits
) -> Flags:
    """Mark labels that would not follow as often if they stood anywhere in the same sessions.

    The chance in one session is at most how often a label is expected after the run there. Tested counts what
    might pass without any order: labels that come together with the run beyond chance.
    """
    counts = columns.counts().astype(np.float32)
    ends = np.zeros((len(level.runs), columns.sessions), dtype=np.float32)
    np.add.at(ends, (level.run, columns.session[level.end]), 1.0)
    weighed = ends * _slots(columns, len(level.runs[0].labels)).astype(np.float32)
    together = ((ends > 0).astype(np.float32) @ (counts > 0)).astype(np.float64)
    used = np.array([run.labels for run in level.runs], dtype=np.int64)
    repeated = (used[before] == label[:, None]).sum(axis=1)
    expected = (weighed @ counts)[before, label] - repeated * weighed.sum(axis=1)[before]
    tries = together[before, label]
    chances = tail(hits.astype(np.float64), tries, np.clip(expected / tries, 0.0, 1.0))
    share = (counts > 0).mean(axis=0, dtype=np.float64)
    meet = _come_together(level, together, share, limits)
    meet[np.arange(len(used)), used[:, -1]] = False
    meet[before, label] = True
    return discoveries(chances, limits.false_order, tested=int(meet.sum()))


def _come_together(level: _Level, together: Floats, share: Floats, limits: PatternLimits) -> Flags:
    having = np.array([run.support for run in level.runs], dtype=np.float64)[:, None]
    run, label = np.nonzero((together >= limits.minimum_support) & (together > having * share))
    found = np.zeros(together.shape, dtype=np.bool_)
    found[run, label] = tail(together[run, label], having[run, 0], share[label]) <= limits.chance
    return found


def _slots(columns: Columns, length: int) -> Floats:
    """Share of the other memories of each session that a run can be followed by, shape ``(s,)``."""
    sizes = columns.sizes.astype(np.float64)
    others = np.maximum(_placings(sizes, length) * (sizes - length), 1.0)
    return _placings(sizes, length + 1) / others


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
