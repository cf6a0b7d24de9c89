"""Pending credits in Neo4j: nodes beside their rewards, until the worker applies them.

Memories are locked by uid, as by reverts, before the credits are read. Rewards are locked next, then scopes, then the
credits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.events import event_rows
from graph.database.fading import fading_of_all
from graph.database.leases import fence
from graph.database.locks import lock_all
from graph.database.rows import from_row
from graph.database.store import in_transaction
from graph.model.memories.links import Lease
from graph.model.utility.rewards import Credit, Learned, Settle, Settlement, Trimming
from graph.store.utility.histories import trim
from graph.store.utility.tracks import (
    LearningStore,
    entry_properties,
    estimate_rows,
    memory_properties,
    part_estimates,
    read_estimates,
    read_locked,
)

Row = dict[str, Any]


class CreditStore(LearningStore):
    """Store of pending credits of rewards to strategies and concepts."""

    async def waiting(self, limit: int) -> tuple[Credit, ...]:
        """Read pending credits, oldest first."""
        rows = await self._database.read(
            QUERIES["utility.list_waiting_credits"].choose("rows"), {"limit": limit}
        )
        return tuple(from_row(Credit, {"contexts": (), **row["credit"]}) for row in rows)

    async def count(self) -> int:
        """Count the pending credits."""
        rows = await self._database.read(
            QUERIES["utility.list_waiting_credits"].choose("count"), {}
        )
        return int(rows[0]["waiting"])

    @in_transaction
    async def apply(
        self,
        transaction: Transaction,
        credits: Sequence[Credit],
        settle: Settle,
        trimming: Trimming,
        lease: Lease,
        now: datetime,
    ) -> int:
        """Apply credits to memories in one transaction; return how many are done.

        Credits without a reward or memory, or of a reverted reward, are dropped.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        await fence(transaction, lease)
        await lock_all(transaction, sorted({credit.memory_uid for credit in credits}))
        done, held = await _valid_credits(transaction, credits)
        locked = await _locked(transaction, held)
        settlement = settle(locked, held)
        await trim(transaction, settlement.after, trimming)
        await transaction.run(
            QUERIES["utility.apply_credits"],
            {
                **_rows(settlement, now),
                "done": done,
                "now": now,
                **fading_of_all(self._configs),
                "events": event_rows(settlement.events, self._event_life),
                "scopes": sorted({move.before.scope for move in settlement.after}),
            },
        )
        await part_estimates(transaction, settlement.after)
        return len(done)


async def _valid_credits(
    transaction: Transaction, credits: Sequence[Credit]
) -> tuple[list[str], list[Credit]]:
    """Return the credits that still exist, and those of valid rewards."""
    uids = sorted(credit.uid for credit in credits)
    rows = await transaction.run(QUERIES["utility.locked_credits"], {"uids": uids})
    holding = {row["uid"] for row in rows if row["holds"]}
    return [row["uid"] for row in rows], [each for each in credits if each.uid in holding]


async def _locked(transaction: Transaction, credits: Sequence[Credit]) -> list[Learned]:
    """Read the utility of the locked memories of credits."""
    uids = sorted({credit.memory_uid for credit in credits})
    _, locked = await read_locked(transaction, uids)
    contexts = {name for credit in credits for name in credit.contexts}
    known = await read_estimates(transaction, uids, contexts)
    return [replace(each, estimates=known.get(each.uid, {})) for each in locked]


def _rows(settlement: Settlement, now: datetime) -> Mapping[str, list[Row]]:
    moves = sorted(settlement.after, key=lambda move: move.uid)
    entries = sorted(settlement.entries, key=lambda entry: (entry[0], entry[1].uid))
    return {
        "rows": [{"uid": move.uid, "memory": memory_properties(move, now)} for move in moves],
        "estimates": [row for move in moves for row in estimate_rows(move, now)],
        "entries": [
            {"uid": move.uid, "reward_uid": reward_uid, "entry": entry_properties(move)}
            for reward_uid, move in entries
        ],
    }
