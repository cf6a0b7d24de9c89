"""Retrieval of correct attempts by each mode, on problems of several domains.

Three kinds of data: airline conversations (relevant is a successful other trial of the same task), problems of four
domains in other words, and GSM8K. Weights were chosen on one half of the tasks and problems; the other half is
reported.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.attempts import load_attempts, load_questions
from benchmarks.reasoning import QUIET, settle
from benchmarks.runner import (
    add_common_arguments,
    add_home_argument,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
)
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.use_cases.episodes.retrieve import RetrieveRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.runner import Running
    from graph.model.episodes.retrieval import RetrievalMode
    from service.bootstrap import Service

OWN_SET = Path(__file__).parent / "attempts_set"
MODES: tuple[RetrievalMode, ...] = ("episodic", "dual", "structured", "graph", "all")
_BATCH = 500
_SHOWN = 3
_BEGINNING = datetime(2025, 11, 1, tzinfo=UTC)
_SEED = 7
_OVER = "###"  # how a simulated user ends a conversation


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its relevant attempts, and the attempt that it was taken from, if any."""

    text: str
    answers: Callable[[str], bool]
    own: str | None = None


@dataclass(frozen=True, slots=True)
class Domain:
    """Attempts in their own scope, with questions."""

    name: str
    records: Sequence[Mapping[str, Any]]
    asked: Sequence[Asked]

    @property
    def owner(self) -> Caller:
        """Return the owner of the attempts."""
        return Caller("local", self.name)


@dataclass(slots=True)
class Tally:
    """Results of a mode's retrievals, one entry per question."""

    right: list[float] = field(default_factory=list[float])
    others: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])

    def add(self, names: Sequence[str], asked: Asked) -> None:
        """Score four results: the first three, and the first other than the question's own."""
        good = [asked.answers(name) for name in names]
        self.first.append(float(any(good[:1])))
        self.right.append(float(sum(good[:_SHOWN])))
        self.others.append(float(sum([one for one, name in zip(good, names, strict=True)
                                      if name != asked.own][:_SHOWN])))  # fmt: skip

    def figures(self) -> dict[str, float]:
        """Return the printed figures."""
        return {
            "hit@1": float(np.mean(self.first)),
            "hit@3": float(np.mean(np.array(self.others) > 0)),
            "right@3": float(np.mean(self.right)),
            "others@3": float(np.mean(self.others)),
        }


def main() -> None:
    """Measure, print a table for each domain, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--airline", type=Path, help="folder of tau_airline (trajectories.jsonl)")
    parser.add_argument("--gsm8k", type=Path, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--own", type=Path, default=OWN_SET, help="folder of problems (*.jsonl)")
    parser.add_argument("--half", choices=["chosen", "reported"], default="reported")
    parser.add_argument("--episodes", type=int, default=2000, help="of GSM8K")
    parser.add_argument("--queries", type=int, default=200, help="of GSM8K")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    domains = [*own_domains(options.own, options.half)]
    if options.airline:
        domains.append(airline(options.airline, options.half))
    if options.gsm8k:
        domains.append(gsm8k(options.gsm8k, options.episodes, options.queries))
    with running_service({"STRATAGRAPH_WORKER": "false"}, options.home) as running:
        tables = run_loop(_measure(running, domains))
    for name, rows in tables.items():
        _print_table(name, rows)
    print_result(summary(tables), as_json=options.json)


def own_domains(folder: Path, half: str) -> Iterator[Domain]:
    """Read the problems of each file; every second one is reported, the others were used to choose weights."""
    for file in sorted(folder.glob("*.jsonl")):
        problems = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        records: list[Mapping[str, Any]] = []
        asked: list[Asked] = []
        for place, problem in enumerate(problems):
            tried: list[dict[str, Any]] = problem["attempts"]
            names = [f"{problem['name']}/{number}" for number in range(len(tried))]
            records += [
                _record(name, len(records) + n, one["problem"], one["steps"], one["correct"])
                for n, (name, one) in enumerate(zip(names, tried, strict=True))
            ]
            right = [name for name, one in zip(names, tried, strict=True) if one["correct"]]
            if place % 2 == (half == "reported"):
                # Without successes, failures are all there is to learn from.
                answers = frozenset(right or names)
                asked += [Asked(text, answers.__contains__) for text in problem["questions"]]
        yield Domain(file.stem, records, asked)


def airline(folder: Path, half: str) -> Domain:
    """Read the conversations; a problem is the customer's first message."""
    file = folder / "trajectories.jsonl"
    if not file.is_file():
        raise SystemExit(f"no trajectories.jsonl in {folder}")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    records: list[Mapping[str, Any]] = []
    asked: list[Asked] = []
    names = [f"{row['task_id']}/{row['trial']}" for row in rows]
    right = {name: row["reward"] >= 1.0 for name, row in zip(names, rows, strict=True)}
    for place, (name, row) in enumerate(zip(names, rows, strict=True)):
        said = [turn["content"] for turn in row["traj"] if turn["role"] == "user"]
        text = next(part for part in said if part and _OVER not in part)
        records.append(_record(name, place, text, _calls(row["traj"]), right[name]))
        if row["task_id"] % 2 == (half == "reported"):
            same = f"{row['task_id']}/"
            answers = {other for other in names if other.startswith(same) and right[other]}
            asked.append(Asked(text, frozenset(answers - {name}).__contains__, own=name))
    return Domain("airline", records, asked)


