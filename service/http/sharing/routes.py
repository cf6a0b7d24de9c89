"""`/v1/channels`, `/v1/memories/{name}/publish`: members of channels, and what they share there."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

from fastapi import APIRouter
from starlette.responses import Response

from graph.kernel.scope import Caller, name_in
from graph.model.sharing.channels import Membership
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, json_answer, view_of
from stratagraph import wire
from stratagraph.operations.sharing import (
    JOIN_CHANNELS,
    LEAVE_CHANNELS,
    MEMBERS,
    PUBLISH,
    SHARE_PATTERNS,
    UNPUBLISH,
)

router = APIRouter()

_WHO = {"agent_id": "planner", "channel_ids": ["support"]}


@serves(router, JOIN_CHANNELS)
async def join_channels(caller: Caller, service: Bound) -> Response:
    joined = await service.join_channels(caller)
    return _memberships(joined)


@serves(router, LEAVE_CHANNELS)
async def leave_channels(caller: Caller, service: Bound) -> wire.LeftAnswer:
    left = await service.leave_channels(caller)
    items = tuple(
        wire.LeftView(channel_id=name_in(one.channel), was_member=one.was_member, copies=one.copies)
        for one in left
    )
    return wire.LeftAnswer(items=items)


@serves(router, MEMBERS)
async def list_members(caller: Caller, service: Bound) -> Response:
    return _memberships(await service.list_members(caller))


@serves(router, SHARE_PATTERNS)
async def share_patterns(caller: Caller, service: Bound) -> wire.PatternsSharedView:
    done = await service.share_patterns(caller)
    return view_of(wire.PatternsSharedView, done, channel_id=name_in(caller.writable("channel")))


@serves(router, PUBLISH)
async def publish_memory(caller: Caller, name: MemoryName, service: Bound) -> wire.PublicationView:
    done = await service.publish_memory(caller, name)
    return view_of(wire.PublicationView, done, channel_id=name_in(done.channel))


@serves(router, UNPUBLISH)
async def unpublish_memory(
    caller: Caller, name: MemoryName, service: Bound
) -> wire.UnpublishedView:
    removed = await service.unpublish_memory(caller, name)
    return wire.UnpublishedView(original=name, removed=removed)


def _memberships(found: Iterable[Membership]) -> Response:
    items = tuple(
        wire.MembershipView(
            agent_id=name_in(one.agent),
            channel_id=name_in(one.channel),
            joined_at=one.joined_at,
            copies=one.copies,
        )
        for one in found
    )
    return json_answer(HTTPStatus.OK, wire.ChannelsAnswer(items=items))
