"""Exports hold what is usual in contexts, and imports take nothing away from what was learned here."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.use_cases.strata.surprise import EventReport
from tests.conftest import Run
from tests.doors.moving import WIPE, exported, imported, of

ANNA = Caller("local", "anna")
GOOD, BAD = {"status": "success", "seconds": 20}, {"status": "failed", "seconds": 95}
TIME = "2026-05-01T09:30:00Z"
LINE: dict[str, Any] = {
    "type": "expectation", "scope": "agent/anna", "context": "expected:deploy", "expires_at": TIME,
    "count": 2.0, "mean": 0.3, "outcomes": {"events": 2, "paths": {"=seconds": [0.1, 0.2, 2.0, 20.0], "=status": {"=": 2.0}}},
}  # fmt: skip


async def report(service: Service, actual: object, caller: Caller = ANNA) -> Any:
    return await service.report_surprise(caller, EventReport(actual, "deploy", expected=GOOD))


def kept(cypher: Run) -> list[dict[str, Any]]:
    rows = cypher(
        "MATCH (m:Momentum) WHERE m.count IS NOT NULL RETURN m {.*} AS m ORDER BY m.scope, m.context"
    )
    return [{key: row["m"][key] for key in row["m"] if key != "asked_at"} for row in rows]


async def test_what_was_learned_comes_back_and_goes_on(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    for _ in range(8):
        await report(service, GOOD)
    before, lines = kept(cypher), await exported(client)
    assert [line["context"] for line in of(lines, "expectation")] == ["expected:deploy"]
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert kept(cypher) == before
    again = (await imported(client, lines))[-1]["types"]["expectation"]
    assert (again["created"], again["unchanged"]) == (0, 1)
    found = await report(service, BAD)
    assert (found.form, found.observations, found.surprising) == ("learned", 8, True)


async def test_what_was_learned_here_stays(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await report(service, GOOD)
    here = kept(cypher)
    assert (await imported(client, [LINE]))[-1]["types"]["expectation"]["unchanged"] == 1
    assert kept(cypher) == here


async def test_an_import_and_reports_at_once_lose_nothing(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await asyncio.gather(
        *(imported(client, [LINE]) for _ in range(4)), *(report(service, GOOD) for _ in range(6))
    )
    found = await report(service, GOOD)
    assert found.observations in {6, 8}  # the import came first, or found something learned


async def test_an_erased_agent_takes_along_what_was_imported(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await report(service, GOOD)
    await imported(client, [LINE | {"context": "expected:other"}])
    erasure = await service.erase.owner(ANNA)
    assert erasure.state == "done"
    assert kept(cypher) == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"mean": 1.5}, "mean"),
        ({"context": ""}, "context"),
        ({"spreads": {"seconds": [1.0, -1.0, 2]}}, "spreads"),
        ({"familiar": {"boredom": [1.0, 2.0]}}, "familiar"),
        ({"outcomes": {"paths": {"=seconds": [1.0, -1.0, 2.0, 0.0]}}}, "outcomes"),
        ({"outcomes": {"paths": {"=status": {"=": -1.0}}}}, "outcomes"),
    ],
)
async def test_a_line_that_no_expectation_can_be_is_refused(
    client: httpx.AsyncClient, cypher: Run, changes: dict[str, Any], field: str
) -> None:
    refused = of(await imported(client, [LINE | changes]), "rejected")
    assert {one["field"].partition(".")[0] for one in refused} == {field}
    assert kept(cypher) == []


async def test_a_line_by_hand_lands_cleaned(client: httpx.AsyncClient, cypher: Run) -> None:
    words = {"write to ada@example.org": 2.0}
    await imported(client, [LINE | {"outcomes": {"events": 2, "paths": {":to": words}}}])
    assert "ada@example.org" not in kept(cypher)[0]["outcomes"]
