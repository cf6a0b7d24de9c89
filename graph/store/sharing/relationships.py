"""Relationships of agents in Neo4j: their nodes are locked by scope, then both sides are written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.locks import lock_scopes
from graph.database.rows import from_row
from graph.database.store import Store, in_transaction
from graph.model.sharing.relationships import FIRST_TRUST, TRUST_STEP, Interaction, Relationship
from graph.model.utility.rewards import Lesson, RewardNote
from graph.store.memories.owners import owner_row


class RelationshipStore(Store):
    """Store of relationships, one on each side of two agents."""

    @in_transaction
    async def record(
        self, transaction: Transaction, interaction: Interaction, now: datetime
    ) -> Relationship:
        """Record an interaction on both sides; return the relationship of the reporting agent."""
        agents = sorted((interaction.agent, interaction.other))
        owners = [owner_row(scope, ()) | {"created_at": None} for scope in agents]
        await transaction.run(QUERIES["memories.save_scopes"], {"rows": owners, "now": now})
        await lock_scopes(transaction, agents)
        [row] = await save_interactions(transaction, [interaction], now)
        return from_row(Relationship, row)

    async def of(self, agent: str, limit: int) -> tuple[Relationship, ...]:
        """Return the relationships of an agent (a scope), latest first."""
        rows = await self._database.read(
            QUERIES["sharing.list_relationships"], {"agent": agent, "limit": limit}
        )
        return tuple(from_row(Relationship, row) for row in rows)


async def find_helpers(
    transaction: Transaction, note: RewardNote, lesson: Lesson
) -> list[Interaction]:
    """Find the agents whose shared memories a reward is for: one interaction with each.

    Its weight is the largest share of their memories, times the strength of the reward. Reverting a reward does not
    revert the interaction.
    """
    if note.kind == "revert" or not note.scope.startswith(f"{note.tenant}/agent/"):
        return []
    weights = {
        move.uid: move.share * move.strength for move in lesson.moves if move.via == "direct"
    }
    found = await transaction.run(
        QUERIES["sharing.find_helpers"], {"uids": sorted(weights), "agent": note.scope}
    )
    helped: dict[str, float] = {}
    for row in found:
        weight = min(1.0, weights[row["uid"]])
        # the largest share, so that the number of shared memories does not matter (ADR 39)
        helped[row["other"]] = max(weight, helped.get(row["other"], 0.0))
    # trust has the scale of Q
    outcome = (note.reward + 1.0) / 2.0
    return [Interaction(note.scope, other, outcome, weight) for other, weight in helped.items()]


async def save_interactions(
    transaction: Transaction, interactions: Sequence[Interaction], now: datetime
) -> Rows:
    """Record interactions on both sides; the scopes of the agents are locked."""
    rows = [
        {
            "agent": one.agent,
            "other": one.other,
            "outcome": one.outcome,
            "step": TRUST_STEP * one.weight,
        }
        for one in sorted(interactions, key=lambda one: (one.agent, one.other))
    ]
    return await transaction.run(
        QUERIES["sharing.save_interactions"],
        {"rows": rows, "first": FIRST_TRUST, "now": now},
    )
