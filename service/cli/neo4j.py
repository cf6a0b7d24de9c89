"""`stratagraph neo4j …`: manual control of the managed server."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from graph.kernel.errors import StratagraphError
from service.bootstrap.managed import (
    ServerSettings,
    ServerStatus,
    build_server,
    has_fast_start,
    install_neo4j,
    is_installed,
    prepare_fast_start,
    start_server,
)
from service.bootstrap.models import NAME, fetch_model, model_folder, uses_default_model
from service.settings import Settings, load_settings

NOT_RUNNING = 3
PLAIN_STEP_PERCENT = 5
FOLLOW_SECONDS = 0.5

app = typer.Typer(no_args_is_help=True, help="The Neo4j that Stratagraph runs by itself.")


@app.command()
def install(
    from_folder: Annotated[
        Path | None,
        typer.Option(help="A folder with the jars, for machines without a connection."),
    ] = None,
) -> None:
    """Fetch and verify Neo4j's jars and the embedding model, and prepare a fast start.

    Where NEO4J_URI names a server of your own, the model alone is fetched.
    """
    with _errors_told():
        settings = load_settings()
        ensure_all_installed(settings, from_folder)
        if settings.neo4j_uri is None:
            print(f"Neo4j is installed in {settings.cache}.")
        if uses_default_model(settings):
            print(f"The embedder {NAME} is installed in {settings.cache}.")


@app.command()
def start() -> None:
    """Start Neo4j and leave it running."""
    with _errors_told():
        settings = load_settings()
        ensure_installed(settings)
        ran_before = build_server(settings).status().pid is not None
        status = asyncio.run(_start_detached(settings))
        print(f"Neo4j {'runs already' if ran_before else 'started'} and goes on by itself.")
        _print_status(status)
        print("Stop it with: stratagraph neo4j stop")


@app.command()
def stop() -> None:
    """Stop Neo4j; a service that uses it must be stopped first."""
    with _errors_told():
        server = build_server(load_settings())
        if server.status().pid is None:
            print(f"No Neo4j runs on {server.config.home}.")
            return
        asyncio.run(server.stop())
        print(f"Neo4j on {server.config.home} is stopped; its data stay.")


@app.command()
def status() -> None:
    """Say whether Neo4j runs, and where; ends with 3 if it does not."""
    with _errors_told():
        found = build_server(load_settings()).status()
        if found.pid is None:
            print(f"No Neo4j runs on {found.home}. Start it with: stratagraph neo4j start")
            raise typer.Exit(NOT_RUNNING)
        _print_status(found)


@app.command()
def logs(
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for more.")] = False,
) -> None:
    """Print the last lines of Neo4j's log."""
    with _errors_told():
        server = build_server(load_settings())
        print(server.log_tail(lines))
        try:
            while follow:
                time.sleep(FOLLOW_SECONDS)
                sys.stdout.write(server.new_log())
                sys.stdout.flush()
        except KeyboardInterrupt:
            return


def ensure_all_installed(settings: Settings, from_folder: Path | None = None) -> None:
    """Download what a service with these settings lacks: Neo4j unless one is named, and the model."""
    if settings.neo4j_uri is None:
        ensure_installed(settings, from_folder)
    if uses_default_model(settings) and model_folder(settings) is None:
        print(f"Fetching {NAME} into {settings.cache} (once, about 25 MB)", flush=True)
        with _progress("MB") as progress:
            fetch_model(settings, progress=progress, from_folder=from_folder)


def ensure_installed(settings: ServerSettings, from_folder: Path | None = None) -> None:
    """Download what is missing of Neo4j with progress; silent if nothing is."""
    if not is_installed(settings):
        print(f"Fetching Neo4j into {settings.cache} (once, about 180 MB)", flush=True)
        with _progress("jars") as progress:
            install_neo4j(settings, progress=progress, from_folder=from_folder)
    if not has_fast_start(settings):
        print("Preparing fast starts (once, about 20 s)", flush=True)
        prepare_fast_start(settings)


async def _start_detached(settings: ServerSettings) -> ServerStatus:
    server = await start_server(settings)
    # the claim is released, and the server left running
    server.release()
    return server.status()


def _print_status(found: ServerStatus) -> None:
    rows = {
        "Neo4j": found.version,
        "process": found.pid,
        "Bolt": found.uri,
        "Browser": found.browser_url,
        "login": f"neo4j, password in {found.password_file}",
        "data": found.home / "data",
        "memory": f"{(found.memory_bytes or 0) / 2**20:.0f} MB",
        "Java": found.java,
        "used by": found.service_url or "no service",
    }
    for name, value in rows.items():
        print(f"{name:<9} {value}")


@contextmanager
def _progress(unit: str) -> Generator[Callable[[int, int, str], None]]:
    if not sys.stdout.isatty():
        yield _plain_progress(unit)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}"))
    with Progress(*columns, TextColumn("of {task.total}"), TimeRemainingColumn()) as bar:
        task = bar.add_task(unit, total=None)
        yield lambda done, total, _: bar.update(task, completed=done, total=total)


def _plain_progress(unit: str) -> Callable[[int, int, str], None]:
    printed = 0

    def show(done: int, total: int, name: str) -> None:
        nonlocal printed
        percent = 100 * done // max(total, 1)
        if percent >= printed + PLAIN_STEP_PERCENT:
            printed = percent
            print(f"  {percent:3d} %  {done} of {total} {unit}  ({name})", flush=True)

    return show


@contextmanager
def _errors_told() -> Generator[None]:
    try:
        yield
    except StratagraphError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error
