"""Collecting episodes that help nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import CollectFields, IdentityFields


def collect(caller: Caller, fields: CollectFields) -> Call[wire.CollectAnswer]:
    """What a lost answer collected is not asked for again: it would be told as nothing."""
    body = stated(fields) | caller.fields(fields)
    call = post("/v1/gc", body, wire.CollectAnswer)
    return replace(call, repeatable=fields.get("dry_run") is not False)


def collections(
    caller: Caller, limit: int | None, identity: IdentityFields
) -> Call[wire.CollectionsAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", "/v1/gc", reader(wire.CollectionsAnswer), query=query)


def collection(
    caller: Caller, run: str, limit: int | None, identity: IdentityFields
) -> Call[wire.CollectionAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", f"/v1/gc/{segment(run)}", reader(wire.CollectionAnswer), query=query)


def undo_collection(
    caller: Caller, run: str, identity: IdentityFields, skip_changed: bool = False
) -> Call[wire.CollectionView]:
    body = {"skip_changed": True} if skip_changed else {}
    return post(f"/v1/gc/{segment(run)}/undo", body | caller.fields(identity), wire.CollectionView)
