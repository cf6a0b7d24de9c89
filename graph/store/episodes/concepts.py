"""Concepts in Neo4j: problems without one, and the results of an extraction.

Memories are locked by uid, the scope last, and read again under the locks, so concurrent extractions do nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import ConstraintViolatedError, Database, Transaction
from graph.database.keys import STATE_KEYS
from graph.database.leases import fence_if
from graph.database.locks import lock_all, lock_scopes, renew_versions
from graph.database.store import Store
from graph.kernel.errors import ConflictError
from graph.kernel.scope import tenant_of
from graph.model.episodes.concepts import (
    ConceptPlan,
    Extracted,
    Founding,
    KnownProblem,
    Rated,
    TriedOnce,
    WaitingProblem,
)
from graph.model.memories.links import Lease
from graph.ports.embedding import SlotEmbedder
from graph.ports.utility import UtilityConfigs
from graph.store.memories.properties import new_properties
from graph.store.memories.vectors import create_memories, vector_row
from graph.store.sharing.copies import find_visible

Row = dict[str, Any]

_RACES = 5
_EVIDENCE = 50  # maximum evidence episodes of a concept
_EXAMPLES = 20  # maximum problems named by a concept
_MAX_WOKEN = 200


class ConceptStore(Store):
    """Store of concepts; with a lease, writes are fenced."""

    def __init__(self, database: Database, configs: UtilityConfigs) -> None:
        super().__init__(database)
        self._configs = configs

    async def due(self, every: int) -> str | None:
        """Return the scope with the most unprocessed correct episodes, if ``every`` or more."""
        rows = await self._database.read(
            QUERIES["database.find_due_scopes"].choose("waiting"), {"every": every}
        )
        return rows[0]["scope"] if rows else None

    async def changed(self) -> tuple[str, str] | None:
        """Return a scope, with its version, that was written to since its concepts were last rated."""
        rows = await self._database.read(QUERIES["database.find_due_scopes"].choose("changed"), {})
        return (rows[0]["scope"], rows[0]["version"]) if rows else None

    async def waiting(
        self, used: SlotEmbedder, scope: str, limit: int, nearest: int
    ) -> tuple[WaitingProblem, ...]:
        """Read problems without a concept: new ones first, then those examined the longest ago."""
        # not in a transaction: vector search is slow, and `save` reads again under locks
        rows = await self._database.search(
            QUERIES["episodes.waiting_problems"],
            {
                "scope": scope,
                "limit": limit,
                # one more, as each problem is its own nearest neighbour
                "nearest": nearest + 1,
                "dimension": used.embedder.dimension,
            },
            used.slot,
        )
        if not rows:
            return ()
        uids = sorted(
            {row["uid"] for row in rows} | {uid for row in rows for uid, _ in row["near"]}
        )
        read = await self._database.read(
            QUERIES["episodes.known_problems"], {"scope": scope, "uids": uids}
        )
        known = {row["uid"]: _known(row) for row in read}
        found = (_waiting(row, known) for row in rows)
        return tuple(each for each in found if each is not None)

    async def save(self, plan: ConceptPlan, lease: Lease | None, now: datetime) -> Extracted:
        """Write an extraction in one transaction.

        Problems that have a concept by now are left out. If no new problem is left, the count of waiting episodes is
        reduced.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        for _ in range(_RACES):
            try:
                return await self._database.write(lambda tx: self._save(tx, plan, lease, now))
            # the unique name of a concept decides who was first
            except ConstraintViolatedError:
                continue  # another worker created the same concept first: plan again
        raise ConflictError("the same concepts are being made by others; extract again")

    async def _save(
        self, transaction: Transaction, plan: ConceptPlan, lease: Lease | None, now: datetime
    ) -> Extracted:
        # the lease before other locks
        await fence_if(transaction, lease)
        plan, still, left = await _locked(transaction, plan)
        same = await self._same(transaction, plan)
        founded = [each for place, each in enumerate(plan.foundings) if place not in same]
        # a concept whose problems have all joined others meanwhile is not created
        founded = [each for each in founded if still & set(each.problems)]
        await self._create(transaction, founded)
        homes = {place: each.prepared.uid for place, each in enumerate(plan.foundings)} | same
        joins = {(problem, concept) for problem, concept in plan.joins if problem in still}
        for place, each in enumerate(plan.foundings):
            joins |= {(problem, homes[place]) for problem in each.problems if problem in still}
        await _join(transaction, joins)
        await _note_evidence(transaction, plan.foundings, homes)
        evidence = {uid for each in plan.foundings for uid in each.evidence}
        touched = {uid for pair in joins for uid in pair} | evidence
        # neighbours of joined problems are examined again: they may join now
        again = {*(plan.again if joins else ()), *left}
        await transaction.run(QUERIES["memories.count_links"], {"uids": sorted(touched)})
        [row] = await transaction.run(
            QUERIES["episodes.mark_matched"],
            {
                "scope": plan.scope,
                "uids": sorted(plan.looked),
                "again": sorted(again),
                "now": now,
            },
        )
        # the scope last, as in every writer (ADR 27)
        counted = await _settle(transaction, plan.scope, done=row["left"] == 0)
        return Extracted(
            created=tuple(each.prepared.uid for each in founded),
            merged=tuple(sorted(set(same.values()))),
            joined=len(joins),
            counted=counted,
            done=row["left"] == 0,
        )

    async def _same(self, transaction: Transaction, plan: ConceptPlan) -> dict[int, str]:
        """Return existing concepts, by position of the new ones that equal them."""
        if not plan.foundings:
            return {}
        embedding = plan.foundings[0].prepared.embedding
        rows = await transaction.run(
            QUERIES["episodes.same_concepts"],
            {
                "scope": plan.scope,
                "rows": [_likeness(each) for each in plan.foundings],
                "same": plan.same,
                "dimension": len(embedding.vector),
            },
            embedding.slot,
        )
        return {row["place"]: row["uid"] for row in rows}

    async def _create(self, transaction: Transaction, foundings: Sequence[Founding]) -> None:
        if not foundings:
            return
        tenant = tenant_of(foundings[0].prepared.new.scope)
        first_q = self._configs.of(tenant).q_default
        rows = [(each.prepared, new_properties(each.prepared, first_q, None)) for each in foundings]
        await create_memories(transaction, rows, {})

    async def rate(
        self, scope: str, version: str | None, lease: Lease | None, now: datetime, limit: int
    ) -> int:
        """Link new episodes to the concepts of their problems and rate these; return how many changed.

        A scope that still has ``version`` is done.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        # not in a transaction: only the results are locked and read again
        found = await self._database.read(
            QUERIES["episodes.unused_episodes"], {"scope": scope, "limit": limit}
        )
        pairs = [(row["episode"], row["concept"]) for row in found]

        async def work(transaction: Transaction) -> int:
            await fence_if(transaction, lease)
            # before rating, which counts the linked episodes
            joined = await _use(transaction, pairs)
            moved = await self._rate(transaction, scope)
            woken = await _wake(transaction, scope)
            # the scope last (ADR 27)
            await lock_scopes(transaction, [scope])
            changed = bool(joined or moved or woken)
            await transaction.run(
                QUERIES["database.note_look"].choose("rated"),
                {
                    "scope": scope,
                    # more is left: the scope stays due
                    "version": version if len(pairs) < limit else None,
                    "changed": changed,
                    "now": now,
                },
            )
            return joined + moved + woken

        return await self._database.write(work)

    async def _rate(self, transaction: Transaction, scope: str) -> int:
        rated = await transaction.run(
            QUERIES["episodes.rate_concepts"], {"scope": scope, "examples": _EXAMPLES}
        )
        moved = [row for row in rated if _is_changed(row)]
        if not moved:
            return 0
        # read again under locks: outcomes may have been reported meanwhile
        await lock_all(transaction, (row["uid"] for row in moved))
        rated = await transaction.run(
            QUERIES["episodes.rate_concepts"], {"scope": scope, "examples": _EXAMPLES}
        )
        rows = [_rate_row(row) for row in rated if _is_changed(row)]
        await transaction.run(QUERIES["database.set_values"].choose("memories"), {"rows": rows})
        return len(rows)

    async def rated(self, scope: str) -> tuple[Rated, ...]:
        """Read the success of a scope's concepts."""
        rows = await self._database.read(
            QUERIES["episodes.rate_concepts"], {"scope": scope, "examples": _EXAMPLES}
        )
        return tuple(_rated(row) for row in rows)


