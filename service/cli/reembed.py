"""`stratagraph reembed`: another embedder for a graph in use."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from service.bootstrap.managed import read_service, running_connection
from service.cli.data import connected
from service.cli.database import home_of
from service.cli.neo4j import ensure_all_installed
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from service.bootstrap import Connection
    from service.bootstrap.reembedding import Reembedded, Step
    from service.use_cases.operation.reembed import Tell

PLAIN_STEP_PERCENT = 5


def reembed(
    embedder: Annotated[
        str | None,
        typer.Option(
            help="`bge-small-en-v1.5-int8`, `wordllama`, or a sentence-transformers model by name or "
            "folder; unset: the one that was begun with, else STRATAGRAPH_EMBEDDER, else the first."
        ),
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=10_000, help="Memories per transaction.")] = 256,
    grace: Annotated[
        float,
        typer.Option(min=0, help="Seconds that the old vectors stay for services to switch."),
    ] = 30.0,
    cancel: Annotated[
        bool, typer.Option("--cancel", help="Give up a re-embedding that has not switched yet.")
    ] = False,
) -> None:
    """Give every memory a vector of another embedder, while services go on; resumes after a kill."""
    settings = load_settings()
    ensure_all_installed(settings)
    if cancel:
        name = asyncio.run(_cancel(settings))
        print(f"Given up: the vectors of {name} are gone. Recalls never read them.")
        return
    try:
        done = asyncio.run(_reembed(settings, embedder, batch, grace))
    except KeyboardInterrupt:
        print("Stopped; `stratagraph reembed` goes on from here, `--cancel` gives it up.")
        raise typer.Exit(130) from None
    _report(done)


async def _reembed(settings: Settings, source: str | None, batch: int, grace: float) -> Reembedded:
    from service.bootstrap.reembedding import reembed

    async with _connected(settings) as connection:
        with _progress() as tell:
            return await reembed(
                settings, connection, tell, source=source, batch=batch, grace_seconds=grace
            )


async def _cancel(settings: Settings) -> str:
    from service.bootstrap.reembedding import cancel_reembedding

    async with _connected(settings) as connection:
        with _progress() as tell:
            return await cancel_reembedding(connection, tell)


@asynccontextmanager
async def _connected(settings: Settings) -> AsyncGenerator[Connection]:
    """Connect to the Neo4j of this home, also beside a running service."""
    home = home_of(settings)
    # a service has claimed the home: its Neo4j is used
    if settings.neo4j_uri is None and read_service(home) is not None:
        yield running_connection(home)
        return
    async with connected(settings) as connection:
        yield connection


def _report(done: Reembedded) -> None:
    print(f"The graph's {done.memories} memories are embedded by {done.embedder}.")
    print(f"Embedded in this run: {done.embedded}.")
    if done.client_vectors:
        print(
            f"{done.client_vectors} came with a vector of the client's; "
            "theirs are made of the text now."
        )
    if done.wordless:
        print(f"{done.wordless} have no word in their text; only words and links find them.")
    print("Set STRATAGRAPH_EMBEDDER to it, or unset it, before a service is started again.")


@contextmanager
def _progress() -> Generator[Tell]:
    if not sys.stdout.isatty():
        yield _plain()
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
    ) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(step: Step, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total)
            bar.update(tasks[step], completed=done, total=total)

        yield tell


def _plain() -> Tell:
    said: dict[str, int] = {}

    def tell(step: Step, done: int, total: int) -> None:
        percent = 100 * done // total if total else 100
        part = percent // PLAIN_STEP_PERCENT * PLAIN_STEP_PERCENT
        if part > said.get(step, -1):
            said[step] = part
            print(f"  {step}: {part} % ({done} of {total})", flush=True)

    return tell
