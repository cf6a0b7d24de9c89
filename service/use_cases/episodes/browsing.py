"""Episodes: read one, count, list in pages, clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller, ScopeKind
from graph.model.episodes.episode import Attempted, Budget, Cleared, EpisodeCount, EpisodeQuery
from graph.model.erasure.receipts import Erasure, Subject
from graph.model.memories.memory import Memory
from graph.ports.world import Clock
from graph.store.episodes.store import EpisodeStore
from graph.store.memories.store import MemoryStore
from service.use_cases.erasure.erase import Erase, remove_with_derived
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched

UNKNOWN_EPISODE = "no such episode in the scopes of this caller"
_BATCH = 500
_PAGE = 200
_SAMPLE = 20


@dataclass(frozen=True, slots=True)
class GetEpisode(UseCase):
    """Read one episode by its id or its uid, with its problem, strategies and concepts.

    Raises
    ------
    NotFoundError
        If there is none in the caller's scopes.
    """

    store: MemoryStore
    episodes: EpisodeStore

    @watched("get_episode")
    async def __call__(self, caller: Caller, name: str) -> tuple[Memory, tuple[Attempted, ...]]:
        """Return the episode; ids take precedence over uids."""
        memory = await find_episode(self.store, caller, name)
        return memory, await self.episodes.hangs_on(caller.readable, memory.uid)


@dataclass(frozen=True, slots=True)
class DeleteEpisode(UseCase):
    """Erase one episode by its id or its uid and all that was derived from it, and update the counters.

    Raises
    ------
    NotFoundError
        If there is none in the caller's scopes.
    """

    store: MemoryStore
    erase: Erase

    @watched("delete_episode")
    async def __call__(self, caller: Caller, name: str) -> Erasure:
        """Return the erasure; the episode is hidden from now on."""
        memory = await find_episode(self.store, caller, name)
        return await self.erase(Subject("memory", memory.scope, memory.uid))


@dataclass(frozen=True, slots=True)
class CountEpisodes(UseCase):
    """Count the episodes of one scope, in whatever state.

    Raises
    ------
    InvalidInputError
        If it is not clear which scope is meant.
    """

    episodes: EpisodeStore
    budget: Budget

    @watched("count_episodes")
    async def __call__(self, caller: Caller, scope_kind: ScopeKind | None) -> EpisodeCount:
        """Return the counts."""
        return await self.episodes.count(caller.writable(scope_kind))


@dataclass(frozen=True, slots=True)
class ExportEpisodes:
    """Read all episodes of one scope that were not collected as garbage, the earliest first.

    Raises
    ------
    InvalidInputError
        If it is not clear which scope is meant.
    """

    episodes: EpisodeStore
    clock: Clock

    async def __call__(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None,
        run: str | None,
        after: tuple[datetime, str] | None = None,
    ) -> AsyncGenerator[Sequence[Memory]]:
        """Yield pages, without episodes stored meanwhile."""
        query = EpisodeQuery(
            caller.writable(scope_kind),
            self.clock.now(),
            _PAGE,
            states=("active", "archived"),
            run=run,
            after=after,
        )
        async for page in pages(self.episodes, query):
            yield [memory for memory, _ in page]


@dataclass(frozen=True, slots=True)
class ClearEpisodes(TimedUseCase):
    """Remove the episodes of one scope, what was derived from them, and problems and strategies left without any.

    In atomic batches; an interrupted call is finished by repeating it. Episodes stored or changed after it began stay.

    Raises
    ------
    InvalidInputError
        If it is not clear which scope is meant.
    """

    store: MemoryStore
    episodes: EpisodeStore
    erase: Erase

    @watched("clear_episodes")
    async def __call__(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None,
        *,
        domain: str | None,
        run: str | None,
        dry_run: bool,
    ) -> Cleared:
        """Return the selected and the removed episodes; with ``dry_run`` nothing is removed."""
        now = self.clock.now()
        query = EpisodeQuery(caller.writable(scope_kind), now, _BATCH, domain=domain, run=run)
        selected = size = deleted = 0
        sample: list[str] = []
        abandoned, counts = Counter[str](), Counter[str]()
        # paged by the last row, not by an offset, as rows are removed meanwhile
        async for page in pages(self.episodes, query):
            selected, size = selected + len(page), size + sum(each for _, each in page)
            sample += [memory.uid for memory, _ in page[: _SAMPLE - len(sample)]]
            if not dry_run:
                revisions = {memory.uid: memory.revision for memory, _ in page}
                removed, derived_counts = await remove_with_derived(
                    self.store, self.erase, query.scope, revisions, now
                )
                deleted += len(removed.uids)
                abandoned.update(removed.abandoned.values())
                counts.update(derived_counts)
        return Cleared(
            query.scope,
            selected,
            deleted,
            tuple(sample),
            dict(+counts),
            bytes=size,
            problems=abandoned["problem"],
            strategies=abandoned["strategy"],
        )


async def pages(
    episodes: EpisodeStore, query: EpisodeQuery
) -> AsyncGenerator[Sequence[tuple[Memory, int]]]:
    """Yield all pages of a query."""
    while page := await episodes.page(query):
        yield page
        last = page[-1][0]
        query = query.behind(last)


async def find_episode(store: MemoryStore, caller: Caller, name: str) -> Memory:
    """Find an episode by its id, else by its uid.

    Raises
    ------
    NotFoundError
        If there is none in the caller's scopes.
    """
    # the agent's own id first: it may look like a uid
    for known in (f"external:{name}", name):
        memory = await store.get(caller.readable, known)
        if memory is not None and memory.kind == "episode":
            return memory
    raise NotFoundError(UNKNOWN_EPISODE)
