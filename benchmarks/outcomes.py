"""Surprise by a learned distribution of outcomes beside the fixed form, on real and on drifting sequences.

Sequences: tool calls and conversations of a help desk (`--trajectories`), attempts of four models at GSM8K (`--data`),
and a generator: durations that are constant, wander, jump, rise, scatter, or follow the expectation, with failures.
Each outcome is predicted from those before it. Constants were chosen on one half of the sequences, the other half is
also reported.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.runner import print_result, say
from graph.scoring.differences import DifferenceWeights, Spread, difference
from graph.scoring.momentum import SurpriseWeights, usual
from graph.scoring.surprise import ending
from service.use_cases.strata import expecting
from service.use_cases.strata.surprising import Event, momentum_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from graph.model.strata.surprises import MomentumKey, MomentumState, SurpriseRecord

Outcome = dict[str, Any]
Pairs = list[tuple[Outcome, Outcome]]
_START = datetime(2026, 1, 1, tzinfo=UTC)
_MIN_OUTCOMES = 20  # minimum outcomes of a tool's sequence
_RARE = 0.2  # share of failures up to which a failure should surprise
_LENGTH = 300
_SEEDS = {"chosen": (1, 2), "held": (3, 4, 5, 6)}
_ROUTINE, _THRESHOLD = 0.2, 0.7
_WORDS = ("success", "failure")


def trajectories(folder: Path) -> dict[str, Pairs]:
    """Read the outcomes of each tool and of conversations; expected are success and the first numbers."""
    came: dict[str, list[Outcome]] = {}
    for line in (folder / "trajectories.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        calls = 0
        for place, message in enumerate(row["traj"]):
            for call in message.get("tool_calls") or ():
                answer = row["traj"][place + 1].get("content") or ""
                calls += 1
                outcome = {"status": _WORDS[answer.startswith("Error")], "length": len(answer)}
                came.setdefault(call["name"], []).append(outcome)
        numbers = {"calls": calls, "messages": len(row["traj"])}
        came.setdefault("conversation", []).append(
            {"status": _WORDS[row["reward"] != 1], **numbers}
        )
    return {
        name: [({**rows[0], "status": "success"}, row) for row in rows[1:]]
        for name, rows in came.items()
        if len(rows) >= _MIN_OUTCOMES
    }


def attempts(folder: Path) -> dict[str, Pairs]:
    """Read attempts by model; expected are success, and the steps and length of the reference solution."""
    lines = (folder / "example_model_solutions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    models = [name for name, one in rows[0].items() if isinstance(one, dict)]
    return {
        model: [
            (
                _attempt(row["ground_truth"], right=True),
                _attempt(row[model]["solution"], right=row[model]["is_correct"]),
            )
            for row in rows
        ]
        for model in models
    }


def _attempt(text: str, *, right: bool) -> Outcome:
    return {
        "status": _WORDS[not right],
        "steps": len(re.findall("<<", text)),
        "length": len(text),
    }


def generated(seed: int) -> dict[str, Pairs]:
    """Generate durations around 100; 3 in 100 fail and take five times as long, of the scattering ones 30."""
    rng = np.random.default_rng(seed)
    wandered = np.cumsum(rng.normal(0, 0.02, _LENGTH))
    said = rng.integers(50, 500, _LENGTH)
    levels: dict[str, Callable[[int], tuple[float, float, float]]] = {
        "stays": lambda _: (100.0, 100.0, 0.1),
        "wanders": lambda i: (100.0, 100.0 * exp(float(wandered[i])), 0.1),
        "jumps": lambda i: (100.0, 100.0 if i < _LENGTH // 2 else 180.0, 0.08),
        "rises": lambda i: (100.0, 100.0 + i % 60, 0.0),
        "scatters": lambda _: (100.0, 100.0, 0.3),
        "follows": lambda i: (float(said[i]), 1.3 * float(said[i]), 0.1),
    }
    return {
        f"{name} {seed}": [
            _timed(rng, *level(place), 0.3 if name == "scatters" else 0.03)
            for place in range(_LENGTH)
        ]
        for name, level in levels.items()
    }


def _timed(
    rng: np.random.Generator, said: float, level: float, spread: float, failing: float
) -> tuple[Outcome, Outcome]:
    duration = level * exp(float(rng.normal(0, spread)))
    failed = bool(rng.random() < failing)
    outcome = {"status": _WORDS[failed], "duration": duration * (5.0 if failed else 1.0)}
    return {"status": "success", "duration": said}, outcome


@dataclass(slots=True)
class Scored:
    """Losses and scores of one set of sequences."""

    losses: list[tuple[float, float, float]] = field(
        default_factory=list[tuple[float, float, float]]
    )
    routine: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    failed: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    learned: list[bool] = field(default_factory=list[bool])

    def figures(self, name: str) -> dict[str, float]:
        """Return means, named by the set."""
        fixed, learned, used = np.mean(self.losses, axis=0)
        found = {"fixed": float(fixed), "learned": float(learned), "used": float(used)}
        shown = {f"{name}_loss_{form}": loss for form, loss in found.items()}
        shown[f"{name}_learned_share"] = float(np.mean(self.learned))
        for form, scores in self.routine.items():
            calm = np.array(scores)
            shown[f"{name}_{form}_routine_alarms"] = float((calm > _THRESHOLD).mean())
            shown[f"{name}_{form}_routine_low"] = float((calm < _ROUTINE).mean())
        for form, scores in self.failed.items():
            shown[f"{name}_{form}_failures_found"] = float((np.array(scores) > _THRESHOLD).mean())
        return shown


def judge(sequences: Mapping[str, Pairs]) -> Scored:
    """Predict every outcome from those before it, by the fixed form, the learned one, and the rule."""
    told = Scored()
    for context, pairs in sequences.items():
        failures = np.mean([ending(actual) == "failure" for _, actual in pairs])
        scores = {form: _scores(context, pairs, form) for form in ("fixed", "literal", "rule")}
        told.losses.extend(_losses(pairs))
        told.learned.extend(record.form == "learned" for record in scores["rule"])
        for form, records in scores.items():
            for (_, actual), record in zip(pairs, records, strict=True):
                if ending(actual) != "failure":
                    told.routine.setdefault(form, []).append(record.score)
                elif failures <= _RARE:
                    told.failed.setdefault(form, []).append(record.score)
    return told


def _scores(context: str, pairs: Pairs, form: str) -> list[SurpriseRecord]:
    states: dict[MomentumKey, MomentumState] = {}
    found: list[SurpriseRecord] = []
    for place, pair in enumerate(pairs):
        record, moved = _event(context, place, pair, form).decide(states)
        states |= moved
        found.append(record)
    return found


def _event(context: str, place: int, pair: tuple[Outcome, Outcome], form: str) -> Event:
    at = _START + timedelta(minutes=place)
    one, other = np.eye(2, dtype=np.float32)
    return Event(
        uid=f"event-{place}",
        scope="local/agent/bench",
        context=context,
        expected=pair[0],
        actual=pair[1],
        at=at,
        expires_at=at + timedelta(days=90),
        weights=SurpriseWeights(literal=form == "literal"),
        vectors={"success": one, "failure": other},
        learning=form != "fixed",
    )


def _losses(pairs: Pairs) -> list[tuple[float, float, float]]:
    """Return the loss of each outcome in nats a path: fixed, learned, and of the form chosen by the rule."""
    states: dict[MomentumKey, MomentumState] = {}
    found: list[tuple[float, float, float]] = []
    for place, (expected, actual) in enumerate(pairs):
        event = _event("losses", place, (expected, actual), "rule")
        [key] = [key for key in event.keys if key[1] != "novelty"]
        state = states.get(key)
        if state is not None:
            spreads = {path: Spread(*values) for path, values in state.spreads.items()}
            found.append(_loss(event, state, spreads))
        states |= event.decide(states)[1]
    return found


def _loss(
    event: Event, state: MomentumState, spreads: Mapping[str, Spread]
) -> tuple[float, float, float]:
    weights = SurpriseWeights()
    distance = difference(
        event.expected,
        event.actual,
        spreads=spreads,
        compare=lambda pairs: [float(one != other) for one, other in pairs],
        weights=DifferenceWeights(),
    )
    known = usual(momentum_of(state), None, at=event.at.timestamp() / 86_400, weights=weights)
    said = (event.expected, event.actual)
    seen = expecting.expectation(state.outcomes, said, distance, usual=known, spreads=spreads)
    if seen is None:
        raise ValueError("an outcome of a benchmark teaches something")
    own, other = seen.loss, seen.fixed_loss
    return other, own, own if seen.form == "learned" else other


def example() -> list[SurpriseRecord]:
    """Return the example of the source: durations of 100 to 109 with 100 expected, then a failure."""
    said = {"status": "success", "duration": 100}
    pairs: Pairs = [(said, {"status": "success", "duration": 100 + n}) for n in range(10)]
    pairs.append((said, {"status": "failure", "duration": 500}))
    return _scores("api-call", pairs, "rule")


def halves(sequences: Mapping[str, Pairs], chosen: Sequence[str]) -> dict[str, dict[str, Pairs]]:
    """Split sequences into those that constants were chosen on, and the others."""
    return {
        "chosen": {name: one for name, one in sequences.items() if name in chosen},
        "held": {name: one for name, one in sequences.items() if name not in chosen},
    }


def main() -> None:
    """Print the losses and scores of each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trajectories", type=Path, help="folder of conversations with tools")
    parser.add_argument("--data", type=Path, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args()
    parts: dict[str, dict[str, dict[str, Pairs]]] = {
        "drifting": {
            half: {name: one for seed in seeds for name, one in generated(seed).items()}
            for half, seeds in _SEEDS.items()
        }
    }
    if options.trajectories:
        found = trajectories(options.trajectories)
        parts["tools"] = halves(found, sorted(found)[::2])
    if options.data:
        found = attempts(options.data)
        parts["attempts"] = halves(found, [name for name in found if name.startswith("6b")])
    figures: dict[str, float] = {}
    for name, sets in parts.items():
        for half, sequences in sets.items():
            say(f"{name}, {half}: {sum(map(len, sequences.values()))} outcomes of {len(sequences)}")
            figures |= judge(sequences).figures(f"{name}_{half}")
    scores = [record.score for record in example()]
    figures |= {"example_routine_most": max(scores[:-1]), "example_failure": scores[-1]}
    print_result(figures, as_json=options.json)


if __name__ == "__main__":
    main()
