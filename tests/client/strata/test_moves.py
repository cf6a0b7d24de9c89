"""Moves by hand by the clients and on the command line."""

from __future__ import annotations

import asyncio
import re

from typer.testing import CliRunner

from service.cli import app
from stratagraph import AsyncClient, Client
from tests.conftest import Run

RUNNER = CliRunner()


async def fill(anna: AsyncClient, cypher: Run) -> None:
    await anna.remember("what helped", external_id="a", stratum="working")
    await anna.remember("what lay there", external_id="b", stratum="episodic")
    cypher("MATCH (m:Memory {external_id: 'a'}) SET m.q_value = 0.8, m.success_count = 3")


async def test_both_clients_move_and_undo(anna: AsyncClient, sync: Client, cypher: Run) -> None:
    await fill(anna, cypher)
    assert (await anna.promote_successful()).total == 1
    up = await anna.promote(["external:a", "external:b"], to="long_term")
    assert up.run is not None
    assert up.total == 2
    assert (await anna.demote(["external:a"], dry_run=True)).items[0].to_stratum == "episodic"
    assert (await anna.undo_gate_run(up.run.run)).restored == 2

    def in_a_thread() -> None:
        done = sync.promote_successful(min_q=0.7, dry_run=False)
        assert done.items[0].to_stratum == "short_term"
        assert sync.promote(["external:a"]).total == 1
        assert sync.demote(["external:a", "external:x"]).refused[0].name == "external:x"
        assert sync.get("external:a").stratum == "short_term"

    await asyncio.to_thread(in_a_thread)


async def test_the_command_line_moves(anna: AsyncClient, url: str, cypher: Run) -> None:
    await fill(anna, cypher)
    who = ["--agent", "anna", "--url", url]

    async def said(*words: str) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, ["strata", *words, *who])
        assert result.exit_code == 0, result.output
        return result.output

    tried = await said("successful")
    assert "1 would move" in tried
    assert "Q 0.8, at least 0.7" in tried
    done = await said("successful", "--apply")
    assert re.search(r"gates undo \w+", done)
    assert "episodic -> short_term" in await said("demote", "external:b")
    up = await said("promote", "external:b", "external:x", "--to", "semantic")
    assert "short_term -> semantic" in up
    assert "external:x  stays: no such memory" in up
    assert '"total":0' in await said("promote", "external:x", "--json")
    wrong = await asyncio.to_thread(
        RUNNER.invoke, app, ["strata", "promote", "external:b", "--to", "heaven", *who]
    )
    assert wrong.exit_code != 0
