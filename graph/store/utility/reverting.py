"""Reverting a reward: locks its memories, and marks it as reverted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.locks import lock_all
from graph.database.rows import from_row
from graph.kernel.errors import ConflictError, HistoryTrimmedError
from graph.model.utility.rewards import RewardNote

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Revertible:
    """A reward whose memories are locked; ``before`` is true if it was already reverted."""

    note: RewardNote
    uids: tuple[str, ...]
    kept: int
    before: bool


async def reward_to_revert(
    transaction: Transaction, note: RewardNote, reward_uid: str, scopes: Sequence[str]
) -> Revertible | None:
    """Lock the task and the memories of a reward, with those of its pending credits; then read it again."""
    first = await _reach(transaction, note, reward_uid, scopes)
    if first is None:
        return None
    if first["reward"].get("task_id") is not None:
        task = {"scope": note.scope, "task_id": first["reward"]["task_id"]}
        await transaction.run(
            QUERIES["database.lock_nodes"].choose("task"), {**task, "now": note.recorded_at}
        )
    await lock_all(transaction, sorted(_uids(first, "memories") | _uids(first, "waiting")))
    # again under the locks: it may have been reverted meanwhile
    found = await _reach(transaction, note, reward_uid, scopes)
    if found is None:
        return None
    reward: Row = found["reward"]
    before = reward.get("reverted_at") is not None
    if not before and reward.get("folded", 0):
        raise HistoryTrimmedError(
            "this reward lies behind the checkpoint of a memory's history: it can no longer be "
            "taken back; reward the memory the other way instead"
        )
    uids = tuple(sorted(_uids(found, "memories")))
    return Revertible(_noted(reward), uids, reward.get("folded_credits", 0), before)


async def mark_reverted(transaction: Transaction, note: RewardNote, reward: Revertible) -> None:
    """Mark a reward as reverted; it is locked before the scopes are."""
    ends = reward.note.kind == "outcome" and reward.note.task_id is not None
    await transaction.run(
        QUERIES["utility.mark_reverted"],
        {
            "reward_uid": reward.note.uid,
            "now": note.recorded_at,
            "ends": [{"scope": note.scope, "task_id": reward.note.task_id}] if ends else [],
        },
    )


async def _reach(
    transaction: Transaction, note: RewardNote, reward_uid: str, scopes: Sequence[str]
) -> Row | None:
    rows = await transaction.run(
        QUERIES["utility.reward_reach"], {"reward_uid": reward_uid, "scope": note.scope}
    )
    if not rows:
        return None
    [row] = rows
    if row["reward"].get("kind") == "revert":
        raise ConflictError("this is itself a revert: report again what should hold")
    if {scope for _, scope in (*row["memories"], *row["waiting"])} - set(scopes):
        raise ConflictError(
            "this reward moved memories that the caller does not read: name the channels and "
            "users that it was made with"
        )
    return row


def _uids(row: Row, column: str) -> set[str]:
    return {uid for uid, _ in row[column]}


def _noted(reward: Row) -> RewardNote:
    early = {"kind": "outcome", "scale": "signed"}  # written before these were stored
    return from_row(RewardNote, {**early, **reward})
