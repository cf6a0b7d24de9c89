"""`/v1/arousal`: surprise plugins of agents, their observations, and the cognitive system in use."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, name_in
from graph.model.strata.plugins import PluginSettings, SurprisePlugin
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of, views_of
from stratagraph import wire
from stratagraph.operations import arousal as operations

router = APIRouter()


@serves(router, operations.ATTACH_SURPRISE)
async def attach(caller: Caller, body: wire.PluginRequest, service: Bound) -> wire.PluginView:
    plugin, begun = await service.attach_plugin(caller, value_of(PluginSettings, body))
    return wire.PluginView(
        agent_id=name_in(plugin.scope),
        kind=plugin.settings.kind,
        observations=plugin.state.observations,
        attached_at=plugin.attached_at,
        begun=begun,
    )


@serves(router, operations.DETACH_SURPRISE)
async def detach(caller: Caller, service: Bound) -> None:
    await service.attach_plugin.detach(caller)


@serves(router, operations.OBSERVE)
async def observe(caller: Caller, body: wire.ObserveRequest, service: Bound) -> wire.ObservedView:
    [found] = await service.observe([(caller, body.observation)])
    return view_of(wire.ObservedView, found)


@serves(router, operations.OBSERVE_MANY)
async def observe_many(
    tenant: Tenant, body: wire.ObserveManyRequest, service: Bound
) -> wire.ObservedManyView:
    rows = [(_caller(tenant, body, row), row.observation) for row in body.rows]
    found = await service.observe(rows)
    return wire.ObservedManyView(results=views_of(wire.ObservedView, found))


@serves(router, operations.GET_COGNITIVE_SYSTEM)
async def cognitive_system(
    caller: Caller, asked: wire.MindRequest, service: Bound
) -> wire.MindView:
    mind = await service.read_mind(caller, asked.arousal, asked.profile)
    return view_of(wire.MindView, mind, plugin=mind.kind, working_capacity=mind.capacity)


@serves(router, operations.RESET_SURPRISE)
async def reset(caller: Caller, service: Bound) -> None:
    await service.reset_plugin(caller)


@serves(router, operations.GET_SURPRISE_TRACE)
async def trace(caller: Caller, service: Bound) -> wire.TraceAnswer:
    plugin = await service.read_mind.plugin(caller)
    return wire.TraceAnswer(trace=plugin and _trace(plugin))


def _caller(tenant: str, body: wire.ObserveManyRequest, row: wire.ObservationRow) -> Caller:
    if row.agent_id is None:
        return caller_of(tenant, body)
    return Caller(tenant, row.agent_id)


def _trace(plugin: SurprisePlugin) -> wire.PluginTraceView:
    state, kind = plugin.state, plugin.settings.kind
    actions = {key[0]: count for key, count in state.counts.items()} if kind == "decision" else {}
    return view_of(
        wire.PluginTraceView,
        state,
        kind=kind,
        known=len(state.means) + len(state.counts) + len(state.pairs),
        actions=actions,
        latest=views_of(wire.SensedView, reversed(state.latest)),
        attached_at=plugin.attached_at,
        observed_at=plugin.observed_at,
    )
