"""Clients of a service on a socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from stratagraph import AsyncClient, Client, Retries

QUICK = Retries(attempts=5, first_pause=0.01, longest_pause=0.05, deadline=60)


@pytest.fixture
def sync(url: str) -> Generator[Client]:
    """Block in a thread, as the service answers in this one."""
    with Client(url, agent_id="anna", retries=QUICK) as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def anna(url: str) -> AsyncGenerator[AsyncClient]:
    async with AsyncClient(url, agent_id="anna", retries=QUICK) as client:
        yield client
