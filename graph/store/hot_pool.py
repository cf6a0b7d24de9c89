"""The pool of a recall out of scopes that are held, as the recall statement would find it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from graph.model import CandidatePool
from graph.store.candidates import HUB_DEGREE, MILLISECONDS_PER_DAY, lexical_floor, to_lenders
from graph.store.filters import filter_parameters
from graph.store.hot_scope import KEYS, NAMES, passing_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta

    from graph.model import CandidateQuery, Floats, Ints
    from graph.store.hot_scope import Column, HotScope

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ACTIVE = passing_codes(["active"])


def pool(
    scope: HotScope, query: CandidateQuery, found: Sequence[tuple[str, float]]
) -> CandidatePool | None:
    """Return what `recall_candidates` would, given what shares words with the question.

    None if a memory was found that is not held: it was written at this moment.
    """
    rows = [scope.row_of.get(uid) for uid, _ in found]
    lexical_rows = [row for row in rows if row is not None]
    if len(lexical_rows) < len(rows):
        return None
    passing = _passing(scope, query)
    cosine = _cosine(scope, query.embedding)
    members = _members(scope, query, passing, cosine, lexical_rows)
    scores: dict[int, float] = {}
    for row, (_, score) in zip(lexical_rows, found, strict=True):
        scores[row] = max(score, scores.get(row, 0.0))
    hop_of = dict.fromkeys(members, 0)
    if query.hops:
        best = [*members[: query.limits.expanded], *lexical_rows[: query.limits.expanded]]
        _walk(scope, query, best, hop_of)
    holding = _holding(scope, query)
    chosen = [row for row, hop in hop_of.items() if holding[row] and (hop == 0 or passing[row])]
    rows_of = np.array(chosen, dtype=np.int64)
    least = lexical_floor([score for _, score in found], query.limits.lexical)
    return _pool(scope, query, rows_of, cosine, scores, least, hop_of)


def _members(
    scope: HotScope,
    query: CandidateQuery,
    passing: Column,
    cosine: Floats,
    lexical_rows: list[int],
) -> list[int]:
    """Put the arms one behind the other: by vector, by words; by words, by tags where they filter."""
    tagged = query.filters.by_tags
    allowed = np.flatnonzero(passing if tagged else passing & scope.embedded)
    nearest = np.lexsort((allowed, -cosine[allowed]))[: query.limits.vector]
    by_vector: list[int] = allowed[nearest].tolist()
    return [*lexical_rows, *by_vector] if tagged else [*by_vector, *lexical_rows]


def _walk(
    scope: HotScope, query: CandidateQuery, best: Iterable[int], hop_of: dict[int, int]
) -> None:
    seeds = dict.fromkeys(best)
    for hop in range(1, query.hops + 1):
        found = sorted(
            {
                row
                for seed in seeds
                if scope.columns["link_count"][seed] <= HUB_DEGREE
                for row in _neighbours(scope, seed)
                if row not in hop_of
            }
        )
        hop_of.update(dict.fromkeys(found, hop))
        seeds = dict.fromkeys(found)


def _neighbours(scope: HotScope, row: int) -> Iterable[int]:
    uid = scope.memories[row].uid
    for other, *_ in chain(scope.out.get(uid, ()), scope.into.get(uid, ())):
        if (near := scope.row_of.get(other)) is not None:
            yield near


def _cosine(scope: HotScope, embedding: Column) -> Floats:
    """Return the cosines as the statement computes them, from squared distances; 0 for no vector."""
    own = float(np.dot(embedding.astype(np.float64), embedding.astype(np.float64)))
    dots = (scope.vectors @ embedding.astype(np.float32)).astype(np.float64)
    squared = np.maximum(scope.lengths + own - 2.0 * dots, 0.0)
    return np.where(scope.embedded, 1.0 - 0.5 * squared, 0.0)


def _passing(scope: HotScope, query: CandidateQuery) -> Column:
    """Say which memories pass the filters that the statement puts to its vector arm."""
    given = filter_parameters(query.filters, query.now)
    held = scope.columns
    passing = held["complete"].copy()
    for name, wanted in zip(NAMES, ("kinds", "strata", "states", "phases", "correct"), strict=True):
        passing &= passing_codes(given[wanted])[held[name]]
    for name in KEYS:
        key = held[f"{name}_key"]
        passing &= (key >= given[f"{name}_from"]) & (key <= given[f"{name}_to"])
    passing &= held["importance"] >= given["importance_min"]
    passing &= held["importance"] <= given["importance_max"]
    for name in ("occurred", "recorded"):
        passing &= held[name] >= _microseconds(given[f"{name}_from"])
        passing &= held[name] < _microseconds(given[f"{name}_to"])
    valid_at = _microseconds(given["valid_at"])
    passing &= (held["valid_from"] <= valid_at) & _holding(scope, query)
    passing &= held["expires"] > _microseconds(given["unexpired_at"])
    return passing & _tagged(scope, given["tags_any"], given["tags_all"])


def _holding(scope: HotScope, query: CandidateQuery) -> Column:
    """Say which memories nobody has ended, and, unless these are wanted too, no other has replaced."""
    end = scope.columns["held_until" if query.filters.superseded else "valid_to"]
    return end > _microseconds(query.filters.valid_at or query.now)


def _tagged(scope: HotScope, any_of: Sequence[str], all_of: Sequence[str]) -> Column:
    if not any_of and not all_of:
        return np.ones(len(scope), dtype=np.bool_)
    one, every = frozenset(any_of), frozenset(all_of)
    return np.array(
        [every <= tags and (not one or bool(one & tags)) for tags in scope.tags], dtype=np.bool_
    )


def _pool(
    scope: HotScope,
    query: CandidateQuery,
    rows: Ints,
    cosine: Floats,
    scores: Mapping[int, float],
    least: float,
    hop_of: Mapping[int, int],
) -> CandidatePool:
    places = {int(row): place for place, row in enumerate(rows)}
    edges = _edges(scope, places) if query.hops else []
    held = scope.columns
    return CandidatePool(
        memories=tuple(scope.memories[row] for row in places),
        cosine=cosine[rows],
        lexical=np.array([scores.get(row, 0.0) for row in places], dtype=np.float64),
        lexical_floor=least,
        q_value=held["q_value"][rows],
        q_count=held["q_count"][rows],
        q_left=held["q_left"][rows],
        q_init=held["q_init"][rows],
        q_variance=held["q_m_two"][rows],
        lenders=to_lenders(_lenders(scope, places) if query.hops else []),
        importance=held["importance"][rows],
        access_count=held["access_count"][rows],
        weight=held["w0"][rows],
        weight_day=held["w_at"][rows] / MILLISECONDS_PER_DAY,
        occurred_day=held["occurred_at"][rows] / MILLISECONDS_PER_DAY,
        hop=np.array([hop_of[row] for row in places], dtype=np.int64),
        edges=np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2),
        edge_types=tuple(edge[2] for edge in edges),
        edge_similarity=np.full(len(edges), np.nan),
        edge_confidence=np.array([edge[3] for edge in edges], dtype=np.float64),
        mentions=np.empty((0, 2), dtype=np.int64),
        term_frequency=np.empty(0, dtype=np.int64),
        superseding=_superseding(scope, places),
    )


def _superseding(scope: HotScope, places: Iterable[int]) -> frozenset[str]:
    """Return the uids of what replaced another or was replaced."""
    uids = ((row, scope.memories[row].uid) for row in places)
    return frozenset(
        uid
        for row, uid in uids
        if scope.columns["ended"][row]
        or any(kind == "SUPERSEDES" for _, kind, _ in scope.out.get(uid, ()))
    )


def _edges(scope: HotScope, places: Mapping[int, int]) -> list[tuple[int, int, str, float | None]]:
    """Keep the edges whose two ends are in the pool."""
    return [
        (start, end, kind, confidence)
        for row, start in places.items()
        for target, kind, confidence in scope.out.get(scope.memories[row].uid, ())
        if (end := places.get(scope.row_of.get(target, -1))) is not None
    ]


def _lenders(
    scope: HotScope, places: Mapping[int, int]
) -> list[tuple[int, str, float, float, float]]:
    """Find the strategies and concepts that candidates used."""
    value, left, initial = (scope.columns[name] for name in ("q_value", "q_left", "q_init"))
    return [
        (start, target, float(value[lender]), float(left[lender]), float(initial[lender]))
        for row, start in places.items()
        for target, kind, _ in scope.out.get(scope.memories[row].uid, ())
        if kind == "USED" and (lender := scope.row_of.get(target)) is not None
        if _lends(scope, row, lender)
    ]


def _lends(scope: HotScope, row: int, lender: int) -> bool:
    borrower, lent = scope.memories[row], scope.memories[lender]
    active = bool(_ACTIVE[scope.columns["state"][lender]])
    return active and lent.scope == borrower.scope and lent.kind in ("strategy", "concept")


def _microseconds(time: datetime) -> int:
    since: timedelta = time.astimezone(UTC) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
