"""Erasing agents, users, sessions and memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, reader, segment, stated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from stratagraph.fields import IdentityFields


def erase_agent(agent_id: str) -> Call[wire.ErasureView]:
    return _erase(f"/v1/agents/{segment(agent_id)}", {})


def erase_user(user_id: str) -> Call[wire.ErasureView]:
    return _erase(f"/v1/users/{segment(user_id)}", {})


def erase_session(
    caller: Caller,
    session_id: str,
    scope_kind: wire.ScopeKind | None,
    identity: IdentityFields,
) -> Call[wire.ErasureView]:
    query = stated({"scope_kind": scope_kind}) | caller.fields(identity)
    return _erase(f"/v1/sessions/{segment(session_id)}", query)


def erase_memory(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.ErasureView]:
    query = {"receipt": True} | caller.fields(identity)
    return _erase(f"/v1/memories/{segment(name)}", query)


def erasure(name: str) -> Call[wire.ErasureView]:
    return Call("GET", f"/v1/erasures/{segment(name)}", reader(wire.ErasureView))


def _erase(path: str, query: Mapping[str, Any]) -> Call[wire.ErasureView]:
    """What a lost answer erased is not asked for again: the repeat would find nothing."""
    return Call("DELETE", path, reader(wire.ErasureView), query=query, repeatable=False)
