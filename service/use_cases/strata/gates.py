"""Gates of the strata: promotion, demotion, eviction and expiry, with undo."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import inf

import numpy as np

from graph.kernel.errors import ConflictError, LeaseLostError
from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.kernel.values import Stratum
from graph.model.memories.links import Lease
from graph.model.strata.config import StrataConfig
from graph.model.strata.gates import (
    Gated,
    GatePlan,
    GateRun,
    StratumRows,
    Transition,
    TransitionAction,
    TransitionReason,
)
from graph.ports.telemetry import Telemetry
from graph.ports.utility import StrataConfigs
from graph.ports.world import Identifiers
from graph.scoring.gates import Action, Reason, StratumColumns, Verdicts, making_room, verdicts
from graph.scoring.relevance import Flags
from graph.scoring.retention import importance_share
from graph.scoring.stores import consolidates
from graph.scoring.strata import POLICIES, Eviction, StratumPolicy
from graph.store.strata.store import StrataStore
from service.use_cases.kernel.runs import find_run
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched

_log = logging.getLogger("stratagraph.strata")

MOVED_AT_ONCE = 1000  # memories in one transaction
UNKNOWN_GATE_RUN = "no such run of the gates in the scopes of this caller"
Decided = dict["Stratum", "tuple[list[Transition], int]"]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)

_SMART: Mapping[Stratum, Eviction] = {
    "working": "consolidated",
    "long_term": "importance",
    "semantic": "importance",
}
_ACTIONS: Mapping[Action, TransitionAction] = {
    Action.PROMOTE: "promote",
    Action.DEMOTE: "demote",
    Action.CONDENSE: "promote",  # as it is, where nothing is gained from saying it shorter
    Action.ARCHIVE: "archive",
    Action.PURGE: "purge",
}
_REASONS: Mapping[Reason, TransitionReason] = {
    Reason.SCORE_REACHED: "score_reached",
    Reason.SCORE_TOO_LOW: "score_too_low",
    Reason.TIME_OVER: "time_over",
    Reason.TIME_OVER_FADED: "time_over",
    Reason.OVER_CAPACITY: "over_capacity",
    Reason.OVER_CAPACITY_EVIDENCE: "over_capacity_evidence",
}


def active_strata(configs: StrataConfigs, tenant: str) -> StrataConfig:
    """Return the configuration of strata, if they are switched on.

    Raises
    ------
    ConflictError
        If they are switched off for the tenant.
    """
    config = configs.strata_of(tenant)
    if not config.strata:
        raise ConflictError("strata are switched off: set `strata` to true first")
    return config


def policy_of(config: StrataConfig, stratum: Stratum) -> StratumPolicy:
    """Return the policy of a stratum with the settings of a tenant."""
    kin = config.kin(stratum)
    terms, usual = config.terms(stratum), POLICIES[kin]
    sinks = config.demotion_threshold if usual.demote_below else 0.0
    return replace(
        usual,
        retention=inf if terms.retention is None else terms.retention / _DAY,
        capacity=inf if terms.capacity is None else terms.capacity,
        base_rate=terms.decay,
        update_every=terms.every,
        # not below the demotion threshold, or a memory would be promoted and demoted in turn
        promote_at=max(config.auto_promotion_threshold, sinks) if usual.promote_at < inf else inf,
        demote_below=sinks,
        purge=config.expired,
        eviction=_SMART.get(kin, "score") if config.eviction == "smart" else "score",
    )


def days_of(at: datetime) -> float:
    """Return a time in days since 1970."""
    return (at - _EPOCH) / _DAY


@dataclass(frozen=True, slots=True)
class Gates:
    """Plans the moves of a stratum in its present state."""

    store: StrataStore
    configs: StrataConfigs
    identifiers: Identifiers

    async def decide(
        self, scope: str, stratum: Stratum, now: datetime, *, crowded: bool = False
    ) -> tuple[list[Transition], int]:
        """Return the moves, and how many memories were examined; ``crowded``: only what exceeds the capacity."""
        config = self.configs.strata_of(tenant_of(scope))
        rows = await self.store.rows(scope, stratum, put=config.counts_put(stratum))
        if not len(rows):
            return [], 0
        policy = policy_of(config, stratum)
        judge = making_room if crowded else verdicts
        columns = replace(columns_of(rows), passes=passing(rows, stratum, config))
        verdict = judge(columns, policy, now=days_of(now))
        moving = np.flatnonzero(verdict.action != Action.KEEP)
        of = stratum, policy, config
        return [self._move(rows, verdict, int(i), of, now) for i in moving], len(rows)

    async def of(self, scope: str, strata: Sequence[Stratum], now: datetime) -> Decided:
        """Decide for several strata, the top one first."""
        order = self.configs.strata_of(tenant_of(scope)).order
        ordered = [stratum for stratum in reversed(order) if stratum in strata]
        decided = await asyncio.gather(*(self.decide(scope, stratum, now) for stratum in ordered))
        return dict(zip(ordered, decided, strict=True))

    def _move(
        self,
        rows: StratumRows,
        verdict: Verdicts,
        i: int,
        of: tuple[Stratum, StratumPolicy, StrataConfig],
        now: datetime,
    ) -> Transition:
        stratum, policy, config = of
        action = _ACTIONS[Action(verdict.action[i])]
        if action in {"archive", "purge"} and policy.purge == "delete":
            action = "delete"
        return Transition(
            uid=self.identifiers.new_uid(now),
            memory_uid=rows.uids[i],
            revision=rows.revisions[i],
            action=action,
            reason=_REASONS[Reason(verdict.reason[i])],
            measured=float(verdict.measured[i]),
            limit=float(verdict.limit[i]),
            weight=float(verdict.weight[i]),
            score=float(verdict.score[i]),
            from_stratum=stratum,
            to_stratum=_destination(config, stratum, action),
            to_state="active" if action in {"promote", "demote"} else "archived",
            flagged=bool(verdict.flagged[i]),
        )


def _destination(config: StrataConfig, stratum: Stratum, action: TransitionAction) -> Stratum:
    steps = {"promote": 1, "demote": -1}
    return config.next_to(stratum, steps.get(action, 0)) or stratum


def columns_of(rows: StratumRows) -> StratumColumns:
    """Return one scope's memories as columns for the gates."""
    size = len(rows)
    return StratumColumns(
        owner=np.zeros(size, dtype=np.int64),
        initial=rows.initial,
        anchored_at=rows.anchored_at,
        grace_until=rows.grace_until,
        counted_from=rows.counted_from,
        entered_at=rows.entered_at,
        importance=rows.importance,
        accesses=rows.accesses,
        utility=rows.utility,
        surprise=rows.surprise,
        evidence=rows.evidence,
        asked=rows.asked,
    )


