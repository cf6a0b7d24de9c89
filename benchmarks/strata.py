"""Strata: durations of surprise, condensing, gate runs and consolidation, bytes by stratum; beside the goals.

Goals without a measurement are nan.
"""

from __future__ import annotations

import argparse
from math import nan

from benchmarks.runner import (
    Running,
    add_common_arguments,
    print_result,
    run_loop,
    running_service,
    say,
)
from benchmarks.strata_consolidation import measure_consolidation
from benchmarks.strata_core import measure_compression, measure_surprise
from benchmarks.strata_gates import measure_gates, measure_stratum_bytes
from graph.kernel.values import STRATA
from graph.model.strata.config import StrataConfig

GOALS = {
    "surprise_p95_ms": 1.0,
    "compress_p95_ms": 10.0,
    "gate_1k_ms": 100.0,
    "gate_100k_s": 5.0,
}
PARTS = ("core", "gates", "bytes", "consolidation")
_QUIET = {"STRATAGRAPH_WORKER": "false", "STRATAGRAPH_EPISODIC_CAPACITY": "0"}
_LAST = tuple(GOALS)
# Limits of the source document for a stratum of one agent (of the system: semantic), in megabytes.
_ALLOWED = {
    "working": "1-10",
    "short_term": "10-100",
    "episodic": "100-1,000",
    "long_term": "1,000-10,000",
    "semantic": "10,000-100,000",
}


def main() -> None:
    """Run the selected measurements, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, of: " + ", ".join(PARTS))
    parser.add_argument("--events", type=int, default=2_000, help="events and memories of `core`")
    parser.add_argument("--few", type=int, default=1_000, help="memories of the small gate run")
    parser.add_argument("--many", type=int, default=100_000, help="memories of the large gate run")
    parser.add_argument("--rounds", type=int, default=5, help="gate runs of each size, and agents")
    parser.add_argument(
        "--warm", type=int, default=10, help="runs before those: a server that just booted is slow"
    )
    parser.add_argument("--bytes", type=int, default=2_000, help="memories of each stratum on disk")
    parser.add_argument(
        "--agents", type=int, default=100, help="agents consolidated beside recalls"
    )
    add_common_arguments(parser)
    options = parser.parse_args()
    parts = set(options.only.split(","))
    if unknown := parts - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}, only {', '.join(PARTS)}")
    figures = dict.fromkeys(_LAST, nan)
    if "core" in parts:
        figures |= measure_surprise(options.events) | measure_compression(options.events)
    if {"gates", "consolidation"} & parts:
        with running_service(_QUIET) as running:
            figures |= _at_work(running, parts, options)
    if "bytes" in parts:
        figures |= _bytes(options.bytes)
    _tell(figures)
    print_result(
        {**{name: value for name, value in figures.items() if name not in _LAST},
         **{name: figures[name] for name in _LAST}},
        as_json=options.json,
    )  # fmt: skip


def _at_work(running: Running, parts: set[str], options: argparse.Namespace) -> dict[str, float]:
    figures: dict[str, float] = {}
    few, rounds, warm = options.few, options.rounds, options.warm
    if "gates" in parts:
        small = run_loop(measure_gates(running, few, 0.1, rounds, warm))
        large = run_loop(measure_gates(running, options.many, 0.01, rounds, min(warm, 1)))
        named = {"gate_1k_ms": _seconds(small) * 1000, "gate_100k_s": _seconds(large)}
        figures |= {**small, **large, **named}
    if "consolidation" in parts:
        figures |= run_loop(measure_consolidation(running, few, options.agents, rounds, warm))
    return figures


def _seconds(figures: dict[str, float]) -> float:
    [value] = [value for name, value in figures.items() if name.endswith("_seconds")]
    return value


def _bytes(memories: int) -> dict[str, float]:
    figures = measure_stratum_bytes(memories)
    config = StrataConfig()
    say(f"  {'stratum':<11}{'bytes':>7}{'room':>9}{'megabytes':>11}   the document allows")
    for stratum in STRATA:
        each, room = figures[f"{stratum}_bytes"], config.terms(stratum).capacity
        held = f"{each * room / 2**20:.1f}" if room else f"{each * 100_000 / 2**20:.0f}/100k"
        say(f"  {stratum:<11}{each:>7.0f}{room or 'no limit':>9}{held:>11}   {_ALLOWED[stratum]}")
    return figures


def _tell(figures: dict[str, float]) -> None:
    for name, goal in GOALS.items():
        value = figures[name]
        verdict = "not run" if value != value else "met" if value <= goal else "missed"
        say(f"  {name} {value:.3g}, goal {goal:g}: {verdict}")


if __name__ == "__main__":
    main()
