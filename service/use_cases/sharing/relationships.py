"""Relationships between agents: interactions and trust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.sharing.relationships import Interaction, Relationship
from graph.store.sharing.relationships import RelationshipStore
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched


@dataclass(frozen=True, slots=True)
class RecordInteraction(TimedUseCase):
    """Record an interaction of two agents, on both sides.

    Raises
    ------
    InvalidInputError
        If no agent is named, or the other is itself or no name.
    """

    store: RelationshipStore

    @watched("record_interaction")
    async def __call__(self, caller: Caller, other_agent: str, outcome: float) -> Relationship:
        """Return the relationship after it; ``outcome`` is in [0, 1]."""
        agent = caller.writable("agent")
        other = Caller(caller.tenant, other_agent).writable("agent")
        if other == agent:
            raise InvalidInputError("other_agent_id: must be another agent", field="other_agent_id")
        return await self.store.record(Interaction(agent, other, outcome), self.clock.now())


@dataclass(frozen=True, slots=True)
class ListRelationships(UseCase):
    """List the relationships of an agent, the latest first.

    Raises
    ------
    InvalidInputError
        If no agent is named.
    """

    store: RelationshipStore

    @watched("list_relationships")
    async def __call__(self, caller: Caller, limit: int = 100) -> Sequence[Relationship]:
        """Return the relationships of the agent."""
        return await self.store.of(caller.writable("agent"), limit)
