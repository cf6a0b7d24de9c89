"""Import of exported nodes and edges under their own uids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.locks import renew_versions_of
from graph.database.store import Store
from graph.kernel.scope import tenant_of
from graph.model.episodes.episode import UNBOUNDED, Budget
from graph.model.memories.memory import Saved
from graph.model.transfer.records import SCOPES, Record, RecordType, Restored
from graph.ports.utility import UtilityConfigs
from graph.store.episodes.attempts import ATTEMPT_EDGES, add_solved, count_attempts
from graph.store.episodes.budgets import check_room, write_within
from graph.store.memories.owners import Owners
from graph.store.memories.saving import SavePlan, Written
from graph.store.memories.sessions import insert_in_sessions, lock_sessions, session_tails
from graph.store.memories.superseding import settle_imported
from graph.store.memories.vectors import create_memories
from graph.store.transfer.records import ROWS, SORTS, Sort
from graph.store.transfer.restoring import (
    ELSEWHERE,
    RestorePlan,
    restored_properties,
    session_place,
)

Row = dict[str, Any]
_TAKEN = Saved(
    "rejected", error=f"uid: is taken by something in another scope here; {ELSEWHERE}", field="uid"
)


class ImportStore(Store):
    """Store that writes exported records; it never changes stored data."""

    def __init__(
        self,
        database: Database,
        configs: UtilityConfigs,
        owners: Owners,
        budget: Budget = UNBOUNDED,
    ) -> None:
        self._budget = budget
        super().__init__(database)
        self._configs = configs
        self._owners = owners

    async def restore(
        self, tenant: str, rows: Sequence[Restored], now: datetime
    ) -> tuple[Saved, ...]:
        """Write memories with their uids in one transaction; one answer per row, in order."""
        _check_tenant(tenant, [row.memory.new.scope for row in rows])
        (plan, spoken), evicted = await write_within(
            self._database,
            self._budget,
            now,
            lambda no_room: self._database.write(lambda tx: self._restore(tx, rows, now, no_room)),
        )
        self._owners.learn(spoken)
        return (replace(plan.answers[0], evicted=evicted), *plan.answers[1:])

    async def add(
        self, tenant: str, kind: RecordType, records: Sequence[Record], now: datetime
    ) -> tuple[Saved, ...]:
        """Write records of one type in one transaction; one answer per record, in order."""
        _check_tenant(tenant, [r.values[n] for r in records for n in SCOPES if n in r.values])
        rows = [ROWS[kind](tenant, record.values) for record in records]
        answers, _ = await write_within(
            self._database,
            UNBOUNDED,
            now,
            lambda _: self._database.write(lambda tx: _add(tx, tenant, SORTS[kind], rows, now)),
        )
        if kind == "scope":
            self._owners.forget()
        return answers

    def _first_q(self, row: Restored) -> float:
        return self._configs.of(tenant_of(row.memory.new.scope)).q_default

    async def _restore(
        self,
        transaction: Transaction,
        rows: Sequence[Restored],
        now: datetime,
        no_room: frozenset[int],
    ) -> tuple[RestorePlan, dict[str, frozenset[str]]]:
        plan = RestorePlan(await _in_the_way(transaction, rows), no_room)
        for place, row in enumerate(rows):
            plan.decide(place, row)
        places = {place: spot for place in plan.created if (spot := session_place(rows[place]))}
        keys = await lock_sessions(transaction, [spot[:2] for spot in places.values()], now)
        plan.refuse_taken(await _taken(transaction, places))
        # Ordered by session, so that most are appended and few are inserted.
        plan.created.sort(key=lambda place: session_place(rows[place]) or ("", "", place))
        created = [rows[place] for place in plan.created]
        waiting = {"unlinked_since": now}  # of any recording time
        properties = [
            (row.memory, restored_properties(row, self._first_q(row)) | waiting) for row in created
        ]
        chains = SavePlan(await session_tails(transaction, keys), {}, frozenset(), {})
        for row in created:
            if spot := session_place(row):
                chains.sessions[spot[:2]].add(row.memory.uid, spot[2])
        await create_memories(transaction, properties, chains.sessions)
        await insert_in_sessions(transaction, chains)
        written = [row.memory.new for row in created]
        spoken = await self._owners.note(transaction, written, now)
        solved = [new.scope for new in written if new.kind == "episode" and new.correct]
        await add_solved(transaction, solved)
        episodes = [Written(place, rows[place].memory, None) for place in sorted(plan.created)]
        await check_room(transaction, self._budget, episodes)
        return plan, spoken


def _check_tenant(tenant: str, scopes: Sequence[str]) -> None:
    if any(not scope.startswith(f"{tenant}/") for scope in scopes):
        raise ValueError("a scope of another tenant reached the store")


async def _in_the_way(
    transaction: Transaction, rows: Sequence[Restored]
) -> dict[int, Mapping[str, str | None]]:
    asked = [
        {
            "uid": row.memory.uid,
            "scope": row.memory.new.scope,
            "external_id": row.memory.new.external_id,
            "content_hash": row.memory.content_hash,
        }
        for row in rows
    ]
    found = await transaction.run(QUERIES["transfer.find_memories"], {"rows": asked})
    return {row["place"]: row for row in found}


async def _taken(
    transaction: Transaction, places: Mapping[int, tuple[str, str, int]]
) -> Sequence[int]:
    if not places:
        return ()
    asked = [
        {"scope": scope, "session_id": session_id, "sequence": sequence}
        for scope, session_id, sequence in places.values()
    ]
    found = await transaction.run(
        QUERIES["memories.find_taken_sequences"], {"rows": asked, "kept": False}
    )
    numbered = list(places)
    at: list[int] = [row["place"] for row in found]
    return [numbered[place] for place in at]


async def _add(
    transaction: Transaction, tenant: str, sort: Sort, rows: Sequence[Row], now: datetime
) -> tuple[Saved, ...]:
    if sort.lock:
        await transaction.run(sort.lock, sort.locks(rows))
    found = await transaction.run(sort.find, {"rows": list(rows), "tenant": tenant})
    fresh: dict[tuple[Any, ...], Row] = {}
    answers: list[Saved] = []
    held: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row, there in zip(rows, found, strict=True):
        name = tuple(row[part] for part in sort.names)
        # a repeated name in one import: the first counts
        answer = _answer_if_stored(there) or ("unchanged" if name in fresh else "created")
        if sort.also and answer == "created":
            also = tuple(row[part] for part in sort.also)
            answer = "created" if held.setdefault(also, name) == name else _TAKEN
        if answer == "created":
            fresh[name] = row
        answers.append(answer if isinstance(answer, Saved) else Saved(answer))
    if fresh:
        ordered = [fresh[name] for name in sorted(fresh)]
        await transaction.run(sort.save, {"rows": ordered, **sort.beside(tenant, now)})
        await settle_imported(transaction, ordered)
        await count_attempts(
            transaction, [row["to"] for row in ordered if row.get("edge") in ATTEMPT_EDGES]
        )
        # the scopes last, as in every writer (ADR 27)
        await renew_versions_of(
            transaction, sorted({row[end] for row in ordered for end in sort.ends})
        )
    return tuple(answers)


def _answer_if_stored(there: Row) -> Saved | None:
    """Return the answer for a row that is stored; None if it can be written."""
    missing: str | None = there["missing"]
    if missing:
        error = f"{missing}: names nothing that is here, or something in another scope"
        return Saved("rejected", error=error, field=missing)
    if there["taken"]:
        return _TAKEN
    return Saved("unchanged") if there["known"] else None
