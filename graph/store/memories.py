"""Memories in Neo4j: saved, read, removed, and found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from cachetools import TTLCache

from cypher import QUERIES
from graph.errors import ConflictError
from graph.model import Saved
from graph.store import candidates as recall
from graph.store.driver import ConstraintViolatedError
from graph.store.properties import content, first_properties, to_memory
from graph.store.saving import Existing, SessionState, link_names, plan_batch, session_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model import (
        CandidatePool,
        CandidateQuery,
        EmbedderIdentity,
        Memory,
        PreparedMemory,
        Vector,
    )
    from graph.store.driver import Database, Transaction
    from graph.store.saving import SavePlan, SessionKey

_RACES = 5
_CACHED_SCOPES = 10_000
_CACHE_SECONDS = 30.0  # after which another replica's new speakers are known here
_CONTEXT_REACH = 2_000  # characters of each neighbour in the full-text index
_EXTERNAL = "external:"
_OWNER_LABELS = {"agent": "Agent", "channel": "Channel", "user": "User", "shared": "Shared"}


class _RefusedError(Exception):
    """Rolls an atomic batch back."""

    def __init__(self, answers: tuple[Saved, ...]) -> None:
        super().__init__()
        self.answers = answers


class Neo4jMemories:
    """The ``MemoryStore`` of this project."""

    def __init__(self, database: Database, embedder: EmbedderIdentity, q_default: float) -> None:
        self._database = database
        self._embedder = embedder
        self._q_default = q_default
        self._speakers = TTLCache[str, frozenset[str]](_CACHED_SCOPES, _CACHE_SECONDS)
        self._noted = TTLCache[str, frozenset[str]](_CACHED_SCOPES, _CACHE_SECONDS)

    def forget_cached(self) -> None:
        """Read again who speaks where; after the graph was changed behind this store's back."""
        self._speakers.clear()
        self._noted.clear()

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
            self._speakers.update(spoken)
            self._noted.update(spoken)
            return answers
        raise ConflictError("the same memories are being written by others; send them again")

    async def _save(
        self, transaction: Transaction, rows: Sequence[PreparedMemory], atomic: bool
    ) -> tuple[tuple[Saved, ...], dict[str, frozenset[str]]]:
        sessions = await self._lock_sessions(transaction, rows)
        plan = plan_batch(
            rows,
            sessions,
            await self._existing(transaction, rows),
            await self._taken(transaction, rows),
            await self._link_targets(transaction, rows),
        )
        if atomic and plan.rejected:
            raise _RefusedError(tuple(plan.answers))
        await self._write(transaction, plan)
        spoken = await self._note_scopes(transaction, [row for row, _ in plan.created])
        return tuple(plan.answers), spoken

    async def _lock_sessions(
        self, transaction: Transaction, rows: Sequence[PreparedMemory]
    ) -> dict[SessionKey, SessionState]:
        names = sorted({(r.new.scope, r.new.session_id) for r in rows if r.new.session_id})
        if not names:
            return {}
        asked = [
            {"scope": scope, "session_id": name, "tenant": scope.partition("/")[0]}
            for scope, name in names
        ]
        await transaction.run(
            QUERIES["session.lock_sessions"], {"rows": asked, "now": rows[0].recorded_at}
        )
        found = await transaction.run(QUERIES["session.session_ends"], {"rows": asked})
        return {
            (row["scope"], row["session_id"]): SessionState(row["last_sequence"], row["tail_uid"])
            for row in found
        }

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
        if plan.created:
            await transaction.run(
                QUERIES["memory.save_memories"],
                {
                    "rows": [
                        {
                            "label": row.new.kind.capitalize(),
                            "properties": first_properties(
                                row, self._embedder.name, self._q_default, sequence
                            ),
                            "vector": row.vector.tolist(),
                        }
                        for row, sequence in plan.created
                    ]
                },
            )
        if plan.replaced:
            await self._replace(transaction, plan)
        if links := plan.links:
            await transaction.run(QUERIES["memory.link_memories"], {"links": links})
        await self._join_sessions(transaction, plan)

    async def _replace(self, transaction: Transaction, plan: SavePlan) -> None:
        replaced = sorted(plan.replaced, key=lambda pair: pair[1].uid)
        await transaction.run(
            QUERIES["memory.replace_memories"],
            {
                "rows": [
                    {
                        "uid": existing.uid,
                        "version_uid": row.uid,
                        "label": row.new.kind.capitalize(),
                        "properties": content(row, self._embedder.name),
                        "vector": row.vector.tolist(),
                    }
                    for row, existing in replaced
                ]
            },
        )

    async def _join_sessions(self, transaction: Transaction, plan: SavePlan) -> None:
        sessions = plan.sessions
        if not sessions:
            return
        pairs = [pair for _, state in sorted(sessions.items()) for pair in state.pairs()]
        touched = {uid for pair in pairs for uid in pair.values()}
        if pairs:
            await transaction.run(QUERIES["session.append_memories"], {"pairs": pairs})
        inserted = sorted(uid for state in sessions.values() for uid in state.inserted)
        if inserted:
            rows = await transaction.run(QUERIES["session.insert_memories"], {"uids": inserted})
            touched.update(rows[0]["touched"])
        replaced = [existing.uid for row, existing in plan.replaced if row.new.session_id]
        if replaced:
            rows = await transaction.run(QUERIES["session.neighbours"], {"uids": replaced})
            touched.update(row["uid"] for row in rows)
        if touched:
            await self._refresh_context(transaction, touched)
        await transaction.run(QUERIES["session.update_sessions"], {"rows": session_rows(sessions)})

    async def _refresh_context(self, transaction: Transaction, uids: set[str]) -> None:
        await transaction.run(
            QUERIES["session.refresh_context"], {"uids": sorted(uids), "reach": _CONTEXT_REACH}
        )

    async def _note_scopes(
        self, transaction: Transaction, rows: Sequence[PreparedMemory]
    ) -> dict[str, frozenset[str]]:
        """Write owners and speakers that are not known to be in the graph."""
        speakers: dict[str, set[str]] = {}
        for row in rows:
            spoken = speakers.setdefault(row.new.scope, set())
            if row.new.speaker:
                spoken.add(row.new.speaker)
        unknown = [
            _scope_row(scope, names)
            for scope, names in sorted(speakers.items())
            if (known := self._noted.get(scope)) is None or not names <= known
        ]
        if not unknown:
            return {}
        noted = await transaction.run(
            QUERIES["scope.save_scopes"], {"rows": unknown, "now": rows[0].recorded_at}
        )
        return {row["scope"]: frozenset[str](row["speakers"]) for row in noted}

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
        session = {"scope": memory.scope, "session_id": memory.session_id}
        if memory.session_id is not None:
            row = {**session, "tenant": memory.scope.partition("/")[0]}
            await transaction.run(
                QUERIES["session.lock_sessions"], {"rows": [row], "now": memory.recorded_at}
            )
        rows = await transaction.run(QUERIES["memory.delete_memory"], {"uid": memory.uid})
        if rows and rows[0]["neighbours"]:
            await self._refresh_context(transaction, set(rows[0]["neighbours"]))
        if memory.session_id is not None:
            await self._note_end(transaction, session)
        return bool(rows)

    async def _note_end(self, transaction: Transaction, session: Mapping[str, Any]) -> None:
        """Write where a session ends after one of its memories went, or remove an empty one."""
        tail = await transaction.run(QUERIES["session.session_tail"], session)
        if not tail:
            await transaction.run(QUERIES["session.delete_session"], session)
            return
        row = {**session, "tail_uid": tail[0]["uid"], "last_sequence": tail[0]["sequence"]}
        await transaction.run(QUERIES["session.update_sessions"], {"rows": [row]})

    async def vector_of(self, scopes: Sequence[str], name: str) -> tuple[str, Vector] | None:
        """See ``MemoryStore.vector_of``."""
        rows = await self._database.read(
            QUERIES["memory.get_vector"], {"scopes": list(scopes), **_either_name(name)}
        )
        if not rows:
            return None
        return rows[0]["text"], np.array(rows[0]["vector"], dtype=np.float32)

    async def candidates(self, query: CandidateQuery) -> CandidatePool:
        """See ``MemoryStore.candidates``."""
        rows = await self._database.read(
            QUERIES["memory.recall_candidates"], recall.parameters(query)
        )
        return recall.to_pool(rows[0])

    async def speakers(self, scopes: Sequence[str]) -> frozenset[str]:
        """See ``MemoryStore.speakers``; read once per scope, and again after a write here."""
        known = {scope: self._speakers.get(scope) for scope in scopes}
        unknown = [scope for scope, names in known.items() if names is None]
        if unknown:
            rows = await self._database.read(QUERIES["scope.speakers"], {"scopes": unknown})
            known |= dict.fromkeys(unknown, frozenset[str]())
            known |= {row["scope"]: frozenset[str](row["speakers"]) for row in rows}
            self._speakers.update({scope: known[scope] or frozenset() for scope in unknown})
        return frozenset[str]().union(*(names for names in known.values() if names))

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


def _scope_row(scope: str, speakers: set[str]) -> dict[str, Any]:
    tenant, kind, *name = scope.split("/", 2)
    return {
        "scope": scope,
        "tenant": tenant,
        "label": _OWNER_LABELS[kind],
        "name": name[0] if name else tenant,
        "speakers": sorted(speakers),
    }
