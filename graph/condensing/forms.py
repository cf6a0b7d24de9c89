"""Structural patterns of sessions: keys of structured content, and sequences of kinds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, exp, lgamma

import numpy as np

from graph.condensing.chance import tail
from graph.condensing.columns import Columns
from graph.condensing.model import PatternLimits

KEYS, KINDS = "keys", "kinds"

MOST_KEYS = 32
_LONGEST_ROW = 8
_MOST_FORMS = 200
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Form:
    """A form, and where it stands."""

    items: tuple[str, ...]
    support: int
    confidence: float
    rows: tuple[int, ...]


def shapes(columns: Columns, limits: PatternLimits) -> list[Form]:
    """Find keys of structured content that come together in several sessions.

    A form is 2 to 32 keys, the same in several sessions; its confidence is the share of sessions that have
    it among those with content like it (``|A ∩ B| / |A ∪ B| ≥ 0.5``). That it recurs is counted, not tested:
    nobody writes the same keys by chance.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        What makes a form a pattern; one of nearly all memories tells nothing.

    Returns
    -------
    list
        Forms, the items beginning with ``keys``.

    Raises
    ------
    ValueError
        Never; where nothing recurs it is empty.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Pattern Detection".

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, shape=shape) for i in range(4)
    ...         for place, shape in enumerate((("host", "status"), ()))]
    >>> limits = PatternLimits()
    >>> [(one.items, one.support) for one in shapes(columns(rows, limits), limits)]
    [(('keys', 'host', 'status'), 4)]
    """
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, one in enumerate(columns.rows):
        if 2 <= len(one.shape) <= MOST_KEYS:
            where[one.shape].append(row)
    sessions = {shape: set(columns.session[rows].tolist()) for shape, rows in where.items()}
    found: list[Form] = []
    holding = _holding(where)
    for shape in _frequent(sessions, limits):
        rows = where[shape]
        if len(rows) > limits.nearly_all * len(columns.rows):
            continue
        like = {one for other in _alike(shape, holding) for one in sessions[other]}
        share = len(sessions[shape]) / len(like)
        if share >= limits.minimum_confidence:
            firsts = _one_each(columns, rows)[: limits.most_evidence]
            found.append(Form((KEYS, *shape), len(sessions[shape]), share, tuple(firsts)))
    return found


def rows_of_kinds(columns: Columns, limits: PatternLimits) -> list[Form]:
    """Find sessions that go through the same kinds of memories in the same order.

    The row of a session is its kinds, what follows itself told once, 2 to 8 long. The confidence is the share
    of sessions that have exactly this row among those with all of its kinds. The chance of it, were the
    memories of each session shuffled, is ``Π_k C(n_k − 1, r_k − 1) · n_k! / n!`` with ``n_k`` memories of a
    kind in ``r_k`` parts of the row; Hoeffding's bound over sessions, times the number of rows, must be at
    most ``limits.chance``.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        What makes a row a pattern.

    Returns
    -------
    list
        Forms, the items beginning with ``kinds``.

    Raises
    ------
    ValueError
        Never; where nothing recurs it is empty.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Pattern Detection".

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, kind=kind) for i in range(8)
    ...         for place, kind in enumerate(("problem", "episode", "episode"))]
    >>> limits = PatternLimits()
    >>> [(one.items, one.support) for one in rows_of_kinds(columns(rows, limits), limits)]
    [(('kinds', 'problem', 'episode'), 8)]
    """
    where, by_kinds = _rows_and_kinds(columns)
    found: list[Form] = []
    rows = _frequent(where, limits)
    for kinds in rows:
        tries = sum(len(counts) for held, counts in by_kinds.items() if held.issuperset(kinds))
        rate = sum(_shuffled(counts, kinds) for counts in by_kinds[frozenset(kinds)]) / tries
        hits = len(where[kinds])
        chance = tail(np.array([float(hits)]), np.array([float(tries)]), np.array([rate]))
        share = hits / tries
        if share >= limits.minimum_confidence and chance[0] * len(rows) <= limits.chance:
            told = _parts(columns, sorted(where[kinds]), len(kinds), limits.most_evidence)
            found.append(Form((KINDS, *kinds), hits, share, told))
    return found


def _rows_and_kinds(
    columns: Columns,
) -> tuple[dict[tuple[str, ...], set[int]], dict[frozenset[str], list[Counter[str]]]]:
    """Return the sessions of each row, and how many memories of each kind sessions with these kinds have."""
    where: dict[tuple[str, ...], set[int]] = defaultdict(set)
    by_kinds: dict[frozenset[str], list[Counter[str]]] = defaultdict(list)
    for session, (start, size) in enumerate(_spans(columns)):
        named = [row.kind for row in columns.rows[start : start + size] if row.kind]
        by_kinds[frozenset(named)].append(Counter(named))
        kinds = tuple(kind for kind, _ in groupby(named))
        if 2 <= len(kinds) <= _LONGEST_ROW:
            where[kinds].add(session)
    return where, by_kinds


def _frequent(
    where: Mapping[tuple[str, ...], set[int]], limits: PatternLimits
) -> list[tuple[str, ...]]:
    enough = [form for form, sessions in where.items() if len(sessions) >= limits.minimum_support]
    return sorted(enough, key=lambda form: (-len(where[form]), form))[:_MOST_FORMS]


def _holding(shapes: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for shape in shapes:
        for key in shape:
            found[key].append(shape)
    return found


def _alike(
    shape: tuple[str, ...], holding: Mapping[str, Sequence[tuple[str, ...]]]
) -> list[tuple[str, ...]]:
    shared: Counter[tuple[str, ...]] = Counter()
    for key in shape:
        shared.update(holding[key])
    return [
        other for other, keys in shared.items() if keys >= ALIKE * (len(shape) + len(other) - keys)
    ]


def _one_each(columns: Columns, rows: Iterable[int]) -> list[int]:
    firsts: dict[int, int] = {}
    for row in rows:
        firsts.setdefault(int(columns.session[row]), row)
    return list(firsts.values())


def _spans(columns: Columns) -> list[tuple[int, int]]:
    return list(zip(columns.starts.tolist(), columns.sizes.tolist(), strict=True))


def _shuffled(counts: Counter[str], kinds: Sequence[str]) -> float:
    """Chance that the memories of a session, shuffled, go through kinds in this order and no other."""
    parts = Counter(kinds)
    ways = 1
    for kind, times in parts.items():
        ways *= comb(counts[kind] - 1, times - 1)
    orders = lgamma(counts.total() + 1) - sum(lgamma(count + 1) for count in counts.values())
    return min(ways * exp(-orders), 1.0)


def _parts(columns: Columns, sessions: Sequence[int], length: int, most: int) -> tuple[int, ...]:
    """First memory of each part of the row, of as many sessions as may be told."""
    found: list[int] = []
    spans = _spans(columns)
    for session in sessions[: most // length]:
        start, size = spans[session]
        rows = [row for row in range(start, start + size) if columns.rows[row].kind]
        for _, part in groupby(rows, key=lambda row: columns.rows[row].kind):
            found.append(next(part))
    return tuple(found)
