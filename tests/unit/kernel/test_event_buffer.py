from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from graph.kernel.errors import DatabaseError, DatabaseUnavailableError, StratagraphError
from graph.kernel.events import Event, EventClock, EventFilter, NumberedEvent
from graph.model.memories.links import Lease
from graph.ports.events import NO_EVENTS
from service.events import EventBuffer
from service.metrics import Metrics

if TYPE_CHECKING:
    from graph.database.events import EventStore

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class Shelf:
    """A store that keeps what it is given, or fails as it is told."""

    def __init__(self) -> None:
        self.kept: list[Event] = []
        self.failure: StratagraphError | None = None

    async def save(self, events: Sequence[Event]) -> None:
        if self.failure is not None:
            raise self.failure
        self.kept += events

    async def clock(self, tenant: str) -> EventClock:
        raise NotImplementedError

    async def window(
        self, tenant: str, meant: EventFilter, after: int, upto: int
    ) -> tuple[NumberedEvent, ...]:
        raise NotImplementedError

    async def number_all(self) -> int:
        raise NotImplementedError

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        raise NotImplementedError


def event(number: int, **data: object) -> Event:
    name = "memory:utility_retrieval_completed"
    return Event(str(number), name, "local/agent/anna", "anna", NOW, data or {"n": number})


async def test_what_is_noted_is_written_in_its_order() -> None:
    shelf = Shelf()
    buffer = EventBuffer(cast("EventStore", shelf))
    for number in range(2_500):
        buffer.note(event(number))
    assert buffer.waiting == 2_500
    await buffer.flush()
    assert [each.uid for each in shelf.kept] == [str(number) for number in range(2_500)]
    assert buffer.waiting == 0


async def test_what_is_not_taken_is_kept_for_the_next_time() -> None:
    shelf = Shelf()
    buffer = EventBuffer(cast("EventStore", shelf))
    shelf.failure = DatabaseUnavailableError()
    for number in range(3):
        buffer.note(event(number))
    await buffer.flush()
    buffer.note(event(3))
    assert buffer.waiting == 4
    shelf.failure = None
    await buffer.flush()
    assert [each.uid for each in shelf.kept] == ["0", "1", "2", "3"]


async def test_what_cannot_be_kept_is_counted() -> None:
    metrics = Metrics()
    shelf = Shelf()
    buffer = EventBuffer(cast("EventStore", shelf), metrics, most=2)
    for number in range(5):
        buffer.note(event(number))
    assert buffer.waiting == 2
    assert b"\nstratagraph_events_dropped_total 3.0\n" in metrics.exposition()
    shelf.failure = DatabaseError()
    await buffer.flush()
    assert buffer.waiting == 0
    assert b"\nstratagraph_events_dropped_total 5.0\n" in metrics.exposition()
    told = b'stratagraph_events_total{event="memory:utility_retrieval_completed"} 5.0'
    assert told in metrics.exposition()


def test_a_line_of_the_log_has_numbers_and_our_words_and_no_ids(
    caplog: pytest.LogCaptureFixture,
) -> None:
    buffer = EventBuffer(cast("EventStore", Shelf()))
    with caplog.at_level(logging.INFO, "stratagraph.events"):
        buffer.told(
            event(1, uid="01JZ8M5Q0V7Y3T2N4R6W8X9ABC", task_id="ticket-17", kind="outcome", old=0.5,
                  moves=[["01JZ8M5Q0V7Y3T2N4R6W8X9ABC", 0.5, 0.6]])
        )  # fmt: skip
    [record] = caplog.records
    facts = vars(record)
    assert facts["action"] == "memory:utility_retrieval_completed"
    assert (facts["kind"], facts["old"], facts["moves_count"]) == ("outcome", 0.5, 1)
    assert "01JZ8M5Q0V7Y3T2N4R6W8X9ABC" not in str(facts)
    assert "ticket-17" not in str(facts)


def test_whoever_keeps_no_events_keeps_none() -> None:
    NO_EVENTS.note(event(1))
    NO_EVENTS.told(event(1))
