"""Retrieval over problems, attempts, strategies and concepts, and the content of its results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

import numpy as np

from cypher import QUERIES, Query
from graph.database.driver import NothingToSearchError, Rows
from graph.database.filters import padded
from graph.database.keys import attempts_query, lexical_query
from graph.database.rows import from_row
from graph.database.store import Store
from graph.database.vectors import to_stored
from graph.model.episodes.attempts import ANY_NAME, EpisodeFilters
from graph.model.episodes.retrieval import (
    AttemptPool,
    AttemptQuery,
    EpisodeContent,
    FoundAttempt,
    FoundKnowledge,
    FoundProblem,
)
from graph.model.recall.candidates import Filters
from graph.store.episodes.filters import episode_parameters, one_name
from graph.store.recall.candidates import to_lenders

_WIDEST = EpisodeFilters(verdicts=())
_SORTS = {"near": "near", "solved": "problem", "attempted": "problem", "example": "concept"}
_SEARCHING = ("vectors", "concepts", "walk")
_KEYED = 2000  # episodes that pass tags and actions, before the nearest are chosen


class ReasoningStore(Store):
    """Store of attempts and their results."""

    async def attempts(self, query: AttemptQuery) -> AttemptPool:
        """Fetch the candidates of one retrieval in one statement."""
        asked = statement(query)
        try:
            rows = await self._read(asked, query)
        except NothingToSearchError:
            # The vector index was never written to; words and keys may still match.
            rows = await self._read(without_search(asked), query)
        return _to_pool(rows[0])

    async def _read(self, statement: Query, query: AttemptQuery) -> Rows:
        every = _parameters(query)
        given = {name: every[name] for name in statement.params}
        return await self._database.read(statement, given, query.slot)

    async def contents(
        self, scopes: Sequence[str], uids: Sequence[str], now: datetime
    ) -> Mapping[str, EpisodeContent]:
        """Read the content of episodes; removed and unreadable ones are left out."""
        if not uids:
            return {}
        rows = await self._database.read(
            QUERIES["episodes.read_episodes"],
            # hidden since the retrieval
            {"uids": list(uids), "scopes": list(scopes), "now": now},
        )
        return {row["uid"]: _content(row) for row in rows}


def statement(query: AttemptQuery) -> Query:
    """Return the retrieval statement without the parts that this query does not need."""
    keyed = query.filters.by_keys
    unused = {
        # the vector index cannot filter lists
        "vectors": keyed or not query.nearby,
        "keyed": not (keyed and query.nearby),
        "walk": not query.walks,
        "concepts": not query.concepts,
        "filters": replace(query.filters, verdicts=(), domain=ANY_NAME) == _WIDEST,
    }
    left_out = (part for part, is_unused in unused.items() if is_unused)
    return QUERIES["episodes.retrieve_episodes"].without(*left_out)


def without_search(asked: Query) -> Query:
    """Return the statement without vector search."""
    return asked.without(*(part for part in asked.parts if part in _SEARCHING))


def _parameters(query: AttemptQuery) -> dict[str, Any]:
    limits, scopes = query.limits, list(query.scopes)
    problems = Filters(kinds=("problem",), domain=query.filters.domain.one)
    return {
        "embedding": to_stored(query.embedding),
        "dimension": int(query.embedding.size),
        "scopes": padded(scopes),
        "keyed_query": attempts_query(scopes, query.filters, query.now),
        "problem_query": lexical_query(query.terms, scopes, problems, query.now, most=False),
        "problem_kinds": padded(["problem"]),
        "concept_kinds": padded(["concept"]),
        "keyed": _KEYED,
        "hops": query.hops,
        **{name: getattr(limits, name) for name in type(limits).__dataclass_fields__},
        **one_name(query.filters),
        **episode_parameters(query.filters, query.now),
    }


def _to_pool(row: Mapping[str, Any]) -> AttemptPool:
    """Convert the row of the statement to one episode per uid, with its paths."""
    rows = cast("list[list[Any]]", row["episodes"])
    used = cast("list[list[Any]]", row["used"])
    ways: dict[str, list[list[Any]]] = {}
    for way in rows:
        ways.setdefault(way[0], []).append(way)
    index_of = {uid: index for index, uid in enumerate(ways)}
    users = [{index_of[rows[place][0]] for place in entry[-1]} for entry in used]
    strategies: list[list[str]] = [[] for _ in ways]
    for (uid, *_, kind, _, _, _, _), borrowers in zip(used, users, strict=True):
        for index in borrowers if kind == "strategy" else ():
            strategies[index].append(uid)
    numbers = np.array([same[0][7:] for same in ways.values()], dtype=np.float64).reshape(-1, 5)
    q_value, q_count, q_left, q_init, q_variance = np.ascontiguousarray(numbers.T)
    return AttemptPool(
        episodes=tuple(map(_episode, ways.values(), strategies)),
        problems=_problems(row["problems"]),
        strategies=tuple(
            FoundKnowledge(uid, text, attempts, successes, 0.0)
            for uid, text, attempts, successes, kind, *_ in used
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
                (index, entry[0], *entry[5:8])
                for entry, borrowers in zip(used, users, strict=True)
                for index in borrowers
            ]
        ),
    )


def _episode(ways: Sequence[Sequence[Any]], strategies: Sequence[str]) -> FoundAttempt:
    """Make one episode of all rows with its uid; the first path of each kind is kept."""
    led: dict[str, Sequence[Any]] = {}
    for way in ways:
        led.setdefault(_SORTS[way[5]], way)
    # its own vector decides its similarity, not the path to it
    uid, text, cosine, correct, actions, *_ = led.get("near") or led.get("concept") or ways[0]
    starts = {sort: cast("str | None", way[6]) for sort, way in led.items()}
    return FoundAttempt(
        uid,
        text,
        cosine,
        correct,
        tuple(actions),
        starts.get("problem"),
        starts.get("concept"),
        tuple(strategies),
        "near" in led,
    )


def _problems(rows: Iterable[Sequence[Any]]) -> tuple[FoundProblem, ...]:
    """Keep the shortest path to each problem, and the most similar of these."""
    best: dict[str, FoundProblem] = {}
    for values in rows:
        problem = FoundProblem(*values)
        kept = best.setdefault(problem.uid, problem)
        # shorter paths first: each similarity edge loses some
        if (problem.hop, -problem.similarity) < (kept.hop, -kept.similarity):
            best[problem.uid] = problem
    return tuple(best.values())


def _content(row: Mapping[str, Any]) -> EpisodeContent:
    named = {name: row[name] or None for name in ("domain", "model")}
    correct = {"true": True, "false": False}.get(row["correct"])
    return from_row(EpisodeContent, row, correct=correct, **named)
