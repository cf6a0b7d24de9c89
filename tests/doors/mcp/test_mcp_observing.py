"""Tool calls served over MCP, reported as executions where that is turned on: names and durations, no texts."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from mcp import Client

from service.bootstrap import Service
from service.mcp.asking import Asking
from service.mcp.observing import ServedCalls
from service.mcp.server import build_server
from service.settings import Settings
from tests.conftest import Run, shared_app
from tests.doors.tools import call, refused


def test_it_is_turned_on_by_a_setting() -> None:
    assert Settings().mcp_observe is False


async def test_served_calls_become_one_execution_without_what_was_said(
    service: Service, cypher: Run
) -> None:
    transport = httpx.ASGITransport(app=shared_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:

        async def reach() -> httpx.AsyncClient:
            return http

        asks = Asking(reach)
        served = ServedCalls(asks)
        async with Client(build_server(asks, served=served)) as client:
            await call(client, "memory_remember", text="a secret of mine", agentId="anna")
            await call(client, "memory_recall", text="a secret of mine", k=3, agentId="anna")
            await refused(client, "memory_recall", text="a secret of mine", k=10**6, agentId="anna")
            await refused(
                client, "memory_report_outcome", taskId="no such", status="success", agentId="anna"
            )
            await call(client, "observe_execution", taskId="t", status="success", agentId="anna")
            await refused(client, "memory_recall", text="of nobody")
        assert executions(cypher) == [{"task": "t", "tools": []}]
        await served.close()
    [_, found] = executions(cypher)
    assert found["task"].startswith("mcp:")
    assert found["tools"] == ["memory_remember", "memory_recall", "memory_report_outcome"]
    kept = cypher(
        "MATCH (n:Execution) WHERE n.task_id <> 't' RETURN n.steps AS steps, n.context AS context"
    )
    assert kept[0]["context"] == "mcp"
    assert "secret" not in str(kept)
    assert '"error":"refused"' in kept[0]["steps"]


async def test_a_silence_ends_an_execution(service: Service, cypher: Run) -> None:
    transport = httpx.ASGITransport(app=shared_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:

        async def reach() -> httpx.AsyncClient:
            return http

        served = ServedCalls(Asking(reach), silence=0.01)
        async with Client(build_server(Asking(reach), served=served)) as client:
            for known in (1, 2):
                await call(client, "memory_recall", text="x", agentId="anna")
                for _ in range(200):
                    await asyncio.sleep(0.05)
                    if len(await asyncio.to_thread(executions, cypher)) == known:
                        break
    assert [each["tools"] for each in executions(cypher)] == [["memory_recall"]] * 2


def executions(cypher: Run) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (n:Execution) RETURN n.task_id AS task, n.tools AS tools ORDER BY task DESC"
    )
