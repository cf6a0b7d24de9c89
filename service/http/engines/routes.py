"""`/v1/engines`: by which law memories are recalled, for a tenant and by types of agents."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from graph.kernel.scope import Caller
from graph.model.engines.config import AgentEngine
from service.http.engines.yaml_text import read_yaml
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer
from service.http.utility.config import EnteredBy, changes_answer
from service.use_cases.engines.configure import EnginesInForce
from stratagraph import wire
from stratagraph.operations.recall import APPLY_ENGINES, ENGINE_CHANGES, ENGINES, RESET_ENGINES

router = APIRouter()


@serves(router, ENGINES)
async def show_engines(tenant: Tenant, service: Bound) -> Response:
    return _answer(await service.configure_engines(tenant))


@serves(router, APPLY_ENGINES)
async def apply_engines(
    caller: Caller, body: wire.ApplyEnginesRequest, door: EnteredBy, service: Bound
) -> Response:
    config = body.config if body.yaml is None else read_yaml(body.yaml).data
    return _answer(await service.configure_engines.apply(caller, config or {}, door=door))


@serves(router, RESET_ENGINES)
async def reset_engines(caller: Caller, door: EnteredBy, service: Bound) -> Response:
    return _answer(await service.configure_engines.reset(caller, door=door))


@serves(router, ENGINE_CHANGES)
async def list_engine_changes(
    tenant: Tenant, asked: wire.ConfigChangesRequest, service: Bound
) -> Response:
    page = await service.list_engine_changes(tenant, limit=asked.limit, cursor=asked.cursor)
    return changes_answer(page)


def _answer(found: EnginesInForce) -> Response:
    engines = found.engines
    view = wire.EnginesView(
        version=found.version,
        changed_at=found.changed_at,
        config=dict(found.said),
        agent_types=tuple(
            wire.AgentTypeView(name=each.name, agents=each.agents, **_settings(each.engine))
            for each in engines.types
        ),
        **_settings(engines.engine),
    )
    return json_answer(HTTPStatus.OK, view)


def _settings(engine: AgentEngine) -> dict[str, Any]:
    values = asdict(engine.config)
    return {
        "engine": values.pop("engine"),
        "settings": values,
        "emotion_keywords": dict(engine.emotions),
        "source_patterns": dict(engine.sources),
    }
