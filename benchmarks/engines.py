"""Engines of a recall beside the default: latency, quality, and throughput of their laws over many agents.

Each question is asked by every engine in turn, so that a slow moment affects all of them. On the sets of questions
engines that only weigh age and use are worse by design; the table shows by how much.
"""

from __future__ import annotations

import argparse
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from benchmarks import everyday, locomo
from benchmarks.everyday import __main__ as everyday_set
from benchmarks.runner import (
    add_common_arguments,
    print_result,
    progress,
    running_service,
)
from graph.model.engines.config import ENGINES
from graph.scoring.base_level import base_level_hybrid
from graph.scoring.basic import basic_ranking
from graph.scoring.generative import generative_score, hourly_recency
from graph.scoring.human_centric import (
    WeightedSum,
    linear_recency,
    saliency,
    tag_match,
    weighted_sum,
)
from graph.scoring.resonance import pairwise_resonance, resonance, retroactive_interference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import httpx

    from graph.model.engines.config import Engine

_AGENTS, _MEMORIES, _WORDS, _TAGS = 1_000, 100, 64, 8
_SEED = 23
_K = 10
_UNCACHED = {"STRATAGRAPH_EMBEDDING_CACHE": "0"}  # each engine embeds each question
Row = dict[str, float]
T = TypeVar("T")


class Answer(NamedTuple):
    """Results of one recall, and its seconds."""

    seconds: float
    results: list[dict[str, Any]]


