"""Tasks and their outcomes in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Lease, Outcome, Retrieval, Status


class TaskStore(Protocol):
    """Tasks, what they were given, and how they ended."""

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
        """Remember which memories a task was given."""
        ...

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
        """Move the Q of every memory the task was given, once; None for an unknown task.

        Raises
        ------
        ConflictError
            If the task ended otherwise before.
        """
        ...

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` tasks whose time is over; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        ...
