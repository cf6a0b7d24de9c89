"""Pure rules of a cycle: mode, advice of a surprise, confidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from graph.kernel.actions import action_names
from graph.kernel.values import Phase
from graph.model.cycles.checks import Finding
from graph.model.cycles.cycle import (
    KEPT_SCORES,
    PARTS,
    Advice,
    Cycle,
    Mode,
    NewStep,
    SimilarAttempts,
    ToolCall,
)
from graph.model.strata.config import StrataConfig
from graph.scoring.cycles import (
    blended,
    extra_observations,
    historical_accuracy,
    pair_counts,
    pattern_agreement,
    smoothed_rate,
)
from graph.verifying.expressions import equations

Outcome = Literal["success", "failure", "undecided"]
WEIGHTS = (0.0, 0.5, 0.5, 0.5, 1.0)
"""Initial weights of a confidence: the intercept, then one for each part."""
PRIOR = 0.5
_PRIOR_CALLS = 2.0
_PRIOR_ATTEMPTS = 2.0
_MODERATE, _HIGH = 0.6, 0.8  # severities
_PLANNED: frozenset[Phase] = frozenset(("planning", "action"))
_MAX_KEPT = 200  # tools, answers and actions of one cycle


class Thresholds(NamedTuple):
    """Thresholds of surprise for the advice."""

    high: float = 0.7
    moderate: float = 0.4
    plan: float = 0.6


DEFAULT_THRESHOLDS = Thresholds()


def thresholds_of(config: StrataConfig) -> Thresholds:
    """Return the thresholds of a tenant."""
    return Thresholds(
        config.cycle_surprise_high, config.cycle_surprise_moderate, config.cycle_surprise_plan
    )


def next_mode(mode: Mode, failures: int, outcome: Outcome, repair_after: int) -> tuple[Mode, int]:
    """Return the mode after a step, and the number of consecutive failures.

    A success leads to solver, a failure to verifier, repeated ones to repair; an undecided step has no effect.
    """
    if outcome == "success":
        return "solver", 0
    if outcome == "undecided":
        return mode, failures
    failures += 1
    return ("repair" if failures >= repair_after else "verifier"), failures


def outcome_of(calls: Sequence[ToolCall], findings: Sequence[Finding]) -> Outcome:
    """Return the outcome of a step: a failed check or last call of a tool is a failure; success needs evidence."""
    if any(finding.verdict == "failed" for finding in findings):
        return "failure"
    # the last call of each tool: a successful retry counts
    last = {call.tool: call.status for call in calls}
    if "failure" in last.values():
        return "failure"
    if last or any(finding.verdict == "passed" for finding in findings):
        return "success"
    return "undecided"


def advise(
    score: float,
    phase: Phase | None,
    earlier: Sequence[float],
    limits: Thresholds = DEFAULT_THRESHOLDS,
) -> Advice:
    """Return the advice of a surprise.

    Reconsidering a plan is checked before moderate surprises, as it could not be reached after them.
    """
    severity: Literal["low", "medium", "high"] = (
        "high" if score >= _HIGH else "medium" if score >= _MODERATE else "low"
    )
    # highest first: each limit is above the next one
    if score >= limits.high:
        number = extra_observations(score, high=limits.high)
        return Advice("RE_OBSERVE", score, round(score, 4), severity, number)
    if score >= limits.plan and phase in _PLANNED:
        return Advice("RECONSIDER_PLAN", score, round(0.9 * score, 4), severity)
    if score >= limits.moderate:
        recent = [*earlier, score][-KEPT_SCORES:]
        # one surprise needs context; several in a row need more reasoning
        if float(np.mean(recent)) > limits.moderate and len(recent) > 1:
            return Advice("EXTEND_REASONING", score, 0.7, severity)
        return Advice("INJECT_CONTEXT", score, 0.6, severity)
    return Advice("NO_ACTION", score, round(1.0 - score, 4), severity)


def sums_of(text: str) -> list[str]:
    """Return the names of the calculations of a text, in order."""
    return [name for one in equations(text) for name in action_names(one.expression)]


def counted(cycle: Cycle, step: NewStep) -> Cycle:
    """Add a step to the counts of its cycle."""
    tools, answers = dict(cycle.tools), dict(cycle.answers)
    for call in step.calls:
        good, all_of_it = tools.get(call.tool, (0, 0))
        tools[call.tool] = (good + (call.status == "success"), all_of_it + 1)
        # consistency: results of the same call are compared
        same, result = f"{call.tool} {digest_of(call.arguments)}", digest_of(call.result)
        first, agreeing, total = answers.get(same, (result, 0, 0))
        # the first result is what later ones are compared with
        answers[same] = (first, agreeing + (result == first), total + 1)
    done = [name for call in step.calls for name in action_names(f"{call.tool}()")]
    sums = [one.given.get("text") for one in step.checks if one.checker == "arithmetic"]
    done += [name for text in sums if isinstance(text, str) for name in sums_of(text)]
    return replace(
        cycle,
        tools=dict(list(tools.items())[:_MAX_KEPT]),
        answers=dict(list(answers.items())[:_MAX_KEPT]),
        actions=(*cycle.actions, *done)[-_MAX_KEPT:],
    )


def parts_of(cycle: Cycle) -> dict[str, float]:
    """Return the parts of a cycle's confidence, each in [0, 1]; 0.5 without evidence."""
    tried = list(cycle.tools.values())
    good, calls = (sum(values) for values in zip(*tried, strict=True)) if tried else (0, 0)
    again = [
        # without the first call, which agrees with itself
        (agreeing - 1, total - 1)
        for _, agreeing, total in cycle.answers.values()
        if total > 1
    ]
    same, retries = (sum(values) for values in zip(*again, strict=True)) if again else (0, 0)
    history = historical_accuracy(
        np.array(cycle.similar.similarity),
        np.array(cycle.similar.correct, dtype=np.float64),
        prior=PRIOR,
        weight=_PRIOR_ATTEMPTS,
    )
    return {
        "tools": smoothed_rate(good, calls, prior=PRIOR, weight=_PRIOR_CALLS),
        "consistency": smoothed_rate(same, retries, prior=PRIOR, weight=_PRIOR_CALLS),
        "patterns": agreement(cycle.actions, cycle.similar),
        "history": history,
    }