async def _locked(
    transaction: Transaction, plan: ConceptPlan
) -> tuple[ConceptPlan, set[str], set[str]]:
    """Lock the nodes of a plan, and leave out parts whose nodes were removed.

    Return the reduced plan, the problems still without a concept, and those to be examined again.
    """
    named = {concept for _, concept in plan.joins}
    named.update(*map(_sources, plan.foundings))
    await lock_all(transaction, {*named, *plan.looked, *plan.again})
    asked = {"scope": plan.scope, "uids": sorted(plan.looked)}
    rows = await transaction.run(QUERIES["episodes.open_problems"], asked)
    still = {row["uid"] for row in rows}
    standing = await find_visible(transaction, named)
    # removed meanwhile
    joins = tuple(pair for pair in plan.joins if pair[1] in standing)
    # a concept needs all its problems and evidence, as its text quotes them
    foundings = tuple(each for each in plan.foundings if _sources(each) <= standing)
    left = {problem for problem, concept in plan.joins if concept not in standing}
    # their problems stay without a concept and are examined again
    left.update(*(each.problems for each in plan.foundings if not _sources(each) <= standing))
    return replace(plan, joins=joins, foundings=foundings), still, left & still


def _sources(founding: Founding) -> frozenset[str]:
    return frozenset((*founding.problems, *founding.evidence))


