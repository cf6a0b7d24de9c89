"""Members of channels and their published copies, in Neo4j.

Publishing locks the memory, then the membership; leaving locks the membership only. So a copy published while its agent
leaves is either found and removed, or refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.keys import STATE_KEYS
from graph.database.leases import fence_if
from graph.database.locks import lock_all, lock_scopes, renew_versions
from graph.database.names import either_name
from graph.database.rows import from_row
from graph.database.store import Store, in_transaction
from graph.kernel.embedding import Slot
from graph.kernel.errors import ConflictError
from graph.kernel.scope import name_in, tenant_of
from graph.model.memories.links import Lease
from graph.model.sharing.channels import CopyStatus, Membership, Publication
from graph.ports.utility import ConfigsInUse
from graph.store.memories.owners import owner_row
from graph.store.memories.removing import remove_memories
from graph.store.sharing.copies import Wanted, find_copies, write_copies


class SharingStore(Store):
    """Store of memberships and published copies; each call is one short transaction.

    ``agent`` and ``channel`` are scopes. A call with a lost lease writes nothing; None is a request of a client.
    """

    def __init__(self, database: Database, configs: ConfigsInUse) -> None:
        super().__init__(database)
        self._configs = configs

    @in_transaction
    async def join(
        self, transaction: Transaction, agent: str, channel: str, now: datetime
    ) -> Membership | None:
        """Make an agent a member; None while an earlier membership is being ended."""
        scopes = sorted((agent, channel))
        owners = [owner_row(scope, ()) | {"created_at": None} for scope in scopes]
        await transaction.run(QUERIES["memories.save_scopes"], {"rows": owners, "now": now})
        await lock_scopes(transaction, scopes)
        [row] = await transaction.run(
            QUERIES["sharing.join_channel"], {"agent": agent, "channel": channel, "now": now}
        )
        if row["left_at"] is not None:
            return None
        return Membership(agent, channel, row["joined_at"].to_native())

    async def members(
        self, tenant: str, agents: Sequence[str], channels: Sequence[str], limit: int
    ) -> tuple[Membership, ...]:
        """Return memberships of agents and members of channels, by channel and agent."""
        rows = await self._database.read(
            QUERIES["sharing.list_members"].choose("standing"),
            {"tenant": tenant, "agents": list(agents), "channels": list(channels), "limit": limit},
        )
        return tuple(from_row(Membership, row) for row in rows)

    @in_transaction
    async def leave(
        self, transaction: Transaction, agent: str, channel: str, now: datetime
    ) -> bool:
        """Record that an agent leaves, after which it cannot publish there. False: it was no member."""
        pair = {"agent": agent, "channel": channel}
        await transaction.run(QUERIES["sharing.change_membership"].choose("lock"), pair)
        left = await transaction.run(
            QUERIES["sharing.change_membership"].choose("leave"), {**pair, "now": now}
        )
        return bool(left)

    async def leaving(self, now: datetime, limit: int) -> tuple[tuple[str, str], ...]:
        """Return (agent, channel) of departed members whose sharing may not be ended."""
        rows = await self._database.read(
            QUERIES["sharing.list_members"].choose("leaving"), {"now": now, "limit": limit}
        )
        return tuple((row["agent"], row["channel"]) for row in rows)

    @in_transaction
    async def hide(
        self,
        transaction: Transaction,
        agent: str,
        channel: str,
        after: str,
        limit: int,
        lease: Lease | None,
    ) -> tuple[int, str | None]:
        """Hide copies by uid; return how many, and the last uid, None at the end."""
        await fence_if(transaction, lease)
        uids = await _page(transaction, agent, channel, after, limit)
        if not uids:
            return 0, None
        await lock_all(transaction, uids)
        await transaction.run(QUERIES["sharing.hide_copies"], {"uids": uids, **STATE_KEYS})
        await renew_versions(transaction, [channel])
        return len(uids), uids[-1]

    @in_transaction
    async def withdraw(
        self,
        transaction: Transaction,
        agent: str,
        channel: str,
        now: datetime,
        limit: int,
        lease: Lease | None,
    ) -> int:
        """Remove copies that an agent published; return how many; 0: none is left."""
        await fence_if(transaction, lease)
        uids = await _page(transaction, agent, channel, "", limit)
        if uids:
            await remove_memories(transaction, dict.fromkeys(uids), now)
        return len(uids)

    @in_transaction
    async def part(
        self,
        transaction: Transaction,
        agent: str,
        channel: str,
        now: datetime,
        limit: int,
        lease: Lease | None,
    ) -> int:
        """Unlink patterns of the channel from those of an agent; those with too few holders are removed.

        Return how many were examined; 0: none is left.
        """
        pair = {"agent": agent, "channel": channel}
        await fence_if(transaction, lease)
        query = QUERIES["sharing.supported_patterns"]
        rows = await transaction.run(query, {**pair, "limit": limit})
        if not rows:
            return 0
        await lock_all(transaction, (row["uid"] for row in rows))
        held = sorted({row["original"] for row in rows})
        weak = await transaction.run(
            QUERIES["sharing.find_weakened"].choose("patterns"),
            {"originals": held, "gone": held},
        )
        # patterns of other channels are kept: the agent is a member there
        gone: dict[str, int | None] = {row["uid"]: None for row in weak if row["scope"] == channel}
        if gone:
            await remove_memories(transaction, gone, now)
        await transaction.run(QUERIES["sharing.part_patterns"], {"rows": rows})
        return len(rows)

    @in_transaction
    async def end(
        self, transaction: Transaction, agent: str, channel: str, lease: Lease | None
    ) -> None:
        """Delete an ended membership."""
        pair = {"agent": agent, "channel": channel}
        await fence_if(transaction, lease)
        await transaction.run(QUERIES["sharing.change_membership"].choose("lock"), pair)
        await transaction.run(QUERIES["sharing.change_membership"].choose("end"), pair)

    @in_transaction
    async def publish(
        self,
        transaction: Transaction,
        agent: str,
        channel: str,
        name: str,
        uid: str,
        now: datetime,
        slot: Slot,
    ) -> Publication | None:
        """Create or update a copy of an agent's memory in a channel; a new one gets ``uid``.

        None if the agent has no such memory.

        Raises
        ------
        ConflictError
            If the agent is no member, or the memory is not active.
        EmbedderChangedError
            If the graph was switched to another embedder meanwhile.
        """
        first_q = self._configs.of(tenant_of(agent)).q_default
        original = await _lock_original(transaction, agent, name)
        if original is None:
            return None
        if original["state"] != "active":
            raise ConflictError("only an active memory can be published")
        await _check_member(transaction, agent, channel)
        copies = await find_copies(transaction, [original["uid"]])
        there = next((row for row in copies if row["scope"] == channel), None)
        by = name_in(agent)
        if there is None:
            wanted = Wanted(uid, original["uid"], channel, by, now, first_q)
        else:
            at = there["published_at"].to_native()
            wanted = Wanted(there["uid"], original["uid"], channel, by, at)
        status = _status(there)
        if status != "unchanged":
            await write_copies(transaction, [wanted], now, slot)
        return Publication(wanted.uid, wanted.original, channel, by, wanted.published_at, status)

    @in_transaction
    async def unpublish(
        self,
        transaction: Transaction,
        agent: str,
        channels: Sequence[str] | None,
        name: str,
        now: datetime,
    ) -> int | None:
        """Remove the copies of a memory from channels, or with None from all; return how many.

        None if the agent has no such memory.
        """
        original = await _lock_original(transaction, agent, name)
        if original is None:
            return None
        copies = await find_copies(transaction, [original["uid"]])
        ended = [row["uid"] for row in copies if channels is None or row["scope"] in channels]
        if ended:
            await remove_memories(transaction, dict.fromkeys(ended), now)
        return len(ended)


async def _page(
    transaction: Transaction, agent: str, channel: str, after: str, limit: int
) -> list[str]:
    rows = await transaction.run(
        QUERIES["sharing.page_of_copies"],
        {"channel": channel, "agent": name_in(agent), "after": after, "limit": limit},
    )
    return [row["uid"] for row in rows]


async def _lock_original(
    transaction: Transaction, agent: str, name: str
) -> Mapping[str, Any] | None:
    """Lock and read a memory of an agent."""
    named = {"scopes": [agent], **either_name(name)}
    rows = await transaction.run(QUERIES["memories.get_memory"].choose("whole"), named)
    if not rows:
        return None
    await lock_all(transaction, [rows[0]["memory"]["uid"]])
    rows = await transaction.run(QUERIES["memories.get_memory"].choose("whole"), named)
    return rows[0]["memory"] if rows else None


async def _check_member(transaction: Transaction, agent: str, channel: str) -> None:
    pair = {"agent": agent, "channel": channel}
    await transaction.run(QUERIES["sharing.change_membership"].choose("lock"), pair)
    rows = await transaction.run(QUERIES["sharing.list_members"].choose("one"), pair)
    if not rows or rows[0]["left_at"] is not None:
        raise ConflictError("the agent is no member of this channel: join it first")


def _status(there: Mapping[str, Any] | None) -> CopyStatus:
    if there is None:
        return "created"
    same = there["published_revision"] == there["original_revision"] and there["state"] == "active"
    return "unchanged" if same else "updated"
