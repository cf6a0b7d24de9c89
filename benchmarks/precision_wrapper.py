"""The three endpoints that PrecisionMemBench's own runner calls, on a service with an empty home.

Name it in the runner's `providers.config.json` as `stratagraph` with `"envVar": "STRATAGRAPH_URL"`, then
`MEMORY_PROVIDER=stratagraph RESEED=true npx ava src/retrieval.external.eval.test.ts`. A belief is remembered for one
agent per user, with its aliases as tags; a search is a recall with the defaults.
"""

from __future__ import annotations

import argparse
from itertools import count
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, Field

from benchmarks.everyday.__main__ import wait_linked
from benchmarks.runner import running_service, say

if TYPE_CHECKING:
    import httpx


class _Belief(BaseModel):
    text: str
    user_id: str
    metadata: dict[str, Any]
    aliases: list[str] = Field(default_factory=list)


class _Search(BaseModel):
    query: str
    user_id: str
    limit: int = 20


def wrapper(client: httpx.Client) -> FastAPI:
    """Return the runner's endpoints over a running service."""
    app, runs = FastAPI(), count()
    agents: dict[str, str] = {}
    run = next(runs)

    def agent_of(user: str) -> str:
        return agents.setdefault(user, f"{user}-{run}")

    @app.post("/add")
    def add(belief: _Belief) -> dict[str, bool]:
        body = {
            "agent_id": agent_of(belief.user_id),
            "external_id": belief.metadata["beliefId"],
            "text": belief.text,
            "tags": belief.aliases,
        }
        client.post("/v1/memories", json=body).raise_for_status()
        return {"ok": True}

    @app.post("/search")
    def search(asked: _Search) -> dict[str, list[dict[str, Any]]]:
        if not (asked.query.strip() and asked.limit):
            return {"results": []}
        agent = agent_of(asked.user_id)
        wait_linked(client, [agent])
        body = {"agent_id": agent, "text": asked.query, "k": asked.limit}
        rows = client.post("/v1/recall", json=body).raise_for_status().json()["results"]
        found = [
            {"id": row["external_id"], "memory": row["text"], "score": row["score"]} for row in rows
        ]
        return {"results": found}

    @app.delete("/reset")
    def reset() -> dict[str, bool]:
        nonlocal run
        run = next(runs)
        agents.clear()
        return {"ok": True}

    return app


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    options = parser.parse_args()
    with running_service() as running:
        say(f"answering on http://127.0.0.1:{options.port}")
        uvicorn.run(wrapper(running.client), port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
