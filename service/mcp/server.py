"""The MCP server: lists the tools and answers their calls."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool

from graph.kernel.errors import InvalidInputError, StratagraphError
from graph.ports.telemetry import UNWATCHED
from service.faults import FaultyRequestError, read_as
from service.mcp.inputs import Who
from service.mcp.tool import Tool, input_schema
from service.mcp.tools import TOOLS
from service.mcp.toolsets import TOOLSETS
from stratagraph.call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams
    from starlette.requests import Request

    from graph.ports.telemetry import Telemetry
    from service.mcp.observing import ServedCalls

INSTRUCTIONS = """A memory that learns from outcomes which memories help.
Before a task, call memory_recall with a taskId of your choice; afterwards report how it went with
memory_report_outcome and that taskId. Store what is worth knowing with memory_remember."""

UNKNOWN_TOOL = "unknown"
_FORWARDED = ("authorization", "x-api-key", "traceparent", "tracestate")

_log = logging.getLogger(__name__)

Asks = Callable[[Call[Any], Mapping[str, str]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Caller:
    """Identity and key of a connection; a call may name another caller."""

    who: Who
    headers: Mapping[str, str]
    toolsets: frozenset[str] = frozenset()

    @classmethod
    def of(cls, request: Request | None, otherwise: Caller) -> Caller:
        """Read the caller from the HTTP request of the call, if there is one."""
        if request is None:
            return otherwise
        headers = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
        # one id in both logs
        request_id = getattr(request.state, "request_id", None)
        if request_id:
            headers["x-request-id"] = request_id
        said = request.headers.get("x-stratagraph-toolsets", "")
        return cls(_named(request.headers), headers, toolsets_of(_several(said)))


NOBODY = Caller(Who(), {})


def build_server(
    asks: Asks,
    caller: Caller = NOBODY,
    telemetry: Telemetry = UNWATCHED,
    served: ServedCalls | None = None,
) -> Server[dict[str, Any]]:
    """Build a server whose calls go to the HTTP API, for a caller that requests may name; ``served`` collects them."""

    async def list_tools(
        context: ServerRequestContext[Any, Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        asking = Caller.of(context.request, caller)
        opened = {"core", *asking.toolsets}
        named = asking.who.is_named
        listed = [_listed(tool, named=named) for tool in TOOLS.values() if tool.toolset in opened]
        return ListToolsResult(tools=listed)

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        tool = TOOLS.get(params.name)
        asking: list[Caller] = []
        began = time.perf_counter()
        result = await _answer(
            tool, params.arguments or {}, asks, lambda: Caller.of(context.request, caller), asking
        )
        # only calls of known tools and callers are observed
        if served is not None and tool is not None and asking:
            spent = 1000.0 * (time.perf_counter() - began)
            [by] = asking
            served.note(by.who, by.headers, tool.name, ok=not result.is_error, duration_ms=spent)
        telemetry.count(
            "mcp_calls",
            tool=tool.name if tool else UNKNOWN_TOOL,
            outcome="error" if result.is_error else "answered",
        )
        return result

    return Server(
        "stratagraph",
        title="Stratagraph",
        version=version("stratagraph"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answer(
    tool: Tool[Any] | None,
    arguments: Mapping[str, Any],
    asks: Asks,
    caller_of: Callable[[], Caller],
    asking: list[Caller],
) -> CallToolResult:
    """Answer a call; its caller is put into ``asking`` once it is known."""
    try:
        if tool is None:
            raise InvalidInputError(f"there is no such tool; there are {', '.join(TOOLS)}")
        caller = caller_of()
        given = _with_identity(read_as(tool.takes, dict(arguments), by_name=True), caller.who)
        asking.append(Caller(given, caller.headers))
        told = await asks(tool.call(given), caller.headers)
        answer = {name: value for name, value in told.items() if name not in tool.hides}
    except StratagraphError as error:
        # an answer, not a protocol error, as a model can act on it
        return _refusal(error)
    except Exception as error:  # noqa: BLE001 - the protocol would tell the caller what it holds
        _log.error("unforeseen error", exc_info=error, extra={"action": "fault"})
        return _error_result("something unforeseen went wrong; the service's log says more")
    text = TextContent(text=json.dumps(answer, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=answer)


def _with_identity(given: Who, connection: Who) -> Who:
    """Add the connection's identity to a call without a caller."""
    # the call's own identity has priority
    if not given.is_named:
        given = given.model_copy(update=connection.given())
    if given.must_be_named and not given.is_named:
        raise InvalidInputError(
            "agentId: say who asks: give agentId, channelIds or userIds, or open the connection "
            "for somebody (`stratagraph mcp --agent NAME`, the header X-Stratagraph-Agent)",
            field="agentId",
        )
    return given


def toolsets_of(names: Sequence[str]) -> frozenset[str]:
    """Validate names of toolsets; `all` is each of them.

    Raises
    ------
    InvalidInputError
        If there is no such toolset.
    """
    if unknown := sorted(set(names) - {*TOOLSETS, "all"}):
        raise InvalidInputError(
            f"toolsets: there is no {unknown[0][:64]!r}; there are {', '.join(TOOLSETS)} and all",
            field="toolsets",
        )
    return frozenset(TOOLSETS) if "all" in names else frozenset(names)


def _named(headers: Mapping[str, str]) -> Who:
    said = {
        "agent_id": unquote(headers.get("x-stratagraph-agent", "")),
        "channel_ids": _several(headers.get("x-stratagraph-channels", "")),
        "user_ids": _several(headers.get("x-stratagraph-users", "")),
    }
    return read_as(Who, {name: value for name, value in said.items() if value}, by_name=True)


def _several(value: str) -> list[str]:
    # split first: a name may contain a comma as %2C
    return [unquote(name) for name in (part.strip() for part in value.split(",")) if name]


def _refusal(error: StratagraphError) -> CallToolResult:
    return _error_result(
        faults_said(error) if isinstance(error, FaultyRequestError) else error.message
    )


def faults_said(error: FaultyRequestError) -> str:
    """Return the invalid fields, with reasons."""
    return "; ".join(f"{fault.field or 'input'}: {fault.message}" for fault in error.faults)


def _error_result(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _listed(tool: Tool[Any], *, named: bool) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool.takes, tool.shows, named=named),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.removes,
            idempotent_hint=tool.reads or tool.repeats,
            open_world_hint=False,
        ),
    )
