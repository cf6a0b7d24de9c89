"""Room in a stratum: what no longer fits leaves at once, what is due first, and can come back."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
import pytest_asyncio

from graph.model import NewMemory, Stratum
from graph.scope import Caller
from graph.store.strata import Neo4jStrata
from service.bootstrap import Service
from service.metrics import Metrics
from tests.conftest import Run

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
HELD = """MATCH (m:Memory {state: 'active'}) RETURN m.stratum AS stratum, count(m) AS held"""


def held(cypher: Run) -> dict[str, int]:
    return {row["stratum"]: row["held"] for row in cypher(HELD)}


@pytest_asyncio.fixture(loop_scope="session")
async def full(service: Service) -> AsyncGenerator[None]:
    await service.change_strata_config(ANNA, {"working_capacity": 5})
    yield
    await service.change_strata_config.reset(ANNA)


class Broken(Neo4jStrata):
    """Strata that cannot be counted."""

    async def count(self, scope: str, stratum: Stratum) -> int:
        raise RuntimeError("cannot count")


@pytest.mark.usefixtures("full")
async def test_what_was_written_is_answered_even_where_no_room_can_be_made(
    service: Service, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    broken = Broken(service.database, service.configs)
    room = replace(service.remember.make_room, store=broken, telemetry=metrics)
    remember = replace(service.remember, make_room=room)
    with caplog.at_level(logging.ERROR, "stratagraph"):
        [saved] = await remember([NewMemory(HOME, "a note", stratum="working")])
    assert saved.status == "created"
    assert held(cypher) == {"working": 1}
    assert [record.message for record in caplog.records] == ["no room could be made"]
    assert "stratagraph_room_failures_total 1.0" in metrics.exposition().decode()
