"""Recall over HTTP, with retries as indexes lag behind writes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx

PATIENCE_SECONDS = 10.0


async def results_of(
    client: httpx.AsyncClient,
    question: Mapping[str, object],
    *,
    expect: int,
    headers: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Ask until there are as many results as expected."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_SECONDS
    while True:
        answer = await client.post("/v1/recall", json=question, headers=headers)
        assert answer.status_code == 200, answer.text
        results: list[dict[str, Any]] = answer.json()["results"]
        if len(results) >= expect or loop.time() > deadline:
            return results
        await asyncio.sleep(0.05)
