"""Erasures in Neo4j: the subject is hidden first, then removed step by step.

A step locks its run first. What it hides it finds by the subject, what it removes by the mark that hiding left; where
a walk over events or rewards stands is written on the run. So a step that was cut off is done again by whoever comes
next, and two who work on one erasure take turns.
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
    found,
    is_owned,
    is_there,
    one_erasure,
    read_erasure,
    receipt_properties,
    subject_key,
    to_erasure,
    told,
)
from graph.store.memories.owners import Owners
from graph.store.memories.removing import remove_memories
from graph.store.memories.sessions import lock_sessions_of, refresh_context

# What a receipt says no longer when its erasure is done: whom it meant, and how far it was.
_MEANT = ("subject", "owner", "name", "stage", "after", "meant", "revisions")
_STAGES: Mapping[str, tuple[ErasureStage, ...]] = {
    "agent": ERASURE_STAGES,
    "user": ERASURE_STAGES,
    "session": ("hide", "spread", "restore", "events", "remove", "sweep", "check"),
    "memory": ("hide", "spread", "restore", "events", "remove", "check"),
    "memories": ("hide", "spread", "restore", "events", "remove", "check"),
}


class ErasureStore(Store):
    """Erases step by step; where an erasure stands is in the graph, so anybody can go on with it."""

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
        meant: Mapping[str, int] | None = None,
    ) -> Erasure | None:
        """Note an erasure and end what is at work in the scope of its subject.

        One of the same subject that is under way is returned instead; None if nothing of it is there. ``meant``
        are memories by uid with their revisions, where the subject is these; who was changed since stays.
        """
        # under the scope's lock two requests for one subject begin one erasure
        await lock_scopes(transaction, [subject.scope])
        asked = {"tenant": subject.tenant, "subject": subject_key(subject)}
        running = await transaction.run(QUERIES["erasure.running"], asked)
        if running:
            return to_erasure(running[0]["run"])
        # with memories named by uid it is known that they were there
        if meant is None and not await is_there(transaction, subject):
            return None
        if subject.owner:
            # before anything is hidden: a run at work would write about the subject again
            ended = {"tenant": subject.tenant, "scope": subject.owner, "now": now}
            await transaction.run(QUERIES["erasure.end_runs"], ended)
        run = receipt_properties(uid, subject, now, meant or {})
        await transaction.run(QUERIES["database.create_nodes"].choose("runs"), {"rows": [run]})
        return to_erasure(run)

    async def step(
        self, uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> Erasure | None:
        """Do one step in one transaction, on at most ``limit`` nodes; return how it stands then.

        None if there is no such erasure. With a lease, nothing is written once another holds it.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now.
        """

        async def work(transaction: Transaction) -> Erasure | None:
            await fence_if(transaction, lease)
            asked = {"uid": uid, "waited": lease is None}
            run = one_erasure(
                # a caller waits for the lock; the worker does another thing meanwhile
                await transaction.run(QUERIES["database.change_run"].choose("locked"), asked)
            )
            if run is None or run.subject is None:
                return run
            return await _Step(transaction, run, run.subject, now, limit).go_on()

        erasure = await self._database.write(work)
        if erasure is not None and erasure.state == "done" and self._owners is not None:
            # a scope that was removed must be made anew by the next writer
            self._owners.forget()
        return erasure

    async def get(self, tenant: str, uid: str) -> Erasure | None:
        """Read an erasure of a tenant."""
        found = await read_erasure(self._database.read, uid)
        # another tenant's erasure is not told apart from none
        return found if found is not None and found.tenant == tenant else None

    async def unfinished(self, now: datetime) -> str | None:
        """Return the uid of one that is not done, the oldest first."""
        asked = {"kind": ERASURE, "now": now, "idle_since": END}  # two may work on one
        rows = await self._database.read(QUERIES["database.unfinished_run"], asked)
        return rows[0]["run"]["uid"] if rows else None

    async def put_off(self, run_uid: str, until: datetime, lease: Lease) -> None:
        """See ``PutsOff.put_off``."""
        await put_off(self._database, run_uid, until, lease)

    async def expire(self, before: datetime, limit: int, lease: Lease) -> int:
        """Forget receipts of erasures that ended before then; return how many."""
        query = QUERIES["database.trim_runs"].choose("receipts")
        return await count_fenced(self._database, lease, query, before=before, limit=limit)


class _Step:
    """One step in one transaction: the stages that find nothing to do are passed over.

    A stage says whether it wrote something; then the step ends, and the locks of one stage never
    meet those of the next. Where a subject is small, it is hidden and removed in one step, unless something beside
    it has to be locked in between: its sessions are locked before its memories, as removing does.
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
        # a quarter: removing one touches many edges
        self._few = max(1, limit // 4)  # memories that are removed at once
        self._marked: set[str] = set()  # by this step, whose locks it holds
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
            # a stage that wrote something ends the step: its locks must not meet those of the next
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
        # sessions before memories, as every writer locks
        if few and uids:
            await lock_sessions_of(self._transaction, uids, self._now)
        await self._mark(uids)
        if not few:
            return True
        gone = await forget_surprises(self._transaction, self._subject, self._limit)
        gone |= await forget_knowledge(self._transaction, self._subject, self._limit)
        self._counts.update(gone)
        # half a page of something means that more may be left
        return any(number >= self._limit // 2 for number in gone.values() if number)

    async def _spread(self) -> bool:
        made = await self._ask(
            QUERIES["erasure.find_derived"].choose("all"), run=self._run.uid, limit=self._limit
        )
        if made and self._marked:
            # the locks of this step are taken: more of them would be out of order
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
        # a problem that came back has right attempts that wait for a concept again
        await add_solved(self._transaction, [row["scope"] for row in rows if row["problem"]])
        await renew_versions(self._transaction, scopes)
        return True

    async def _put_back(self, befores: Sequence[str], chained: Sequence[str]) -> None:
        """Join sessions around what left them, and put sources where they stood."""
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
        # without marks of this step: a large subject is removed while others write
        if not self._marked and await self._ask(
            QUERIES["erasure.find_derived"].choose("some"), uids=uids
        ):
            self._stage = "spread"  # somebody made something of them meanwhile
            return True
        [forgotten] = await self._ask(
            QUERIES["consolidation.forget_clusters"].choose("made"), uids=sorted(uids)
        )
        self._counts.update(Cluster=forgotten["forgotten"])
        revisions: dict[str, int | None] = dict.fromkeys(uids)
        gone = await remove_memories(self._transaction, revisions, self._now, erasing=True)
        self._counts.update(gone.counts)
        # removing has given the scopes another version
        self._changed.clear()
        await self._tidy(rows)
        return True

    async def _tidy(self, rows: Sequence[Mapping[str, str]]) -> None:
        """Forget who spoke, and the scopes of others in which nothing is left."""
        speakers: dict[str, set[str]] = {}
        for row in rows:
            # the scope of the subject itself goes at the end, with its lock
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
            # *Ann* must not be found in *Anna*
            pattern=_as_word(subject.name),
        )
        self._counts.update(Reward=row["removed"], cleaned=row["cleaned"])
        if row["last"] is None:
            return False
        self._after = row["last"]
        return True

    async def _check(self) -> Erasure | None:
        """End it, unless something of the subject was written meanwhile: then begin anew.

        Whoever writes into the scope locks it last; under its lock nothing is on its way.
        """
        subject = self._subject
        if subject.owner:
            # whoever writes locks it last: nothing of it is on its way then
            await lock_scopes(self._transaction, [subject.owner])
        # rewards from before the erasure were walked over
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
        # the receipt forgets whom it meant
        done = {"state": "done", "counts": told(self._counts), "finished_at": self._now}
        return await self._set(done | dict.fromkeys(_MEANT))

    async def _note(self) -> Erasure | None:
        await renew_versions(self._transaction, self._changed)
        return await self._set(
            {
                "stage": self._stage,
                "after": self._after,
                "counts": told(self._counts),
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
    """Return the pattern of a text that names somebody, not merely in the middle of a word."""
    # each mark is quoted: a name may hold signs of patterns
    quoted = re.sub(r"([!-/:-@\[-^`{-~ ])", r"\\\1", name)
    return rf"(?s).*(?<![\p{{L}}\p{{N}}_]){quoted}(?![\p{{L}}\p{{N}}_]).*"
