"""`/v1/episodes/export` and `import`: episodes as JSON lines in the format of their source document."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field
from pydantic_core import to_json
from starlette.responses import StreamingResponse

from graph.kernel.scope import Caller
from graph.model.episodes.episode import record_of
from graph.model.memories.memory import Memory
from graph.model.transfer.records import Entry
from service.faults import read_as
from service.http.episodes.routes import in_episode, new_episode
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.transfer.export import NDJSON
from service.http.transfer.importing import (
    DuplexResponse,
    answer_lines,
    body_of,
    check_media_type,
    first_and_rest,
)
from service.http.transfer.lines import JudgedLines
from service.use_cases.transfer.importing import Landed, LineResult
from stratagraph import wire
from stratagraph.operations.episodes import EXPORT_EPISODES, IMPORT_EPISODES

router = APIRouter()

_BODY = {
    "schema": {"type": "string", "description": "One episode per line."},
    "examples": {
        "run": {"summary": "A run", "value": to_json(wire.RECORD_EXAMPLE).decode() + "\n"}
    },
}


class EpisodeExportOptions(wire.EpisodeScopeRequest):
    """Filter for episodes."""

    run: Annotated[str, Field(max_length=256)] | None = Field(
        default=None, description="Only those of this run; empty: those of none."
    )
    after: wire.Name | None = Field(
        default=None, description="Only those behind this `episode_id`, to go on from there."
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="At most so many; unset: all."
    )


class EpisodeImportOptions(wire.EpisodeScopeRequest):
    """Owner of the episodes, and the number of the first line."""

    run: wire.Name | None = Field(default=None, description="The run they are of.")
    first_line: Annotated[int, Field(ge=1, lt=2**53)] = Field(
        default=1, description="The number of the first line, in a part of a file."
    )
    dry_run: bool = Field(default=False, description="Check every line and write nothing.")


@serves(
    router,
    EXPORT_EPISODES,
    responses={
        200: {"content": {NDJSON: {}}, "description": "An episode per line, the earliest first"}
    },
    response_class=StreamingResponse,
)
async def export_episodes(
    tenant: Tenant, options: Annotated[EpisodeExportOptions, Query()], service: Bound
) -> StreamingResponse:
    caller = caller_of(tenant, options)
    after = None
    if options.after is not None:
        last, _ = await service.get_episode(caller, options.after)
        after = (last.occurred_at, last.uid)
    pages = service.export_episodes(caller, options.scope_kind, options.run, after)
    first = await anext(pages, None)  # errors before the first line can still set the status
    return StreamingResponse(_lines(first, pages, options.limit), media_type=NDJSON)


@serves(
    router,
    IMPORT_EPISODES,
    responses={200: {"content": {NDJSON: {}}, "description": "Reports, progress, and a summary"}},
    body={"required": True, "content": {NDJSON: _BODY}},
    response_class=DuplexResponse,
)
async def import_episodes(
    request: Request,
    tenant: Tenant,
    options: Annotated[EpisodeImportOptions, Query()],
    service: Bound,
) -> DuplexResponse:
    check_media_type(request)
    reader = EpisodeLines(caller_of(tenant, options), options)
    landings = service.import_lines(
        tenant, reader.entries(body_of(request)), dry_run=options.dry_run
    )
    answer = answer_lines(_in_episodes(landings), reader, options.first_line, options.dry_run)
    first = await anext(answer)
    return DuplexResponse(first_and_rest(first, answer), media_type=NDJSON)


class EpisodeLines(JudgedLines):
    """Reads lines as episodes of one caller, each validated separately."""

    def __init__(self, caller: Caller, options: EpisodeImportOptions) -> None:
        super().__init__(options.first_line)
        self._caller = caller
        self._where = wire.EpisodeFields(scope_kind=options.scope_kind, run=options.run)
        caller.writable(options.scope_kind)  # a missing owner can still set the status

    def _read(self, value: object, size: int) -> Entry:
        episode = new_episode(self._caller, self._where, read_as(wire.EpisodeRecord, value))
        return Entry(self.last_line, size, episode)


async def _in_episodes(landings: AsyncGenerator[Landed]) -> AsyncGenerator[Landed]:
    async for landed in landings:
        results = tuple(
            LineResult(each.line, "episode", in_episode(each.saved), each.faults)
            for each in landed.results
        )
        yield Landed(landed.line, results, landed.embedded)


async def _lines(
    first: Sequence[Memory] | None, pages: AsyncGenerator[Sequence[Memory]], limit: int | None
) -> AsyncIterator[bytes]:
    left = limit
    page = first
    while page:
        shown = page if left is None else page[:left]
        yield b"".join(to_json(record_of(memory)) + b"\n" for memory in shown)
        left = None if left is None else left - len(shown)
        if left == 0:
            return
        page = await anext(pages, None)
