"""The examples that need nothing more run as a reader would run them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in {".py", ".sh"})
CURVE = re.compile(r"^  (tells|never tells) +(.+)$", re.MULTILINE)


def example(url: str, *command: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "STRATAGRAPH_URL": url}
    return subprocess.run(
        command, env=environ, cwd=EXAMPLES, capture_output=True, text=True, check=False, timeout=300
    )


async def ran(url: str, *command: str) -> str:
    done = await asyncio.to_thread(example, url, *command)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_plain_http_from_python(url: str) -> None:
    said = await ran(url, sys.executable, "plain_http.py")
    assert said.count("created") == 3
    first = next(line for line in said.splitlines() if line.startswith("score"))
    assert first.endswith("Ada prefers answers with a worked example.")
    assert "Q 0.500 -> 0.550" in said
    assert "reported before" in await ran(url, sys.executable, "plain_http.py")


async def test_plain_http_tells_a_refusal_in_one_line() -> None:
    done = await asyncio.to_thread(example, "http://127.0.0.1:9", sys.executable, "plain_http.py")
    assert done.returncode == 1
    assert done.stderr.startswith("No service answers at http://127.0.0.1:9")


async def test_plain_http_from_a_shell(url: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs the command curl")
    said = await ran(url, "sh", "plain_http.sh")
    assert '"status":"created"' in said
    assert "side gate" in said
    assert '"applied":true' in said


@pytest.mark.slow
async def test_an_agent_that_tells_gets_better_than_its_twin(url: str, cypher: Run) -> None:
    said = await ran(url, sys.executable, "agent_loop.py", "--rounds", "8", "--seed", "1")
    curves = {
        name: [int(share.rstrip("%")) for share in shares.split()]
        for name, shares in CURVE.findall(said)
    }
    told, never = curves["tells"], curves["never tells"]
    assert len(told) == len(never) == 8
    assert sum(told[-3:]) >= sum(told[:3]) + 100
    assert sum(told[-3:]) >= sum(never[-3:]) + 100
    moved = cypher(
        "MATCH (m:Memory) WHERE m.q_count > 0 RETURN DISTINCT m.agent_id ENDS WITH 'tells' AS tells"
    )
    assert moved == [{"tells": True}]


async def test_an_agent_repairs_itself_and_does_better_next_time(url: str) -> None:
    said = await ran(url, sys.executable, "repairing_agent.py")
    assert "patch: incomplete; missing" in said
    assert said.endswith("first answers that held: [False, True, True]\n")


def test_every_example_is_in_the_table_and_is_tested() -> None:
    table = (EXAMPLES / "README.md").read_text()
    tests = Path(__file__).read_text()
    tests += (EXAMPLES.parent / "tests" / "extras" / "test_examples.py").read_text()
    tests += Path(__file__).with_name("test_recipes.py").read_text()
    assert len(FILES) >= 5
    for name in FILES:
        assert f"[{name}]({name})" in table
        assert f'"{name}"' in tests
