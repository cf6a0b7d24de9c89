"""Relationships of agents in Neo4j: their nodes are locked in the order of their scopes, then both sides written."""

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
    """Keeps one relationship on each side of two agents."""

    @in_transaction
    async def record(
        self, transaction: Transaction, interaction: Interaction, now: datetime
    ) -> Relationship:
        """Note an interaction on both sides, and return how the one that tells of it stands then."""
        agents = sorted((interaction.agent, interaction.other))
        owners = [owner_row(scope, ()) | {"created_at": None} for scope in agents]
        await transaction.run(QUERIES["memories.save_scopes"], {"rows": owners, "now": now})
        await lock_scopes(transaction, agents)
        [row] = await save_interactions(transaction, [interaction], now)
        return from_row(Relationship, row)

    async def of(self, agent: str, limit: int) -> tuple[Relationship, ...]:
        """Return the relationships of an agent (a scope), the latest first."""
        rows = await self._database.read(
            QUERIES["sharing.list_relationships"], {"agent": agent, "limit": limit}
        )
        return tuple(from_row(Relationship, row) for row in rows)


async def find_helpers(
    transaction: Transaction, note: RewardNote, lesson: Lesson
) -> list[Interaction]:
    """Find whose shared memories a reward of an agent is for: one interaction with each of them.

    How much it weighs is the largest share that a memory of theirs had, times the strength of the reward. What
    is taken back stays: they did meet.
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
        # the largest share: who shares much must not gain or lose by number (ADR 39)
        helped[row["other"]] = max(weight, helped.get(row["other"], 0.0))
    # trust has the scale of Q
    outcome = (note.reward + 1.0) / 2.0
    return [Interaction(note.scope, other, outcome, weight) for other, weight in helped.items()]


async def save_interactions(
    transaction: Transaction, interactions: Sequence[Interaction], now: datetime
) -> Rows:
    """Note on both sides what agents had to do with each other; their scopes are locked."""
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
