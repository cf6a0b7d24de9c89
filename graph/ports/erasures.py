"""Erasures in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from graph.ports.runs import PutsOff

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from graph.model.erasures import Erasure, Subject
    from graph.model.links import Lease


class ErasureStore(PutsOff, Protocol):
    """Erases step by step; where an erasure stands is in the graph, so anybody can go on with it."""

    async def begin(
        self, uid: str, subject: Subject, now: datetime, meant: Mapping[str, int] | None = None
    ) -> Erasure | None:
        """Note an erasure and end what is at work in the scope of its subject.

        One of the same subject that is under way is returned instead; None if nothing of it is there. ``meant``
        are memories by uid with their revisions, where the subject is these; who was changed since stays.
        """
        ...

    async def step(
        self, uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> Erasure | None:
        """Do one step in one transaction, on at most ``limit`` nodes; return how it stands then.

        None if there is no such erasure. With a lease, nothing is written once another holds it.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now.
        """
        ...

    async def get(self, tenant: str, uid: str) -> Erasure | None:
        """Read an erasure of a tenant."""
        ...

    async def unfinished(self, now: datetime) -> str | None:
        """Return the uid of one that is not done, the oldest first."""
        ...

    async def expire(self, before: datetime, limit: int, lease: Lease) -> int:
        """Forget receipts of erasures that ended before then; return how many."""
        ...
