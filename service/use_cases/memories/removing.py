"""Remove many memories of one scope: by filter, by name, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph.kernel.scope import Caller
from graph.kernel.values import BEGINNING
from graph.model.memories.browsing import PagePosition, PageQuery, Removal, RemovalRequest, Standing
from graph.model.recall.candidates import Filters, Window
from graph.store.memories.browsing import MemoryBrowser
from graph.store.memories.store import MemoryStore
from service.use_cases.erasure.erase import Erase, remove_with_derived
from service.use_cases.kernel.watched import TimedUseCase, watched

_BATCH = 500  # memories per transaction, with all their versions and edges
_SAMPLE = 20


@dataclass(frozen=True, slots=True)
class RemoveMemories(TimedUseCase):
    """Remove the selected memories of one scope and what was derived from them, in atomic batches.

    What is stored or changed after the removal began stays. A removal that was cut off is finished
    by asking for it again.

    Raises
    ------
    InvalidInputError
        If the scope to remove from is not clear.
    """

    store: MemoryStore
    browser: MemoryBrowser
    erase: Erase

    @watched("remove_memories")
    async def __call__(self, caller: Caller, request: RemovalRequest) -> Removal:
        """Return how many were meant and removed, and the names of the first of them."""
        scope = caller.writable(request.scope_kind)
        now = self.clock.now()
        if request.dry_run:
            return await self._tried(scope, request, now)
        meant = deleted = 0
        sample: list[str] = []
        counts = Counter[str]()
        came_back = True
        while came_back:  # a source may be meant that stood behind what went
            # counted before: only what came back in this round asks for another
            before = counts["restored"]
            async for batch in self._batches(scope, request, now, _BATCH):
                revisions = {each.uid: each.revision for each in batch}
                gone, told = await remove_with_derived(
                    self.store, self.erase, scope, revisions, now
                )
                counts.update(told)
                meant, deleted = meant + len(batch), deleted + len(gone.uids)
                sample += [each.uid for each in batch[: _SAMPLE - len(sample)]]
            # names mean these memories alone; a filter means what came back, too
            came_back = request.names is None and counts["restored"] > before
        return Removal(scope, meant, deleted, tuple(sample), dict(+counts))

    async def _tried(self, scope: str, request: RemovalRequest, now: datetime) -> Removal:
        first = await anext(self._batches(scope, request, now, _SAMPLE), None)
        if request.names is not None:
            found = await self.store.find([scope], request.names)
            meant = len(found)
        elif request.filters is not None:
            filters = _until(request.filters, now)
            meant = (await self.browser.count([scope], filters, now, None)).total
        else:
            meant = await self.browser.count_scope(scope, now)
        return Removal(scope, meant, 0, tuple(each.uid for each in first or ()))

    async def _batches(
        self, scope: str, request: RemovalRequest, now: datetime, size: int
    ) -> AsyncGenerator[Sequence[Standing]]:
        if request.names is not None:
            found = await self.store.find([scope], request.names)
            named = [Standing(uid, revision, now) for uid, revision in sorted(found.items())]
            # sorted by uid: batches of two requests take their locks in one order
            for start in range(0, len(named), size):
                yield named[start : start + size]
            return
        after = PagePosition(BEGINNING, "")
        while batch := await self._page(scope, request.filters, now, after, size):
            yield batch
            after = PagePosition(batch[-1].recorded_at, batch[-1].uid)

    async def _page(
        self,
        scope: str,
        filters: Filters | None,
        now: datetime,
        after: PagePosition,
        size: int,
    ) -> Sequence[Standing]:
        if filters is None:
            return await self.browser.scope_page(scope, now, after, size)
        query = PageQuery((scope,), _until(filters, now), now, "oldest", size, after)
        memories = await self.browser.page(query)
        return [Standing(each.uid, each.revision, each.recorded_at) for each in memories]


def _until(filters: Filters, now: datetime) -> Filters:
    recorded = filters.recorded
    # what is stored after the removal began stays
    return replace(filters, recorded=Window(recorded.start, min(recorded.end, now)))
