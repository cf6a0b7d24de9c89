"""`/v1/export`: all stored data as a stream of JSON lines."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from importlib.metadata import version
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query
from pydantic import Field
from pydantic_core import to_json
from starlette.responses import StreamingResponse

from graph.kernel.errors import InvalidInputError, StratagraphError
from graph.kernel.scope import Reach, without_tenant
from graph.model.transfer.records import SCOPES, SECTIONS, Position, Record
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.use_cases.transfer.export import ExportPage, ExportStart
from stratagraph import wire
from stratagraph.operations.transfer import EXPORT

router = APIRouter()

NDJSON = "application/x-ndjson"
_KEY_LENGTHS = {"memberships": 2, "relationships": 2, "sessions": 2, "tasks": 2}


class ExportOptions(wire.Identity):
    """Owner of the memories, and which of them."""

    scope: Literal["tenant"] | None = Field(
        default=None, description="`tenant`: everything of the key's tenant; then name nobody."
    )
    vectors: bool = Field(default=False, description="With all vectors, to embed nothing again.")
    pages: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="End after so many pages, at a `position` to go on from."
    )
    after: Annotated[str, Field(max_length=8000)] | None = Field(
        default=None, description="Go on behind a `position` line of an earlier export."
    )


@serves(
    router,
    EXPORT,
    responses={200: {"content": {NDJSON: {}}, "description": "A line per node and edge"}},
    response_class=StreamingResponse,
)
async def export(
    tenant: Tenant, options: Annotated[ExportOptions, Query()], service: Bound
) -> StreamingResponse:
    reach = _reach(tenant, options)
    after = None if options.after is None else read_position(options.after)
    start = await service.export.begin(reach, vectors=options.vectors)
    pages = service.export(reach, vectors=options.vectors, after=after)
    first = await anext(pages)  # errors before the first line can still set the status
    head = [] if after else [_header(start)]
    lines = _lines(head, first, pages, options.pages)
    return StreamingResponse(lines, media_type=NDJSON)


def _reach(tenant: str, options: ExportOptions) -> Reach:
    if options.scope is None:
        return Reach(tenant, caller_of(tenant, options).readable)
    if options.agent_id or options.channel_ids or options.user_ids:
        raise InvalidInputError(
            "scope: the whole tenant is asked for, so name no agent, channels or users",
            field="scope",
        )
    return Reach(tenant)


async def _lines(
    head: list[bytes], first: ExportPage, pages: AsyncGenerator[ExportPage], limit: int | None
) -> AsyncIterator[bytes]:
    yield b"".join([*head, _page(first)])
    shown = 1
    try:
        while shown != limit and (page := await anext(pages, None)) is not None:
            yield _page(page)
            shown += 1
    except StratagraphError as error:
        yield _line({"type": "error", "detail": error.message})


def _page(page: ExportPage) -> bytes:
    lines = [_record(record) for record in page.records]
    if page.last:
        lines.append(_line({"type": "footer", "counts": page.position.counts}))
    else:
        lines.append(_line({"type": "position", "after": show_position(page.position)}))
    return b"".join(lines)


def _header(start: ExportStart) -> bytes:
    scopes = start.reach.scopes
    return _line(
        {
            "type": "header",
            "format": wire.FORMAT,
            "version": wire.FORMAT_VERSION,
            "release": version("stratagraph"),
            "exported_at": start.exported_at,
            "embedder": {"name": start.embedder.name, "dimension": start.embedder.dimension},
            "covers": "tenant" if scopes is None else [without_tenant(scope) for scope in scopes],
            "vectors": start.vectors,
            "memories": start.memories,
        }
    )


def _record(record: Record) -> bytes:
    values = dict(record.values)
    values |= {name: without_tenant(values[name]) for name in SCOPES if name in values}
    return _line({"type": record.type, **values})


def _line(values: Mapping[str, Any]) -> bytes:
    return to_json(values) + b"\n"


def show_position(position: Position) -> str:
    """Encode a position."""
    parts = [position.section, list(position.key), dict(position.counts)]
    packed = json.dumps(parts, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def read_position(shown: str) -> Position:
    """Decode a position.

    Raises
    ------
    InvalidInputError
        If no export wrote it.
    """
    try:
        padded = shown + "=" * (-len(shown) % 4)
        parts: object = json.loads(base64.b64decode(padded, b"-_", validate=True))
        return _checked(parts)
    except (binascii.Error, ValueError, RecursionError, TypeError, AttributeError):
        raise InvalidInputError(
            "after: is no position; send what a `position` line says", field="after"
        ) from None


def _checked(parts: object) -> Position:
    section, key, counts = cast("tuple[Any, Any, Any]", parts)
    if section not in SECTIONS or len(key) not in {0, _KEY_LENGTHS.get(section, 1)}:
        raise ValueError
    if not all(isinstance(part, str) and "\0" not in part for part in key):
        raise ValueError
    if not all(isinstance(count, int) for count in counts.values()):
        raise ValueError
    return Position(section, tuple(key), counts)
