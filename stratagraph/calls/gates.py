"""Running the gates of strata."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import CollectFields, IdentityFields

_PATH = "/v1/strata/gates"


def run_gates(caller: Caller, fields: CollectFields) -> Call[wire.GatesAnswer]:
    """What a lost answer moved is not asked for again: it would be told as nothing."""
    call = post(_PATH, stated(fields) | caller.fields(fields), wire.GatesAnswer)
    return replace(call, repeatable=fields.get("dry_run") is not False)


def gate_runs(
    caller: Caller, limit: int | None, identity: IdentityFields
) -> Call[wire.GateRunsAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", _PATH, reader(wire.GateRunsAnswer), query=query)


def gate_run(
    caller: Caller, run: str, limit: int | None, identity: IdentityFields
) -> Call[wire.GateRunAnswer]:
    query = stated({"limit": limit}) | caller.fields(identity)
    return Call("GET", f"{_PATH}/{segment(run)}", reader(wire.GateRunAnswer), query=query)


def undo_gate_run(
    caller: Caller, run: str, identity: IdentityFields, skip_changed: bool = False
) -> Call[wire.GateRunView]:
    body = {"skip_changed": True} if skip_changed else {}
    return post(f"{_PATH}/{segment(run)}/undo", body | caller.fields(identity), wire.GateRunView)
