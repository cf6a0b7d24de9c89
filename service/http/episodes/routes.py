"""`/v1/episodes`: attempts at problems, one or many, with their problems, strategies and concepts."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from graph.kernel.scope import Caller
from graph.model.episodes.episode import record_of, run_of
from graph.model.memories.memory import NewMemory, Saved
from service.faults import read_as
from service.http.erasure.routes import receipt_of
from service.http.kernel.body import Decoded
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, view_of, views_of
from service.http.memories.batches import (
    RememberOptions,
    fault_of_row,
    is_batch,
    read_rows,
    refusal_of,
    remember_rows,
)
from service.http.memories.routes import only
from service.use_cases.memories.remember import Remember
from stratagraph import wire
from stratagraph.operations import episodes as operations

router = APIRouter()

# Maps faults of the memory to fields of its episode.
_PLACES = {"text": "input.problem", "vector": "input.problem", "external_id": "episode_id"}

EpisodeName = Annotated[
    str, Path(max_length=256, description="Its `episode_id`, or its uid.", examples=["ep-0001"])
]


@serves(
    router,
    operations.ADD_EPISODE,
    status_code=201,
    responses={
        201: {"model": wire.AddEpisodeAnswer, "description": "A new episode"},
        200: {
            "model": wire.AddEpisodeAnswer | wire.AddEpisodesAnswer,
            "description": "Known before (unchanged, or a new version), or a batch",
        },
    },
)
async def add_episodes(
    tenant: Tenant, decoded: Decoded, options: Annotated[RememberOptions, Query()], service: Bound
) -> Response:
    if is_batch(decoded, "episodes"):
        envelope = read_as(wire.EpisodesEnvelope, decoded)
        caller = caller_of(tenant, envelope)
        return await _add_batch(caller, envelope, service.remember, atomic=options.atomic)
    single = read_as(wire.AddEpisodeRequest, decoded)
    return await _add_one(caller_of(tenant, single), single, service.remember)


@serves(router, operations.COUNT_EPISODES)
async def count_episodes(
    caller: Caller, asked: wire.EpisodeScopeRequest, service: Bound
) -> wire.EpisodeCountView:
    counted = await service.count_episodes(caller, asked.scope_kind)
    return view_of(
        wire.EpisodeCountView,
        counted,
        unjudged=counted.episodes - counted.correct - counted.wrong,
        budget=view_of(wire.BudgetView, service.count_episodes.budget),
    )


@serves(router, operations.CLEAR_EPISODES)
async def clear_episodes(
    caller: Caller, asked: wire.ClearEpisodesRequest, service: Bound
) -> wire.ClearEpisodesAnswer:
    cleared = await service.clear_episodes(
        caller,
        asked.scope_kind,
        domain=asked.domain,
        run=asked.run,
        dry_run=asked.dry_run,
    )
    return view_of(
        wire.ClearEpisodesAnswer,
        cleared,
        dry_run=asked.dry_run,
        matched=cleared.meant,
    )


@serves(router, operations.GET_EPISODE)
async def get_episode(name: EpisodeName, caller: Caller, service: Bound) -> wire.EpisodeView:
    memory, hangs_on = await service.get_episode(caller, name)
    return view_of(
        wire.EpisodeView,
        memory,
        run=run_of(memory),
        episode=record_of(memory),
        hangs_on=views_of(wire.AttemptedView, hangs_on),
    )


@serves(router, operations.DELETE_EPISODE)
async def delete_episode(name: EpisodeName, caller: Caller, service: Bound) -> Response:
    erasure = await service.delete_episode(caller, name)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=receipt_of(erasure))


def new_episode(caller: Caller, where: wire.EpisodeFields, record: wire.EpisodeRecord) -> NewMemory:
    """Return the episode with its owner; a missing id is derived from its content."""
    said = record.stored()
    name = record.episode_id or _made_id(said)
    return NewMemory(
        scope=caller.writable(where.scope_kind),
        agent_id=caller.agent_id,
        channel_id=only(caller.channel_ids),
        user_id=only(caller.user_ids),
        text=record.input.problem,
        kind="episode",
        content_type="structured",
        structured={**said, "episode_id": name},
        external_id=name,
        domain=record.input.domain,
        correct=record.output.correct,
        model=record.metadata.model,
        tags=record.tags,
        occurred_at=record.timestamp,
        metadata={"run": where.run} if where.run else None,
    )


def in_episode(saved: Saved) -> Saved:
    """Map a fault to the field of the episode."""
    if saved.field not in _PLACES:
        return saved
    place = _PLACES[saved.field]
    message = (saved.error or "").removeprefix(f"{saved.field}: ")
    return Saved("rejected", error=f"{place}: {message}", field=place)


def _made_id(said: dict[str, Any]) -> str:
    alone = {name: value for name, value in said.items() if name != "episode_id"}
    return f"ep-{hashlib.sha256(json.dumps(alone, sort_keys=True).encode()).hexdigest()[:24]}"


async def _add_one(caller: Caller, request: wire.AddEpisodeRequest, remember: Remember) -> Response:
    row = new_episode(caller, request, request)
    [answer] = await remember([row])
    saved = in_episode(answer)
    if saved.uid is None:
        raise refusal_of(saved)
    view = wire.AddEpisodeAnswer(
        status=saved.status,
        uid=saved.uid,
        episode_id=row.external_id or "",
        evicted=_evicted_views([saved]),
        redacted=dict(saved.redacted),
    )
    status = HTTPStatus.CREATED if saved.status == "created" else HTTPStatus.OK
    return json_answer(status, view)


async def _add_batch(
    caller: Caller, envelope: wire.EpisodesEnvelope, remember: Remember, *, atomic: bool
) -> Response:
    def read(row: object) -> NewMemory:
        return new_episode(caller, envelope, read_as(wire.EpisodeRecord, row))

    rows = read_rows(read, envelope.episodes)
    answers = await remember_rows(
        remember, rows, name="episodes", atomic=atomic, to_view=in_episode
    )
    counts = Counter(answer.status for answer in answers)
    view = wire.AddEpisodesAnswer(
        counts=wire.CountsView(**counts),
        results=tuple(
            _row_answer(index, row, answer)
            for index, (row, answer) in enumerate(zip(rows, answers, strict=True))
        ),
        evicted=_evicted_views(answers),
    )
    return json_answer(HTTPStatus.OK, view)


def _row_answer(index: int, row: NewMemory | Saved, saved: Saved) -> wire.EpisodeRowAnswer:
    return wire.EpisodeRowAnswer(
        index=index,
        status=saved.status,
        uid=saved.uid,
        episode_id=row.external_id if isinstance(row, NewMemory) else None,
        error=fault_of_row(saved) if saved.status == "rejected" else None,
        redacted=dict(saved.redacted),
    )


def _evicted_views(answers: Sequence[Saved]) -> tuple[wire.EvictedView, ...]:
    return tuple(
        wire.EvictedView(uid=gone.uid, episode_id=gone.external_id, reason=gone.reason)
        for answer in answers
        for gone in answer.evicted
    )
