"""A cycle whose service is killed in the middle of its phases, and comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from graph.database.driver import Connection
from service.bootstrap import Service
from stratagraph import Client, wire
from tests.conftest import Run
from tests.doors.operation.test_serve import PATIENCE_SECONDS, serving, until_ready
from tests.e2e.test_client import PATIENT
from tests.served import free_port

pytestmark = pytest.mark.slow

ROUNDS = 30
CALLERS = 4


def calls_of(client: Client) -> list[Callable[[], Any]]:
    """Return calls that go through phases, each with a name of its own."""
    call = wire.ToolCallRequest(tool="prices", status="success")
    calls: list[Callable[[], Any]] = []
    for number in range(ROUNDS):
        calls.append(lambda n=number: client.enter_phase("c", "planning", key=f"p{n}"))
        calls.append(
            lambda n=number: client.report_step(
                "c", step_id=f"s{n}", text=f"Fare {n} is in euros.", calls=[call]
            )
        )
    return calls


def test_a_cycle_goes_on_after_its_service_was_killed(
    tmp_path: Path, service: Service, connection: Connection, cypher: Run
) -> None:
    home = tmp_path / "home"
    settings = {
        "NEO4J_URI": connection.uri,
        "NEO4J_PASSWORD": connection.password,
        "STRATAGRAPH_PORT": free_port(),
    }
    with ThreadPoolExecutor(CALLERS) as pool, serving(home, **settings) as first:
        url = until_ready(home, first)
        with Client(url, agent_id="anna", retries=PATIENT) as client:
            client.open_cycle("Tell the fare to Milan", cycle_id="c")
            client.enter_phase("c", "observation", key="begin")
            asked = [pool.submit(call) for call in calls_of(client)]
            deadline = time.monotonic() + PATIENCE_SECONDS
            while sum(each.done() for each in asked) < ROUNDS // 2:
                assert time.monotonic() < deadline
                time.sleep(0.005)
            first.kill()
            first.wait()
            answered = [each.result() for each in asked if each.done() and not each.exception()]
            assert len(answered) < len(asked)
            with serving(home, **settings) as second:
                until_ready(home, second)
                for each in asked:
                    each.result(PATIENCE_SECONDS)
                story = client.get_cycle("c")
                again = [call() for call in calls_of(client)]
                assert client.get_cycle("c") == story
    assert not any(each.new for each in again)
    kept = {each.uid for each in (*story.visits, *story.steps)}
    assert {_uid(each) for each in answered} <= kept
    assert {_uid(each) for each in again} < kept
    assert sorted(each.position for each in (*story.visits, *story.steps)) == list(
        range(1, 2 * ROUNDS + 2)
    )
    noted = cypher("MATCH (:CycleStep)-[:WROTE]->(m:Memory) RETURN count(DISTINCT m) AS n")
    assert (
        noted
        == [{"n": ROUNDS}]
        == cypher("MATCH (m:Memory) WHERE m.text STARTS WITH 'Fare ' RETURN count(m) AS n")
    )


def _uid(answer: Any) -> str:
    return answer.visit if hasattr(answer, "visit") else answer.uid
