"""Surprise plugins of agents: attach, observe, read the cognitive system, reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from graph.kernel.events import Event
from graph.kernel.scope import Caller, name_in
from graph.model.strata.config import StrataConfig
from graph.model.strata.plugins import (
    COUNTS,
    IMPORTANT_BESIDE,
    CognitiveSystem,
    MemoryProfile,
    Observation,
    PluginKind,
    PluginSettings,
    PluginState,
    Sensed,
    SurprisePlugin,
)
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import StrataConfigs
from graph.scoring.arousal import is_deliberate, memory_counts
from graph.store.strata.plugins import PluginStore
from service.use_cases.kernel.watched import RecordingUseCase, TimedUseCase, UseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.strata.observing import sense_all


@dataclass(frozen=True, slots=True)
class Observed:
    """Surprise of one observation, and the agent's cognitive system after it."""

    agent_id: str
    attached: bool
    surprise: float
    system: CognitiveSystem
    memory_count: int


@dataclass(frozen=True, slots=True)
class Mind:
    """An agent's cognitive system at an arousal, and the number of memories that it recalls."""

    agent_id: str
    kind: PluginKind | None
    arousal: float
    threshold: float
    system: CognitiveSystem
    profile: MemoryProfile
    memory_count: int
    capacity: int
    important: int = IMPORTANT_BESIDE


@dataclass(frozen=True, slots=True)
class AttachPlugin(TimedUseCase):
    """Attach a surprise plugin to an agent; with the same settings an attached one stays.

    Raises
    ------
    InvalidInputError
        If no agent is named, or a name of its settings identifies a person.
    """

    store: PluginStore
    guard: Guard

    @watched("attach_plugin")
    async def __call__(
        self, caller: Caller, settings: PluginSettings
    ) -> tuple[SurprisePlugin, bool]:
        """Return the plugin, and whether it is new."""
        scope = caller.writable("agent")
        for name in (*settings.scales, *settings.weights):
            self.guard.check_name(caller.tenant, name, "scales")
        return await self.store.attach(scope, settings, self.clock.now())

    async def detach(self, caller: Caller) -> None:
        """Remove the plugin with its state."""
        await self.store.detach(caller.writable("agent"))


@dataclass(frozen=True, slots=True)
class Observe(RecordingUseCase):
    """Update the plugins of agents by observations; without a plugin the surprise is 0.

    The update is atomic. Observations of one agent count in order. Those that switch an agent to SYSTEM_2 are emitted as
    events.

    Raises
    ------
    InvalidInputError
        If no agent is named, or an observation is invalid for the plugin or may not be stored.
    """

    store: PluginStore
    configs: StrataConfigs
    guard: Guard
    events: EventLog = NO_EVENTS

    @watched("observe")
    async def __call__(self, rows: Sequence[tuple[Caller, Observation]]) -> tuple[Observed, ...]:
        """Return the surprise of each observation, in order."""
        tenant = rows[0][0].tenant
        scopes = [caller.writable("agent") for caller, _ in rows]
        given = [dict(observation) for _, observation in rows]
        cleaned: list[Observation] = await self.guard.value(tenant, given, "observation")
        config = self.configs.strata_of(tenant)
        now = self.clock.now()
        sensed_rows = await self.store.learn(
            scopes,
            now,
            lambda plugins: sense_all(plugins, scopes, cleaned, config.surprise_keys),
        )
        self.telemetry.count("observations", sum(each is not None for each in sensed_rows))
        results = tuple(
            _observed(scope, sensed, config)
            for scope, sensed in zip(scopes, sensed_rows, strict=True)
        )
        for scope, observed in zip(scopes, results, strict=True):
            if observed.system == "SYSTEM_2":
                self._emit(scope, observed, now)
        return results

    def _emit(self, scope: str, observed: Observed, now: datetime) -> None:
        data = {"surprise": observed.surprise, "memory_count": observed.memory_count}
        uid, agent = self.identifiers.new_uid(now), observed.agent_id
        self.events.note(Event(uid, "agent:surprised", scope, agent, now, data))


@dataclass(frozen=True, slots=True)
class ReadMind(UseCase):
    """Read the cognitive system of an agent: by its plugin's latest surprise, or at a given arousal.

    Raises
    ------
    InvalidInputError
        If no agent is named.
    """

    store: PluginStore
    configs: StrataConfigs

    @watched("read_mind")
    async def __call__(
        self, caller: Caller, arousal: float | None = None, profile: MemoryProfile | None = None
    ) -> Mind:
        """Return the cognitive system, and the number of memories."""
        plugin = await self.plugin(caller)
        config = self.configs.strata_of(caller.tenant)
        felt = plugin.state.arousal if plugin else 0.0
        arousal = felt if arousal is None else arousal
        profile = profile or config.memory_profile
        return Mind(
            agent_id=caller.agent_id or "",
            kind=plugin.settings.kind if plugin else None,
            arousal=arousal,
            threshold=config.arousal_threshold,
            system=system_at(arousal, config),
            profile=profile,
            memory_count=memory_count(arousal, profile),
            capacity=COUNTS[profile].capacity,
        )

    async def plugin(self, caller: Caller) -> SurprisePlugin | None:
        """Read the agent's plugin with its state; None if none is attached."""
        scope = caller.writable("agent")
        return (await self.store.attached([scope])).get(scope)


@dataclass(frozen=True, slots=True)
class ResetPlugin(TimedUseCase):
    """Reset the state of an agent's plugin; it stays attached.

    Raises
    ------
    InvalidInputError
        If no agent is named.
    """

    store: PluginStore

    @watched("reset_plugin")
    async def __call__(self, caller: Caller) -> None:
        """Reset it; nothing happens without a plugin."""
        await self.store.learn([caller.writable("agent")], self.clock.now(), _reset_states)


def system_at(arousal: float, config: StrataConfig) -> CognitiveSystem:
    """Return the cognitive system at an arousal."""
    [deliberate] = is_deliberate(np.array([arousal]), threshold=config.arousal_threshold)
    return "SYSTEM_2" if deliberate else "SYSTEM_1"


def memory_count(arousal: float, profile: MemoryProfile) -> int:
    """Return the number of memories to recall at an arousal."""
    least, most, _ = COUNTS[profile]
    return int(memory_counts(np.array([arousal]), least=least, most=most)[0])


def _observed(scope: str, sensed: Sensed | None, config: StrataConfig) -> Observed:
    surprise = sensed.surprise if sensed else 0.0
    return Observed(
        agent_id=name_in(scope),
        attached=sensed is not None,
        surprise=surprise,
        system=system_at(surprise, config),
        memory_count=memory_count(surprise, config.memory_profile),
    )


def _reset_states(
    plugins: Mapping[str, SurprisePlugin],
) -> tuple[None, Mapping[str, PluginState]]:
    return None, dict.fromkeys(plugins, PluginState())
