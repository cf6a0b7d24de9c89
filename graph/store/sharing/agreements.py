"""Agreements and disputes of channels, and votes of agents, in Neo4j.

Votes are stored on statements: a vote on an agreement is one on each of its statements. So votes persist when
agreements are computed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.locks import lock_all, renew_versions
from graph.database.names import either_name
from graph.database.store import Store, in_transaction
from graph.model.sharing.agreements import Position, Saying, Vote
from graph.store.memories.owners import owner_row


class AgreementStore(Store):
    """Store of agreements and votes; ``channel`` and ``agent`` are scopes."""

    async def positions(self, channels: Sequence[str], limit: int) -> tuple[Position, ...]:
        """Return the positions of channels, latest first."""
        return await self._positions(channels, (), limit)

    async def position(self, channels: Sequence[str], name: str) -> Position | None:
        """Return a memory of channels as a position; None if there is none."""
        named = {"scopes": list(channels), **either_name(name)}
        rows = await self._database.read(QUERIES["memories.get_memory"].choose("whole"), named)
        if not rows:
            return None
        found = await self._positions(channels, [rows[0]["memory"]["uid"]], 1)
        return found[0] if found else None

    async def _positions(
        self, channels: Sequence[str], uids: Sequence[str], limit: int
    ) -> tuple[Position, ...]:
        rows = await self._database.read(
            QUERIES["sharing.list_positions"],
            {"channels": list(channels), "uids": list(uids), "limit": limit},
        )
        return tuple(map(_position, rows))

    @in_transaction
    async def vote(
        self,
        transaction: Transaction,
        agent: str,
        channel: str,
        uid: str,
        agrees: bool | None,
        now: datetime,
    ) -> bool:
        """Set the vote of an agent on a memory of a channel, or withdraw it (None); return whether it changed."""
        asked = {"uid": uid}
        found = await transaction.run(QUERIES["sharing.find_voted"], asked)
        changed = await cast_votes(transaction, [(agent, row["uid"]) for row in found], agrees, now)
        if changed:
            await renew_versions(transaction, [channel])
        return bool(changed)


async def cast_votes(
    transaction: Transaction,
    votes: Sequence[tuple[str, str]],
    agrees: bool | None,
    now: datetime,
) -> int:
    """Set or withdraw (None) votes of agents (scopes) on statements by uid; return how many changed."""
    if not votes:
        return 0
    await lock_all(transaction, sorted({uid for _, uid in votes}))
    rows = [{"agent": agent, "uid": uid} for agent, uid in sorted(votes)]
    if agrees is None:
        query = QUERIES["sharing.save_votes"].choose("withdraw")
        [row] = await transaction.run(query, {"rows": rows})
        return int(row["changed"])
    owners = [
        owner_row(scope, ()) | {"created_at": None} for scope in sorted({a for a, _ in votes})
    ]
    await transaction.run(QUERIES["memories.save_scopes"], {"rows": owners, "now": now})
    query = QUERIES["sharing.save_votes"].choose("cast")
    [row] = await transaction.run(query, {"rows": rows, "agrees": agrees, "now": now})
    return int(row["changed"] or 0)


def _position(row: Mapping[str, Any]) -> Position:
    votes = tuple(
        Vote(each["agent"], each["statement"], each["agrees"], each["at"].to_native())
        for each in row["votes"]
    )
    return Position(
        row["uid"],
        row["channel"],
        row["text"],
        row["agreed"],
        row["at"].to_native(),
        _statements(row["held"]),
        _statements(row["against"]),
        votes,
    )


def _statements(rows: Sequence[Mapping[str, Any]]) -> tuple[Saying, ...]:
    found = [Saying(row["uid"], row["agent"], row["text"], row["at"].to_native()) for row in rows]
    return tuple(sorted(found, key=lambda each: (each.at, each.uid)))
