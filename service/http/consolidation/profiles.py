"""`/v1/profiles/{subject}`: known statements about a subject."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer
from stratagraph import wire
from stratagraph.operations.recall import PROFILE

router = APIRouter()


@serves(router, PROFILE)
async def show_profile(
    tenant: Tenant,
    subject: wire.Name,
    asked: Annotated[wire.ProfileRequest, Query()],
    service: Bound,
) -> Response:
    found = await service.show_profile(
        caller_of(tenant, asked), subject, asked.as_of, asked.max_tokens
    )
    return json_answer(HTTPStatus.OK, wire.ProfileView.model_validate(asdict(found)))
