"""Cycles on real attempts: detected errors, repairs, confidence, and predicted failures.

Attempts of four models at GSM8K are replayed as cycles. Those at the first problems are history; the others are unseen.
Trajectories of a tool-using agent show whether a failure is predictable from the first half of the calls.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import gsm8k, kept_cycles
from benchmarks.rounds import percentile
from benchmarks.runner import (
    Running,
    add_common_arguments,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
)
from graph.kernel.scope import Caller
from graph.model.cycles.checks import Check
from graph.model.cycles.cycle import PARTS, NewStep, ToolCall
from graph.scoring.cycles import blended, fitted_weights
from graph.verifying.arithmetic import stated_answer
from graph.verifying.registry import run_check
from service.use_cases.cycles.complete import CycleReport
from service.use_cases.cycles.rules import WEIGHTS
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.kernel.values import Floats
    from service.bootstrap import Service

OWNER = Caller("local", "solver")
HELP_DESK = Caller("local", "airline")
QUIET = {"worker": False, "flush_seconds": 3600.0, "events": False}
ALONE = ("arithmetic", "grounding", "answer")
_SEED = 7
_RIDGE = 1.0
_BINS = 10


@dataclass(slots=True)
class Predictions:
    """Confidence parts and outcomes."""

    parts: list[list[float]] = field(default_factory=list[list[float]])
    right: list[float] = field(default_factory=list[float])

    def add(self, parts: dict[str, float], right: bool) -> None:
        """Add one."""
        self.parts.append([parts[name] for name in PARTS])
        self.right.append(float(right))

    @property
    def columns(self) -> tuple[Floats, Floats]:
        """Both as arrays."""
        return np.array(self.parts), np.array(self.right)


def main() -> None:
    """Measure, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--trajectories", type=Path, help="folder of conversations with tools")
    parser.add_argument("--problems", type=int, default=300, help="problems replayed as cycles")
    parser.add_argument("--cycles", type=int, default=0, help="cycles that are kept beside one")
    parser.add_argument("--seed", type=int, default=_SEED, help="of the order of problems")
    add_common_arguments(parser)
    options = parser.parse_args()
    figures: dict[str, float] = {}
    if options.data:
        figures |= checked(gsm8k.load(options.data, options.seed))
    if options.data or options.trajectories or options.cycles:
        with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
            figures |= run_loop(_replayed(running, options))
    print_result(figures, as_json=options.json)


def checked(problems: gsm8k.Problems) -> dict[str, float]:
    """Return the share of wrong attempts that checkers detect, and of correct ones they reject.

    The success rate of each model is taken from the other half of the problems only.
    """
    alarms: dict[str, dict[bool, list[bool]]] = {}
    halves = [problems.right[1::2].mean(axis=0), problems.right[::2].mean(axis=0)]
    for problem, solutions in enumerate(problems.solutions):
        rates = halves[problem % 2]
        for model, text in enumerate(solutions):
            others = [one for place, one in enumerate(solutions) if place != model]
            given = {"text": text, "source": problems.questions[problem], "others": others}
            says = {
                name: run_check(Check(name, given)).verdict == "failed"
                for name in ("arithmetic", "grounding", "answer", "consistency")
            }
            says["alone"] = any(says[name] for name in ALONE)
            says["all"] = says["alone"] or says["consistency"]
            given["accuracies"] = [rates[model], *np.delete(rates, model)]
            says["weighed"] = run_check(Check("consistency", given)).verdict == "failed"
            right = bool(problems.right[problem, model])
            for name, alarm in says.items():
                alarms.setdefault(name, {True: [], False: []})[right].append(alarm)
    return {
        f"{name}_{word}": float(np.mean(found[right]))
        for name, found in alarms.items()
        for word, right in (("caught", False), ("false_alarms", True))
    }


async def _replayed(running: Running, options: argparse.Namespace) -> dict[str, float]:
    figures: dict[str, float] = {}
    async with opened_service(running, **QUIET) as service:
        if options.data:
            problems = gsm8k.load(options.data, options.seed, options.problems)
            figures |= await _confidence(service, problems)
            figures |= await _repairs(service, problems)
            figures |= await _speed(service)
        if options.trajectories:
            figures |= await _foreseen(service, options.trajectories)
        if options.cycles:
            figures |= await kept_cycles.measure(service, options.cycles)
    return figures