def main() -> None:
    """Measure, print one table, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--everyday", type=Path, default=Path(everyday.__path__[0]))
    parser.add_argument("--locomo", type=Path, help="folder of conversations; unset: left out")
    parser.add_argument("--questions", type=int, default=600, help="of each set, evenly chosen")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the laws over all agents")
    add_common_arguments(parser)
    options = parser.parse_args()
    rates = measure_laws(options.rounds)
    rows = ask_everyday(options.everyday, options.questions)
    if options.locomo:
        for engine, found in ask_locomo(options.locomo, options.questions).items():
            rows[engine] |= found
    print("\n".join(table(rows, rates)))
    print_result(summary(rows, rates), as_json=options.json)


def summary(rows: Mapping[Engine, Row], rates: Mapping[str, float]) -> dict[str, float]:
    """Return the worst ratio, the slowest law, and the quality of each engine."""
    others = [row["p50_ratio"] for engine, row in rows.items() if engine != "utility"]
    values = {"p50_ratio": max(others), "agent_steps_per_s": min(rates.values())}
    on_locomo = [row["locomo_ratio"] for row in rows.values() if "locomo_ratio" in row]
    if on_locomo:
        values["locomo_ratio"] = max(on_locomo)
    for engine, row in rows.items():
        values[f"{engine}_p50_ratio"] = row["p50_ratio"]
        values[f"{engine}_everyday_top3"] = row["everyday_top3"]
        if "locomo_turn@10" in row:
            values[f"{engine}_locomo"] = row["locomo_turn@10"]
    return values


def measure_laws(rounds: int) -> dict[str, float]:
    """Return how many agents each law scores in a second, the best of some rounds.

    An agent has a hundred memories; one step is the law over all of them.
    """
    laws = _laws()
    best = dict.fromkeys(laws, float("inf"))
    for _ in range(rounds):
        for name, law in laws.items():
            started = time.perf_counter()
            law()
            best[name] = min(best[name], time.perf_counter() - started)
    return {name: _AGENTS / seconds for name, seconds in best.items()}


def _laws() -> dict[str, Callable[[], object]]:
    random = np.random.default_rng(_SEED)
    shape = (_AGENTS, _MEMORIES)
    age, importance, near = (scale * random.random(shape) for scale in (50.0, 1.0, 1.0))
    words, asked = (random.random((*size, _WORDS)) < 0.1 for size in (shape, (_AGENTS,)))
    tags, current = (random.random((*size, _TAGS)) < 0.1 for size in (shape, (_AGENTS,)))
    uses = random.integers(1, 20, shape)
    every = WeightedSum(0.3, 0.5, 0.2, 0.2, 0.2)

    def weighted() -> object:
        left = saliency(importance, age)
        return weighted_sum(linear_recency(age), left, tag_match(tags, current))

    def interfering() -> object:
        left, recent, context = (
            saliency(importance, age),
            linear_recency(age),
            tag_match(tags, current),
        )
        lost = retroactive_interference(pairwise_resonance(words), -age)
        return weighted_sum(recent, left, context, resonance(asked, words), lost, weights=every)

    return {
        "saliency": lambda: saliency(importance, age),
        "basic": lambda: basic_ranking(age, saliency(importance, age)),
        "weighted": weighted,
        "weighted_all_parts": interfering,
        "actr": lambda: base_level_hybrid(age[..., np.newaxis] / 2 + 0.01, uses, age + 0.01),
        "generative": lambda: generative_score(hourly_recency(age), importance, near),
    }


def ask_in_turn(
    client: httpx.Client, bodies: Sequence[Mapping[str, Any]]
) -> dict[Engine, list[Answer]]:
    """Ask each question by every engine, each time another one first."""
    answers: dict[Engine, list[Answer]] = {engine: [] for engine in ENGINES}
    for place, body in enumerate(bodies, start=1):
        turn = place % len(ENGINES)
        for engine in (*ENGINES[turn:], *ENGINES[:turn]):
            started = time.perf_counter()
            answer = client.post("/v1/recall", json={**body, "engine": engine})
            seconds = time.perf_counter() - started
            answers[engine].append(Answer(seconds, answer.raise_for_status().json()["results"]))
        progress("asked", place, len(bodies))
    return answers


def ask_everyday(folder: Path, most: int) -> dict[Engine, Row]:
    """Ask everyday questions by each engine, with the defaults of the service."""
    facts, questions = everyday_set.load(folder)
    chosen = evenly(questions, most)
    bodies = [
        {"agent_id": one.agent, "text": one.text, "now": one.now.isoformat()} for one in chosen
    ]
    with running_service(_UNCACHED) as running:
        everyday_set.remember(running.client, facts)
        answers = ask_in_turn(running.client, bodies)
    rows: dict[Engine, Row] = {}
    for engine, given in answers.items():
        pairs = zip(chosen, given, strict=True)
        found = everyday_set.measures([_placed(asked, answer) for asked, answer in pairs])
        rows[engine] = {
            "everyday_top1": found["all_top1"],
            "everyday_top3": found["all_top3"],
            "none_empty": found.get("none_empty", 0.0),
            "p50_ms": _middle(given) * 1000,
            "p50_ratio": _middle(given) / _middle(answers["utility"]),
        }
    return rows


def _placed(asked: everyday_set.Asked, answer: Answer) -> everyday_set.Place:
    texts = tuple(result["text"] for result in answer.results)
    return everyday_set.Place(asked, everyday_set.place_of(asked, texts), texts)


def _middle(answers: Sequence[Answer]) -> float:
    return float(np.median([answer.seconds for answer in answers]))


def ask_locomo(folder: Path, most: int) -> dict[Engine, Row]:
    """Ask questions on conversations by each engine, a day after their last turn."""
    turns, questions = locomo.load(folder)
    chosen = evenly(questions, most)
    ends = {
        name: max(turn.time for turn in rows) + timedelta(days=1) for name, rows in turns.items()
    }
    bodies = [
        {
            "agent_id": asked.conversation,
            "text": asked.text,
            "k": _K,
            "now": ends[asked.conversation].isoformat(),
        }
        for asked in chosen
    ]
    with running_service({**_UNCACHED, "STRATAGRAPH_WORKER": "false"}) as running:
        locomo.ingest(running.client, turns)
        locomo.wait_searchable(running.client, turns)
        answers = ask_in_turn(running.client, bodies)
    rows: dict[Engine, Row] = {}
    for engine, given in answers.items():
        names = [[result["external_id"] for result in answer.results] for answer in given]
        found = locomo.measures(chosen, names)
        rows[engine] = {
            "locomo_turn@10": found["turn_recall@10"],
            "locomo_session@10": found["session_recall@10"],
            "locomo_ratio": _middle(given) / _middle(answers["utility"]),
        }
    return rows


def evenly(questions: Sequence[T], most: int) -> list[T]:
    """Choose some questions, evenly spaced."""
    places = np.linspace(0, len(questions) - 1, min(most, len(questions)))
    return [questions[int(place)] for place in places]


def table(rows: Mapping[Engine, Row], rates: Mapping[str, float]) -> list[str]:
    """Return a table of every engine beside the default, with the agents that its law scores in a second.

    The default is no law over agents; the weighted one with all its parts has its own line.
    """
    measured: dict[str, Row] = {**rows}
    columns = list(rows["utility"])
    lines = ["".join(f"{name:>19}" for name in ("", *columns, "agents_per_s"))]
    for name in dict.fromkeys([*rows, *rates]):
        row = measured.get(name, {})
        told = [f"{row[column]:.3f}" if column in row else "-" for column in columns]
        told.append(f"{rates[name]:,.0f}" if name in rates else "-")
        lines.append("".join(f"{each:>19}" for each in (name, *told)))
    return lines


if __name__ == "__main__":
    main()
