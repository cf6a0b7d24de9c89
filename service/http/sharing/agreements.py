"""`/v1/channels/agreements`, `/v1/memories/{name}/vote`: what channels agree on and dispute."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, name_in
from graph.model.sharing.agreements import Vote
from service.http.consolidation.routes import dispute_view, run_view, saying_view
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, view_of, views_of
from service.use_cases.sharing.agreements import Rated
from stratagraph import wire
from stratagraph.operations.sharing import AGREE, AGREEMENT, AGREEMENTS, VOTE

router = APIRouter()


@serves(router, AGREEMENTS)
async def list_agreements(
    caller: Caller, asked: wire.AgreementsRequest, service: Bound
) -> wire.AgreementsAnswer:
    found = await service.list_agreements(caller, disputed=asked.disputed, limit=asked.limit)
    return wire.AgreementsAnswer(items=tuple(map(_view, found)))


@serves(router, AGREEMENT)
async def show_agreement(name: MemoryName, caller: Caller, service: Bound) -> wire.AgreementView:
    return _view(await service.list_agreements.one(caller, name))


@serves(router, AGREE)
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


@serves(router, VOTE)
async def vote(
    caller: Caller, name: MemoryName, body: wire.VoteRequest, service: Bound
) -> wire.AgreementView:
    done = await service.vote(caller, name, body.agrees)
    return _view(done)


def _view(rated: Rated) -> wire.AgreementView:
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
