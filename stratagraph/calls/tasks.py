"""Recalls, and how the tasks that they were for ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, said, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields, RecallFields


def recall(caller: Caller, text: str | None, fields: RecallFields) -> Call[wire.RecallAnswerView]:
    question = stated({**fields, "text": text})
    if "utility_weight" in question:
        question["lambda"] = question.pop("utility_weight")
    if "filters" in question:
        question["filters"] = _filters(question["filters"])
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


def _filters(filters: object) -> dict[str, Any]:
    if isinstance(filters, BaseModel):
        return said(filters)
    return stated(cast("Mapping[str, Any]", filters))
