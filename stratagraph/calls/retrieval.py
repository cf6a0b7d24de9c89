"""Past attempts that help with a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, filters_of, post, stated

if TYPE_CHECKING:
    from stratagraph.fields import RetrieveFields


def retrieve(
    caller: Caller, query: str, k: int, domain: str | None, fields: RetrieveFields
) -> Call[wire.RetrievalAnswerView]:
    question = stated({**fields, "query": query, "k": k, "domain": domain})
    if "utility_weight" in question:
        question["lambda"] = question.pop("utility_weight")
    if "filters" in question:
        question["filters"] = filters_of(question["filters"])
    body = question | caller.fields(fields)
    return post("/v1/episodes/retrieve", body, wire.RetrievalAnswerView)
