"""`/v1/channels`, `/v1/memories/{name}/publish`: members of channels, and what they share there."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from graph.kernel.scope import name_in
from graph.model.sharing.channels import Membership
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.security import QueryCaller, Tenant, caller_of
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
async def join_channels(
    tenant: Tenant,
    body: Annotated[wire.ChannelsRequest, Depends(JsonBody(wire.ChannelsRequest))],
    service: Bound,
) -> Response:
    joined = await service.join_channels(caller_of(tenant, body))
    return _memberships(joined)


@serves(router, LEAVE_CHANNELS)
async def leave_channels(
    tenant: Tenant,
    body: Annotated[wire.ChannelsRequest, Depends(JsonBody(wire.ChannelsRequest))],
    service: Bound,
) -> Response:
    left = await service.leave_channels(caller_of(tenant, body))
    items = tuple(
        wire.LeftView(channel_id=name_in(one.channel), was_member=one.was_member, copies=one.copies)
        for one in left
    )
    return json_answer(HTTPStatus.OK, wire.LeftAnswer(items=items))


@serves(router, MEMBERS)
async def list_members(caller: QueryCaller, service: Bound) -> Response:
    return _memberships(await service.list_members(caller))


@serves(router, SHARE_PATTERNS)
async def share_patterns(
    tenant: Tenant,
    body: Annotated[wire.PatternsRequest, Depends(JsonBody(wire.PatternsRequest))],
    service: Bound,
) -> Response:
    caller = caller_of(tenant, body)
    done = await service.share_patterns(caller)
    view = view_of(wire.PatternsSharedView, done, channel_id=name_in(caller.writable("channel")))
    return json_answer(HTTPStatus.OK, view)


@serves(router, PUBLISH)
async def publish_memory(
    tenant: Tenant,
    name: MemoryName,
    body: Annotated[wire.PublishRequest, Depends(JsonBody(wire.PublishRequest))],
    service: Bound,
) -> Response:
    done = await service.publish_memory(caller_of(tenant, body), name)
    view = view_of(wire.PublicationView, done, channel_id=name_in(done.channel))
    return json_answer(HTTPStatus.OK, view)


@serves(router, UNPUBLISH)
async def unpublish_memory(
    tenant: Tenant,
    name: MemoryName,
    body: Annotated[wire.PublishRequest, Depends(JsonBody(wire.PublishRequest))],
    service: Bound,
) -> Response:
    removed = await service.unpublish_memory(caller_of(tenant, body), name)
    return json_answer(HTTPStatus.OK, wire.UnpublishedView(original=name, removed=removed))


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
