"""Outer loop: learn from ended cycles, promote proven memories and archive failing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller, tenant_of
from graph.kernel.values import Floats, Stratum
from graph.model.cycles.cycle import PARTS
from graph.model.cycles.loops import EndedCycle, LoopRule, LoopRun
from graph.model.memories.links import Lease
from graph.model.strata.config import StrataConfig
from graph.model.strata.gates import GateRun, StratumRows, Transition
from graph.ports.utility import StrataConfigs, all_strata_configs
from graph.ports.world import Identifiers
from graph.scoring.cycles import blended, fitted_weights
from graph.store.cycles.loops import LoopStore
from graph.store.cycles.store import CycleStore
from graph.store.strata.moves import PlaceStore
from graph.store.strata.store import StrataStore
from service.use_cases.cycles.phases import active_config
from service.use_cases.cycles.rules import WEIGHTS
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched
from service.use_cases.strata.gates import count_moves, new_run

UNKNOWN_LOOP = "no such outer loop of this caller"
_LOOKED = 1000  # cycles, the latest
_MOVED = 1000  # memories by each rule
_SINCE = timedelta(days=90)
_LEAST_JUDGED = 10  # judged cycles from which weights are learned
_RIDGE = 5.0
_TARGETS: Mapping[LoopRule, Stratum] = {"promote": "long_term", "abstract": "semantic"}
_LIMITS: Mapping[LoopRule, float] = {"promote": 0.7, "abstract": 0.7, "failing": 0.3, "stale": 0.5}


@dataclass(frozen=True, slots=True)
class Looped:
    """Result of an outer loop: its run, and its moves with their rules."""

    run: LoopRun
    moves: tuple[Transition, ...]
    rules: Mapping[str, LoopRule]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class OuterLoop(UseCase):
    """Process the ended cycles of one scope.

    Promotes memories with Q ≥ 0.7 and three successes, abstracts those of ``long_term`` with ten, archives those with Q ≤ 0.3
    and five failures, or unused for thirty days.
    """

    loops: LoopStore
    cycles: CycleStore
    strata: StrataStore
    places: PlaceStore
    configs: StrataConfigs
    identifiers: Identifiers

    async def run(
        self, scope: str, by: str, now: datetime, lease: Lease | None, *, dry_run: bool
    ) -> Looped:
        """Return what was done, or would be."""
        config = self.configs.strata_of(tenant_of(scope))
        ended = await self.loops.ended(scope, now - _SINCE, _LOOKED)
        # the ridge regularises towards the former weights (ADR 58)
        start = np.array(await self.cycles.weights(scope) or WEIGHTS)
        weights, figures = learned_weights(ended, start)
        rising, low = config.below("episodic"), config.below("long_term")
        lasting = [stratum for stratum in config.order[:-1] if stratum not in low]
        rules = await self.loops.rated(scope, now, _MOVED, rising=rising, lasting=lasting)
        rows = await self.places.rows(scope, sorted(rules))
        moves = [
            move
            for stratum, held in rows.items()
            for move in self._moves(stratum, held, rules, config, now)
        ]
        report = {
            **effectiveness(ended),
            "across_strata": [dict(row) for row in await self.loops.related(scope, ended)],
            "confidence": figures,
            "rules": _counted(moves, rules),
        }
        uid = self.identifiers.new_uid(now)
        run = LoopRun(uid, scope, by, "done", now, report, finished_at=now)
        if not dry_run:
            # as a run of the gates, which can be undone (ADR 58)
            moved = await self._move(scope, by, moves, config, now, lease)
            run = replace(run, moved_by=moved and moved.uid)
            # at least 1: a loop without cycles must not be due again at once
            await self.loops.note(run, len(ended) or 1, weights, lease)
        return Looped(run, tuple(moves), rules, dry_run)

    def _moves(
        self,
        stratum: Stratum,
        rows: StratumRows,
        rules: Mapping[str, LoopRule],
        config: StrataConfig,
        now: datetime,
    ) -> list[Transition]:
        moves: list[Transition] = []
        for place, uid in enumerate(rows.uids):
            rule = rules[uid]
            target = _TARGETS.get(rule, stratum)
            if rule in _TARGETS and stratum not in config.below(target):
                continue  # moved meanwhile
            moves.append(
                Transition(
                    uid=self.identifiers.new_uid(now),
                    memory_uid=uid,
                    revision=rows.revisions[place],
                    action="promote" if rule in _TARGETS else "archive",
                    reason="asked",
                    measured=float(rows.utility[place]),
                    limit=_LIMITS[rule],
                    weight=float(rows.initial[place]),
                    score=float(rows.utility[place]),
                    from_stratum=stratum,
                    to_stratum=target,
                    to_state="active" if rule in _TARGETS else "archived",
                )
            )
        return moves

    async def _move(
        self,
        scope: str,
        by: str,
        moves: Sequence[Transition],
        config: StrataConfig,
        now: datetime,
        lease: Lease | None,
    ) -> GateRun | None:
        if not moves:
            return None
        looked = [s for s in config.order if any(m.from_stratum == s for m in moves)]
        run = new_run(scope, by, looked, now, config, self.identifiers)
        done = await self.strata.move_at_once(run, moves, now, lease)
        count_moves(done.counts, self.telemetry)
        return done


def learned_weights(
    ended: Sequence[EndedCycle], start: Floats
) -> tuple[list[float] | None, dict[str, float]]:
    """Fit the weights of a confidence's parts to the outcomes of cycles.

    Return them with figures of the same cycles.
    """
    judged = [one for one in ended if one.status in ("success", "failure")]
    outcomes = np.array([float(one.status == "success") for one in judged])
    # too few outcomes, or all the same
    if len(judged) < _LEAST_JUDGED or outcomes.min() == outcomes.max():
        return None, {"judged": float(len(judged))}
    parts = np.array([[one.parts[name] for name in PARTS] for one in judged])
    weights = fitted_weights(parts, outcomes, start, ridge=_RIDGE)
    predicted = blended(parts, weights)
    return weights.tolist(), {
        "judged": float(len(judged)),
        "brier": float(np.mean((predicted - outcomes) ** 2)),
        "brier_before": float(np.mean((blended(parts, start) - outcomes) ** 2)),
        "brier_base_rate": float(outcomes.var()),
    }


def effectiveness(ended: Sequence[EndedCycle]) -> dict[str, Any]:
    """Return success rates by final mode, last phase, tool and day."""
    tools: dict[str, list[int]] = {}
    for one in ended:
        for tool, (good, calls) in one.tools.items():
            counts = tools.setdefault(tool, [0, 0])
            counts[0] += good
            counts[1] += calls
    return {
        "cycles": len(ended),
        "by_status": dict(Counter(one.status or "abandoned" for one in ended)),
        "by_mode": _rates([(one.mode, one) for one in ended]),
        "by_phase": _rates([(one.phase or "none", one) for one in ended]),
        "by_day": _rates([(one.ended_at.date().isoformat(), one) for one in ended]),
        "by_tool": {
            tool: {"calls": calls, "success": round(good / calls, 4)}
            for tool, (good, calls) in sorted(tools.items())
            if calls
        },
        "repaired": _rates([("repaired", one) for one in ended if one.repairs]),
    }


def _rates(named: Sequence[tuple[str, EndedCycle]]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[bool]] = {}
    for name, one in named:
        if one.status is not None:
            # abandoned cycles have no outcome
            groups.setdefault(name, []).append(one.status == "success")
    return {
        name: {"cycles": len(ends), "success": round(sum(ends) / len(ends), 4)}
        for name, ends in sorted(groups.items())
    }


def _counted(moves: Sequence[Transition], rules: Mapping[str, LoopRule]) -> dict[str, int]:
    return dict(Counter(rules[move.memory_uid] for move in moves))


@dataclass(frozen=True, slots=True)
class RunLoop(TimedUseCase):
    """Run the outer loop of the caller's scope now, or only plan it; list and undo runs.

    Raises
    ------
    NotFoundError
        If a requested run does not exist.
    ConflictError
        If cycles are switched off, or moved memories were changed since.
    """

    loop: OuterLoop
    undo_moves: UndoRun[GateRun]

    @watched("run_loop")
    async def __call__(self, caller: Caller, *, dry_run: bool = True) -> Looped:
        """Return what was done, or would be."""
        active_config(self.loop.configs, caller.tenant)
        now = self.clock.now()
        return await self.loop.run(caller.home, "hand", now, None, dry_run=dry_run)

    async def listed(self, caller: Caller, limit: int) -> Sequence[LoopRun]:
        """Return the latest runs, newest first."""
        return await self.loop.loops.runs(caller.readable, limit)

    async def undone(self, caller: Caller, uid: str, *, skip_changed: bool) -> LoopRun:
        """Undo the moves of a run; its report and the learned weights stay."""
        runs = await self.loop.loops.runs([caller.home], 1, uid)
        if not runs:
            raise NotFoundError(UNKNOWN_LOOP)
        [run] = runs
        if run.moved_by is not None and run.state != "undone":
            await self.undo_moves(caller, run.moved_by, skip_changed=skip_changed)
        await self.loop.loops.set_state(uid, "undone")
        return replace(run, state="undone")


@dataclass(frozen=True, slots=True)
class TendLoops:
    """Run the outer loop of each scope with enough ended cycles."""

    name = "outer_loops"

    loop: OuterLoop
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        configs = self.loop.configs
        intervals = [config.loop_every for config in all_strata_configs(configs)]
        # one query for all tenants; the limit of each is checked below
        soonest = min(filter(None, intervals), default=0)
        if not soonest:
            return 0
        for scope, waiting in await self.loop.loops.waiting(soonest):
            config = configs.strata_of(tenant_of(scope))
            # 0 switches the loop of a tenant off
            if config.cycles and config.strata and 0 < config.loop_every <= waiting:
                await self.loop.run(scope, "worker", now, lease, dry_run=False)
                return 1
        return 0
