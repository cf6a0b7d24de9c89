"""Collecting by the client and on the command line."""

from __future__ import annotations

import asyncio
import re

from typer.testing import CliRunner

from service.cli import app
from stratagraph import AsyncClient, Client, wire
from stratagraph.call import Caller
from stratagraph.operations.episodes import COLLECT, UNDO_COLLECTION
from tests.conftest import Run
from tests.doors.episodes.test_gc import attempt

RUNNER = CliRunner()


async def fill(anna: AsyncClient, cypher: Run) -> None:
    await anna.remember_all(
        [wire.MemoryRequest(**row) for row in (attempt("a"), attempt("b", confidence=0.9))]
    )
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('P10D')")


async def test_both_clients_collect_and_undo(anna: AsyncClient, sync: Client, cypher: Run) -> None:
    await fill(anna, cypher)
    assert (await anna.collect()).total == 1
    done = await anna.collect(dry_run=False, limit=0)
    assert done.run is not None
    assert done.items == ()
    run = done.run.run
    assert len((await anna.collection(run)).items) == 1
    assert [each.run for each in (await anna.collections(limit=5)).items] == [run]
    assert (await anna.undo_collection(run)).restored == 1

    def in_a_thread() -> None:
        assert sync.collect().counts == {"low_confidence": 1}
        again = sync.collect(dry_run=False).run
        assert again is not None
        assert sync.collection(again.run, limit=1).collected == 1
        assert len(sync.collections().items) == 2
        assert sync.undo_collection(again.run, skip_changed=True).state == "undone"

    await asyncio.to_thread(in_a_thread)


def test_only_what_changes_nothing_twice_is_sent_again() -> None:
    caller = Caller("anna")
    assert COLLECT.call(caller, {}).repeatable
    assert not COLLECT.call(caller, {"dry_run": False}).repeatable
    assert UNDO_COLLECTION.call(caller, {"run": "x"}).repeatable


async def test_the_command_line_shows_collects_lists_and_undoes(
    anna: AsyncClient, url: str, cypher: Run
) -> None:
    await fill(anna, cypher)
    who = ["--agent", "anna", "--url", url]

    async def said(*words: str) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, ["gc", *words, *who])
        assert result.exit_code == 0, result.output
        return result.output

    assert "1 would go (1 low_confidence)" in await said("run")
    went = await said("run", "--apply")
    [run] = re.findall(r"gc undo (\w+)", went)
    assert run in await said("list")
    assert "low_confidence" in await said("show", run)
    assert "1 are back" in await said("undo", run)
    assert '"state":"undone"' in await said("undo", run, "--json")
