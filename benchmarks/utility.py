"""Improvement of recall with outcomes: real problems, attempts of known correctness, noisy reports.

A task asks for attempts at a problem, follows the first, and reports whether it was correct; one report in ten is
wrong. Seen problems are asked once an epoch; held-out ones never get a reward of their own.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import gsm8k
from benchmarks.contextual import learn_worlds
from benchmarks.cost import measure_bytes, time_outcomes, time_recalls
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
from graph.model.recall.candidates import Filters
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchmarks.gsm8k import Problems
    from service.bootstrap import Service

QUIET = {"worker": False, "flush_seconds": 3600.0, "events": False}
_FLIPPED = 0.1


@dataclass(frozen=True, slots=True)
class Variant:
    """A configuration of learning: settings, λ if not that of the phase, and whether it learns at all."""

    settings: Mapping[str, Any]
    utility_weight: float | None = None
    learns: bool = True


VARIANTS: dict[str, Variant] = {
    "similarity_only": Variant({}, utility_weight=0.0, learns=False),
    "own": Variant({"credit_damping": 0.0}),
    "graph": Variant({}),  # the defaults, with the scale `unit`
    "exploration": Variant({"exploration": "ucb"}),
    "signed": Variant({"reward_scale": "signed"}),
    "literal": Variant({"q_prior_count": 0.0, "z_deviation_floor": 0.0, "z_limit": math.inf}),
}


@dataclass(frozen=True, slots=True)
class Curve:
    """Success on the seen problems by epoch, and on the held-out ones after each."""

    seen: list[float] = field(default_factory=list[float])
    held_out: list[float] = field(default_factory=list[float])


@dataclass(slots=True)
class Curves:
    """The curves of all variants, stored beside the store; ``last`` is the variant whose learning the store holds."""

    file: Path | None = None
    kept: dict[str, Curve] = field(default_factory=dict[str, Curve])
    last: str = ""

    @classmethod
    def beside(cls, home: Path | None) -> Curves:
        """Read the curves of earlier runs on a store."""
        if home is None or not (file := home / "curves.json").is_file():
            return cls(home and home / "curves.json")
        said: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        kept = {name: Curve(*values) for name, values in said["curves"].items()}
        return cls(file, kept, said["last"])

    def begin(self, name: str, epochs: int) -> int:
        """Return the number of epochs of a curve; 0 if it must start again, as another variant came between."""
        done = len(self.kept.setdefault(name, Curve()).seen)
        if done < epochs and self.last != name:
            self.kept[name] = Curve()
            return 0
        return done

    def forget(self, names: Iterable[str]) -> None:
        """Remove the curves of variants."""
        for name in names:
            self.kept.pop(name, None)

    def add(self, name: str, seen: float, held_out: float) -> None:
        """Add an epoch."""
        self.last = name
        self.kept[name].seen.append(seen)
        self.kept[name].held_out.append(held_out)
        if self.file is not None:
            curves = {name: [curve.seen, curve.held_out] for name, curve in self.kept.items()}
            self.file.write_text(json.dumps({"last": name, "curves": curves}), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Learner:
    """One variant on the store, with its own names of tasks."""

    service: Service
    problems: Problems
    name: str
    variant: Variant
    seed: int

    async def epoch(self, number: int) -> tuple[float, float]:
        """Ask the seen problems once, then the held-out ones; return both success rates."""
        seen = await follow_all(self.service, [*self._tasks(number)])
        held_out = await follow_all(self.service, [*self._exams()])
        return float(np.mean(seen)), float(np.mean(held_out))

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
            explore=None if task else False,
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
    parser.add_argument("--variants", default=",".join(VARIANTS), help="which; unset: all of them")
    parser.add_argument("--seed", type=int, default=7, help="of names, order, split and flips")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="stop after; the next run goes on"
    )
    parser.add_argument("--anew", action="store_true", help="forget the curves of earlier runs")
    parser.add_argument("--contextual", action="store_true", help="learn worlds of contexts too")
    parser.add_argument("--worlds", type=int, default=3, help="how many of them")
    parser.add_argument("--per-pair", type=int, default=10, help="outcomes by context and strategy")
    parser.add_argument("--cost", action="store_true", help="time outcomes and recalls, and weigh")
    parser.add_argument("--rounds", type=int, default=200, help="calls per figure of the cost")
    parser.add_argument("--bytes", type=int, default=100_000, help="memories that are weighed")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    print_result(_measure(options), as_json=options.json)


def _measure(options: argparse.Namespace) -> dict[str, float]:
    problems = gsm8k.load(options.data, options.seed, options.problems)
    home = _home(options, len(problems))
    curves = Curves.beside(home)
    line: dict[str, float] = {}
    if options.anew:
        curves.forget(options.variants.split(","))
    with running_service({"STRATAGRAPH_WORKER": "false"}, home) as running:
        run_loop(_learn(running, problems, curves, options))
        if options.contextual:
            texts = gsm8k.questions(options.data)
            worlds = learn_worlds(running, texts, options.seed, options.worlds, options.per_pair)
            line |= run_loop(worlds)
        if options.cost:
            line |= run_loop(time_outcomes(running, problems, options.rounds))
            line |= run_loop(time_recalls(running, problems, options.rounds))
    if options.cost:
        line |= measure_bytes(options.bytes)
    print_curves(curves.kept, problems)
    return {**summary(curves.kept, problems), **line}


def _home(options: argparse.Namespace, size: int) -> Path | None:
    return options.home / f"gsm8k-{size}-{options.seed}" if options.home else None


async def _learn(
    running: Running, problems: Problems, curves: Curves, options: argparse.Namespace
) -> None:
    """Continue each variant where its curve ends, until the time is over."""
    until = time.monotonic() + 60 * options.minutes
    async with opened_service(running) as service:
        await fill(service, problems)
    for name in filter(None, options.variants.split(",")):
        variant = VARIANTS[name]
        epochs = options.epochs if variant.learns else 1
        async with opened_service(running, **QUIET, **variant.settings) as service:
            learner = Learner(service, problems, name, variant, options.seed)
            while (done := curves.begin(name, epochs)) < epochs and time.monotonic() < until:
                if not done:
                    await reset_learned(service.database.driver, gsm8k.OWNER.writable())
                curves.add(name, *await learner.epoch(done))
                progress(f"{name}: epoch", done + 1, epochs)


async def fill(service: Service, problems: Problems) -> None:
    """Store strategies, problems and attempts; stored ones are skipped."""
    say(f"  {len(problems):,} problems with {problems.right.size:,} attempts")
    for rows in problems.batches():
        for saved in await service.remember(rows):
            if saved.status not in ("created", "unchanged"):
                raise SystemExit(f"a memory was not created: {saved}")


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
    """Return the figures of the last line: ratios to the oracle and to the best model."""
    line: dict[str, float] = {}
    if graph := curves.get("graph"):
        line["heldout_vs_best"] = _share(graph.held_out[0], problems.best_model)
        for epoch in (5, 10):
            if len(graph.seen) >= epoch:
                line[f"seen_vs_oracle@{epoch}"] = _share(graph.seen[epoch - 1], problems.oracle)
    if plain := curves.get("similarity_only"):
        line["similarity_only"] = plain.seen[0]
    named = dict(curves)
    if "graph" in named:
        named["unit"] = named["graph"]  # the same run by its other name, beside `signed`
    for name, curve in named.items():
        line[f"heldout_{name}"] = _share(curve.held_out[0], problems.best_model)
        line[f"seen_{name}"] = _share(curve.seen[-1], problems.oracle)
    return line


def _share(value: float, best: float) -> float:
    return value / best if best else 0.0


if __name__ == "__main__":
    main()
