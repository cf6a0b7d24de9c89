"""`AsyncClient`: the client of a Stratagraph service, with ``await``. `client.py` is generated from this file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import httpx

from stratagraph.async_methods import AsyncMethods
from stratagraph.call import Call, Plan, following, stated
from stratagraph.connected import request_arguments
from stratagraph.episode_lines import EpisodeExporting
from stratagraph.exchange import Came, Send, Step
from stratagraph.listening import Listening
from stratagraph.operations.episodes import CLEAR_EPISODES
from stratagraph.operations.erasure import CHECK_GRAPH, REPAIR_GRAPH
from stratagraph.operations.memories import LIST_MEMORIES, LIST_VERSIONS
from stratagraph.rows import add_episode, add_episodes, amend, remember_all
from stratagraph.transfer import Exporting, Importing, ImportPart, Line

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Unpack

    from stratagraph import fields, wire
    from stratagraph.operations.declaration import Operation
    from stratagraph.rows import Episode

A = TypeVar("A")
T = TypeVar("T")
P = TypeVar("P", "wire.MemoryPage", "wire.VersionPage")


class AsyncClient(AsyncMethods):
    """Asynchronous client of a Stratagraph service.

    ``url`` and ``api_key``: address and key; else STRATAGRAPH_URL and STRATAGRAPH_API_KEY, else
    ``http://127.0.0.1:8400`` without a key. ``agent_id``, ``channel_ids``, ``user_ids``: the client's identity; each
    call can name others. ``timeout``: seconds for one attempt. ``retries``: number of repeats, or `Retries`; 0 for
    none. ``verify``: False, or a file or folder of certificate authorities instead of the machine's. ``cert``: the
    client's certificate, and optionally its key. ``proxy``: its address. ``sleep`` waits between attempts.

    Every call raises a `StratagraphError`; docs/client.md says which.
    """

    async def send(self, call: Call[A]) -> A:
        """Send a request that has no method, and return its answer."""
        talk = self._exchange(call)
        came: Came = None
        while True:
            try:
                step: Step = talk.send(came)
            except StopIteration as done:
                return done.value
            came = await self._do(step)

    async def call(self, operation: Operation[A], given: Mapping[str, Any]) -> A:
        """Call an operation, with its fields by name."""
        return await self.send(operation.call(self._caller, given))

    async def close(self) -> None:
        """Close the connections, also those of clients made by `as_agent`."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def remember_all(
        self,
        rows: Iterable[str | fields.RowFields | wire.MemoryRequest],
        *,
        atomic: bool = False,
        **identity: Unpack[fields.IdentityFields],
    ) -> wire.BatchAnswer:
        """Remember many, in as many requests as needed; faulty rows are reported, the others are stored.

        With ``atomic`` it is all or nothing, and at most 1,000 rows.
        """
        return await self._run(remember_all(self._caller, rows, identity, atomic=atomic))

    async def add_episode(
        self, episode: Episode, **where: Unpack[fields.EpisodeWhere]
    ) -> wire.AddEpisodeAnswer:
        """Add one attempt at a problem, with its problem and strategy; a repeated one is stored once."""
        return await self.send(add_episode(self._caller, episode, where))

    async def add_episodes(
        self, episodes: Iterable[Episode], **where: Unpack[fields.EpisodeWhere]
    ) -> wire.AddEpisodesAnswer:
        """Add many, in as many requests as needed; faulty ones are reported, the others are stored."""
        return await self._run(add_episodes(self._caller, episodes, where))

    async def check_graph(
        self, cursor: str | None = None, *, repair: bool = False
    ) -> wire.CheckAnswer:
        """Check a part of the graph, or repair it; with the operator's key."""
        return await self.call(REPAIR_GRAPH if repair else CHECK_GRAPH, {"cursor": cursor})

    async def size(self, **scope: Unpack[fields.EpisodeScope]) -> int:
        """Count the episodes of one scope."""
        return (await self.count_episodes(**scope)).episodes

    async def clear(
        self, *, dry_run: bool = False, **asked: Unpack[fields.ClearFields]
    ) -> wire.ClearEpisodesAnswer:
        """Remove the episodes of one scope, and problems and strategies without others; or only plan it."""
        return await self.call(CLEAR_EPISODES, {"dry_run": dry_run, **asked})

    async def export_episodes(self, **where: Unpack[fields.EpisodeWhere]) -> AsyncIterator[bytes]:
        """Export the episodes of one scope as lines of JSON, the earliest first.

        ``run``: only those of one run, or with an empty name of none. Yields complete lines, a thousand at a time.
        """
        walk = EpisodeExporting(self._caller, where)
        while (call := walk.call()) is not None:
            if lines := walk.take(await self.send(call)):
                yield lines

    async def import_episodes(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        dry_run: bool = False,
        **where: Unpack[fields.EpisodeWhere],
    ) -> AsyncIterator[ImportPart]:
        """Import lines that are episodes; repeated ones change nothing.

        Yields the result of each part, up to 1,000 lines; a faulty line is reported by its number.
        """
        walk = Importing(
            self._caller,
            lines,
            where,
            first_line=first_line,
            agent_map={},
            dry_run=dry_run,
            path="/v1/episodes/import",
            more=stated({"run": where.get("run"), "scope_kind": where.get("scope_kind")}),
        )
        while (call := walk.call()) is not None:
            if part := walk.take(await self.send(call)):
                yield part

    async def export(
        self,
        *,
        scope: Literal["tenant"] | None = None,
        vectors: bool = False,
        after: str | None = None,
        **identity: Unpack[fields.IdentityFields],
    ) -> AsyncIterator[bytes]:
        """Export the scopes of the client, or the key's whole tenant, as JSON lines.

        Yields complete lines, some hundreds at a time. ``vectors``: include vectors. ``after``: continue after a
        position line. Interrupted requests are repeated.
        """
        walk = Exporting(self._caller, scope, identity, vectors=vectors, after=after)
        while (call := walk.call()) is not None:
            if lines := walk.take(await self.send(call)):
                yield lines

    async def import_lines(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        agent_map: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **identity: Unpack[fields.IdentityFields],
    ) -> AsyncIterator[ImportPart]:
        """Import lines of an export, or hand-written rows; repeated ones change nothing.

        Yields the result of each part, up to 1,000 lines. ``first_line``: the number of the first, in a part of a file.
        ``agent_map``: renames agents.
        """
        walk = Importing(
            self._caller,
            lines,
            identity,
            first_line=first_line,
            agent_map=agent_map or {},
            dry_run=dry_run,
        )
        while (call := walk.call()) is not None:
            if part := walk.take(await self.send(call)):
                yield part

    async def patch(
        self,
        name: str,
        changes: fields.PatchFields,
        *,
        if_match: wire.MemoryView | str | None = None,
        **identity: Unpack[fields.IdentityFields],
    ) -> wire.AmendedView:
        """Change a memory: fields left out are kept, None restores the default.

        With ``if_match``, a memory as it was read (or its entity tag), only an unchanged memory is changed; else
        `PreconditionFailedError`.
        """
        return await self.send(amend(self._caller, name, changes, if_match, identity))

    async def iterate(self, **asked: Unpack[fields.ListFields]) -> AsyncIterator[wire.MemoryView]:
        """Iterate over all memories, page by page; ``limit`` is the size of a page."""
        async for page in self._pages(LIST_MEMORIES.call(self._caller, asked)):
            for item in page.items:
                yield item

    async def iterate_versions(
        self, name: str, **asked: Unpack[fields.VersionsFields]
    ) -> AsyncIterator[wire.VersionView]:
        """Iterate over all versions of a memory, page by page."""
        async for page in self._pages(LIST_VERSIONS.call(self._caller, {"name": name, **asked})):
            for item in page.items:
                yield item

    async def events(
        self,
        *,
        names: Sequence[wire.EventName] = (),
        agent: str | None = None,
        after: int | None = None,
        **identity: Unpack[fields.IdentityFields],
    ) -> AsyncIterator[wire.EventView | wire.GapView]:
        """Listen to events, until you stop or it fails for good.

        ``names`` and ``agent`` filter; ``after`` continues after an event's ``id`` (0: all stored events), else it
        starts now. An interrupted stream is resumed; events that expired meanwhile are reported as one called
        ``stream:gap``.
        """
        heard = Listening(self._caller, names, agent, after, identity, self._retries)
        while True:
            came: Came = None
            try:
                async with self._http.stream(**request_arguments(heard.request())) as answer:
                    if answer.is_success:
                        async for line in answer.aiter_lines():
                            if (event := heard.take(line)) is not None:
                                yield event
                    else:
                        await answer.aread()
                        came = answer
            except httpx.HTTPError as error:
                came = error
            pause = heard.pause(came, self.url)
            await (self._sleep or asyncio.sleep)(pause)

    async def _pages(self, first: Call[P]) -> AsyncIterator[P]:
        call: Call[P] | None = first
        while call is not None:
            page = await self.send(call)
            yield page
            call = following(call, page.next_cursor)

    def _open(self, options: dict[str, Any]) -> httpx.AsyncClient:
        return httpx.AsyncClient(**options)

    async def _run(self, plan: Plan[T]) -> T:
        answer: Any = None
        while True:
            try:
                call = plan.send(answer)
            except StopIteration as done:
                return done.value
            answer = await self.send(call)

    async def _do(self, step: Step) -> Came:
        if not isinstance(step, Send):
            await (self._sleep or asyncio.sleep)(step.seconds)
            return None
        try:
            return await self._http.request(**request_arguments(step))
        except httpx.HTTPError as error:
            return error
