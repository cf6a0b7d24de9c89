"""Shared knowledge in Neo4j: counts of a scope are exported, and those of others merged under its lock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.store import Store, in_transaction
from graph.model.knowledge.executions import Counts
from graph.store.knowledge.store import counts_of, lock_base, save_counts

_SORTS = ("tools", "contexts", "errors", "parameters", "patterns")
_MOST = 5_000  # maximum of each kind in a file
_MOST_MET = 20_000  # maximum that a file may name
_READ = QUERIES["knowledge.read_shared"]


class KnowledgeSharing(Store):
    """Store that exports counts of a scope and merges those of others."""

    @in_transaction
    async def counted(
        self, transaction: Transaction, scope: str, least: int, new_source: Callable[[], str]
    ) -> Counts:
        """Read counts of ``least`` or more; a scope without a public id is given one."""
        await lock_base(transaction, scope)
        asked = {"scope": scope, "least": least, "limit": _MOST}
        [row] = await transaction.run(_READ.choose("counted"), asked)
        counts = counts_of(row)
        # drawn once, under the lock: an imported file is recognised by it
        if not counts.state.source:
            counts.state.source = new_source()
            named = {"scope": scope, "values": {"source": counts.state.source}}
            await transaction.run(QUERIES["database.set_values"].choose("base"), named)
        return counts

    async def people(self, scope: str) -> list[str]:
        """Read the ids of users whose executions are in a scope."""
        rows = await self._database.read(QUERIES["knowledge.list_people"], {"scope": scope})
        return [row["user_id"] for row in rows]

    @in_transaction
    async def adopt(
        self,
        transaction: Transaction,
        scope: str,
        keys: Mapping[str, Sequence[str]],
        decide: Callable[[Counts], Mapping[str, Sequence[str]]],
    ) -> None:
        """Change counts under the scope's lock; empty ones are removed.

        ``keys`` are those of the file; ``decide`` returns those of the changed counts, both by kind.
        """
        named = {name: sorted(keys.get(name, ())) for name in _SORTS}
        # one lock for a scope (ADR 59)
        await lock_base(transaction, scope)
        asked = {"scope": scope, "asked": named, "limit": _MOST_MET}
        [row] = await transaction.run(_READ.choose("met"), asked)
        counts = counts_of(row)
        before = {name: set(getattr(counts, name)) for name in _SORTS}
        touched = decide(counts)
        empty: dict[str, list[str]] = {}
        changed: dict[str, dict[str, Any]] = {}
        for name in _SORTS:
            records = getattr(counts, name)
            found = {key: records[key] for key in touched.get(name, ())}
            # empty counts are removed, not kept at 0
            empty[name] = sorted(key for key, each in found.items() if not each.uses)
            changed[name] = {key: each for key, each in found.items() if each.uses}
        await save_counts(transaction, scope, replace(counts, **changed), before, [])
        for name, gone in empty.items():
            if gone:
                query = QUERIES["database.delete_nodes"].choose(name)
                await transaction.run(query, {"scope": scope, "keys": gone})
