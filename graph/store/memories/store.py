"""Memories in Neo4j: saved, read, removed, and recalled."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from cypher import QUERIES
from graph.database.driver import (
    ConstraintViolatedError,
    Database,
    NothingToSearchError,
    Rows,
    Transaction,
)
from graph.database.fading import fading_of, fading_of_all
from graph.database.names import either_name, one_name
from graph.database.store import Store
from graph.kernel.embedding import Slot
from graph.kernel.errors import BudgetExceededError, ConflictError
from graph.kernel.scope import tenant_of
from graph.kernel.values import Vector
from graph.model.episodes.episode import UNBOUNDED, Budget
from graph.model.memories.browsing import Removed
from graph.model.memories.memory import Amend, Amendment, Memory, PreparedMemory, Saved
from graph.model.memories.superseding import Succession
from graph.model.recall.candidates import CandidatePool, CandidateQuery
from graph.ports.utility import ConfigsInUse
from graph.store.episodes.attempts import add_solved, lock_attempted, newly_right, settle_attempts
from graph.store.episodes.budgets import check_room, has_room, write_within
from graph.store.memories.amending import Aging, amend_memory, replace_contents
from graph.store.memories.lookup import link_targets, look_up, taken_places
from graph.store.memories.owners import Owners
from graph.store.memories.properties import content, new_properties, stored_bytes, to_memory
from graph.store.memories.removing import remove_requested
from graph.store.memories.saving import Existing, SavePlan, plan_batch, replaced_names
from graph.store.memories.sessions import insert_in_sessions, lock_sessions
from graph.store.memories.superseding import (
    read_replaceable,
    read_successions,
    read_supersessions,
    state_supersessions,
)
from graph.store.memories.vectors import create_memories, save_also, vector_row
from graph.store.recall import candidates as recall
from graph.store.recall.candidates import ScopeShares
from graph.store.sharing.agreements import cast_votes
from graph.store.sharing.copies import follow_originals

_Written = tuple[tuple[Saved, ...], dict[str, frozenset[str]]]  # answers, and speakers by scope

_RACES = 5


class _RefusedError(Exception):
    """Rolls an atomic batch back."""

    def __init__(self, answers: tuple[Saved, ...]) -> None:
        super().__init__()
        self.answers = answers


class MemoryStore(Store):
    """Store of memories."""

    def __init__(
        self,
        database: Database,
        configs: ConfigsInUse,
        owners: Owners | None = None,
        budget: Budget = UNBOUNDED,
    ) -> None:
        self._budget = budget
        super().__init__(database)
        self._configs = configs
        self._owners = owners or Owners(database)
        self._shares = ScopeShares(database)

    def forget_cached(self) -> None:
        """Clear the caches, after changes of the graph by others."""
        self._owners.forget()

    async def save(self, rows: Sequence[PreparedMemory], *, atomic: bool) -> tuple[Saved, ...]:
        """Write rows in one transaction; one answer per row, in order.

        With ``atomic``, a row that cannot be written rolls back all.
        """
        if not rows:
            return ()
        now = rows[0].recorded_at

        async def write(no_room: frozenset[int]) -> _Written:
            try:
                return await self._database.write(lambda tx: self._save(tx, rows, atomic, no_room))
            except _RefusedError as refused:
                return refused.answers, {}

        (answers, spoken), evicted = await write_within(self._database, self._budget, now, write)
        # after the commit: rolled back speakers must not be cached
        self._owners.learn(spoken)
        return (replace(answers[0], evicted=evicted), *answers[1:])

    async def _save(
        self,
        transaction: Transaction,
        rows: Sequence[PreparedMemory],
        atomic: bool,
        no_room: frozenset[int],
    ) -> _Written:
        now = rows[0].recorded_at
        named = [(row.new.scope, row.new.session_id) for row in rows if row.new.session_id]
        # sessions, then memories, scopes last, as in every writer
        locked = await lock_sessions(transaction, named, now)
        existing, ends = await look_up(transaction, rows, locked)
        taken = await taken_places(transaction, rows)
        targets = await link_targets(transaction, rows)
        replaceable = await read_replaceable(transaction, replaced_names(rows))
        plan = plan_batch(rows, ends, existing, taken, targets, no_room, replaceable)
        if atomic and plan.rejected:
            raise _RefusedError(tuple(plan.answers))
        old_targets = await lock_attempted(transaction, plan, now)
        renewed, relinked = await self._write(transaction, plan)
        answers = await _supersede(transaction, plan, now)
        await settle_attempts(transaction, plan, old_targets, relinked)
        spoken = await self._owners.note(transaction, plan.written, now, renewed)
        await add_solved(transaction, newly_right(plan))
        await check_room(transaction, self._budget, plan.episodes)
        await cast_votes(transaction, plan.echoes, True, now)
        return answers, spoken

    def _first_q(self, row: PreparedMemory) -> float:
        return self._configs.of(tenant_of(row.new.scope)).q_default

    async def _write(
        self, transaction: Transaction, plan: SavePlan
    ) -> tuple[frozenset[str] | None, Sequence[str]]:
        """Write a plan.

        Return the scopes with a new version, if requested, and the new link targets of stored memories.
        """
        created = [
            (row, new_properties(row, self._first_q(row), sequence))
            for row, sequence in plan.created
        ]
        # a batch that only creates renews the versions in the same statement (ADR 16)
        if plan.only_creates:
            scopes = {row.new.scope for row, _ in created}
            return await create_memories(transaction, created, plan.sessions, scopes), ()
        await create_memories(transaction, created, plan.sessions)
        if plan.replaced:
            await self._replace(transaction, plan)
        relinked: Sequence[str] = ()
        if links := plan.links:
            [row] = await transaction.run(QUERIES["memories.link_memories"], {"links": links})
            relinked = row["relinked"]
        await insert_in_sessions(transaction, plan)
        return None, relinked

    async def _replace(self, transaction: Transaction, plan: SavePlan) -> None:
        rows = [
            {
                "uid": existing.uid,
                "version_uid": row.uid,
                "label": row.new.kind.capitalize(),
                "properties": content(_as_before(existing, row)),
                **vector_row(row.embedding),
            }
            for row, existing in plan.replaced
        ]
        first = plan.replaced[0][0]
        fading = fading_of(self._configs, tenant_of(first.new.scope))
        await replace_contents(transaction, rows, first.recorded_at, first.embedding.slot, fading)
        await save_also(transaction, {existing.uid: row for row, existing in plan.replaced})
        uids = [existing.uid for _, existing in plan.replaced]
        await follow_originals(transaction, uids, first.recorded_at, first.embedding.slot)

    async def get(self, scopes: Sequence[str], name: str) -> Memory | None:
        """Read one memory of the scopes by uid or ``external:<id>``."""
        rows = await self._database.read(
            QUERIES["memories.get_memory"].choose("whole"),
            {"scopes": list(scopes), **either_name(name)},
        )
        return to_memory(rows[0]["memory"]) if rows else None

    async def get_with_supersessions(self, scopes: Sequence[str], name: str) -> Memory | None:
        """Read one memory with its replacements in both directions."""
        memory = await self.get(scopes, name)
        if memory is None:
            return None
        replaces, by = await read_supersessions(self._database, memory.uid)
        return replace(memory, replaces=replaces, replaced_by=by)

    async def successions(self, uids: Sequence[str], at: datetime) -> Mapping[str, Succession]:
        """Return the replacements of memories in both directions that had taken effect at a time, by uid."""
        return await read_successions(self._database, uids, at)

    async def amend(
        self, scopes: Sequence[str], name: str, now: datetime, amend: Amend
    ) -> Memory | None:
        """Amend one memory under its lock; return the new content, or None if there is none.

        ``amend`` may be called again after a conflict.

        Raises
        ------
        ConflictError
            If another memory of the scope says the same already.
        """
        found = await self.get(scopes, name)
        if found is None:
            return None
        for _ in range(_RACES):
            try:
                return await self._amend(scopes, found, now, amend)
            except ConstraintViolatedError:
                continue  # another writer stored the same content meanwhile: read again
        raise ConflictError("the same memory is being written by others; send it again")

    async def _amend(
        self, scopes: Sequence[str], found: Memory, now: datetime, amend: Amend
    ) -> Memory | None:
        async def work(
            transaction: Transaction,
        ) -> tuple[Memory | None, dict[str, frozenset[str]]]:
            tenant = tenant_of(found.scope)
            aging = Aging(self._configs.of(tenant).q_default, fading_of(self._configs, tenant))
            memory, amendment = await amend_memory(transaction, scopes, found, now, amend, aging)
            if amendment is None:
                return memory, {}
            spoken = await self._owners.note(transaction, [amendment.new], now)
            await self._settle_amended(transaction, found, amendment)
            return memory, spoken

        memory, spoken = await self._database.write(work)
        self._owners.learn(spoken)
        return memory

    async def _settle_amended(
        self, transaction: Transaction, found: Memory, amendment: Amendment
    ) -> None:
        """Count an episode that became correct, and refuse one beyond the budget of its scope."""
        if amendment.new.kind != "episode":
            return
        if amendment.new.correct and not (found.kind == "episode" and found.correct):
            await add_solved(transaction, [found.scope])
        grown = found.kind != "episode" or stored_bytes(amendment.new) > stored_bytes(found)
        if grown and not await has_room(transaction, self._budget, [found.scope]):
            raise BudgetExceededError

    async def find(self, scopes: Sequence[str], names: Sequence[str]) -> Mapping[str, int]:
        """Return uid and revision of the named memories in the scopes."""
        rows = await self._database.read(
            QUERIES["memories.find_named"].choose("revisions"),
            {"scopes": list(scopes), "names": [one_name(name) for name in names]},
        )
        return {row["uid"]: row["revision"] for row in rows}

    async def remove(self, revisions: Mapping[str, int], now: datetime) -> Removed:
        """Remove memories by uid, except at other revisions, or if others are derived from them.

        Their sessions are joined, and problems and strategies are removed with their last episode, in one transaction.
        """
        return await self._database.write(lambda tx: remove_requested(tx, revisions, now))

    async def vector_of(
        self, scopes: Sequence[str], name: str, slot: Slot
    ) -> tuple[str, Vector] | None:
        """Read text and vector of one memory, for recall by similarity."""
        rows = await self._database.read(
            QUERIES["memories.get_memory"].choose("vector"),
            {"scopes": list(scopes), **either_name(name)},
            slot,
        )
        if not rows:
            return None
        return rows[0]["text"], np.array(rows[0]["vector"], dtype=np.float32)

    async def candidates(self, query: CandidateQuery) -> CandidatePool:
        """Fetch the candidates of one recall in one statement."""
        # concurrently, every ten minutes: an outdated value only costs time (ADR 15)
        reading = self._read_candidates(query)
        if self._shares.are_measured(query.scopes):
            return recall.to_pool((await reading)[0], query.limits.lexical)
        rows, _ = await asyncio.gather(reading, self._shares.measure(query.scopes))
        return recall.to_pool(rows[0], query.limits.lexical)

    async def _read_candidates(self, query: CandidateQuery) -> Rows:
        statement = recall.statement(query)
        most = self._shares.hold_most(query.scopes)
        strata = self._configs.strata_of(tenant_of(query.scopes[0])).order
        parameters = recall.parameters(query, statement.params, strata, most=most)
        # Neo4j fails if nothing in the vector index passes the filter; the other arms may find
        # something (ADR 15)
        try:
            return await self._database.read(statement, parameters, query.slot)
        except NothingToSearchError:
            rest = statement.without("vectors")
            left = {name: parameters[name] for name in rest.params}
            return await self._database.read(rest, left, query.slot)

    async def speakers(self, scopes: Sequence[str]) -> frozenset[str]:
        """Return the cached speakers of these scopes."""
        return await self._owners.speakers(scopes)

    # sorted: memories are locked by uid

    async def count_accesses(self, counts: Mapping[str, int], at: datetime) -> None:
        """Increase the access counts of memories."""
        rows = [{"uid": uid, "count": count} for uid, count in sorted(counts.items())]
        given = {"rows": rows, "now": at, **fading_of_all(self._configs)}
        await self._database.write_one(
            QUERIES["memories.anchor_memories"].choose("accessed"), given
        )


async def _supersede(transaction: Transaction, plan: SavePlan, now: datetime) -> tuple[Saved, ...]:
    """Store the replacements of a batch; return its answers with the new ones."""
    wanted = plan.supersessions
    if not wanted:
        return tuple(plan.answers)
    replaced: defaultdict[str | None, list[str]] = defaultdict(list)
    for one in await state_supersessions(transaction, wanted, now):
        replaced[one.newer].append(one.older)
    return tuple(
        replace(answer, replaced=tuple(replaced.pop(answer.uid, ()))) for answer in plan.answers
    )


def _as_before(existing: Existing, row: PreparedMemory) -> PreparedMemory:
    """Return a row for the agent that wrote it first; a row that is valid again happens now."""
    new = replace(row.new, agent_id=existing.agent_id or None)
    if existing.holds_anew(row.new):
        new = replace(new, occurred_at=row.recorded_at)
    return replace(row, new=new)
