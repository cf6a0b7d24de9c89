"""Real attempts as episodes, questions without stored solutions, and their relevance.

An attempt's text is split into steps: `<<…>>` is an action with its observation, the line around it the thought. An
attempt is relevant to a question if their reference solutions use the same operators, each as often; these are only
read here, and stored nowhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.gsm8k import MODELS
from graph.kernel.actions import action_names
from graph.kernel.scope import Caller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

OWNER = Caller("local", "solver")
DOMAIN = "math"
_MARK = re.compile(r"<<([^<>=]*)=([^<>]*)>>")
_ANSWER = re.compile(r"^\s*(?:A:|####)\s*(.*)$", re.MULTILINE)
_DIGITS = re.compile(r"\d+")
_LONGEST = 15
_TEXTS = ("thought", "action", "observation")
_BEGINNING = datetime(2025, 11, 1, tzinfo=UTC)
_TUNED_ON = 900  # queries on which the weights were chosen; no figure is measured on them

Operators = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A problem without attempts, and the operators of its reference solution."""

    text: str
    operators: Operators


@dataclass(frozen=True, slots=True)
class Attempts:
    """Episodes in the seed's form, with the operators and verdict of each by name."""

    records: tuple[Mapping[str, Any], ...]
    answers_to: Mapping[str, Operators]
    right: Mapping[str, bool]

    def __len__(self) -> int:
        return len(self.records)

    def answers(self, name: str, question: Question) -> bool:
        """Return whether an episode is correct and its problem has the operators of the question."""
        return self.right[name] and self.answers_to[name] == question.operators


def operators(solution: str) -> Operators:
    """Return the operators of a solution's marks, sorted."""
    return tuple(sorted(name for sum_, _ in _MARK.findall(solution) for name in action_names(sum_)))


def load_attempts(folder: Path, seed: int, size: int) -> Attempts:
    """Read attempts in random order; beyond the last, again with other numbers.

    Raises
    ------
    SystemExit
        If the file of attempts is not in the folder.
    """
    rows = _lines(folder / "example_model_solutions.jsonl")
    order = np.random.default_rng(seed).permutation(len(rows))
    records: list[Mapping[str, Any]] = []
    answers_to: dict[str, Operators] = {}
    right: dict[str, bool] = {}
    for place, (problem, copy) in enumerate(_rounds(order)):
        row = rows[problem]
        taken = operators(row["ground_truth"])
        for model in MODELS:
            if len(records) == size:
                return Attempts(tuple(records), answers_to, right)
            record = _record(row, model, f"{problem}-{copy}", len(records), place)
            records.append(_reworded(record, seed + place) if copy else record)
            answers_to[record["episode_id"]] = taken
            right[record["episode_id"]] = bool(row[model]["is_correct"])
    raise AssertionError("the rounds do not end")


def load_questions(folder: Path, seed: int, count: int) -> tuple[Question, ...]:
    """Draw questions of the training set whose solutions have operators.

    Raises
    ------
    SystemExit
        If the file is not in the folder.
    """
    rows = _lines(folder / "train_3000.jsonl")
    drawn = (rows[int(place)] for place in np.random.default_rng(seed).permutation(len(rows)))
    every = (Question(row["question"], operators(row["answer"])) for row in drawn)
    kept = [question for question in every if question.operators]
    return tuple(kept[_TUNED_ON : _TUNED_ON + count])


def steps_of(solution: str) -> list[dict[str, Any]]:
    """Split a solution into steps: one per mark, and per line without one."""
    steps: list[dict[str, Any]] = []
    for line in solution.splitlines():
        thought = _MARK.sub("", line).strip()
        if not thought or _ANSWER.match(line):
            continue
        marks: Sequence[tuple[str, str]] = _MARK.findall(line) or [("", "")]
        for place, (action, observation) in enumerate(marks):
            said = thought if place == 0 else ""
            steps.append(
                {"thought": said, "action": action.strip(), "observation": observation.strip()}
            )
    return [{"step": number, **step} for number, step in enumerate(steps, 1)]


def _rounds(order: Iterable[Any]) -> Iterator[tuple[int, int]]:
    copy = 0
    while True:
        for problem in order:
            yield int(problem), copy
        copy += 1


def _record(
    row: Mapping[str, Any], model: str, problem: str, number: int, place: int
) -> dict[str, Any]:
    solution = row[model]["solution"]
    answer = _ANSWER.search(solution)
    return {
        "episode_id": f"gsm8k-{number}",
        "timestamp": (_BEGINNING + timedelta(minutes=place)).isoformat(),
        "input": {"problem": row["question"], "problem_id": problem, "domain": DOMAIN},
        "trace": steps_of(solution),
        "output": {
            "answer": answer[1].strip() if answer else "",
            "correct": bool(row[model]["is_correct"]),
        },
        "metadata": {"model": model, "tokens_used": len(solution) // 4},
    }


def _reworded(record: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Replace each number by another of as many digits, consistently."""
    rng = np.random.default_rng(seed)
    drawn: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        digits = match[0]
        if digits not in drawn:
            low: int = 10 ** (min(len(digits), _LONGEST) - 1)
            drawn[digits] = str(rng.integers(low, 10 * low))
        return drawn[digits]

    # The problem first: all its attempts draw the same numbers.
    asked = {**record["input"], "problem": _DIGITS.sub(other, record["input"]["problem"])}
    steps: list[dict[str, Any]] = record["trace"]
    trace = [
        step | {name: _DIGITS.sub(other, str(step[name])) for name in _TEXTS} for step in steps
    ]
    answer = _DIGITS.sub(other, record["output"]["answer"])
    return {
        **record,
        "input": asked,
        "trace": trace,
        "output": {**record["output"], "answer": answer},
    }


def shared_share(attempts: Attempts, questions: Sequence[Question]) -> float:
    """Return the share of questions with a relevant stored episode."""
    known = Counter(attempts.answers_to[name] for name, right in attempts.right.items() if right)
    return sum(known[question.operators] > 0 for question in questions) / len(questions)


def _lines(file: Path) -> list[dict[str, Any]]:
    if not file.is_file():
        raise SystemExit(f"no {file.name} in {file.parent}")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
