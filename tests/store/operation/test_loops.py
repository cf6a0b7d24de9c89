"""What a service does in the background goes on after an error that nobody foresaw."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.database.driver import Connection
from graph.kernel.events import Event
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.ports.world import Embedder
from service.bootstrap import Service, open_service
from service.bootstrap.configs import LiveConfigs
from service.bootstrap.embedders import GraphEmbedders
from service.events import EventBuffer
from service.settings import Settings
from service.use_cases.recall.accesses import AccessCounter
from tests.conftest import Run

ANNA = Caller("local", "anna")
EVENT = Event(
    "seen",
    "memory:utility_retrieval_completed",
    "local/agent/anna",
    "anna",
    datetime.now(UTC),
    {},
)
OFTEN = {"embedder_watch_seconds": 0.02, "config_watch_seconds": 0.02, "flush_seconds": 0.02}


class UnforeseenError(Exception):
    """Stands for a defect."""


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch, service: Service) -> dict[str, int]:
    """How often each loop of another replica still fails; none does until a test says so."""
    spared = [service.recall.embedders, service.configs, service.accesses, service.events]
    left = dict.fromkeys(["watch_embedders", "watch_configs", "flush_accesses", "flush_events"], 0)
    works = [
        (GraphEmbedders, "refresh"),
        (LiveConfigs, "refresh"),
        (AccessCounter, "flush"),
        (EventBuffer, "flush"),
    ]
    for name, (kind, work), spare in zip(left, works, spared, strict=True):
        monkeypatch.setattr(kind, work, failing(name, getattr(kind, work), left, spare))
    return left


def failing(name: str, work: Any, left: dict[str, int], spare: object) -> Any:
    async def run(self: object) -> Any:
        if left[name] and self is not spare:
            left[name] -= 1
            raise UnforeseenError
        return await work(self)

    return run


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.02)


async def test_a_loop_logs_what_nobody_foresaw_and_goes_on(
    service: Service,
    settings: Settings,
    connection: Connection,
    embedder: Embedder,
    cypher: Run,
    failures: dict[str, int],
    caplog: pytest.LogCaptureFixture,
) -> None:
    [saved] = await service.remember([NewMemory("local/agent/anna", "a note")])
    often = settings.model_copy(update=OFTEN)
    async with open_service(often, connection, embedder) as replica:
        with caplog.at_level(logging.ERROR, "service"):
            failures |= dict.fromkeys(failures, 2)
            replica.accesses.add([saved.uid or ""])
            replica.events.note(EVENT)
            await service.change_config(ANNA, {"q_default": 0.3})
            try:
                await until(lambda: replica.configs.of("local").q_default == 0.3)
            finally:
                await service.change_config.reset(ANNA)
            await until(lambda: bool(cypher("MATCH (m:Memory {access_count: 1}) RETURN m.uid")))
            await until(lambda: bool(cypher("MATCH (e:Event {uid: 'seen'}) RETURN e.uid")))
            await until(lambda: not failures["watch_embedders"])
    failed = [each for each in caplog.records if each.message == "background work failed"]
    assert Counter(vars(each)["action"] for each in failed) == dict.fromkeys(failures, 2)
    assert all(each.exc_info for each in failed)
