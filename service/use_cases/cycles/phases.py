"""Cycles of reasoning: open one, enter its phases, abandon it, list and show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graph.kernel.errors import ConflictError, required
from graph.kernel.scope import Caller, tenant_of
from graph.kernel.values import MAX_RESULTS, Phase, Stratum
from graph.model.cycles.cycle import (
    Change,
    Cycle,
    CycleQuery,
    CycleStory,
    GivenMemory,
    Order,
    PhaseVisit,
    Route,
    SimilarAttempts,
    route_of,
)
from graph.model.memories.links import Lease
from graph.model.memories.memory import Memory
from graph.model.recall.candidates import Filters, Recalled
from graph.model.strata.config import StrataConfig
from graph.ports.embedding import EmbeddersInUse
from graph.ports.utility import StrataConfigs, all_strata_configs
from graph.store.cycles.store import CycleStore
from graph.store.memories.store import MemoryStore
from service.use_cases.cycles.rules import WEIGHTS, confidence_of, parts_of
from service.use_cases.kernel.embedding import slot_vector
from service.use_cases.kernel.watched import RecordingUseCase, TimedUseCase, UseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.recall.meaning import Meanings
from service.use_cases.recall.ranking import RULES
from service.use_cases.recall.recall import Recall
from service.use_cases.recall.request import RecallRequest
from service.use_cases.strata.surprising import user_of

UNKNOWN_CYCLE = "no such cycle of this caller"
_NEAREST = 20  # judged attempts that a history is made of
_DEFAULT_RESULTS = 5
_BY_RULES: frozenset[Phase] = frozenset(("reasoning", "planning"))
_ABANDONED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Entered:
    """An entered phase: its visit, the strata it read, and the given memories, the best first."""

    cycle: Cycle
    visit: PhaseVisit
    route: Route
    memories: tuple[tuple[GivenMemory, Memory | Recalled], ...]
    new: bool


def active_config(configs: StrataConfigs, tenant: str) -> StrataConfig:
    """Return the configuration of cycles, if they are switched on.

    Raises
    ------
    ConflictError
        If cycles or strata are switched off for the tenant.
    """
    config = configs.strata_of(tenant)
    if not (config.cycles and config.strata):
        raise ConflictError("cycles are switched off: set `cycles` and `strata` to true first")
    return config


async def find_cycle(store: CycleStore, scopes: Sequence[str], name: str) -> Cycle:
    """Return a cycle of these scopes."""
    return required(await store.find(scopes, name), UNKNOWN_CYCLE)


def check_open(cycle: Cycle) -> None:
    """Refuse to continue an ended cycle."""
    if cycle.state != "open":
        raise ConflictError(f"this cycle is {cycle.state}: open another one")


def touched(cycle: Cycle, config: StrataConfig, now: datetime) -> Cycle:
    """Return a cycle with its times updated."""
    return replace(cycle, touched_at=now, expires_at=now + timedelta(days=config.cycle_days))


@dataclass(frozen=True, slots=True)
class OpenCycle(RecordingUseCase):
    """Open a cycle for a goal; the same name sent twice is one cycle.

    Raises
    ------
    InvalidInputError
        If a name identifies a person, or the goal may not be stored.
    ConflictError
        If cycles are switched off, or the name is of another goal.
    """

    store: CycleStore
    embedders: EmbeddersInUse
    meanings: Meanings
    configs: StrataConfigs
    guard: Guard

    @watched("open_cycle")
    async def __call__(
        self, caller: Caller, goal: str, cycle_id: str | None = None, domain: str | None = None
    ) -> tuple[Cycle, bool]:
        """Return the cycle, and whether it is new."""
        config = active_config(self.configs, caller.tenant)
        if cycle_id is not None:
            self.guard.check_name(caller.tenant, cycle_id, "cycle_id")
        goal = await self.guard.text(caller.tenant, goal, "goal")
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        cycle = Cycle(
            uid=uid,
            scope=caller.home,
            cycle_id=cycle_id or uid,
            goal=goal,
            started_at=now,
            touched_at=now,
            expires_at=now + timedelta(days=config.cycle_days),
            agent_id=caller.agent_id,
            user_id=user_of(caller),
            domain=domain,
            similar=await self._similar(caller, goal, now),
        )
        parts = parts_of(cycle)
        weights = await self.store.weights(cycle.scope) or WEIGHTS
        cycle = replace(cycle, parts=parts, confidence=confidence_of(parts, weights))
        stored, new = await self.store.open(cycle)
        if stored.goal != goal:
            raise ConflictError("this cycle_id stands for a cycle with another goal")
        self.telemetry.count("cycles", state="open" if new else "found")
        return stored, new

    async def _similar(self, caller: Caller, goal: str, now: datetime) -> SimilarAttempts:
        used = self.embedders.reading
        vector = await self.meanings.text(used.embedder, goal)
        # a goal without words has the zero vector
        if not vector.any():
            return SimilarAttempts()
        made = slot_vector(used, vector)
        return await self.store.similar(caller.readable, made, now, _NEAREST)


@dataclass(frozen=True, slots=True)
class EnterPhase(RecordingUseCase):
    """Enter a phase and return its memories; the same key sent twice is one visit.

    The primary strata of the phase are read; the secondary ones if these give too few memories, or if the last surprise asked
    for more context.

    Raises
    ------
    NotFoundError
        If the caller has no such cycle.
    ConflictError
        If it has ended, or cycles are switched off.
    """

    store: CycleStore
    recall: Recall
    memories: MemoryStore
    configs: StrataConfigs

    @watched("enter_phase")
    async def __call__(
        self,
        caller: Caller,
        name: str,
        phase: Phase,
        *,
        key: str | None = None,
        query: str | None = None,
        k: int | None = None,
    ) -> Entered:
        """Return the visit with its memories, the best first."""
        config = active_config(self.configs, caller.tenant)
        cycle = await find_cycle(self.store, [caller.home], name)
        route = route_of(config, phase)
        # before the check: a repeated call gets its visit also after the cycle ended
        if key is not None:
            before = await self.store.visit(cycle, key, caller.readable)
            if before is not None:
                return await self._repeated(caller, cycle, before, config)
        check_open(cycle)
        found = await self._recalled(caller, cycle, phase, route, config, (query, k))
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        given = tuple(
            GivenMemory(one.memory.uid, rank, one.score, order)
            for rank, (order, one) in enumerate(found, start=1)
        )
        visit = PhaseVisit(uid, key or uid, 0, phase, now, given)
        change, new = await self.store.change(
            cycle, visit.key, caller.readable, lambda held: entered(held, visit, config)
        )
        if not new and change.visit is not None:
            return await self._repeated(caller, change.cycle, change.visit, config)
        if change.visit is None:
            raise ConflictError("key: a step has this key already")
        memories = [(g, one) for g, (_, one) in zip(given, found, strict=True)]
        return Entered(change.cycle, change.visit, route, tuple(memories), new=True)

    async def _recalled(
        self,
        caller: Caller,
        cycle: Cycle,
        phase: Phase,
        route: Route,
        config: StrataConfig,
        asked: tuple[str | None, int | None],
    ) -> list[tuple[Order, Recalled]]:
        query, k = asked
        wanted = k or _DEFAULT_RESULTS
        floor = config.cycle_rules_relevance if phase in _BY_RULES else None
        request = RecallRequest(
            caller=caller,
            text=query or cycle.goal,
            phase=phase,
            k=wanted,
            # a phase that reads all strata uses no filter, to include memories without a stratum
            filters=Filters(
                strata=() if set(config.order) <= set(route.primary) else route.primary
            ),
            task_id=cycle.task_id,
            # the floor only applies to the last search, as the first one may omit the rules
            rules_relevance=None if route.secondary else floor,
        )
        first = (await self.recall(request)).results
        found: list[tuple[Order, Recalled]] = [("primary", one) for one in first]
        enough = min(config.cycle_enough, wanted)
        more = await self._needs_context(cycle)
        if route.secondary and (len(first) < enough or more):
            left = wanted if more else wanted - len(first)
            known = {one.memory.uid for one in first}
            # rules are searched again with the floor, which the first search lacked
            rules: list[Stratum] = [
                each for each in route.primary if floor is not None and each in RULES
            ]
            again = [one for one in first if one.memory.stratum in rules]
            second = replace(
                request,
                filters=Filters(strata=(*route.secondary, *rules)),
                # room for repeated results, which are dropped below
                k=min(left + len(again), MAX_RESULTS),
                rules_relevance=floor,
            )
            others = (await self.recall(second)).results
            new = [one for one in others if one.memory.uid not in known][:left]
            found.extend(("secondary", one) for one in new)
        return found

    async def _needs_context(self, cycle: Cycle) -> bool:
        """Return whether the surprise of the last step advised to inject context."""
        if not cycle.scores or not cycle.position:
            return False
        steps = (await self.store.story([cycle.scope], cycle)).steps
        advice = steps[-1].advice if steps else None
        return advice is not None and advice.steer == "INJECT_CONTEXT"

    async def _repeated(
        self, caller: Caller, cycle: Cycle, visit: PhaseVisit, config: StrataConfig
    ) -> Entered:
        """Return an earlier visit with the present state of its memories."""
        read = [(g, await self.memories.get(caller.readable, g.uid)) for g in visit.given]
        memories = tuple((given, memory) for given, memory in read if memory is not None)
        return Entered(cycle, visit, route_of(config, visit.phase), memories, new=False)


def entered(cycle: Cycle, visit: PhaseVisit, config: StrataConfig) -> Change:
    """Return a cycle after entering a phase; an observation reduces the number of due ones."""
    check_open(cycle)
    due = max(0, cycle.due - 1) if visit.phase == "observation" else cycle.due
    position = cycle.position + 1
    cycle = replace(cycle, phase=visit.phase, position=position, due=due)
    return Change(touched(cycle, config, visit.at), visit=replace(visit, position=position))


@dataclass(frozen=True, slots=True)
class AbandonCycle(TimedUseCase):
    """Abandon a cycle without rewards; abandoning twice has no effect.

    Raises
    ------
    NotFoundError
        If the caller has no such cycle.
    ConflictError
        If it was completed.
    """

    store: CycleStore

    @watched("abandon_cycle")
    async def __call__(self, caller: Caller, name: str) -> Cycle:
        """Return the cycle."""
        cycle = await find_cycle(self.store, [caller.home], name)
        now = self.clock.now()

        def decide(held: Cycle) -> Change:
            if held.state == "completed":
                raise ConflictError("this cycle was completed")
            return Change(abandoned(held, now))

        change, _ = await self.store.change(cycle, f"abandon {cycle.uid}", (), decide)
        return change.cycle


def abandoned(cycle: Cycle, now: datetime) -> Cycle:
    """Return an open cycle as abandoned."""
    if cycle.state != "open":
        return cycle
    return replace(cycle, state="abandoned", ended_at=now)


@dataclass(frozen=True, slots=True)
class ReadCycles(UseCase):
    """List cycles of the scopes of a caller, and show one with its visits and steps.

    Raises
    ------
    NotFoundError
        If a requested one does not exist.
    """

    store: CycleStore

    @watched("read_cycles")
    async def __call__(self, query: CycleQuery) -> Sequence[Cycle]:
        """Return the latest, newest first."""
        return await self.store.list(query)

    async def one(self, caller: Caller, name: str) -> CycleStory:
        """Return a cycle with its visits and steps."""
        cycle = await find_cycle(self.store, [caller.home, *caller.readable], name)
        return await self.store.story(caller.readable, cycle)


@dataclass(frozen=True, slots=True)
class TendCycles:
    """Abandon stale open cycles, and remove expired ones."""

    name = "cycles"

    store: CycleStore
    configs: StrataConfigs
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        done = await self._abandon(now)
        return done + await self.store.expire(now, self.batch, lease)

    async def _abandon(self, now: datetime) -> int:
        configs = all_strata_configs(self.configs)
        # one query for all tenants; the limit of each is checked below
        soonest = timedelta(minutes=min(config.cycle_stale_minutes for config in configs))
        number = 0
        for uid, scope in await self.store.stale(now - soonest, _ABANDONED_AT_ONCE):
            config = self.configs.strata_of(tenant_of(scope))
            limit = now - timedelta(minutes=config.cycle_stale_minutes)
            cycle = await self.store.find([scope], uid)
            if cycle is None or cycle.touched_at >= limit:
                continue

            def decide(held: Cycle, limit: datetime = limit) -> Change:
                # it may have been continued since it was read
                return Change(abandoned(held, now) if held.touched_at < limit else held)

            await self.store.change(cycle, f"abandon {uid}", (), decide)
            number += 1
        return number
