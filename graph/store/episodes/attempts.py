"""Edges from episodes to problems, strategies and concepts, and the counters they change.

Whoever changes a count holds the lock of what is counted. What new episodes alone hang on is counted on from
where it stood, whatever else is concerned anew from its edges: so a batch costs what it brings, however
many attempts there are, and the counts are those of the edges.
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

ATTEMPT_EDGES = frozenset({"SOLVED", "ATTEMPTED", "USED"})  # what problems and strategies count


async def attempted(transaction: Transaction, uids: Collection[str]) -> set[str]:
    """Return what episodes hang on: problems, strategies, concepts."""
    if not uids:
        return set()
    rows = await transaction.run(QUERIES["episodes.find_attempted"], {"uids": sorted(uids)})
    return {row["uid"] for row in rows}


async def lock_attempted(transaction: Transaction, plan: SavePlan, now: datetime) -> set[str]:
    """Lock what a batch with episodes changes of what is there; return what they hung on before."""
    episodes = plan.episodes
    if not episodes:
        return set()
    # what they hung on before counts, too: they leave it
    before = await attempted(transaction, _replaced(episodes))
    await lock_memories(transaction, sorted(plan.touched | before), now)
    return before


async def settle_attempts(
    transaction: Transaction, plan: SavePlan, before: set[str], relinked: Collection[str]
) -> None:
    """Part replaced episodes from what they no longer hang on, and count all that is concerned.

    ``before`` is what these hung on, ``relinked`` what stored memories were joined to.
    """
    joins = {each.existing.uid: plan.joins(each.row) for each in plan.episodes if each.existing}
    await part_attempts(transaction, joins)
    # a problem whose text another episode took over is counted anew too
    anew = {*before, *relinked, *plan.turned}
    # from the edges first: what is added below does not know of parted ones
    await count_attempts(transaction, anew)
    await _add_attempts(transaction, _brought(plan, anew))


def _brought(plan: SavePlan, anew: Collection[str]) -> dict[str, Counter[str]]:
    """Return what new episodes add to the counts of what they hang on, but for what is counted anew."""
    brought: defaultdict[str, Counter[str]] = defaultdict(Counter[str])
    for each in plan.episodes:
        if each.existing is not None:
            continue
        correct = each.row.new.correct
        told = {"attempts": int(correct is not None), "successes": int(correct is True)}
        # a set: an episode may hang on the same node by two edges
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
    """Part episodes from all but these (type, uid) that the service had joined them to."""
    rows = [
        {"uid": uid, "keep": [list(join) for join in kept]} for uid, kept in sorted(joins.items())
    ]
    if rows:
        await transaction.run(QUERIES["episodes.part_attempts"], {"rows": rows})


async def count_attempts(transaction: Transaction, uids: Iterable[str]) -> None:
    """Count attempts and successes of locked problems, strategies and concepts anew."""
    rows = [{"uid": uid, "attempts": None, "successes": None} for uid in sorted(set(uids))]
    if rows:
        await transaction.run(QUERIES["episodes.count_attempts"], {"rows": rows})


async def abandoned(
    transaction: Transaction, uids: Sequence[str], targets: Collection[str]
) -> dict[str, str]:
    """Return what goes with the last of its episodes, with the kind of each."""
    if not targets:
        return {}
    rows = await transaction.run(
        QUERIES["episodes.find_abandoned"], {"uids": list(uids), "targets": sorted(targets)}
    )
    return {row["uid"]: row["kind"] for row in rows}


async def add_solved(transaction: Transaction, scopes: Iterable[str]) -> None:
    """Note the scopes of newly right episodes, one for each, for the next extraction.

    The scopes are locked.
    """
    rows: list[dict[str, Any]] = [
        {"scope": scope, "solved": number} for scope, number in sorted(Counter(scopes).items())
    ]
    if rows:
        await transaction.run(QUERIES["episodes.add_solved"], {"rows": rows})


def newly_right(plan: SavePlan) -> list[str]:
    """Return the scope of each episode of a batch that is right and was not before."""
    return [each.row.new.scope for each in plan.episodes if _newly_right(each)]


def _newly_right(each: Written) -> bool:
    before, new = each.existing, each.row.new
    if new.kind != "episode" or not new.correct:
        return False
    # a second right report of the same attempt is no new success
    return before is None or before.kind != "episode" or before.correct != "true"


def _replaced(episodes: Sequence[Written]) -> list[str]:
    return [each.existing.uid for each in episodes if each.existing]
