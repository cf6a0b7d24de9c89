"""`/v1/concepts/…`: extract concepts by hand, archive what they cover, and take that back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from service.http.kernel.body import JsonBody
from service.http.kernel.errors import problem_responses
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, view_of
from stratagraph import wire
from stratagraph.operations.episodes import ARCHIVE_COVERED, EXTRACT_CONCEPTS, RESTORE_COVERED

router = APIRouter()

_PROBLEMS = problem_responses(400, 401, 404, 409, 413, 415, 422, 503)


@serves(router, EXTRACT_CONCEPTS)
async def extract_concepts(
    tenant: Tenant,
    body: Annotated[wire.ExtractRequest, Depends(JsonBody(wire.ExtractRequest))],
    service: Bound,
) -> Response:
    done = await service.extract_concepts(caller_of(tenant, body), body.scope_kind)
    view = view_of(wire.ExtractView, done)
    return json_answer(HTTPStatus.OK, view)


@serves(router, ARCHIVE_COVERED)
async def archive_covered(
    tenant: Tenant,
    body: Annotated[wire.ArchiveRequest, Depends(JsonBody(wire.ArchiveRequest))],
    service: Bound,
) -> Response:
    done = await service.archive_covered(
        caller_of(tenant, body), body.scope_kind, concept=body.concept, dry_run=body.dry_run
    )
    view = wire.ArchiveView(
        archived=done.archived, kept=done.kept, concepts=done.concepts, dry_run=body.dry_run
    )
    return json_answer(HTTPStatus.OK, view)


@serves(router, RESTORE_COVERED)
async def restore_covered(
    tenant: Tenant,
    body: Annotated[wire.RestoreRequest, Depends(JsonBody(wire.RestoreRequest))],
    service: Bound,
) -> Response:
    done = await service.restore_covered(
        caller_of(tenant, body), body.scope_kind, concept=body.concept
    )
    return json_answer(HTTPStatus.OK, wire.RestoreView(restored=done.restored, kept=done.kept))
