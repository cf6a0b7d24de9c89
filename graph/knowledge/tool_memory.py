"""Knowledge of a tool: contexts, common errors, parameters and recommendations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar, cast

import numpy as np

from graph.knowledge.ledger import derive_rates, merge
from graph.knowledge.repairs import AGAIN
from graph.knowledge.shapes import best_value, value_of, value_pattern
from graph.model.knowledge.executions import (
    ContextCounts,
    Counted,
    ErrorCounts,
    ParameterCounts,
    Share,
    ToolCounts,
    ToolFacts,
)
from graph.scoring.confidence import wilson_bound
from graph.scoring.dependence import importance
from graph.scoring.running import percentile

C = TypeVar("C", bound=Counted)
MOST_CONTEXTS = 5
MOST_ERRORS = 5
MOST_PARAMETERS = 8
COMMON_SHARE = 0.02  # of a tool's calls
_MAJORITY = 0.5
_LEAST_CALLS = 3
_LEAST_IMPORTANCE = 0.05
_SLOW_RATIO = 2.0


@dataclass(frozen=True, slots=True)
class CommonError:
    """Common error of a tool, with what solved it."""

    counts: ErrorCounts
    share: float
    solutions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterInsight:
    """Knowledge of a parameter; ``failing`` are values that mostly failed, with their counts.

    ``best`` is ``optimal_value`` in its original type.
    """

    parameter: str
    optimal_value: str | None
    value_pattern: str
    importance: float
    failing: Mapping[str, Share]
    calls: int
    best: Any = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Advice to whoever calls a tool."""

    topic: Literal["parameter", "error", "context", "duration"]
    type: Literal["warning", "optimization", "best_practice"]
    message: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolMemory:
    """Knowledge of one tool, summed over scopes."""

    counts: ToolCounts
    contexts: tuple[ContextCounts, ...] = ()
    errors: tuple[CommonError, ...] = ()
    parameters: tuple[ParameterInsight, ...] = ()
    recommendations: tuple[Recommendation, ...] = field(default=())

    @property
    def optimal_contexts(self) -> list[ContextCounts]:
        """Contexts in which it succeeds, the surest first."""
        return [each for each in self.contexts if each.successes][:MOST_CONTEXTS]

    def percentile(self, share: float) -> float | None:
        """Return a percentile of its durations; None if none was reported."""
        return percentile(self.counts.buckets, share) if self.counts.timed else None


def tool_memories(facts: ToolFacts) -> dict[str, ToolMemory]:
    """Return the knowledge of each tool, with counts summed over scopes."""
    contexts = _by_tool(summed_by_key(facts.contexts))
    errors = _by_tool(summed_by_key(facts.errors))
    parameters = _by_tool(summed_by_key(facts.parameters))
    memories: dict[str, ToolMemory] = {}
    for counts in summed_by_key(facts.tools):
        name = counts.tool
        best = sorted(contexts[name], key=lambda c: (-c.confidence, c.context))
        common = common_errors(errors[name], counts.uses)
        known = parameter_insights(parameters[name])
        memories[name] = ToolMemory(
            counts,
            tuple(best),
            common,
            known,
            recommendations(counts, common, known, contexts[name]),
        )
    return memories


def summed_by_key(counted: Iterable[C]) -> list[C]:
    """Sum the records of several scopes by key."""
    by_key: defaultdict[str, list[C]] = defaultdict(list)
    for each in counted:
        by_key[each.key].append(each)
    # copied before a sum, as the records may be summed again
    records = [deepcopy(parts[0]) if parts[1:] else parts[0] for parts in by_key.values()]
    for record, parts in zip(records, by_key.values(), strict=True):
        for other in parts[1:]:
            add_counts(record, other)
    derive_rates(records)
    return records


def add_counts(into: Counted, other: Counted) -> None:
    """Add the counts of another record of the same key: numbers, and tables of counts and shares."""
    basic = {each.name for each in fields(Counted)}
    for each in fields(other):
        have, more = getattr(into, each.name), getattr(other, each.name)
        if each.name in basic or isinstance(have, str | bool):
            continue
        if isinstance(have, dict):
            _add_tables(cast("dict[str, int | Share]", have), more)
        elif isinstance(have, int):
            setattr(into, each.name, have + more)
    merge(into, other)


def _add_tables(into: dict[str, int | Share], other: Mapping[str, int | Share]) -> None:
    for name, count in other.items():
        have = into.get(name)
        if isinstance(count, int):
            into[name] = count + (have if isinstance(have, int) else 0)
        else:
            won, lost = have if isinstance(have, tuple) else (0, 0)
            into[name] = (won + count[0], lost + count[1])


def _by_tool(counted: Sequence[C]) -> defaultdict[str, list[C]]:
    by_tool: defaultdict[str, list[C]] = defaultdict(list)
    for each in counted:
        by_tool[getattr(each, "tool")].append(each)  # noqa: B009 -- all of these have one
    return by_tool


