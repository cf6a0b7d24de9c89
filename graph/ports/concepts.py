"""Ports for concepts: their ratings, and the attempts they cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.concepts import (
        ConceptPlan,
        Covered,
        Extracted,
        Rated,
        Unarchived,
        WaitingProblem,
    )
    from graph.model.links import Lease
    from graph.ports.embedding import SlotEmbedder


class ConceptStore(Protocol):
    """Concepts of a scope. With a lease, whatever is written is fenced by it."""

    async def due(self, every: int) -> str | None:
        """Return the scope in which most correct episodes wait, if these are ``every`` or more."""
        ...

    async def changed(self) -> tuple[str, str] | None:
        """Return a scope with its version that was written to since its concepts were last rated."""
        ...

    async def waiting(
        self, used: SlotEmbedder, scope: str, limit: int, nearest: int
    ) -> tuple[WaitingProblem, ...]:
        """Read problems without a concept: those never looked at first, then the longest ago."""
        ...

    async def save(self, plan: ConceptPlan, lease: Lease | None, now: datetime) -> Extracted:
        """Write what an extraction found, in one transaction.

        A problem that has a concept by now is left out. Once no problem is left that was never
        looked at, what waited in the scope is counted off.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def rate(
        self, scope: str, version: str | None, lease: Lease | None, now: datetime, limit: int
    ) -> int:
        """Join new episodes to their problems' concepts, and rate the concepts; return how many changed.

        ``version`` is that of the scope as it was found: where it still is, the scope is done.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def rated(self, scope: str) -> tuple[Rated, ...]:
        """Read how the concepts of a scope fare."""
        ...


class CoverStore(Protocol):
    """Attempts that concepts cover. With a lease, every write is fenced by it."""

    async def crowded(self, scope: str, slack: int, concept: str | None = None) -> Covered | None:
        """Return what the concept covers that gained most active episodes, if ``slack`` or more.

        ``concept`` names the one that is meant, by uid, whatever it gained.
        """
        ...

    async def archive(
        self,
        concept: str,
        rows: Sequence[tuple[str, int]],
        kept: int,
        lease: Lease | None,
        now: datetime,
    ) -> int:
        """Archive episodes, by uid and revision, behind their concept; return how many.

        With them go their problems that have no active episode left. What was changed since it was
        read stays.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def unarchive(
        self, scope: str, concept: str | None, now: datetime, limit: int
    ) -> Unarchived:
        """Bring back what concepts of a scope, or one of them, have archived; never again by itself.

        What was changed since stays as it is.
        """
        ...