def agreement(actions: Sequence[str], similar: SimilarAttempts) -> float:
    """Return the agreement of pairs of steps with right attempts at similar goals, relative to wrong ones."""
    # the empty name makes a pair of the first step
    pair_index = {pair: place for place, pair in enumerate(dict.fromkeys(pairwise(("", *actions))))}
    # both right and wrong attempts are needed
    if not actions or len(set(similar.correct)) < len((True, False)):
        return 0.5
    counts: dict[bool, Any] = {}
    for verdict in (True, False):
        taken = [
            (pair_index[pair], number)
            for number, (done, right) in enumerate(
                zip(similar.actions, similar.correct, strict=True)
            )
            if right == verdict
            for pair in pairwise(("", *done))
            if pair in pair_index
        ]
        pairs = np.array([place for place, _ in taken], dtype=np.int64)
        attempts = np.array([number for _, number in taken], dtype=np.int64)
        counts[verdict] = pair_counts(pairs, attempts, len(pair_index))
    right_total = float(sum(similar.correct))
    return pattern_agreement(
        counts[True], counts[False], right_total, len(similar.correct) - right_total
    )


def confidence_of(parts: Mapping[str, float], weights: Sequence[float] = WEIGHTS) -> float:
    """Return the confidence from its parts."""
    row = np.array([[parts[name] for name in PARTS]])
    return float(blended(row, np.array(weights, dtype=np.float64))[0])


def steered(cycle: Cycle, advice: Advice | None) -> Cycle:
    """Return a cycle with an advice: its observations are due."""
    if advice is None:
        return cycle
    scores = (*cycle.scores, advice.score)[-KEPT_SCORES:]
    # the maximum: a small surprise does not cancel the advice of a large one
    due = max(cycle.due, advice.observations)
    return replace(cycle, scores=scores, due=due, highest=max(cycle.highest, advice.score))


def digest_of(value: Any) -> str:
    """Return a short hash of a JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
