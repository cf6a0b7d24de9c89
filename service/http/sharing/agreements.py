"""`/v1/channels/agreements`, `/v1/memories/{name}/vote`: what channels agree on and dispute."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.kernel.scope import name_in
from graph.model.sharing.agreements import Vote
from service.http.consolidation.routes import dispute_view, gathered_view, run_view, saying_view
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.security import QueryCaller, Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, json_answer
from service.use_cases.sharing.agreements import Rated
from stratagraph import wire
from stratagraph.operations.sharing import AGREE, AGREEMENT, AGREEMENTS, VOTE

router = APIRouter()


@serves(router, AGREEMENTS)
async def list_agreements(
    tenant: Tenant, asked: Annotated[wire.AgreementsRequest, Query()], service: Bound
) -> Response:
    found = await service.list_agreements(
        caller_of(tenant, asked), disputed=asked.disputed, limit=asked.limit
    )
    return json_answer(HTTPStatus.OK, wire.AgreementsAnswer(items=tuple(map(_view, found))))


@serves(router, AGREEMENT)
async def show_agreement(name: MemoryName, caller: QueryCaller, service: Bound) -> Response:
    return json_answer(HTTPStatus.OK, _view(await service.list_agreements.one(caller, name)))


@serves(router, AGREE)
async def agree(
    tenant: Tenant,
    body: Annotated[wire.AgreeRequest, Depends(JsonBody(wire.AgreeRequest))],
    service: Bound,
) -> Response:
    done = await service.consolidate.agree(caller_of(tenant, body), dry_run=body.dry_run)
    found = done.plan.agreements
    view = wire.AgreeAnswer(
        channel_id=name_in(done.scope),
        dry_run=body.dry_run,
        looked=found.looked,
        agreements=tuple(map(gathered_view, found.gathered)),
        disagreements=tuple(map(dispute_view, found.disputes)),
        run=None if done.run is None else run_view(done.run),
    )
    return json_answer(HTTPStatus.OK, view)


@serves(router, VOTE)
async def vote(
    tenant: Tenant,
    name: MemoryName,
    body: Annotated[wire.VoteRequest, Depends(JsonBody(wire.VoteRequest))],
    service: Bound,
) -> Response:
    done = await service.vote(caller_of(tenant, body), name, body.agrees)
    return json_answer(HTTPStatus.OK, _view(done))


def _view(rated: Rated) -> wire.AgreementView:
    one = rated.position
    return wire.AgreementView(
        uid=one.uid,
        channel_id=name_in(one.channel),
        text=one.text,
        agreed=one.agreed,
        at=one.at,
        supporters=one.supporters,
        opponents=one.opponents,
        share=rated.share,
        lower=rated.lower,
        upper=rated.upper,
        statements=tuple(map(saying_view, one.held)),
        dissent=tuple(map(saying_view, one.against)),
        votes=tuple(map(_vote, one.votes)),
    )


def _vote(vote: Vote) -> wire.VoteView:
    return wire.VoteView(
        agent_id=vote.agent, statement=vote.statement, agrees=vote.agrees, at=vote.at
    )
