"""A client exports and imports whole graphs over ways on which things go wrong."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from service.use_cases.transfer import export as export_use_case
from stratagraph import AsyncClient, Client, ConnectionFailedError, InvalidRequestError, transfer
from stratagraph.call import Caller
from tests.client.conftest import QUICK
from tests.client.lossy import Fault, lossy_way
from tests.conftest import Run
from tests.doors.filled import fill
from tests.doors.moving import WIPE, content, everything

FAULTS: list[Fault] = ["cut", "refuse", "lose", "close", "cut"]


async def filled(url: str, service: Service, agents: tuple[str, ...] = ("anna",)) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        await fill(http, service, agents=agents)


def lines_of(parts: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(parts).splitlines()]


async def test_export_and_import_by_both_clients(
    url: str, anna: AsyncClient, sync: Client, service: Service, cypher: Run
) -> None:
    await filled(url, service, ("anna", "bert"))
    before = everything(cypher)
    parts = [part async for part in anna.export(scope="tenant", vectors=True)]
    assert await asyncio.to_thread(lambda: list(sync.export(scope="tenant", vectors=True)))
    own = lines_of([part async for part in anna.export()])
    assert own[0]["covers"] == ["agent/anna", "shared"]
    cypher(WIPE)
    lines = b"".join(parts).splitlines(keepends=True)
    answers = [part async for part in anna.import_lines(lines)]
    assert answers[-1].complete is True
    assert answers[-1].line == len(lines)
    assert sum(part.counts.rejected for part in answers) == 0
    assert everything(cypher) == before
    again = await asyncio.to_thread(lambda: list(sync.import_lines(lines)))
    assert sum(part.counts.created for part in again) == 0
    assert again[-1].complete is True


async def test_an_export_over_a_lossy_way_is_the_same(
    url: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(url, service)
    monkeypatch.setattr(export_use_case, "PAGE", 2)
    async with AsyncClient(url, retries=QUICK) as client:
        straight = [part async for part in client.export(scope="tenant")]
    async with lossy_way(url) as way:
        way.faults.extend(FAULTS)
        async with AsyncClient(way.url, retries=QUICK) as client:
            parts = [part async for part in client.export(scope="tenant")]
    assert way.connections > 4
    assert content(lines_of(parts)) == content(lines_of(straight))


async def test_an_import_over_a_lossy_way_is_the_same(
    url: str, service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(url, service)
    async with AsyncClient(url, retries=QUICK) as client:
        lines = b"".join([p async for p in client.export(scope="tenant")]).splitlines()
    before = everything(cypher)
    cypher(WIPE)
    monkeypatch.setattr("stratagraph.wire.MAX_BATCH", 5)
    async with lossy_way(url) as way:
        way.faults.extend(FAULTS)
        async with AsyncClient(way.url, retries=QUICK) as client:
            answers = [part async for part in client.import_lines(lines)]
    assert answers[-1].complete is True
    assert everything(cypher) == before


async def test_faulty_lines_keep_their_numbers(anna: AsyncClient) -> None:
    lines: list[transfer.Line] = ["", {"text": "good"}, b"bad\n", {"text": ""}, '{"text": "too"}']
    [part] = [part async for part in anna.import_lines(lines, first_line=100)]
    assert [(report.line, report.field) for report in part.reports] == [(102, None), (103, "text")]
    assert part.line == 104
    assert (part.counts.created, part.counts.rejected) == (2, 2)
    assert part.complete is None


async def test_options_go_along(anna: AsyncClient, cypher: Run) -> None:
    rows: list[transfer.Line] = [{"text": "one"}, {"text": "two", "agent_id": "x"}]
    [dry] = [part async for part in anna.import_lines(rows, dry_run=True)]
    assert dry.counts.created == 0
    renamed = {"anna": "berta", "x": "y"}
    [_] = [part async for part in anna.import_lines(rows, agent_map=renamed)]
    scopes = cypher("MATCH (m:Memory) RETURN m.scope AS scope ORDER BY scope")
    assert [row["scope"] for row in scopes] == ["local/agent/berta", "local/agent/y"]


async def test_nothing_is_no_import(anna: AsyncClient) -> None:
    assert [part async for part in anna.import_lines([])] == []


async def test_another_format_is_an_exception(anna: AsyncClient) -> None:
    header = {"type": "header", "format": "stratagraph", "version": "9.0"}
    with pytest.raises(InvalidRequestError, match="line 1 heads an export"):
        _ = [part async for part in anna.import_lines([header])]


@pytest.mark.parametrize("cut", [slice(None, -1), slice(3, None), slice(1, None)])
async def test_a_cut_file_is_noticed(
    url: str, anna: AsyncClient, service: Service, cut: slice
) -> None:
    await filled(url, service)
    lines = b"".join([part async for part in anna.export()]).splitlines()[cut]
    answers = [part async for part in anna.import_lines(lines)]
    assert answers[-1].complete is (cut.start == 1)  # a lost header loses no content


def test_an_answer_that_breaks_off_is_asked_for_again_and_then_given_up() -> None:
    exporting = transfer.Exporting(Caller(), "tenant", {}, vectors=False, after="x")
    importing = transfer.Importing(Caller(), ["{}"], {}, first_line=1, agent_map={}, dry_run=False)
    broken = b'{"type":"scope"}\n{"type":"error","detail":"Neo4j does not answer"}\n'
    call = importing.call()
    assert call is not None
    told = call.read(b'{"type":"error","line":0,"detail":"Neo4j does not answer"}\n')
    for _ in range(2):
        assert exporting.take(broken) == b""
        assert importing.take(told) is None
    asked = exporting.call()
    assert asked is not None
    assert asked.query["after"] == "x"
    for again in (lambda: exporting.take(broken), lambda: importing.take(told)):
        with pytest.raises(ConnectionFailedError, match="3 times: Neo4j does not answer"):
            again()
    with pytest.raises(ValueError, match="at least"):
        call.read(b"")


@pytest.mark.parametrize("end", [b"", b'{"type":"memory"}\n', b"{}"])
def test_an_answer_without_its_end_is_not_taken(end: bytes) -> None:
    exporting = transfer.Exporting(Caller("a"), None, {}, vectors=True, after=None)
    assert exporting.take(end) == b""


def test_odd_lines_count_as_what_they_are(tmp_path: Path) -> None:
    seen = transfer._LineCounts(whole=True)  # pyright: ignore[reportPrivateUsage] -- the counting alone
    odd = ['{"text": "x"}', '{"x": 1, "type": "edge"}', "bad", "[]", "", '{"type": "footer"}']
    for line in odd:
        seen.note(line.encode())
    assert seen.complete is None
    seen.note(b'{"counts": {"memory": 1, "edge": 1, "unusable": 2}, "type": "footer"}')
    assert seen.complete is True
