from __future__ import annotations

import pytest

from graph.kernel.errors import ServerDiedError, ServerStartError
from graph.server.supervise import ServerState, supervise


class Stopped(Exception):
    pass


class FakeServer:
    """Dies at the given times; time passes only while someone sleeps."""

    def __init__(self, deaths: list[float], failed_restarts: int = 0) -> None:
        self.now = 0.0
        self.naps: list[float] = []
        self.restarts = 0
        self._deaths = deaths
        self._failed_restarts = failed_restarts
        self._down = False

    def alive(self) -> bool:
        if self._deaths and self.now >= self._deaths[0]:
            self._deaths.pop(0)
            self._down = True
        return not self._down

    async def restart(self) -> None:
        self.restarts += 1
        if self._failed_restarts:
            self._failed_restarts -= 1
            raise ServerStartError
        self._down = False

    def log_tail(self, lines: int) -> str:
        return f"the last {lines} lines"

    async def sleep(self, seconds: float) -> None:
        if self.now > 1000:
            raise Stopped
        if seconds >= 1:
            self.naps.append(seconds)
        self.now += seconds


async def watch(server: FakeServer) -> list[ServerState]:
    states: list[ServerState] = []
    with pytest.raises(Stopped):
        await supervise(server, states.append, clock=lambda: server.now, sleep=server.sleep)
    return states


async def test_a_dead_server_is_started_again() -> None:
    server = FakeServer([5.0])
    assert await watch(server) == ["down", "up"]
    assert (server.restarts, server.naps) == (1, [1.0])


async def test_pauses_grow_while_deaths_follow_each_other_and_shrink_after_calm() -> None:
    server = FakeServer([10.0, 50.0, 90.0, 130.0, 500.0])
    await watch(server)
    assert server.naps == [1.0, 2.0, 4.0, 8.0, 1.0]


async def test_the_third_death_within_a_minute_ends_it_with_the_last_lines() -> None:
    server = FakeServer([10.0, 20.0, 30.0])
    with pytest.raises(ServerDiedError, match=r"(?s)3 times within 60 s.*the last 20 lines"):
        await supervise(server, lambda _: None, clock=lambda: server.now, sleep=server.sleep)
    assert server.restarts == 2


async def test_a_restart_that_fails_counts_as_a_death() -> None:
    server = FakeServer([10.0], failed_restarts=2)
    with pytest.raises(ServerDiedError):
        await supervise(server, lambda _: None, clock=lambda: server.now, sleep=server.sleep)
    assert server.restarts == 2


async def test_a_server_that_closed_its_database_is_restarted_once_there_is_room() -> None:
    server = FakeServer([])
    closed = [5.0]

    def failed() -> bool:
        return bool(closed) and server.now >= closed[0] and closed.pop() > 0

    states: list[tuple[float, ServerState]] = []
    with pytest.raises(Stopped):
        await supervise(
            server,
            lambda state: states.append((server.now, state)),
            clock=lambda: server.now,
            sleep=server.sleep,
            failed=failed,
            has_room=lambda: server.now >= 100,
        )
    assert [state for _, state in states] == ["down", "up"]
    assert states[0][0] == pytest.approx(5, abs=0.5)
    assert states[1][0] == pytest.approx(100, abs=1.5)
    assert server.restarts == 1
