"""Owners of scopes and the speakers in each, with a cache."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cachetools import TTLCache

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.locks import renew_versions
from graph.database.store import Store
from graph.kernel.scope import kind_in, name_in, tenant_of
from graph.model.memories.memory import NewMemory

_CACHED_SCOPES = 10_000
_CACHE_SECONDS = 30.0  # seconds after which new speakers from other replicas are read
_LABELS = {"agent": "Agent", "channel": "Channel", "user": "User", "shared": "Shared"}


class Owners(Store):
    """Cached owners of scopes, with their speakers."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._speakers = TTLCache[str, frozenset[str]](_CACHED_SCOPES, _CACHE_SECONDS)
        self._noted = TTLCache[str, frozenset[str]](_CACHED_SCOPES, _CACHE_SECONDS)

    def forget(self) -> None:
        """Clear the cache."""
        self._speakers.clear()
        self._noted.clear()

    async def note(
        self,
        transaction: Transaction,
        memories: Iterable[NewMemory],
        now: datetime,
        renewed: Collection[str] | None = None,
    ) -> dict[str, frozenset[str]]:
        """Renew the versions of the scopes of written memories, and write new owners and speakers.

        Cached ones are not written; scopes in ``renewed`` have new versions already.
        """
        speakers: dict[str, set[str]] = {}
        for new in memories:
            spoken = speakers.setdefault(new.scope, set())
            if new.speaker:
                spoken.add(new.speaker)
        there = await renew_versions(transaction, speakers) if renewed is None else renewed
        unknown = [
            owner_row(scope, sorted(names))
            for scope, names in sorted(speakers.items())
            if scope not in there or (known := self._noted.get(scope)) is None or not names <= known
        ]
        if not unknown:
            return {}
        noted = await transaction.run(
            QUERIES["memories.save_scopes"], {"rows": unknown, "now": now}
        )
        return {row["scope"]: frozenset[str](row["speakers"]) for row in noted}

    def learn(self, spoken: Mapping[str, frozenset[str]]) -> None:
        """Cache what was written, after its commit."""
        self._speakers.update(spoken)
        self._noted.update(spoken)

    async def speakers(self, scopes: Sequence[str]) -> frozenset[str]:
        """Return the speakers of these scopes, cached until the next write here."""
        known = {scope: self._speakers.get(scope) for scope in scopes}
        unknown = [scope for scope, names in known.items() if names is None]
        if unknown:
            rows = await self._database.read(QUERIES["memories.speakers"], {"scopes": unknown})
            # also for no speakers, so that recalls do not query again
            known |= dict.fromkeys(unknown, frozenset[str]())
            known |= {row["scope"]: frozenset[str](row["speakers"]) for row in rows}
            self._speakers.update({scope: known[scope] or frozenset() for scope in unknown})
        return frozenset[str]().union(*(names for names in known.values() if names))


def owner_row(scope: str, speakers: Iterable[str]) -> dict[str, Any]:
    """Return the row of an owner for `save_scopes`."""
    tenant = tenant_of(scope)
    return {
        "scope": scope,
        "tenant": tenant,
        "label": _LABELS[kind_in(scope)],
        "name": name_in(scope) or tenant,
        "speakers": sorted(speakers),
    }
