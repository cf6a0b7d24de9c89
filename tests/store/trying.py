"""Attempts at problems, as tests write them, with links to their problems."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from graph.kernel.scope import Caller
from graph.kernel.values import LinkType
from graph.model.episodes.retrieval import RetrievalAnswer
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from service.use_cases.episodes.retrieve import RetrieveRequest

AT = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)


def trace(*actions: str) -> list[dict[str, Any]]:
    return [
        {"step": number, "thought": f"think {number}", "action": action, "observation": str(number)}
        for number, action in enumerate(actions, 1)
    ]


def attempt(
    problem: str,
    *actions: str,
    correct: bool | None = True,
    name: str,
    at: str | None = None,
    owner: Caller,
    **fields: Any,
) -> NewMemory:
    """Return an attempt; ``at`` names its problem, which must be stored."""
    edge: LinkType = "SOLVED" if correct else "ATTEMPTED"
    record = {
        "episode_id": name,
        "timestamp": AT.isoformat(),
        "trace": trace(*actions),
        "output": {"answer": f"answer of {name}", "correct": correct, "confidence": 0.9},
        "metadata": {"tokens_used": 120, "model": "small"},
        **fields.pop("structured", {}),
    }
    links = (Link(edge, f"external:{at}"), *fields.pop("links", ())) if at else ()
    values: dict[str, Any] = {"domain": "math", "occurred_at": AT, **fields}
    return NewMemory(
        owner.writable(),
        problem,
        kind="episode",
        external_id=name,
        agent_id=owner.agent_id,
        content_type="structured",
        structured=record,
        correct=correct,
        links=links,
        **values,
    )


def problem(text: str, name: str, owner: Caller, **fields: Any) -> NewMemory:
    values: dict[str, Any] = {"domain": "math", **fields}
    return NewMemory(owner.writable(), text, kind="problem", external_id=name, **values)


async def store(service: Service, rows: Sequence[NewMemory]) -> dict[str, str]:
    """Store memories, and return the uid of each name."""
    saved = await service.remember(rows)
    assert all(row.status == "created" for row in saved), saved
    return {
        row.external_id or "": answer.uid or "" for row, answer in zip(rows, saved, strict=True)
    }


async def retrieve(
    service: Service, owner: Caller, query: str, *, expect: int = 1, **options: Any
) -> RetrievalAnswer:
    """Retrieve until the indexes return as many results as expected; they lag."""
    deadline = asyncio.get_running_loop().time() + 10
    while True:
        answer = await service.retrieve_episodes(RetrieveRequest(owner, query, **options))
        if len(answer.results) >= expect or asyncio.get_running_loop().time() > deadline:
            return answer
        await asyncio.sleep(0.05)


def names(answer: RetrievalAnswer) -> list[str]:
    return [result.content.external_id or "" for result in answer.results]