async def _confidence(service: Service, problems: gsm8k.Problems) -> dict[str, float]:
    """Replay attempts; learn weights on the first half of the problems, evaluate them on the rest."""
    half = len(problems) // 2
    told = {True: Predictions(), False: Predictions()}
    for problem, solutions in enumerate(problems.solutions):
        opened: list[tuple[str, str, bool]] = []
        for model, text in enumerate(solutions):
            others = [one for place, one in enumerate(solutions) if place != model]
            right = bool(problems.right[problem, model])
            name, goal = f"{problem}-{model}", problems.questions[problem]
            told[problem < half].add(await _cycle(service, name, goal, text, others), right)
            opened.append((name, text, right))
        # No attempt at a problem sees the outcomes of others at it, nor of the second half.
        for name, text, right in opened if problem < half else ():
            status = "success" if right else "failure"
            answer = stated_answer(text)
            said = None if answer is None else str(answer)
            await service.complete_cycle(OWNER, name, CycleReport(status, answer=said))
        progress("problems", problem + 1, len(problems))
    parts, right = told[True].columns
    weights = fitted_weights(parts, right, np.array(WEIGHTS), ridge=_RIDGE)
    unseen, outcomes = told[False].columns
    base = float(right.mean())
    return {
        **_calibration("fixed", blended(unseen, np.array(WEIGHTS)), outcomes),
        **_calibration("confidence", blended(unseen, weights), outcomes),
        "base_rate_brier": float(np.mean((base - outcomes) ** 2)),
    }


async def _cycle(
    service: Service, name: str, goal: str, text: str, others: list[str]
) -> dict[str, float]:
    cycle, _ = await service.open_cycle(OWNER, goal, name)
    await service.enter_phase(OWNER, cycle.uid, "action", key="act")
    given = {"text": text, "source": goal, "others": others}
    names = (*ALONE, "consistency")
    findings = [run_check(Check(checker, given)) for checker in names]
    # Each verdict is a call of that checker; undecided ones are no calls.
    calls = tuple(
        ToolCall(one.checker, "success" if one.verdict == "passed" else "failure")
        for one in findings
        if one.verdict != "undecided"
    )
    answers = [stated_answer(text), *map(stated_answer, others)]
    retries = tuple(
        ToolCall("answer", "success", arguments="again", result=str(answer)) for answer in answers
    )
    step = NewStep("s", calls=(*calls, *retries), checks=(Check("arithmetic", {"text": text}),))
    done = await service.report_step(OWNER, cycle.uid, step)
    return dict(done.step.parts)


def _calibration(name: str, told: Floats, outcomes: Floats) -> dict[str, float]:
    bins = np.minimum((told * _BINS).astype(np.int64), _BINS - 1)
    error = sum(
        float((bins == one).mean() * abs(told[bins == one].mean() - outcomes[bins == one].mean()))
        for one in set(bins.tolist())
    )
    return {
        f"{name}_brier": float(np.mean((told - outcomes) ** 2)),
        f"{name}_calibration_error": error,
        f"{name}_auc": auc(told, outcomes),
    }


def auc(told: Floats, outcomes: Floats) -> float:
    """Return the probability that a success is rated above a failure; ties count half."""
    good, bad = told[outcomes == 1], told[outcomes == 0]
    if not len(good) or not len(bad):
        return 0.5
    above = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    return float(above)


