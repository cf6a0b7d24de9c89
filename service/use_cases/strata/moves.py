"""Manual moves between strata: named memories, or proven ones; runs can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph.kernel.errors import ConflictError, NotFoundError
from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.kernel.values import Stratum
from graph.model.strata.config import StrataConfig
from graph.model.strata.gates import StratumRows, Transition
from graph.model.strata.moves import Moved, MoveDirection, Place, Proven, Refusal
from graph.ports.utility import StrataConfigs
from graph.scoring.gates import weights_now
from graph.scoring.retention import promotion_scores
from graph.store.strata.moves import PlaceStore
from graph.store.strata.store import StrataStore
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched
from service.use_cases.strata.gates import (
    MakeRoom,
    active_strata,
    columns_of,
    count_moves,
    days_of,
    new_run,
    policy_of,
)

_STEPS = {"promote": 1, "demote": -1}
_UNKNOWN = "no such memory in this scope"
_CHANGED = "it was changed meanwhile: ask again"


@dataclass(frozen=True, slots=True)
class Mover(RecordingUseCase):
    """Plans and carries out manual moves, in one scope and one transaction."""

    strata: StrataStore
    places: PlaceStore
    room: MakeRoom
    configs: StrataConfigs

    async def move(
        self,
        scope: str,
        places: Sequence[Place],
        direction: MoveDirection | None,
        to: Stratum | None,
        *,
        proven: Proven | None = None,
        dry_run: bool,
    ) -> Moved:
        """Move memories one stratum, or to a named one; with ``dry_run`` only plan it.

        Without a direction the named stratum decides whether a memory is promoted or demoted.
        """
        config = active_strata(self.configs, tenant_of(scope))
        now = self.clock.now()
        names = {place.uid: place.name for place in places if not _why_fixed(place)}
        refused = [Refusal(each.name, why) for each in places if (why := _why_fixed(each))]
        moves: list[Transition] = []
        for stratum, rows in (await self.places.rows(scope, list(names))).items():
            way = direction or _direction_to(config.order, stratum, to)
            target = _target(config.order, stratum, way, to)
            why = None if target else _why_impossible(stratum, way, to)
            if why is None and target is not None:
                planned, late = self._plan(rows, (stratum, target), way, config, proven, now)
                moves += planned
                refused += [Refusal(names[uid], _why_expired(target)) for uid in late]
            else:
                refused += [Refusal(names[uid], why or "") for uid in rows.uids]
        if dry_run or not moves:
            return Moved(scope, tuple(moves), tuple(refused))
        return await self._carry_out(scope, moves, refused, names, config, now)

    def _plan(
        self,
        rows: StratumRows,
        way: tuple[Stratum, Stratum],
        direction: MoveDirection,
        config: StrataConfig,
        proven: Proven | None,
        now: datetime,
    ) -> tuple[list[Transition], list[str]]:
        stratum, target = way
        policy, there = policy_of(config, stratum), policy_of(config, target)
        columns = columns_of(rows)
        weight, _ = weights_now(columns, policy, now=days_of(now))
        score = promotion_scores(rows.importance, rows.surprise, weight)
        # retention counts from the recording: a memory older than that would expire at once
        over = days_of(now) >= rows.counted_from + there.retention
        moves = [
            Transition(
                uid=self.identifiers.new_uid(now),
                memory_uid=uid,
                revision=rows.revisions[i],
                action=direction,
                reason="asked",
                measured=float(score[i] if proven is None else rows.utility[i]),
                limit=0.0 if proven is None else proven.min_q,
                weight=float(weight[i]),
                score=float(score[i]),
                from_stratum=stratum,
                to_stratum=target,
                to_state="active",
            )
            for i, uid in enumerate(rows.uids)
            if direction == "demote" or not over[i]
        ]
        late = [uid for i, uid in enumerate(rows.uids) if direction == "promote" and over[i]]
        return moves, late

    async def _carry_out(
        self,
        scope: str,
        moves: Sequence[Transition],
        refused: Sequence[Refusal],
        names: dict[str, str],
        config: StrataConfig,
        now: datetime,
    ) -> Moved:
        looked = [s for s in config.order if any(move.from_stratum == s for move in moves)]
        run = new_run(scope, "hand", looked, now, config, self.identifiers)
        run = await self.strata.move_at_once(run, moves, now, None)
        count_moves(run.counts, self.telemetry)
        # read back: memories changed meanwhile were not moved
        done = {move.memory_uid for move in await self.strata.moves(run.uid, len(moves))}
        missed = [Refusal(names[m.memory_uid], _CHANGED) for m in moves if m.memory_uid not in done]
        await self.room({(scope, move.to_stratum) for move in moves}, now, None)
        moved = tuple(move for move in moves if move.memory_uid in done)
        return Moved(scope, moved, (*refused, *missed), run)


@dataclass(frozen=True, slots=True)
class MoveMemories(UseCase):
    """Move named memories up or down, one stratum or to a named one; a run that can be undone.

    Raises
    ------
    InvalidInputError
        If the scope is not clear.
    ConflictError
        If the strata are switched off for the tenant.
    """

    mover: Mover

    @watched("move_memories")
    async def __call__(
        self,
        caller: Caller,
        names: Sequence[str],
        direction: MoveDirection | None,
        to: Stratum | None = None,
        *,
        scope_kind: ScopeKind | None = None,
        dry_run: bool = False,
    ) -> Moved:
        """Return the moved memories, and the refused ones with reasons."""
        scope = caller.writable(scope_kind)
        found = await self.mover.places.named(scope, list(dict.fromkeys(names)))
        places = {place.uid: place for place in found}
        moved = await self.mover.move(scope, [*places.values()], direction, to, dry_run=dry_run)
        known = {place.name for place in found}
        unknown = (Refusal(name, _UNKNOWN) for name in dict.fromkeys(names) if name not in known)
        return Moved(scope, moved.moves, (*moved.refused, *unknown), moved.run)


@dataclass(frozen=True, slots=True)
class PromoteProven(UseCase):
    """Promote proven memories: enough successes and a high enough Q.

    Raises
    ------
    InvalidInputError
        If the scope is not clear.
    NotFoundError
        If there is no task of that name.
    ConflictError
        If the task has not ended in a success, or the strata are switched off for the tenant.
    """

    mover: Mover

    @watched("promote_proven")
    async def __call__(
        self,
        caller: Caller,
        asked: Proven,
        to: Stratum | None = None,
        *,
        scope_kind: ScopeKind | None = None,
        dry_run: bool = True,
    ) -> Moved:
        """Return the moves, carried out unless ``dry_run``."""
        scope = caller.writable(scope_kind)
        config = active_strata(self.mover.configs, caller.tenant)
        if not asked.strata:
            asked = replace(asked, strata=config.below("long_term"))
        if asked.task_id is not None:
            await self._check_success(caller.home, asked.task_id)
        uids = await self.mover.places.proven(scope, caller.home, asked)
        places = await self.mover.places.named(scope, uids)
        return await self.mover.move(scope, places, "promote", to, proven=asked, dry_run=dry_run)

    async def _check_success(self, home: str, task_id: str) -> None:
        known, status = await self.mover.places.outcome(home, task_id)
        if not known:
            raise NotFoundError("no such task of this caller")
        if status != "success":
            ended = "has not ended" if status is None else f"ended as {status}"
            raise ConflictError(f"the task {ended}: only a success promotes what it was given")


def _why_fixed(place: Place) -> str:
    """Return why a memory cannot move; empty if it can."""
    if place.shared:
        return "it is published in this channel and follows its original: move that"
    return "" if place.state == "active" else "it is archived"


def _direction_to(order: Sequence[Stratum], stratum: Stratum, to: Stratum | None) -> MoveDirection:
    known = to in order and stratum in order
    return "demote" if known and order.index(to) < order.index(stratum) else "promote"


def _target(
    order: Sequence[Stratum], stratum: Stratum, direction: MoveDirection, to: Stratum | None
) -> Stratum | None:
    """Return the target of a move; None if there is none."""
    if stratum not in order or (to is not None and to not in order):
        return None
    step, here = _STEPS[direction], order.index(stratum)
    there = here + step if to is None else order.index(to)
    return order[there] if 0 <= there < len(order) and (there - here) * step > 0 else None


def _why_impossible(stratum: Stratum, direction: MoveDirection, to: Stratum | None) -> str:
    if to == stratum:
        return f"it is in {stratum} already"
    side = "above" if direction == "promote" else "below"
    return f"it is in {stratum}, and {to or 'nothing'} is {'not ' if to else ''}{side} that"


def _why_expired(stratum: Stratum) -> str:
    return f"its time in {stratum} is over too: name a stratum that keeps it longer"
