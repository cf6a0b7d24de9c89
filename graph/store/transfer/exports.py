"""Export of all stored data, read page by page along unique keys."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from neo4j.time import DateTime

from cypher import QUERIES, Query
from graph.database.rows import in_utc
from graph.database.store import Store
from graph.kernel.scope import Reach
from graph.kernel.values import BEGINNING, END
from graph.model.transfer.records import Record, RecordPage, RecordType, Section
from graph.store.cycles.records import cycle_records
from graph.store.strata.plugins import plugin_line
from graph.store.strata.surprises import momentum_line

# Properties that an import derives from the scope or from the memory, or that only serve locks,
# with the state of a scope and `counted`, which only older graphs have.
DERIVED = frozenset(
    {
        "tenant",
        "scope_key",
        "version",
        "counted",
        "asked_at",
        "agent_key",
        "session_key",
        "domain_key",
        "model_key",
        "keys",
        "problem_id",
        "problem_key",
        "attempts",
        "successes",
        "tokens_used",
        "latency_ms",
        "confidence",
        "temperature",
        "step_count",
        "actions",
        "attempt_key",
        "collected_at",
        "moved_by",
        "gated_at",
        "gate_runs",
        "patterns_at",
        "collected_by",
        "collected_for",
        "collected_revision",
        "stored_bytes",
        "run",
        "solved_waiting",
        "rated_version",
        "rated_at",
        "matched_at",
        "exemplars",
        "archives",
        "context_text",
        "folded_text",
        "link_count",
        "linked_at",
        "held_until",
        "unlinked_since",
        "embedding_a",
        "embedding_b",
        "tail_uid",
        "name",
        "changed_at",
        "reported_at",
    }
)
_OPEN_ENDS = {"valid_from": BEGINNING, "valid_to": END, "expires_at": END}
_AS_JSON = frozenset({"structured", "metadata"})

Row = Mapping[str, Any]


class ExportStore(Store):
    """Store that reads all data in pages."""

    async def count(self, reach: Reach) -> int:
        """Count the exported memories, for progress."""
        rows = await self._database.read(
            QUERIES["transfer.count_memories"],
            {**_reach(reach), "first": f"{reach.tenant}/", "end": _end(reach)},
        )
        return int(rows[0]["memories"])

    async def page(
        self, section: Section, reach: Reach, after: Sequence[str], limit: int, *, vectors: bool
    ) -> RecordPage:
        """Read the records of up to ``limit`` nodes of a section after a key, in key order."""
        walk = _WALKS[section]
        parameters = {**_reach(reach), **walk.start(reach, after), "limit": limit}
        if section == "memories":
            parameters["vectors"] = vectors
        rows = await self._database.read(walk.query, parameters)
        # Statements of edges return every memory of their page, so that pages without edges have a
        # last key.
        last = walk.key(rows[-1]) if len(rows) == limit else None
        return RecordPage(tuple(walk.records(rows)), last)


@dataclass(frozen=True, slots=True)
class _Walk:
    """Reading of one section: its statement, start of a page, key, and records."""

    query: Query
    start: Callable[[Reach, Sequence[str]], dict[str, str]]
    key: Callable[[Row], tuple[str, ...]]
    records: Callable[[Sequence[Row]], Iterable[Record]]


def _reach(reach: Reach) -> dict[str, Any]:
    scopes = list(reach.scopes or ())
    return {"tenant": reach.tenant, "whole": reach.scopes is None, "scopes": scopes}


def _end(reach: Reach) -> str:
    return f"{reach.tenant}0"  # the character after the slash


def _one_key(_reach: Reach, after: Sequence[str]) -> dict[str, str]:
    return {"after": after[0] if after else ""}


def _two_keys(reach: Reach, after: Sequence[str]) -> dict[str, str]:
    scope, name = after or (f"{reach.tenant}/", "")
    return {"after": scope, "after_id": name, "end": _end(reach)}


def _plain(properties: Row) -> dict[str, Any]:
    """Return the non-empty properties of a node that are not derived, with Python's times."""
    return {name: value for name, value in _filled(properties).items() if name not in DERIVED}


def _filled(properties: Row) -> dict[str, Any]:
    return {
        name: in_utc(value) if isinstance(value, DateTime) else value
        for name, value in properties.items()
        if value is not None and value not in ("", [])
    }


def _content(properties: Row) -> dict[str, Any]:
    values = _plain(properties)
    for name, end in _OPEN_ENDS.items():
        if values.get(name) == end:
            del values[name]
    for name in _AS_JSON & values.keys():
        values[name] = json.loads(values[name])
    if values.get("kind") == "pattern" and properties.get("confidence") is not None:
        values["confidence"] = properties["confidence"]  # derived from its episode's object
    if "correct" in values:
        values["correct"] = values["correct"] == "true"
    return values


