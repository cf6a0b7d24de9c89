"""Erasing by the clients, on the command line and by a tool."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from service.bootstrap import Service
from service.cli import app
from service.mcp.inputs import DeleteInput
from service.mcp.tools import TOOLS
from stratagraph import AsyncClient, Client, errors
from tests.conftest import Run
from tests.swapping import swapped

RUNNER = CliRunner()


@pytest_asyncio.fixture(loop_scope="session")
async def service(service: Service) -> Service:
    """A service that erases to the end, however slow the machine is."""
    erase = replace(service.erase, most=timedelta(minutes=5))
    deleting = replace(service.delete_memory, erase=erase)
    return swapped(service, erase=erase, delete_memory=deleting)


async def test_both_clients_erase(anna: AsyncClient, sync: Client, cypher: Run) -> None:
    await anna.remember("first", session_id="s", external_id="a")
    await anna.remember("second", session_id="s")
    await anna.remember("third", user_ids=["ursula"])
    receipt = await anna.erase_memory("external:a")
    assert (receipt.kind, receipt.counts) == ("memory", {"Memory": 1})
    assert await anna.erasure(receipt.erasure) == receipt
    assert (await anna.erase_session("s")).counts == {"Memory": 1, "Session": 1}
    with pytest.raises(errors.NotFoundError):
        await anna.erase_session("s")
    await anna.erase_user("ursula")
    assert cypher("MATCH (m:Memory) RETURN m") == []
    await anna.remember("fourth")

    def in_a_thread() -> None:
        receipt = sync.erase_agent("anna")
        assert (receipt.state, sync.erasure(receipt.erasure).hidden) == ("done", 1)

    await asyncio.to_thread(in_a_thread)
    assert cypher("MATCH (s:Scope) RETURN s") == []


async def test_the_command_line_asks_before_it_erases(
    anna: AsyncClient, url: str, cypher: Run
) -> None:
    await anna.remember("first", session_id="s", external_id="a")
    await anna.remember("second", session_id="s")

    async def said(*words: str, answer: str = "") -> str:
        result = await asyncio.to_thread(
            RUNNER.invoke, app, ["erase", *words, "--url", url], input=answer
        )
        assert result.exit_code == (1 if answer == "n\n" else 0), result.output
        return result.output

    assert "Aborted" in await said("agent", "anna", answer="n\n")
    assert len(cypher("MATCH (m:Memory) RETURN m")) == 2
    await said("memory", "external:a", "--agent", "anna", answer="y\n")
    told = await said("session", "s", "--agent", "anna", "--yes")
    assert "session erased; receipt" in told
    assert "1  Memory" in told
    await anna.remember("third")
    told = await said("agent", "anna", "--yes", "--json")
    assert '"state":"done"' in told
    [run] = cypher("MATCH (r:Run {of: 'agent'}) RETURN r.uid AS uid")
    assert "agent erased" in await said("show", run["uid"])


@pytest.mark.parametrize(
    ("given", "path", "query"),
    [
        ({"name": "external:a/b"}, "/v1/memories/external%3Aa%2Fb", {"agent_id": "p", "receipt": True}),
        ({"name": "s", "kind": "session"}, "/v1/sessions/s", {"agent_id": "p"}),
        ({"name": "q r", "kind": "agent"}, "/v1/agents/q%20r", {}),
        ({"name": "u", "kind": "user"}, "/v1/users/u", {}),
    ],
)  # fmt: skip
def test_the_tool_asks_the_route_of_what_it_erases(
    given: dict[str, str], path: str, query: dict[str, object]
) -> None:
    asked = TOOLS["agent_memory_delete"].call(DeleteInput.model_validate({"agentId": "p", **given}))
    sent = {name: value for name, value in asked.query.items() if value != ()}
    assert (asked.method, asked.path, sent, asked.body) == ("DELETE", path, query, None)
