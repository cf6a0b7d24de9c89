"""Links in Neo4j: ``MENTIONS`` to terms, and ``SIMILAR_TO`` between memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cachetools import TTLCache

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.fading import fading_of_all
from graph.database.leases import fence
from graph.database.locks import renew_versions
from graph.database.store import Store
from graph.kernel.values import BEGINNING
from graph.model.memories.links import Lease, Linked, Linking, Near, NearFact, Unlinked
from graph.ports.embedding import SlotEmbedder
from graph.ports.utility import StrataConfigs
from graph.store.memories.superseding import save_detected
from graph.store.memories.terms import change_mentions, lock_memories

_CACHED_LAGS = 10_000
_LAG_SECONDS = 2.0
_GRAPH = "graph"
_FACTS = 20  # nearest memories that are tested for replacement
_PLAIN = ["observation", "preference", "insight"]
_LONGEST_FACT = 1_000  # characters; longer texts have several statements
_LONGEST_CONDENSED = 4_000  # characters; sentences are compared one by one
_SAME = 1 - 1e-4  # cosine of equal texts, less rounding


class LinkStore(Store):
    """Store of memories that wait for links, and of the links."""

    def __init__(self, database: Database, configs: StrataConfigs) -> None:
        super().__init__(database)
        self._configs = configs
        self._lag = TTLCache[tuple[str, ...], int](_CACHED_LAGS, _LAG_SECONDS)
        self._waits = TTLCache[str, bool](1, _LAG_SECONDS)

    async def find_unlinked(
        self, used: SlotEmbedder, before: datetime, limit: int, nearest: int
    ) -> tuple[Unlinked, ...]:
        """Read memories that wait since before a time, longest first, each with its nearest neighbours.

        ``used`` selects the vectors to compare.
        """
        rows = await self._database.search(
            QUERIES["memories.find_unlinked"],
            {
                "before": before,
                "limit": limit,
                # one more, as each memory is its own nearest neighbour
                "nearest": max(nearest, _FACTS) + 1,
                "dimension": used.embedder.dimension,
                "plain": _PLAIN,
                "longest": _LONGEST_FACT,
                "longest_condensed": _LONGEST_CONDENSED,
                "open": BEGINNING,
            },
            used.slot,
        )
        return tuple(_unlinked(row, nearest) for row in rows)

    async def stored_since(self, moment: datetime) -> bool:
        """Return whether a memory that waits for links was stored or changed after a time."""
        query = QUERIES["memories.count_unlinked"].choose("since")
        [row] = await self._database.read(query, {"moment": moment})
        return bool(row["waiting"])

    async def link(
        self,
        lease: Lease,
        used: SlotEmbedder,
        rows: Sequence[Linking],
        *,
        most_similar: int,
        least_similarity: float,
        now: datetime,
    ) -> Linked:
        """Write the links and replacements of memories in one transaction.

        Memories changed since they were read stay waiting and replace nothing.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """

        async def work(transaction: Transaction) -> Linked:
            await fence(transaction, lease)
            unchanged, mentioned = await self._lock(transaction, rows, now)
            uids = sorted(row.uid for row in unchanged)
            if not uids:
                return Linked()
            await self._mention(transaction, unchanged, mentioned, now)
            await self._compare(transaction, used, unchanged, most_similar, least_similarity)
            marks = sorted((row.uid, row.q_init) for row in unchanged)
            await transaction.run(
                QUERIES["memories.anchor_memories"].choose("linked"),
                {
                    "rows": [{"uid": uid, "q_init": initial} for uid, initial in marks],
                    "now": now,
                    **fading_of_all(self._configs),
                },
            )
            wanted = [one for row in unchanged for one in row.supersessions]
            new = await save_detected(transaction, wanted, now)
            await renew_versions(transaction, (row.scope for row in unchanged))
            scopes = {
                (one.newer, one.older): row.scope for row in unchanged for one in row.supersessions
            }
            return Linked(len(uids), tuple((scopes[one.newer, one.older], one) for one in new))

        return await self._database.write(work) if rows else Linked()

    async def _lock(
        self, transaction: Transaction, rows: Sequence[Linking], now: datetime
    ) -> tuple[list[Linking], dict[str, set[tuple[str, str]]]]:
        """Lock memories and those they may replace.

        Return the unchanged ones, and their terms.
        """
        uids = sorted(row.uid for row in rows)
        ends = {end for row in rows for one in row.supersessions for end in (one.newer, one.older)}
        await lock_memories(transaction, sorted(ends.union(uids)), now)
        found = await transaction.run(QUERIES["memories.read_mentions"], {"uids": uids})
        since = {row["uid"]: row["since"].to_native() for row in found if row["since"]}
        mentioned = {row["uid"]: {(s, n) for s, n in row["mentioned"]} for row in found}
        return [row for row in rows if since.get(row.uid) == row.since], mentioned

    async def _mention(
        self,
        transaction: Transaction,
        rows: Sequence[Linking],
        mentioned: Mapping[str, set[tuple[str, str]]],
        now: datetime,
    ) -> None:
        wanted = {row.uid: {(row.scope, phrase.name) for phrase in row.phrases} for row in rows}
        displays = {
            (row.scope, phrase.name): phrase.display
            # the spelling of the first memory is kept
            for row in reversed(rows)
            for phrase in row.phrases
        }
        await change_mentions(
            transaction,
            [(uid, *key) for uid, keys in wanted.items() for key in keys - mentioned[uid]],
            [(uid, *key) for uid, keys in wanted.items() for key in mentioned[uid] - keys],
            displays,
            now,
        )

    async def _compare(
        self,
        transaction: Transaction,
        used: SlotEmbedder,
        rows: Sequence[Linking],
        most_similar: int,
        least_similarity: float,
    ) -> None:
        uids = sorted(row.uid for row in rows)
        parted = await transaction.run(
            QUERIES["memories.refresh_similarities"],
            {
                "uids": uids,
                "least_similarity": least_similarity,
                "dimension": used.embedder.dimension,
            },
            used.slot,
        )
        pairs = similar_pairs(rows, most_similar, least_similarity)
        if pairs:
            await transaction.run(
                QUERIES["memories.join_memories"].choose("similar"), {"rows": pairs}
            )
        ends = {pair[end] for pair in pairs for end in ("from", "to")} | set(uids)
        weakest = await transaction.run(
            QUERIES["memories.part_weakest"], {"uids": sorted(ends), "kept": most_similar}
        )
        touched = ends.union(parted[0]["parted"], weakest[0]["parted"])
        await transaction.run(QUERIES["memories.count_links"], {"uids": sorted(touched)})

    async def count_unlinked(self, scopes: Sequence[str] | None = None) -> int:
        """Count the memories that wait for links, in some scopes or in all."""
        if scopes is None:
            rows = await self._database.read(QUERIES["memories.count_unlinked"].choose("all"), {})
        else:
            rows = await self._database.read(
                QUERIES["memories.count_unlinked"].choose("scopes"), {"scopes": list(scopes)}
            )
        return int(rows[0]["waiting"])

    async def lag(self, scopes: Sequence[str]) -> int:
        """Return the count of waiting memories, cached for two seconds."""
        if not await self._any_waits():
            return 0  # usually nothing waits: then scopes need not be counted
        key = tuple(scopes)
        known = self._lag.get(key)
        if known is None:
            known = self._lag[key] = await self.count_unlinked(scopes)
        return known

    async def _any_waits(self) -> bool:
        known = self._waits.get(_GRAPH)
        if known is None:
            known = self._waits[_GRAPH] = await self.stored_since(BEGINNING)
        return known


def similar_pairs(
    rows: Sequence[Linking], most_similar: int, least_similarity: float
) -> list[dict[str, Any]]:
    """Return each pair of similar memories once, the lower uid first, sorted."""
    pairs: dict[tuple[str, str], float] = {}
    for row in rows:
        others = [near for near in row.near if near.uid != row.uid]
        for near in others[:most_similar]:
            if near.similarity >= least_similarity:
                pairs[min(row.uid, near.uid), max(row.uid, near.uid)] = near.similarity
    return [{"from": a, "to": b, "similarity": value} for (a, b), value in sorted(pairs.items())]


def _unlinked(row: Mapping[str, Any], nearest: int) -> Unlinked:
    # Memories being removed are found without properties.
    there = [each for each in row["near"] if each[1] is not None][: nearest + 1]
    near = tuple(Near(uid, min(1.0, cosine), *track) for uid, cosine, *track in there)
    itself = any(uid == row["uid"] for uid, *_ in row["near"])
    # among many equal texts the memory itself need not be one of the nearest
    crowded = len(near) > nearest and near[-1].similarity >= _SAME
    return Unlinked(
        uid=row["uid"],
        scope=row["scope"],
        text=row["text"],
        since=row["since"].to_native(),
        near=near,
        searchable=not row["active"] or itself or crowded,
        facts=tuple(_fact(*each) for each in row["facts"] or () if each[1] is not None),
    )


def _fact(
    uid: str,
    cosine: float,
    text: str,
    speaker: str | None,
    begins: Any,
    recorded_at: Any,
    *others: Any,
) -> NearFact:
    session_id, sequence, revision, condensed = others
    similarity = min(1.0, cosine)
    times = begins.to_native(), recorded_at.to_native()
    return NearFact(
        uid, similarity, text, speaker, *times, session_id or None, sequence, revision, condensed
    )
