"""A small graph with every kind of data, created over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from service.bootstrap import Service

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def memories(tag: str = "") -> list[dict[str, Any]]:
    """Return rows with every field of a request."""
    return [
        {
            "text": f"The café{tag} opens at nine.\nNot on Mondays. 走る",
            "kind": "insight",
            "external_id": "café",
            "tags": ["hours", "café"],
            "importance": 4,
            "domain": "shops",
            "phase": "planning",
            "source_type": "chat",
            "event_id": "e-1",
            "correct": True,
            "model": "small-1",
            "task_id": "origin",
            "stratum": "semantic",
            "structured": {"opens": 9, "closed": ["monday"], "x": 1e-7},
            "metadata": {"ü": {"deep": [1, 2.5, None, True]}},
            "occurred_at": DAY.isoformat(),
            "valid_from": DAY.isoformat(),
            "valid_to": (DAY + timedelta(days=900, microseconds=7)).isoformat(),
            "expires_at": (DAY + timedelta(days=9000)).isoformat(),
        },
        *(
            {"text": f"turn {i}{tag}", "session_id": "s", "speaker": "Ada", "sequence": i * 3}
            for i in (2, 0, 1, 4)
        ),
        {
            "text": f"a use of it{tag}",
            "kind": "episode",
            "links": [{"type": "USED", "to": "external:café"}],
        },
        {
            "text": f"an embedding{tag}",
            "content_type": "embedding",
            "vector": [1.0, 0.25] + [0.0] * 381 + [len(tag) / 10],
        },
    ]


async def fill(
    client: httpx.AsyncClient,
    service: Service,
    *,
    headers: dict[str, str] | None = None,
    agents: Iterable[str] = ("anna",),
) -> None:
    """Store, update, recall for a task, report its outcome, and observe."""
    for agent in agents:
        rows = memories(f" of {agent}")
        for batch in (rows, [{**rows[0], "text": "The café opens at ten."}]):
            answer = await client.post(
                "/v1/memories", json={"agent_id": agent, "memories": batch}, headers=headers
            )
            assert answer.json()["counts"]["rejected"] == 0, answer.text
        question = {"agent_id": agent, "text": "when does it open? turn", "task_id": "t/1"}
        for phase in ("planning", None):
            for _ in range(200):
                answer = await client.post(
                    "/v1/recall",
                    json=question | ({"phase": phase} if phase else {}),
                    headers=headers,
                )
                assert answer.status_code == 200, answer.text
                if answer.json()["results"]:
                    break
                await asyncio.sleep(0.05)
        answer = await client.post(
            "/v1/tasks/t%2F1/outcome",
            json={"agent_id": agent, "status": "success", "quality": 0.75},
            headers=headers,
        )
        assert answer.status_code == 200, answer.text
        for path, said in (
            ("plugin", {"kind": "decision", "mode": "bigram"}),
            ("observations", {"observation": {"action": "wait"}}),
            ("observations", {"observation": {"action": "open"}}),
        ):
            body = {"agent_id": agent, **said}
            answer = await client.post(f"/v1/arousal/{path}", json=body, headers=headers)
            assert answer.status_code == 200, answer.text
    await service.accesses.flush()
