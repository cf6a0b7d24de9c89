"""`stratagraph neo4j dump` and `load`: the graph of the home as one file, and back."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from graph.kernel.errors import ConfigurationError, DumpError
from service.bootstrap.managed import dump_home, graph_size, load_home
from service.cli.database import home_of, refuse_while_serving
from service.cli.neo4j import ensure_installed
from service.settings import Settings, load_settings

PLAIN_STEP_PERCENT = 20

T = TypeVar("T")
Tell = Callable[[str, float], None]


def dump(
    to: Annotated[Path, typer.Argument(help="A file to write, or a folder to write one into.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Overwrite without asking.")] = False,
) -> None:
    """Write the graph into one file; nothing may work on the home meanwhile."""
    settings = _managed_settings("dump")
    target = to.expanduser().absolute()
    if target.is_dir():
        target /= f"stratagraph-{datetime.now(UTC):%Y%m%d-%H%M%S}.dump"
    if target.exists() and not yes:
        typer.confirm(f"Overwrite {target}?", abort=True)
    ensure_installed(settings)
    with _progress() as tell:
        # a cancelled dump cleans up, and leaves no partial file
        done = _run(dump_home(settings, target, tell))
    print(
        f"{done.path} holds the graph of {home_of(settings)}: {_mb(done.file_bytes)}, "
        f"{_mb(done.graph_bytes)} when loaded."
    )
    print("Who can read it can read every memory. The password is not in it.")


def load(
    source: Annotated[Path, typer.Argument(help="A file that dump wrote.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Replace without asking.")] = False,
) -> None:
    """Let a dump take the place of the home's graph; if it fails, the old graph stays."""
    settings = _managed_settings("load")
    source = source.expanduser().absolute()
    if not source.is_file():
        raise DumpError(f"{source} is no file. Name one that `stratagraph neo4j dump` wrote.")
    size = graph_size(settings)
    if size and not yes:
        typer.confirm(
            f"Replace every memory in {home_of(settings)} ({_mb(size)}) by those of {source}?",
            abort=True,
        )
    ensure_installed(settings)
    with _progress() as tell:
        done, schema = _run(load_home(settings, source, tell))
    print(f"{home_of(settings)} holds the graph of {done.path}, at schema {schema}.")
    print("The password is the one the home had.")


def _managed_settings(verb: str) -> Settings:
    settings = load_settings()
    if settings.neo4j_uri is not None:
        raise ConfigurationError(
            f"NEO4J_URI names a server of your own: {verb} it with its own `neo4j-admin database "
            f"{verb}`. Unset it to {verb} the home."
        )
    refuse_while_serving(settings)
    return settings


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; a signal cancels it, so that it cleans up."""

    async def stoppable() -> T:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # cancelled, not raised: cleanup runs in its awaits
            loop.add_signal_handler(number, task.cancel)
        return await task

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError:
        raise DumpError("Stopped. Nothing was changed.") from None


@contextmanager
def _progress() -> Generator[Tell]:
    if not sys.stdout.isatty():
        yield _plain_progress()
        return
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
    ) as bar:  # fmt: skip
        task = bar.add_task("starting", total=100.0)
        yield lambda does, percent: bar.update(task, description=does, completed=percent)


def _plain_progress() -> Tell:
    said: dict[str, int] = {}

    def show(does: str, percent: float) -> None:
        step = int(percent) // PLAIN_STEP_PERCENT * PLAIN_STEP_PERCENT
        if step > said.get(does, -1):
            said[does] = step
            print(f"  {does}: {step} %", flush=True)

    return show


def _mb(size: int) -> str:
    return f"{size / 2**20:.1f} MB"
