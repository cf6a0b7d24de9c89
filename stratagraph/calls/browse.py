"""Memories in pages, counted, changed, with their past and their surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, encoded, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import (
        CountFields,
        IdentityFields,
        ListFields,
        NeighbourhoodFields,
        PatchFields,
        VersionsFields,
    )

P = TypeVar("P")

_MERGE_PATCH = "application/merge-patch+json"
_IDENTITY = frozenset({"agent_id", "channel_ids", "user_ids"})


def list_memories(caller: Caller, fields: ListFields) -> Call[wire.MemoryPage]:
    query = _query(caller, fields)
    return Call("GET", "/v1/memories", reader(wire.MemoryPage), query=query)


def count(caller: Caller, fields: CountFields) -> Call[wire.MemoryCount]:
    query = _query(caller, fields)
    return Call("GET", "/v1/memories/count", reader(wire.MemoryCount), query=query)


def list_versions(caller: Caller, name: str, fields: VersionsFields) -> Call[wire.VersionPage]:
    path = f"/v1/memories/{segment(name)}/versions"
    return Call("GET", path, reader(wire.VersionPage), query=_query(caller, fields))


def neighbourhood(
    caller: Caller, name: str, fields: NeighbourhoodFields
) -> Call[wire.NeighbourhoodView]:
    path = f"/v1/memories/{segment(name)}/neighbourhood"
    return Call("GET", path, reader(wire.NeighbourhoodView), query=_query(caller, fields))


def following(call: Call[P], cursor: str | None) -> Call[P] | None:
    """Return the call for the next page, or None at the end."""
    return replace(call, query={**call.query, "cursor": cursor}) if cursor else None


def patch(
    caller: Caller,
    name: str,
    changes: PatchFields | Mapping[str, Any],
    if_match: wire.MemoryView | str | None,
    identity: IdentityFields,
) -> Call[wire.AmendedView]:
    """Change a memory; with ``if_match`` a lost answer is not asked for again.

    A repeat could not tell its own change from another's.
    """
    headers = {"Content-Type": _MERGE_PATCH}
    if if_match is not None:
        headers["If-Match"] = if_match if isinstance(if_match, str) else tag_of(if_match)
    return Call(
        "PATCH",
        f"/v1/memories/{segment(name)}",
        reader(wire.AmendedView),
        query=caller.fields(identity),
        body=encoded(dict(cast("Mapping[str, Any]", changes))),
        headers=headers,
        repeatable=if_match is None,
    )


def tag_of(memory: wire.MemoryView) -> str:
    """Return the entity tag of a memory as it was read."""
    return f'"{memory.uid}-{memory.revision}"'


def _query(caller: Caller, fields: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in fields.items() if name not in _IDENTITY}
    return {name: _plain(value) for name, value in stated(rest).items()} | caller.fields(fields)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return value
