"""`/v1/engines`: the ranking law of a tenant's recalls, and of its types of agents."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.engines.config import AgentEngine
from service.http.engines.yaml_text import read_yaml
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.utility.config import EnteredBy, changes_view
from service.use_cases.engines.configure import EnginesInForce
from stratagraph import wire
from stratagraph.operations.recall import APPLY_ENGINES, ENGINE_CHANGES, ENGINES, RESET_ENGINES

router = APIRouter()


@serves(router, ENGINES)
async def show_engines(tenant: Tenant, service: Bound) -> wire.EnginesView:
    return _view(await service.configure_engines(tenant))


@serves(router, APPLY_ENGINES)
async def apply_engines(
    caller: Caller, body: wire.ApplyEnginesRequest, door: EnteredBy, service: Bound
) -> wire.EnginesView:
    config = body.config if body.yaml is None else read_yaml(body.yaml).data
    return _view(await service.configure_engines.apply(caller, config or {}, door=door))


@serves(router, RESET_ENGINES)
async def reset_engines(caller: Caller, door: EnteredBy, service: Bound) -> wire.EnginesView:
    return _view(await service.configure_engines.reset(caller, door=door))


@serves(router, ENGINE_CHANGES)
async def list_engine_changes(
    tenant: Tenant, asked: wire.ConfigChangesRequest, service: Bound
) -> wire.ConfigChangePage:
    page = await service.list_engine_changes(tenant, limit=asked.limit, cursor=asked.cursor)
    return changes_view(page)


def _view(found: EnginesInForce) -> wire.EnginesView:
    engines = found.engines
    return wire.EnginesView(
        version=found.version,
        changed_at=found.changed_at,
        config=dict(found.said),
        agent_types=tuple(
            wire.AgentTypeView(name=each.name, agents=each.agents, **_settings(each.engine))
            for each in engines.types
        ),
        **_settings(engines.engine),
    )


def _settings(engine: AgentEngine) -> dict[str, Any]:
    values = asdict(engine.config)
    return {
        "engine": values.pop("engine"),
        "settings": values,
        "emotion_keywords": dict(engine.emotions),
        "source_patterns": dict(engine.sources),
    }
