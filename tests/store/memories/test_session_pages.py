"""Lists and counts of one session: by its own index, and with what the filter alone would give."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from graph.database.driver import Database
from graph.model.memories.browsing import PageOrder, PagePosition, PageQuery
from graph.model.memories.memory import Memory, NewMemory
from graph.model.recall.candidates import Filters
from graph.ports.telemetry import Span, Unwatched
from graph.store.memories.browsing import MemoryBrowser
from service.bootstrap import Service

HOME, OTHER, FOREIGN = "local/agent/anna", "local/user/ada", "local/agent/bert"


class Heard(Unwatched):
    """Which statements ran."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def span(self, work: str, name: str, **attributes: Any) -> Span:  # pyright: ignore[reportIncompatibleMethodOverride] -- attributes hold the parent too
        if work == "statement":
            self.statements.append(name)
        return super().span("statement", name, **attributes)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def browser(service: Service, heard: Heard) -> MemoryBrowser:
    database = service.database
    return MemoryBrowser(Database(database.driver, "neo4j", database.slot, heard))


async def two_sessions(service: Service) -> None:
    for turn in range(7):
        await service.remember(
            [
                NewMemory(scope, f"{session} {turn} in {scope}", session_id=session, tags=tags)
                for scope in (HOME, OTHER, FOREIGN)
                for session, tags in (("s", ("odd",) if turn % 2 else ()), ("t", ()))
            ]
        )
    await service.remember([NewMemory(HOME, "in no session")])


async def pages(
    browser: MemoryBrowser, filters: Filters, order: PageOrder, limit: int, now: datetime
) -> list[Memory]:
    query = PageQuery((HOME, OTHER), filters, now, order, limit)
    found: list[Memory] = []
    while page := await browser.page(query):
        assert len(page) <= limit
        found += page
        assert len(found) == len({memory.uid for memory in found})
        query = replace(query, after=PagePosition(page[-1].recorded_at, page[-1].uid))
    return found


@pytest.mark.parametrize("order", ["newest", "oldest"])
@pytest.mark.parametrize("limit", [1, 5, 50])
async def test_a_session_is_listed_as_the_filter_would_by_its_index(
    service: Service, browser: MemoryBrowser, heard: Heard, order: PageOrder, limit: int
) -> None:
    await two_sessions(service)
    now = service.clock.now()
    filters = Filters(tags_all=("odd",))
    for narrow in (Filters(), filters):
        everything = await pages(browser, narrow, order, limit, now)
        assert set(heard.statements) == {f"memories.list_memories.{order}"}
        heard.statements.clear()
        own = await pages(browser, replace(narrow, session_id="s"), order, limit, now)
        assert own == [memory for memory in everything if memory.session_id == "s"]
        assert len(own) == (6 if narrow.tags_all else 14)
        assert set(heard.statements) == {
            "memories.measure_session",
            f"memories.list_memories.session_{order}",
        }
        heard.statements.clear()


@pytest.mark.parametrize(("longest", "name"), [(14, "newest"), (15, "session_newest")])
async def test_a_long_session_is_walked_in_the_order_of_time(
    service: Service, heard: Heard, longest: int, name: str
) -> None:
    await two_sessions(service)
    database = service.database
    watched = Database(database.driver, "neo4j", database.slot, heard)
    browser = MemoryBrowser(watched, long_session=longest)
    own = await pages(browser, Filters(session_id="s"), "newest", 5, service.clock.now())
    assert len(own) == 14
    assert set(heard.statements) == {"memories.measure_session", f"memories.list_memories.{name}"}


async def test_a_session_is_counted_as_the_filter_would_by_its_index(
    service: Service, browser: MemoryBrowser, heard: Heard
) -> None:
    await two_sessions(service)
    now = service.clock.now()
    everything = await browser.count([HOME, OTHER], Filters(), now, "session")
    own = await browser.count([HOME, OTHER], Filters(session_id="s"), now, "session")
    assert own.groups == {"s": 14}
    assert everything.groups == {"s": 14, "t": 14, "": 1}
    assert own.total == 14
    assert heard.statements == [
        "memories.list_memories.counted",
        "memories.list_memories.session_counted",
    ]
    assert (await browser.count([HOME], Filters(session_id="no such"), now, None)).total == 0