def common_errors(errors: Sequence[ErrorCounts], calls: int) -> tuple[CommonError, ...]:
    """Return the errors of at least 2 % of a tool's calls, the most frequent first."""
    ordered = sorted(errors, key=lambda e: (-e.uses, e.error))
    shares = [(each, each.uses / max(calls, 1)) for each in ordered]
    return tuple(
        CommonError(each, share, solutions_of(each))
        for each, share in shares
        if share >= COMMON_SHARE
    )[:MOST_ERRORS]


def solutions_of(error: ErrorCounts) -> tuple[str, ...]:
    """Return what solved an error, the most frequent first."""
    ordered = sorted(error.solutions.items(), key=lambda item: (-item[1][0], item[0]))
    return tuple(name for name, (worked, _) in ordered if worked)[:3]


def parameter_insights(parameters: Sequence[ParameterCounts]) -> tuple[ParameterInsight, ...]:
    """Return the knowledge of parameters, the most important first."""
    insights = [_parameter(each) for each in parameters]
    insights.sort(key=lambda p: (-p.importance, -p.calls, p.parameter))
    return tuple(insights[:MOST_PARAMETERS])


def _parameter(counts: ParameterCounts) -> ParameterInsight:
    values = {name: share for name, share in counts.values.items() if sum(share) > 1}
    table = list(values.values()) or [(0, 0)]
    won = np.array([float(share[0]) for share in table])
    lost = np.array([float(share[1]) for share in table])
    failing = {
        name: share
        for name, share in sorted(values.items(), key=lambda item: (-item[1][1], item[0]))
        if sum(share) >= _LEAST_CALLS and share[1] / sum(share) > _MAJORITY
    }
    best = best_value(counts.values)
    return ParameterInsight(
        parameter=counts.parameter,
        optimal_value=best,
        best=None if best is None else value_of(best, counts.shapes),
        value_pattern=value_pattern(counts.values, counts.shapes),
        importance=importance(won, lost),
        failing=failing,
        calls=counts.uses,
    )


def recommendations(
    counts: ToolCounts,
    errors: Sequence[CommonError],
    parameters: Sequence[ParameterInsight],
    contexts: Sequence[ContextCounts],
) -> tuple[Recommendation, ...]:
    """Return recommendations from the counts of a tool, the most confident first."""
    advice: list[Recommendation] = []
    for each in parameters:
        advice += _parameter_advice(each)
    for each in errors:
        if each.counts.uses >= _LEAST_CALLS:
            advice.append(_error_advice(each, counts.uses))
    advice += _context_advice(counts, contexts)
    slow = percentile(counts.buckets, 0.95)
    if (
        counts.timed >= 2 * _LEAST_CALLS
        and slow > _SLOW_RATIO * percentile(counts.buckets, 0.5) > 0
    ):
        message = f"one call in twenty takes {slow:.0f} ms or more; the median is {percentile(counts.buckets, 0.5):.0f} ms"
        advice.append(
            Recommendation(
                "duration", "optimization", message, 0.5, (f"{counts.timed} timed calls",)
            )
        )
    return tuple(sorted(advice, key=lambda r: (-r.confidence, r.message)))


def _parameter_advice(known: ParameterInsight) -> list[Recommendation]:
    if known.importance < _LEAST_IMPORTANCE:
        return []
    advice: list[Recommendation] = []
    better = known.optimal_value
    for value, (won, lost) in list(known.failing.items())[:2]:
        instead = f"; {known.parameter}={better} works best" if better not in {None, value} else ""
        message = f"{known.parameter}={value} failed in {lost} of {won + lost} calls{instead}"
        bound = wilson_bound(lost, won + lost)
        advice.append(
            Recommendation("parameter", "warning", message, bound, (f"{won + lost} calls",))
        )
    if not advice and better is not None:
        message = f"{known.parameter}={better} succeeds most surely"
        advice.append(
            Recommendation(
                "parameter", "best_practice", message, known.importance, (f"{known.calls} calls",)
            )
        )
    return advice


def _error_advice(error: CommonError, calls: int) -> Recommendation:
    solved = f"; what worked: {error.solutions[0]}" if error.solutions else ""
    if error.solutions[:1] == (AGAIN,):
        solved = "; the same call worked when it was tried again"
    message = f"fails with “{error.counts.error}” in {error.counts.uses} of {calls} calls{solved}"
    tasks = tuple(each.task_id for each in error.counts.evidence[-3:])
    return Recommendation(
        "error", "warning", message, wilson_bound(error.counts.uses, calls), tasks
    )


def _context_advice(counts: ToolCounts, contexts: Sequence[ContextCounts]) -> list[Recommendation]:
    """Warn of contexts in which a tool is significantly worse than elsewhere."""
    advice: list[Recommendation] = []
    for each in contexts:
        elsewhere = counts.uses - each.uses
        if not each.context or each.uses < 2 * _LEAST_CALLS or elsewhere < 2 * _LEAST_CALLS:
            continue
        worst = 1.0 - wilson_bound(each.failures, each.uses)
        usual = wilson_bound(counts.successes - each.successes, elsewhere)
        if worst < usual:
            message = f"completes {each.success_rate:.0%} of its calls in {each.context}, {(counts.successes - each.successes) / elsewhere:.0%} elsewhere"
            advice.append(
                Recommendation("context", "warning", message, 1.0 - worst, (f"{each.uses} calls",))
            )
    return advice
