"""`stratagraph episodes`, `concepts`, `ask` and `reasoning`, against a service on a socket."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from stratagraph import AsyncClient
from stratagraph.errors import StratagraphError, UsageError
from tests.conftest import Run
from tests.doors.attempts import EPISODE, episode
from tests.doors.operation.test_command_line import invoke, run
from tests.store.reading import settled
from tests.store.solving import EGGS, attempt, rows_of

PENS = EPISODE["input"]["problem"]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def to(url: str) -> tuple[str, ...]:
    return ("--agent", "anna", "--url", url)


def lines(*episodes: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in episodes)


def read(file: Path) -> list[dict[str, Any]]:
    packed = file.read_bytes()
    text = gzip.decompress(packed) if file.suffix == ".gz" else packed
    return [json.loads(line) for line in text.splitlines()]


async def test_files_of_runs_go_in_and_come_out(to: tuple[str, ...], tmp_path: Path) -> None:
    file, out = tmp_path / "run-1.jsonl", tmp_path / "out"
    kept = [episode("a"), episode("b", timestamp="2025-11-03T08:00:00Z", output__correct=False)]
    file.write_text(lines(*kept))
    assert "2 checked, 0 rejected" in await run("episodes", "import", str(file), "--dry-run", *to)
    assert await run("episodes", "count", *to) == (
        "0 episodes of agent/anna: 0 right, 0 wrong, 0 not judged; 0 problems, 0 strategies\n"
        "0.0 MB; room for 10,000 and 1,024 MB, then refuse\n"
    )
    assert "2 created" in await run("episodes", "import", str(file), *to)
    assert "2 unchanged" in await run("episodes", "import", str(file), "--resume", *to)
    await run("episodes", "import", "-", *to, stdin=lines(episode("c")))
    said = await run("episodes", "count", *to)
    assert said.startswith("3 episodes of agent/anna: 2 right, 1 wrong, 0 not judged; 1 problems")
    assert "  run-1  2" in said
    assert json.loads(await run("episodes", "count", "--json", *to))["runs"] == {"run-1": 2}
    said = await run("episodes", "export", str(out), *to)
    assert "run-1.jsonl: 2 episodes" in said
    first, second = sorted(out.iterdir())
    assert first.name.startswith("episodic_20251102_m0_")
    assert (read(first), second.name, read(second)) == ([episode("c")], "run-1.jsonl", kept)
    one = tmp_path / "one.jsonl.gz"
    assert "Exported 2 episodes" in await run("episodes", "export", str(one), "--run", "run-1", *to)
    assert read(one) == kept
    shown = await asyncio.to_thread(invoke, "episodes", "export", "-", "--run", "", *to)
    assert [json.loads(line) for line in shown.stdout.splitlines()] == [episode("c")]


async def test_a_bad_line_is_told_and_the_rest_lands(to: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "run-1.jsonl"
    file.write_text(lines(episode("a"), episode("b", output__confidence=3)) + "no json\n")
    result = await asyncio.to_thread(invoke, "episodes", "import", str(file), *to)
    assert result.exit_code == 1
    assert f"{file}:2: output.confidence:" in result.output
    assert f"{file}:3:" in result.output
    assert "1 created, 2 rejected" in result.output
    with pytest.raises(StratagraphError, match="cannot be read"):
        await run("episodes", "import", str(tmp_path / "none.jsonl"), *to)


async def test_what_cannot_be_exported_says_why(
    to: tuple[str, ...], anna: AsyncClient, tmp_path: Path
) -> None:
    await anna.add_episode(episode("a"), run="a/b")
    with pytest.raises(UsageError, match="cannot name a file"):
        await run("episodes", "export", str(tmp_path / "out"), *to)
    (tmp_path / "taken").touch()
    with pytest.raises(StratagraphError, match="cannot be made"):
        await run("episodes", "export", str(tmp_path / "taken" / "below"), *to)


async def test_episodes_are_cleared_once_that_is_confirmed(
    to: tuple[str, ...], anna: AsyncClient
) -> None:
    await anna.add_episode(episode("a"), run="run-1")
    await anna.add_episode(episode("b"))
    assert "2 episodes of agent/anna" in await run("episodes", "clear", "--dry-run", *to)
    refused = await asyncio.to_thread(invoke, "episodes", "clear", *to, stdin="n\n")
    assert refused.exit_code == 1
    assert await anna.size() == 2
    said = await run("episodes", "clear", "--run", "run-1", "--yes", *to)
    assert "Removed 1 episodes, and 0 problems and 0 strategies" in said
    assert "Removed" not in await run("episodes", "clear", "--domain", "code", "--yes", *to)
    said = await run("episodes", "clear", *to, stdin="y\n")
    assert "Removed 1 episodes, and 1 problems and 1 strategies" in said
    assert await anna.size() == 0


async def test_past_attempts_are_shown_with_what_they_teach(
    to: tuple[str, ...], anna: AsyncClient, cypher: Run
) -> None:
    retrieve = ("episodes", "retrieve", PENS, *to)
    assert await run(*retrieve) == "nothing was tried yet\n"
    await anna.add_episodes(
        [episode("right", insight="A price times a number."), episode("x", output__correct=False)]
    )
    await settled(cypher)
    said = await run(*retrieve, "--domain", "math", "--task", "t")
    assert f"success   {PENS}" in said
    assert "A price times a number." in said
    assert "multiply, subtract" in said
    assert "failure" not in await run(*retrieve, "--failures", "0", "-k", "1")
    prompt = await run("episodes", "retrieve", "-", "--prompt", "300", *to, stdin=PENS)
    assert "A price times a number." in prompt
    raw = json.loads(await run(*retrieve, "--mode", "episodic", "--json"))
    assert (raw["mode"], len(raw["results"])) == ("episodic", 2)
    with pytest.raises(StratagraphError, match="mode"):
        await run(*retrieve, "--mode", "best")


async def test_concepts_are_extracted_archived_and_restored(
    to: tuple[str, ...], service: Service, cypher: Run
) -> None:
    await attempt(service, Caller("local", "anna"), *rows_of("egg", EGGS[:8]))
    await settled(cypher)
    said = await run("concepts", "extract", *to)
    assert said.startswith("1 made, 0 found again, 8 problems joined\n")
    assert "multiply twice" in said
    assert json.loads(await run("concepts", "extract", "--json", *to))["created"] == []
    said = await run("concepts", "archive", *to)
    assert said.startswith("5 would be archived, 3 stay beside 1 concepts\n")
    assert "--apply" in said
    assert await run("concepts", "archive", "--apply", *to) == (
        "5 archived, 3 stay beside 1 concepts\n"
    )
    said = await run("concepts", "restore", *to)
    assert said.startswith("10 active again, 0 were changed")
    assert len(json.loads(await run("concepts", "archive", "--json", *to))["archived"]) == 5
    assert json.loads(await run("concepts", "restore", "--json", *to))["restored"] == 0
    with pytest.raises(StratagraphError, match="404"):
        await run("concepts", "restore", "--concept", "external:nobody", *to)


async def test_questions_are_answered_in_lines(to: tuple[str, ...], anna: AsyncClient) -> None:
    assert "No such attempts." in await run("ask", "failed attempts", *to)
    await anna.add_episodes([episode("right"), episode("x", output__correct=False)])
    said = await run("ask", "failed attempts on math", "--statement", "--no-model", *to)
    assert '"domain": "math"' in said.splitlines()[0]
    assert f"wrong  {PENS[:70]}" in said
    assert "// episodes.find_episodes.all" in said
    said = await run("ask", "success rate by model", "--time-zone", "Europe/Berlin", *to)
    assert "50.0% of 2" in said
    raw = json.loads(await run("ask", "failed attempts", "--json", *to))
    again = await run("ask", json.dumps(raw["object"]), "--object", "--json", *to)
    assert json.loads(again)["episodes"] == raw["episodes"]
    said = await run("ask", '{"limit": 1}', "--object", *to)
    cursor = said.splitlines()[-1].removeprefix("More: --cursor ")
    rest = await run("ask", '{"limit": 1}', "--object", "--cursor", cursor, *to)
    assert PENS[:70] in rest
    assert "More" not in rest


@pytest.mark.parametrize("said", ["no json", "[1]", '{"sideways": 1}'])
async def test_what_is_no_object_is_told(to: tuple[str, ...], said: str) -> None:
    with pytest.raises(StratagraphError, match=r"--object|sideways"):
        await run("ask", said, "--object", *to)


async def test_attempts_at_large(to: tuple[str, ...], anna: AsyncClient) -> None:
    await anna.add_episodes(
        [episode("right"), *(episode(name, output__correct=False) for name in "xy")]
    )
    said = await run("reasoning", *to)
    assert "33.3% of 3" in said
    assert "\nover time\n" in said
    assert "small-1" in said
    assert f"    2  {PENS[:70]}" in said
    said = await run("reasoning", "--by", "domain", "--over", "day", "--clusters", "0", *to)
    assert "\ndomain\n  math" in said
    assert PENS[:70] not in said
    said = await run("reasoning", "--model", "other", "--json", *to)
    assert json.loads(said)["total"]["attempts"] == 0
    with pytest.raises(StratagraphError, match="over"):
        await run("reasoning", "--over", "century", *to)
