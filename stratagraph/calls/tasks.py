"""Recalls, and how the tasks that they were for ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, filters_of, post, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields, RecallFields, Used


def recall(caller: Caller, text: str | None, fields: RecallFields) -> Call[wire.RecallAnswerView]:
    question = stated({**fields, "text": text})
    if "utility_weight" in question:
        question["lambda"] = question.pop("utility_weight")
    for name in ("filters", "context"):
        if name in question:
            question[name] = filters_of(question[name])
    return post("/v1/recall", question | caller.fields(fields), wire.RecallAnswerView)


def report_outcome(
    caller: Caller,
    task_id: str,
    status: wire.Status,
    quality: float | None,
    used: Used | None,
    identity: IdentityFields,
) -> Call[wire.OutcomeView]:
    said = stated({"status": status, "quality": quality, "used": used_of(used)})
    body = said | caller.fields(identity)
    return post(f"/v1/tasks/{segment(task_id)}/outcome", body, wire.OutcomeView)


def used_of(used: Used | None) -> list[Any] | None:
    """Write what was used: names, or a share by name."""
    if used is None:
        return None
    if not isinstance(used, Mapping):
        return list(used)
    shares = cast("Mapping[str, float]", used)
    return [{"name": name, "share": share} for name, share in shares.items()]