@dataclass(frozen=True, slots=True)
class RunGates(RecordingUseCase):
    """Plan the gate run of one scope, or carry it out.

    Raises
    ------
    InvalidInputError
        If the scope is not clear.
    ConflictError
        If the strata are switched off for the tenant.
    NotFoundError
        If an erasure removed the run meanwhile.
    """

    store: StrataStore
    gates: Gates

    @watched("run_gates")
    async def __call__(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None = None,
        *,
        dry_run: bool = True,
        limit: int = 100,
    ) -> Gated:
        """Return the plan with the first ``limit`` moves, and the run unless it is dry.

        Memories moved into a full stratum displace the lowest scores there, in a run of its own.
        """
        scope = caller.writable(scope_kind)
        config = active_strata(self.gates.configs, caller.tenant)
        now = self.clock.now()
        decided = await self.gates.of(scope, config.order, now)
        plan = plan_of(decided, limit)
        if dry_run:
            return Gated(scope, plan)
        run = new_run(scope, "hand", config.order, now, config, self.identifiers)
        # or the run that is already active in the scope
        run = await self.store.begin(run, None)
        room = MakeRoom(self.store, self.gates, telemetry=self.telemetry)
        await carry_out(room, run, decided, now, None)
        return Gated(scope, plan, await find_run(self.store, caller, run.uid, UNKNOWN_GATE_RUN))


def plan_of(decided: Decided, limit: int) -> GatePlan:
    """Return the plan of some decisions, with the first ``limit`` moves."""
    moves = [move for found, _ in decided.values() for move in found]
    looked = sum(held for _, held in decided.values())
    return GatePlan(tuple(moves[:limit]), looked, Counter(move.action for move in moves))


def new_run(
    scope: str,
    by: str,
    strata: Sequence[Stratum],
    now: datetime,
    config: StrataConfig,
    identifiers: Identifiers,
) -> GateRun:
    """Return a new run of the gates over some strata."""
    until = now + timedelta(days=config.undo_days)
    return GateRun(identifiers.new_uid(now), scope, by, "running", now, until, tuple(strata))


async def carry_out(
    room: MakeRoom, run: GateRun, decided: Decided, now: datetime, lease: Lease | None
) -> None:
    """Carry out decided moves in batches; an interrupted run decides anew."""
    for moves, _ in decided.values():
        await move_all(room.store, run.scope, run.uid, moves, now, lease, room.telemetry)
    await room.store.finish(run.uid, plan_of(decided, 0).looked, now, lease)
    moved = (move for moves, _ in decided.values() for move in moves)
    # after the run: capacity evictions are runs of their own
    await room(arrivals(run.scope, moved), now, lease)


