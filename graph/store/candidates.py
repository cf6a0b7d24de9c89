"""The recall statement's parameters, and its columns as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graph.model import CandidatePool, Recallable
from graph.store.filters import filter_parameters, padded
from graph.store.keys import lexical_query, tagged_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.model import CandidateQuery

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
        **filter_parameters(filters, query.now),
    }


def to_pool(row: Mapping[str, Any]) -> CandidatePool:
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
    edges, edge_types = _edges(row["edges"], first, index_of)

    def column(name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        values = row[name]
        return np.array([values[place] for place in first], dtype=np.float64)

    return CandidatePool(
        memories=tuple(_recallable(row, place) for place in first),
        cosine=column("cosine"),
        lexical=np.array(lexical, dtype=np.float64),
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
    )


def _edges(
    columns: list[list[list[str]]], first: list[int], index_of: dict[str, int]
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], tuple[str, ...]]:
    """Keep the edges whose two ends are in the pool."""
    found = [
        (start, index_of[target], kind)
        for start, place in enumerate(first)
        for target, kind in columns[place]
        if target in index_of
    ]
    pairs = np.array([(start, end) for start, end, _ in found], dtype=np.int64)
    return pairs.reshape(-1, 2), tuple(kind for _, _, kind in found)


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