def gsm8k(folder: Path, episodes: int, queries: int) -> Domain:
    """Read attempts at school problems; a correct one with the same operators is relevant."""
    attempts = load_attempts(folder, _SEED, episodes)
    asked = [
        Asked(question.text, lambda name, question=question: attempts.answers(name, question))
        for question in load_questions(folder, _SEED, queries)
    ]
    return Domain("gsm8k", attempts.records, asked)


def _calls(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the tool calls of a conversation as actions."""
    calls = [call for turn in turns for call in turn.get("tool_calls") or ()]
    return [f"{call['name']}({call['arguments']})" for call in calls]


def _record(
    name: str, place: int, problem: str, steps: Sequence[str], correct: bool
) -> Mapping[str, Any]:
    return {
        "episode_id": name,
        "timestamp": (_BEGINNING + timedelta(minutes=place)).isoformat(),
        "input": {"problem": problem},
        "trace": [{"step": number, "action": step} for number, step in enumerate(steps, 1)],
        "output": {"correct": correct},
    }


async def _measure(
    running: Running, domains: Sequence[Domain]
) -> dict[str, dict[str, dict[str, float]]]:
    async with opened_service(running, **QUIET) as service:
        for domain in domains:
            await _fill(service, domain)
        await settle(service)
        for domain in domains:
            await service.extract_concepts(domain.owner)
        return {domain.name: await _asked(service, domain) for domain in domains}


async def _asked(service: Service, domain: Domain) -> dict[str, dict[str, float]]:
    tallies: dict[RetrievalMode, Tally] = {mode: Tally() for mode in MODES}
    for place, asked in enumerate(domain.asked):
        for mode, tally in tallies.items():
            request = RetrieveRequest(domain.owner, asked.text, k=_SHOWN + 1, mode=mode)
            answer = await service.retrieve_episodes(request)
            tally.add([result.content.external_id or "" for result in answer.results], asked)
        progress(f"{domain.name}: questions", place + 1, len(domain.asked))
    return {str(mode): tally.figures() for mode, tally in tallies.items()}


async def _fill(service: Service, domain: Domain) -> None:
    """Store the attempts in batches; stored ones are skipped."""
    rows = [_memory(record, domain.owner) for record in domain.records]
    for first in range(0, len(rows), _BATCH):
        for saved in await service.remember(rows[first : first + _BATCH]):
            if saved.status not in ("created", "unchanged"):
                raise SystemExit(f"an episode was not stored: {saved}")
        progress(f"{domain.name}: episodes", min(first + _BATCH, len(rows)), len(rows))


def _memory(record: Mapping[str, Any], owner: Caller) -> NewMemory:
    return NewMemory(
        owner.writable(),
        record["input"]["problem"],
        kind="episode",
        external_id=record["episode_id"],
        agent_id=owner.agent_id,
        content_type="structured",
        structured=record,
        correct=record["output"]["correct"],
        occurred_at=datetime.fromisoformat(record["timestamp"]),
    )


def _print_table(name: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    print(name)
    columns = list(next(iter(rows.values())))
    print(f"{'':>12}" + "".join(f"{column:>10}" for column in columns))
    for mode, row in rows.items():
        print(f"{mode:>12}" + "".join(f"{row[column]:>10.3f}" for column in columns))


def summary(tables: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, float]:
    """Return the last line: hit@3 of `all` and of the best other mode, and the airline's ratios."""
    line: dict[str, float] = {}
    for name, rows in tables.items():
        line[f"{name}_hit3"] = rows["all"]["hit@3"]
        line[f"{name}_hit3_best"] = max(row["hit@3"] for mode, row in rows.items() if mode != "all")
    if rows := tables.get("airline"):
        for column, key in (("right@3", "airline_right3"), ("others@3", "airline_others3")):
            line[key] = rows["all"][column]
            base = rows["episodic"][column]
            line[f"{key}_ratio"] = line[key] / base if base else float("inf")
    return line


if __name__ == "__main__":
    main()
