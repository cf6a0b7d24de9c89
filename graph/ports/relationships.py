"""Relationships between agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.relationships import Interaction, Relationship


class RelationshipStore(Protocol):
    """Keeps one relationship on each side of two agents."""

    async def record(self, interaction: Interaction, now: datetime) -> Relationship:
        """Note an interaction on both sides, and return how the one that tells of it stands then."""
        ...

    async def of(self, agent: str, limit: int) -> tuple[Relationship, ...]:
        """Return the relationships of an agent (a scope), the latest first."""
        ...
