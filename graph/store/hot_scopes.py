"""Scopes that are asked often, held in this process and compared with the graph at each recall."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from cachetools import TTLCache

from cypher import QUERIES
from graph.errors import DatabaseError
from graph.ports import UNWATCHED
from graph.store.candidates import MILLISECONDS_PER_DAY, parameters
from graph.store.hot_pool import pool
from graph.store.hot_scope import COUNTED, hot_scope, joined
from graph.store.versions import NEVER, locked_versions, renew_versions, versions_by_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from graph.model import CandidatePool, CandidateQuery, Slot
    from graph.ports import Telemetry
    from graph.store.driver import Database, Transaction
    from graph.store.hot_scope import HotScope
    from graph.store.versions import Version

logger = logging.getLogger(__name__)

_WARM_RECALLS = 3  # within a minute of each other: then a scope is loaded
_LONGEST_WAIT = 64  # recalls until a scope that changes faster than it is asked is loaded again
_WARM_SECONDS = 60.0
_REFUSED_SECONDS = 300.0
_KNOWN_SCOPES = 10_000
_LOADS_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class HotLimits:
    """How many memories a scope may have to be held, all bytes, and seconds until a fresh load.

    The last is for what was changed by hand, without a new version.
    """

    memories: int = 1000
    bytes: int = 64 * 2**20
    seconds: float = 60.0


@dataclass(slots=True)
class _Heat:
    """How often a scope was asked since it was last held, and how often it must be."""

    needed: int = _WARM_RECALLS
    asked: int = 0


@dataclass(slots=True)
class _Held:
    scope: HotScope
    until: float
    hits: int = 0


class HotScopes:
    """Answers recalls on scopes that are held, where the graph says that they are still the same."""

    def __init__(
        self,
        database: Database,
        limits: HotLimits,
        telemetry: Telemetry = UNWATCHED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._limits = limits
        self._telemetry = telemetry
        self._clock = clock
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._heat = TTLCache[str, _Heat](_KNOWN_SCOPES, _WARM_SECONDS, clock)
        self._refused = TTLCache[str, bool](_KNOWN_SCOPES, _REFUSED_SECONDS, clock)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._prepared: set[Slot] = set()
        self._turn = asyncio.Semaphore(_LOADS_AT_ONCE)
        telemetry.watch("hot_scope_bytes", lambda: float(self.bytes))
        telemetry.watch("hot_scopes", lambda: float(len(self._held)))

    @property
    def bytes(self) -> int:
        """About how much memory the scopes take that are held."""
        return sum(held.scope.size for held in self._held.values())

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that are held, the one asked last at the end."""
        return tuple(self._held)

    def forget(self) -> None:
        """Hold nothing, and know nothing of what was asked."""
        self._held.clear()
        self._heat.clear()
        self._refused.clear()

    async def settled(self) -> None:
        """Wait until nothing is being loaded."""
        while self._loading:
            await asyncio.gather(*self._loading.values(), return_exceptions=True)

    async def close(self) -> None:
        """Break off what is being loaded."""
        for task in self._loading.values():
            task.cancel()
        await self.settled()

    async def candidates(self, query: CandidateQuery) -> CandidatePool | None:
        """Return the pool of a recall; None where the recall statement has to be asked."""
        walks = query.walk.similar or query.walk.mentioned
        if walks or any(scope in self._refused for scope in query.scopes):
            return self._missed("unfit")
        held = self._fresh(query)
        if held is None:
            return self._missed("cold")
        scopes = [each.scope for each in held]
        statement = QUERIES["memory.find_by_words"]
        given = parameters(query, statement.params, most=False)
        [row] = await self._database.read(statement, given)
        versions = versions_by_scope(row)
        if row["slot"] != query.slot or self._changed(query, scopes, versions):
            return self._missed("changed")
        found = pool(joined(scopes), query, list(zip(row["uid"], row["lexical"], strict=True)))
        if found is None:
            return self._missed("changed")
        if any(versions.get(each.scope, NEVER)[1] != each.counted for each in scopes):
            found = await self._counted(found, query)
            if found is None:
                return self._missed("changed")
        for each in held:
            each.hits += 1
        self._telemetry.count("hot_scope_recalls", outcome="hit")
        return found

    async def _counted(self, found: CandidatePool, query: CandidateQuery) -> CandidatePool | None:
        """Put in how often memories were recalled and what was left of them, where another replica has counted."""
        uids = [memory.uid for memory in found.memories]
        given = {"uids": uids, "scopes": list(query.scopes)}
        rows = await self._database.read(QUERIES["memory.access_counts"], given)
        by_uid = {row["uid"]: row for row in rows}
        if len(by_uid) < len(uids):
            return None
        columns = {name: np.array([by_uid[uid][name] for uid in uids]) for name in COUNTED}
        return replace(
            found,
            access_count=columns["access_count"].astype(np.int64),
            weight=columns["w0"].astype(np.float64),
            weight_day=columns["w_at"] / MILLISECONDS_PER_DAY,
        )

    def _missed(self, outcome: str) -> None:
        self._telemetry.count("hot_scope_recalls", outcome=outcome)

    def _fresh(self, query: CandidateQuery) -> list[_Held] | None:
        """Return what is held of all scopes of a query; else note that they are asked."""
        now = self._clock()
        found: list[_Held] = []
        for scope in query.scopes:
            held = self._held.get(scope)
            if held is not None and held.until > now and held.scope.slot == query.slot:
                self._held.move_to_end(scope)
                found.append(held)
            else:
                if self._held.pop(scope, None) is not None:
                    self._heat[scope] = _Heat(needed=1)
                self._ask(scope, query)
        return found if len(found) == len(query.scopes) else None

    def _ask(self, scope: str, query: CandidateQuery) -> None:
        heat = self._heat.get(scope) or _Heat()
        heat.asked += 1
        self._heat[scope] = heat  # asked again: known for longer
        if heat.asked >= heat.needed and scope not in self._loading:
            task = asyncio.create_task(self._load(scope, query.slot, int(query.embedding.size)))
            self._loading[scope] = task
            task.add_done_callback(lambda _: self._loading.pop(scope, None))

    def _changed(
        self,
        query: CandidateQuery,
        scopes: Sequence[HotScope],
        versions: Mapping[str, Version],
    ) -> bool:
        """Let go of what the graph has another version of; load it again if that has paid."""
        changed = [each for each in scopes if versions.get(each.scope, NEVER)[0] != each.version]
        for each in changed:
            held = self._held.get(each.scope)
            if held is not None and held.scope is each:  # or it was loaded anew meanwhile
                del self._held[each.scope]
                before = self._heat.get(each.scope) or _Heat(needed=1)
                needed = 1 if held.hits > 1 else min(_LONGEST_WAIT, 2 * before.needed)
                self._heat[each.scope] = _Heat(needed=needed)
                self._ask(each.scope, query)
        return bool(changed)

    def count_accesses(
        self, written: Mapping[str, Sequence[Any]], versions: Mapping[str, tuple[str | None, str]]
    ) -> None:
        """Take over what this process wrote, where what is held is the version right before it."""
        for scope, (before, after) in versions.items():
            held = self._held.get(scope)
            if held is not None and held.scope.counted == before:
                held.scope.count_accesses(written, after)

    async def _load(self, scope: str, slot: Slot, dimension: int) -> None:
        async with self._turn:
            try:
                with self._telemetry.span("job", "load_hot_scope"):
                    loaded = await self._read(scope, slot, dimension)
            except DatabaseError as error:
                self._heat[scope] = _Heat(needed=_LONGEST_WAIT)
                logger.debug("scope not held", extra={"action": "hot_scope", "why": error.message})
                return
        if loaded is None:
            return
        if len(loaded) > self._limits.memories or loaded.size > self._limits.bytes:
            self._refused[scope] = True
            return
        self._telemetry.count("hot_scope_loads")
        self._held[scope] = _Held(loaded, self._clock() + self._limits.seconds)
        while self.bytes > self._limits.bytes:
            coldest, _ = self._held.popitem(last=False)
            self._heat.pop(coldest, None)

    async def _read(self, scope: str, slot: Slot, dimension: int) -> HotScope | None:
        """Read a scope under its lock: nothing of another version is being written meanwhile."""

        async def work(transaction: Transaction) -> HotScope | None:
            read_slot, versions = await locked_versions(transaction, [scope])
            if scope in versions and versions[scope][0] is None:
                raise _WithoutVersionError
            if read_slot != slot:
                return None
            given = {"scope": scope, "dimension": dimension, "most": self._limits.memories + 1}
            [row] = await transaction.run(QUERIES["memory.load_scope"], given, slot)
            return hot_scope(scope, versions.get(scope, NEVER), slot, row, dimension)

        await self._prepare(slot, dimension)
        try:
            return await self._database.look(work)
        except _WithoutVersionError:
            await self._database.write(lambda tx: renew_versions(tx, [scope]))
            return await self._database.look(work)

    async def _prepare(self, slot: Slot, dimension: int) -> None:
        """Let the server plan the statements once before a lock waits for them."""
        if slot not in self._prepared:
            given = {"scope": "", "dimension": dimension, "most": 0}
            await self._database.read(QUERIES["memory.load_scope"], given, slot)
            await self._database.read(QUERIES["scope.scope_versions"], {"scopes": [""]})
            self._prepared.add(slot)


class _WithoutVersionError(Exception):
    """A scope is older than versions are."""
