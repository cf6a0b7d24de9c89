"""Channels on the command line: joined, shown, left, and what leaving takes along."""

from __future__ import annotations

import asyncio
import json
import re

from typer.testing import CliRunner

from service.cli import app
from stratagraph import AsyncClient
from tests.conftest import Run

RUNNER = CliRunner()


async def test_channels_are_joined_shown_and_left(anna: AsyncClient, url: str, cypher: Run) -> None:
    async def said(*words: str, code: int = 0) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, ["channels", *words, "--url", url])
        assert result.exit_code == code, result.output
        return result.output

    assert await said("list", "--agent", "anna") == ""
    joined = await said("join", "ops", "dev", "--agent", "anna")
    assert re.findall(r"^(\w+)  anna  since \d{4}-\d\d-\d\d \d\d:\d\d  shares 0$", joined, re.M) == [
        "dev", "ops",
    ]  # fmt: skip
    await said("join", "ops", "--agent", "bert")
    await anna.remember("a note worth sharing", external_id="note")
    await anna.publish("external:note", channel_ids=["ops"])
    shown = await said("show", "ops")
    assert re.findall(r"(anna|bert)  .*shares (\d)", shown) == [("anna", "1"), ("bert", "0")]
    listed = json.loads(await said("list", "--agent", "anna", "--json"))
    assert [(one["channel_id"], one["copies"]) for one in listed["items"]] == [
        ("dev", 0),
        ("ops", 1),
    ]
    left = await said("leave", "ops", "law", "--agent", "anna")
    assert left.splitlines() == [
        "law  anna was no member",
        "ops  anna left; 1 copies went",
    ]
    assert await said("show", "ops", "dev") == re.sub(
        r"shares \d", "shares 0", await said("show", "dev", "ops")
    )
    members = cypher(
        "MATCH (a)-[:MEMBER_OF]->(c) RETURN a.name AS agent, c.name AS channel ORDER BY agent"
    )
    assert members == [{"agent": "anna", "channel": "dev"}, {"agent": "bert", "channel": "ops"}]


async def test_without_an_agent_nobody_joins(url: str) -> None:
    result = await asyncio.to_thread(RUNNER.invoke, app, ["channels", "join", "ops", "--url", url])
    assert result.exit_code == 2


async def test_a_channel_agrees_on_the_command_line(url: str) -> None:
    async def said(*words: str) -> str:
        result = await asyncio.to_thread(RUNNER.invoke, app, ["channels", *words, "--url", url])
        assert result.exit_code == 0, result.output
        return result.output

    for agent, text in (
        ("anna", "Logs are kept for 14 days."),
        ("bert", "We keep logs for 14 days."),
    ):
        async with AsyncClient(url, agent_id=agent, channel_ids=["ops"]) as client:
            await client.remember(text, scope_kind="channel")
    assert "created: " in await said("agree", "ops", "--dry-run")
    assert "Take back: " in await said("agree", "ops")
    listed = await said("agreements", "ops")
    assert re.search(
        r"^0.34-1.00  agreed  .*14 days.  \(for: anna, bert\)  (\w{26})$", listed, re.M
    )
    uid = listed.split()[-1]
    voted = await said("vote", uid, "--agent", "carl", "--channel", "ops", "--disagree")
    assert "against: carl" in voted
    vote = ("vote", uid, "--agent", "carl", "--channel", "ops")
    assert "against" not in await said(*vote, "--withdraw")
    assert "carl" in await said(*vote)
