"""Rewards in Neo4j: what each did to memories, in one transaction and under their locks.

The task is locked, then its memories in the order of their uids, by writes that read nothing; what
they hold is read after. Rewards are locked after memories, the versions of scopes last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cypher import QUERIES
from graph.errors import ConflictError
from graph.model import Reward, Rewarded
from graph.store.events import event_rows
from graph.store.histories import trim
from graph.store.names import one_name
from graph.store.tracks import (
    credit_properties,
    entry_properties,
    estimate_rows,
    lock_memories,
    memory_properties,
    part_estimates,
    read_estimates,
    read_locked,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

    from graph.model import Learned, Lesson, Move, RewardNote, TaskReport, UsedName
    from graph.ports import Teaching
    from graph.store.driver import Database, Transaction

    Row = dict[str, Any]


class Neo4jRewards:
    """The ``RewardStore`` of this project; events live for ``event_life``, without it are none."""

    def __init__(self, database: Database, event_life: timedelta | None = None) -> None:
        self._database = database
        self._event_life = event_life

    async def reward_task(self, report: TaskReport, teaching: Teaching) -> Rewarded | None:
        """See ``RewardStore.reward_task``."""
        note = report.note

        async def work(transaction: Transaction) -> Rewarded | None:
            used, ignored = await _find_used(transaction, report.used, report.scopes)
            uids = await _lock_task(transaction, report, used)
            task, locked = await read_locked(transaction, uids, note.scope, note.task_id or "")
            if task is None:
                return None
            before = await _reported_before(transaction, report, task)
            if before is not None:
                return before
            lesson = await _learn(transaction, locked, used, teaching)
            ends = [_end(report)] if report.ends else []
            await self._save(transaction, note, lesson, teaching, ends)
            return _rewarded(note, lesson, ignored)

        return await self._database.write(work)

    async def _save(
        self,
        transaction: Transaction,
        note: RewardNote,
        lesson: Lesson,
        teaching: Teaching,
        ends: Sequence[Row] = (),
    ) -> None:
        moves = sorted(lesson.moves, key=lambda move: move.uid)
        await trim(transaction, moves, teaching)
        now = note.recorded_at
        await transaction.run(
            QUERIES["reward.save_reward"],
            {
                "reward": _reward_properties(note),
                "rows": [_row(move, note) for move in moves],
                "estimates": [row for move in moves for row in estimate_rows(move, now)],
                "credits": [credit_properties(credit) for credit in lesson.credits],
                "events": event_rows(lesson.events, self._event_life),
                "ends": list(ends),
                "scopes": sorted({move.before.scope for move in moves}),
            },
        )
        await part_estimates(transaction, moves)


async def _find_used(
    transaction: Transaction, names: Sequence[UsedName] | None, scopes: Sequence[str]
) -> tuple[dict[str, float] | None, int]:
    """Find what is said to have been used: the share of each by uid, and how many are unknown."""
    if names is None:
        return None, 0
    if not names:
        return {}, 0
    rows = await transaction.run(
        QUERIES["reward.find_used"],
        {"names": [one_name(used.name) for used in names], "scopes": list(scopes)},
    )
    shares: dict[str, float] = {}
    for row in rows:
        uid: str = row["uid"]
        share = names[int(row["place"])].share
        shares[uid] = max(share, shares.get(uid, 0.0))
    return shares, len(names) - len({row["place"] for row in rows})


async def _lock_task(
    transaction: Transaction, report: TaskReport, used: Mapping[str, float] | None
) -> list[str]:
    """Lock the task and its memories, and return their uids in order."""
    note = report.note
    task: Row = {"scope": note.scope, "task_id": note.task_id, "now": note.recorded_at}
    if used is None:
        [row] = await transaction.run(
            QUERIES["task.lock_given"], {**task, "scopes": list(report.scopes)}
        )
        return list(row["uids"])
    await transaction.run(
        QUERIES["task.open_task"],
        {**task, "tenant": note.tenant, "expires_at": report.expires_at},
    )
    uids = sorted(used)
    await lock_memories(transaction, uids)
    return uids


async def _learn(
    transaction: Transaction,
    locked: Sequence[Learned],
    used: Mapping[str, float] | None,
    teaching: Teaching,
) -> Lesson:
    if teaching.contextual:
        contexts = {name for each in locked for time in each.given for name in time.contexts}
        known = await read_estimates(transaction, [each.uid for each in locked], contexts)
        locked = [replace(each, estimates=known.get(each.uid, {})) for each in locked]
    return teaching.learn(locked, used)


async def _reported_before(
    transaction: Transaction, report: TaskReport, task: Mapping[str, Any]
) -> Rewarded | None:
    """Return what the same report did when it came first."""
    note, ended = report.note, task["status"] is not None
    if not ended and note.signal_id is None:
        return None
    rows = await transaction.run(
        QUERIES["reward.rewards_of_task"],
        {"scope": note.scope, "task_id": note.task_id, "scopes": list(report.scopes)},
    )
    first = next((row for row in rows if _is_same(row, note)), None)
    if report.ends and ended:
        if not _says_same(task, report):
            raise ConflictError("this task's outcome was reported before, and differently")
        return _stored(first, float(task["reward"]))
    if first is not None and note.signal_id is not None:
        return _stored(first, float(first["reward"]))
    if ended:
        raise ConflictError("this task has ended: signals belong before its outcome")
    return None


def _is_same(row: Mapping[str, Any], note: RewardNote) -> bool:
    if note.kind == "outcome":
        return row["kind"] == "outcome"
    return (row["kind"], row["signal"], row["signal_id"]) == (
        note.kind,
        note.signal,
        note.signal_id,
    )


def _says_same(task: Mapping[str, Any], report: TaskReport) -> bool:
    if task["report"] is not None:
        return task["report"] == report.digest
    # Of before reports were kept whole.
    return report.used is None and (task["status"], task["quality"]) == (
        report.note.status,
        report.note.quality,
    )


def _stored(row: Mapping[str, Any] | None, reward: float) -> Rewarded:
    if row is None:
        return Rewarded(None, reward, applied=False)
    moves = tuple(Reward(*values) for values in row["moves"])
    return Rewarded(row["reward_uid"], reward, applied=False, rewarded=moves)


def _rewarded(note: RewardNote, lesson: Lesson, ignored: int = 0) -> Rewarded:
    moves = sorted(lesson.moves, key=lambda move: move.uid)
    rewards = tuple(
        Reward(move.uid, move.before.track.value, move.after.value, move.share, move.step)
        for move in moves
    )
    return Rewarded(note.uid, note.reward, True, rewards, ignored, lesson.events)


def _row(move: Move, note: RewardNote) -> Row:
    return {
        "uid": move.uid,
        "entry": entry_properties(move),
        "memory": memory_properties(move, note.recorded_at),
    }


def _end(report: TaskReport) -> Row:
    note = report.note
    return {
        "scope": note.scope,
        "task_id": note.task_id,
        "task": {
            "status": note.status,
            "quality": note.quality,
            "reward": note.reward,
            "report": report.digest,
            "ended_at": note.recorded_at,
        },
    }


def _reward_properties(note: RewardNote) -> Row:
    return {
        "uid": note.uid,
        "tenant": note.tenant,
        "scope": note.scope,
        "kind": note.kind,
        "task_id": note.task_id,
        "status": note.status,
        "quality": note.quality,
        "reward": note.reward,
        "scale": note.scale,
        "signal": note.signal,
        "signal_id": note.signal_id,
        "reason": note.reason,
        "actor": note.actor,
        "reverts": note.reverts,
        "recorded_at": note.recorded_at,
    }
