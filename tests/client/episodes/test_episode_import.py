"""`stratagraph episodes import`, killed half-way and started again: nothing twice, nothing lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from pathlib import Path

import pytest

from stratagraph import AsyncClient
from tests.client.lossy import Fault, lossy_way
from tests.conftest import Run
from tests.doors.attempts import episode
from tests.doors.operation.test_command_line import run

_LINES, _PART = 35, 10
_COMMAND = (
    f"import stratagraph.wire as wire; wire.MAX_BATCH = {_PART}\n"
    "from service.cli import main; main()"
)


def written(file: Path) -> list[dict[str, object]]:
    """Write attempts at a few problems, every third without an id of its own."""
    rows = [
        episode(
            f"ep-{n:02d}",
            timestamp=f"2025-11-02T10:{n:02d}:00Z",
            input__problem_id=f"p{n // 4}",
            input__problem=f"A pen costs {n // 4} dollars. How much are 4 pens?",
        )
        for n in range(_LINES)
    ]
    for row in rows[::3]:
        del row["episode_id"]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return rows


async def killed(file: Path, url: str, stalled: asyncio.Event) -> None:
    """Import until an answer stays away, and kill who waits for it."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _COMMAND, "episodes", "import", str(file)),
        *("--agent", "anna", "--url", url),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )
    try:
        async with asyncio.timeout(60):
            await stalled.wait()
    finally:
        child.send_signal(signal.SIGKILL)
        await child.wait()


@pytest.mark.parametrize("options", [("--resume",), ()], ids=["resumed", "sent again"])
@pytest.mark.parametrize(
    ("faults", "noted", "landed"),
    [(["close", "stall"], 10, 10), (["close", "lose", "stall"], 10, 20)],
    ids=["not taken in", "taken in, and nobody heard of it"],
)
async def test_an_import_that_was_killed_and_started_again_is_whole(
    url: str,
    tmp_path: Path,
    cypher: Run,
    faults: list[Fault],
    noted: int,
    landed: int,
    options: tuple[str, ...],
) -> None:
    file = tmp_path / "run-1.jsonl"
    place = tmp_path / "run-1.jsonl.importing"
    rows = written(file)
    async with lossy_way(url) as way:
        way.faults = deque(faults)
        await killed(file, way.url, way.stalled)
        assert json.loads(place.read_text())["line"] == noted
        [row] = cypher("MATCH (e:Episode) RETURN count(e) AS n")
        assert row["n"] == landed
        said = await run(
            "episodes", "import", str(file), "--agent", "anna", "--url", way.url, *options
        )
    assert "rejected" not in said
    assert not place.exists()
    stored = cypher("MATCH (e:Episode) RETURN e.structured AS said ORDER BY e.occurred_at")
    assert len(stored) == _LINES
    for row, line in zip(stored, rows, strict=True):
        said_of = json.loads(row["said"])
        assert (said_of["timestamp"], said_of["input"]) == (line["timestamp"], line["input"])
    problems = cypher(
        "MATCH (p:Problem) RETURN p.attempts AS n, COUNT { (p)<-[:SOLVED]-() } AS edges"
    )
    assert sum(row["n"] for row in problems) == _LINES
    assert all(row["n"] == row["edges"] for row in problems)
    async with AsyncClient(url, agent_id="anna") as client:
        counted = await client.count_episodes()
    assert (counted.episodes, counted.runs, counted.problems) == (_LINES, {"run-1": _LINES}, 9)
