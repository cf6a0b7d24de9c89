"""`/v1/concepts/…`: extract concepts, archive covered attempts, and restore them."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.episodes import ARCHIVE_COVERED, EXTRACT_CONCEPTS, RESTORE_COVERED

router = APIRouter()


@serves(router, EXTRACT_CONCEPTS)
async def extract_concepts(
    caller: Caller, body: wire.ExtractRequest, service: Bound
) -> wire.ExtractView:
    done = await service.extract_concepts(caller, body.scope_kind)
    return view_of(wire.ExtractView, done)


@serves(router, ARCHIVE_COVERED)
async def archive_covered(
    caller: Caller, body: wire.ArchiveRequest, service: Bound
) -> wire.ArchiveView:
    done = await service.archive_covered(
        caller, body.scope_kind, concept=body.concept, dry_run=body.dry_run
    )
    return view_of(wire.ArchiveView, done, dry_run=body.dry_run)


@serves(router, RESTORE_COVERED)
async def restore_covered(
    caller: Caller, body: wire.RestoreRequest, service: Bound
) -> wire.RestoreView:
    done = await service.restore_covered(caller, body.scope_kind, concept=body.concept)
    return view_of(wire.RestoreView, done)
