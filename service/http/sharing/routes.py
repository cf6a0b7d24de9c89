"""`/v1/channels`, `/v1/relationships` and sharing of memories: members, copies, agreements and disputes."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter

from graph.kernel.scope import Caller, name_in
from graph.model.sharing.agreements import Vote
from graph.model.sharing.channels import Membership
from graph.model.sharing.relationships import Relationship
from service.http.consolidation.routes import dispute_view, run_view, saying_view
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, view_of, views_of
from service.use_cases.sharing.agreements import Rated
from stratagraph import wire
from stratagraph.operations import sharing as operations

router = APIRouter()


@serves(router, operations.JOIN_CHANNELS)
async def join_channels(caller: Caller, service: Bound) -> wire.ChannelsAnswer:
    return _memberships(await service.join_channels(caller))


@serves(router, operations.LEAVE_CHANNELS)
async def leave_channels(caller: Caller, service: Bound) -> wire.LeftAnswer:
    left = await service.leave_channels(caller)
    items = tuple(view_of(wire.LeftView, one, channel_id=name_in(one.channel)) for one in left)
    return wire.LeftAnswer(items=items)


@serves(router, operations.MEMBERS)
async def list_members(caller: Caller, service: Bound) -> wire.ChannelsAnswer:
    return _memberships(await service.list_members(caller))


@serves(router, operations.SHARE_PATTERNS)
async def share_patterns(caller: Caller, service: Bound) -> wire.PatternsSharedView:
    done = await service.share_patterns(caller)
    return view_of(wire.PatternsSharedView, done, channel_id=name_in(caller.writable("channel")))


@serves(router, operations.PUBLISH)
async def publish_memory(caller: Caller, name: MemoryName, service: Bound) -> wire.PublicationView:
    done = await service.publish_memory(caller, name)
    return view_of(wire.PublicationView, done, channel_id=name_in(done.channel))


@serves(router, operations.UNPUBLISH)
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


@serves(router, operations.RECORD_INTERACTION)
async def record_interaction(
    caller: Caller, body: wire.InteractionRequest, service: Bound
) -> wire.RelationshipView:
    done = await service.record_interaction(caller, body.other_agent_id, body.outcome)
    return _relationship_view(done)


@serves(router, operations.RELATIONSHIPS)
async def list_relationships(
    caller: Caller, asked: wire.RelationshipsRequest, service: Bound
) -> wire.RelationshipsAnswer:
    found = await service.list_relationships(caller, asked.limit)
    items = tuple(map(_relationship_view, found))
    return wire.RelationshipsAnswer(items=items)


def _relationship_view(one: Relationship) -> wire.RelationshipView:
    return view_of(
        wire.RelationshipView, one, agent_id=name_in(one.agent), other_agent_id=name_in(one.other)
    )


@serves(router, operations.AGREEMENTS)
async def list_agreements(
    caller: Caller, asked: wire.AgreementsRequest, service: Bound
) -> wire.AgreementsAnswer:
    found = await service.list_agreements(caller, disputed=asked.disputed, limit=asked.limit)
    return wire.AgreementsAnswer(items=tuple(map(_agreement_view, found)))


@serves(router, operations.AGREEMENT)
async def show_agreement(name: MemoryName, caller: Caller, service: Bound) -> wire.AgreementView:
    return _agreement_view(await service.list_agreements.one(caller, name))


@serves(router, operations.AGREE)
async def agree(caller: Caller, body: wire.AgreeRequest, service: Bound) -> wire.AgreeAnswer:
    done = await service.consolidate.agree(caller, dry_run=body.dry_run)
    found = done.plan.agreements
    return wire.AgreeAnswer(
        channel_id=name_in(done.scope),
        dry_run=body.dry_run,
        looked=found.looked,
        agreements=views_of(wire.GatheredView, found.gathered),
        disagreements=tuple(map(dispute_view, found.disputes)),
        run=None if done.run is None else run_view(done.run),
    )


@serves(router, operations.VOTE)
async def vote(
    caller: Caller, name: MemoryName, body: wire.VoteRequest, service: Bound
) -> wire.AgreementView:
    done = await service.vote(caller, name, body.agrees)
    return _agreement_view(done)


def _agreement_view(rated: Rated) -> wire.AgreementView:
    one = rated.position
    return view_of(
        wire.AgreementView,
        one,
        channel_id=name_in(one.channel),
        share=rated.share,
        lower=rated.lower,
        upper=rated.upper,
        statements=tuple(map(saying_view, one.held)),
        dissent=tuple(map(saying_view, one.against)),
        votes=tuple(map(_vote, one.votes)),
    )


def _vote(vote: Vote) -> wire.VoteView:
    return view_of(wire.VoteView, vote, agent_id=vote.agent)
