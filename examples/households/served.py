"""The same minds in a service: each household is an agent with its memories and its surprise plugin."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import numpy as np

from examples.households.core import GIVEN, LAWS
from examples.households.world import Flags, Floats, World
from stratagraph import AsyncClient

ALERT = "Red alert: extreme rainfall expected. High risk of river flood. Danger."
_AT_ONCE = 8  # households that are written or asked at the same time
_TOLD = 10  # times that a long step says how far it is
_PATIENCE_SECONDS = 60.0


@dataclass
class Told:
    """Answers of the service, and what they took."""

    surprise: Floats
    heeded: dict[int, dict[str, Flags]] = field(default_factory=dict[int, dict[str, Flags]])
    stored: int = 0
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    erasing: float | None = (
        None  # what it takes to take all of it away again is no part of the simulation
    )


def agent(run: str, household: int) -> str:
    """Name a household of a run."""
    return f"household-{run}-{household}"


async def live(client: AsyncClient, world: World, run: str, alerts: tuple[int, ...]) -> Told:
    """Let every household live its years, and then hear alerts as of some of them."""
    told = Told(np.zeros((world.households, world.years)))
    begun = time.monotonic()
    await _each(
        world, "remembered", lambda household: _remember(client, world, run, household, told)
    )
    told.seconds["remember"] = time.monotonic() - begun
    begun = time.monotonic()
    await _each(world, "observed", lambda household: _observe(client, world, run, household, told))
    told.seconds["observe"] = time.monotonic() - begun
    await _searchable(client, world, run)
    begun = time.monotonic()
    for year in alerts:
        told.heeded[year] = {law: np.zeros(world.households, dtype=np.bool_) for law in LAWS}
        await _each(
            world,
            f"alerted in year {year}",
            lambda household, year=year: _hear(client, run, household, year, told),
        )
    told.seconds["recall"] = time.monotonic() - begun
    return told


async def _each(world: World, done: str, work: Callable[[int], Awaitable[None]]) -> None:
    """Work on every household, some at once, and say from time to time how many are done."""
    waiting, finished = iter(range(world.households)), 0

    async def go_on() -> None:
        nonlocal finished
        for household in waiting:
            await work(household)
            finished += 1
            if finished % max(1, world.households // _TOLD) == 0 or finished == world.households:
                print(
                    f"  {done}: {finished:,} of {world.households:,}", file=sys.stderr, flush=True
                )

    await asyncio.gather(*(go_on() for _ in range(_AT_ONCE)))


async def _remember(
    client: AsyncClient, world: World, run: str, household: int, told: Told
) -> None:
    answer = await client.remember_all(
        [
            {
                "text": world.memory(household, year),
                "importance": int(world.importance[household, year]),
                "tags": ["flood"] if world.flooded[household, year] else ["routine"],
                "occurred_at": world.date(year),
                "external_id": f"year-{year}",
            }
            for year in range(world.years)
        ],
        agent_id=agent(run, household),
    )
    told.stored += answer.counts.created


async def _observe(client: AsyncClient, world: World, run: str, household: int, told: Told) -> None:
    name = agent(run, household)
    await client.attach_surprise("symbolic", agent_id=name)
    seen = [world.situation(household, year) for year in range(world.years)]
    found = await client.observe_many([{"observation": each} for each in seen], agent_id=name)
    told.surprise[household] = [one.surprise for one in found.results]


async def _hear(client: AsyncClient, run: str, household: int, year: int, told: Told) -> None:
    for law in LAWS:
        answer = await client.recall(
            ALERT,
            agent_id=agent(run, household),
            engine=law,
            k=GIVEN,
            hops=0,
            context={"tags": ["flood", "danger", "rain"]},
            as_of=World.date(year - 1),
            now=World.date(year),
        )
        told.heeded[year][law][household] = any("flood" in one.tags for one in answer.results)


async def _searchable(client: AsyncClient, world: World, run: str) -> None:
    """Wait until the indexes show what the last household remembers."""
    end = time.monotonic() + _PATIENCE_SECONDS
    name, wanted = agent(run, world.households - 1), min(GIVEN, world.years)
    while time.monotonic() < end:
        answer = await client.recall("year", agent_id=name, k=GIVEN, min_relevance=0.0)
        if len(answer.results) >= wanted:
            return
        await asyncio.sleep(0.2)


async def forget(client: AsyncClient, world: World, run: str) -> None:
    """Erase the households of a run."""
    await _each(world, "erased", lambda household: _forget(client, agent(run, household)))


async def _forget(client: AsyncClient, name: str) -> None:
    await client.erase_agent(name)
