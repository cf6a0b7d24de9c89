"""Ports for members of channels, and for the copies that they share there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from graph.model.embedding import Slot
    from graph.model.links import Lease
    from graph.model.sharing import Membership, PatternsShared, PatternTerms, Publication


class SharingStore(Protocol):
    """Keeps memberships and published copies; each call is one short transaction.

    ``agent`` and ``channel`` are scopes. Where a call takes a lease, it writes nothing once another
    holds it; None is somebody's own wish.
    """

    async def join(self, agent: str, channel: str, now: datetime) -> Membership | None:
        """Make an agent a member; None while an earlier membership is still being ended."""
        ...

    async def members(
        self, tenant: str, agents: Sequence[str], channels: Sequence[str], limit: int
    ) -> tuple[Membership, ...]:
        """Return the memberships of agents and the members of channels, by channel and agent."""
        ...

    async def leave(self, agent: str, channel: str, now: datetime) -> bool:
        """Note that an agent leaves: from then on it publishes nothing there. False: it was no member."""
        ...

    async def leaving(self, now: datetime, limit: int) -> tuple[tuple[str, str], ...]:
        """Return (agent, channel) of those that left and whose sharing may not be ended yet."""
        ...

    async def hide(
        self, agent: str, channel: str, after: str, limit: int, lease: Lease | None
    ) -> tuple[int, str | None]:
        """Hide copies by uid; return how many, and the last one's uid, None at the end."""
        ...

    async def withdraw(
        self, agent: str, channel: str, now: datetime, limit: int, lease: Lease | None
    ) -> int:
        """Remove copies that an agent published, and return how many; 0: none is left."""
        ...

    async def part(
        self, agent: str, channel: str, now: datetime, limit: int, lease: Lease | None
    ) -> int:
        """Part the channel's patterns from what an agent holds; those too few hold then go.

        Return how many were looked at; 0: none is left.
        """
        ...

    async def end(self, agent: str, channel: str, lease: Lease | None) -> None:
        """Forget a membership that was left."""
        ...

    async def publish(
        self, agent: str, channel: str, name: str, uid: str, now: datetime, slot: Slot
    ) -> Publication | None:
        """Put a copy of an agent's memory into a channel, under ``uid`` if there is none yet.

        None if the agent has no such memory.

        Raises
        ------
        ConflictError
            If the agent is no member, or the memory is not active.
        EmbedderChangedError
            If the graph was switched to another embedder meanwhile.
        """
        ...

    async def unpublish(
        self, agent: str, channels: Sequence[str] | None, name: str, now: datetime
    ) -> int | None:
        """Remove the copies of a memory from channels, or with None from all; return how many.

        None if the agent has no such memory.
        """
        ...


class PatternSharingStore(Protocol):
    """Shares in a channel the patterns that enough of its members hold; each call is one transaction."""

    async def share_page(
        self,
        channel: str,
        terms: PatternTerms | None,
        after: str,
        now: datetime,
        slot: Slot,
        lease: Lease | None,
        new_uid: Callable[[], str],
    ) -> tuple[PatternsShared, str | None]:
        """Bring some of what is shared, by signature, to what members hold; None for terms: to nothing.

        Return what was done, and behind which signature to go on; None at the end.

        Raises
        ------
        EmbedderChangedError
            If the graph was switched to another embedder meanwhile.
        """
        ...

    async def due(self, now: datetime, seconds: float, own: Mapping[str, float]) -> str | None:
        """Return a channel with members that was not looked at for so long; ``own`` has tenants' own."""
        ...

    async def note_looked(self, channel: str, now: datetime, lease: Lease) -> None:
        """Note that a channel was looked at."""
        ...
