"""Rules of a cycle, without any input or output: modes, what a surprise asks for, confidence."""

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
"""Weights of a confidence before anything was learned: none of its own, then one for each part."""
PRIOR = 0.5
_PRIOR_CALLS = 2.0
_PRIOR_ATTEMPTS = 2.0
_MODERATE, _HIGH = 0.6, 0.8  # severities
_PLANNED: frozenset[Phase] = frozenset(("planning", "action"))
_MOST_KEPT = 200  # tools, answers and actions of one cycle


class Thresholds(NamedTuple):
    """Surprises from which a cycle is steered."""

    high: float = 0.7
    moderate: float = 0.4
    plan: float = 0.6


USUAL = Thresholds()


def thresholds_of(config: StrataConfig) -> Thresholds:
    """Return the thresholds of a tenant."""
    return Thresholds(
        config.cycle_surprise_high, config.cycle_surprise_moderate, config.cycle_surprise_plan
    )


def next_mode(mode: Mode, failures: int, outcome: Outcome, repair_after: int) -> tuple[Mode, int]:
    """Return the mode after a step, and how many failed in a row.

    A success leads to the solver, a failure to the verifier, repeated ones to the repair; what nothing judged
    changes nothing.
    """
    if outcome == "success":
        return "solver", 0
    # what nothing judged says nothing of the mode
    if outcome == "undecided":
        return mode, failures
    failures += 1
    return ("repair" if failures >= repair_after else "verifier"), failures


def outcome_of(calls: Sequence[ToolCall], findings: Sequence[Finding]) -> Outcome:
    """Judge a step: any failed check or a tool whose last call failed is a failure; nothing passed is no success."""
    if any(finding.verdict == "failed" for finding in findings):
        return "failure"
    # the last call of each tool: a retry that works mends the step
    last = {call.tool: call.status for call in calls}
    if "failure" in last.values():
        return "failure"
    if last or any(finding.verdict == "passed" for finding in findings):
        return "success"
    return "undecided"


def advise(
    score: float, phase: Phase | None, earlier: Sequence[float], limits: Thresholds = USUAL
) -> Advice:
    """Say what a surprise asks for.

    A plan is reconsidered before the moderate surprises are looked at; else that case could never be reached.
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
        # one surprise asks for context; several in a row ask to think on
        if float(np.mean(recent)) > limits.moderate and len(recent) > 1:
            return Advice("EXTEND_REASONING", score, 0.7, severity)
        return Advice("INJECT_CONTEXT", score, 0.6, severity)
    return Advice("NO_ACTION", score, round(1.0 - score, 4), severity)


def sums_of(text: str) -> list[str]:
    """Return the names of the sums that a text does, in their order."""
    return [name for one in equations(text) for name in action_names(one.expression)]


def counted(cycle: Cycle, step: NewStep) -> Cycle:
    """Add what a step did to the counts of its cycle."""
    tools, answers = dict(cycle.tools), dict(cycle.answers)
    for call in step.calls:
        good, all_of_it = tools.get(call.tool, (0, 0))
        tools[call.tool] = (good + (call.status == "success"), all_of_it + 1)
        # a tool that answers the same call otherwise cannot be relied on
        same, result = f"{call.tool} {digest_of(call.arguments)}", digest_of(call.result)
        first, agreeing, total = answers.get(same, (result, 0, 0))
        # the first result is what later ones are compared with
        answers[same] = (first, agreeing + (result == first), total + 1)
    done = [name for call in step.calls for name in action_names(f"{call.tool}()")]
    sums = [one.given.get("text") for one in step.checks if one.checker == "arithmetic"]
    done += [name for text in sums if isinstance(text, str) for name in sums_of(text)]
    return replace(
        cycle,
        tools=dict(list(tools.items())[:_MOST_KEPT]),
        answers=dict(list(answers.items())[:_MOST_KEPT]),
        actions=(*cycle.actions, *done)[-_MOST_KEPT:],
    )


def parts_of(cycle: Cycle) -> dict[str, float]:
    """Return the parts of a cycle's confidence, each in [0, 1]; one that nothing speaks for is 0.5."""
    tried = list(cycle.tools.values())
    good, calls = (sum(values) for values in zip(*tried, strict=True)) if tried else (0, 0)
    again = [
        # the first call agrees with itself: it is not counted
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
    """Return how well pairs of steps agree with those of right attempts at similar goals, beside wrong ones."""
    # the empty name makes the first step a pair of its own
    wanted = {pair: place for place, pair in enumerate(dict.fromkeys(pairwise(("", *actions))))}
    # right and wrong attempts are both needed to tell what speaks for one
    if not actions or len(set(similar.correct)) < len((True, False)):
        return 0.5
    counts: dict[bool, Any] = {}
    for verdict in (True, False):
        taken = [
            (wanted[pair], number)
            for number, (done, right) in enumerate(
                zip(similar.actions, similar.correct, strict=True)
            )
            if right == verdict
            for pair in pairwise(("", *done))
            if pair in wanted
        ]
        pairs = np.array([place for place, _ in taken], dtype=np.int64)
        attempts = np.array([number for _, number in taken], dtype=np.int64)
        counts[verdict] = pair_counts(pairs, attempts, len(wanted))
    right_total = float(sum(similar.correct))
    return pattern_agreement(
        counts[True], counts[False], right_total, len(similar.correct) - right_total
    )


def confidence_of(parts: Mapping[str, float], weights: Sequence[float] = WEIGHTS) -> float:
    """Return the confidence that parts amount to."""
    row = np.array([[parts[name] for name in PARTS]])
    return float(blended(row, np.array(weights, dtype=np.float64))[0])


def steered(cycle: Cycle, advice: Advice | None) -> Cycle:
    """Note a surprise: what it asks for is due until the observations were made."""
    if advice is None:
        return cycle
    scores = (*cycle.scores, advice.score)[-KEPT_SCORES:]
    # the greater of both: a small surprise does not cancel what a great one asked for
    due = max(cycle.due, advice.observations)
    return replace(cycle, scores=scores, due=due, highest=max(cycle.highest, advice.score))


def digest_of(value: Any) -> str:
    """Return a short name of a JSON value, the same for equal ones."""
    # keys in order: equal values have one name
    said = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]
