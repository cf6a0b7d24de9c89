"""`/v1/import`: JSON lines in, and concurrently JSON lines with their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from graph.kernel.errors import InvalidInputError, StratagraphError
from service.faults import MediaTypeError
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.transfer.export import NDJSON
from service.http.transfer.lines import JudgedLines, LineReader
from service.use_cases.transfer.importing import Landed, LineResult
from stratagraph import wire
from stratagraph.operations.transfer import IMPORT_LINES

router = APIRouter()

MAX_REPORTS = 1000
_MEDIA_TYPES = frozenset({NDJSON, "application/ndjson", "application/jsonl"})
_EXAMPLE = """{"agent_id": "planner", "text": "The build broke.", "external_id": "b-1"}
{"agent_id": "planner", "text": "A newer compiler mended it.", "kind": "insight"}
"""
_BODY = {
    "schema": {"type": "string", "description": "One JSON object per line."},
    "examples": {"rows": {"summary": "Rows by hand", "value": _EXAMPLE}},
}
AgentMap = Annotated[str, Field(pattern=r"^[^=]+=[^=]+$", max_length=513)]


class ImportOptions(wire.Identity):
    """Owner of lines that name nobody, and how lines are read."""

    agent_map: Annotated[tuple[AgentMap, ...], Field(max_length=100)] = Field(
        default=(), description="`old=new`: what was one agent's becomes another's."
    )
    first_line: Annotated[int, Field(ge=1, lt=2**53)] = Field(
        default=1, description="The number of the first line, in a part of a file."
    )
    dry_run: bool = Field(default=False, description="Check every line and write nothing.")


class DuplexResponse(StreamingResponse):
    """Answers while the request still arrives.

    Starlette's own response would read the request to detect a disconnect, and lose its lines.
    """

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await self.stream_response(send)


@serves(
    router,
    IMPORT_LINES,
    responses={200: {"content": {NDJSON: {}}, "description": "Reports, progress, and a summary"}},
    body={"required": True, "content": {NDJSON: _BODY}},
    response_class=DuplexResponse,
)
async def import_lines(
    request: Request, tenant: Tenant, options: Annotated[ImportOptions, Query()], service: Bound
) -> DuplexResponse:
    check_media_type(request)
    reader = LineReader(tenant, options, _agents(options), options.first_line)
    entries = reader.entries(body_of(request))
    landings = service.import_lines(tenant, entries, dry_run=options.dry_run)
    answer = answer_lines(landings, reader, options.first_line, options.dry_run)
    first = await anext(answer)  # errors before the first write can still set the status
    return DuplexResponse(first_and_rest(first, answer), media_type=NDJSON)


def check_media_type(request: Request) -> None:
    media_type, _, parameters = request.headers.get("content-type", "").lower().partition(";")
    charset = parameters.strip().removeprefix("charset=").strip('"')
    if media_type.strip() not in _MEDIA_TYPES or charset not in {"", "utf-8", "utf8"}:
        raise MediaTypeError(f"send JSON lines, with the header `Content-Type: {NDJSON}`")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise MediaTypeError("the lines must not be compressed")


def _agents(options: ImportOptions) -> dict[str, str]:
    pairs = dict(pair.split("=", 1) for pair in options.agent_map)
    if len(pairs) != len(options.agent_map):
        raise InvalidInputError("agent_map: an agent is renamed twice", field="agent_map")
    return pairs


async def body_of(request: Request) -> AsyncIterator[bytes]:
    first = True
    async for chunk in request.stream():
        if chunk:
            yield chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
            first = False


async def first_and_rest(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in rest:
        yield part


async def answer_lines(
    landings: AsyncGenerator[Landed], reader: JudgedLines, first_line: int, dry_run: bool
) -> AsyncGenerator[bytes]:
    """Stream the results of lines, and finally a summary."""
    tally = _Tally()
    settled = first_line - 1
    begun = False
    try:
        async for landed in landings:
            settled, begun = landed.line, True
            yield tally.progress(landed)
    except ClientDisconnect:
        yield _line(wire.ImportBroken(line=settled, detail="the lines stopped in the middle"))
        return
    except StratagraphError as error:
        if not begun:
            raise
        yield _line(wire.ImportBroken(line=settled, detail=error.message))
        return
    yield tally.summary(reader, dry_run=dry_run)


class _Tally:
    """Counts results of lines, and reports failures."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._types: dict[str, Counter[str]] = {}
        self._embedded = 0
        self._redacted = Counter[str]()
        self._reports = 0

    def progress(self, landed: Landed) -> bytes:
        """Count a batch; return its reports and the position of the import."""
        self._embedded += landed.embedded
        lines = [line for result in landed.results for line in self._note(result)]
        counts = wire.ImportCounts(**self._counts)
        return b"".join([*lines, _line(wire.ImportProgress(line=landed.line, counts=counts))])

    def summary(self, reader: JudgedLines, *, dry_run: bool) -> bytes:
        """Return the last line."""
        return _line(
            wire.ImportSummary(
                line=reader.last_line,
                counts=wire.ImportCounts(**self._counts),
                types={name: wire.ImportCounts(**self._types[name]) for name in self._types},
                embedded=self._embedded,
                redacted=dict(self._redacted),
                unreported=max(self._reports - MAX_REPORTS, 0),
                complete=reader.complete,
                dry_run=dry_run,
            )
        )

    def _note(self, result: LineResult) -> list[bytes]:
        status = "unchanged" if result.saved.status == "duplicate" else result.saved.status
        faults = [(fault.field, fault.message, fault.skipped) for fault in result.faults]
        if faults and all(fault.skipped for fault in result.faults) and status == "rejected":
            status = "skipped"
        if result.saved.error is not None:
            name = result.saved.field
            faults.append((name, result.saved.error.removeprefix(f"{name}: "), False))
        self._counts[status] += 1
        self._redacted.update(result.saved.redacted)
        self._types.setdefault(result.kind, Counter())[status] += 1
        return [
            _line(
                wire.LineReport(
                    type="skipped" if skipped else "rejected",
                    line=result.line,
                    field=name,
                    message=message,
                )
            )
            for name, message, skipped in faults
            if self._may_report()
        ]

    def _may_report(self) -> bool:
        self._reports += 1
        return self._reports <= MAX_REPORTS


def _line(answer: wire.Answer) -> bytes:
    return answer.model_dump_json(exclude_none=True).encode() + b"\n"
