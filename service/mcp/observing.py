"""Tool calls answered by the server, reported as executions with names, durations and outcomes only.

Consecutive calls of one caller within a minute are one execution. Arguments and results are not stored.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graph.kernel.errors import StratagraphError
from service.mcp.inputs import Who
from service.mcp.tool import request_of
from stratagraph.call import Call
from stratagraph.operations.knowledge import OBSERVE_EXECUTION

SILENCE_SECONDS = 60.0
MOST_CALLS = 100
CONTEXT = "mcp"
_IDENTITY = frozenset({"agent_id", "channel_ids", "user_ids"})
_log = logging.getLogger(__name__)
Asks = Callable[[Call[Any], Mapping[str, str]], Awaitable[Mapping[str, Any]]]


@dataclass(slots=True)
class _Calls:
    """Calls of one caller that are not reported yet."""

    who: Who
    headers: Mapping[str, str]
    task_id: str = field(default_factory=lambda: f"mcp:{uuid.uuid4()}")
    steps: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    end: asyncio.TimerHandle | None = None


class ServedCalls:
    """Collects answered calls, and reports them by the HTTP API."""

    def __init__(self, asks: Asks, *, silence: float = SILENCE_SECONDS) -> None:
        self._asks = asks
        self._silence = silence
        self._open: dict[tuple[str, str], _Calls] = {}
        self._reporting: set[asyncio.Task[None]] = set()

    def note(
        self, who: Who, headers: Mapping[str, str], tool: str, *, ok: bool, duration_ms: float
    ) -> None:
        """Record one call, unless it has no caller, or reports an execution itself."""
        if not who.is_named or tool == OBSERVE_EXECUTION.name:
            return
        # by key too: two tenants may name an agent alike
        key = (repr(sorted(_identity(who).items())), repr(sorted(_keys(headers).items())))
        calls = self._open.get(key)
        if calls is None:
            calls = self._open[key] = _Calls(who, headers)
        step: dict[str, Any] = {"tool": tool, "duration_ms": round(duration_ms, 3)}
        calls.steps.append(step if ok else step | {"status": "failed", "error": "refused"})
        if calls.end is not None:
            calls.end.cancel()
        # limited: an agent that never pauses is reported all the same
        if len(calls.steps) >= MOST_CALLS:
            self._end(key)
        else:
            loop = asyncio.get_running_loop()
            calls.end = loop.call_later(self._silence, self._end, key)

    async def close(self) -> None:
        """Report the open executions."""
        for key in list(self._open):
            self._end(key)
        await asyncio.gather(*self._reporting)

    def _end(self, key: tuple[str, str]) -> None:
        calls = self._open.pop(key, None)
        if calls is None:
            return
        if calls.end is not None:
            calls.end.cancel()
        task = asyncio.get_running_loop().create_task(self._report(calls))
        # referenced: the event loop holds tasks weakly
        self._reporting.add(task)
        task.add_done_callback(self._reporting.discard)

    async def _report(self, calls: _Calls) -> None:
        said = {
            "task_id": calls.task_id,
            # by the last call: an earlier failure may have been corrected
            "status": "failure" if calls.steps[-1].get("status") else "success",
            "context": CONTEXT,
            "steps": calls.steps,
        }
        report = request_of(OBSERVE_EXECUTION, _identity(calls.who) | said)
        try:
            await self._asks(report, _keys(calls.headers))
        except StratagraphError as error:
            # Nobody waits for it; what the caller asked for was done.
            _log.warning("served calls were not observed", extra={"action": "mcp_unobserved", "reason": error.message})  # fmt: skip


def _identity(who: Who) -> dict[str, Any]:
    return {name: value for name, value in who.given().items() if name in _IDENTITY}


def _keys(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: headers[name] for name in ("authorization", "x-api-key") if name in headers}
