"""Limits on the episodes of a scope, checked last in a transaction, under the scope's lock.

Every writer of episodes holds that lock until it commits, so concurrent writers cannot exceed the limit together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from cypher import QUERIES
from graph.database.driver import ConstraintViolatedError, Database, Transaction
from graph.kernel.errors import ConflictError
from graph.model.episodes.episode import Budget
from graph.model.memories.memory import Evicted
from graph.store.memories.properties import stored_bytes
from graph.store.memories.removing import remove_memories
from graph.store.memories.saving import Written

T = TypeVar("T")

_MOST_AT_ONCE = 1_000  # removed in one transaction
_RACES = 5
_EVICTION_TRIES = 50  # each evicts something, or refuses a row


@dataclass(frozen=True, slots=True)
class Excess:
    """Excess of a scope over its budget, and the rows of the batch that do not fit.

    ``written`` are the stored ones that the batch replaces.
    """

    scope: str
    episodes: int
    bytes: int
    places: frozenset[int]
    written: frozenset[str]


class OverBudgetError(Exception):
    """Rolls back a batch that exceeds the budget of its scope."""

    def __init__(self, excess: Sequence[Excess]) -> None:
        super().__init__()
        self.excess = excess


@dataclass(slots=True)
class _Eviction:
    """State of a batch that exceeds the budget of its scope."""

    database: Database
    budget: Budget
    refused: frozenset[int] = frozenset()
    evicted: tuple[Evicted, ...] = ()
    tries: int = 0

    async def make(self, excess: Sequence[Excess], now: datetime) -> None:
        """Evict if that is the policy; refuse rows that still do not fit."""
        self.tries += 1
        for each in excess:
            gone = None
            if self.budget.policy == "evict":
                gone = await make_room(self.database, each, now)
            self.evicted += gone or ()
            if gone is None:
                self.refused |= each.places


async def write_within(
    database: Database,
    budget: Budget,
    now: datetime,
    write: Callable[[frozenset[int]], Awaitable[T]],
) -> tuple[T, tuple[Evicted, ...]]:
    """Write rows in one transaction, repeated until they fit; return what was evicted, too.

    ``write`` gets the positions of refused rows.

    Raises
    ------
    ConflictError
        If others write the same memories all the time.
    """
    room = _Eviction(database, budget)
    races = 0
    while races < _RACES and room.tries < _EVICTION_TRIES:
        try:
            return await write(room.refused), room.evicted
        except ConstraintViolatedError:
            races += 1  # another writer stored one of the rows first: plan again
        except OverBudgetError as error:
            await room.make(error.excess, now)
    raise ConflictError("the same memories are being written by others; send them again")


async def check_room(transaction: Transaction, budget: Budget, episodes: Sequence[Written]) -> None:
    """Raise if a locked scope would exceed its budget by new episodes.

    Raises
    ------
    OverBudgetError
        If there is no room for all of it.
    """
    if budget.is_open:
        return
    growing: defaultdict[str, list[tuple[Written, int, int]]] = defaultdict(list)
    for each in episodes:
        if any(growth := _growth(each)):
            growing[each.row.new.scope].append((each, *growth))
    found = await _excesses(transaction, budget, growing)
    excess = [
        _excess(scope, *over, growing[scope])
        for scope, over in sorted(found.items())
        if any(number > 0 for number in over)
    ]
    if excess:
        raise OverBudgetError(excess)


async def has_room(transaction: Transaction, budget: Budget, scopes: Iterable[str]) -> bool:
    """Return whether locked scopes are within their budgets."""
    over = await _excesses(transaction, budget, set(scopes))
    return not any(number > 0 for pair in over.values() for number in pair)


async def make_room(
    database: Database, excess: Excess, now: datetime
) -> tuple[Evicted, ...] | None:
    """Remove the least valuable episodes of a scope in batches until it has capacity.

    None if nothing removable is left. Memories that others removed or changed meanwhile are not counted.
    """

    async def work(transaction: Transaction) -> tuple[Evicted, ...] | None:
        rows = await transaction.run(
            QUERIES["episodes.list_least_valuable"],
            {"scope": excess.scope, "kept": sorted(excess.written), "limit": _MOST_AT_ONCE},
        )
        chosen = {row["uid"]: row for row in _is_enough(rows, excess.episodes, excess.bytes)}
        if not chosen:
            return None
        revisions = {uid: row["revision"] for uid, row in chosen.items()}
        gone = await remove_memories(transaction, revisions, now)
        return tuple(
            Evicted(uid, row["external_id"], _reason(row))
            for uid, row in chosen.items()
            if uid in gone.uids
        )

    return await database.write(work)


def _growth(each: Written) -> tuple[int, int]:
    """Return by how many episodes and bytes a row increases its scope."""
    new, before = each.row.new, each.existing
    if new.kind != "episode":
        return 0, 0
    stood = before is not None and before.kind == "episode"
    size = stored_bytes(new) - (before.stored_bytes if before else 0)
    return (0 if stood else 1), max(size, 0)


async def _excesses(
    transaction: Transaction, budget: Budget, scopes: Collection[str]
) -> dict[str, tuple[int, int]]:
    """Return the excess of each scope over its budget."""
    if not scopes or budget.is_open:
        return {}
    rows = await transaction.run(QUERIES["episodes.measure_scopes"], {"scopes": sorted(scopes)})
    return {
        row["scope"]: (
            0 if budget.episodes is None else row["episodes"] - budget.episodes,
            0 if budget.bytes is None else row["bytes"] - budget.bytes,
        )
        for row in rows
    }


def _excess(
    scope: str, episodes: int, size: int, rows: Sequence[tuple[Written, int, int]]
) -> Excess:
    places: set[int] = set()
    left, bytes_left = episodes, size
    # the last rows of a batch are refused first
    for each, number, grown in reversed(rows):
        if left <= 0 and bytes_left <= 0:
            break
        if (left > 0 and number) or (bytes_left > 0 and grown):
            places.add(each.place)
            left, bytes_left = left - number, bytes_left - grown
    written = frozenset(each.existing.uid for each, _, _ in rows if each.existing)
    return Excess(scope, max(episodes, 0), max(size, 0), frozenset(places), written)


def _is_enough(rows: Sequence[dict[str, Any]], episodes: int, size: int) -> list[dict[str, Any]]:
    chosen: list[dict[str, Any]] = []
    freed = 0
    for row in rows:
        if len(chosen) >= episodes and freed >= size:
            break
        chosen.append(row)
        freed += row["bytes"]
    return chosen


def _reason(row: dict[str, Any]) -> str:
    if row["state"] == "hidden":
        return "it was collected as garbage"
    if row["state"] == "archived":
        return "it was archived"
    if row["duplicate"]:
        return "a better attempt at its problem with the same verdict is kept"
    recalled = f"recalled {row['recalled']} times" if row["recalled"] else "never recalled"
    return f"the least: Q {row['q_value']:.2f}, confidence {row['confidence']:.2f}, {recalled}"
