"""Browse memories: pages, counts, versions and neighbourhoods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.kernel.errors import required
from graph.kernel.scope import Caller, ScopeKind
from graph.model.memories.browsing import (
    VERSIONED,
    Count,
    EdgeType,
    Grouping,
    Neighbourhood,
    Page,
    PageOrder,
    PagePosition,
    PageQuery,
    Surroundings,
    Version,
)
from graph.model.memories.memory import Memory
from graph.model.recall.candidates import Filters
from graph.store.memories.browsing import MemoryBrowser
from graph.store.memories.store import MemoryStore
from service.use_cases.kernel import paging
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched
from service.use_cases.memories.single import UNKNOWN

# fields of versions by an early release, which had no revisions and left out all others
_EARLY = frozenset(
    # without them each of those versions would seem to change all other fields
    {"kind", "text", "content_type", "structured", "importance", "tags", "metadata"}
    | {"occurred_at", "valid_from", "valid_to"}
)


@dataclass(frozen=True, slots=True)
class ListMemories(TimedUseCase):
    """Read memories page by page, in the order in which they were recorded.

    Each memory that exists throughout is listed exactly once, whatever is stored or removed in between; an update moves a
    memory to the newest.

    Raises
    ------
    InvalidInputError
        If the cursor belongs to another question.
    """

    browser: MemoryBrowser

    @watched("list_memories")
    async def __call__(
        self,
        caller: Caller,
        filters: Filters,
        *,
        scope_kind: ScopeKind | None = None,
        order: PageOrder = "newest",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Memory]:
        """Return one page."""
        scopes = scopes_of(caller, scope_kind)
        question = ("memories", scopes, filters, order)
        after = paging.decode(cursor, question) if cursor else None
        # one more than the page holds says whether there is a next one
        query = PageQuery(scopes, filters, self.clock.now(), order, limit + 1, after)
        return paging.page_of(await self.browser.page(query), limit, question, _recorded)


@dataclass(frozen=True, slots=True)
class CountMemories(TimedUseCase):
    """Count memories, on request by kind, stratum, state, session or agent."""

    browser: MemoryBrowser

    @watched("count_memories")
    async def __call__(
        self,
        caller: Caller,
        filters: Filters,
        *,
        scope_kind: ScopeKind | None = None,
        by: Grouping | None = None,
    ) -> Count:
        """Return the count."""
        scopes = scopes_of(caller, scope_kind)
        return await self.browser.count(scopes, filters, self.clock.now(), by)


@dataclass(frozen=True, slots=True)
class ListVersions(UseCase):
    """Read the former versions of a memory, the newest first.

    Raises
    ------
    NotFoundError
        If the memory is not in the caller's scopes.
    InvalidInputError
        If the cursor belongs to another memory.
    """

    store: MemoryStore
    browser: MemoryBrowser

    @watched("list_versions")
    async def __call__(
        self, caller: Caller, name: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Version]:
        """Return one page; each version says what the next one changed."""
        memory = required(await self.store.get(caller.readable, name), UNKNOWN)
        question = ("versions", caller.readable, memory.uid)
        start = paging.decode(cursor, question) if cursor else None
        overlap = 0 if start is None else 1
        # from the second page on one version more: the first is compared with the one before it
        found = await self.browser.versions(caller.readable, memory.uid, limit + 1 + overlap, start)
        if start is None or not found or found[0].uid != start.uid:
            newer: Sequence[Memory | Version] = (memory, *found)
        else:
            newer, found = found, found[1:]
        told = [
            replace(version, changed=_changed(version, after))
            for version, after in zip(found, newer, strict=False)
        ]
        return paging.page_of(told, limit, question, _replaced)


@dataclass(frozen=True, slots=True)
class ShowNeighbourhood(UseCase):
    """Read what surrounds a memory, as nodes and edges to draw.

    What lies behind a term that more than ``mentioned`` memories mention is left out.

    Raises
    ------
    NotFoundError
        If the memory is not in the caller's scopes.
    """

    browser: MemoryBrowser
    mentioned: int

    @watched("show_neighbourhood")
    async def __call__(
        self, caller: Caller, name: str, *, types: Sequence[EdgeType], hops: int, limit: int
    ) -> Neighbourhood:
        """Return the drawing."""
        asked = Surroundings(caller.readable, name, tuple(types), hops, limit, self.mentioned)
        return required(await self.browser.neighbourhood(asked), UNKNOWN)


def scopes_of(caller: Caller, kind: ScopeKind | None) -> tuple[str, ...]:
    """Return all scopes the caller reads, or the one of a kind."""
    return caller.readable if kind is None else (caller.writable(kind),)


def _recorded(memory: Memory) -> PagePosition:
    return PagePosition(memory.recorded_at, memory.uid)


def _replaced(version: Version) -> PagePosition:
    return PagePosition(version.replaced_at, version.uid)


def _changed(version: Version, after: Memory | Version) -> tuple[str, ...]:
    # what it left out was not kept: nobody knows whether it changed
    names = VERSIONED if version.revision is not None else [n for n in VERSIONED if n in _EARLY]
    return tuple(name for name in names if getattr(version, name) != getattr(after, name))
