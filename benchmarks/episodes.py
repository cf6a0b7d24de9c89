"""Ingestion of episodes per second: 1,000 attempts of five steps as a file of lines, and in batches.

Over HTTP, until the last answer; each has its own problem and strategy. Beside them a bare ``UNWIND`` of the same nodes
with the same properties and indexes, the minimum of the database.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from benchmarks.floor import bare_kinds, copies_of
from benchmarks.runner import (
    Running,
    add_common_arguments,
    cpu_seconds,
    opened_service,
    print_result,
    run_loop,
    running_service,
    say,
)
from stratagraph import Client

GOAL_SECONDS = 20.0
GOAL_PER_S = 500.0
_STEPS = 5
_SIGNS = "+-*/"


def made(number: int) -> dict[str, Any]:
    """Generate one attempt; every third is wrong, four share a problem."""
    problem = number // 4
    trace = [
        {
            "step": step + 1,
            "thought": f"Step {step + 1} of problem {problem}: combine what is known so far.",
            "action": f"{problem + step}{_SIGNS[(problem + step) % 4]}{step + 2}",
            "observation": str(problem * step),
        }
        for step in range(_STEPS)
    ]
    return {
        "episode_id": f"ep-{number:06d}",
        "timestamp": "2025-11-02T10:15:00Z",
        "input": {
            "problem": f"A shop has {problem} crates of {problem % 17 + 2} bottles. How many bottles "
            f"are left after {problem % 5} crates were sold?",
            "problem_id": f"shop-{problem}",
            "domain": "math",
        },
        "trace": trace,
        "output": {"answer": str(number), "correct": number % 3 != 0, "confidence": 0.8},
        "metadata": {
            "tokens_used": 200,
            "latency_ms": 900.0,
            "model": "small-1",
            "temperature": 0.2,
        },
    }


def main() -> None:
    """Measure, print, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1_000, help="at most 1,000")
    parser.add_argument("--rounds", type=int, default=4, help="batches, each into an empty scope")
    add_common_arguments(parser)
    options = parser.parse_args()
    episodes = [made(number) for number in range(options.episodes)]
    with (
        running_service({"STRATAGRAPH_WORKER": "false"}) as running,
        Client(running.url, agent_id="cold", timeout=600) as client,
    ):
        client.add_episodes(episodes[:200])
        figures = _imported(client, episodes)
        rounds = [_batch(running, client, episodes, number) for number in range(options.rounds)]
        for each in rounds:
            say(" ".join(f"{name}={value:.2f}" for name, value in each.items()))
        figures |= max(rounds, key=lambda each: each["batch_per_s"])
        bare = run_loop(_bare(running, options.rounds))
    figures["bare_per_s"] = len(episodes) / bare
    figures["batch_ratio"] = figures["batch_per_s"] / figures["bare_per_s"]
    print(
        f"goals: {GOAL_SECONDS:.0f} s for 1,000 episodes of {_STEPS} steps, {GOAL_PER_S:.0f} a second"
    )
    print_result(figures, as_json=options.json)


def _imported(client: Client, episodes: list[dict[str, Any]]) -> dict[str, float]:
    started = time.perf_counter()
    lines = [json.dumps(episode) for episode in episodes]
    parts = client.as_agent("lines").import_episodes(lines, run="bench")
    created = sum(part.counts.created for part in parts)
    took = time.perf_counter() - started
    if created != len(episodes):
        raise SystemExit(f"only {created} of {len(episodes)} episodes were created")
    return {"import_s": took, "import_per_s": created / took}


def _batch(
    running: Running, client: Client, episodes: list[dict[str, Any]], number: int
) -> dict[str, float]:
    service, server = cpu_seconds(running)
    started = time.perf_counter()
    client.as_agent(f"batch-{number}").add_episodes(episodes)
    took = time.perf_counter() - started
    service_after, server_after = cpu_seconds(running)
    return {
        "batch_per_s": len(episodes) / took,
        "service_cpu_s": service_after - service,
        "server_cpu_s": server_after - server,
    }


async def _bare(running: Running, rounds: int) -> float:
    """Return the seconds of the fastest bare write of the nodes of a batch, without their edges."""
    took: list[float] = []
    async with opened_service(running, worker=False) as service:
        driver = service.database.driver
        for number in range(rounds):
            rows = await copies_of(driver, "local/agent/batch-0", f"local/agent/bare-{number}")
            started = time.perf_counter()
            await bare_kinds(driver, rows)
            took.append(time.perf_counter() - started)
    return min(took)


if __name__ == "__main__":
    main()
