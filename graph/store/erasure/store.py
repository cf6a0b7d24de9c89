"""Erasures in Neo4j: the subject is hidden first, then removed in steps.

A step locks its run first. It finds what to hide by the subject, and what to remove by the mark of hiding; the position
in events and rewards is stored in the run. So an interrupted step is repeated by the next worker, and concurrent
workers take turns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES, Query
from graph.database.driver import Database, Rows, Transaction
from graph.database.keys import STATE_KEYS
from graph.database.leases import count_fenced, fence_if
from graph.database.locks import lock_all, lock_scopes, renew_versions
from graph.database.runs import put_off
from graph.database.store import Store, in_transaction
from graph.database.uids import before
from graph.kernel.values import END
from graph.model.erasure.receipts import ERASURE_STAGES, Erasure, ErasureStage, Subject
from graph.model.memories.links import Lease
from graph.store.episodes.attempts import add_solved
from graph.store.erasure.events import APART, find_events, remove_events
from graph.store.erasure.forgetting import forget_knowledge, forget_surprises, sweep
from graph.store.erasure.subjects import (
    ERASURE,
    counts_json,
    found,
    is_owned,
    is_there,
    one_erasure,
    read_erasure,
    receipt_properties,
    subject_key,
    to_erasure,
)
from graph.store.memories.owners import Owners
from graph.store.memories.removing import remove_memories
from graph.store.memories.sessions import lock_sessions_of, refresh_context

# Fields that the receipt of a completed erasure omits: its subject and its progress.
_OMITTED_WHEN_DONE = ("subject", "owner", "name", "stage", "after", "meant", "revisions")
_STAGES: Mapping[str, tuple[ErasureStage, ...]] = {
    "agent": ERASURE_STAGES,
    "user": ERASURE_STAGES,
    "session": ("hide", "spread", "restore", "events", "remove", "sweep", "check"),
    "memory": ("hide", "spread", "restore", "events", "remove", "check"),
    "memories": ("hide", "spread", "restore", "events", "remove", "check"),
}


class ErasureStore(Store):
    """Store of erasures; the progress is in the graph, so any worker can continue."""

    def __init__(self, database: Database, owners: Owners | None = None) -> None:
        super().__init__(database)
        self._owners = owners

    @in_transaction
    async def begin(
        self,
        transaction: Transaction,
        uid: str,
        subject: Subject,
        now: datetime,
        revisions: Mapping[str, int] | None = None,
    ) -> Erasure | None:
        """Store an erasure and end the active runs in the scope of its subject.

        An active one of the same subject is returned instead; None if there is nothing to erase. ``revisions``
        are by uid, if the subject is a set of memories; changed ones are left.
        """
        # under the scope's lock, so that two requests begin one erasure
        await lock_scopes(transaction, [subject.scope])
        asked = {"tenant": subject.tenant, "subject": subject_key(subject)}
        running = await transaction.run(QUERIES["erasure.running"], asked)
        if running:
            return to_erasure(running[0]["run"])
        # memories named by uid are known to exist
        if revisions is None and not await is_there(transaction, subject):
            return None
        if subject.owner:
            # before anything is hidden: an active run would write about the subject again
            ended = {"tenant": subject.tenant, "scope": subject.owner, "now": now}
            await transaction.run(QUERIES["erasure.end_runs"], ended)
        run = receipt_properties(uid, subject, now, revisions or {})
        await transaction.run(QUERIES["database.create_nodes"].choose("runs"), {"rows": [run]})
        return to_erasure(run)

    async def step(
        self, uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> Erasure | None:
        """Do one step in one transaction, on at most ``limit`` nodes; return the erasure after it.

        None if there is no such erasure. With a lost lease nothing is written.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now.
        """

        async def work(transaction: Transaction) -> Erasure | None:
            await fence_if(transaction, lease)
            asked = {"uid": uid, "waited": lease is None}
            run = one_erasure(
                # a request waits for the lock; the worker skips the erasure
                await transaction.run(QUERIES["database.change_run"].choose("locked"), asked)
            )
            if run is None or run.subject is None:
                return run
            return await _Step(transaction, run, run.subject, now, limit).go_on()

        erasure = await self._database.write(work)
        if erasure is not None and erasure.state == "done" and self._owners is not None:
            # the next writer must create a removed scope again
            self._owners.forget()
        return erasure

    async def get(self, tenant: str, uid: str) -> Erasure | None:
        """Read an erasure of a tenant."""
        found = await read_erasure(self._database.read, uid)
        # erasures of other tenants are not revealed
        return found if found is not None and found.tenant == tenant else None

    async def unfinished(self, now: datetime) -> str | None:
        """Return the uid of the oldest unfinished one."""
        asked = {"kind": ERASURE, "now": now, "idle_since": END}  # two workers may be active on one
        rows = await self._database.read(QUERIES["database.unfinished_run"], asked)
        return rows[0]["run"]["uid"] if rows else None

    async def put_off(self, run_uid: str, until: datetime, lease: Lease) -> None:
        """See ``PutsOff.put_off``."""
        await put_off(self._database, run_uid, until, lease)

    async def expire(self, before: datetime, limit: int, lease: Lease) -> int:
        """Remove receipts of erasures that ended before a time; return how many."""
        query = QUERIES["database.trim_runs"].choose("receipts")
        return await count_fenced(self._database, lease, query, before=before, limit=limit)


class _Step:
    """One step in one transaction: stages without work are skipped.

    A stage returns whether it wrote something; then the step ends, so that locks of two stages are never combined. A
    small subject is hidden and removed in one step, unless other nodes must be locked in between: sessions are locked
    before memories.
    """

    def __init__(
        self, transaction: Transaction, run: Erasure, subject: Subject, now: datetime, limit: int
    ) -> None:
        self._transaction = transaction
        self._run = run
        self._subject = subject
        self._now = now
        self._limit = limit
        self._counts = Counter(run.counts)
        self._hidden = run.hidden
        self._after = run.after
        self._stages = _STAGES[run.kind]
        self._stage: ErasureStage = run.stage or "hide"
        # a quarter: a removed memory has many edges
        self._few = max(1, limit // 4)  # memories that are removed at once
        self._marked: set[str] = set()  # hidden and locked by this step
        # renewed at the end of the step, as scopes are locked last
        self._changed: set[str] = set()  # scopes

    async def go_on(self) -> Erasure | None:
        works: Mapping[ErasureStage, Callable[[], Awaitable[bool]]] = {
            "hide": self._hide,
            "spread": self._spread,
            "restore": self._restore,
            "events": self._remove_events,
            "remove": self._remove,
            "sweep": self._sweep,
            "rewards": self._walk_rewards,
        }
        while self._stage != "check":
            # a stage that wrote ends the step: locks of two stages are never combined
            if await works[self._stage]():
                return await self._note()
            self._stage = self._stages[self._stages.index(self._stage) + 1]
            self._after = ""
        return await self._check()

    async def _ask(self, query: Query, **parameters: Any) -> Rows:
        return await self._transaction.run(query, parameters)

    async def _hide(self) -> bool:
        uids = await found(self._transaction, self._subject, self._limit, self._run.uid)
        few = len(uids) < self._few
        # sessions before memories, as in every writer
        if few and uids:
            await lock_sessions_of(self._transaction, uids, self._now)
        await self._mark(uids)
        if not few:
            return True
        gone = await forget_surprises(self._transaction, self._subject, self._limit)
        gone |= await forget_knowledge(self._transaction, self._subject, self._limit)
        self._counts.update(gone)
        # half a page: more may be left
        return any(number >= self._limit // 2 for number in gone.values() if number)

    async def _spread(self) -> bool:
        made = await self._ask(
            QUERIES["erasure.find_derived"].choose("all"), run=self._run.uid, limit=self._limit
        )
        if made and self._marked:
            # further locks in this step would be out of order
            return True  # the next step locks them
        await self._mark([row["uid"] for row in made])
        copies = sum(row["copy"] for row in made)
        self._counts.update(copies=copies, derived=len(made) - copies)
        return bool(made)

    async def _mark(self, uids: Sequence[str]) -> None:
        if not uids:
            return
        ordered = sorted(uids)
        await lock_all(self._transaction, ordered)
        marked = await self._transaction.run(
            QUERIES["erasure.mark"], {"uids": ordered, "run": self._run.uid}, "a"
        )
        self._hidden += sum(row["marked"] for row in marked)
        self._counts.update(Surprise=sum(row["surprises"] for row in marked))
        self._marked.update(uids)
        self._changed.update(row["scope"] for row in marked)

    async def _restore(self) -> bool:
        found = await self._ask(
            QUERIES["erasure.find_sources"], run=self._run.uid, limit=self._limit
        )
        if not found or self._marked:
            return bool(found)
        uids = sorted(row["uid"] for row in found)
        await lock_sessions_of(self._transaction, uids, self._now)
        await lock_all(self._transaction, uids)
        [places] = await self._ask(QUERIES["erasure.leave_places"], uids=uids, run=self._run.uid)
        rows = await self._ask(
            QUERIES["erasure.bring_back"], uids=uids, run=self._run.uid, **STATE_KEYS
        )
        self._counts.update(restored=sum(row["back"] for row in rows))
        chained = [row["uid"] for row in rows if row["chained"]]
        await self._put_back(places["befores"], chained)
        scopes = sorted({row["scope"] for row in rows})
        await lock_scopes(self._transaction, scopes)
        # correct attempts of a restored problem wait for a concept again
        await add_solved(self._transaction, [row["scope"] for row in rows if row["problem"]])
        await renew_versions(self._transaction, scopes)
        return True

    async def _put_back(self, befores: Sequence[str], chained: Sequence[str]) -> None:
        """Join sessions around removed memories, and restore sources to their places."""
        touched = set(befores)
        if befores:
            await self._transaction.run(QUERIES["memories.join_onward"], {"uids": sorted(befores)})
        if chained:
            [row] = await self._transaction.run(
                QUERIES["memories.insert_in_sessions"], {"uids": list(chained)}
            )
            touched.update(row["touched"])
        await refresh_context(self._transaction, touched)

    async def _remove_events(self) -> bool:
        uid, subject = self._run.uid, self._subject
        found = await find_events(self._transaction, uid, subject, self._after, self._limit)
        # the clock is locked before memories, never after
        if self._marked and found.unnumbered:
            return True  # the next step locks the clock
        self._after = found.after
        removed = await remove_events(self._transaction, subject.tenant, found)
        self._counts.update(Event=removed)
        # the clock was locked: the step ends, so that others need not wait for it
        return found.unnumbered or found.more

    async def _remove(self) -> bool:
        rows = await self._ask(
            QUERIES["erasure.find_marked"].choose("all"),
            run=self._run.uid,
            limit=self._few,
        )
        if not rows:
            return False
        uids = [row["uid"] for row in rows]
        # not memories of this step: a large subject is removed while others write
        if not self._marked and await self._ask(
            QUERIES["erasure.find_derived"].choose("some"), uids=uids
        ):
            self._stage = "spread"  # others have derived something meanwhile
            return True
        [forgotten] = await self._ask(
            QUERIES["consolidation.forget_clusters"].choose("made"), uids=sorted(uids)
        )
        self._counts.update(Cluster=forgotten["forgotten"])
        revisions: dict[str, int | None] = dict.fromkeys(uids)
        gone = await remove_memories(self._transaction, revisions, self._now, erasing=True)
        self._counts.update(gone.counts)
        # removal has renewed the versions of the scopes
        self._changed.clear()
        await self._tidy(rows)
        return True

    async def _tidy(self, rows: Sequence[Mapping[str, str]]) -> None:
        """Remove the cached speakers, and empty scopes of others."""
        speakers: dict[str, set[str]] = {}
        for row in rows:
            # the subject's own scope is removed last, with its lock
            if row["scope"] != self._subject.owner:
                speakers.setdefault(row["scope"], set()).update({row["speaker"]} - {""})
        if not speakers:
            return
        asked = [{"scope": s, "speakers": sorted(names)} for s, names in sorted(speakers.items())]
        [gone] = await self._ask(
            QUERIES["erasure.tidy_scopes"], rows=asked, empty=bool(self._subject.owner)
        )
        self._counts.update(Scope=gone["scopes"])

    async def _sweep(self) -> bool:
        gone = await sweep(self._transaction, self._subject, self._limit)
        self._counts.update(gone)
        most = max(1, self._limit // 8)
        return bool(self._subject.owner) and any(number >= most for number in gone.values())

    async def _walk_rewards(self) -> bool:
        subject = self._subject
        [row] = await self._ask(
            QUERIES["erasure.walk_rewards"],
            tenant=subject.tenant,
            after=self._after,
            limit=self._limit,
            owner=subject.owner,
            actor=subject.actor,
            name=subject.name,
            # *Ann* must not match *Anna*
            pattern=_as_word(subject.name),
        )
        self._counts.update(Reward=row["removed"], cleaned=row["cleaned"])
        if row["last"] is None:
            return False
        self._after = row["last"]
        return True

    async def _check(self) -> Erasure | None:
        """Complete the erasure, or restart it if the subject was written about meanwhile.

        Writers lock the scope last, so under its lock no write is pending.
        """
        subject = self._subject
        if subject.owner:
            # writers lock it last: under its lock no write is pending
            await lock_scopes(self._transaction, [subject.owner])
        # rewards from before the erasure are done
        since = before(self._run.uid, APART)
        again = await found(self._transaction, subject, 1, self._run.uid) or (
            subject.owner and await is_owned(self._transaction, subject, after=since)
        )
        if again:
            self._stage, self._after = "hide", ""
            return await self._note()
        if subject.owner:
            [row] = await self._ask(
                QUERIES["database.delete_nodes"].choose("owner"), scope=subject.owner
            )
            self._counts.update(Scope=row["deleted"])
        # the receipt omits the subject
        done = {"state": "done", "counts": counts_json(self._counts), "finished_at": self._now}
        return await self._set(done | dict.fromkeys(_OMITTED_WHEN_DONE))

    async def _note(self) -> Erasure | None:
        await renew_versions(self._transaction, self._changed)
        return await self._set(
            {
                "stage": self._stage,
                "after": self._after,
                "counts": counts_json(self._counts),
                "hidden": self._hidden,
            }
        )

    async def _set(self, values: Mapping[str, Any]) -> Erasure | None:
        return one_erasure(
            await self._ask(
                QUERIES["database.change_run"].choose("changed").without("added"),
                uid=self._run.uid,
                values=values,
            )
        )


def _as_word(name: str) -> str:
    """Return a pattern that matches a name as a whole word."""
    # escaped: a name may contain pattern characters
    quoted = re.sub(r"([!-/:-@\[-^`{-~ ])", r"\\\1", name)
    return rf"(?s).*(?<![\p{{L}}\p{{N}}_]){quoted}(?![\p{{L}}\p{{N}}_]).*"
