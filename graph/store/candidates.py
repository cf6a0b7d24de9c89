"""The recall statement's parameters, and its columns as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graph.model import CandidatePool, Recallable
from graph.store.filters import filter_parameters, padded
from graph.store.keys import lexical_query, tagged_query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model import CandidateQuery, Floats, Ints

TAGGED_LIMIT = 1000
HUB_DEGREE = 50

_MILLISECONDS_PER_DAY = 86_400_000.0


def parameters(query: CandidateQuery) -> dict[str, Any]:
    """Write a query as the statement's parameters; an absent filter is the widest range."""
    filters = query.filters
    tagged = bool(filters.tags_any or filters.tags_all)
    scopes = list(query.scopes)
    return {
        "embedding": query.embedding.tolist(),
        "dimension": int(query.embedding.size),
        "scopes": padded(scopes),
        "vector_scopes": padded([] if tagged else scopes),
        "lexical_query": lexical_query(query.terms, scopes, filters, query.now),
        "tagged": tagged,
        "tagged_query": tagged_query(scopes, filters, query.now),
        "vector_limit": query.limits.vector,
        "lexical_limit": query.limits.lexical,
        "tagged_limit": TAGGED_LIMIT,
        "expanded": query.limits.expanded,
        "hub_degree": HUB_DEGREE,
        "hops": query.hops,
        "similar": query.walk.similar,
        "mentioned": query.walk.mentioned,
        "mentioning": query.walk.mentioning,
        **filter_parameters(filters, query.now),
    }


def to_pool(row: Mapping[str, Any], lexical_limit: int) -> CandidatePool:
    """Turn the statement's one row into arrays; a memory found twice becomes one."""
    ids = cast("list[str]", row["id"])
    index_of: dict[str, int] = {}
    first: list[int] = []
    lexical: list[float] = []
    for place, name in enumerate(ids):
        known = index_of.get(name)
        score = row["lexical"][place]
        if known is None:
            index_of[name] = len(first)
            first.append(place)
            lexical.append(score)
        elif score > lexical[known]:
            lexical[known] = score
    edges, edge_types, similarity = _edges(row["edges"], first, index_of)
    mentions, frequency = _mentions(row["mentions"], first)

    def column(name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        values = row[name]
        return np.array([values[place] for place in first], dtype=np.float64)

    return CandidatePool(
        memories=tuple(_recallable(row, place) for place in first),
        cosine=column("cosine"),
        lexical=np.array(lexical, dtype=np.float64),
        lexical_floor=_floor(row["lexical"], lexical_limit),
        q_value=column("q_value"),
        q_count=column("q_count").astype(np.int64),
        importance=column("importance").astype(np.int64),
        access_count=column("access_count").astype(np.int64),
        weight=column("w0"),
        weight_day=column("w_at") / _MILLISECONDS_PER_DAY,
        occurred_day=column("occurred_at") / _MILLISECONDS_PER_DAY,
        hop=column("hop").astype(np.int64),
        edges=edges,
        edge_types=edge_types,
        edge_similarity=similarity,
        mentions=mentions,
        term_frequency=frequency,
    )


def _floor(scores: Sequence[float], limit: int) -> float:
    """Return the least score of an arm that brought as many as it may, else 0."""
    found = [score for score in scores if score > 0]
    return min(found) if len(found) >= limit else 0.0


def _edges(
    columns: list[list[tuple[str, str, float | None]]], first: list[int], index_of: dict[str, int]
) -> tuple[Ints, tuple[str, ...], Floats]:
    """Keep the edges whose two ends are in the pool."""
    found = [
        (start, index_of[target], kind, similarity)
        for start, place in enumerate(first)
        for target, kind, similarity in columns[place]
        if target in index_of
    ]
    pairs = np.array([(start, end) for start, end, _, _ in found], dtype=np.int64)
    similarities = np.array([value for _, _, _, value in found], dtype=np.float64)  # None is NaN
    return pairs.reshape(-1, 2), tuple(kind for _, _, kind, _ in found), similarities


def _mentions(columns: list[list[tuple[str, int]]], first: list[int]) -> tuple[Ints, Ints]:
    """Number the terms, and say which candidate mentions which."""
    numbers: dict[str, int] = {}
    frequency: list[int] = []
    rows: list[tuple[int, int]] = []
    for start, place in enumerate(first):
        for term, count in columns[place]:
            if term not in numbers:
                numbers[term] = len(frequency)
                frequency.append(count)
            rows.append((start, numbers[term]))
    return np.array(rows, dtype=np.int64).reshape(-1, 2), np.array(frequency, dtype=np.int64)


def _recallable(row: Mapping[str, Any], place: int) -> Recallable:
    return Recallable(
        uid=row["uid"][place],
        external_id=row["external_id"][place] or None,
        scope=row["scope"][place],
        kind=row["kind"][place],
        stratum=row["stratum"][place],
        text=row["text"][place],
        speaker=row["speaker"][place] or None,
        session_id=row["session_id"][place] or None,
        tags=tuple(row["tags"][place]),
        metadata=row["metadata"][place] or None,
    )
