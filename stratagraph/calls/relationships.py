"""Telling how something went with another agent, and reading how agents stand to each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, stated

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields

_PATH = "/v1/relationships"


def record_interaction(
    caller: Caller, other_agent_id: str, outcome: float, identity: IdentityFields
) -> Call[wire.RelationshipView]:
    """A repeat would be a second interaction."""
    body = {"other_agent_id": other_agent_id, "outcome": outcome} | caller.fields(identity)
    return replace(post(_PATH, body, wire.RelationshipView), repeatable=False)


def relationships(
    caller: Caller, limit: int | None, identity: IdentityFields
) -> Call[wire.RelationshipsAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", _PATH, reader(wire.RelationshipsAnswer), query=query)
