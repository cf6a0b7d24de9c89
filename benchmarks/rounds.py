"""Timing of several calls in turns, by one client or by many concurrently."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Question = tuple[str, str]
"""Who asks, and what."""
Call = Callable[[int, Question], Awaitable[object]]
"""What a client, by its number, does with a question."""


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return a percentile of times in milliseconds."""
    return float(np.percentile(seconds, share)) * 1000


@dataclass(slots=True)
class Timed:
    """Seconds of each call, and of all of them."""

    each: list[float] = field(default_factory=list[float])
    wall: float = 0.0

    def percentile(self, share: float) -> float:
        """Return a percentile of the calls in milliseconds."""
        return percentile(self.each, share)

    @property
    def rate(self) -> float:
        """Calls per second of wall time."""
        return len(self.each) / self.wall


async def one_by_one(
    calls: Mapping[str, Call], questions: Sequence[Question], warm_up: int
) -> dict[str, Timed]:
    """Ask each question by every call in turn, so that a slow moment affects all.

    Each question is asked first by another call, because later calls find its pages cached.
    """
    timed = {name: Timed() for name in calls}
    turns = list(calls.items())
    for place, question in enumerate(questions):
        first = place % len(turns)
        for name, call in turns[first:] + turns[:first]:
            seconds = await _seconds(call, 0, question)
            if place >= warm_up:
                timed[name].each.append(seconds)
                timed[name].wall += seconds
    return timed


async def many_at_once(
    calls: Mapping[str, Call], rounds: Iterable[Sequence[Question]], clients: int
) -> dict[str, Timed]:
    """Let clients share each round's questions, by every call in turn; the first round warms up."""
    timed = {name: Timed() for name in calls}
    for number, questions in enumerate(rounds):
        for name, call in calls.items():
            started = time.perf_counter()
            each = await _shared(call, questions, clients)
            if number:
                timed[name].wall += time.perf_counter() - started
                timed[name].each += each
    return timed


async def _shared(call: Call, questions: Sequence[Question], clients: int) -> list[float]:
    waiting, seconds = iter(questions), list[float]()

    async def client(number: int) -> None:
        for question in waiting:
            seconds.append(await _seconds(call, number, question))

    await asyncio.gather(*(client(number) for number in range(clients)))
    return seconds


async def _seconds(call: Call, client: int, question: Question) -> float:
    started = time.perf_counter()
    await call(client, question)
    return time.perf_counter() - started
