"""Queries over episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from neo4j.vector import Vector

from cypher import QUERIES, Query
from graph.database.driver import Database
from graph.database.filters import padded
from graph.database.keys import attempts_query
from graph.database.store import Store
from graph.database.vectors import to_array, to_stored
from graph.kernel.scope import without_tenant
from graph.kernel.values import State
from graph.model.episodes.attempts import LISTS, EpisodeFilters
from graph.model.episodes.divergence import AttemptTrace, AttemptVector
from graph.model.episodes.questions import (
    EpisodeFindings,
    EpisodeGroup,
    EpisodeOrder,
    EpisodeSearch,
    FailedProblem,
    FailedProblems,
    FoundEpisode,
    Statement,
    Vocabulary,
)
from graph.model.recall.candidates import Window
from graph.store.episodes.filters import episode_parameters, name_spans
from graph.store.memories.properties import stored_values

STATES: tuple[State, ...] = ("active", "archived")
# covered attempts, although archived, are counted (ADR 27)
"""Attempts that a concept covers are archived, and still were made."""

_FIND = QUERIES["episodes.find_episodes"]
_MEASURE = QUERIES["episodes.measure_episodes"]
_SHOWN = (
    "uid",
    "scope",
    "state",
    "domain",
    "model",
    "agent_id",
    "session_id",
    "correct",
    "occurred_at",
    "tags",
    "structured",
)
_NAMES = 1_000  # maximum names of each kind that a question is matched with
_RANKS: Mapping[EpisodeOrder, tuple[str, int]] = {
    "newest": ("occurred_at", -1),
    "oldest": ("occurred_at", 1),
    "slowest": ("latency_ms", -1),
    "fastest": ("latency_ms", 1),
    "most_tokens": ("tokens_used", -1),
    "fewest_tokens": ("tokens_used", 1),
    "most_confident": ("confidence", -1),
    "least_confident": ("confidence", 1),
    "most_steps": ("step_count", -1),
    "fewest_steps": ("step_count", 1),
    "highest_temperature": ("temperature", -1),
    "lowest_temperature": ("temperature", 1),
    "most_similar": ("similarity", -1),
}


class EpisodeQueries(Store):
    """Store of episode queries.

    All are limited to scopes and in time, and raise ``QueryTimeoutError`` beyond.
    """

    def __init__(self, database: Database, most_seconds: float) -> None:
        super().__init__(database)
        self._most_seconds = most_seconds

    async def find(self, search: EpisodeSearch) -> EpisodeFindings:
        """Find episodes that pass every filter, in the given order."""
        query = _without(_FIND, search, {"after": search.after is None, "shown": False})
        statement, rows = await self._read(query, search)
        return EpisodeFindings(statement, tuple(_episode(row) for row in rows))

    async def traces(self, search: EpisodeSearch) -> tuple[Statement, tuple[AttemptTrace, ...]]:
        """Find episodes as `find` does, with the properties that step comparison needs: a third of the bytes."""
        query = _without(_FIND, search, {"after": search.after is None, "shown": True})
        statement, rows = await self._read(query, search)
        return statement, tuple(map(_trace, rows))

    async def measure(self, search: EpisodeSearch) -> EpisodeFindings:
        """Measure the episodes that pass every filter, and each group of them."""
        query = _without(_MEASURE, search, {"groups": search.question.by is None})
        statement, rows = await self._read(query, search)
        row: Mapping[str, Any] = rows[0] if rows else {"total": _NOTHING, "groups": []}
        groups = tuple(_group(group) for group in row.get("groups") or ())
        return EpisodeFindings(statement, total=_group(row["total"]), groups=groups)

    async def attempt_vectors(
        self, search: EpisodeSearch, uids: Sequence[str]
    ) -> tuple[AttemptVector, ...]:
        """Read the vectors of attempts, and the concepts of their problems."""
        rows = await self._database.search(
            QUERIES["episodes.read_attempt_vectors"],
            {"uids": list(uids), "scopes": list(search.scopes)},
            search.slot,
            most_seconds=self._most_seconds,
        )
        return tuple(
            AttemptVector(
                row["uid"],
                None if row["embedding"] is None else to_array(row["embedding"]),
                frozenset(row["concepts"]),
            )
            for one in rows
            for row in one["attempts"]
        )

    async def vocabulary(self, scopes: Sequence[str]) -> Vocabulary:
        """Read the most frequent names of each kind."""
        [row] = await self._database.read(
            QUERIES["episodes.list_names"],
            {"scopes": list(scopes), "states": list(STATES), "limit": _NAMES},
            most_seconds=self._most_seconds,
        )
        return Vocabulary(**{name: tuple(names) for name, names in row.items()})

    async def failed_problems(
        self, scopes: Sequence[str], occurred: Window, similarity: float, limit: int
    ) -> FailedProblems:
        """Read problems with wrong attempts, the most failed first, and their similarities."""
        [row] = await self._database.read(
            QUERIES["episodes.failed_problems"],
            {
                "scopes": list(scopes),
                "states": list(STATES),
                "similarity": similarity,
                "occurred_from": occurred.start,
                "occurred_to": occurred.end,
                "limit": limit,
            },
            most_seconds=self._most_seconds,
        )
        problems = tuple(_failed(problem) for problem in row["problems"])
        return FailedProblems(problems, tuple((one, other) for one, other in row["pairs"]))

    async def _read(
        self, query: Query, search: EpisodeSearch
    ) -> tuple[Statement, list[dict[str, Any]]]:
        parameters = {name: _all_values(search)[name] for name in query.params}
        text = query.for_slot(search.slot) if query.slots else query.text
        # as executed, so that it can be run by hand
        statement = Statement(query.name, text, _formatted(parameters))
        rows = await self._database.search(
            query, parameters, search.slot, most_seconds=self._most_seconds
        )
        return statement, rows


def _without(query: Query, search: EpisodeSearch, unused: Mapping[str, bool]) -> Query:
    """Choose the search, and leave out unused parts."""
    filters = search.question.filters
    arm = "keyed" if filters.by_keys else "all" if search.embedding is None else "nearest"
    left_out = {
        **unused,
        "filters": _are_widest(filters),
        "similar": search.embedding is None,
    }
    chosen = query.choose(arm)
    return chosen.without(*(part for part in chosen.parts if left_out[part]))


def _are_widest(filters: EpisodeFilters) -> bool:
    widest = EpisodeFilters()
    return all(
        # verdicts have no order
        set(getattr(filters, name)) == set(getattr(widest, name))
        if name == "verdicts"
        else getattr(filters, name) == getattr(widest, name)
        for name in EpisodeFilters.__dataclass_fields__
        if name not in LISTS
    )


def _all_values(search: EpisodeSearch) -> dict[str, Any]:
    question, embedding = search.question, search.embedding
    name, sign = _RANKS[question.order or "newest"]
    after = search.after
    return {
        **episode_parameters(question.filters, search.now),
        "spans": name_spans(question.filters),
        # of one length, as Neo4j plans a statement anew for each length
        "scopes": padded(search.scopes),
        "states": list(STATES),
        "keys_query": attempts_query(search.scopes, question.filters, search.now, STATES),
        "embedding": embedding if embedding is None else to_stored(embedding),
        "dimension": 0 if embedding is None else int(embedding.size),
        "nearest": search.nearest,
        "least_similarity": search.least_similarity,
        "literal": search.literal,
        "property": name,
        "sign": sign,
        "limit": search.limit,
        "after_rank": after and after.rank,
        "after_uid": after and after.uid,
        "grouping": question.by or "",
        "measure": question.measure or "attempts",
        "time_zone": question.time_zone,
    }


def _formatted(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Format parameters for people: vectors as their length, scopes without the tenant."""
    shown: dict[str, Any] = {}
    for name in sorted(parameters):
        value = parameters[name]
        # padding repeats values
        if name == "scopes":
            value = [without_tenant(scope) for scope in dict.fromkeys(value)]
        elif isinstance(value, Vector):
            value = f"<{parameters['dimension']} numbers>"
        elif isinstance(value, datetime):
            value = value.isoformat()
        shown[name] = value
    return shown


