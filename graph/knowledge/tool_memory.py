"""Memory of a tool: contexts, common errors, parameters, and recommendations that follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar, cast

import numpy as np

from graph.knowledge.ledger import merge, settle
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
_MOSTLY = 0.5
_LEAST_CALLS = 3
_LEAST_IMPORTANCE = 0.05
_SLOWER = 2.0


@dataclass(frozen=True, slots=True)
class CommonError:
    """Error of a tool, with what was done next that worked."""

    counts: ErrorCounts
    share: float
    solutions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterInsight:
    """Memory of a parameter; ``failing`` are values that mostly failed, with their counts.

    ``best`` is the optimal value as it was given, not as it is written down.
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

    type: Literal["warning", "optimization", "best_practice"]
    message: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolMemory:
    """Knowledge of one tool, over all scopes that were read."""

    counts: ToolCounts
    contexts: tuple[ContextCounts, ...] = ()
    errors: tuple[CommonError, ...] = ()
    parameters: tuple[ParameterInsight, ...] = ()
    recommendations: tuple[Recommendation, ...] = field(default=())

    def percentile(self, share: float) -> float:
        """Return a percentile of its durations."""
        return percentile(self.counts.buckets, share)


def tool_memories(facts: ToolFacts) -> dict[str, ToolMemory]:
    """Put together what is known of each tool, counts of several scopes as one."""
    contexts = _by_tool(joined(facts.contexts))
    errors = _by_tool(joined(facts.errors))
    parameters = _by_tool(joined(facts.parameters))
    found: dict[str, ToolMemory] = {}
    for counts in joined(facts.tools):
        name = counts.tool
        best = sorted(contexts[name], key=lambda c: (-c.confidence, c.context))[:MOST_CONTEXTS]
        common = common_errors(errors[name], counts.uses)
        known = parameter_insights(parameters[name])
        found[name] = ToolMemory(
            counts,
            tuple(best),
            common,
            known,
            recommendations(counts, common, known, contexts[name]),
        )
    return found


def joined(counted: Iterable[C]) -> list[C]:
    """Add up what several scopes counted of the same key."""
    by_key: dict[str, C] = {}
    for each in counted:
        if each.key in by_key:
            add(by_key[each.key], each)
        else:
            by_key[each.key] = each
    found = list(by_key.values())
    settle(found)
    return found


def add(into: Counted, other: Counted) -> None:
    """Add counts of one key to others of it: numbers, tables of counts and of shares."""
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
    found: defaultdict[str, list[C]] = defaultdict(list)
    for each in counted:
        found[getattr(each, "tool")].append(each)  # noqa: B009 -- all of these have one
    return found


def common_errors(errors: Sequence[ErrorCounts], calls: int) -> tuple[CommonError, ...]:
    """Return the errors of a tool that come in 2 % of its calls at least, most often first."""
    ordered = sorted(errors, key=lambda e: (-e.uses, e.error))
    shares = [(each, each.uses / max(calls, 1)) for each in ordered]
    return tuple(
        CommonError(each, share, solutions_of(each))
        for each, share in shares
        if share >= COMMON_SHARE
    )[:MOST_ERRORS]


def solutions_of(error: ErrorCounts) -> tuple[str, ...]:
    """Return what was done after an error that worked, most often first."""
    ordered = sorted(error.solutions.items(), key=lambda item: (-item[1][0], item[0]))
    return tuple(name for name, (worked, _) in ordered if worked)[:3]


def parameter_insights(parameters: Sequence[ParameterCounts]) -> tuple[ParameterInsight, ...]:
    """Return what is known of parameters, most important first."""
    found = [_parameter(each) for each in parameters]
    found.sort(key=lambda p: (-p.importance, -p.calls, p.parameter))
    return tuple(found[:MOST_PARAMETERS])


def _parameter(counts: ParameterCounts) -> ParameterInsight:
    values = {name: share for name, share in counts.values.items() if sum(share) > 1}
    table = list(values.values()) or [(0, 0)]
    won = np.array([float(share[0]) for share in table])
    lost = np.array([float(share[1]) for share in table])
    failing = {
        name: share
        for name, share in sorted(values.items(), key=lambda item: (-item[1][1], item[0]))
        if sum(share) >= _LEAST_CALLS and share[1] / sum(share) > _MOSTLY
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
    """Return what follows from the counts of a tool, surest first."""
    found: list[Recommendation] = []
    for each in parameters:
        found += _of_parameter(each)
    for each in errors:
        if each.counts.uses >= _LEAST_CALLS:
            found.append(_of_error(each, counts.uses))
    found += _of_contexts(counts, contexts)
    slow = percentile(counts.buckets, 0.95)
    if counts.timed >= 2 * _LEAST_CALLS and slow > _SLOWER * percentile(counts.buckets, 0.5) > 0:
        message = f"one call in twenty takes {slow:.0f} ms or more; the median is {percentile(counts.buckets, 0.5):.0f} ms"
        found.append(Recommendation("optimization", message, 0.5, (f"{counts.timed} timed calls",)))
    return tuple(sorted(found, key=lambda r: (-r.confidence, r.message)))


def _of_parameter(known: ParameterInsight) -> list[Recommendation]:
    if known.importance < _LEAST_IMPORTANCE:
        return []
    found: list[Recommendation] = []
    better = known.optimal_value
    for value, (won, lost) in list(known.failing.items())[:2]:
        instead = f"; {known.parameter}={better} works best" if better not in {None, value} else ""
        message = f"{known.parameter}={value} failed in {lost} of {won + lost} calls{instead}"
        bound = wilson_bound(lost, won + lost)
        found.append(Recommendation("warning", message, bound, (f"{won + lost} calls",)))
    if not found and better is not None:
        message = f"{known.parameter}={better} succeeds most surely"
        found.append(
            Recommendation("best_practice", message, known.importance, (f"{known.calls} calls",))
        )
    return found


def _of_error(error: CommonError, calls: int) -> Recommendation:
    solved = f"; what worked: {error.solutions[0]}" if error.solutions else ""
    if error.solutions[:1] == (AGAIN,):
        solved = "; the same call worked when it was tried again"
    message = f"fails with “{error.counts.error}” in {error.counts.uses} of {calls} calls{solved}"
    tasks = tuple(each.task_id for each in error.counts.evidence[-3:])
    return Recommendation("warning", message, wilson_bound(error.counts.uses, calls), tasks)


def _of_contexts(counts: ToolCounts, contexts: Sequence[ContextCounts]) -> list[Recommendation]:
    """Name contexts in which a tool surely does worse than elsewhere."""
    found: list[Recommendation] = []
    for each in contexts:
        elsewhere = counts.uses - each.uses
        if not each.context or each.uses < 2 * _LEAST_CALLS or elsewhere < 2 * _LEAST_CALLS:
            continue
        worst = 1.0 - wilson_bound(each.failures, each.uses)
        usual = wilson_bound(counts.successes - each.successes, elsewhere)
        if worst < usual:
            message = f"completes {each.success_rate:.0%} of its calls in {each.context}, {(counts.successes - each.successes) / elsewhere:.0%} elsewhere"
            found.append(Recommendation("warning", message, 1.0 - worst, (f"{each.uses} calls",)))
    return found
