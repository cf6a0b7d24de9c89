"""Rewards beside outcomes, taking them back, and what they made of one memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment, stated
from stratagraph.calls.tasks import used_of

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields, InjectFields, SignalFields, UtilityFields


def report_signal(
    caller: Caller, task_id: str, signal: wire.SignalName, fields: SignalFields
) -> Call[wire.SignalView]:
    """One without an id is not repeated: it would count twice."""
    said = stated({**fields, "signal": signal, "used": used_of(fields.get("used"))})
    call = post(
        f"/v1/tasks/{segment(task_id)}/signals", said | caller.fields(fields), wire.SignalView
    )
    return call if "id" in said else replace(call, repeatable=False)


def inject_reward(
    caller: Caller, name: str, reward: float, reason: str, fields: InjectFields
) -> Call[wire.InjectView]:
    said = stated({**fields, "reward": reward, "reason": reason})
    body = said | caller.fields(fields)
    call = post(f"/v1/memories/{segment(name)}/rewards", body, wire.InjectView)
    return replace(call, repeatable=False)


def revert_reward(
    caller: Caller, reward_uid: str, reason: str | None, identity: IdentityFields
) -> Call[wire.RevertView]:
    body = stated({"reason": reason}) | caller.fields(identity)
    return post(f"/v1/rewards/{segment(reward_uid)}/revert", body, wire.RevertView)


def utility(caller: Caller, name: str, fields: UtilityFields) -> Call[wire.UtilityView]:
    at = fields.get("at")
    moment = None if at is None else at if isinstance(at, str) else at.isoformat()
    query = stated({"limit": fields.get("limit"), "at": moment}) | caller.fields(fields)
    path = f"/v1/memories/{segment(name)}/utility"
    return Call("GET", path, reader(wire.UtilityView), query=query)
