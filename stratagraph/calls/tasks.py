"""Recalls, and how the tasks that they were for ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, filters_of, post, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields, RecallFields


def recall(caller: Caller, text: str | None, fields: RecallFields) -> Call[wire.RecallAnswerView]:
    question = stated({**fields, "text": text})
    if "utility_weight" in question:
        question["lambda"] = question.pop("utility_weight")
    if "filters" in question:
        question["filters"] = filters_of(question["filters"])
    return post("/v1/recall", question | caller.fields(fields), wire.RecallAnswerView)


def report_outcome(
    caller: Caller,
    task_id: str,
    status: wire.Status,
    quality: float | None,
    identity: IdentityFields,
) -> Call[wire.OutcomeView]:
    body = stated({"status": status, "quality": quality}) | caller.fields(identity)
    return post(f"/v1/tasks/{segment(task_id)}/outcome", body, wire.OutcomeView)
