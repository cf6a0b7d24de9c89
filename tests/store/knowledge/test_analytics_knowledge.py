"""Analytics of knowledge, as Neo4j Browser runs them."""

from __future__ import annotations

import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.knowing import ran, shipped, step
from tests.store.operation.test_analytics import Analyst

ANNA = Caller("local", "anna")


async def test_what_executions_taught_is_asked_in_browser(service: Service, cypher: Run) -> None:
    analyst = Analyst(cypher)
    await service.observe_executions(
        ANNA, [shipped("a"), shipped("b", "BER"), ran("c", step("list_facilities"))], None
    )
    [taught] = analyst.ask("knowledge_success")
    assert (taught["scope"], taught["executions"]) == ("local/agent/anna", 3)
    assert taught["error_rate"] == pytest.approx(2 / 7)
    tools = {row["tool"]: row for row in analyst.ask("knowledge_tools")}
    assert (tools["create_shipment"]["calls"], tools["create_shipment"]["errors"]) == (4, 2)
    assert tools["list_facilities"]["error"] is None
    assert analyst.ask("knowledge_tools", scope="agent/bert") == []
