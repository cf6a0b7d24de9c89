"""`stratagraph mcp`: the tools for language models, over standard input and output."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import TYPE_CHECKING, Annotated

import typer

from graph.kernel.errors import HomeInUseError, StratagraphError
from service.bootstrap.managed import read_service
from service.cli.database import home_of
from service.cli.neo4j import ensure_all_installed
from service.cli.serve import Serving, event_loop
from service.logs import configure_logging
from service.mcp.toolsets import TOOLSETS
from service.settings import Settings, load_settings
from stratagraph.cli.asking import Agent, Channels, Key, Url, Users

if TYPE_CHECKING:
    from service.mcp.server import Caller

POLL_SECONDS = 0.1
# Hosts cancel a call after a minute.
PATIENCE_SECONDS = 50.0


def mcp(
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    toolsets: Annotated[
        str,
        typer.Option(
            help=f"Tools to list beside the core ones, with commas: {', '.join(TOOLSETS[1:])}, all."
        ),
    ] = "",
) -> None:
    """Offer the memory to a language model's host, which starts this command by itself.

    The service that is named or answers on this home is used; else one is started for as long as
    this command runs. Who asks may be named here or in each call.
    """
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    from service.mcp.stdio import speaker

    key = key or (settings.api_key.get_secret_value() if settings.api_key else None)
    # a named service is never started here
    nearby = Nearby(settings, url or settings.url)
    named = [name for name in (part.strip() for part in toolsets.split(",")) if name]
    caller = speaker(agent, channel or (), user or (), named)
    with asyncio.Runner(loop_factory=event_loop()) as runner:
        runner.run(_speak(nearby, key, caller))


class Nearby:
    """The service of this home: the running one, else one started here."""

    def __init__(self, settings: Settings, named: str | None) -> None:
        self._settings = settings
        self._named = named
        self.observe = settings.mcp_observe
        self._looking = asyncio.Lock()
        self._serving: asyncio.Task[None] | None = None
        self.told_to_stop = asyncio.Event()

    async def url(self) -> str:
        """Return the address, once it answers.

        Raises
        ------
        StratagraphError
            If none answers and none can be started.
        """
        if self._named:
            return self._named
        # one check at a time: two calls must not start two services
        async with self._looking:
            return await self._found()

    async def close(self) -> None:
        """Stop a service that was started here."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)

    async def _found(self) -> str:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            record = read_service(home_of(self._settings))
            if record is not None:
                return record.api_url
            # starting and looking at once: another process may be faster
            self._serve()
            await asyncio.sleep(POLL_SECONDS)
            if time.monotonic() > deadline:
                raise StratagraphError("the service is still starting; try again in a moment")

    def _serve(self) -> None:
        """Start a service, unless one is being started here or elsewhere."""
        # it ended: another process had the home, or an error is reported now
        if self._serving is not None and self._serving.done():
            started, self._serving = self._serving, None
            try:
                started.result()
            except HomeInUseError:
                return
        if self._serving is None:
            self._serving = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await asyncio.to_thread(ensure_all_installed, self._settings)
        await Serving(self._settings).run()
        # The service handles the signals while it runs, and only they end it without an error.
        self.told_to_stop.set()


async def _speak(nearby: Nearby, key: str | None, caller: Caller) -> None:
    from service.mcp.stdio import speak

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, nearby.told_to_stop.set)
    speaking = asyncio.ensure_future(speak(nearby, key, caller, observe=nearby.observe))
    beginning = asyncio.ensure_future(_begin(nearby))
    stopping = asyncio.ensure_future(nearby.told_to_stop.wait())
    # whichever comes first: the host closes the input, or sends a signal
    await asyncio.wait({speaking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    beginning.cancel()
    if speaking.done():
        stopping.cancel()
        await speaking
        return
    await nearby.close()
    # A thread waits for standard input, and only its end would wake it.
    os._exit(0)


async def _begin(nearby: Nearby) -> None:
    """Start the search for a service before the first call, which gets its errors."""
    try:
        await nearby.url()
    except StratagraphError as error:
        typer.echo(error.message, err=True)
