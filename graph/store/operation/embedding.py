"""The two vector slots in Neo4j: one is filled while the other is read, then they are switched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.leases import held
from graph.database.locks import renew_versions_of
from graph.database.store import Store, in_transaction
from graph.kernel.embedding import (
    EmbedderIdentity,
    EmbeddingPage,
    EmbeddingState,
    MemoryCount,
    Slot,
)
from graph.kernel.errors import ConfigurationError, ConflictError, DatabaseError
from graph.kernel.values import Vector
from graph.ports.world import Clock
from graph.store.operation.migrate import SLOT_INDEXES, schema_state, vector_options

_LEASE_SECONDS = 15
_ONLINE_SECONDS = 0.1


class EmbeddingStore(Store):
    """Store of the two vector slots, and of their recorded state."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Hold the lease of re-embedding for a block."""
        refused = ConflictError("another `stratagraph reembed` works on this graph; let it end")
        return held(self._database, "reembed", _LEASE_SECONDS, _LEASE_SECONDS + 1, refused)

    async def state(self) -> EmbeddingState:
        """Read the recorded state."""
        state = (await schema_state(self._database)).embedding
        if state is None:
            raise ConfigurationError(
                "the graph is empty: set STRATAGRAPH_EMBEDDER and start the service"
            )
        return state

    async def count(self) -> MemoryCount:
        """Count all memories."""
        [row] = await self._database.read(QUERIES["operation.count_memories"].choose("all"), {})
        return MemoryCount(row["memories"], row["client_vectors"])

    async def begin(self, target: EmbedderIdentity) -> None:
        """Record that the other slot is being filled, and create its index; repeatable."""
        state = await self.state()
        if state.other is None:
            await self._drop_index(state.other_slot)  # one of another dimension may exist

        async def work(transaction: Transaction) -> int:
            await self._lock(transaction)
            rows = await transaction.run(
                QUERIES["operation.change_slots"].choose("filling"),
                {
                    "embedder": target.name,
                    "dimension": target.dimension,
                    "source": target.source or target.name,
                },
            )
            return int(rows[0]["changed"])

        if not await self._database.write(work):
            raise ConflictError("another embedder is in the graph's second slot already")
        await self._make_index(state.other_slot, target.dimension)

    async def _make_index(self, slot: Slot, dimension: int) -> None:
        for _, create, _ in SLOT_INDEXES:
            await self._database.alter_schema(create.for_slot(slot), vector_options(dimension))
        for name in (f"memory_embedding_{slot}", f"episode_embedding_{slot}"):
            while (state := await self._index_state(name)) != "ONLINE":
                if state == "FAILED":
                    raise DatabaseError(f"the index {name} could not be built")
                await asyncio.sleep(_ONLINE_SECONDS)

    async def _drop_index(self, slot: Slot) -> None:
        for _, _, drop in SLOT_INDEXES:
            await self._database.alter_schema(drop.for_slot(slot), {})

    async def _index_state(self, name: str) -> str:
        rows = await self._database.read(QUERIES["operation.index_states"], {})
        states = {row["name"]: row["state"] for row in rows}
        return str(states.get(name, "FAILED"))

    async def page(self, slot: Slot, embedder: str, after: str, limit: int) -> EmbeddingPage:
        """Read the next memories after a uid, with the texts that lack a vector."""
        [row] = await self._database.read(
            QUERIES["operation.page_of_memories"],
            {"after": after, "limit": limit, "embedder": embedder},
            slot,
        )
        lacking = sorted((memory["uid"], memory["text"]) for memory in row["lacking"])
        return EmbeddingPage(row["last"] or after, row["seen"], tuple(lacking))

    @in_transaction
    async def save_vectors(
        self,
        transaction: Transaction,
        slot: Slot,
        embedder: str,
        rows: Sequence[tuple[str, str, Vector]],
    ) -> int:
        """Save vectors by uid where the text is still the given one; return how many."""
        uids = [uid for uid, _, _ in rows]
        vectors = [
            {"uid": uid, "text": text, "vector": vector.tolist()} for uid, text, vector in rows
        ]
        await transaction.run(
            QUERIES["memories.lock_memories"].choose("vectors"), {"uids": uids}, slot
        )
        saved = await transaction.run(
            QUERIES["operation.save_vectors"].choose("unchanged"),
            {"rows": vectors, "embedder": embedder},
            slot,
        )
        await renew_versions_of(transaction, uids)
        return int(saved[0]["saved"])

    async def switch(self, target: str) -> bool:
        """Switch recalls to the other slot in one transaction, unless a memory lacks its vector."""
        slot = (await self.state()).other_slot

        async def work(transaction: Transaction) -> bool:
            await self._lock(transaction)
            lacking = QUERIES["operation.count_memories"].choose("lacking")
            found = await transaction.run(lacking, {"embedder": target}, slot)
            if found[0]["memories"]:
                return False
            [switched] = await transaction.run(
                QUERIES["operation.change_slots"].choose("switched"), {"embedder": target}
            )
            if not switched["changed"]:
                raise ConflictError("the re-embedding was cancelled meanwhile")
            return True

        return await self._database.write(work)

    @in_transaction
    async def give_up(self, transaction: Transaction) -> bool:
        """Mark the other slot for removal; return whether there was one. The slot in use is kept."""
        await self._lock(transaction)
        rows = await transaction.run(QUERIES["operation.change_slots"].choose("dropping"), {})
        return bool(rows[0]["changed"])

    async def drop_other(
        self, after: str, limit: int, unlinked_since: datetime | None
    ) -> EmbeddingPage:
        """Remove the other slot's index, and its vectors of the next memories after a uid.

        With a time, these memories wait for links from that time on.
        """
        slot = (await self.state()).other_slot
        # the index first: a replica that still reads this slot fails and reads the state again,
        # instead of finding less (ADR 11)
        if not after:
            await self._drop_index(slot)

        async def work(transaction: Transaction) -> dict[str, Any]:
            [row] = await transaction.run(
                QUERIES["operation.remove_vectors"],
                {"after": after, "limit": limit, "unlinked_since": unlinked_since},
                slot,
            )
            return row

        row = await self._database.write(work)
        return EmbeddingPage(row["last"] or after, row["seen"], ())

    async def forget_other(self) -> None:
        """Record that the other slot is empty."""
        await self._database.write_one(QUERIES["operation.change_slots"].choose("empty"), {})

    async def _lock(self, transaction: Transaction) -> None:
        query = QUERIES["operation.change_slots"].choose("locked")
        await transaction.run(query, {"now": self._clock.now()})
