"""Supervision of a server: restart after a death, give up after too many."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Literal, NoReturn, Protocol

from graph.kernel.errors import PortTakenError, ServerDiedError, ServerStartError

ServerState = Literal["up", "down"]

WATCH_SECONDS = 0.25
ROOM_SECONDS = 1.0
DEATHS_ALLOWED = 3
WINDOW_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
LAST_LINES = 20


class Supervised(Protocol):
    def alive(self) -> bool: ...

    async def restart(self) -> None: ...

    def log_tail(self, lines: int) -> str: ...


async def supervise(
    server: Supervised,
    on_state: Callable[[ServerState], None],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    failed: Callable[[], bool] = lambda: False,
    has_room: Callable[[], bool] = lambda: True,
) -> NoReturn:
    """Watch the server until cancelled; `on_state` is called at each death and each recovery.

    A live server that has `failed` is restarted like a dead one; none is started without disk space.

    Raises
    ------
    ServerDiedError
        After three deaths within 60 seconds; the message ends with the server's last lines.
    """
    deaths: deque[float] = deque(maxlen=DEATHS_ALLOWED)
    streak = 0
    while True:
        if server.alive() and not failed():
            await sleep(WATCH_SECONDS)
            continue
        on_state("down")
        now = clock()
        # the count restarts a long time after the last death
        streak = streak + 1 if deaths and now - deaths[-1] <= WINDOW_SECONDS else 1
        deaths.append(now)
        if len(deaths) == DEATHS_ALLOWED and now - deaths[0] <= WINDOW_SECONDS:
            raise ServerDiedError(
                f"Neo4j died {DEATHS_ALLOWED} times within {WINDOW_SECONDS:.0f} s. "
                f"Its last lines:\n{server.log_tail(LAST_LINES)}"
            )
        # doubled pauses, to relieve a machine in trouble
        await sleep(min(FIRST_PAUSE_SECONDS * 2 ** (streak - 1), LONGEST_PAUSE_SECONDS))
        # without disk space Neo4j would close its database again
        while not has_room():
            await sleep(ROOM_SECONDS)
        try:
            await server.restart()
        except (ServerStartError, PortTakenError):
            # counts as a death at the next check
            continue
        failed()  # the failure that requests met before the restart
        on_state("up")
