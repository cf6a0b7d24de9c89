"""Whether recall gets better with outcomes: real problems, attempts that help or do not, noisy reports.

A task asks for attempts at a problem, follows the first, and reports whether it was right; one report
in ten is wrong. Seen problems are asked once an epoch; held-out ones never get a reward of their own.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import gsm8k
from benchmarks.floor import reset_learned
from benchmarks.following import Trial, follow_all
from benchmarks.runner import (
    Running,
    add_common_arguments,
    add_home_argument,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
    say,
)
from graph.model import Filters
from service.use_cases.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchmarks.gsm8k import Problems
    from service.bootstrap import Service

QUIET = {"worker": False, "flush_seconds": 3600.0}
_FLIPPED = 0.1


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to learn: what is set, λ where it is not that of the phase, and whether it learns at all."""

    settings: Mapping[str, Any]
    utility_weight: float | None = None
    learns: bool = True


VARIANTS: dict[str, Variant] = {
    "similarity_only": Variant({}, utility_weight=0.0, learns=False),
}


@dataclass(frozen=True, slots=True)
class Curve:
    """Success on the seen problems by epoch, and on the held-out ones after each."""

    seen: list[float]
    held_out: list[float]


@dataclass(frozen=True, slots=True)
class Learner:
    """One variant on the store, with names of tasks of its own."""

    service: Service
    problems: Problems
    name: str
    variant: Variant
    seed: int

    async def run(self, epochs: int) -> Curve:
        """Ask the seen problems epoch after epoch, and the held-out ones after each."""
        curve = Curve([], [])
        for epoch in range(epochs if self.variant.learns else 1):
            seen = await follow_all(self.service, [*self._tasks(epoch)])
            held_out = await follow_all(self.service, [*self._exams()])
            curve.seen.append(float(np.mean(seen)))
            curve.held_out.append(float(np.mean(held_out)))
            progress(f"{self.name}: epoch", epoch + 1, epochs)
        return curve

    def _tasks(self, epoch: int) -> Iterable[Trial]:
        rng = np.random.default_rng([self.seed, epoch])
        flipped = rng.random(len(self.problems)) < _FLIPPED
        for problem in map(int, rng.permutation(self.problems.seen)):
            task = f"{self.name}-{epoch}-{problem}" if self.variant.learns else None
            yield self._trial(problem, task, flipped=bool(flipped[problem]))

    def _exams(self) -> Iterable[Trial]:
        return (self._trial(int(problem), None) for problem in self.problems.held_out)

    def _trial(self, problem: int, task: str | None, *, flipped: bool = False) -> Trial:
        request = RecallRequest(
            gsm8k.OWNER,
            text=self.problems.questions[problem],
            filters=Filters(kinds=("episode",), tags_any=(gsm8k.tag(problem),)),
            k=len(gsm8k.MODELS),
            phase="planning",
            utility_weight=self.variant.utility_weight,
            task_id=task,
        )

        def worth(name: str) -> float:
            place, model = self.problems.attempt(name)
            return float(place == problem and self.problems.right[place, model])

        return Trial(request, worth, flipped=flipped)


def main() -> None:
    """Measure, print the curves, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the seen problems")
    parser.add_argument("--problems", type=int, help="take only so many problems; unset: all")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="which, of: %(default)s")
    parser.add_argument("--seed", type=int, default=7, help="of names, order, split and flips")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    problems = gsm8k.load(options.data, options.seed, options.problems)
    home = _home(options, len(problems))
    with running_service({"STRATAGRAPH_WORKER": "false"}, home) as running:
        curves = run_loop(_learn(running, problems, options))
    if home is not None:
        curves = _merged(home / "curves.json", curves)
    print_curves(curves, problems)
    print_result(summary(curves, problems), as_json=options.json)


def _home(options: argparse.Namespace, size: int) -> Path | None:
    return options.home / f"gsm8k-{size}-{options.seed}" if options.home else None


async def _learn(
    running: Running, problems: Problems, options: argparse.Namespace
) -> dict[str, Curve]:
    curves: dict[str, Curve] = {}
    async with opened_service(running) as service:
        await fill(service, problems)
    for name in options.variants.split(","):
        variant = VARIANTS[name]
        async with opened_service(running, **QUIET, **variant.settings) as service:
            await reset_learned(service.database.driver, gsm8k.OWNER.writable())
            learner = Learner(service, problems, name, variant, options.seed)
            curves[name] = await learner.run(options.epochs)
    return curves


async def fill(service: Service, problems: Problems) -> None:
    """Remember strategies, problems and attempts; what is there already stays."""
    say(f"  {len(problems):,} problems with {problems.right.size:,} attempts")
    for rows in problems.batches():
        for saved in await service.remember(rows):
            if saved.status not in ("created", "unchanged"):
                raise SystemExit(f"a memory was not created: {saved}")


def _merged(file: Path, curves: dict[str, Curve]) -> dict[str, Curve]:
    """Add the curves to those of earlier runs on the same store, and keep all."""
    kept: dict[str, list[list[float]]] = (
        json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    )
    kept |= {name: [curve.seen, curve.held_out] for name, curve in curves.items()}
    file.write_text(json.dumps(kept), encoding="utf-8")
    return {name: Curve(seen, held_out) for name, (seen, held_out) in kept.items()}


def print_curves(curves: Mapping[str, Curve], problems: Problems) -> None:
    """Print success by epoch, on seen problems and on held-out ones."""
    print(f"seen: the oracle has {problems.oracle:.3f}")
    _print_rows({name: curve.seen for name, curve in curves.items()})
    print(f"held out: the best model has {problems.best_model:.3f}")
    _print_rows({name: curve.held_out for name, curve in curves.items()})


def _print_rows(rows: Mapping[str, list[float]]) -> None:
    for name, values in rows.items():
        print(f"{name:>18}" + "".join(f"{value:>7.3f}" for value in values))


def summary(curves: Mapping[str, Curve], problems: Problems) -> dict[str, float]:
    """Name the figures of the last line: ratios to the oracle and to the best model."""
    line: dict[str, float] = {}
    if graph := curves.get("graph"):
        line["heldout_vs_best"] = _share(graph.held_out[0], problems.best_model)
        for epoch in (5, 10):
            if len(graph.seen) >= epoch:
                line[f"seen_vs_oracle@{epoch}"] = _share(graph.seen[epoch - 1], problems.oracle)
    if plain := curves.get("similarity_only"):
        line["similarity_only"] = plain.seen[0]
    for name, curve in curves.items():
        line[f"heldout_{name}"] = _share(curve.held_out[0], problems.best_model)
        line[f"seen_{name}"] = _share(curve.seen[-1], problems.oracle)
    return line


def _share(value: float, best: float) -> float:
    return value / best if best else 0.0


if __name__ == "__main__":
    main()
