"""`/v1/patches`: repairs of failed reasoning."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.knowledge.ledger import SEPARATOR
from graph.model.cycles.patches import Patch
from service.http.cycles.routes import CycleName, checks_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import uid_of, view_of
from stratagraph import wire
from stratagraph.operations import cycles as operations

router = APIRouter()

PatchName = Annotated[str, uid_of("Its uid.")]


@serves(router, operations.GENERATE_PATCH)
async def generate(cycle: CycleName, caller: Caller, service: Bound) -> wire.PatchView:
    patch = await service.generate_patch(caller, cycle)
    return _view(patch)


@serves(router, operations.LIST_PATCHES)
async def list_patches(
    caller: Caller, asked: wire.PatchesRequest, service: Bound
) -> wire.PatchesAnswer:
    found = await service.read_patches(caller, asked.cycle, asked.state, asked.before, asked.limit)
    return wire.PatchesAnswer(patches=tuple(map(_view, found)))


@serves(router, operations.GET_PATCH)
async def get_patch(patch: PatchName, caller: Caller, service: Bound) -> wire.PatchView:
    return _view(await service.read_patches.one(caller, patch))


@serves(router, operations.APPLY_PATCH)
async def apply(patch: PatchName, caller: Caller, service: Bound) -> wire.PatchView:
    return _view(await service.apply_patch(caller, patch))


@serves(router, operations.VERIFY_PATCH)
async def verify(
    patch: PatchName, caller: Caller, body: wire.VerifyPatchRequest, service: Bound
) -> wire.PatchView:
    done = await service.verify_patch(caller, patch, checks_of(body.checks))
    return _view(done)


def _view(patch: Patch) -> wire.PatchView:
    plan = [
        wire.StepCheckRequest(checker=each.checker, given=dict(each.given)) for each in patch.plan
    ]
    evidence = [
        view_of(wire.EvidenceView, each, uid=each.uid.replace(SEPARATOR, ": "))
        for each in patch.evidence
    ]
    return view_of(wire.PatchView, patch, plan=tuple(plan), evidence=tuple(evidence))