_NOTHING: Mapping[str, Any] = {
    "name": "",
    "attempts": 0,
    "judged": 0,
    "successes": 0,
    "total_tokens": None,
    "mean_tokens": None,
    "mean_latency": None,
    "mean_confidence": None,
    "mean_steps": None,
}


_MEANS = ("mean_tokens", "mean_latency", "mean_confidence", "mean_steps")
_DECIMALS = 6  # decimals of a mean; more are rounding noise


def _group(row: Mapping[str, Any]) -> EpisodeGroup:
    judged, successes = row["judged"], row["successes"]
    # a sum of 0 tokens may mean that none were reported
    total = None if row["mean_tokens"] is None else row["total_tokens"]
    rate = successes / judged if judged else None
    means = {name: None if row[name] is None else round(row[name], _DECIMALS) for name in _MEANS}
    values: dict[str, Any] = {**row, **means, "total_tokens": total, "success_rate": rate}
    return EpisodeGroup(**values)


def _failed(row: Mapping[str, Any]) -> FailedProblem:
    lists = {name: tuple(row[name]) for name in ("actions", "models")}
    values: dict[str, Any] = {**row, **lists, "domain": row["domain"] or ""}
    return FailedProblem(**values)


_NUMBERS = ("tokens_used", "latency_ms", "confidence", "temperature", "step_count")


def _episode(row: Mapping[str, Any]) -> FoundEpisode:
    properties = row["episode"]
    values = stored_values(properties, (*_SHOWN, "external_id", "text"))
    return FoundEpisode(
        **{name: values.get(name) for name in _SHOWN},
        episode_id=values.get("external_id"),
        problem=values["text"],
        problem_id=properties.get("problem_id") or None,
        answer=_answer(values.get("structured")),
        **{name: _known(properties.get(name)) for name in _NUMBERS},
        actions=tuple(properties.get("actions") or ()),
        similarity=row.get("similarity"),
        rank=row["rank"],
    )


def _trace(row: Mapping[str, Any]) -> AttemptTrace:
    properties = row["episode"]
    whole = properties.get("structured")
    return AttemptTrace(
        uid=properties["uid"],
        problem=properties["text"],
        problem_id=properties.get("problem_id") or None,
        domain=properties.get("domain") or None,
        structured=json.loads(whole) if whole else None,
        similarity=row.get("similarity"),
    )


def _known(number: float | None) -> Any:
    return None if number is None or number < 0 else number


def _answer(structured: Mapping[str, Any] | None) -> str | None:
    output = (structured or {}).get("output")
    said = cast("Mapping[str, Any]", output).get("answer") if isinstance(output, dict) else None
    return said if isinstance(said, str) else None
