"""Consolidating."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import ConsolidateFields, IdentityFields

_PATH = "/v1/consolidations"


def consolidate(caller: Caller, fields: ConsolidateFields) -> Call[wire.ConsolidateAnswer]:
    """What a lost answer condensed is not asked for again: it would be told as nothing."""
    call = post(_PATH, stated(fields) | caller.fields(fields), wire.ConsolidateAnswer)
    return replace(call, repeatable=fields.get("dry_run") is not False)


def consolidations(
    caller: Caller, limit: int | None, identity: IdentityFields
) -> Call[wire.ConsolidationsAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", _PATH, reader(wire.ConsolidationsAnswer), query=query)


def consolidation(
    caller: Caller, run: str, limit: int | None, identity: IdentityFields
) -> Call[wire.ConsolidationAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", f"{_PATH}/{segment(run)}", reader(wire.ConsolidationAnswer), query=query)


def undo_consolidation(
    caller: Caller, run: str, identity: IdentityFields, skip_changed: bool = False
) -> Call[wire.ConsolidationView]:
    body = {"skip_changed": True} if skip_changed else {}
    return post(
        f"{_PATH}/{segment(run)}/undo", body | caller.fields(identity), wire.ConsolidationView
    )
