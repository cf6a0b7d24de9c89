"""Rewards in Neo4j: applied in one transaction under the locks of their memories.

The task is locked first, then its memories by uid, by writes that read nothing; they are read after. Rewards are locked
after memories, the versions of scopes last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.fading import fading_of
from graph.database.locks import lock_all, lock_scopes
from graph.database.names import one_name
from graph.database.store import in_transaction
from graph.kernel.errors import ConflictError
from graph.model.sharing.relationships import Interaction
from graph.model.utility.rewards import (
    History,
    Learned,
    Lesson,
    MemoryReport,
    Reverted,
    RewardNote,
    TaskReport,
    Teaching,
    Trimming,
    Undo,
    UsedName,
)
from graph.model.utility.tasks import Reward, Rewarded
from graph.store.sharing.relationships import find_helpers, save_interactions
from graph.store.utility.histories import as_histories, read_histories, trim
from graph.store.utility.reverting import mark_reverted, reward_to_revert
from graph.store.utility.tracks import (
    LearningStore,
    read_estimates,
    read_locked,
    rewards_of,
    save_lesson,
)

Row = dict[str, Any]


class RewardStore(LearningStore):
    """Store of rewards and of their updates of memories."""

    @in_transaction
    async def reward_task(
        self, transaction: Transaction, report: TaskReport, teaching: Teaching
    ) -> Rewarded | None:
        """Reward the given or used memories of a task, once; None for an unknown task.

        A missing task is created if the report names used memories.

        Raises
        ------
        ConflictError
            If the task ended otherwise before, or has ended and this does not end it.
        """
        note = report.note
        used, ignored = await _find_used(transaction, report.used, report.scopes)
        uids = await _lock_task(transaction, report, used)
        task, locked = await read_locked(transaction, uids, note.scope, note.task_id or "")
        if task is None:
            return None
        # under the locks: a repeated outcome counts once
        before = await _reported_before(transaction, report, task)
        if before is not None:
            return before
        lesson = await _learn(transaction, locked, used, teaching)
        ends = [_end(report)] if report.ends else []
        await self._save(transaction, note, lesson, teaching.trimming, ends)
        return _rewarded(note, lesson, ignored)

    @in_transaction
    async def reward_memory(
        self, transaction: Transaction, report: MemoryReport, teaching: Teaching
    ) -> Rewarded | None:
        """Reward one memory by its name; None if it is not readable."""
        named = (UsedName(report.name),)
        found, _ = await _find_used(transaction, named, report.scopes)
        uids = sorted(found or {})[:1]
        await lock_all(transaction, uids)
        _, locked = await read_locked(transaction, uids)
        if not locked:
            return None
        lesson = await _learn(transaction, locked, found, teaching, report.contexts)
        await self._save(transaction, report.note, lesson, teaching.trimming)
        return _rewarded(report.note, lesson)

    async def _save(
        self,
        transaction: Transaction,
        note: RewardNote,
        lesson: Lesson,
        trimming: Trimming,
        ends: Sequence[Row] = (),
    ) -> None:
        fading = fading_of(self._configs, note.tenant)
        await trim(transaction, sorted(lesson.moves, key=lambda move: move.uid), trimming)
        met = await find_helpers(transaction, note, lesson)
        if (
            met
        ):  # one series of locks: a second one after the first could deadlock with another agent
            await lock_scopes(transaction, _touched(lesson, met))
        await save_lesson(transaction, note, lesson, self._event_life, fading, ends)
        if met:
            await save_interactions(transaction, met, note.recorded_at)

    async def histories(self, scopes: Sequence[str], uids: Sequence[str]) -> Sequence[History]:
        """Read the stored histories of readable memories, by uid."""
        rows = await self._database.read(
            QUERIES["utility.histories"], {"uids": sorted(uids), "scopes": list(scopes)}
        )
        return as_histories(rows)

    @in_transaction
    async def revert(
        self,
        transaction: Transaction,
        note: RewardNote,
        reward_uid: str,
        scopes: Sequence[str],
        undo: Undo,
        trimming: Trimming,
    ) -> Reverted | None:
        """Revert a reward of the note's scope; None if there is none with that uid.

        A task that it ended is open again.

        Raises
        ------
        ConflictError
            If it is a revert itself, or moved memories that lie outside the scopes.
        HistoryTrimmedError
            If a memory's history no longer reaches back to it; then nothing changes.
        """
        reward = await reward_to_revert(transaction, note, reward_uid, scopes)
        if reward is None:
            return None
        if reward.before:
            return Reverted(reward_uid, None, applied=False)
        _, locked = await read_locked(transaction, reward.uids)
        histories = await read_histories(transaction, reward.uids, scopes)
        lesson = undo(locked, histories, reward.note)
        await mark_reverted(transaction, note, reward)
        await self._save(transaction, note, lesson, trimming)
        restored = rewards_of(lesson)
        return Reverted(reward_uid, note.uid, True, restored, reward.kept, lesson.events)


def _touched(lesson: Lesson, met: Sequence[Interaction]) -> set[str]:
    scopes = {move.before.scope for move in lesson.moves}
    return scopes.union(*({one.agent, one.other} for one in met))


async def _find_used(
    transaction: Transaction, names: Sequence[UsedName] | None, scopes: Sequence[str]
) -> tuple[dict[str, float] | None, int]:
    """Find the memories reported as used: their shares by uid, and the number of unknown ones."""
    if names is None:
        return None, 0
    if not names:
        return {}, 0
    rows = await transaction.run(
        QUERIES["memories.find_named"].choose("used"),
        {"names": [one_name(used.name) for used in names], "scopes": list(scopes)},
    )
    shares: dict[str, float] = {}
    for row in rows:
        uid: str = row["uid"]
        share = names[int(row["place"])].share
        # a repeated name: the larger share counts
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
            QUERIES["utility.lock_given"], {**task, "scopes": list(report.scopes)}
        )
        return list(row["uids"])
    await transaction.run(
        QUERIES["database.lock_nodes"].choose("new_task"),
        {**task, "tenant": note.tenant, "expires_at": report.expires_at},
    )
    uids = sorted(used)
    await lock_all(transaction, uids)
    return uids


async def _learn(
    transaction: Transaction,
    locked: Sequence[Learned],
    used: Mapping[str, float] | None,
    teaching: Teaching,
    contexts: Sequence[str] = (),
) -> Lesson:
    if teaching.contextual:
        names = {name for each in locked for time in each.given for name in time.contexts}
        uids = [each.uid for each in locked]
        known = await read_estimates(transaction, uids, names.union(contexts))
        locked = [replace(each, estimates=known.get(each.uid, {})) for each in locked]
    return teaching.learn(locked, used)


async def _reported_before(
    transaction: Transaction, report: TaskReport, task: Mapping[str, Any]
) -> Rewarded | None:
    """Return the result of an earlier identical report."""
    note, ended = report.note, task["status"] is not None
    if not ended and note.signal_id is None:
        return None
    rows = await transaction.run(
        QUERIES["utility.rewards_of_task"],
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
    # Written before reports were stored completely.
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
    return Rewarded(note.uid, note.reward, True, rewards_of(lesson), ignored, lesson.events)


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