def arrivals(scope: str, moves: Iterable[Transition]) -> set[tuple[str, Stratum]]:
    """Return the scopes and strata that memories moved into."""
    return {(scope, move.to_stratum) for move in moves if move.to_state == "active"}


async def move_all(
    store: StrataStore,
    scope: str,
    run_uid: str,
    moves: Sequence[Transition],
    now: datetime,
    lease: Lease | None,
    telemetry: Telemetry,
) -> None:
    """Move memories in batches, and count them."""
    for batch in _batches(moves):
        count_moves(await store.move(scope, run_uid, batch, now, lease), telemetry)


def _batches(moves: Sequence[Transition]) -> Iterator[Sequence[Transition]]:
    """Yield batches of moves; deletions separately, as they lock sessions before memories."""
    deleted = [move for move in moves if move.action == "delete"]
    for going in ([move for move in moves if move.action != "delete"], deleted):
        for start in range(0, len(going), MOVED_AT_ONCE):
            yield going[start : start + MOVED_AT_ONCE]


def count_moves(done: Mapping[str, int], telemetry: Telemetry) -> None:
    """Count moves by action."""
    for action, number in done.items():
        telemetry.count("moves", number, action=action)


@dataclass(frozen=True, slots=True)
class MakeRoom(UseCase):
    """Capacity eviction: move the lowest scores out of a stratum as soon as a memory enters a full one.

    The entering memory is stored already: a failure is logged and counted, and the next memory or the next run of the
    gates evicts.
    """

    store: StrataStore
    gates: Gates

    @watched("make_room")
    async def __call__(
        self, places: Collection[tuple[str, Stratum]], now: datetime, lease: Lease | None
    ) -> None:
        """Evict from each (scope, stratum) that was written to.

        Raises
        ------
        LeaseLostError
            If the worker has lost its lease; the next one evicts.
        """
        try:
            await self._make_room(places, now, lease)
        except LeaseLostError:
            raise
        except Exception:  # noqa: BLE001 - the entering memory is stored, whatever fails here
            self.telemetry.count("room_failures")
            _log.exception("no room could be made", extra={"action": "make_room"})

    async def _make_room(
        self, places: Collection[tuple[str, Stratum]], now: datetime, lease: Lease | None
    ) -> None:
        crowded = set(places)
        while crowded:  # ends: a moved memory is too new in its stratum to be moved back
            scope, stratum = min(crowded)
            crowded.remove((scope, stratum))
            moves = await self._displace(scope, stratum, now, lease)
            crowded |= arrivals(scope, moves)

    async def _displace(
        self, scope: str, stratum: Stratum, now: datetime, lease: Lease | None
    ) -> Sequence[Transition]:
        """Evict what exceeds the capacity, in runs that can be undone; return the moves."""
        config = self.gates.configs.strata_of(tenant_of(scope))
        capacity = config.terms(stratum).capacity
        if not config.strata or capacity is None:
            return ()
        put = config.counts_put(stratum)
        # counted first: mostly the capacity suffices, and nothing else is read
        if await self.store.count(scope, stratum, put=put) <= capacity:
            return ()
        moves, looked = await self.gates.decide(scope, stratum, now, crowded=True)
        for batch in _batches(moves):
            run = new_run(scope, "room", [stratum], now, config, self.gates.identifiers)
            run = await self.store.move_at_once(replace(run, looked=looked), batch, now, lease)
            count_moves(run.counts, self.telemetry)
        return moves


def passing(rows: StratumRows, stratum: Stratum, config: StrataConfig) -> Flags | None:
    """Return which memories of `working` pass the consolidation gate; None without a gate."""
    if stratum != "working" or not config.gates_working:
        return None
    pairs = zip(rows.uids, rows.importance, strict=True)
    return np.array(
        [passes_gate(uid, float(level), config) for uid, level in pairs], dtype=np.bool_
    )


def passes_gate(uid: str, importance: float, config: StrataConfig) -> bool:
    """Return whether a memory passes the consolidation gate of `working`, reproducibly."""
    # seeded by the uid, so that the draw is reproducible (ADR 52)
    seed = [config.consolidation_seed, *uid.encode()]
    return bool(
        consolidates(
            importance_share(np.array([importance])),
            np.random.default_rng(seed),
            gate=config.consolidation_gate,
            probability=config.consolidation_probability,
        )[0]
    )
