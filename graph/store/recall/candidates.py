"""The recall statement for one query, its parameters, and conversion of its result to arrays."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from cachetools import TTLCache

from cypher import QUERIES, Query
from graph.database.driver import Database
from graph.database.filters import filter_parameters, is_widest, padded
from graph.database.keys import lexical_query, tagged_query
from graph.database.store import Store
from graph.database.vectors import to_stored
from graph.kernel.errors import DatabaseError
from graph.kernel.values import STRATA, Ints, Stratum
from graph.model.recall.candidates import CandidatePool, CandidateQuery, Lenders, Recallable, Uses

TAGGED_LIMIT = 1000
HUB_DEGREE = 50

_MILLISECONDS_PER_DAY = 86_400_000.0
# Candidates are lists: names would double the size of a result. A test compares them with the
# statement.
NUMBERS = (
    "lexical",
    "hop",
    "cosine",
    "importance",
    "q_value",
    "q_count",
    "q_left",
    "q_init",
    "q_m2",
    "access_count",
    "w0",
    "w_at",
    "occurred_at",
)
COLUMNS = ("id", *NUMBERS, *Recallable._fields)
_LEXICAL = COLUMNS.index("lexical")
_SHOWN = COLUMNS.index("uid")


_Edge = tuple[str, str, tuple[str, float, float, float] | None, bool | None]


def statement(query: CandidateQuery) -> Query:
    """Return the recall statement without the parts that this query does not need."""
    tagged = query.filters.by_tags
    unused = {
        # the vector index cannot filter lists: tags are found by the full-text index (ADR 6)
        "vectors": tagged,
        "filters": is_widest(query.filters),
        "tags": not tagged,
        "walk": query.hops == 0,
        # traversal returns replacements; only without it the statement queries them
        "replaced": query.hops > 0,
        "memorable": query.memorable == 0,
        "embeddings": not query.embeddings,
    }
    left_out = (part for part, is_unused in unused.items() if is_unused)
    return QUERIES["recall.recall_candidates"].without(*left_out)


def parameters(
    query: CandidateQuery,
    used: frozenset[str],
    strata: Sequence[Stratum] = STRATA,
    *,
    most: bool,
) -> dict[str, Any]:
    """Return the parameters of a query that are used; an absent filter is the widest range.

    ``strata`` are all of the tenant; ``most`` means that the scopes contain most of the graph.
    """
    filters = query.filters
    scopes = list(query.scopes)
    every = {
        "embedding": to_stored(query.embedding),
        "dimension": int(query.embedding.size),
        "scopes": padded(scopes),
        "lexical_query": lexical_query(query.terms, scopes, filters, query.now, most=most),
        "tagged_query": tagged_query(scopes, filters, query.now),
        "vector_limit": query.limits.vector,
        "lexical_limit": query.limits.lexical,
        "tagged_limit": TAGGED_LIMIT,
        "expanded": query.limits.expanded,
        "hub_degree": HUB_DEGREE,
        "hops": query.hops,
        "memorable": query.memorable,
        **filter_parameters(filters, query.now, strata),
    }
    return {name: every[name] for name in used}


def to_pool(row: Mapping[str, Any], lexical_limit: int) -> CandidatePool:
    """Convert the row of the statement to arrays; memories found twice are merged."""
    found = cast("list[list[Any]]", row["candidates"])
    first: dict[str, int] = {}
    best: dict[str, float] = {}
    for place, (name, score, *_) in enumerate(found):
        first.setdefault(name, place)
        best[name] = max(score, best.get(name, 0.0))
    places = list(first.values())
    kept = [found[place] for place in places]
    rows = np.array([values[_LEXICAL:_SHOWN] for values in kept], dtype=np.float64)
    by_column = np.ascontiguousarray(rows.reshape(-1, len(NUMBERS)).T)
    number = dict(zip(NUMBERS, by_column, strict=True))
    columns = cast("list[list[_Edge]]", row.get("edges") or [[]] * len(found))
    edges, edge_types = _edges(columns, places, first)
    return CandidatePool(
        memories=tuple(_recallable(values[_SHOWN:]) for values in kept),
        cosine=number["cosine"],
        lexical=np.array(list(best.values()), dtype=np.float64),
        lexical_floor=_lexical_floor([values[_LEXICAL] for values in found], lexical_limit),
        q_value=number["q_value"],
        q_count=number["q_count"].astype(np.int64),
        q_left=number["q_left"],
        q_init=number["q_init"],
        q_variance=number["q_m2"],
        lenders=_lenders(columns, places),
        importance=number["importance"].astype(np.int64),
        access_count=number["access_count"].astype(np.int64),
        weight=number["w0"],
        weight_day=number["w_at"] / _MILLISECONDS_PER_DAY,
        occurred_day=number["occurred_at"] / _MILLISECONDS_PER_DAY,
        hop=number["hop"].astype(np.int64),
        edges=edges,
        edge_types=edge_types,
        superseding=_superseding(found, columns, [*row["ended"], *row.get("replacing", ())]),
        uses=_uses(row, places, first) if "uses" in row else None,
    )


def _uses(row: Mapping[str, Any], places: list[int], names: Iterable[str]) -> Uses:
    times = np.array([row["uses"][place] for place in places], dtype=np.float64).reshape(-1, 2)
    index_of = {name: index for index, name in enumerate(names)}
    replaced = row["replaced"] if "replaced" in row else _replaced(row["edges"])
    pairs = [
        (newer, index_of[older])
        for newer, place in enumerate(places)
        for older in replaced[place]
        if older in index_of
    ]
    recorded, accessed = np.ascontiguousarray(times.T) / _MILLISECONDS_PER_DAY
    replaced = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    found: list[list[float]] | None = row.get("embeddings")
    if not found:
        return Uses(recorded, accessed, replaced)
    embeddings = np.zeros((len(places), max(map(len, found))))
    for index, place in enumerate(places):
        if found[place]:
            embeddings[index] = found[place]
    return Uses(recorded, accessed, replaced, embeddings)


def _replaced(columns: list[list[_Edge]]) -> list[list[str]]:
    """Return the replacements of each candidate, if traversal returned edges."""
    return [[other for other, kind, *_ in edges if kind == "SUPERSEDES"] for edges in columns]


def _lexical_floor(scores: Sequence[float], limit: int) -> float:
    """Return the lowest score of an arm that reached its limit, else 0."""
    found = [score for score in scores if score > 0]
    return min(found) if len(found) >= limit else 0.0


def _recallable(shown: Sequence[Any]) -> Recallable:
    """Return a result from the ten properties of a memory."""
    *others, session_id, tags, metadata = shown
    return Recallable._make((*others, session_id or None, tuple(tags), metadata))


def to_lenders(rows: Sequence[tuple[int, str, float, float, float]]) -> Lenders:
    """Convert rows of candidate, uid, Q, remaining weight of the initial value, and that value to columns."""
    numbers = np.array([row[2:] for row in rows], dtype=np.float64).reshape(-1, 3)
    q_value, left, initial = np.ascontiguousarray(numbers.T)
    borrowers = np.array([row[0] for row in rows], dtype=np.int64)
    return Lenders(borrowers, tuple(row[1] for row in rows), q_value, left, initial)


def _lenders(columns: list[list[_Edge]], places: list[int]) -> Lenders:
    return to_lenders(
        [
            (start, *lender)
            for start, place in enumerate(places)
            for _, _, lender, _ in columns[place]
            if lender is not None
        ]
    )


def _edges(
    columns: list[list[_Edge]], places: list[int], names: Iterable[str]
) -> tuple[Ints, tuple[str, ...]]:
    """Keep edges between candidates."""
    index_of = {name: index for index, name in enumerate(names)}
    found = [
        (start, index_of[target], kind)
        for start, place in enumerate(places)
        for target, kind, *_ in columns[place]
        if target in index_of
    ]
    pairs = np.array([edge[:2] for edge in found], dtype=np.int64).reshape(-1, 2)
    return pairs, tuple(edge[2] for edge in found)


def _superseding(
    found: list[list[Any]], columns: list[list[_Edge]], known: Iterable[str]
) -> frozenset[str]:
    """Return the uids of memories that replaced another or were replaced."""
    replacing = {
        values[_SHOWN]
        for values, edges in zip(found, columns, strict=True)
        if any(ends for *_, ends in edges)
    }
    return frozenset(replacing.union(known))


logger = logging.getLogger(__name__)

LEAST = 20_000  # memories; below this the other form of the query is as fast
_CACHED = 10_000
_SECONDS = 600.0
_GRAPH = "graph"
_GRAPH_SECONDS = 60.0


class ScopeShares(Store):
    """Cache, for ten minutes, of whether scopes contain most of the graph."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._small = TTLCache[str, bool](1, _GRAPH_SECONDS)
        self._most = TTLCache[tuple[str, ...], bool](_CACHED, _SECONDS)

    def hold_most(self, scopes: Sequence[str]) -> bool:
        """Return the cached value, or false."""
        return self._most.get(tuple(scopes), False)

    def are_measured(self, scopes: Sequence[str]) -> bool:
        """Return whether the value is cached, or not needed as the graph is small."""
        return self._small.get(_GRAPH, False) or tuple(scopes) in self._most

    async def measure(self, scopes: Sequence[str]) -> None:
        """Count the memories of scopes and of the graph; concurrent recalls do not wait."""
        self._most[tuple(scopes)] = False  # one recall counts for all concurrent ones
        try:
            await self._count(scopes)
        except DatabaseError as error:
            logger.debug("not counted", extra={"action": "measure_scopes", "why": error.message})

    async def _count(self, scopes: Sequence[str]) -> None:
        [row] = await self._database.read(
            QUERIES["recall.measure_scopes"], {"scopes": sorted(set(scopes)), "least": LEAST}
        )
        self._small[_GRAPH] = row["total"] < LEAST
        self._most[tuple(scopes)] = row["total"] >= LEAST and 2 * row["held"] > row["total"]
