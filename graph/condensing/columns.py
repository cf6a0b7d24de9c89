"""Memories of sessions as arrays: sessions, rows and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.condensing.chance import Flags, Floats, Ints
from graph.condensing.model import PatternLimits
from graph.model.consolidation.patterns import Happening

MOST_LABELS = 1000
"""Most labels, those of the most sessions first: the number of pairs is quadratic."""

MOST_LABELS_OF_ONE = 12
"""Most labels of one memory, those of the most sessions first."""

_NO_ROW = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Columns:
    """Memories with a session as ``n`` rows, ordered by session and by order in it."""

    rows: tuple[Happening, ...]
    places: Ints
    """Index of each row in the input, shape ``(n,)``."""
    session: Ints
    """Number of each row's session, shape ``(n,)``, rising."""
    sizes: Ints
    """Memories of each session, shape ``(s,)``."""
    names: tuple[str, ...]
    """The ``v`` informative labels, sorted."""
    at: Ints
    """Rows with a label, shape ``(e,)``, rising."""
    label: Ints
    """Index of that row's label in ``names``, shape ``(e,)``."""

    @property
    def sessions(self) -> int:
        return len(self.sizes)

    @property
    def starts(self) -> Ints:
        """First row of each session, shape ``(s,)``."""
        return np.cumsum(self.sizes) - self.sizes

    def counts(self) -> Floats:
        """Count the memories of each session that have each label, shape ``(s, v)``."""
        found = np.zeros((self.sessions, len(self.names)))
        np.add.at(found, (self.session[self.at], self.label), 1.0)
        return found

    def first(self) -> Ints:
        """First row of each label in each session, shape ``(s, v)``; the largest integer for none."""
        found = np.full((self.sessions, len(self.names)), _NO_ROW, dtype=np.int64)
        np.minimum.at(found, (self.session[self.at], self.label), self.at)
        return found

    def last(self, marked: Flags) -> Ints:
        """Last marked row of each session, shape ``(s,)``; -1 for none."""
        found = np.full(self.sessions, -1, dtype=np.int64)
        np.maximum.at(found, self.session[marked], np.flatnonzero(marked))
        return found


def columns(happenings: Sequence[Happening], limits: PatternLimits) -> Columns:
    """Arrange memories by session, with their informative labels.

    Labels of fewer sessions than a pattern needs, or of nearly all memories, are left out.
    """
    numbers: dict[str, int] = {}
    ordered: list[tuple[int, float, int]] = []
    for place, one in enumerate(happenings):
        if one.session is not None:
            number = numbers.setdefault(one.session, len(numbers))
            ordered.append((number, one.order, place))
    ordered.sort()
    places = np.array([place for _, _, place in ordered], dtype=np.int64)
    session = np.array([number for number, _, _ in ordered], dtype=np.int64)
    rows = tuple(happenings[place] for _, _, place in ordered)
    rank = _label_ranks(rows, limits)
    names = tuple(sorted(rank))
    code = {name: number for number, name in enumerate(names)}
    row_labels = [
        sorted(
            code[name]
            for name in sorted({*one.labels} & rank.keys(), key=rank.__getitem__)[
                :MOST_LABELS_OF_ONE
            ]
        )
        for one in rows
    ]
    return Columns(
        rows=rows,
        places=places,
        session=session,
        sizes=np.bincount(session, minlength=len(numbers)).astype(np.int64),
        names=names,
        at=np.repeat(np.arange(len(rows)), [len(one) for one in row_labels]).astype(np.int64),
        label=np.array([one for row in row_labels for one in row], dtype=np.int64),
    )


def _label_ranks(rows: Sequence[Happening], limits: PatternLimits) -> dict[str, int]:
    """Map each informative label to its rank, those of the most sessions first."""
    memories = Counter(name for one in rows for name in set(one.labels))
    seen = {(one.session, name) for one in rows for name in one.labels}
    sessions = Counter(name for _, name in seen)
    kept = [
        name
        for name, count in sessions.items()
        if count >= limits.minimum_support and memories[name] <= limits.nearly_all * len(rows)
    ]
    kept.sort(key=lambda name: (-sessions[name], name))
    return {name: rank for rank, name in enumerate(kept[:MOST_LABELS])}
