"""Tasks in Neo4j: what they were given, and what their outcomes changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cypher import QUERIES
from graph.errors import ConflictError
from graph.model import Outcome, Reward
from graph.store.leases import fence
from graph.store.versions import renew_versions_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Lease, Retrieval, Status
    from graph.store.driver import Database, Transaction


class Neo4jTasks:
    """The ``TaskStore`` of this project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_retrieval(
        self,
        *,
        home: str,
        task_id: str,
        phase: str | None,
        retrievals: Sequence[Retrieval],
        now: datetime,
        expires_at: datetime,
    ) -> None:
        """See ``TaskStore.record_retrieval``."""
        await self._database.write_one(
            QUERIES["task.record_retrieval"],
            {
                "scope": home,
                "tenant": home.partition("/")[0],
                "task_id": task_id,
                "phase": phase or "",
                "now": now,
                "expires_at": expires_at,
                "rows": [
                    {"uid": given.uid, "rank": given.rank, "score": given.score}
                    for given in sorted(retrievals, key=lambda given: given.uid)
                ],
            },
        )

    async def apply_outcome(
        self,
        *,
        home: str,
        scopes: Sequence[str],
        task_id: str,
        status: Status,
        quality: float | None,
        reward: float,
        learning_rate: float,
        reward_uid: str,
        now: datetime,
    ) -> Outcome | None:
        """See ``TaskStore.apply_outcome``."""
        task = {"scope": home, "task_id": task_id}

        async def work(transaction: Transaction) -> Outcome | None:
            await transaction.run(QUERIES["task.lock_task"], {**task, "now": now})
            ended = await transaction.run(QUERIES["task.task_end"], task)
            if not ended:
                return None
            if ended[0]["status"] is not None:
                return await _reported_before(transaction, task, ended[0], status, quality)
            given = await transaction.run(
                QUERIES["task.given_memories"], {**task, "scopes": list(scopes)}
            )
            rewards, rows = await _learn(
                transaction, [row["uid"] for row in given], reward, learning_rate, now
            )
            await transaction.run(
                QUERIES["reward.save_reward"],
                {
                    **task,
                    "tenant": home.partition("/")[0],
                    "reward_uid": reward_uid,
                    "status": status,
                    "quality": quality,
                    "reward": reward,
                    "now": now,
                    "rows": rows,
                },
            )
            await renew_versions_of(transaction, [row["uid"] for row in rows])
            return Outcome(task_id, status, quality, reward, applied=True, rewarded=rewards)

        return await self._database.write(work)

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """See ``TaskStore.expire``."""

        async def work(transaction: Transaction) -> int:
            await fence(transaction, lease)
            rows = await transaction.run(QUERIES["task.expire_tasks"], {"now": now, "limit": limit})
            return int(rows[0]["expired"])

        return await self._database.write(work)


async def _learn(
    transaction: Transaction,
    uids: Sequence[str],
    reward: float,
    learning_rate: float,
    now: datetime,
) -> tuple[tuple[Reward, ...], list[dict[str, Any]]]:
    """Move each Q by ``α(r − Q)``, read under its lock."""
    names = {"uids": list(uids)}
    await transaction.run(QUERIES["reward.lock_memories"], {**names, "now": now})
    locked = await transaction.run(QUERIES["reward.locked_values"], names)
    rewards: list[Reward] = []
    rows: list[dict[str, Any]] = []
    for row in locked:
        before = float(row["q_value"])
        after = min(1.0, max(0.0, before + learning_rate * (reward - before)))
        rewards.append(Reward(row["uid"], before, after))
        rows.append(
            {
                "uid": row["uid"],
                "q_before": before,
                "q_after": after,
                "sequence": row["q_count"] + 1,
                "step": learning_rate,
                "share": 1.0,
            }
        )
    return tuple(rewards), rows


async def _reported_before(
    transaction: Transaction,
    task: dict[str, str],
    stored: dict[str, object],
    status: Status,
    quality: float | None,
) -> Outcome:
    if (stored["status"], stored["quality"]) != (status, quality):
        raise ConflictError("this task's outcome was reported before, and differently")
    rows = await transaction.run(QUERIES["reward.rewards_of_task"], task)
    rewarded = tuple(Reward(row["uid"], row["q_before"], row["q_after"]) for row in rows)
    reward = float(str(stored["reward"]))
    return Outcome(task["task_id"], status, quality, reward, applied=False, rewarded=rewarded)