def _memories(rows: Sequence[Row]) -> Iterator[Record]:
    for row in rows:
        values = _content(row["memory"])
        if row["vector"] is not None:
            packed = np.asarray(row["vector"], dtype="<f4").tobytes()
            values["embedding"] = base64.b64encode(packed).decode()
        yield Record("memory", values)


def _versions(rows: Sequence[Row]) -> Iterator[Record]:
    return (Record("version", _content(row["version"])) for row in rows if row["kept"])


def _edges(rows: Sequence[Row]) -> Iterator[Record]:
    for row in rows:
        for edge in row["edges"]:
            values = {"edge": edge["type"], "from": row["uid"], "to": edge["to"]}
            properties = _filled(edge["properties"])
            properties.pop("scope", None)  # of its ends
            if properties:
                values["properties"] = properties
            yield Record("edge", values)
        for vote in row["votes"]:
            yield Record("vote", {"memory_uid": row["uid"], **_filled(vote)})


def _nodes(kind: RecordType) -> Callable[[Sequence[Row]], Iterator[Record]]:
    return lambda rows: (Record(kind, _plain(row[kind])) for row in rows)


def _plugins(rows: Sequence[Row]) -> Iterator[Record]:
    return (Record("plugin", plugin_line(_plain(row["plugin"]))) for row in rows)


def _expectations(rows: Sequence[Row]) -> Iterator[Record]:
    return (Record("expectation", momentum_line(_plain(row["momentum"]))) for row in rows)


def _tasks(rows: Sequence[Row]) -> Iterator[Record]:
    yield from _nodes("task")(rows)
    for row in rows:
        task = {name: row["task"][name] for name in ("scope", "task_id")}
        for given in row["retrievals"]:
            values = {"memory_uid": given["memory_uid"], **_plain(given["properties"])}
            yield Record("retrieval", {**task, **values})


def _rewards(rows: Sequence[Row]) -> Iterator[Record]:
    yield from _nodes("reward")(rows)
    for row in rows:
        for moved in row["rewarded"]:
            names = {"reward_uid": row["reward"]["uid"], "memory_uid": moved["memory_uid"]}
            yield Record("rewarded", {**names, **_plain(moved["properties"])})


def _estimates(rows: Sequence[Row]) -> Iterator[Record]:
    for row in rows:
        values = _plain(row["estimate"])
        del values["uid"]  # derived from memory and context
        yield Record("estimate", values)


def _walk(
    query: Query,
    kind: RecordType,
    *keys: str,
    records: Callable[[Sequence[Row]], Iterable[Record]] | None = None,
) -> _Walk:
    """Return the walk over nodes of a kind by their keys."""
    return _Walk(
        query,
        _one_key if len(keys) == 1 else _two_keys,
        lambda row: tuple(row[kind][key] for key in keys),
        records or _nodes(kind),
    )


def _by_uid(
    choice: str,
    kind: RecordType,
    records: Callable[[Sequence[Row]], Iterable[Record]] | None = None,
) -> _Walk:
    return _walk(_RECORDS.choose(choice), kind, "uid", records=records)


_RECORDS = QUERIES["transfer.export_records"]
_NAMED = QUERIES["transfer.export_named"]
_TIES = QUERIES["transfer.export_ties"]
_SCOPES = QUERIES["transfer.export_scopes"]
_WALKS: dict[Section, _Walk] = {
    "scopes": _walk(_SCOPES.choose("scopes"), "scope", "scope"),
    "memberships": _walk(_TIES.choose("memberships"), "membership", "scope", "channel"),
    "relationships": _walk(_TIES.choose("relationships"), "relationship", "scope", "other"),
    "plugins": _walk(_SCOPES.choose("plugins"), "plugin", "scope", records=_plugins),
    "expectations": _Walk(
        _NAMED.choose("momenta"),
        _two_keys,
        lambda row: (row["momentum"]["scope"], row["momentum"]["context"]),
        _expectations,
    ),
    "sessions": _walk(_NAMED.choose("sessions"), "session", "scope", "session_id"),
    "memories": _by_uid("memories", "memory", _memories),
    "versions": _by_uid("versions", "version", _versions),
    "edges": _Walk(_RECORDS.choose("edges"), _one_key, lambda row: (row["uid"],), _edges),
    "tasks": _walk(_NAMED.choose("tasks"), "task", "scope", "task_id", records=_tasks),
    "rewards": _by_uid("rewards", "reward", _rewards),
    "estimates": _by_uid("estimates", "estimate", _estimates),
    "credits": _by_uid("credits", "credit"),
    "cycles": _by_uid("cycles", "cycle", cycle_records("cycle")),
    "visits": _by_uid("visits", "visit", cycle_records("visit")),
    "steps": _by_uid("steps", "step", cycle_records("step")),
    "patches": _by_uid("patches", "patch", cycle_records("patch")),
}
