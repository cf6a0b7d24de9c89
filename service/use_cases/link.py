"""Links that are found in the background: what memories mention, and what they resemble."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from graph.model import Linking
from graph.phrases.extraction import key_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Lease, Unlinked
    from graph.ports import EmbeddersInUse, LinkStore

# A vector shows in the index some tenths of a second after its commit; looking earlier is in vain.
_SETTLING = timedelta(seconds=0.5)
# An approximate index may never show a memory to itself: after this it is linked all the same.
_PATIENCE = timedelta(seconds=30)
# Linking gives way: while somebody writes it takes small steps, and rests as long after each.
_WRITTEN_LATELY = timedelta(seconds=2)
_SMALL_STEPS = 4


@dataclass(frozen=True, slots=True)
class LinkDefaults:
    """How many links a memory gets.

    ``batch`` memories are linked in one transaction; each keeps ``most_similar`` similar ones of a
    cosine of at least ``least_similarity`` and mentions ``phrases`` terms at most.
    """

    batch: int
    most_similar: int
    least_similarity: float
    phrases: int


class LinkMemories:
    """Link what was stored or changed since the last step."""

    name = "link_memories"

    def __init__(
        self,
        store: LinkStore,
        embedders: EmbeddersInUse,
        defaults: LinkDefaults,
        *,
        pause: timedelta,
    ) -> None:
        self.pause = pause
        self._store = store
        self._embedders = embedders
        self._defaults = defaults

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        if not await self._store.stored_since(now - _WRITTEN_LATELY):
            return await self._link(now, lease, self._defaults.batch)
        loop = asyncio.get_running_loop()
        started = loop.time()
        linked = await self._link(now, lease, max(1, self._defaults.batch // _SMALL_STEPS))
        await asyncio.sleep(loop.time() - started)
        return linked

    async def _link(self, now: datetime, lease: Lease, batch: int) -> int:
        used = self._embedders.reading
        found = await self._store.find_unlinked(
            used, now - _SETTLING, batch, self._defaults.most_similar
        )
        ready = [one for one in found if one.searchable or one.since <= now - _PATIENCE]
        return await self._store.link(
            lease,
            used,
            await asyncio.to_thread(self._linkings, ready),
            most_similar=self._defaults.most_similar,
            least_similarity=self._defaults.least_similarity,
            now=now,
        )

    def _linkings(self, ready: Sequence[Unlinked]) -> list[Linking]:
        limit = self._defaults.phrases
        return [
            Linking(one.uid, one.scope, one.since, key_phrases(one.text, limit), one.near)
            for one in ready
        ]