async def _join(transaction: Transaction, joins: Iterable[tuple[str, str]]) -> None:
    rows = [{"from": problem, "to": concept} for problem, concept in sorted(joins)]
    await transaction.run(QUERIES["memories.join_memories"].choose("required"), {"rows": rows})


async def _note_evidence(
    transaction: Transaction, foundings: Sequence[Founding], homes: Mapping[int, str]
) -> None:
    pairs = {(homes[place], uid) for place, each in enumerate(foundings) for uid in each.evidence}
    rows = [{"concept": concept, "episode": uid} for concept, uid in sorted(pairs)]
    await transaction.run(QUERIES["episodes.save_evidence"], {"rows": rows, "most": _EVIDENCE})


async def _settle(transaction: Transaction, scope: str, *, done: bool) -> int:
    """Renew the version of the scope and, at the end of a round, reduce its count of waiting episodes."""
    await lock_scopes(transaction, [scope])
    await renew_versions(transaction, [scope])
    if not done:
        return 0
    rows = await transaction.run(QUERIES["database.note_look"].choose("concepts"), {"scope": scope})
    return int(rows[0]["counted"]) if rows else 0


async def _use(transaction: Transaction, pairs: Sequence[tuple[str, str]]) -> int:
    if not pairs:
        return 0
    uids = {uid for pair in pairs for uid in pair}
    await lock_all(transaction, uids)
    rows = [{"from": episode, "to": concept} for episode, concept in sorted(pairs)]
    [row] = await transaction.run(QUERIES["memories.join_memories"].choose("used"), {"rows": rows})
    await transaction.run(QUERIES["memories.count_links"], {"uids": sorted(uids)})
    return int(row["joined"])


async def _wake(transaction: Transaction, scope: str) -> int:
    [row] = await transaction.run(
        QUERIES["episodes.wake_problems"], {"scope": scope, "limit": _MAX_WOKEN, **STATE_KEYS}
    )
    return int(row["woken"])


def _likeness(founding: Founding) -> Row:
    new = founding.prepared.new
    return {
        "external_id": new.external_id,
        "domain": new.domain or "",
        "vector": vector_row(founding.prepared.embedding)["vector"],
    }


def _known(values: Mapping[str, Any]) -> KnownProblem:
    return KnownProblem(
        uid=values["uid"],
        name=values["name"],
        text=values["text"] or "",
        domain=values["domain"] or "",
        attempts=tuple(
            TriedOnce(uid, name, right, tuple(actions), _insight(structured))
            for uid, name, right, actions, structured in values["attempts"]
        ),
        concept=values["concept"],
    )


def _insight(structured: str | None) -> str:
    told = json.loads(structured).get("insight") if structured else None
    return told.strip() if isinstance(told, str) else ""


def _waiting(row: Mapping[str, Any], known: Mapping[str, KnownProblem]) -> WaitingProblem | None:
    """Return a problem with its neighbours; None as long as the index does not contain it."""
    near = {uid: float(similarity) for uid, similarity in row["near"] if uid in known}
    # its neighbours are unknown until the index contains it
    if near.pop(row["uid"], None) is None:
        return None
    return WaitingProblem(
        known[row["uid"]], tuple((known[uid], similarity) for uid, similarity in near.items())
    )


def _examples(row: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["examples"]))


# one example per problem
def _texts_of(row: Mapping[str, Any]) -> dict[str, Any]:
    return json.loads(row["structured"]) if row["structured"] else {}


def _success_rate(row: Mapping[str, Any]) -> float:
    return round(row["successes"] / row["attempts"], 6) if row["attempts"] else 0.0


def _is_changed(row: Mapping[str, Any]) -> bool:
    """Return whether the stored rating of a concept differs."""
    said = _texts_of(row)
    return (
        [row["attempts"], row["successes"]] != row["written"]
        or said.get("success_rate") != _success_rate(row)
        or said.get("examples") != _examples(row)
    )


def _rate_row(row: Mapping[str, Any]) -> Row:
    said = {**_texts_of(row), "examples": _examples(row), "success_rate": _success_rate(row)}
    values = {
        "attempts": row["attempts"],
        "successes": row["successes"],
        "structured": json.dumps(said, ensure_ascii=False, separators=(",", ":")),
    }
    return {"uid": row["uid"], "values": values}


def _rated(row: Mapping[str, Any]) -> Rated:
    return Rated(
        row["uid"], row["attempts"], row["successes"], tuple(_examples(row)), _texts_of(row)
    )
