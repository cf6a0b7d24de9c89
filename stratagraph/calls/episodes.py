"""Episodes: added, read, counted, cleared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from stratagraph import wire
from stratagraph.calls.call import (
    Call,
    Caller,
    Plan,
    encoded,
    post,
    reader,
    said,
    segment,
    stated,
)
from stratagraph.calls.memories import RACE, batches

if TYPE_CHECKING:
    from stratagraph.fields import ClearFields, EpisodeScope, EpisodeWhere, IdentityFields

PATH = "/v1/episodes"
Episode = Mapping[str, Any] | wire.EpisodeRecord


def add_episode(
    caller: Caller, episode: Episode, where: EpisodeWhere
) -> Call[wire.AddEpisodeAnswer]:
    body = _written(episode) | stated(where) | caller.fields(where)
    return replace(post(PATH, body, wire.AddEpisodeAnswer), busy=RACE)


def add_episodes(
    caller: Caller, episodes: Iterable[Episode], where: EpisodeWhere
) -> Plan[wire.AddEpisodesAnswer]:
    """Send as many episodes at a time as the service takes; rows keep their numbers."""
    answers: list[wire.EpisodeRowAnswer] = []
    evicted: list[wire.EvictedView] = []
    head = encoded(stated(where) | caller.fields(where))[1:-1]
    for part in batches(encoded(_written(episode)) for episode in episodes):
        start = len(answers)
        members = [each for each in (head, b'"episodes":[' + b",".join(part) + b"]") if each]
        call = post(PATH, {}, wire.AddEpisodesAnswer)
        answer: wire.AddEpisodesAnswer = yield replace(
            call, body=b"{" + b",".join(members) + b"}", busy=RACE
        )
        answers += [row.model_copy(update={"index": start + row.index}) for row in answer.results]
        evicted += answer.evicted
    counts = wire.CountsView(**Counter(answer.status for answer in answers))
    return wire.AddEpisodesAnswer(counts=counts, results=tuple(answers), evicted=tuple(evicted))


def get_episode(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.EpisodeView]:
    path = f"{PATH}/{segment(name)}"
    return Call("GET", path, reader(wire.EpisodeView), query=caller.fields(identity))


def delete_episode(caller: Caller, name: str, identity: IdentityFields) -> Call[None]:
    path = f"{PATH}/{segment(name)}"
    return Call("DELETE", path, _nothing, query=caller.fields(identity), gone_is_done=True)


def count_episodes(caller: Caller, scope: EpisodeScope) -> Call[wire.EpisodeCountView]:
    query = stated(scope) | caller.fields(scope)
    return Call("GET", f"{PATH}/count", reader(wire.EpisodeCountView), query=query)


def clear_episodes(
    caller: Caller, fields: ClearFields, *, dry_run: bool
) -> Call[wire.ClearEpisodesAnswer]:
    """Remove episodes, or say which; what a lost answer removed is not asked for again."""
    query = stated(fields) | caller.fields(fields) | {"dry_run": str(dry_run).lower()}
    answer = reader(wire.ClearEpisodesAnswer)
    return Call("DELETE", PATH, answer, query=query, repeatable=dry_run)


def _written(episode: Episode) -> dict[str, Any]:
    if isinstance(episode, BaseModel):
        return said(episode)
    made = dict(episode)
    at = made.get("timestamp")
    if isinstance(at, datetime) and at.tzinfo is None:
        made["timestamp"] = at.astimezone()  # Python's own reading: the time of this machine
    return made


def _nothing(_content: bytes) -> None:
    return None
