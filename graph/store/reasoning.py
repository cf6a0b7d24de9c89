"""Problems, attempts, strategies and concepts in Neo4j: one walk over them, and what is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from neo4j.vector import Vector

from cypher import QUERIES
from graph.model import (
    AttemptPool,
    EpisodeContent,
    EpisodeFilters,
    Filters,
    FoundAttempt,
    FoundKnowledge,
    FoundProblem,
)
from graph.store.candidates import to_lenders
from graph.store.driver import NothingToSearchError
from graph.store.episode_filters import episode_parameters
from graph.store.filters import padded
from graph.store.keys import attempts_query, lexical_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from cypher import Query
    from graph.model import AttemptQuery
    from graph.store.driver import Database, Rows

_WIDEST = EpisodeFilters(verdicts=())
_KEYED = 2000  # episodes that tags and actions let pass, before the nearest are taken


class Neo4jReasoning:
    """The ``ReasoningStore`` of this project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def attempts(self, query: AttemptQuery) -> AttemptPool:
        """See ``ReasoningStore.attempts``."""
        statement = _statement(query)
        try:
            rows = await self._read(statement, query)
        except NothingToSearchError:
            # A vector index that nothing was ever written to; words and keys may find something yet.
            parts = [name for name in ("vectors", "concepts", "walk") if name in statement.parts]
            rows = await self._read(statement.without(*parts), query)
        return _to_pool(rows[0])

    async def _read(self, statement: Query, query: AttemptQuery) -> Rows:
        every = _parameters(query)
        given = {name: every[name] for name in statement.params}
        return await self._database.read(statement, given, query.slot)

    async def contents(
        self, scopes: Sequence[str], uids: Sequence[str], now: datetime
    ) -> Mapping[str, EpisodeContent]:
        """See ``ReasoningStore.contents``."""
        if not uids:
            return {}
        rows = await self._database.read(
            QUERIES["reasoning.read_episodes"],
            {"uids": list(uids), "scopes": list(scopes), "now": now},
        )
        return {row["uid"]: _content(row) for row in rows}


def _statement(query: AttemptQuery) -> Query:
    keyed = query.filters.by_keys
    unused = {
        "vectors": keyed or not query.nearby,
        "keyed": not (keyed and query.nearby),
        "walk": not query.walks,
        "concepts": not query.concepts,
        "filters": replace(query.filters, verdicts=(), domain=None) == _WIDEST,
    }
    left_out = (part for part, is_unused in unused.items() if is_unused)
    return QUERIES["reasoning.retrieve_episodes"].without(*left_out)


def _parameters(query: AttemptQuery) -> dict[str, Any]:
    limits, scopes = query.limits, list(query.scopes)
    problems = Filters(kinds=("problem",), domain=query.filters.domain)
    return {
        "embedding": Vector(query.embedding.astype(">f4").tobytes(), "f32"),
        "dimension": int(query.embedding.size),
        "scopes": padded(scopes),
        "keyed_query": attempts_query(scopes, query.filters, query.now),
        "problem_query": lexical_query(query.terms, scopes, problems, query.now, most=False),
        "problem_kinds": padded(["problem"]),
        "concept_kinds": padded(["concept"]),
        "keyed": _KEYED,
        "hops": query.hops,
        **{name: getattr(limits, name) for name in type(limits).__dataclass_fields__},
        **episode_parameters(query.filters, query.now),
    }


def _to_pool(row: Mapping[str, Any]) -> AttemptPool:
    """Turn the statement's one row into an episode for each uid, however many ways led to it."""
    found = _merged(cast("list[list[Any]]", row["episodes"]))
    used = {entry[0]: entry for values in found for entry in values[8]}
    numbers = np.array([values[9:] for values in found], dtype=np.float64).reshape(-1, 5)
    q_value, q_count, q_left, q_init, q_variance = np.ascontiguousarray(numbers.T)
    return AttemptPool(
        episodes=tuple(_episode(values) for values in found),
        problems=_problems(row["problems"]),
        strategies=tuple(
            FoundKnowledge(uid, text, attempts, successes, 0.0)
            for uid, text, attempts, successes, *_, kind in used.values()
            if kind == "strategy"
        ),
        concepts=tuple(FoundKnowledge(*values) for values in row["concepts"]),
        q_value=q_value,
        q_count=q_count.astype(np.int64),
        q_left=q_left,
        q_init=q_init,
        q_variance=q_variance,
        lenders=to_lenders(
            [
                (place, uid, value, left, initial)
                for place, values in enumerate(found)
                for uid, _, _, _, value, left, initial, _ in values[8]
            ]
        ),
    )


def _merged(rows: Iterable[list[Any]]) -> list[list[Any]]:
    """Make one row of all that name the same episode: each way to it is kept."""
    merged: dict[str, list[Any]] = {}
    for values in rows:
        first = merged.setdefault(values[0], values)
        if first is not values:
            first[2] = first[2] or values[2]
            first[5], first[6] = first[5] or values[5], first[6] or values[6]
            first[7] = first[7] or values[7]
    return list(merged.values())


def _episode(values: Sequence[Any]) -> FoundAttempt:
    uid, text, cosine, correct, actions, problem, concept, nearby, used, *_ = values
    strategies = tuple(entry[0] for entry in used if entry[-1] == "strategy")
    return FoundAttempt(
        uid, text, cosine, correct, tuple(actions), problem, concept, strategies, nearby
    )


def _problems(rows: Iterable[Sequence[Any]]) -> tuple[FoundProblem, ...]:
    """Keep of each problem the shortest way, and of those the most similar."""
    best: dict[str, FoundProblem] = {}
    for values in rows:
        problem = FoundProblem(*values)
        kept = best.setdefault(problem.uid, problem)
        if (problem.hop, -problem.similarity) < (kept.hop, -kept.similarity):
            best[problem.uid] = problem
    return tuple(best.values())


def _content(row: Mapping[str, Any]) -> EpisodeContent:
    structured = row["structured"]
    return EpisodeContent(
        uid=row["uid"],
        external_id=row["external_id"],
        scope=row["scope"],
        text=row["text"],
        structured=json.loads(structured) if structured else None,
        domain=row["domain"] or None,
        model=row["model"] or None,
        occurred_at=row["occurred_at"].to_native(),
        q_value=row["q_value"],
    )
