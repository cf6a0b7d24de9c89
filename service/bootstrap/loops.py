"""Work of a service that is done again and again beside its requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from graph.kernel.errors import StratagraphError

logger = logging.getLogger(__name__)

_LONGEST_PAUSE = 60.0  # seconds, where failures made it longer than it is set


async def repeat(name: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Do some work after each pause of so many seconds, until this is cancelled.

    A failure never ends it. While Neo4j is away, that is only noted; any other error is logged with
    its place, and the pause doubles with each in a row.
    """
    pause = seconds
    while True:
        await asyncio.sleep(pause)
        try:
            await work()
            pause = seconds
        except StratagraphError as error:
            logger.debug("background work waits", extra={"action": name, "why": error.message})
            pause = seconds
        except Exception:
            pause = max(seconds, min(2 * pause, _LONGEST_PAUSE))
            logger.exception("background work failed", extra={"action": name, "pause": pause})
