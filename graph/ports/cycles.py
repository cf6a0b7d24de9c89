"""Cycles of reasoning and patches: kept, locked, and read as they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.cycles import (
        Cycle,
        CycleQuery,
        CycleStory,
        PhaseVisit,
        SimilarAttempts,
        Step,
    )
    from graph.model.embedding import SlotVector
    from graph.model.links import Lease
    from graph.model.patches import Evidence, Patch, PatchQuery

Done = TypeVar("Done")


class Change(NamedTuple):
    """How a cycle stands after a call, with the visit or the step that it made."""

    cycle: Cycle
    visit: PhaseVisit | None = None
    step: Step | None = None
    used: tuple[str, ...] = ()


Decide = Callable[["Cycle"], Change]
"""A locked cycle, as it stands, to what becomes of it; called again after a clash."""


class CycleStore(Protocol):
    """Keeps cycles; each change is one transaction under the lock of its cycle."""

    async def open(self, cycle: Cycle) -> tuple[Cycle, bool]:
        """Store a cycle, or return the one that has its name in its scope already; false beside it."""
        ...

    async def find(self, scopes: Sequence[str], name: str) -> Cycle | None:
        """Read a cycle by the name that it was given, else by its uid."""
        ...

    async def story(self, scopes: Sequence[str], cycle: Cycle) -> CycleStory:
        """Read the visits and steps of a cycle, with the memories given that these scopes show."""
        ...

    async def list(self, query: CycleQuery) -> Sequence[Cycle]:
        """Read cycles, the newest first."""
        ...

    async def change(
        self, cycle: Cycle, key: str, scopes: Sequence[str], decide: Decide
    ) -> tuple[Change, bool]:
        """Change a locked cycle once for each key; false if the key was there before.

        ``scopes`` are those whose memories may be joined to it. What ``decide`` raises leaves nothing written.
        """
        ...

    async def visit(self, cycle: Cycle, key: str, scopes: Sequence[str]) -> PhaseVisit | None:
        """Read the visit that was noted under a key."""
        ...

    async def step(self, cycle: Cycle, key: str) -> Step | None:
        """Read the step that was noted under a key."""
        ...

    async def similar(
        self, scopes: Sequence[str], vector: SlotVector, now: datetime, nearest: int
    ) -> SimilarAttempts:
        """Find judged attempts at problems like a goal."""
        ...

    async def weights(self, scope: str) -> Sequence[float] | None:
        """Read the weights of a confidence that a scope has learned; None before."""
        ...

    async def stale(self, before: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Return uid and scope of open cycles that nobody touched since."""
        ...

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` cycles whose time is over; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        ...


class PatchStore(Protocol):
    """Keeps patches; each change is one transaction under the lock of its patch."""

    async def save(self, patch: Patch, scopes: Sequence[str], episode_uid: str | None) -> Patch:
        """Store a patch of a cycle, or return the one that has its number already.

        ``scopes`` are those whose memories may speak for it, ``episode_uid`` the attempt that it repairs.
        """
        ...

    async def find(self, scopes: Sequence[str], uid: str, readable: Sequence[str]) -> Patch | None:
        """Read a patch of these scopes, with the evidence that the readable ones show."""
        ...

    async def list(self, query: PatchQuery, readable: Sequence[str]) -> Sequence[Patch]:
        """Read patches, the newest first."""
        ...

    async def change(
        self, patch: Patch, readable: Sequence[str], decide: Callable[[Patch], Patch]
    ) -> Patch:
        """Change a locked patch; what ``decide`` raises leaves nothing written."""
        ...


class ToolLessons(Protocol):
    """Lessons of a tool's errors, from the memory of tools."""

    async def lessons(self, scopes: Sequence[str], tool: str, error: str) -> Sequence[Evidence]:
        """Return what is known of errors like this one and of what helped, the nearest first."""
        ...
