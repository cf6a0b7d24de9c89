"""Questions about episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, filters_of, post, stated

if TYPE_CHECKING:
    from stratagraph.fields import EpisodeAskFields, EpisodeQueryFields


def query_episodes(caller: Caller, fields: EpisodeQueryFields) -> Call[wire.EpisodeQueryView]:
    body = stated(fields)
    if "filters" in body:
        body["filters"] = filters_of(body["filters"])
    return post("/v1/episodes/query", body | caller.fields(fields), wire.EpisodeQueryView)


def ask_episodes(
    caller: Caller, question: str, fields: EpisodeAskFields
) -> Call[wire.EpisodeAskView]:
    body = stated({**fields, "question": question}) | caller.fields(fields)
    return post("/v1/episodes/ask", body, wire.EpisodeAskView)
