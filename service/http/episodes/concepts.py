"""`/v1/concepts/…`: extract concepts by hand, archive what they cover, and take that back."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from service.http.kernel.errors import problem_responses
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.episodes import ARCHIVE_COVERED, EXTRACT_CONCEPTS, RESTORE_COVERED

router = APIRouter()

_PROBLEMS = problem_responses(400, 401, 404, 409, 413, 415, 422, 503)


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
    return wire.ArchiveView(
        archived=done.archived, kept=done.kept, concepts=done.concepts, dry_run=body.dry_run
    )


@serves(router, RESTORE_COVERED)
async def restore_covered(
    caller: Caller, body: wire.RestoreRequest, service: Bound
) -> wire.RestoreView:
    done = await service.restore_covered(caller, body.scope_kind, concept=body.concept)
    return wire.RestoreView(restored=done.restored, kept=done.kept)
