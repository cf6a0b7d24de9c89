"""A service on a socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
import uvicorn

from service.app import create_app
from service.bootstrap import Service
from service.cli.port import api_url
from service.cli.web import Api, answer


def free_port() -> str:
    """Return a port that nobody listened on just now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


@asynccontextmanager
async def served(service: Service, host: str = "127.0.0.1", **options: Any) -> AsyncGenerator[str]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    api = Api(uvicorn.Config(create_app(service), log_config=None, access_log=False, **options))
    with socket.socket(family) as listener:
        listener.bind((host, 0))
        answering = asyncio.create_task(answer(api, listener))
        await api.listening.wait()
        try:
            yield api_url(listener)
        finally:
            api.should_exit = True
            await answering


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_url(shared_service: Service) -> AsyncGenerator[str]:
    # uvicorn takes 0.2 s to stop, in each test.
    async with served(shared_service) as url:
        yield url


@pytest.fixture
def url(service: Service, shared_url: str) -> str:
    """Address of a service on an empty graph."""
    return shared_url
