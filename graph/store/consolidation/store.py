"""Consolidations in Neo4j: planned as clusters, condensed in batches, undone in reverse order.

A batch locks its run, then sessions, then memories by uid, and reads again before it writes. So requests, the worker
and other replicas may work on one run, and an interrupted batch is repeated. A cluster is condensed completely or not
at all.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.leases import count_fenced
from graph.database.locks import lock_all, renew_versions
from graph.database.rows import from_row, to_row
from graph.database.runs import KeptRuns, Runs, check_time
from graph.database.store import in_transaction
from graph.kernel.embedding import Slot
from graph.kernel.errors import ConflictError
from graph.kernel.scope import tenant_of
from graph.kernel.values import END
from graph.model.consolidation.agreements import AgreementNews, KnownAgreement, Statement
from graph.model.consolidation.clusters import (
    CONSOLIDATION_COUNTS,
    Cluster,
    Condensing,
    ConsolidationRun,
    Inherit,
    KnownPattern,
    NearbyMemory,
    Outlined,
    PlannedCluster,
    SeenPattern,
)
from graph.model.consolidation.patterns import Happening
from graph.model.memories.links import Lease
from graph.ports.utility import ConfigsInUse
from graph.store.consolidation.agreements import (
    forget_agreements,
    save_agreements,
    to_known_agreement,
    to_statement,
)
from graph.store.consolidation.clusters import (
    array_of,
    condensed_properties,
    to_happening,
    to_source,
)
from graph.store.consolidation.patterns import forget_patterns, known_patterns, save_patterns
from graph.store.consolidation.settling import (
    bring_back,
    is_chained,
    lock_intact,
    mark,
    session_of,
    take_place,
)
from graph.store.memories.removing import remove_memories
from graph.store.memories.sessions import lock_sessions, move_tails
from graph.store.memories.vectors import create_memories

_LONGEST_STATEMENT = 400  # characters; a longer text has more than one statement
_STATEMENT = ["observation", "preference", "insight"]
_DERIVED = (
    "clusters",
    "condensed",
    "skipped",
    "sources",
    "restored",
    "chars_before",
    "chars_after",
)


class ConsolidationStore(KeptRuns[ConsolidationRun]):
    """Store of consolidation runs."""

    def __init__(self, database: Database, configs: ConfigsInUse) -> None:
        super().__init__(database, _RUNS)
        self._configs = configs

    async def outline(
        self, scope: str, uids: Sequence[str], now: datetime, slot: Slot
    ) -> Sequence[Outlined]:
        """Return memories that can be condensed: active plain notes without expiry that nothing replaced."""
        [found] = await self._database.read(
            QUERIES["consolidation.outline"],
            {"scope": scope, "uids": list(uids), "end": END, "now": now},
            slot,
        )
        return [from_row(Outlined, row, vector=array_of(row)) for row in found["rows"]]

    async def pairs(self, uids: Sequence[str]) -> Sequence[tuple[str, str, float]]:
        """Return similar pairs of these memories with their similarity, each pair once."""
        known = set(uids)
        rows = await self._database.read(
            QUERIES["consolidation.similar_pairs"], {"uids": list(uids)}
        )
        return [(row["one"], row["two"], row["similarity"]) for row in rows if row["two"] in known]

    @in_transaction
    async def plan(
        self,
        transaction: Transaction,
        run_uid: str,
        clusters: Sequence[Cluster],
        lease: Lease | None,
        totals: tuple[int, int] | None = None,
    ) -> None:
        """Add clusters to the plan of a run.

        ``totals``, counts of clusters and of memories read, complete the plan: the run starts, unless it has fewer
        clusters.
        """
        run = await _RUNS.locked(transaction, run_uid, lease, "planning")
        if run is None:
            return
        named = {
            "run_uid": run_uid,
            "scope": run.scope,
            "tenant": tenant_of(run.scope),
        }
        rows = [{**to_row(cluster, "text"), **named} for cluster in clusters]
        await transaction.run(
            QUERIES["consolidation.save_clusters"],
            {"rows": rows, "undo_until": run.undo_until},
        )
        if totals is not None:
            await _start(transaction, run_uid, *totals)

    @in_transaction
    async def forget_plan(
        self, transaction: Transaction, run_uid: str, limit: int, lease: Lease | None
    ) -> int:
        """Remove some clusters of an unfinished plan; return how many."""
        if not await _RUNS.locked(transaction, run_uid, lease, "planning"):
            return 0
        [row] = await transaction.run(
            QUERIES["consolidation.forget_clusters"].choose("planned"),
            {"run": run_uid, "limit": limit},
        )
        return int(row["forgotten"])

    async def proposed(
        self, clusters: Sequence[Cluster], now: datetime, slot: Slot
    ) -> Sequence[PlannedCluster]:
        """Return clusters without a run, each with its memories as they are now."""
        given = [
            {"position": at, "sources": list(c.sources), "context": list(c.context)}
            for at, c in enumerate(clusters)
        ]
        rows = await self._database.read(
            QUERIES["consolidation.list_clusters"].choose("proposed"),
            {"clusters": given, "now": now},
            slot,
        )
        return [_planned(cluster, row) for cluster, row in zip(clusters, rows, strict=True)]

    async def planned(
        self, run_uid: str, after: int, limit: int, now: datetime, slot: Slot
    ) -> Sequence[PlannedCluster]:
        """Return the next planned clusters of a run after a position, each with its memories as they are now."""
        rows = await self._database.read(
            QUERIES["consolidation.list_clusters"].choose("planned"),
            {"run": run_uid, "after": after, "limit": limit, "now": now},
            slot,
        )
        return [_planned(from_row(Cluster, row["cluster"]), row) for row in rows]

    @in_transaction
    async def condense(
        self,
        transaction: Transaction,
        run_uid: str,
        rows: Sequence[Condensing],
        skipped: Sequence[str],
        inherit: Inherit,
        now: datetime,
        lease: Lease | None,
    ) -> int:
        """Replace sources by condensed memories; return how many.

        Inherited values are read under the locks, so no outcome since the plan is lost. Clusters with a changed memory,
        and those named by uid, are skipped. Nothing is done if the run has ended.

        Raises
        ------
        EmbedderChangedError
            If the vectors are not those that the graph reads by now.
        """
        run = await _RUNS.locked(transaction, run_uid, lease, "running")
        if run is None:
            return 0
        sessions = await lock_sessions(transaction, map(session_of, filter(is_chained, rows)), now)
        intact = await lock_intact(transaction, rows)
        done = [row for row in rows if row.cluster.uid in intact]
        left = {row.cluster.uid for row in rows} - intact.keys()
        await mark(transaction, [*skipped, *left], "planned", "skipped")
        if done:
            had = [inherit(intact[row.cluster.uid].sources) for row in done]
            born = [condensed_properties(*each) for each in zip(done, had, strict=True)]
            prepared = [row.prepared for row in done]
            await create_memories(transaction, list(zip(prepared, born, strict=True)), {})
            await take_place(transaction, run_uid, done, intact)
            # sessions have their new last memories only now
            await move_tails(transaction, sessions)
            # scopes last, as in every writer (ADR 16)
            await renew_versions(transaction, [run.scope])
        return len(done)

    async def happenings(self, scope: str, limit: int) -> Sequence[tuple[str, Happening]]:
        """Return what patterns compare of the latest memories of a scope's sessions."""
        [found] = await self._database.read(
            QUERIES["consolidation.happenings"], {"scope": scope, "limit": limit}
        )
        return [(row["uid"], to_happening(row)) for row in found["rows"]]

    async def known_patterns(self, scope: str) -> Mapping[str, KnownPattern]:
        """Return the patterns of a scope by signature."""
        return await known_patterns(self._database.read, scope)

    async def save_patterns(
        self, run_uid: str, rows: Sequence[SeenPattern], lease: Lease | None
    ) -> int:
        """Write new and known patterns; return how many.

        Raises
        ------
        EmbedderChangedError
            If the vectors are not those that the graph reads by now.
        """

        async def save(
            transaction: Transaction, run: ConsolidationRun, first_q: float
        ) -> Mapping[str, int]:
            return {"patterns": await save_patterns(transaction, run, rows, first_q)}

        return (await self._save_found(run_uid, lease, save)).get("patterns", 0) if rows else 0

    async def statements(
        self, scope: str, limit: int, now: datetime, slot: Slot
    ) -> Sequence[Statement]:
        """Return statements of agents in a channel: the latest, and those that agreements rest on."""
        asked = {
            "scope": scope,
            "limit": limit,
            "longest": _LONGEST_STATEMENT,
            "kinds": _STATEMENT,
            "now": now,
        }
        rows = await self._database.read(QUERIES["consolidation.find_statements"], asked, slot)
        return [to_statement(row) for row in rows]

    async def known_agreements(self, scope: str) -> Sequence[KnownAgreement]:
        """Return the agreements of a channel."""
        rows = await self._database.read(
            QUERIES["consolidation.list_agreements"].choose("known"), {"scope": scope}
        )
        return [to_known_agreement(row) for row in rows]

    async def save_agreements(
        self, run_uid: str, news: AgreementNews, now: datetime, lease: Lease | None
    ) -> int:
        """Write agreements and disputes of a channel; return how many agreements were created or changed.

        Raises
        ------
        EmbedderChangedError
            If the vectors are not those that the graph reads by now.
        """

        async def save(
            transaction: Transaction, run: ConsolidationRun, first_q: float
        ) -> Mapping[str, int]:
            return await save_agreements(transaction, run, news, first_q, now)

        return (await self._save_found(run_uid, lease, save)).get("agreements", 0) if news else 0

    @in_transaction
    async def _save_found(
        self,
        transaction: Transaction,
        run_uid: str,
        lease: Lease | None,
        save: Callable[[Transaction, ConsolidationRun, float], Awaitable[Mapping[str, int]]],
    ) -> Mapping[str, int]:
        """Write the findings of a run and count them, if the run is still active."""
        run = await _RUNS.locked(transaction, run_uid, lease, "running")
        if run is None:
            return {}
        first_q = self._configs.of(tenant_of(run.scope)).q_default
        counts = await save(transaction, run, first_q)
        await _RUNS.change(transaction, run_uid, "running", counts)
        await renew_versions(transaction, [run.scope])
        return counts

    @in_transaction
    async def finish(
        self, transaction: Transaction, run_uid: str, now: datetime, lease: Lease | None
    ) -> None:
        """Write the counts of a run, and mark it done."""
        if await _RUNS.locked(transaction, run_uid, lease, "running"):
            await _RUNS.change(transaction, run_uid, "done", finished_at=now)
            await _count(transaction, run_uid)

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> ConsolidationRun | None:
        """See ``RunStore.begin_undo``."""

        async def check(transaction: Transaction, run: ConsolidationRun) -> None:
            if run.state == "purged":
                raise ConflictError(
                    "the sources of this run were removed for good: it cannot be undone"
                )
            check_time(run.undo_until, now)
            query = QUERIES["consolidation.condensed_clusters"].without("rows")
            [found] = await transaction.run(query, {"run": run_uid})
            _check_intact(found, skip_changed=skip_changed)

        return await _RUNS.begin_undo(self._database, scopes, run_uid, check)

    @in_transaction
    async def restore(
        self, transaction: Transaction, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """See ``RunStore.restore``."""
        run = await _RUNS.locked(transaction, run_uid, lease, "undoing")
        if run is None:
            return None
        asked = {"run": run_uid, "limit": limit}
        query = QUERIES["consolidation.condensed_clusters"]
        [held] = await transaction.run(query, asked)
        found = held["rows"]
        if not found:
            # last: patterns rest on memories that are restored before
            await forget_patterns(transaction, run, now)
            await forget_agreements(transaction, run, now)
            await _RUNS.change(transaction, run_uid, "undone", finished_at=now)
            await _count(transaction, run_uid)
            return 0
        named = {(run.scope, name) for row in found for name in row["session_ids"] if name}
        await lock_sessions(transaction, named, now)
        uids = {uid for row in found for uid in (row["condensed"], *row["sources"])}
        await lock_all(transaction, uids)
        # read again under the locks: memories changed meanwhile are not restored
        [held] = await transaction.run(query, asked)
        locked = held["rows"]
        await bring_back(transaction, [row for row in locked if row["intact"]], now)
        kept = [row["uid"] for row in locked if not row["intact"]]
        await mark(transaction, kept, "condensed", "kept")
        await renew_versions(transaction, [run.scope])
        return len(locked)

    @in_transaction
    async def purge(
        self, transaction: Transaction, run_uid: str, now: datetime, limit: int, lease: Lease
    ) -> int | None:
        """Delete sources of a run whose grace period is over; 0 ends the run, None: it had ended."""
        run = await _RUNS.locked(transaction, run_uid, lease, "done")
        if run is None or run.purge_at is None or run.purge_at > now:
            return None
        found = await transaction.run(
            QUERIES["consolidation.list_clusters"].choose("kept"),
            {"run": run_uid, "after": -1, "limit": limit},
        )
        if not found:
            await _RUNS.change(transaction, run_uid, "purged", finished_at=now)
            return 0
        revisions = {each["uid"]: each["revision"] for row in found for each in row["sources"]}
        removed = await remove_memories(transaction, revisions, now)
        await _RUNS.change(transaction, run_uid, "done", {"purged": len(removed.uids)})
        await mark(transaction, [row["uid"] for row in found], "condensed kept", "purged")
        return len(found)

    async def forget(self, now: datetime, limit: int, lease: Lease) -> int:
        """Delete clusters that can no longer be undone; return how many."""
        query = QUERIES["consolidation.forget_clusters"].choose("over")
        return await count_fenced(self._database, lease, query, now=now, limit=limit)

    async def progress(self, run_uid: str) -> Mapping[str, int]:
        """Return the current counts of a run, by name."""
        [row] = await self._database.read(QUERIES["consolidation.count_clusters"], {"run": run_uid})
        return {name: int(row[name]) for name in _DERIVED}

    async def clusters(self, run_uid: str, limit: int) -> Sequence[Cluster]:
        """Return the first clusters of a run."""
        rows = await self._database.read(
            QUERIES["consolidation.list_clusters"].choose("all"),
            {"run": run_uid, "after": -1, "limit": limit},
        )
        return [from_row(Cluster, row["cluster"]) for row in rows]


def _planned(cluster: Cluster, row: Mapping[str, Any]) -> PlannedCluster:
    context = tuple(from_row(NearbyMemory, each) for each in row["context"])
    return PlannedCluster(cluster, tuple(map(to_source, row["sources"])), context)


async def _start(transaction: Transaction, run_uid: str, clusters: int, looked: int) -> None:
    """Complete the plan of a run, which stays a plan while it has fewer clusters."""
    [row] = await transaction.run(QUERIES["consolidation.count_clusters"], {"run": run_uid})
    if row["clusters"] == clusters:
        await _RUNS.change(transaction, run_uid, "running", {"looked": looked})


async def _count(transaction: Transaction, run_uid: str) -> None:
    """Store the counts of a run, which outlive its clusters."""
    [row] = await transaction.run(QUERIES["consolidation.count_clusters"], {"run": run_uid})
    counts = {name: int(row[name]) for name in _DERIVED}
    await transaction.run(
        QUERIES["database.change_run"].choose("changed").without("added"),
        {"uid": run_uid, "values": counts},
    )


def _check_intact(found: Mapping[str, Any], *, skip_changed: bool) -> None:
    if not found["lost"] or skip_changed:
        return
    if found["later"]:
        raise ConflictError(
            f"run {found['later']} condensed some of the same memories again: undo that one first"
        )
    raise ConflictError(
        f"{found['lost']} of {found['clusters']} condensed memories were changed, rewarded, moved or "
        f"deleted since, the first {found['first']}; with skip_changed the others are taken back"
    )


_RUNS = Runs(
    "consolidation",
    ConsolidationRun,
    ("undone", "done", "purged"),
    CONSOLIDATION_COUNTS,
    working=("planning", "running"),
)
