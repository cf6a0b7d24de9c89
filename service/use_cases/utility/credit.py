"""Credit assignment along the graph: rewards of the strategies and concepts behind a memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

import numpy as np

from graph.kernel.events import Event
from graph.model.memories.links import Lease
from graph.model.utility.rewards import Credit, Learned, Move, Settlement, Track, Trimming
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import UtilityConfigs
from graph.ports.world import Identifiers
from graph.store.utility.credits import CreditStore
from service.use_cases.utility.replaying import fold
from service.use_cases.utility.rewarding import moved_event, moved_tracks


@dataclass(frozen=True, slots=True)
class ApplyCredits:
    """Apply pending credits to strategies and concepts, oldest first.

    Only this job locks them, so that concurrent outcomes need not wait for each other.
    """

    name = "fold_credits"

    store: CreditStore
    configs: UtilityConfigs
    identifiers: Identifiers
    batch: int
    pause: timedelta
    events: EventLog = NO_EVENTS

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        # by tenant, each with its own settings
        waiting = sorted(await self.store.waiting(self.batch), key=lambda each: each.tenant)
        applied = 0
        for tenant, credits in groupby(waiting, key=lambda each: each.tenant):
            config = self.configs.of(tenant)
            settling = _Settling(self.identifiers, now)
            due = list(credits)
            # switched off since these credits were written
            if not config.contextual_utility:
                due = [replace(credit, contexts=()) for credit in due]
            applied += await self.store.apply(
                # at most as many as a history holds: more could not be folded
                _first_of_each(due, config.q_history_limit),
                settling.settle,
                Trimming(fold, config.q_history_limit),
                lease,
                now,
            )
            self.events.told(*settling.told)
        return applied


class _Settling:
    """Application of one batch of one tenant's credits."""

    def __init__(self, identifiers: Identifiers, now: datetime) -> None:
        self._identifiers = identifiers
        self._now = now
        self.told: tuple[Event, ...] = ()

    def settle(self, locked: Sequence[Learned], credits: Sequence[Credit]) -> Settlement:
        """Apply credits to their memories, in order."""
        # by uid, which is by time: the order affects Q
        in_order = sorted(credits, key=lambda credit: credit.uid)
        entries: list[tuple[str, Move]] = []
        after: list[Move] = []
        told: list[Move] = []
        for memory in locked:
            # credits of a memory that moved to another scope expire (ADR 19)
            due = [c for c in in_order if (c.memory_uid, c.scope) == (memory.uid, memory.scope)]
            if not due:
                continue
            moves = self._apply_credits(memory, due)
            entries += zip((credit.reward_uid for credit in due), moves, strict=True)
            after.append(_merged_move(moves))
            # one event per memory, from before the first credit to after the last
            told.append(replace(moves[-1], before=memory))
        self.told = self._events(told)
        return Settlement(tuple(after), tuple(entries), self.told)

    def _apply_credits(self, memory: Learned, credits: Sequence[Credit]) -> list[Move]:
        moves: list[Move] = []
        for credit in credits:
            move = self._move(memory, credit)
            moves.append(move)
            estimates = {**memory.estimates, **move.estimates}
            # the next credit starts from this state
            memory = replace(memory, track=move.after, seq=move.seq, estimates=estimates)
        return moves

    def _move(self, memory: Learned, credit: Credit) -> Move:
        names = credit.contexts
        birth = memory.track.initial
        known = [memory.estimates.get(name, Track(birth, initial=birth)) for name in names]
        steps = np.array([credit.step] + [credit.context_step] * len(names))
        after, *estimates = moved_tracks([memory.track, *known], credit.target, steps)
        return Move(
            before=memory,
            after=after,
            reward=credit.reward,
            target=credit.target,
            strength=credit.strength,
            step=credit.step,
            share=credit.share,
            via="USED",
            estimates=dict(zip(names, estimates, strict=True)),
            context_step=credit.context_step if names else 0.0,
        )

    def _events(self, moves: Sequence[Move]) -> tuple[Event, ...]:
        events: list[Event] = []
        by_scope = sorted(moves, key=lambda move: (move.before.scope, move.uid))
        for home, each in groupby(by_scope, key=lambda move: move.before.scope):
            name, scope, data = moved_event(home, list(each), "credit")
            uid = self._identifiers.new_uid(self._now)
            events.append(Event(uid, name, scope, "", self._now, data))
        return tuple(events)


def _first_of_each(credits: Sequence[Credit], limit: int) -> list[Credit]:
    """Return the first ``limit`` credits of each memory; later steps apply the others."""
    seen: Counter[str] = Counter()
    kept: list[Credit] = []
    for credit in credits:
        seen[credit.memory_uid] += 1
        if seen[credit.memory_uid] <= limit:
            kept.append(credit)
    return kept


def _merged_move(moves: Sequence[Move]) -> Move:
    """Merge the moves of one memory into its last one."""
    last = moves[-1]
    estimates: Mapping[str, Track] = {
        name: track for move in moves for name, track in move.estimates.items()
    }
    return replace(last, estimates=estimates)
