"""`/v1/profiles/{subject}`: known statements about a subject."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.recall import PROFILE

router = APIRouter()


@serves(router, PROFILE)
async def show_profile(
    caller: Caller, subject: wire.Name, asked: wire.ProfileRequest, service: Bound
) -> wire.ProfileView:
    found = await service.show_profile(caller, subject, asked.as_of, asked.max_tokens)
    return view_of(wire.ProfileView, found)
