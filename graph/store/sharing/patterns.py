"""Patterns shared in a channel when enough of its members have them.

Only the number of members is revealed, and a text only if enough members have the same, so it contains nothing that
only one of them knows. Decisions are made under the locks of patterns and memberships.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Rows, Transaction
from graph.database.leases import fence_if
from graph.database.locks import lock_all, renew_versions
from graph.database.store import Store, in_transaction
from graph.kernel.embedding import Slot
from graph.kernel.scope import name_in, tenant_of
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.model.sharing.channels import PatternsShared, PatternTerms
from graph.ports.utility import ConfigsInUse
from graph.store.memories.removing import remove_memories
from graph.store.memories.vectors import check_slot
from graph.store.sharing.copies import copy_row, read_originals, vector_of

_PAGE = 200  # signatures in one transaction
_LAST = "~"  # greater than every signature, which is hexadecimal
_MOST = 10_000  # texts of these signatures
_COMPARED = ("text", "agents", "agents_needed", "support", "confidence", "uids")

Row = dict[str, Any]


class PatternSharingStore(Store):
    """Store of shared patterns; each call is one transaction."""

    def __init__(self, database: Database, configs: ConfigsInUse) -> None:
        super().__init__(database)
        self._configs = configs

    @in_transaction
    async def share_page(
        self,
        transaction: Transaction,
        channel: str,
        terms: PatternTerms | None,
        after: str,
        now: datetime,
        slot: Slot,
        lease: Lease | None,
        new_uid: Callable[[], str],
    ) -> tuple[PatternsShared, str | None]:
        """Update some shared patterns, by signature, to those of members; without terms, remove them.

        Return the counts, and the signature to continue after; None at the end.

        Raises
        ------
        EmbedderChangedError
            If the graph was switched to another embedder meanwhile.
        """
        first_q = self._configs.of(tenant_of(channel)).q_default
        await fence_if(transaction, lease)
        until = await _locked(transaction, channel, terms, after, now)
        wanted = _wanted(await _held(transaction, channel, terms, now, after, until, _MOST))
        there = await _shared(transaction, channel, after, until, _MOST)
        gone = [row["uid"] for row in there if row["signature"] not in wanted]
        if gone:
            await remove_memories(transaction, dict.fromkeys(gone), now)
        known = {row["signature"]: row for row in there if row["signature"] in wanted}
        stale = [row for row in wanted.values() if _differs(row, known.get(row["signature"]))]
        written = await _write(transaction, channel, stale, known, now, slot, first_q, new_uid)
        created = sum(row["signature"] not in known for row in written)
        done = PatternsShared(len(known) + created, created, len(written) - created, len(gone))
        return done, None if until == _LAST else until

    async def due(self, now: datetime, seconds: float, own: Mapping[str, float]) -> str | None:
        """Return a channel with members that was not checked for some time; ``own`` has intervals of tenants."""
        rows = await self._database.read(
            QUERIES["database.find_due_scopes"].choose("patterns"),
            {"now": now, "seconds": seconds, "own": dict(own)},
        )
        return rows[0]["channel"] if rows else None

    @in_transaction
    async def note_looked(
        self, transaction: Transaction, channel: str, now: datetime, lease: Lease
    ) -> None:
        """Record that a channel was checked."""
        await fence_if(transaction, lease)
        await transaction.run(
            QUERIES["database.note_look"].choose("patterns"), {"scope": channel, "now": now}
        )


async def _locked(
    transaction: Transaction, channel: str, terms: PatternTerms | None, after: str, now: datetime
) -> str:
    """Lock the patterns of a page of signatures, and return its last signature."""
    held = await _held(transaction, channel, terms, now, after, _LAST, _PAGE)
    there = await _shared(transaction, channel, after, _LAST, _PAGE)
    # the page ends where the shorter list does, so that both lists are complete for it
    cut = [rows[-1]["signature"] for rows in (held, there) if len(rows) == _PAGE]
    until = min(cut, default=_LAST)
    meant = [row for row in [*held, *there] if row["signature"] <= until]
    uids = {uid for row in meant for uid in row["uids"]} | {row["uid"] for row in there}
    await lock_all(transaction, uids)
    await transaction.run(
        QUERIES["sharing.change_membership"].choose("lock_all"), {"channel": channel}
    )
    return until


async def _held(
    transaction: Transaction,
    channel: str,
    terms: PatternTerms | None,
    now: datetime,
    after: str,
    until: str,
    limit: int,
) -> Rows:
    if terms is None:
        return []
    rows = await transaction.run(
        QUERIES["sharing.find_patterns"],
        {
            "channel": channel,
            "agents": terms.agents,
            "confidence": terms.confidence,
            "now": now,
            "after": after,
            "until": until,
            "limit": limit,
        },
    )
    return [row | {"agents_needed": terms.agents} for row in rows]


async def _shared(
    transaction: Transaction, channel: str, after: str, until: str, limit: int
) -> Rows:
    return await transaction.run(
        QUERIES["sharing.shared_patterns"],
        {"channel": channel, "after": after, "until": until, "limit": limit},
    )


def _wanted(held: Rows) -> dict[str, Row]:
    """Choose for each signature the text that most members have."""
    wanted: dict[str, Row] = {}
    for row in held:
        wanted.setdefault(row["signature"], row)
    return wanted


def _differs(wanted: Row, there: Row | None) -> bool:
    return there is None or any(
        wanted[name] != there[name] if name != "uids" else set(wanted[name]) != set(there[name])
        for name in _COMPARED
    )


async def _write(
    transaction: Transaction,
    channel: str,
    wanted: Sequence[Row],
    known: Mapping[str, Row],
    now: datetime,
    slot: Slot,
    first_q: float,
    new_uid: Callable[[], str],
) -> list[Row]:
    """Write the patterns whose vectors are in the slot in use; return them."""
    firsts = await read_originals(transaction, (row["uids"][0] for row in wanted), slot)
    written: list[Row] = []
    rows: list[dict[str, Any]] = []
    for row in wanted:
        vector = vector_of(firsts[row["uids"][0]], slot)
        if vector is None:
            continue
        there = known.get(row["signature"])
        at = now if there is None else there["published_at"].to_native()
        copy = PreparedMemory(
            new=_new_pattern(channel, row, at),
            uid=new_uid() if there is None else there["uid"],
            content_hash=_hash(channel, row["signature"]),
            recorded_at=now,
            embedding=vector,
        )
        numbers = {name: row[name] for name in _NUMBERS}
        more = numbers | {"published_at": at}
        rows.append(copy_row(copy, row["uids"], first_q if there is None else None, more))
        written.append(row)
    if rows:
        # by uid, as in every writer
        rows.sort(key=lambda row: row["uid"])
        saved = await transaction.run(QUERIES["sharing.save_copies"], {"rows": rows}, slot)
        check_slot(saved[0]["saved"], rows)
        await renew_versions(transaction, [channel])
    return written


_NUMBERS = ("signature", "pattern_type", "agents", "agents_needed", "support", "confidence")


def _new_pattern(channel: str, row: Row, at: datetime) -> NewMemory:
    shown = ("pattern_type", "agents", "support", "confidence")
    return NewMemory(
        scope=channel,
        text=row["text"],
        kind="pattern",
        channel_id=name_in(channel),
        source_type="sharing",
        occurred_at=at,
        metadata={name: row[name] for name in shown},
    )


def _hash(channel: str, signature: str) -> str:
    """Return the hash of a signature's pattern in a channel; no memory of a client has it."""
    return hashlib.sha256(f"pattern {signature} {channel}".encode()).hexdigest()
