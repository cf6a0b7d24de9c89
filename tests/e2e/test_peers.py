"""The benchmark beside the rivals: our candidate's seven methods, and the command around them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest
import pytest_asyncio

from benchmarks.peers.adapter.peer_stratagraph import Peer
from benchmarks.peers.database import OpenNeo4j, open_neo4j
from stratagraph import InvalidRequestError

pytestmark = pytest.mark.slow

# A bench as the rivals' is: `common` names the database, candidates are modules on the path.
COMMON = "import os\nURI = os.environ['PEERS_NEO4J_URI']\n"
BENCH = """
import asyncio, glob, importlib, json, os, sys
import common
peer, most = sys.argv[1], int(sys.argv[2])
candidate = importlib.import_module("peer_" + peer).Peer("")
out = open(f"res-{peer}.jsonl", "w")
def emit(**row): print(json.dumps(row), file=out, flush=True); print(row, flush=True)
async def main():
    assert candidate.is_async
    await candidate.setup()
    await candidate.add_batch("one", [("D1:1", "Ann: The boat is red."), ("D1:2", "Bob: It sails.")])
    await candidate.add_one("two", "D1:1", "Ann: The boat is green.")
    await candidate.settle()
    found = await candidate.search("one", "Which boat?", 10)
    short = float(len(found) != 2)
    conversations = len(glob.glob(os.environ["LOCOMO_DIR"] + "/*.json"))
    emit(phase="quality", tag="five", n=2760, questions=conversations, recall10=0.5,
         short_frac=short, foreign_frac=float(any(user != "one" for user, _ in found)))
    await candidate.close()
asyncio.run(main())
"""
DEAD = """
import os, signal
os.kill(int(open("pid").read()), signal.SIGKILL)
print("[x] search after kill: NobodyError: 'gone' (0.5s)")
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server() -> AsyncGenerator[OpenNeo4j]:
    with ExitStack() as stack:
        server = await asyncio.to_thread(stack.enter_context, open_neo4j())
        await asyncio.to_thread(server.start)
        yield server
        await asyncio.to_thread(stack.close)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def peer(server: OpenNeo4j) -> AsyncGenerator[Peer]:
    peer = Peer("", server.uri)
    await peer.setup()
    yield peer
    await peer.close()


# Comes first: the service of `peer` goes on writing to the server once it is asked for.
async def test_a_start_is_on_an_empty_graph_and_asks_for_no_password(server: OpenNeo4j) -> None:
    def ask(statement: str) -> list[list[object]]:
        answer = httpx.post(server.query, json={"statement": statement}, timeout=30)
        return answer.raise_for_status().json()["data"]["values"]

    await asyncio.to_thread(ask, "CREATE (:Rest)")
    assert await asyncio.to_thread(ask, "MATCH (n:Rest) RETURN count(n)") == [[1]]
    await asyncio.to_thread(server.start)
    assert await asyncio.to_thread(ask, "MATCH (n) RETURN count(n)") == [[0]]
    listening = {each.laddr.ip for each in psutil.Process(server.pid).net_connections("tcp")}
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}


async def test_each_user_finds_what_is_its_own(peer: Peer) -> None:
    turns = [(f"D1:{number}", f"Ann: Boat {number} is red.") for number in range(1, 13)]
    await peer.add_batch("one", turns)
    await peer.add_batch("two", turns[:3])
    await peer.add_one("two", "D2:1", "Ann: A boat needs a harbour.")
    await peer.settle()
    found = await peer.search("one", "Which boat is red?", 10)
    assert len(found) == 10
    assert {user for user, _ in found} == {"one"}
    others = await peer.search("two", "Which boat needs a harbour?", 10)
    assert ("two", "D2:1") in others
    assert {user for user, _ in others} == {"two"}


@pytest.mark.parametrize("text", ["", "NANTEXT x", "EMPTYVEC x", "word salad " * 100_000])
async def test_what_cannot_be_used_is_refused_and_harms_nothing(peer: Peer, text: str) -> None:
    user = f"bad{len(text)}"
    await peer.add_batch(user, [("D1:1", "Ann: The boat is red.")])
    with pytest.raises(InvalidRequestError):
        await peer.add_one(user, "bad", text)
    with pytest.raises(InvalidRequestError):
        await peer.search(user, text, 10)
    await peer.settle()
    assert await peer.search(user, "Which boat?", 10) == [(user, "D1:1")]


async def test_a_refused_row_of_a_batch_is_told(peer: Peer) -> None:
    with pytest.raises(RuntimeError, match="1 of 2 were refused"):
        await peer.add_batch("one", [("a", "A boat."), ("b", "")])


async def test_closing_ends_the_service(server: OpenNeo4j) -> None:
    before = {child.pid for child in psutil.Process().children()}
    peer = Peer("plain", server.uri)
    await peer.setup()
    started = {child.pid for child in psutil.Process().children()} - before
    assert len(started) == 1
    await peer.close()
    assert not psutil.pid_exists(started.pop())
    with pytest.raises(RuntimeError, match="setup comes first"):
        await peer.search("one", "Which boat?", 10)


async def test_a_service_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_RESULTS", "many")
    peer = Peer("", "bolt://127.0.0.1:1")
    with pytest.raises(RuntimeError, match=r"the service did not start: .*STRATAGRAPH_RESULTS"):
        await peer.setup()
    await peer.close()


def test_the_command_runs_the_bench_and_goes_on_where_it_was(tmp_path: Path) -> None:
    peers, data = tmp_path / "peers", tmp_path / "data"
    for folder in (peers, data):
        folder.mkdir()
    empty = dict.fromkeys(("ten_only.py", "big.py", "poison.py", "install.sh"), "")
    for name, text in {**empty, "common.py": COMMON, "bench.py": BENCH, "dead.py": DEAD}.items():
        (peers / name).write_text(text)
    (data / "1.json").write_text("{}")
    first = command(peers, data, tmp_path / "out", "--scripts", "bench,dead")
    assert "0 runs are kept" in first.stderr
    assert "2 to do" in first.stderr
    assert "| recall@10, 2,760 | 0.500 |" in first.stdout
    assert "| share of short answers, 2,760 | 0 |" in first.stdout
    assert "| database: search after kill | NobodyError in 0.5 s |" in first.stdout
    assert first.stdout.splitlines()[-1] == "foreign=0 recall10@2760=0.5"
    again = command(peers, data, tmp_path / "out", "--scripts", "bench,dead")
    assert "2 runs are kept" in again.stderr
    assert again.stdout == first.stdout


def command(peers: Path, data: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    folders = ["--peers", str(peers), "--data", str(data), "--out", str(out)]
    asked = ["--only", "stratagraph", "--max", "2760", *more]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", *folders, *asked],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_missing_bench_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", "--peers", str(tmp_path), "--data", "."],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "not part of this repository" in done.stderr
    assert "Traceback" not in done.stderr
