"""Relevance of retrieved attempts to a problem, by variant of reasoning memory.

Episodes are real attempts of four models at GSM8K; questions are problems without attempts. A result counts if its
attempt was correct and its problem has the operators of the question.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import pass_at_one
from benchmarks.attempts import DOMAIN, OWNER, load_attempts, load_questions, shared_share
from benchmarks.runner import (
    Running,
    add_common_arguments,
    add_home_argument,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
)
from graph.model.episodes.attempts import EpisodeFilters, Names
from graph.model.memories.memory import NewMemory
from service.use_cases.episodes.retrieve import RetrieveRequest
from service.worker.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.attempts import Attempts, Question
    from graph.model.episodes.retrieval import RetrievalAnswer, RetrievalMode
    from service.bootstrap import Service

_BATCH = 500
_SEED = 7
_K = 5
_WARM_UP = 20
_PROMPT_TOKENS = 1500
_NO_BUDGET = 10**9
QUIET = {"worker": False, "flush_seconds": 3600.0, "events": False}
_RIGHT = EpisodeFilters(domain=Names.of(DOMAIN), verdicts=(True,))
_ANY = EpisodeFilters(domain=Names.of(DOMAIN))


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to retrieve."""

    mode: RetrievalMode
    filters: EpisodeFilters = _ANY
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


VARIANTS: dict[str, Variant] = {
    "m0": Variant("episodic"),
    "m0_correct": Variant("episodic", _RIGHT),
    "m1a": Variant("dual"),
    "m1b": Variant("structured", _RIGHT, {"failures": 0}),
    "m1c": Variant("graph"),
    "all": Variant("all"),
    "all_right": Variant("all", options={"failures": 0}),
}


@dataclass(slots=True)
class Tally:
    """Results of a variant's retrievals, one entry per question."""

    hits: dict[int, list[bool]] = field(default_factory=dict[int, list[bool]])
    precision: list[float] = field(default_factory=list[float])
    correct: list[float] = field(default_factory=list[float])
    failures: list[float] = field(default_factory=list[float])
    seconds: list[float] = field(default_factory=list[float])
    hops: list[float] = field(default_factory=list[float])
    tokens: list[float] = field(default_factory=list[float])
    nodes: list[float] = field(default_factory=list[float])

    def add(
        self, answer: RetrievalAnswer, seconds: float, attempts: Attempts, question: Question
    ) -> None:
        """Score an answer."""
        names = [result.content.external_id or "" for result in answer.results]
        good = [attempts.answers(name, question) for name in names]
        for k in (1, 3, 5):
            self.hits.setdefault(k, []).append(any(good[:k]))
        self.precision.append(sum(good) / _K)
        self.correct.append(sum(attempts.right[name] for name in names) / _K)
        self.failures.append(float(any(not attempts.right[name] for name in names)))
        self.seconds.append(seconds)
        self.hops.append(float(np.mean([result.hops for result in answer.results] or [0.0])))
        self.tokens.append(float(answer.tokens))
        self.nodes.append(float(sum(answer.nodes.values())))

    def figures(self) -> dict[str, float]:
        """Return the printed figures."""
        times = np.array(self.seconds) * 1000
        return {
            **{f"hit@{k}": float(np.mean(hits)) for k, hits in self.hits.items()},
            "precision@5": float(np.mean(self.precision)),
            "correct@5": float(np.mean(self.correct)),
            "failures": float(np.mean(self.failures)),
            "p50_ms": float(np.percentile(times, 50)),
            "p95_ms": float(np.percentile(times, 95)),
            "hops": float(np.mean(self.hops)),
            "tokens": float(np.mean(self.tokens)),
            "nodes": float(np.mean(self.nodes)),
        }


