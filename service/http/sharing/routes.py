"""`/v1/channels`, `/v1/memories/{name}/publish`: members of channels, and what they share there."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter

from graph.kernel.scope import Caller, name_in
from graph.model.sharing.channels import Membership
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, view_of
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


@serves(router, JOIN_CHANNELS)
async def join_channels(caller: Caller, service: Bound) -> wire.ChannelsAnswer:
    return _memberships(await service.join_channels(caller))


@serves(router, LEAVE_CHANNELS)
async def leave_channels(caller: Caller, service: Bound) -> wire.LeftAnswer:
    left = await service.leave_channels(caller)
    items = tuple(view_of(wire.LeftView, one, channel_id=name_in(one.channel)) for one in left)
    return wire.LeftAnswer(items=items)


@serves(router, MEMBERS)
async def list_members(caller: Caller, service: Bound) -> wire.ChannelsAnswer:
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


def _memberships(found: Iterable[Membership]) -> wire.ChannelsAnswer:
    items = tuple(
        view_of(
            wire.MembershipView,
            one,
            agent_id=name_in(one.agent),
            channel_id=name_in(one.channel),
        )
        for one in found
    )
    return wire.ChannelsAnswer(items=items)
