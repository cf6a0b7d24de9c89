"""Dump of a home's graph to one file, and its load."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from graph.kernel.errors import DumpError, HomeInUseError, RecoveryNeededError
from graph.server.admin import AdminTool, Progress, admin_tool
from graph.server.credentials import ensure_password
from graph.server.process import IsReady, ManagedServer
from graph.server.records import find_running
from graph.server.swap import (
    DATABASE,
    accept,
    clear_stage,
    complete_stage,
    fresh_stage,
    has_graph,
    put_in_place,
)

PART = re.compile(r"\..+\.(?P<pid>\d+)\.stratagraph-part")
ARCHIVE_BYTES = re.compile(r"^Bytes: (\d+)", re.MULTILINE)
SPARE_BYTES = 64 * 2**20

Accept = Callable[[], Awaitable[object]]


@dataclass(frozen=True)
class Dump:
    """A dump file."""

    path: Path
    file_bytes: int
    graph_bytes: int


async def dump_graph(
    server: ManagedServer, target: Path, is_ready: IsReady, progress: Progress
) -> Dump:
    """Write the graph of a home to a file, which appears when it is complete.

    Raises
    ------
    HomeInUseError
        If a service or a Neo4j works on the home.
    DumpError
        If there is no graph, the disk is full, or Neo4j failed.
    """
    home = server.config.home
    await _take_idle(server)
    try:
        if not has_graph(home):
            raise DumpError(f"There is no graph in {home} to dump.")
        # checked before anything is written
        tool = admin_tool(server.config)
        part = _new_part(target)
        try:
            # the tool refuses data of a killed server; a start and stop closes them
            try:
                await _write(tool, part, progress)
            except RecoveryNeededError:
                progress("closing the data properly", 0.0)
                await server.start(is_ready)
                await server.halt()
                await _write(tool, part, progress)
            # verified before it is renamed: an existing dump can be loaded
            found = await inspect(tool, part, progress)
            # renamed when complete
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise _disk_failed(target, error) from error
    finally:
        server.release()
    return Dump(target, found.file_bytes, found.graph_bytes)


async def load_graph(
    server: ManagedServer,
    source: Path,
    is_ready: IsReady,
    accepted: Accept,
    progress: Progress,
) -> Dump:
    """Replace the graph of a home by a dump; if anything fails, the old one is kept.

    The new data are read completely, checked, opened by a server, and passed to `accepted`, which raises if they are
    unsuitable. The server's users and password are those of the home.

    Raises
    ------
    HomeInUseError
        If a service or a Neo4j works on the home.
    DumpError
        If the file is no whole dump, its data are inconsistent, or the disk is too small.
    """
    home = server.config.home
    await _take_idle(server)
    try:
        # the home keeps its own password
        ensure_password(home)
        found = await inspect(admin_tool(server.config), source, progress)
        _refuse_small_disk(home, found)
        await _stage(server, source, progress)
        put_in_place(home)
        progress("opening the new data", 0.0)
        # on trial: any failure from here on restores the old data
        await server.start(is_ready, on_trial=True)
        await accepted()
        await server.halt()
        accept(home)
    except OSError as error:
        raise _disk_failed(home, error) from error
    finally:
        # has no effect once the new data are accepted
        await server.undo_unfinished_load()
        clear_stage(home)
        server.release()
    return found


async def inspect(tool: AdminTool, source: Path, progress: Progress) -> Dump:
    """Return the size of the graph in a file.

    Raises
    ------
    DumpError
        If it is not a dump.
    """
    try:
        with source.open("rb") as file:
            said = await tool.run(
                *("database", "load", "--info", "--from-stdin", DATABASE),
                does=f"reading {source}",
                progress=progress,
                reads=file,
            )
    except OSError as error:
        raise DumpError(f"Cannot read {source}: {error.strerror}.") from error
    size = ARCHIVE_BYTES.search(said)
    if size is None:
        raise DumpError(f"{source} does not say how large its graph is; it is no dump of Neo4j.")
    return Dump(source, source.stat().st_size, int(size[1]))


async def _take_idle(server: ManagedServer) -> None:
    server.claim()
    # an interrupted load comes first, as it decides which data are used
    try:
        await server.undo_unfinished_load()
        running = find_running(server.config.home)
        if running is not None:
            raise HomeInUseError(
                f"Neo4j (process {running.pid}) runs on {server.config.home}. Stop it first: "
                "stratagraph neo4j stop"
            )
    # also on Ctrl-C, or the home would stay locked
    except BaseException:
        server.release()
        raise


async def _write(tool: AdminTool, part: Path, progress: Progress) -> None:
    with part.open("wb") as file:
        await tool.run(
            *("database", "dump", "--to-stdout", DATABASE),
            does="writing the dump",
            progress=progress,
            writes=file,
        )
        os.fsync(file.fileno())


async def _stage(server: ManagedServer, source: Path, progress: Progress) -> None:
    home = server.config.home
    stage = fresh_stage(home)
    tool = admin_tool(server.config, stage)
    with source.open("rb") as file:
        await tool.run(
            *("database", "load", "--from-stdin", DATABASE),
            does="loading the dump",
            progress=progress,
            reads=file,
        )
    # before the data are opened: an inconsistent store may look intact for a while
    await tool.run(
        *("database", "check", f"--report-path={stage}", DATABASE),
        f"--max-off-heap-memory={server.config.pagecache}",
        does="checking the new data",
        progress=progress,
    )
    complete_stage(home)


def _new_part(target: Path) -> Path:
    """Create a hidden file beside the target, and remove those of killed dumps."""
    # only of dead processes: another dump may be running in the same folder
    for path in target.parent.iterdir():
        left = PART.fullmatch(path.name)
        if left and not psutil.pid_exists(int(left["pid"])):
            path.unlink(missing_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.stratagraph-part")
    # 0600: it contains the texts of all memories
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    return part


def _refuse_small_disk(home: Path, found: Dump) -> None:
    # old and new data exist together until the new ones are accepted
    needed = found.graph_bytes + SPARE_BYTES
    free = shutil.disk_usage(home).free
    if free < needed:
        raise DumpError(
            f"{found.path} holds {_mb(found.graph_bytes)}, and {home} has {_mb(free)} free; the "
            f"old data are kept until the new ones are open, so {_mb(needed)} are needed. "
            "Free some space, or choose another STRATAGRAPH_HOME."
        )


def _disk_failed(place: Path, error: OSError) -> DumpError:
    return DumpError(
        f"Cannot write {error.filename or place}: {error.strerror}. Make it writable, or free "
        "some space there."
    )


def _mb(size: int) -> str:
    return f"{size / 2**20:.0f} MB"
