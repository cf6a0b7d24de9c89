"""Utility of locked memories: reading it, and writing the changes by a reward."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.events import event_rows
from graph.database.fading import Rates
from graph.database.keys import estimate_uid
from graph.database.rows import to_row
from graph.database.store import Store
from graph.kernel.scope import tenant_of
from graph.model.utility.rewards import Credit, Given, Learned, Lesson, Move, RewardNote, Track
from graph.model.utility.tasks import Reward
from graph.ports.utility import StrataConfigs

Row = dict[str, Any]

MOST_ESTIMATES = 64
"""Estimates that one memory may have; another one replaces the one rewarded longest ago."""
# per memory (ADR 19)
_MOST_TARGETS = 16
# shared by many attempts: credits to these are applied by the worker (ADR 19)
_SHARE_CREDIT = ("strategy", "concept")


class LearningStore(Store):
    """Base of stores that write changes by rewards, with their events."""

    def __init__(
        self, database: Database, configs: StrataConfigs, event_life: timedelta | None = None
    ) -> None:
        super().__init__(database)
        self._configs = configs
        self._event_life = event_life


async def read_locked(
    transaction: Transaction, uids: Sequence[str], home: str = "", task_id: str = ""
) -> tuple[Mapping[str, Any] | None, list[Learned]]:
    """Read a locked task, if there is one, and locked memories, by uid."""
    [row] = await transaction.run(
        QUERIES["utility.locked_values"],
        {
            "scope": home,
            "task_id": task_id,
            "uids": list(uids),
            "credit_kinds": list(_SHARE_CREDIT),
            "most": _MOST_TARGETS,
        },
    )
    return row["task"], [_learned(values) for values in row["memories"]]


async def read_estimates(
    transaction: Transaction, uids: Sequence[str], contexts: Collection[str]
) -> dict[str, dict[str, Track]]:
    """Read the estimates of locked memories in some contexts, by uid and context."""
    if not contexts:
        return {}
    query = QUERIES["utility.read_estimates"].without("scopes")
    rows = await transaction.run(query, {"uids": list(uids), "contexts": sorted(contexts)})
    found: dict[str, dict[str, Track]] = defaultdict(dict)
    for row in rows:
        found[row["uid"]][row["context"]] = Track(
            row["q_value"], row["q_count"], row["q_left"], row["q_m2"], row["q_init"]
        )
    return found


async def part_estimates(transaction: Transaction, moves: Sequence[Move]) -> None:
    """Remove the estimates rewarded the longest ago beyond the maximum of a memory."""
    uids = [move.uid for move in moves if move.estimates]
    if uids:
        await transaction.run(
            QUERIES["utility.part_estimates"], {"uids": uids, "most": MOST_ESTIMATES}
        )


def memory_properties(move: Move, rewarded_at: datetime | None) -> Row:
    """Return the utility properties of a memory after a reward."""
    before, after = move.before, move.after
    return {
        "q_value": after.value,
        "q_count": after.count,
        "q_left": after.left,
        "q_m2": after.deviation,
        "q_seq": move.seq,
        "last_reward_at": rewarded_at,
        "success_count": max(0, before.success_count + move.succeeded),
        "failure_count": max(0, before.failure_count + move.failed),
    }


def entry_properties(move: Move) -> Row:
    """Return the history entry of a memory."""
    contextual = {"contexts": sorted(move.estimates), "context_step": move.context_step}
    return {
        "seq": move.seq,
        "q_before": move.before.track.value,
        "q_after": move.after.value,
        "reward": move.reward,
        "target": move.target,
        "strength": move.strength,
        "step": move.step,
        "share": move.share,
        "via": move.via,
        **(contextual if move.estimates else {}),
    }


def estimate_rows(move: Move, now: datetime) -> list[Row]:
    """Return the estimates of a memory in each context after a reward."""
    before = move.before
    return [
        {
            "memory_uid": before.uid,
            "context": context,
            "birth": {
                "uid": estimate_uid(before.uid, context),
                "tenant": tenant_of(before.scope),
                "scope": before.scope,
                "q_init": track.initial,
            },
            "values": {
                "q_value": track.value,
                "q_count": track.count,
                "q_left": track.left,
                "q_m2": track.deviation,
                "last_reward_at": now,
            },
        }
        for context, track in sorted(move.estimates.items())
    ]


def credit_properties(credit: Credit) -> Row:
    """Return the properties of a pending credit."""
    return to_row(credit) if credit.contexts else to_row(credit, "contexts", "context_step")


def _learned(values: Sequence[Any]) -> Learned:
    uid, scope, value, count, left, deviation, initial = values[:7]
    seq, base_seq, successes, failures, given, targets = values[7:]
    return Learned(
        uid,
        scope,
        Track(value, count, left, deviation, initial),
        seq,
        base_seq,
        successes,
        failures,
        tuple(Given(phase, rank, tuple(contexts)) for phase, rank, contexts in given),
        tuple(targets),
    )


async def save_lesson(
    transaction: Transaction,
    note: RewardNote,
    lesson: Lesson,
    event_life: timedelta | None,
    fading: Rates,
    ends: Sequence[Row] = (),
) -> None:
    """Write a reward and all its changes; the memories are locked, the scopes are locked here."""
    moves = sorted(lesson.moves, key=lambda move: move.uid)
    await transaction.run(
        QUERIES["utility.save_reward"],
        {
            "reward": to_row(note),
            "rows": [_row(move, note) for move in moves],
            "estimates": [row for move in moves for row in estimate_rows(move, note.recorded_at)],
            "credits": [credit_properties(credit) for credit in lesson.credits],
            "events": event_rows(lesson.events, event_life),
            "ends": list(ends),
            "scopes": sorted({move.before.scope for move in moves}),
            "now": note.recorded_at,
            "fading": fading,
        },
    )
    await part_estimates(transaction, moves)


def rewards_of(lesson: Lesson) -> tuple[Reward, ...]:
    """Return the changes of a reward to each memory, by uid."""
    return tuple(
        Reward(move.uid, move.before.track.value, move.after.value, move.share, move.step)
        for move in sorted(lesson.moves, key=lambda move: move.uid)
    )


def _row(move: Move, note: RewardNote) -> Row:
    # a revert is no new reward: the time is that of the last valid one
    at = move.rewarded_at if note.kind == "revert" else note.recorded_at
    return {
        "uid": move.uid,
        "raised": note.kind != "revert" and move.after.value > move.before.track.value,
        "entry": entry_properties(move),
        "memory": memory_properties(move, at),
    }
