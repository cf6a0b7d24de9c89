"""Edges from episodes to problems, strategies and concepts, and the counters they change.

Counters are changed under the lock of their node. Counts of nodes that only new episodes are linked to are incremented;
those of other nodes are computed from their edges. So the cost of a batch does not depend on the number of stored
attempts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.store.memories.saving import SavePlan, Written
from graph.store.memories.terms import lock_memories

ATTEMPT_EDGES = frozenset({"SOLVED", "ATTEMPTED", "USED"})  # counters of problems and strategies


async def attempted(transaction: Transaction, uids: Collection[str]) -> set[str]:
    """Return the problems, strategies and concepts of episodes."""
    if not uids:
        return set()
    rows = await transaction.run(QUERIES["episodes.find_attempted"], {"uids": sorted(uids)})
    return {row["uid"] for row in rows}


async def lock_attempted(transaction: Transaction, plan: SavePlan, now: datetime) -> set[str]:
    """Lock the stored nodes that a batch with episodes changes; return what its episodes were linked to."""
    episodes = plan.episodes
    if not episodes:
        return set()
    # earlier targets are locked too: the episodes may leave them
    before = await attempted(transaction, _replaced(episodes))
    await lock_memories(transaction, sorted(plan.touched | before), now)
    return before


async def settle_attempts(
    transaction: Transaction, plan: SavePlan, before: set[str], relinked: Collection[str]
) -> None:
    """Unlink replaced episodes from their old targets, and update all counters concerned.

    ``before`` are the old targets, ``relinked`` the targets of new links of stored memories.
    """
    joins = {each.existing.uid: plan.joins(each.row) for each in plan.episodes if each.existing}
    await part_attempts(transaction, joins)
    # a problem whose text became an episode is recounted too
    anew = {*before, *relinked, *plan.turned}
    # recounted first: the increments below do not consider removed links
    await count_attempts(transaction, anew)
    await _add_attempts(transaction, _increments(plan, anew))


def _increments(plan: SavePlan, anew: Collection[str]) -> dict[str, Counter[str]]:
    """Return the increments by new episodes, without nodes that are recounted."""
    brought: defaultdict[str, Counter[str]] = defaultdict(Counter[str])
    for each in plan.episodes:
        if each.existing is not None:
            continue
        correct = each.row.new.correct
        told = {"attempts": int(correct is not None), "successes": int(correct is True)}
        # a set: two edges may join an episode and a node
        for target in {to for kind, to in plan.joins(each.row) if kind in ATTEMPT_EDGES}:
            if target not in anew:
                brought[target].update(told)
    return brought


async def _add_attempts(transaction: Transaction, brought: Mapping[str, Counter[str]]) -> None:
    rows = [{"uid": uid, **added} for uid, added in sorted(brought.items())]
    if rows:
        await transaction.run(QUERIES["episodes.count_attempts"], {"rows": rows})


async def part_attempts(
    transaction: Transaction, joins: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    """Unlink episodes from all targets that the service had linked, but from these (type, uid)."""
    rows = [
        {"uid": uid, "keep": [list(join) for join in kept]} for uid, kept in sorted(joins.items())
    ]
    if rows:
        await transaction.run(QUERIES["episodes.part_attempts"], {"rows": rows})


async def count_attempts(transaction: Transaction, uids: Iterable[str]) -> None:
    """Recount attempts and successes of locked problems, strategies and concepts."""
    rows = [{"uid": uid, "attempts": None, "successes": None} for uid in sorted(set(uids))]
    if rows:
        await transaction.run(QUERIES["episodes.count_attempts"], {"rows": rows})


async def abandoned(
    transaction: Transaction, uids: Sequence[str], targets: Collection[str]
) -> dict[str, str]:
    """Return problems, strategies and concepts without other episodes, with the kind of each."""
    if not targets:
        return {}
    rows = await transaction.run(
        QUERIES["episodes.find_abandoned"], {"uids": list(uids), "targets": sorted(targets)}
    )
    return {row["uid"]: row["kind"] for row in rows}


async def add_solved(transaction: Transaction, scopes: Iterable[str]) -> None:
    """Count a newly correct episode of each locked scope for the next extraction."""
    rows: list[dict[str, Any]] = [
        {"scope": scope, "solved": number} for scope, number in sorted(Counter(scopes).items())
    ]
    if rows:
        await transaction.run(QUERIES["episodes.add_solved"], {"rows": rows})


def newly_right(plan: SavePlan) -> list[str]:
    """Return the scope of each episode of a batch that became correct."""
    return [each.row.new.scope for each in plan.episodes if _newly_right(each)]


def _newly_right(each: Written) -> bool:
    before, new = each.existing, each.row.new
    if new.kind != "episode" or not new.correct:
        return False
    # a repeated report is no new success
    return before is None or before.kind != "episode" or before.correct != "true"


def _replaced(episodes: Sequence[Written]) -> list[str]:
    return [each.existing.uid for each in episodes if each.existing]
