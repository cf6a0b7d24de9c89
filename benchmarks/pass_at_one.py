"""Share of problems that a language model solves at the first try, with memory and without.

Each problem is asked once alone and once with the retrieved prompt; the last number of the answer must be that of the
reference. Called by ``benchmarks.reasoning``.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.runner import progress
from graph.kernel.errors import LanguageModelError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from graph.ports.language import LanguageModel

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"steps": {"type": "string"}, "answer": {"type": ["string", "number"]}},
    "required": ["answer"],
}
ALONE = "Solve the problem step by step. `answer` is the final number alone."
WITH_MEMORY = (
    "Solve the problem step by step. Before it stand earlier attempts at similar problems, with how they "
    "ended: follow what went right, avoid what went wrong. `answer` is the final number alone."
)
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_CHARACTERS_PER_TOKEN = 4

Prompt = str
"""What the memory gives for a problem, as text."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Result of one problem."""

    right: bool
    answered: bool
    tokens: int
    retrieval_seconds: float
    reasoning_seconds: float


@dataclass(slots=True)
class Tally:
    """Results of all problems, with or without memory."""

    rows: list[Solved] = field(default_factory=list[Solved])

    def figures(self, name: str) -> dict[str, float]:
        """Return the printed figures."""
        seconds = np.array([(row.retrieval_seconds, row.reasoning_seconds) for row in self.rows])
        mean = seconds.reshape(-1, 2).mean(axis=0) if self.rows else np.zeros(2)
        return {
            f"pass@1_{name}": _mean([row.right for row in self.rows]),
            f"answered_{name}": _mean([row.answered for row in self.rows]),
            f"tokens_{name}": _mean([row.tokens for row in self.rows]),
            f"retrieval_s_{name}": float(mean[0]),
            f"reasoning_s_{name}": float(mean[1]),
        }


def load_problems(folder: Path, seed: int, count: int) -> list[tuple[str, str]]:
    """Draw problems of the training set with their reference solutions; their attempts are not stored.

    Raises
    ------
    SystemExit
        If the file is not in the folder.
    """
    file = folder / "train_3000.jsonl"
    if not file.is_file():
        raise SystemExit(f"no {file.name} in {folder}")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    drawn = np.random.default_rng(seed).permutation(len(rows))[-count:]
    return [(rows[int(place)]["question"], rows[int(place)]["answer"]) for place in drawn]


async def measure(
    language: LanguageModel,
    retrieve: Callable[[str], Awaitable[Prompt]],
    problems: Sequence[tuple[str, str]],
    *,
    tokens_spent: Callable[[], int] | None = None,
) -> dict[str, float]:
    """Ask each problem, given with its reference solution, without and with memory.

    ``retrieve`` returns the prompt for a problem. ``tokens_spent`` returns the model's tokens so far; without it they
    are estimated from the characters.
    """
    alone, helped = Tally(), Tally()
    for place, (problem, reference) in enumerate(problems):
        wanted = last_number(reference)
        spent = tokens_spent or (lambda: 0)
        # In turns, so that a slow moment of the model affects both.
        alone.rows.append(await _solve(language, ALONE, problem, wanted, 0.0, spent))
        begun = time.perf_counter()
        prompt = await retrieve(problem)
        seconds = time.perf_counter() - begun
        asked = f"{prompt}\n\nProblem: {problem}" if prompt else problem
        helped.rows.append(await _solve(language, WITH_MEMORY, asked, wanted, seconds, spent))
        progress("problems", place + 1, len(problems))
    line = {**alone.figures("alone"), **helped.figures("memory")}
    base = line["pass@1_alone"]
    line["pass1_gain"] = line["pass@1_memory"] / base - 1.0 if base else 0.0
    return line


async def _solve(
    language: LanguageModel,
    instructions: str,
    asked: str,
    wanted: float | None,
    retrieval_seconds: float,
    spent: Callable[[], int],
) -> Solved:
    before, begun = spent(), time.perf_counter()
    try:
        answer = await language.fill(instructions, asked, SCHEMA, most_tokens=1024)
    except LanguageModelError:
        answer = None
    seconds = time.perf_counter() - begun
    given = None if answer is None else last_number(str(answer["answer"]))
    said = len(instructions) + len(asked) + len(str(answer or ""))
    tokens = spent() - before or said // _CHARACTERS_PER_TOKEN
    right = given is not None and wanted is not None and abs(given - wanted) < 1e-6
    return Solved(right, answer is not None, tokens, retrieval_seconds, seconds)


def last_number(text: str) -> float | None:
    """Return the last number of a text, or None."""
    found = _NUMBER.findall(text)
    return float(found[-1].replace(",", "")) if found else None


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
