"""The demo, played on a real service: what it shows must really have happened."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import uvicorn
from rich.console import Console

from graph.kernel.errors import ServerStartError, StratagraphError
from service.app import create_app
from service.bootstrap import Service
from service.bootstrap.managed import remove_service, write_service
from service.cli.demo import drawing, household
from service.cli.demo.shop import AGENT, Attempt, Shop, open_shop
from service.cli.demo.story import load_story
from service.cli.demo.temporary import address_of
from service.cli.port import api_url
from service.cli.web import Api, answer
from stratagraph import wire
from tests.doors.operation.test_command_line import run
from tests.doors.operation.test_serve import PATIENCE_SECONDS, environment
from tests.swapping import swapped

pytestmark = pytest.mark.slow

STORY = load_story()


@pytest_asyncio.fixture(loop_scope="session")
async def url(service: Service) -> AsyncGenerator[str]:
    settings = service.settings.model_copy(update={"worker": True})
    app = create_app(swapped(service, settings=settings))
    api = Api(uvicorn.Config(app, log_config=None, access_log=False))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        answering = asyncio.create_task(answer(api, listener))
        await api.listening.wait()
        yield api_url(listener)
        api.should_exit = True
        await answering


def test_the_story_is_whole() -> None:
    names = [row["external_id"] for row in STORY.rows]
    assert len(names) == len(set(names)) == 60
    seen: set[str] = set()
    for chapter in STORY.chapters:
        for row in chapter.rows:
            targets = {link["to"].removeprefix("external:") for link in row.get("links", ())}
            assert targets <= seen, f"{row['external_id']} links to what comes later"
        seen |= {row["external_id"] for row in chapter.rows}
    assert {row.get("kind", "observation") for row in STORY.rows} == {
        "observation", "problem", "episode", "concept", "strategy", "pattern", "insight",
        "preference",
    }  # fmt: skip
    for trial in STORY.trials:
        assert {trial.works, trial.fails} <= set(names)


def test_the_household_has_the_numbers_of_its_source() -> None:
    trace = household.trace()
    assert trace.score.round(3).tolist() == [0.384, 0.315]
    console = Console(width=80, record=True)
    console.print(drawing.household(trace))
    assert "0.384" in console.export_text()


async def test_what_works_rises_by_its_outcomes(url: str) -> None:
    def play() -> None:
        with open_shop(url, None) as shop:
            for chapter in STORY.chapters:
                assert shop.remember(chapter) == len(chapter.rows)
            shop.wait_until_found(STORY)
            for trial in STORY.trials:
                _rises(shop, trial.name)
            assert shop.clear(STORY) == 60
            assert shop.clear(STORY) == 0

    await asyncio.to_thread(play)


def _rises(shop: Shop, name: str) -> None:
    [trial] = [trial for trial in STORY.trials if trial.name == name]
    before = [result.external_id for result in shop.ways(trial).results]
    assert before[0] == trial.fails
    assert before.index(trial.works) > 0
    attempts = [shop.act(trial, day) for day in range(1, trial.rounds + 1)]
    after = shop.ways(trial).results
    assert after[0].external_id == trial.works
    succeeded = [attempt.succeeded for attempt in attempts]
    assert succeeded == sorted(succeeded)  # what failed is left, what works is kept to
    assert sum(succeeded) >= 3
    assert attempts[0] == Attempt(trial.fails, False, 0.5, 0.45)
    assert after[0].q_value == pytest.approx(attempts[-1].q_after)
    assert after[0].q_value > 0.5


async def test_the_demo_on_a_running_service_keeps_or_cleans_up(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path))
    kept = await run("demo", "--url", url, "--keep")
    assert f"curl -s {url}/v1/recall" in kept
    assert "Removed" not in kept
    assert len((await _post(url, {"agent_id": AGENT, "text": "late parcel"}))["results"]) == 5
    write_service(tmp_path, url)
    said = await run("demo")
    remove_service(tmp_path)
    for act in (
        "1  Remember",
        "2  Ask",
        "3  Act",
        "4  Ask again",
        "5  Look",
        "6  Other",
        "7  What next",
    ):
        assert act in said
    assert "60 memories are stored and found." in said
    assert "was solved by: Order 1043: called Foxline" in said
    assert "▲2" in said
    assert "▼1" in said
    assert "0.50 0.55 0.60 0.64" in said
    assert "\x1b[" not in said
    drawn, _, _ = said.partition("7  What next")
    assert max(map(len, drawn.splitlines())) <= 80
    assert "Removed the 60 memories" in said
    assert (await _post(url, {"agent_id": AGENT, "text": "parcel"}))["results"] == []


async def _post(url: str, body: dict[str, str]) -> dict[str, list[object]]:
    async with httpx.AsyncClient(base_url=url) as client:
        answer = await client.post("/v1/recall", json=body)
        return answer.json()


def test_nobody_there_is_one_clear_sentence() -> None:
    with (
        pytest.raises(StratagraphError, match="No service answers at"),
        open_shop("http://127.0.0.1:9", None) as shop,
    ):
        shop.clear(STORY)


def test_a_bar_is_as_long_as_the_relevance() -> None:
    assert (
        drawing.bar({"own": 0.5, "neighbours": 0.25, "session": 0.25}).plain == "█" * 6 + "▓▓▓▒▒▒"
    )
    assert drawing.bar({}).plain == ""
    assert drawing.bar({"own": 0.5, "speaker": 0.25, "asking": -0.25}).plain == "███░░░"
    assert drawing.bar({"own": 0.05, "speaker": 0.3, "asking": -0.1}).plain == "░░░"
    assert len(drawing.bar({"own": 0.34, "neighbours": 0.33, "date": 0.33}).plain) == drawing.BAR


def test_a_term_is_drawn_between_what_mentions_it() -> None:
    nodes = [
        wire.NodeView(id=name, label=label, text=text, hop=hop)
        for name, label, text, hop in (
            ("a", "Memory", "We met Ada Lovelace.", 0),
            ("term:agent/x/ada lovelace", "Term", "Ada Lovelace", 1),
            ("b", "Memory", "Ada Lovelace wrote.", 2),
        )
    ]
    edges = [wire.EdgeView(start=each, end=nodes[1].id, type="MENTIONS") for each in ("a", "b")]
    view = wire.NeighbourhoodView(nodes=tuple(nodes), edges=tuple(edges), truncated=False)
    console = Console(width=80, color_system=None)
    with console.capture() as said:
        console.print(drawing.neighbourhood(view))
    assert [line.rstrip() for line in said.get().splitlines()] == [
        "We met Ada Lovelace.",
        "└── mentions: Ada Lovelace",
        "    └── is mentioned by: Ada Lovelace wrote.",
    ]


def test_arrows_say_where_a_memory_went() -> None:
    assert [drawing.arrow(*move).plain for move in ((3, 1), (1, 3), (2, 2), (None, 4))] == [
        "▲2", "▼2", "=", "new",
    ]  # fmt: skip


def test_without_a_service_it_brings_its_own_and_takes_it_away(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with subprocess.Popen(
        [sys.executable, "-m", "service", "demo", "--keep"],
        env=environment(home, TMPDIR=str(tmp_path), NEO4J_URI="bolt://127.0.0.1:9", COLUMNS="80"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # As in the background of a script.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as played:
        assert played.stdout is not None
        said: list[str] = []
        deadline = time.monotonic() + PATIENCE_SECONDS
        for line in played.stdout:
            said.append(line)
            if "stays until Ctrl-C" in line or time.monotonic() > deadline:
                break
        # At once: nothing lies between the promise and its keeping.
        played.send_signal(signal.SIGINT)
        said.append(played.stdout.read())
        text = "".join(said)
        assert played.wait(PATIENCE_SECONDS) == 0, text
    assert "Neo4j Browser" in text
    assert text.endswith("Removing it.\n")
    assert not list(tmp_path.glob("stratagraph-demo-*"))
    assert not home.exists()


def test_a_service_that_does_not_start_is_told_with_its_words(tmp_path: Path) -> None:
    (tmp_path / "demo.log").write_text("Port 1 is taken\n")
    process = subprocess.Popen([sys.executable, "-c", ""])
    with pytest.raises(ServerStartError, match=r"did not start:\nPort 1 is taken"):
        address_of(tmp_path, process)
    assert process.wait(PATIENCE_SECONDS) == 0
