"""Structural patterns of sessions: keys of structured content, and sequences of kinds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, exp, lgamma

import numpy as np

from graph.condensing.chance import hoeffding_tail
from graph.condensing.columns import Columns
from graph.condensing.model import PatternLimits

KEYS, KINDS = "keys", "kinds"

MOST_KEYS = 32
_MAX_LENGTH = 8
_MAX_FORMS = 200
MIN_JACCARD = 0.5


@dataclass(frozen=True, slots=True)
class Form:
    """A structural pattern: a key set or a sequence of kinds."""

    items: tuple[str, ...]
    support: int
    confidence: float
    rows: tuple[int, ...]


def key_sets(columns: Columns, limits: PatternLimits) -> list[Form]:
    """Find sets of keys of structured content that recur in several sessions.

    A form is the same 2 to 32 keys in several sessions; its confidence is the share of sessions that have it among
    those with similar content (Jaccard, ``|A ∩ B| / |A ∪ B| ≥ 0.5``). There is no significance test: nobody writes
    the same keys by chance.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        Thresholds of a pattern; a form of nearly all memories is ignored.

    Returns
    -------
    list
        Forms, the items beginning with ``keys``.

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
    >>> [(one.items, one.support) for one in key_sets(columns(rows, limits), limits)]
    [(('keys', 'host', 'status'), 4)]
    """
    rows_by_shape: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, one in enumerate(columns.rows):
        if 2 <= len(one.shape) <= MOST_KEYS:
            rows_by_shape[one.shape].append(row)
    sessions = {shape: set(columns.session[rows].tolist()) for shape, rows in rows_by_shape.items()}
    forms: list[Form] = []
    by_key = _shapes_by_key(rows_by_shape)
    for shape in _frequent(sessions, limits):
        rows = rows_by_shape[shape]
        if len(rows) > limits.nearly_all * len(columns.rows):
            continue
        similar = {one for other in _similar_shapes(shape, by_key) for one in sessions[other]}
        share = len(sessions[shape]) / len(similar)
        if share >= limits.minimum_confidence:
            firsts = _first_per_session(columns, rows)[: limits.most_evidence]
            forms.append(Form((KEYS, *shape), len(sessions[shape]), share, tuple(firsts)))
    return forms


def kind_sequences(columns: Columns, limits: PatternLimits) -> list[Form]:
    """Find sequences of kinds that several sessions share.

    The sequence of a session is its kinds in order, repeats merged, 2 to 8 long. The confidence is the share of sessions
    with exactly this sequence among those with all of its kinds. Its probability, were the memories of each session
    shuffled, is ``Π_k C(n_k − 1, r_k − 1) · n_k! / n!`` with ``n_k`` memories of a kind in ``r_k`` runs of it; Hoeffding's
    bound over sessions, times the number of sequences, must be at most ``limits.chance``.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        Thresholds of a pattern.

    Returns
    -------
    list
        Forms, the items beginning with ``kinds``.

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
    >>> [(one.items, one.support) for one in kind_sequences(columns(rows, limits), limits)]
    [(('kinds', 'problem', 'episode'), 8)]
    """
    sessions, counts_by_kinds = _sessions_by_kinds(columns)
    forms: list[Form] = []
    candidates = _frequent(sessions, limits)
    for kinds in candidates:
        tries = sum(len(each) for key, each in counts_by_kinds.items() if key.issuperset(kinds))
        same_kinds = counts_by_kinds[frozenset(kinds)]
        rate = sum(_shuffle_probability(counts, kinds) for counts in same_kinds) / tries
        hits = len(sessions[kinds])
        chance = hoeffding_tail(np.array([float(hits)]), np.array([float(tries)]), np.array([rate]))
        share = hits / tries
        if share >= limits.minimum_confidence and chance[0] * len(candidates) <= limits.chance:
            most = limits.most_evidence
            evidence = _kind_evidence(columns, sorted(sessions[kinds]), len(kinds), most)
            forms.append(Form((KINDS, *kinds), hits, share, evidence))
    return forms


def _sessions_by_kinds(
    columns: Columns,
) -> tuple[dict[tuple[str, ...], set[int]], dict[frozenset[str], list[Counter[str]]]]:
    """Return the sessions of each sequence, and the counts of kinds of the sessions with each set of kinds."""
    sessions: dict[tuple[str, ...], set[int]] = defaultdict(set)
    counts_by_kinds: dict[frozenset[str], list[Counter[str]]] = defaultdict(list)
    for session, (start, size) in enumerate(_spans(columns)):
        named = [row.kind for row in columns.rows[start : start + size] if row.kind]
        counts_by_kinds[frozenset(named)].append(Counter(named))
        kinds = tuple(kind for kind, _ in groupby(named))
        if 2 <= len(kinds) <= _MAX_LENGTH:
            sessions[kinds].add(session)
    return sessions, counts_by_kinds


def _frequent(
    sessions: Mapping[tuple[str, ...], set[int]], limits: PatternLimits
) -> list[tuple[str, ...]]:
    enough = [form for form, each in sessions.items() if len(each) >= limits.minimum_support]
    return sorted(enough, key=lambda form: (-len(sessions[form]), form))[:_MAX_FORMS]


def _shapes_by_key(shapes: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    by_key: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for shape in shapes:
        for key in shape:
            by_key[key].append(shape)
    return by_key


def _similar_shapes(
    shape: tuple[str, ...], by_key: Mapping[str, Sequence[tuple[str, ...]]]
) -> list[tuple[str, ...]]:
    shared: Counter[tuple[str, ...]] = Counter()
    for key in shape:
        shared.update(by_key[key])
    return [
        other
        for other, keys in shared.items()
        if keys >= MIN_JACCARD * (len(shape) + len(other) - keys)
    ]


def _first_per_session(columns: Columns, rows: Iterable[int]) -> list[int]:
    firsts: dict[int, int] = {}
    for row in rows:
        firsts.setdefault(int(columns.session[row]), row)
    return list(firsts.values())


def _spans(columns: Columns) -> list[tuple[int, int]]:
    return list(zip(columns.starts.tolist(), columns.sizes.tolist(), strict=True))


def _shuffle_probability(counts: Counter[str], kinds: Sequence[str]) -> float:
    """Probability that the memories of a session, shuffled, have this sequence of kinds."""
    runs = Counter(kinds)
    arrangements = 1
    for kind, times in runs.items():
        arrangements *= comb(counts[kind] - 1, times - 1)
    orders = lgamma(counts.total() + 1) - sum(lgamma(count + 1) for count in counts.values())
    return min(arrangements * exp(-orders), 1.0)


def _kind_evidence(
    columns: Columns, sessions: Sequence[int], length: int, most: int
) -> tuple[int, ...]:
    """First memory of each run of a kind, of as many sessions as fit the limit."""
    found: list[int] = []
    spans = _spans(columns)
    for session in sessions[: most // length]:
        start, size = spans[session]
        rows = [row for row in range(start, start + size) if columns.rows[row].kind]
        for _, part in groupby(rows, key=lambda row: columns.rows[row].kind):
            found.append(next(part))
    return tuple(found)
