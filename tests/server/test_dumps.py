from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from graph.database.driver import Connection
from graph.kernel.errors import DumpError, HomeInUseError, ServerStartError
from graph.server import dumps
from graph.server.claim import HomeClaim
from graph.server.config import ServerConfig
from graph.server.dumps import Dump, dump_graph, load_graph
from graph.server.process import ManagedServer
from graph.server.records import (
    ServerRecord,
    creation_time,
    find_running,
    last_version,
    note_version,
    write_server,
)
from graph.server.swap import KEPT, STAGE, complete_stage, fresh_stage, graph_bytes, put_in_place
from tests.conftest import sync_driver
from tests.server.conftest import readiness, shared_cache, small_config
from tests.small_disk import SmallDisk

pytestmark = pytest.mark.slow

FILL = "UNWIND range(1, 3000) AS i CREATE (:Note {i: i, text: toString(rand()) + toString(rand())})"
COUNT = "MATCH (n:Note) RETURN count(n) AS n"
LEFT_OVER = {KEPT, STAGE}


def silent(_does: str, _percent: float) -> None:
    pass


async def welcome() -> None:
    pass


def run(server: ManagedServer, statement: str) -> list[dict[str, Any]]:
    with sync_driver(Connection(server.uri, password=server.password)) as driver:
        session = driver.session()  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        with session:
            return [record.data() for record in session.run(statement)]  # pyright: ignore[reportArgumentType] -- tests may write Cypher


async def once(config: ServerConfig, statement: str) -> list[dict[str, Any]]:
    server = ManagedServer(config)
    await server.start(readiness(server))
    try:
        return run(server, statement)
    finally:
        await server.stop()


async def dump(config: ServerConfig, target: Path) -> Dump:
    server = ManagedServer(config)
    return await dump_graph(server, target, readiness(server), silent)


async def load(config: ServerConfig, source: Path, accepted: dumps.Accept = welcome) -> Dump:
    server = ManagedServer(config)
    return await load_graph(server, source, readiness(server), accepted, silent)


