"""Archiving of attempts that concepts cover, in Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.keys import STATE_KEYS
from graph.database.leases import fence_if
from graph.database.locks import lock_all, renew_versions
from graph.database.store import Store, in_transaction
from graph.model.episodes.concepts import Covered, CoveredEpisode, Unarchived
from graph.model.memories.links import Lease
from graph.store.sharing.copies import end_copies


class CoverStore(Store):
    """Store of covered attempts; with a lease, writes are fenced."""

    async def crowded(self, scope: str, slack: int, concept: str | None = None) -> Covered | None:
        """Return the episodes of the concept that gained most active ones, if ``slack`` or more.

        ``concept`` selects one by uid, whatever it gained.
        """
        found = await self._database.read(
            QUERIES["episodes.crowded_concepts"],
            {"scope": scope, "slack": slack, "concept": concept},
        )
        if not found:
            return None
        uid = found[0]["uid"]
        rows = await self._database.read(QUERIES["episodes.covered_episodes"], {"concept": uid})
        episodes = tuple(
            CoveredEpisode(
                row["uid"], row["problem"], row["right"], tuple(row["actions"]), row["revision"]
            )
            for row in rows
        )
        return Covered(uid, found[0]["name"], episodes)

    @in_transaction
    async def archive(
        self,
        transaction: Transaction,
        concept: str,
        rows: Sequence[tuple[str, int]],
        kept: int,
        lease: Lease | None,
        now: datetime,
    ) -> int:
        """Archive covered episodes, by uid and revision; return how many.

        Their problems without active episodes are archived too. Changed memories are left.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        values = [{"uid": uid, "revision": revision} for uid, revision in sorted(rows)]
        await fence_if(transaction, lease)
        await lock_all(transaction, [concept, *(uid for uid, _ in rows)])
        gone = await transaction.run(
            QUERIES["episodes.archive_memories"].choose("episodes"),
            {"concept": concept, "rows": values, **STATE_KEYS},
        )
        uids = [row["uid"] for row in gone]
        # retrieval does not need problems without active episodes
        hidden = [*uids, *await _archive_problems(transaction, concept, uids)]
        # their copies in channels are removed (ADR 34)
        await end_copies(transaction, hidden, now)
        noted = await transaction.run(
            QUERIES["episodes.note_exemplars"], {"concept": concept, "kept": kept}
        )
        await renew_versions(transaction, (row["scope"] for row in noted))
        return len(gone)

    async def unarchive(
        self, scope: str, concept: str | None, now: datetime, limit: int
    ) -> Unarchived:
        """Restore what concepts of a scope, or one of them, have archived, permanently; changed memories are left."""
        del now
        found = await self._database.read(
            QUERIES["episodes.archived_memories"],
            {"scope": scope, "concept": concept, "limit": limit},
        )

        async def work(transaction: Transaction) -> Unarchived:
            await lock_all(transaction, (row[end] for row in found for end in ("uid", "concept")))
            rows = await transaction.run(
                QUERIES["episodes.unarchive"], {"rows": found, **STATE_KEYS}
            )
            await renew_versions(transaction, [scope])
            back = [row["uid"] for row in rows if row["restored"]]
            kept = tuple(sorted(row["uid"] for row in rows if not row["restored"]))
            # a full page: more may be left
            return Unarchived(len(back), kept, len(found) == limit)

        return await self._database.write(work) if found else Unarchived(0, (), more=False)


async def _archive_problems(
    transaction: Transaction, concept: str, episodes: Sequence[str]
) -> list[str]:
    idle = await transaction.run(
        QUERIES["episodes.idle_problems"], {"concept": concept, "uids": list(episodes)}
    )
    uids = [row["uid"] for row in idle]
    await lock_all(transaction, uids)
    await transaction.run(
        QUERIES["episodes.archive_memories"].choose("problems"),
        {"concept": concept, "uids": uids, **STATE_KEYS},
    )
    return uids
