"""Removal of many memories of one scope: by filter, by name, or all."""

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

    Memories stored or changed after it began stay. An interrupted removal is finished by repeating it.

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
        """Return how many were selected and removed, and the uids of the first."""
        scope = caller.writable(request.scope_kind)
        now = self.clock.now()
        if request.dry_run:
            return await self._dry_run(scope, request, now)
        selected = deleted = 0
        sample: list[str] = []
        counts = Counter[str]()
        restored = True
        while restored:  # a removed memory may restore selected ones that it had replaced
            # only memories restored in this round need another round
            before = counts["restored"]
            async for batch in self._batches(scope, request, now, _BATCH):
                revisions = {each.uid: each.revision for each in batch}
                removed, derived_counts = await remove_with_derived(
                    self.store, self.erase, scope, revisions, now
                )
                counts.update(derived_counts)
                selected, deleted = selected + len(batch), deleted + len(removed.uids)
                sample += [each.uid for each in batch[: _SAMPLE - len(sample)]]
            # names select these memories only; a filter also selects restored ones
            restored = request.names is None and counts["restored"] > before
        return Removal(scope, selected, deleted, tuple(sample), dict(+counts))

    async def _dry_run(self, scope: str, request: RemovalRequest, now: datetime) -> Removal:
        first = await anext(self._batches(scope, request, now, _SAMPLE), None)
        if request.names is not None:
            found = await self.store.find([scope], request.names)
            selected = len(found)
        elif request.filters is not None:
            filters = _until(request.filters, now)
            selected = (await self.browser.count([scope], filters, now, None)).total
        else:
            selected = await self.browser.count_scope(scope, now)
        return Removal(scope, selected, 0, tuple(each.uid for each in first or ()))

    async def _batches(
        self, scope: str, request: RemovalRequest, now: datetime, size: int
    ) -> AsyncGenerator[Sequence[Standing]]:
        if request.names is not None:
            found = await self.store.find([scope], request.names)
            named = [Standing(uid, revision, now) for uid, revision in sorted(found.items())]
            # sorted by uid: concurrent requests lock in the same order
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
    return replace(filters, recorded=Window(recorded.start, min(recorded.end, now)))
