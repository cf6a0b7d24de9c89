"""Episodes in the seed's format, in short form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory


def attempt(
    owner: Caller,
    problem: str,
    *,
    at: datetime,
    correct: bool | None = None,
    domain: str | None = None,
    model: str | None = None,
    actions: tuple[str, ...] = (),
    problem_id: str | None = None,
    tags: tuple[str, ...] = (),
    session_id: str | None = None,
    name: str | None = None,
    **numbers: float,
) -> NewMemory:
    """Return one attempt; numbers are tokens_used, latency_ms, temperature and confidence."""
    output: dict[str, Any] = {"answer": "42", "correct": correct}
    if "confidence" in numbers:
        output["confidence"] = numbers.pop("confidence")
    structured: dict[str, Any] = {
        "episode_id": name,
        "timestamp": at.isoformat(),
        "input": {"problem": problem, "problem_id": problem_id, "domain": domain},
        "trace": [
            {"step": place, "thought": "", "action": action, "observation": ""}
            for place, action in enumerate(actions, 1)
        ],
        "output": output,
        "metadata": {**numbers, "model": model},
    }
    return NewMemory(
        owner.writable(),
        problem,
        kind="episode",
        external_id=name,
        structured=structured,
        correct=correct,
        domain=domain,
        model=model,
        tags=tags,
        session_id=session_id,
        agent_id=owner.agent_id,
        occurred_at=at,
    )