@pytest.fixture(scope="module")
async def filled_home(stopped_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose server died with 3,000 notes in it: its data were not closed."""
    home = tmp_path_factory.mktemp("filled") / "home"
    shutil.copytree(stopped_home, home)
    server = ManagedServer(small_config(home, shared_cache()))
    await server.start(readiness(server))
    run(server, FILL)
    record = find_running(home)
    assert record is not None
    os.kill(record.pid, signal.SIGKILL)
    await server.stop()
    return home


@pytest.fixture(scope="module")
async def dumped(filled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dump") / "notes.dump"
    done = await dump(small_config(filled_home, shared_cache()), target)
    assert done == Dump(target, target.stat().st_size, done.graph_bytes)
    assert done.graph_bytes > 3000 * 32
    assert [path.name for path in target.parent.iterdir()] == ["notes.dump"]
    assert target.stat().st_mode & 0o777 == 0o600
    return target


async def test_a_dump_fills_a_new_home_that_has_its_own_password(
    dumped: Path, filled_home: Path, config: ServerConfig
) -> None:
    await load(config, dumped)
    assert await once(config, COUNT) == [{"n": 3000}]
    assert not LEFT_OVER & {path.name for path in config.home.iterdir()}
    old, new = (home / "neo4j-password" for home in (filled_home, config.home))
    assert old.read_text() != new.read_text()


@pytest.mark.parametrize("fault", ["cut off", "altered", "no dump"])
async def test_a_damaged_dump_changes_nothing(
    dumped: Path, used_config: ServerConfig, tmp_path: Path, fault: str
) -> None:
    whole = dumped.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "cut off": whole[:middle],
        "altered": whole[:middle] + bytes([whole[middle] ^ 0x10]) + whole[middle + 1 :],
        "no dump": b"a memory",
    }
    source = tmp_path / "damaged.dump"
    source.write_bytes(damaged[fault])
    before = contents(used_config.home)
    with pytest.raises(DumpError) as failed:
        await load(used_config, source)
    assert "WARNING" not in failed.value.message
    assert len(failed.value.message) < 400
    assert contents(used_config.home) == before


def contents(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()
    }


async def test_a_graph_that_is_refused_gives_way_to_the_old_one(
    dumped: Path, used_config: ServerConfig
) -> None:
    before = graph_bytes(used_config.home)

    async def refuse() -> None:
        raise DumpError("of a newer release")

    with pytest.raises(DumpError, match="newer release"):
        await load(used_config, dumped, refuse)
    assert find_running(used_config.home) is None
    assert not LEFT_OVER & {path.name for path in used_config.home.iterdir()}
    assert graph_bytes(used_config.home) == before
    assert await once(used_config, COUNT) == [{"n": 0}]


async def test_a_load_that_was_killed_is_undone_by_the_next_start(
    used_config: ServerConfig, caplog: pytest.LogCaptureFixture
) -> None:
    home = used_config.home
    (fresh_stage(home) / "data" / "databases" / "neo4j").mkdir(parents=True)
    complete_stage(home)
    put_in_place(home)
    with running_on(home) as trial:  # what the command started and did not live to stop
        assert await once(used_config, COUNT) == [{"n": 0}]
        assert trial.wait(5) == -signal.SIGTERM
    assert "is undone" in caplog.text
    assert not LEFT_OVER & {path.name for path in home.iterdir()}


@contextmanager
def running_on(home: Path) -> Generator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "1000"])
    record = ServerRecord(process.pid, creation_time(process.pid), 1, 1, "java", "2026.08.1")
    write_server(home, record)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def test_both_are_refused_while_somebody_works_on_the_home(
    used_config: ServerConfig, tmp_path: Path
) -> None:
    claim = HomeClaim(used_config.home)
    claim.take()
    with pytest.raises(HomeInUseError):
        await dump(used_config, tmp_path / "a.dump")
    claim.release()
    with running_on(used_config.home):
        for work in (dump, load):
            with pytest.raises(HomeInUseError, match="stratagraph neo4j stop"):
                await work(used_config, tmp_path / "a.dump")
    assert not (tmp_path / "a.dump").exists()


async def test_a_home_without_a_graph_has_nothing_to_dump(
    config: ServerConfig, tmp_path: Path
) -> None:
    with pytest.raises(DumpError, match="no graph"):
        await dump(config, tmp_path / "a.dump")


async def test_what_cannot_be_written_or_read_is_named(
    used_config: ServerConfig, tmp_path: Path
) -> None:
    with pytest.raises(DumpError, match="nowhere"):
        await dump(used_config, tmp_path / "nowhere" / "a.dump")
    with pytest.raises(DumpError, match=r"a\.dump"):
        await load(used_config, tmp_path / "a.dump")


async def test_a_full_disk_ends_a_dump_and_leaves_nothing(
    filled_home: Path, dumped: Path, small_disk: SmallDisk
) -> None:
    disk = small_disk(dumped.stat().st_size // 2)
    with pytest.raises(DumpError, match="No space left"):
        await dump(small_config(filled_home, shared_cache()), disk / "a.dump")
    assert list(disk.iterdir()) == []


async def test_a_disk_too_small_for_both_graphs_is_refused_before_anything_is_read(
    dumped: Path, small_disk: SmallDisk
) -> None:
    home = small_disk(40 * 2**20) / "home"
    with pytest.raises(DumpError, match=r"MB free; the old data are kept"):
        await load(small_config(home, shared_cache()), dumped)
    assert not LEFT_OVER & {path.name for path in home.iterdir()}


async def test_what_a_killed_dump_left_goes_with_the_next(
    filled_home: Path, dumped: Path, tmp_path: Path
) -> None:
    gone = next(pid for pid in range(2**22, 1, -1) if not psutil.pid_exists(pid))
    left = tmp_path / f".notes.dump.{gone}.stratagraph-part"
    others = tmp_path / f".notes.dump.{os.getppid()}.stratagraph-part"
    for path in (left, others):
        path.touch()
    await dump(small_config(filled_home, shared_cache()), tmp_path / "a.dump")
    assert {path.name for path in tmp_path.iterdir()} == {"a.dump", others.name}


async def test_an_older_neo4j_does_not_open_what_a_newer_one_used(
    used_config: ServerConfig,
) -> None:
    home = used_config.home
    assert last_version(home) is not None
    note_version(home, "2099.01.0")
    started = time.monotonic()
    with pytest.raises(ServerStartError, match=r"Neo4j 2099\.01\.0 used the data in .* older"):
        await once(used_config, COUNT)
    assert time.monotonic() - started < 5
    assert last_version(home) == "2099.01.0"
