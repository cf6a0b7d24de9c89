"""Copies of published memories, created from their originals and updated with them.

Originals are locked by whoever changes them; their copies are locked after, and read again under these locks. A copy
contains what its owner chose to share: text, tags, importance, domain and times.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.locks import lock_all, renew_versions
from graph.kernel.embedding import Slot, SlotVector
from graph.kernel.errors import ConflictError
from graph.kernel.scope import name_in
from graph.model.memories.memory import Memory, NewMemory, PreparedMemory
from graph.model.sharing.channels import Copy
from graph.store.memories.properties import content, new_properties, to_memory
from graph.store.memories.removing import remove_memories
from graph.store.memories.vectors import check_slot, vector_row

Originals = dict[str, Mapping[str, Any]]

# Properties of records whose texts are shared without the record.
_PLAIN = frozenset({"episode", "problem"})
_BIRTH_ONLY = frozenset({"revision"})  # computed by the statement


@dataclass(frozen=True, slots=True)
class Wanted(Copy):
    """A copy to write; a new one starts at ``first_q``."""

    first_q: float | None = None


async def find_visible(transaction: Transaction, uids: Iterable[str]) -> frozenset[str]:
    """Find locked memories that exist and are not hidden by an erasure."""
    query = QUERIES["memories.locate_memories"].without("ties")
    rows = await transaction.run(query, {"uids": sorted(set(uids))})
    return frozenset(row["uid"] for row in rows if row["stands"])


async def find_copies(transaction: Transaction, originals: Sequence[str]) -> Rows:
    """Lock the copies of locked memories, and return them."""
    query = QUERIES["sharing.find_copies"]
    found = await transaction.run(query, {"uids": sorted(originals)})
    if not found:
        return found
    await lock_all(transaction, [row["uid"] for row in found])
    return await transaction.run(query, {"uids": sorted(originals)})


async def follow_originals(
    transaction: Transaction, originals: Sequence[str], now: datetime, slot: Slot
) -> None:
    """Update the copies of changed memories, and remove those of archived ones."""
    if not originals:
        return
    copies = await find_copies(transaction, originals)
    await _end(transaction, originals, copies, now)
    stale = [
        Wanted(row["uid"], row["original"], row["scope"], row["published_by"], _at(row))
        for row in copies
        if row["original_state"] == "active"
        and row["state"] != "hidden"
        and row["published_revision"] != row["original_revision"]
    ]
    await write_copies(transaction, stale, now, slot)
    await _end_agreements(transaction, [*originals, *(one.uid for one in stale)], now)


async def end_copies(transaction: Transaction, originals: Sequence[str], now: datetime) -> None:
    """Remove the copies of memories that are no longer active."""
    if originals:
        await _end(transaction, originals, await find_copies(transaction, originals), now)


async def write_copies(
    transaction: Transaction, wanted: Sequence[Wanted], now: datetime, slot: Slot
) -> None:
    """Write copies of locked originals, and renew the versions of the channels.

    Raises
    ------
    ConflictError
        If an original has no vector in the slot that is read yet.
    EmbedderChangedError
        If the graph was switched to another slot meanwhile.
    """
    if not wanted:
        return
    originals = await read_originals(transaction, (one.original for one in wanted), slot)
    ordered = sorted(wanted, key=lambda one: one.uid)
    rows = [_row(one, originals[one.original], now, slot) for one in ordered]
    written = await transaction.run(QUERIES["sharing.save_copies"], {"rows": rows}, slot)
    check_slot(written[0]["saved"], rows)
    await renew_versions(transaction, [one.channel for one in wanted])


async def read_originals(transaction: Transaction, uids: Iterable[str], slot: Slot) -> Originals:
    """Read locked memories to be published, by uid."""
    found = await transaction.run(
        QUERIES["sharing.read_originals"], {"uids": sorted(set(uids))}, slot
    )
    return {row["memory"]["uid"]: row for row in found}


def vector_of(original: Mapping[str, Any], slot: Slot) -> SlotVector | None:
    """Return the vector of an original in the slot in use; None while it is being embedded."""
    if original["vector"] is None:
        return None
    return SlotVector(slot, original["embedder"], np.array(original["vector"], np.float32))


def copy_row(
    copy: PreparedMemory,
    originals: Sequence[str],
    first_q: float | None,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the row of a copy; with ``first_q`` of a new one."""
    said = content(copy) if first_q is None else new_properties(copy, first_q, None)
    properties = {name: value for name, value in said.items() if name not in _BIRTH_ONLY}
    return {
        "uid": copy.uid,
        "originals": list(originals),
        "channel": copy.new.scope,
        "label": copy.new.kind.capitalize(),
        "properties": properties | dict(more),
        **vector_row(copy.embedding),
    }


async def _end(
    transaction: Transaction, originals: Sequence[str], copies: Rows, now: datetime
) -> None:
    """Remove copies of archived memories, and patterns with too few holders."""
    weak = await transaction.run(
        QUERIES["sharing.find_weakened"].choose("patterns"),
        {"originals": sorted(originals), "gone": []},
    )
    ended: dict[str, int | None] = {
        row["uid"]: None for row in copies if row["original_state"] != "active"
    }
    ended |= {row["uid"]: None for row in weak}
    if ended:
        await remove_memories(transaction, ended, now)


async def _end_agreements(transaction: Transaction, changed: Sequence[str], now: datetime) -> None:
    """Remove agreements whose text none of their statements has any more."""
    weak = await transaction.run(
        QUERIES["sharing.find_weakened"].choose("agreements"),
        {"originals": sorted(changed), "gone": []},
    )
    if weak:
        await remove_memories(transaction, {row["uid"]: None for row in weak}, now)


def _row(one: Wanted, original: Mapping[str, Any], now: datetime, slot: Slot) -> dict[str, Any]:
    vector = vector_of(original, slot)
    if vector is None:
        raise ConflictError("this memory is being embedded anew: publish it again in a while")
    memory = to_memory(original["memory"])
    copy = PreparedMemory(
        new=_visible_properties(memory, one),
        uid=one.uid,
        content_hash=_hash(one),
        recorded_at=now,
        embedding=vector,
    )
    more = {
        "published_by": one.published_by,
        "published_at": one.published_at,
        "published_revision": memory.revision,
    }
    return copy_row(copy, [one.original], one.first_q, more)


def _visible_properties(memory: Memory, one: Wanted) -> NewMemory:
    """Return the properties visible in the channel; memories stored in ``long_term`` are not moved by gates."""
    return NewMemory(
        scope=one.channel,
        text=memory.text,
        kind="observation" if memory.kind in _PLAIN else memory.kind,
        agent_id=one.published_by,
        channel_id=name_in(one.channel),
        importance=memory.importance,
        tags=memory.tags,
        domain=memory.domain,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        expires_at=memory.expires_at,
    )


def _hash(one: Wanted) -> str:
    """Return the hash of a memory's copy in a channel; no memory of a client has it."""
    return hashlib.sha256(f"published {one.original} {one.channel}".encode()).hexdigest()


def _at(row: Mapping[str, Any]) -> datetime:
    return row["published_at"].to_native()
