"""Episodes taken in per second: 1,000 attempts of five steps as a file of lines, and in batches.

Over HTTP into an empty store, counted to the last answer; each brings its problem and its strategy.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from benchmarks.runner import add_common_arguments, print_result, running_service
from stratagraph import Client

GOAL_SECONDS = 20.0
_STEPS = 5
_SIGNS = "+-*/"


def made(number: int) -> dict[str, Any]:
    """Make one attempt; every third is wrong, four share a problem."""
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
    parser.add_argument("--episodes", type=int, default=1_000)
    add_common_arguments(parser)
    options = parser.parse_args()
    episodes = [made(number) for number in range(options.episodes)]
    figures: dict[str, float] = {}
    with (
        running_service({"STRATAGRAPH_WORKER": "false"}) as running,
        Client(running.url, agent_id="warm", timeout=120) as client,
    ):
        client.add_episodes(episodes[:200])
        started = time.perf_counter()
        lines = [json.dumps(episode) for episode in episodes]
        parts = client.as_agent("lines").import_episodes(lines, run="bench")
        created = sum(part.counts.created for part in parts)
        figures["import_s"] = time.perf_counter() - started
        if created != len(episodes):
            raise SystemExit(f"only {created} of {len(episodes)} episodes were created")
        figures["import_per_s"] = created / figures["import_s"]
        started = time.perf_counter()
        client.as_agent("batch").add_episodes(episodes)
        figures["batch_per_s"] = len(episodes) / (time.perf_counter() - started)
    print(f"goal: {GOAL_SECONDS:.0f} s for 1,000 episodes of {_STEPS} steps")
    print_result(figures, as_json=options.json)


if __name__ == "__main__":
    main()
