"""Memories in Neo4j: saved, read, removed, and found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cypher import QUERIES
from graph.errors import ConflictError
from graph.model import Saved
from graph.store import candidates as recall
from graph.store.driver import ConstraintViolatedError
from graph.store.owners import Owners
from graph.store.properties import content, first_properties, to_memory
from graph.store.saving import Existing, link_names, plan_batch
from graph.store.sessions import (
    join_sessions,
    lock_sessions,
    note_ends,
    refresh_context,
    session_ends,
)
from graph.store.terms import forget_mentions
from graph.store.vectors import check_slot, create_memories, save_also, vector_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model import (
        CandidatePool,
        CandidateQuery,
        Memory,
        PreparedMemory,
        Slot,
        Vector,
    )
    from graph.store.driver import Database, Transaction
    from graph.store.saving import SavePlan

_RACES = 5
_EXTERNAL = "external:"


class _RefusedError(Exception):
    """Rolls an atomic batch back."""

    def __init__(self, answers: tuple[Saved, ...]) -> None:
        super().__init__()
        self.answers = answers


class Neo4jMemories:
    """The ``MemoryStore`` of this project."""

    def __init__(self, database: Database, q_default: float, owners: Owners | None = None) -> None:
        self._database = database
        self._q_default = q_default
        self._owners = owners or Owners(database)

    def forget_cached(self) -> None:
        """Read again who speaks where; after the graph was changed behind this store's back."""
        self._owners.forget()

    async def save(self, rows: Sequence[PreparedMemory], *, atomic: bool) -> tuple[Saved, ...]:
        """See ``MemoryStore.save``."""
        if not rows:
            return ()
        for _ in range(_RACES):
            try:
                answers, spoken = await self._database.write(
                    lambda tx: self._save(tx, rows, atomic)
                )
            except ConstraintViolatedError:
                continue  # another writer stored one of the rows first: look again
            except _RefusedError as refused:
                return refused.answers
            self._owners.learn(spoken)
            return answers
        raise ConflictError("the same memories are being written by others; send them again")

    async def _save(
        self, transaction: Transaction, rows: Sequence[PreparedMemory], atomic: bool
    ) -> tuple[tuple[Saved, ...], dict[str, frozenset[str]]]:
        now = rows[0].recorded_at
        named = [(row.new.scope, row.new.session_id) for row in rows if row.new.session_id]
        locked = await lock_sessions(transaction, named, now)
        plan = plan_batch(
            rows,
            await session_ends(transaction, locked),
            await self._existing(transaction, rows),
            await self._taken(transaction, rows),
            await self._link_targets(transaction, rows),
        )
        if atomic and plan.rejected:
            raise _RefusedError(tuple(plan.answers))
        await self._write(transaction, plan)
        created = [row.new for row, _ in plan.created]
        spoken = await self._owners.note(transaction, created, now)
        return tuple(plan.answers), spoken

    async def _existing(
        self, transaction: Transaction, rows: Sequence[PreparedMemory]
    ) -> dict[int, Existing]:
        found = await transaction.run(
            QUERIES["memory.find_saved"],
            {
                "rows": [
                    {
                        "scope": row.new.scope,
                        "external_id": row.new.external_id,
                        "content_hash": row.content_hash,
                    }
                    for row in rows
                ]
            },
        )
        return {
            row["place"]: Existing(
                row["uid"], row["content_hash"], row["session_id"], row["sequence"]
            )
            for row in found
        }

    async def _taken(
        self, transaction: Transaction, rows: Sequence[PreparedMemory]
    ) -> frozenset[int]:
        asked = [
            (place, row.new)
            for place, row in enumerate(rows)
            if row.new.session_id is not None and row.new.sequence is not None
        ]
        if not asked:
            return frozenset()
        found = await transaction.run(
            QUERIES["session.find_taken_sequences"],
            {
                "rows": [
                    {"scope": new.scope, "session_id": new.session_id, "sequence": new.sequence}
                    for _, new in asked
                ]
            },
        )
        taken: list[int] = [row["place"] for row in found]
        return frozenset(asked[i][0] for i in taken)

    async def _link_targets(
        self, transaction: Transaction, rows: Sequence[PreparedMemory]
    ) -> dict[tuple[str, str], str]:
        names = link_names(rows)
        if not names:
            return {}
        found = await transaction.run(
            QUERIES["memory.find_link_targets"],
            {"names": [{"scope": scope, **_name(name)} for scope, name in names]},
        )
        return {names[row["place"]]: row["uid"] for row in found}

    async def _write(self, transaction: Transaction, plan: SavePlan) -> None:
        created = [
            (row, first_properties(row, self._q_default, sequence))
            for row, sequence in plan.created
        ]
        await create_memories(transaction, created)
        if plan.replaced:
            await self._replace(transaction, plan)
        if links := plan.links:
            await transaction.run(QUERIES["memory.link_memories"], {"links": links})
        await join_sessions(transaction, plan)

    async def _replace(self, transaction: Transaction, plan: SavePlan) -> None:
        replaced = sorted(plan.replaced, key=lambda pair: pair[1].uid)
        rows = [
            {
                "uid": existing.uid,
                "version_uid": row.uid,
                "label": row.new.kind.capitalize(),
                "properties": content(row),
                **vector_row(row.embedding),
            }
            for row, existing in replaced
        ]
        saved = await transaction.run(
            QUERIES["memory.replace_memories"], {"rows": rows}, replaced[0][0].embedding.slot
        )
        check_slot(saved[0]["replaced"], rows)
        await save_also(transaction, {existing.uid: row for row, existing in replaced})

    async def get(self, scopes: Sequence[str], name: str) -> Memory | None:
        """See ``MemoryStore.get``."""
        rows = await self._database.read(
            QUERIES["memory.get_memory"], {"scopes": list(scopes), **_either_name(name)}
        )
        return to_memory(rows[0]["memory"]) if rows else None

    async def delete(self, scopes: Sequence[str], name: str) -> bool:
        """See ``MemoryStore.delete``."""
        memory = await self.get(scopes, name)
        if memory is None:
            return False
        return await self._database.write(lambda tx: self._delete(tx, memory))

    async def _delete(self, transaction: Transaction, memory: Memory) -> bool:
        sessions = [(memory.scope, memory.session_id)] if memory.session_id else []
        await lock_sessions(transaction, sessions, memory.recorded_at)
        await forget_mentions(transaction, [memory.uid], memory.recorded_at)
        rows = await transaction.run(QUERIES["memory.delete_memory"], {"uid": memory.uid})
        if rows:
            await refresh_context(transaction, rows[0]["neighbours"])
        await note_ends(transaction, sessions)
        return bool(rows)

    async def vector_of(
        self, scopes: Sequence[str], name: str, slot: Slot
    ) -> tuple[str, Vector] | None:
        """See ``MemoryStore.vector_of``."""
        rows = await self._database.read(
            QUERIES["memory.get_vector"], {"scopes": list(scopes), **_either_name(name)}, slot
        )
        if not rows:
            return None
        return rows[0]["text"], np.array(rows[0]["vector"], dtype=np.float32)

    async def candidates(self, query: CandidateQuery) -> CandidatePool:
        """See ``MemoryStore.candidates``."""
        rows = await self._database.read(
            QUERIES["memory.recall_candidates"], recall.parameters(query), query.slot
        )
        return recall.to_pool(rows[0])

    async def speakers(self, scopes: Sequence[str]) -> frozenset[str]:
        """See ``MemoryStore.speakers``."""
        return await self._owners.speakers(scopes)

    async def count_accesses(self, counts: Mapping[str, int], at: datetime) -> None:
        """See ``MemoryStore.count_accesses``."""
        rows = [{"uid": uid, "count": count} for uid, count in sorted(counts.items())]
        await self._database.write_one(QUERIES["memory.count_accesses"], {"rows": rows, "at": at})


def _name(name: str) -> dict[str, str | None]:
    external = name.removeprefix(_EXTERNAL)
    if external != name:
        return {"uid": None, "external_id": external}
    return {"uid": name, "external_id": None}


def _either_name(name: str) -> dict[str, str]:
    return {key: value or "" for key, value in _name(name).items()}
