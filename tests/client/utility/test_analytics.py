"""Utility at large, by both clients and by the command."""

from __future__ import annotations

import asyncio

import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from stratagraph import AsyncClient, Client, InvalidRequestError, wire
from stratagraph.cli.analytics import show
from tests.conftest import Recalls, Remembers, Run
from tests.doors.operation.test_command_line import invoke


async def taught(service: Service, remember: Remembers, recall: Recalls) -> str:
    anna = Caller("local", "anna")
    uid = await remember(anna, "ship on monday", kind="strategy")
    await remember(anna, "the office is on floor 2")
    await recall(anna, "ship", k=1, task_id="t")
    await service.report_outcome(anna, "t", "success")
    return uid


async def test_both_clients_ask(
    service: Service,
    anna: AsyncClient,
    sync: Client,
    remember: Remembers,
    recall: Recalls,
) -> None:
    uid = await taught(service, remember, recall)
    view = await anna.utility_analytics(top_n=3, by="kind", include_history=True)
    assert [best.uid for best in view.top] == [uid]
    assert view.top[0].history is not None
    assert await asyncio.to_thread(sync.utility_analytics) == await anna.utility_analytics()
    assert (await anna.utility_analytics(agent_id="bert")).distribution.memories == 0
    with pytest.raises(InvalidRequestError, match="top_n"):
        await anna.utility_analytics(top_n=1000)


async def test_the_command(
    service: Service,
    url: str,
    remember: Remembers,
    recall: Recalls,
    cypher: Run,
) -> None:
    await taught(service, remember, recall)
    cypher("MATCH (m:Memory) WHERE m.q_count = 1 SET m.q_value = 0.9")
    asked = ("analytics", "--agent", "anna", "--by", "kind", "--url", url)
    told = (await asyncio.to_thread(invoke, *asked)).stdout
    assert "2 memories, 1 learned" in told
    assert "0.900 ±" in told
    assert "ship on monday" in told
    assert "strategy" in told
    raw = await asyncio.to_thread(invoke, *asked, "--json")
    view = wire.UtilityAnalyticsView.model_validate_json(raw.stdout)
    assert view.top[0].q_value == 0.9
    empty = await asyncio.to_thread(invoke, "analytics", "--agent", "bert", "--url", url)
    assert empty.stdout.strip() == "Nothing is remembered here."
    assert show(view).count("█") >= 2
