"""The graph of a home as one file, and back."""

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
    """A file with a graph in it."""

    path: Path
    file_bytes: int
    graph_bytes: int


async def dump_graph(
    server: ManagedServer, target: Path, is_ready: IsReady, progress: Progress
) -> Dump:
    """Write the graph of a home into a file, which appears when it is whole.

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
        # found before anything is written: what is missing is told first
        tool = admin_tool(server.config)
        part = _new_part(target)
        try:
            # the tool refuses data of a server that was killed: one start and stop closes them
            try:
                await _write(tool, part, progress)
            except RecoveryNeededError:
                progress("closing the data properly", 0.0)
                await server.start(is_ready)
                await server.halt()
                await _write(tool, part, progress)
            # read back before it gets its name: a dump that is there can be loaded
            found = await inspect(tool, part, progress)
            # the name appears with the whole dump
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
    """Put a dumped graph in the place of a home's own; whatever fails, the old one stays.

    The new data are read whole, checked, opened by a server, and shown to `accepted`, which
    raises if they will not do. The server's users and password stay those of the home.

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
        # the home keeps its own password, whoever made the dump
        ensure_password(home)
        found = await inspect(admin_tool(server.config), source, progress)
        _refuse_small_disk(home, found)
        await _stage(server, source, progress)
        put_in_place(home)
        progress("opening the new data", 0.0)
        # on trial: whatever fails from here on puts the old data back
        await server.start(is_ready, on_trial=True)
        await accepted()
        await server.halt()
        accept(home)
    except OSError as error:
        raise _disk_failed(home, error) from error
    finally:
        # does nothing once the new data were accepted
        await server.undo_unfinished_load()
        clear_stage(home)
        server.release()
    return found


async def inspect(tool: AdminTool, source: Path, progress: Progress) -> Dump:
    """Say how large the graph in a file is.

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
    # a load that was cut off before comes first: it decides which data are here
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
    # before the data are opened: an inconsistent store may look whole for a while
    await tool.run(
        *("database", "check", f"--report-path={stage}", DATABASE),
        f"--max-off-heap-memory={server.config.pagecache}",
        does="checking the new data",
        progress=progress,
    )
    complete_stage(home)


def _new_part(target: Path) -> Path:
    """Make a hidden file beside the target, and remove those of dumps that were killed."""
    # of processes that are gone: another dump may be at work in the same folder
    for path in target.parent.iterdir():
        left = PART.fullmatch(path.name)
        if left and not psutil.pid_exists(int(left["pid"])):
            path.unlink(missing_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.stratagraph-part")
    # 0600: it holds what all memories say
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    return part


def _refuse_small_disk(home: Path, found: Dump) -> None:
    # old and new data lie side by side until the new ones are accepted
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
