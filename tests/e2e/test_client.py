"""A client whose service is killed in the middle of its work, and comes back."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graph.database.driver import Connection
from service.bootstrap import Service
from stratagraph import Client, Retries
from tests.conftest import Run
from tests.doors.operation.test_serve import PATIENCE_SECONDS, serving, until_ready
from tests.served import free_port

pytestmark = pytest.mark.slow

PATIENT = Retries(attempts=1000, first_pause=0.1, longest_pause=0.5, deadline=PATIENCE_SECONDS)
FACTS = 120
SESSIONS = 4


def test_a_killed_service_loses_nothing_and_nothing_is_there_twice(
    tmp_path: Path, service: Service, connection: Connection, cypher: Run
) -> None:
    home = tmp_path / "home"
    settings = {
        "NEO4J_URI": connection.uri,
        "NEO4J_PASSWORD": connection.password,
        "STRATAGRAPH_PORT": free_port(),
    }
    with ThreadPoolExecutor(SESSIONS) as pool, serving(home, **settings) as first:
        url = until_ready(home, first)
        with Client(url, agent_id="anna", retries=PATIENT) as client:
            asked = [
                pool.submit(client.remember, f"Fact {number}.", session_id=f"s{number % SESSIONS}")
                for number in range(FACTS)
            ]
            deadline = time.monotonic() + PATIENCE_SECONDS
            while sum(each.done() for each in asked) < FACTS // 4:
                assert time.monotonic() < deadline
                time.sleep(0.005)
            first.kill()
            first.wait()
            assert not all(each.done() for each in asked)
            with serving(home, **settings):
                uids = {each.result(PATIENCE_SECONDS).uid for each in asked}
    assert len(uids) == FACTS
    rows = cypher(
        "MATCH (m:Memory) WITH m.session_id AS session, m.sequence AS place ORDER BY place "
        "RETURN session, collect(place) AS places"
    )
    assert len(rows) == SESSIONS
    for row in rows:
        assert row["places"] == list(range(FACTS // SESSIONS))
    chained = cypher("MATCH (:Memory)-[n:NEXT]->(:Memory) RETURN count(n) AS n")
    assert chained == [{"n": FACTS - SESSIONS}]
