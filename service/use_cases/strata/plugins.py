"""Surprise plugins: attach one to an agent, observe, ask how the agent thinks, and begin anew."""

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
    """Surprise of one observation, and how the agent thinks from then on."""

    agent_id: str
    attached: bool
    surprise: float
    system: CognitiveSystem
    memory_count: int


@dataclass(frozen=True, slots=True)
class Mind:
    """System in which an agent thinks at an arousal, and the number of memories that asks for."""

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
    """Attach a surprise plugin to an agent; attached again with the same settings it goes on.

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
        """Return the plugin, and whether it begins anew."""
        scope = caller.writable("agent")
        for name in (*settings.scales, *settings.weights):
            self.guard.check_name(caller.tenant, name, "scales")
        return await self.store.attach(scope, settings, self.clock.now())

    async def detach(self, caller: Caller) -> None:
        """Remove the plugin with what it has learned."""
        await self.store.detach(caller.writable("agent"))


@dataclass(frozen=True, slots=True)
class Observe(RecordingUseCase):
    """Let the plugins of agents observe; an agent without a plugin is surprised by nothing.

    All of it is stored or nothing. Observations of one agent count in the order given. Who listens is told
    of those that take an agent to SYSTEM_2.

    Raises
    ------
    InvalidInputError
        If no agent is named, a plugin cannot observe that, or something of it may not be stored.
    """

    store: PluginStore
    configs: StrataConfigs
    guard: Guard
    events: EventLog = NO_EVENTS

    @watched("observe")
    async def __call__(self, rows: Sequence[tuple[Caller, Observation]]) -> tuple[Observed, ...]:
        """Return how surprising each observation is, in the order given."""
        tenant = rows[0][0].tenant
        scopes = [caller.writable("agent") for caller, _ in rows]
        given = [dict(observation) for _, observation in rows]
        cleaned: list[Observation] = await self.guard.value(tenant, given, "observation")
        config = self.configs.strata_of(tenant)
        now = self.clock.now()
        found = await self.store.learn(
            scopes,
            now,
            lambda plugins: sense_all(plugins, scopes, cleaned, config.surprise_keys),
        )
        self.telemetry.count("observations", sum(each is not None for each in found))
        told = tuple(
            _observed(scope, sensed, config) for scope, sensed in zip(scopes, found, strict=True)
        )
        for scope, observed in zip(scopes, told, strict=True):
            if observed.system == "SYSTEM_2":
                self._tell(scope, observed, now)
        return told

    def _tell(self, scope: str, observed: Observed, now: datetime) -> None:
        data = {"surprise": observed.surprise, "memory_count": observed.memory_count}
        uid, agent = self.identifiers.new_uid(now), observed.agent_id
        self.events.note(Event(uid, "agent:surprised", scope, agent, now, data))


@dataclass(frozen=True, slots=True)
class ReadMind(UseCase):
    """Read how an agent thinks: by its plugin's latest surprise, or at an arousal that is given.

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
        """Return the system in which the agent thinks, and how many memories it is given."""
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
        """Read the agent's plugin with what it has learned; None where none is attached."""
        scope = caller.writable("agent")
        return (await self.store.attached([scope])).get(scope)


@dataclass(frozen=True, slots=True)
class ResetPlugin(TimedUseCase):
    """Let the plugin of an agent forget what it has learned; it stays attached.

    Raises
    ------
    InvalidInputError
        If no agent is named.
    """

    store: PluginStore

    @watched("reset_plugin")
    async def __call__(self, caller: Caller) -> None:
        """Begin anew; without a plugin there is nothing to do."""
        await self.store.learn([caller.writable("agent")], self.clock.now(), _begun_anew)


def system_at(arousal: float, config: StrataConfig) -> CognitiveSystem:
    """Return the system in which an agent thinks at an arousal."""
    [deliberate] = is_deliberate(np.array([arousal]), threshold=config.arousal_threshold)
    return "SYSTEM_2" if deliberate else "SYSTEM_1"


def memory_count(arousal: float, profile: MemoryProfile) -> int:
    """Return how many memories an agent is given at an arousal."""
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


def _begun_anew(
    plugins: Mapping[str, SurprisePlugin],
) -> tuple[None, Mapping[str, PluginState]]:
    return None, dict.fromkeys(plugins, PluginState())
