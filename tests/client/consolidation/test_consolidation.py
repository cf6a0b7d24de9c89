"""Consolidation by the clients and on the command line."""

from __future__ import annotations

import asyncio
import re

import pytest
from typer.testing import CliRunner

from service.cli import app
from stratagraph import AsyncClient, Client, wire

pytestmark = pytest.mark.usefixtures("in_pairs")

RUNNER = CliRunner()


async def fill(anna: AsyncClient) -> None:
    for text in (
        "I sold the boat in May for 4,300 euros.",
        "Clara did not ask for the papers. Thanks!",
    ):
        await anna.remember(text, session_id="s", stratum="episodic")


async def test_both_clients_condense_and_undo(anna: AsyncClient, sync: Client) -> None:
    await fill(anna)
    assert (await anna.consolidate(everything=True)).total == 1
    done = await anna.consolidate(strata=["episodic"], everything=True, dry_run=False)
    assert done.run is not None
    run = done.run.run
    assert (await anna.consolidation(run)).items[0].state == "condensed"
    assert [each.run for each in (await anna.consolidations()).items] == [run]
    assert (await anna.undo_consolidation(run)).counts["restored"] == 2

    def in_a_thread() -> None:
        assert sync.consolidate().total == 0
        again = sync.consolidate(everything=True, dry_run=False)
        assert again.run is not None
        assert sync.consolidation(again.run.run).state == "done"
        assert len(sync.consolidations(5).items) == 2
        assert sync.undo_consolidation(again.run.run).state == "undone"

    await asyncio.to_thread(in_a_thread)


async def test_the_command_line_condenses(anna: AsyncClient, url: str) -> None:
    await fill(anna)
    who = ["--agent", "anna", "--url", url]

    async def said(*words: str) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, [*words, *who])
        assert result.exit_code == 0, result.output
        return result.output

    for asked in ([], ["--dry-run"], ["--apply", "--dry-run"]):
        assert "2 would become 1" in await said("consolidate", "--everything", *asked)
    assert "never moved is not looked at" in await said("consolidate", "--stratum", "long_term")
    done = await said("consolidate", "--apply", "--everything", "--stratum", "episodic")
    [run] = re.findall(r"consolidations undo (\w+)", done)
    assert (
        "of 2 looked at, condensed 2 memories into 1; clusters skipped: 0; patterns found: 0"
        in done
    )
    assert re.search(r"condensed +episodic -> long_term  of 2, \d+ -> \d+ characters", done)
    assert "planned" not in done
    assert run in await said("consolidations", "list")
    assert "episodic -> long_term  of 2" in await said("consolidations", "show", run)
    assert '"state":"done"' in await said("consolidations", "show", run, "--json")
    assert "2 are back" in await said("consolidations", "undo", run)


async def test_the_command_line_says_how_many_patterns_it_found(
    anna: AsyncClient, url: str
) -> None:
    await anna.remember_all(
        wire.MemoryRequest(
            text=f"{label} in week {week}",
            session_id=f"week {week}",
            tags=(label,),
            stratum="long_term",
        )
        for week in range(9)
        for label in (f"a{week}", "deploy", "rollback", f"b{week}")
    )
    asked = ["consolidate", "--apply", "--agent", "anna", "--url", url]
    result = await asyncio.to_thread(RUNNER.invoke, app, asked)
    assert result.exit_code == 0, result.output
    assert "condensed 0 memories into 0; clusters skipped: 0; patterns found: " in result.output
    [found] = re.findall(r"patterns found: (\d+)", result.output)
    assert int(found) == len(re.findall(r"\d+ sessions, ", result.output)) > 0