async def _repairs(service: Service, problems: gsm8k.Problems) -> dict[str, float]:
    """Replay wrong attempts, and compare the proposed patch with the right answer.

    Some correct attempt of these problems is in the store, as for an agent that does not always fail.
    """
    agrees: list[bool] = []
    voted: list[bool] = []
    offered = 0
    for problem, solutions in enumerate(problems.solutions[: len(problems) // 2]):
        right = problems.right[problem]
        wrong = [model for model in range(len(solutions)) if not right[model]]
        if not wrong or not right.any():
            continue
        truth = str(stated_answer(solutions[int(np.flatnonzero(right)[0])]))
        text = solutions[wrong[0]]
        goal = problems.questions[problem]
        cycle, _ = await service.open_cycle(OWNER, goal, f"repair-{problem}")
        await service.enter_phase(OWNER, cycle.uid, "action", key="act")
        failed = (ToolCall("judge", "failure", result="the answer is wrong"),)
        await service.report_step(OWNER, cycle.uid, NewStep("s", calls=failed))
        patch = await service.generate_patch(OWNER, cycle.uid)
        offered += patch.state == "proposed"
        agrees.append(bool(patch.answers) and patch.answers[0] == truth)
        others = [str(stated_answer(one)) for one in solutions if one != text]
        voted.append(Counter(others).most_common(1)[0][0] == truth)
    return {
        "repairs": float(len(agrees)),
        "repairs_offered": offered / max(1, len(agrees)),
        "repairs_agree": float(np.mean(agrees)),
        "most_frequent_agrees": float(np.mean(voted)),
    }


async def _speed(service: Service) -> dict[str, float]:
    """Time phases beside recalls, and an outer loop over all ended cycles."""
    cycle, _ = await service.open_cycle(OWNER, "How many eggs are left for the market?", "speed")
    phases: list[float] = []
    recalls: list[float] = []
    for number in range(200):
        text = f"How many eggs are left after {number} days?"
        begun = time.perf_counter()
        await service.recall(RecallRequest(OWNER, text=text, k=5, task_id="speed"))
        recalls.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        await service.enter_phase(OWNER, cycle.uid, "planning", key=f"p{number}", query=text)
        phases.append(time.perf_counter() - begun)
    await service.run_loop(OWNER)  # so that its statements are planned
    begun = time.perf_counter()
    looped = await service.run_loop(OWNER, dry_run=False)
    seconds = time.perf_counter() - begun
    phase, recall = (percentile(each, 95) for each in (phases, recalls))
    return {
        "phase_p95_ms": phase,
        "recall_p95_ms": recall,
        "phase_by_recall": phase / recall,
        "loop_cycles": float(looped.run.report["cycles"]),
        "loop_seconds": seconds,
    }


async def _foreseen(service: Service, folder: Path) -> dict[str, float]:
    """Predict the outcome of a conversation from the first half of its calls, leaving one task out at a time."""
    lines = (folder / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    told: dict[int, Predictions] = {}
    for number, row in enumerate(rows):
        calls = calls_of(row["traj"])
        half = calls[: max(1, len(calls) // 2)]
        cycle, _ = await service.open_cycle(HELP_DESK, _first_words(row), f"t{number}")
        await service.enter_phase(HELP_DESK, cycle.uid, "action", key="act")
        done = await service.report_step(HELP_DESK, cycle.uid, NewStep("half", calls=half))
        told.setdefault(row["task_id"], Predictions()).add(
            dict(done.step.parts), row["reward"] == 1
        )
        rest = NewStep("rest", calls=calls[len(half) :])
        await service.report_step(HELP_DESK, cycle.uid, rest)
        # Tasks are in file order: the four trials of one are consecutive.
        status = "success" if row["reward"] == 1 else "failure"
        await service.complete_cycle(HELP_DESK, cycle.uid, CycleReport(status))
        progress("conversations", number + 1, len(rows))
    return left_out(told)


def left_out(told: dict[int, Predictions]) -> dict[str, float]:
    """Learn weights on all tasks but one, and predict that one; the base rate likewise."""
    scores: list[float] = []
    bases: list[float] = []
    ends: list[float] = []
    for task, held in told.items():
        others = [each for name, each in told.items() if name != task]
        parts = np.array([row for each in others for row in each.parts])
        right = np.array([one for each in others for one in each.right])
        weights = fitted_weights(parts, right, np.array(WEIGHTS), ridge=_RIDGE)
        scores += blended(held.columns[0], weights).tolist()
        bases += [float(right.mean())] * len(held.right)
        ends += held.right
    outcomes = np.array(ends)
    return {
        "airline_auc": auc(np.array(scores), outcomes),
        "airline_brier": float(np.mean((np.array(scores) - outcomes) ** 2)),
        "airline_base_rate_brier": float(np.mean((np.array(bases) - outcomes) ** 2)),
        "airline_base_rate_auc": 0.5,
    }


def calls_of(messages: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """Return the tool calls of a conversation, each with its answer."""
    found: list[ToolCall] = []
    nothing: dict[str, Any] = {}
    for place, message in enumerate(messages):
        for call in message.get("tool_calls") or ():
            told = _named(call)
            answer = next((m for m in messages[place + 1 :] if m["role"] == "tool"), nothing)
            result = str(answer.get("content", ""))[:2000]
            failed = result.startswith("Error")
            found.append(ToolCall(told[0], "failure" if failed else "success", told[1], result))
    return tuple(found)


def _named(call: dict[str, Any]) -> tuple[str, str]:
    inner = call.get("function", call)
    return inner["name"], str(inner["arguments"])


def _first_words(row: dict[str, Any]) -> str:
    return next(message["content"] for message in row["traj"] if message["role"] == "user")


if __name__ == "__main__":
    main()