def main() -> None:
    """Measure, print the ablation, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="which; unset: all of them")
    parser.add_argument("--episodes", default="1000,5276,10000", help="one store for each size")
    parser.add_argument("--queries", type=int, default=500, help="problems that are asked")
    parser.add_argument("--seed", type=int, default=_SEED, help="of order, questions and numbers")
    parser.add_argument("--llm-base-url", help="a language model's server: pass@1 is measured too")
    parser.add_argument("--llm-model", help="its model; the key is STRATAGRAPH_LLM_API_KEY")
    parser.add_argument("--llm-problems", type=int, default=100, help="problems it is asked")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    if bool(options.llm_base_url) != bool(options.llm_model):
        parser.error("--llm-base-url and --llm-model go together")
    sizes = sorted(int(size) for size in options.episodes.split(","))
    names = [name for name in options.variants.split(",") if name]
    questions = load_questions(options.data, options.seed, options.queries)
    tables: dict[int, dict[str, dict[str, float]]] = {}
    solved: dict[str, float] = {}
    for size in sizes:
        attempts = load_attempts(options.data, options.seed, size)
        known = shared_share(attempts, questions)
        home = options.home / f"reasoning-{size}-{options.seed}" if options.home else None
        with running_service({"STRATAGRAPH_WORKER": "false"}, home) as running:
            tables[size] = run_loop(_measure(running, attempts, questions, names))
            if options.llm_base_url and size == sizes[0]:
                solved = run_loop(_solve(running, options))
        print_table(size, tables[size], known)
    print_result({**summary(tables), **solved}, as_json=options.json)


async def _measure(
    running: Running, attempts: Attempts, questions: Sequence[Question], names: Sequence[str]
) -> dict[str, dict[str, float]]:
    async with opened_service(running, **QUIET) as service:
        await fill(service, attempts)
        await settle(service)
        tallies = {name: Tally() for name in names}
        for question in questions[:_WARM_UP]:
            for name in names:
                await ask(service, name, question)
        for place, question in enumerate(questions):
            # In turns, so that a slow moment of the machine affects all.
            for name in names:
                begun = time.perf_counter()
                answer = await ask(service, name, question)
                tallies[name].add(answer, time.perf_counter() - begun, attempts, question)
            progress("questions", place + 1, len(questions))
    return {name: tally.figures() for name, tally in tallies.items()}


async def _solve(running: Running, options: argparse.Namespace) -> dict[str, float]:
    """Let a language model solve problems with and without the retrieved prompt."""
    model = {"llm_base_url": options.llm_base_url, "llm_model": options.llm_model}
    problems = pass_at_one.load_problems(options.data, options.seed, options.llm_problems)
    async with opened_service(running, **QUIET, **model, llm_tokens_per_hour=_NO_BUDGET) as service:

        async def retrieve(problem: str) -> str:
            request = RetrieveRequest(
                OWNER, problem, k=_K, mode="all", filters=_ANY, prompt_tokens=_PROMPT_TOKENS
            )
            return (await service.retrieve_episodes(request)).prompt or ""

        language = service.language
        if language is None:
            raise SystemExit("no language model was opened")
        return await pass_at_one.measure(
            language, retrieve, problems, tokens_spent=lambda: getattr(language, "tokens_spent", 0)
        )


async def ask(service: Service, name: str, question: Question) -> RetrievalAnswer:
    """Retrieve for a question as one variant does."""
    variant = VARIANTS[name]
    request = RetrieveRequest(
        OWNER, question.text, k=_K, mode=variant.mode, filters=variant.filters, **variant.options
    )
    return await service.retrieve_episodes(request)


async def fill(service: Service, attempts: Attempts) -> None:
    """Store the episodes in batches; stored ones are skipped."""
    for first in range(0, len(attempts), _BATCH):
        rows = [episode_of(record) for record in attempts.records[first : first + _BATCH]]
        for saved in await service.remember(rows):
            if saved.status not in ("created", "unchanged"):
                raise SystemExit(f"an episode was not stored: {saved}")
        progress("episodes", min(first + _BATCH, len(attempts)), len(attempts))


def episode_of(record: Mapping[str, Any]) -> NewMemory:
    """Return a record as a memory."""
    asked, correct = record["input"], record["output"]["correct"]
    return NewMemory(
        OWNER.writable(),
        asked["problem"],
        kind="episode",
        external_id=record["episode_id"],
        agent_id=OWNER.agent_id,
        content_type="structured",
        structured=record,
        domain=asked["domain"],
        correct=correct,
        model=record["metadata"]["model"],
        occurred_at=datetime.fromisoformat(record["timestamp"]),
    )


async def settle(service: Service) -> None:
    """Complete background work, and extract concepts, as in a service that has caught up."""
    worker = Worker(service.leases, service.jobs, "benchmark")
    total = await service.links.count_unlinked()
    while waiting := await service.links.count_unlinked():
        progress("linked", total - waiting, total)
        if not await worker.tick(datetime.now(UTC)):
            await asyncio.sleep(0.05)
    await worker.release()
    extracted = await service.extract_concepts(OWNER)
    progress(
        f"concepts: {len(extracted.created)} new, problems", extracted.joined, extracted.joined
    )


def print_table(size: int, rows: Mapping[str, Mapping[str, float]], known: float) -> None:
    """Print the figures of each variant on a store."""
    print(f"{size:,} episodes; {known:.1%} of the questions have a right episode of their kind")
    names = list(next(iter(rows.values())))
    print(f"{'':>12}" + "".join(f"{name:>12}" for name in names))
    for variant, row in rows.items():
        print(f"{variant:>12}" + "".join(f"{row[name]:>12.3f}" for name in names))


def summary(tables: Mapping[int, Mapping[str, Mapping[str, float]]]) -> dict[str, float]:
    """Return the last line: gains on the largest store of attempts as they are, times on all."""
    line: dict[str, float] = {}
    sizes = [size for size in tables if size <= 5276] or list(tables)
    rows = tables[max(sizes)]
    if "all" in rows and "m0" in rows:
        line["hit5_gain"] = _gain(rows["all"]["hit@5"], rows["m0"]["hit@5"])
        line["precision5_gain"] = _gain(rows["all"]["precision@5"], rows["m0"]["precision@5"])
    if "all" in rows and "m0_correct" in rows:
        filtered = rows["m0_correct"]
        line["vs_correct_filter"] = min(
            _gain(rows["all"][name], filtered[name]) for name in ("hit@5", "precision@5")
        )
    for size, table in tables.items():
        line[f"p95_ms@{size}"] = max(row["p95_ms"] for row in table.values())
    return line


def _gain(value: float, base: float) -> float:
    return value / base - 1.0 if base else float("inf")


if __name__ == "__main__":
    main()
