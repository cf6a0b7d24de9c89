"""Surprises on the command line."""

from __future__ import annotations

import asyncio
import json

from typer.testing import CliRunner

from service.bootstrap import Service
from service.cli import app

RUNNER = CliRunner()


async def test_the_command_line_predicts_reports_and_lists(service: Service, url: str) -> None:
    who = ["--agent", "anna", "--url", url]

    async def said(*words: str) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, ["surprises", *words, *who])
        assert result.exit_code == 0, result.output
        return result.output

    good, bad = json.dumps({"status": "success"}), json.dumps({"status": "failed"})
    assert "p  waits until" in await said("predict", good, "--context", "deploy", "--name", "p")
    told = await said("report", bad, "--prediction", "p", "--text", "The deploy failed.")
    assert "0.80, above 0.7  unexpected_error  deploy" in told
    assert "100%  status  (category, 1.00 apart)" in told
    assert "remembered as" in told
    assert "not above" in await said("report", "tea", "--expected", "tea")
    assert len((await said("list")).splitlines()) == 1
    assert len((await said("list", "--all")).splitlines()) == 2
    assert await said("list", "--type", "novel_pattern") == ""
    answer = json.loads(await said("list", "--json"))
    assert answer["items"][0]["prediction_id"] == "p"
