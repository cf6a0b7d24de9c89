"""Real problems with attempts of four models of known correctness, in a store that does not reveal it.

Stored are an attempt's text, its problem, and its model as a strategy. Names are shuffled, no link and no property
distinguishes a correct attempt, and the labels stay in this process.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Labels = np.ndarray[Any, np.dtype[np.bool_]]
    Places = np.ndarray[Any, np.dtype[np.int64]]

MODELS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")
OWNER = Caller("local", "gsm8k")
_BATCH = 500
_HELD_OUT = 300
_ALL = 1319


@dataclass(frozen=True, slots=True)
class Problems:
    """Questions and attempts; ``right`` has a row per problem and a column per model.

    ``names`` numbers the attempts in random order; ``held_out`` never get a reward.
    """

    questions: tuple[str, ...]
    solutions: tuple[tuple[str, ...], ...]
    right: Labels
    names: Places
    seen: Places
    held_out: Places

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def oracle(self) -> float:
        """Share of the seen problems with a correct attempt."""
        return float(self.right[self.seen].any(axis=1).mean())

    @property
    def best_model(self) -> float:
        """Share of the held-out problems that the best model solves."""
        return float(self.right[self.held_out].mean(axis=0).max())

    def attempt(self, name: str) -> tuple[int, int]:
        """Return the problem and the model of a stored attempt."""
        place = int(np.flatnonzero(self.names == int(name.removeprefix("a")))[0])
        return place // len(MODELS), place % len(MODELS)

    def batches(self) -> Iterator[list[NewMemory]]:
        """Return everything as memories: strategies and problems before the attempts that name them."""
        for part in (self._strategies(), self._problems(), self._attempts()):
            while rows := list(islice(part, _BATCH)):
                yield rows

    def _strategies(self) -> Iterator[NewMemory]:
        for model in MODELS:
            text = f"Work it out as {model.replace('_', ' ')} does."
            yield _memory(text, kind="strategy", external_id=f"s-{model}")

    def _problems(self) -> Iterator[NewMemory]:
        for place, question in enumerate(self.questions):
            yield _memory(question, kind="problem", external_id=f"p{place}")

    def _attempts(self) -> Iterator[NewMemory]:
        """Return the attempts in the order of their names."""
        for place in np.argsort(self.names):
            problem, model = divmod(int(place), len(MODELS))
            yield _memory(
                self.solutions[problem][model],
                kind="episode",
                external_id=f"a{self.names[place]}",
                tags=(tag(problem),),
                links=(
                    Link("ATTEMPTED", f"external:p{problem}"),
                    Link("USED", f"external:s-{MODELS[model]}"),
                ),
            )


def tag(problem: int) -> str:
    """Return the common tag of all attempts at a problem."""
    return f"p{problem}"


def load(folder: Path, seed: int, most: int | None = None) -> Problems:
    """Read the problems in random order, at most ``most``.

    Raises
    ------
    SystemExit
        If the file of attempts is not in the folder.
    """
    file = folder / "example_model_solutions.jsonl"
    if not file.is_file():
        raise SystemExit(f"no {file.name} in {folder}")
    rng = np.random.default_rng(seed)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    kept = [rows[int(place)] for place in rng.permutation(len(rows))[:most]]
    order = rng.permutation(len(kept))
    held_out = max(1, len(kept) * _HELD_OUT // _ALL)
    return Problems(
        questions=tuple(row["question"] for row in kept),
        solutions=tuple(tuple(row[model]["solution"] for model in MODELS) for row in kept),
        right=np.array([[row[model]["is_correct"] for model in MODELS] for row in kept]),
        names=rng.permutation(len(kept) * len(MODELS)),
        seen=np.sort(order[held_out:]),
        held_out=np.sort(order[:held_out]),
    )


def questions(folder: Path) -> tuple[str, ...]:
    """Read the questions only.

    Raises
    ------
    SystemExit
        If their file is not in the folder.
    """
    file = folder / "test.jsonl"
    if not file.is_file():
        raise SystemExit(f"no {file.name} in {folder}")
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line)["question"] for line in lines)


def _memory(text: str, **fields: Any) -> NewMemory:
    return NewMemory(OWNER.writable(), text, agent_id=OWNER.agent_id, **fields)
