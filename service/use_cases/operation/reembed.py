"""Re-embedding: the second vector slot is filled while the first is read, then they are switched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import numpy as np

from graph.kernel.embedding import EmbedderIdentity, EmbeddingState, MemoryCount, Slot
from graph.kernel.errors import ConflictError
from graph.kernel.values import Vector
from graph.ports.world import Embedder
from graph.store.operation.embedding import EmbeddingStore
from service.use_cases.kernel.embedding import any_direction
from service.use_cases.kernel.watched import TimedUseCase, watched

_CATCH_UP_SECONDS = 0.2
_DROPPED_AT_ONCE = 2000

Step = Literal["embedding", "waiting for every service to switch", "removing the old vectors"]
Tell = Callable[[Step, int, int], None]


@dataclass(frozen=True, slots=True)
class Reembedded:
    """Counts of a re-embedding: ``embedded`` in this run; vectors of clients and wordless memories of all."""

    embedder: str
    memories: int
    embedded: int
    client_vectors: int
    wordless: int


@dataclass(slots=True)
class _Tally:
    seen: int = 0
    embedded: int = 0
    wordless: int = 0


@dataclass(frozen=True, slots=True)
class Reembed(TimedUseCase):
    """Embed every memory by another embedder, while services run.

    Repeating an interrupted run continues it. Services write both slots meanwhile; memories that one of them missed are
    found by another pass, before the switch and in the grace period after it. The old slot stays complete until then.

    Raises
    ------
    ConflictError
        If another embedder is in the second slot, or another re-embedding runs.
    DatabaseUnavailableError
        If Neo4j does not answer; run it again.
    """

    store: EmbeddingStore
    embedder: Embedder
    tell: Tell
    batch: int = 256
    grace: timedelta = timedelta(seconds=30)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @watched("reembed")
    async def __call__(self) -> Reembedded:
        """Fill, switch, wait, and remove the old vectors."""
        tally = _Tally()
        async with self.store.alone():
            state, count = await self._state_after_cleanup(), await self.store.count()
            if state.embedder.name != self.embedder.name:
                await self._fill_and_switch(state, count, tally)
                state = await self.store.state()
            if state.other is not None:
                await self._wait_for_services(state.slot, count, tally)
                await drop_other(self.store, self.tell, count.memories, self.clock.now())
        return Reembedded(
            self.embedder.name, count.memories, tally.embedded, count.client_vectors, tally.wordless
        )

    async def _state_after_cleanup(self) -> EmbeddingState:
        """Finish the cleanup of an earlier run; refuse to continue one of another embedder."""
        state = await self.store.state()
        other = state.other
        if other is None:
            return state
        if other.state == "dropping":
            memories = (await self.store.count()).memories
            await drop_other(self.store, self.tell, memories, self.clock.now())
            return await self.store.state()
        needed = other.embedder if other.state == "filling" else state.embedder
        if needed.name != self.embedder.name:
            cancel = ", or give it up: --cancel" if other.state == "filling" else ""
            raise ConflictError(
                f"a re-embedding by {needed.name} is not finished; go on with "
                f"`stratagraph reembed --embedder {needed.source}`{cancel}"
            )
        return state

    async def _fill_and_switch(
        self, state: EmbeddingState, count: MemoryCount, tally: _Tally
    ) -> None:
        embedder = self.embedder
        await self.store.begin(EmbedderIdentity(embedder.name, embedder.dimension, embedder.source))
        await self._pass(state.other_slot, count, tally)
        while not await self.store.switch(embedder.name):
            await self.sleep(_CATCH_UP_SECONDS)
            await self._pass(state.other_slot, count, tally)

    async def _wait_for_services(self, slot: Slot, count: MemoryCount, tally: _Tally) -> None:
        """Embed memories written to the old slot only, until no service can read it any more."""
        start, total = self.clock.now(), self.grace.total_seconds()
        while True:
            waited = (self.clock.now() - start).total_seconds()
            embedded = await self._pass(slot, count, tally)
            if waited >= total and not embedded:
                return
            self.tell("waiting for every service to switch", int(min(waited, total)), int(total))
            await self.sleep(min(3.0, max(total - waited, _CATCH_UP_SECONDS)))

    async def _pass(self, slot: Slot, count: MemoryCount, tally: _Tally) -> int:
        """Embed all memories without a vector; return how many there were."""
        after, embedded, seen = "", 0, 0
        while True:
            page = await self.store.page(slot, self.embedder.name, after, self.batch)
            if page.lacking:
                rows = [
                    (uid, text, vector)
                    for (uid, text), vector in zip(
                        page.lacking, await self._embed(page.lacking, tally), strict=True
                    )
                ]
                await self.store.save_vectors(slot, self.embedder.name, rows)
            seen, embedded = seen + page.seen, embedded + len(page.lacking)
            tally.seen, tally.embedded = max(tally.seen, seen), tally.embedded + len(page.lacking)
            if page.lacking or seen >= tally.seen:
                self.tell("embedding", min(tally.seen, count.memories), count.memories)
            if page.seen < self.batch:
                return embedded
            after = page.last

    async def _embed(self, lacking: tuple[tuple[str, str], ...], tally: _Tally) -> Vector:
        vectors = await asyncio.to_thread(self.embedder.embed, [text for _, text in lacking])
        wordless = np.flatnonzero(~vectors.any(axis=1))
        vectors[wordless] = any_direction(self.embedder.dimension)
        tally.wordless += len(wordless)
        return vectors


@dataclass(frozen=True, slots=True)
class CancelReembedding(TimedUseCase):
    """Cancel a re-embedding that has not switched yet; recalls go on with the present slot.

    Raises
    ------
    ConflictError
        If there is none, if it has switched already, or if it still works.
    """

    store: EmbeddingStore
    tell: Tell

    @watched("cancel_reembedding")
    async def __call__(self) -> str:
        """Empty the second slot; return the name of its embedder."""
        async with self.store.alone():
            state = await self.store.state()
            if state.other is None:
                raise ConflictError("no re-embedding is under way")
            if state.other.state == "retiring":
                raise ConflictError(
                    f"the graph has gone over to {state.embedder.name} already; to go back, run "
                    f"`stratagraph reembed` to its end, then "
                    f"`stratagraph reembed --embedder {state.other.embedder.source}`"
                )
            # a slot that is being dropped may be the former one, whose links are recomputed
            since = self.clock.now() if state.other.state == "dropping" else None
            await drop_other(self.store, self.tell, (await self.store.count()).memories, since)
            return state.other.embedder.name


async def drop_other(
    store: EmbeddingStore, tell: Tell, total: int, unlinked_since: datetime | None
) -> None:
    """Empty the slot that is not in use, in batches; repeating an interrupted call continues it.

    With ``unlinked_since`` every memory is linked anew, as its links were of the other embedder.
    """
    await store.give_up()
    after, dropped = "", 0
    while True:
        page = await store.drop_other(after, _DROPPED_AT_ONCE, unlinked_since)
        dropped += page.seen
        tell("removing the old vectors", min(dropped, total), total)
        if page.seen < _DROPPED_AT_ONCE:
            break
        after = page.last
    await store.forget_other()
