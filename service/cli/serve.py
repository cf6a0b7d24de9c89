"""`stratagraph serve` and `stop`: Neo4j and the API, from start to an orderly end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import psutil
import typer

from graph.kernel.errors import StratagraphError
from service.bootstrap.managed import (
    ServerState,
    build_server,
    read_service,
    remove_service,
    write_service,
)
from service.cli.database import (
    Database,
    home_of,
    open_database,
    open_when_ready,
    refuse_while_serving,
)
from service.cli.neo4j import ensure_all_installed
from service.cli.port import api_url, bind_api
from service.cli.telling import tell
from service.logs import configure_logging
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from service.bootstrap import Service
    from service.cli.web import Api

STOP_SECONDS = 60.0


def serve(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Port of the API, instead of STRATAGRAPH_PORT."),
    ] = None,
) -> None:
    """Start Neo4j (unless NEO4J_URI names one) and the API; Ctrl-C stops both."""
    settings = load_settings()
    if port is not None:
        settings = settings.model_copy(update={"port": port})
    configure_logging(settings.log_level, settings.log_format)
    _refuse_what_cannot_be(settings)
    with terminated_like_interrupted():
        ensure_all_installed(settings)
    with asyncio.Runner(loop_factory=event_loop()) as runner:
        runner.run(Serving(settings).run())


def _refuse_what_cannot_be(settings: Settings) -> None:
    from service.bootstrap.telemetry import refuse_untraceable

    refuse_while_serving(settings)
    refuse_untraceable(settings)


def stop() -> None:
    """Stop the service of this home, and its Neo4j."""
    settings = load_settings()
    home = home_of(settings)
    record = read_service(home)
    if record is not None:
        print(f"Stopping the service at {record.api_url}", flush=True)
        # SIGTERM: it ends its requests, and its Neo4j
        os.kill(record.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while record.is_alive():
            if time.monotonic() > deadline:
                raise StratagraphError(f"Process {record.pid} does not end; end it by hand.")
            time.sleep(0.1)
    # left by a service, or started manually
    server = build_server(settings)
    lone = server.status().pid is not None
    if lone:
        print("Stopping Neo4j", flush=True)
        asyncio.run(server.stop())
    print("Stopped." if record or lone else f"Nothing runs on {home}.")


class Serving:
    """One run of the service."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server = build_server(settings)
        self._api: Api | None = None
        self._told_to_stop = False

    async def run(self) -> None:
        """Start, serve, and stop in reverse order; a signal is no error."""
        self._listen_for_signals()
        # the home before the port: a second process gets an error that names the first
        self._server.claim()
        try:
            with bind_api(self._settings) as listener:
                await self._run(listener)
        except asyncio.CancelledError:
            if not self._told_to_stop:
                raise
        finally:
            self._server.release()
        tell(self._settings, "Stopped.", "stopped")

    async def _run(self, listener: socket.socket) -> None:
        async with (
            open_database(self._settings, self._server) as database,
            open_when_ready(self._settings, database) as service,
        ):
            await self._answer(service, listener, database)

    def _listen_for_signals(self) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- we are in one
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop, task)

    def _stop(self, task: asyncio.Task[None]) -> None:
        # the second signal ends it at once
        again, self._told_to_stop = self._told_to_stop, True
        if self._api is not None:
            self._api.force_exit = again
            self._api.should_exit = True
        elif not again:
            task.cancel()

    async def _answer(self, service: Service, listener: socket.socket, database: Database) -> None:
        from service.cli.web import Api, answer, api_config

        self._api = api = Api(api_config(service))
        answering = asyncio.create_task(answer(api, listener))
        announcing = asyncio.create_task(self._announce(api, api_url(listener), database))
        # concurrently with the first requests
        warming = asyncio.create_task(_warm_up(service, api))
        watching = asyncio.ensure_future(
            database.watch(self._hear_of_server(service), service.database.take_failure)
        )
        try:
            # the API stopped by itself, or the managed Neo4j died for good
            await asyncio.wait({answering, watching}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tell(self._settings, "Stopping", "stopping")
            api.should_exit = True
            announcing.cancel()
            warming.cancel()
            # before the last answers: no new requests are sent here
            remove_service(home_of(self._settings))
            await answering
        if watching.done():
            await watching
        watching.cancel()

    async def _announce(self, api: Api, url: str, database: Database) -> None:
        # the address is announced once it answers
        await api.listening.wait()
        write_service(home_of(self._settings), url)
        tell(
            self._settings,
            f"\nStratagraph is ready after {_age_seconds():.1f} s.\n"
            f"  API            {url}\n"
            f"  Docs           {url}/docs\n"
            f"  Neo4j Browser  {database.browser}\n"
            f"  Log in with    {database.login}\n"
            f"  Data           {database.data}\n"
            "Ctrl-C stops it.\n",
            "ready",
            url=url,
        )

    def _hear_of_server(self, service: Service) -> Callable[[ServerState], None]:
        from service.bootstrap.telemetry import note_server

        if self._settings.neo4j_uri is None:
            service.telemetry.gauge("managed_server_up", 1)

        def hear(state: ServerState) -> None:
            told = {"down": "Neo4j died; starting it again", "up": "Neo4j is back"}
            tell(self._settings, told[state], f"neo4j_{state}")
            note_server(service.telemetry, state)

        return hear


def _age_seconds() -> float:
    """Seconds since this process started, imports included."""
    return time.time() - psutil.Process().create_time()


async def _warm_up(service: Service, api: Api) -> None:
    """Let Neo4j plan the usual forms of the recall statement before the first request."""
    from graph.kernel.scope import Caller
    from graph.model.recall.candidates import Filters
    from graph.ports.events import NO_EVENTS
    from service.use_cases.recall.recall import RecallRequest

    recall = replace(service.recall, events=NO_EVENTS)  # not requested: errors are not reported
    await api.listening.wait()
    usual = RecallRequest(Caller("local", "warm-up"), text="warm up")
    filtered = replace(usual, filters=Filters(kinds=("insight",)))
    with suppress(StratagraphError):
        for request in (usual, filtered, replace(usual, hops=0)):
            await recall(request)


def event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


@contextmanager
def terminated_like_interrupted() -> Generator[None]:
    """Let SIGTERM unwind like Ctrl-C, so that no child process remains.

    SIGINT too: it is ignored in background processes of a script.
    """

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
