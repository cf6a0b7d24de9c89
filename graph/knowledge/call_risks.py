"""Risk of a tool call before it is made, and warnings about it, from the counts of earlier calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from graph.knowledge.shapes import shape_of, value_of
from graph.knowledge.tool_memory import (
    CommonError,
    ToolMemory,
    solutions_of,
    summed_by_key,
    tool_memories,
)
from graph.model.knowledge.executions import (
    NO_CONTEXT,
    ContextCounts,
    ParameterCounts,
    Share,
    Step,
    ToolFacts,
    written,
)
from graph.scoring.confidence import wilson_bound

LEAST_TRIED = 3
MOSTLY = 0.5
STRENGTH = 4.0  # weight of the prior, in calls
_OFTEN_DRAWN = 0.25
_MOST_ERRORS = 2


@dataclass(frozen=True, slots=True)
class Warned:
    """Warning about a call: ``failed`` of ``tried`` similar calls failed.

    One that is not ``sure`` has another explanation, and changes no risk.
    """

    message: str
    confidence: float
    failed: int
    tried: int
    what_worked: tuple[str, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class EarlierCalls:
    """Counts of the earlier calls of a tool that tell about an intended one, ``here`` those in its context."""

    call: Step
    tool: ToolMemory
    parameters: Sequence[ParameterCounts]
    here: ContextCounts | None

    @property
    def usual(self) -> float:
        """Failure rate of the tool."""
        return self.tool.counts.failures / max(self.tool.counts.uses, 1)

    @property
    def values(self) -> Iterator[tuple[ParameterCounts, str, Share]]:
        """Parameters of the call, with its value as text, and the successes and failures of that value."""
        for each in self.parameters:
            text = written(self.call.parameters[each.parameter])
            yield each, text, each.values.get(text, (0, 0))

    def fails_more(self, lost: int, tried: int) -> bool:
        """Return whether some calls failed mostly, more than usual, and significantly more than the others."""
        counts = self.tool.counts
        others = (counts.failures - lost) / max(counts.uses - tried, 1)
        mostly = tried >= LEAST_TRIED and lost / tried > max(MOSTLY, self.usual)
        return mostly and wilson_bound(lost, tried) > others


def earlier_calls(call: Step, facts: ToolFacts) -> EarlierCalls | None:
    """Return the counts for a call; None for an unknown tool."""
    known = tool_memories(facts).get(call.tool)
    if known is None:
        return None
    parameters = [p for p in summed_by_key(facts.parameters) if p.parameter in call.parameters]
    here = (c for c in summed_by_key(facts.contexts) if c.context == call.context != NO_CONTEXT)
    return EarlierCalls(call, known, parameters, next(here, None))


def counted_risk(known: EarlierCalls) -> float:
    """Return the failure rate of the value or context that deviates most, shrunk towards the usual rate."""
    usual = known.usual
    shares = [share for _, _, share in known.values]
    if known.here is not None:
        shares.append((known.here.successes, known.here.failures))
    rates = [(lost + STRENGTH * usual) / (won + lost + STRENGTH) for won, lost in shares]
    most = max((abs(rate - usual) for rate in rates), default=0.0)
    # a good and a bad value that deviate alike cancel out, whatever their order
    first = {rate for rate in rates if abs(rate - usual) == most}
    return sum(first) / len(first) if first else usual


def value_warnings(known: EarlierCalls) -> list[Warned]:
    """Warn of values that mostly failed, and of untried ones like those that all failed."""
    warnings: list[Warned] = []
    for each, text, (won, lost) in known.values:
        if known.fails_more(lost, won + lost):
            warnings.append(_failed_value(known, each, text))
        elif not won and each.successes and each.uses >= 2 * LEAST_TRIED:
            warnings += _like_failed_ones(each, known.call.parameters[each.parameter])
    return warnings


def _failed_value(known: EarlierCalls, each: ParameterCounts, text: str) -> Warned:
    won, lost = each.values[text]
    ordered = sorted(each.values.items(), key=lambda v: -v[1][0])
    good = [name for name, (w, f) in ordered if w > f and name != text][:3]
    instead = tuple(f"{each.parameter}={name}" for name in good)
    advice = f"; what worked: {', '.join(instead)}" if instead else ""
    message = f"{each.parameter}={text} failed in {lost} of {won + lost} calls"
    confidence = wilson_bound(lost, won + lost)
    if culprit := _other_culprit(known, each, (won, lost)):
        # of two explanations that fit alike each is half as sure
        message += f", perhaps for {culprit}"
        return Warned(message + advice, confidence / 2, lost, won + lost, instead, sure=False)
    return Warned(message + advice, confidence, lost, won + lost, instead)


def _other_culprit(known: EarlierCalls, blamed: ParameterCounts, share: Share) -> str:
    """Return a value of another parameter that explains the failures of a value as well; empty if there is none.

    The call has a value in its place that never failed.
    """
    won, lost = share
    for each, text, (worked, failed) in known.values:
        if each is blamed or failed or not worked:
            continue
        for name, (w, f) in each.values.items():
            if name != text and f >= lost and f * (won + lost) >= lost * (w + f):
                return f"{each.parameter}={name}"
    return ""


def _like_failed_ones(each: ParameterCounts, value: Any) -> list[Warned]:
    """Warn of a value like several different ones that all failed, unless many others failed too."""
    typed = {text: value_of(text, each.shapes) for text in each.values}
    shape = shape_of(value)
    same = {text: v for text, v in typed.items() if shape_of(v) == shape}
    if shape == "number":
        same = _failed_around(value, {text: (v, each.values[text]) for text, v in same.items()})
    elif each.shapes.get(shape, (0, 0))[0]:
        return []
    calls = sum(each.values[text][1] for text in same)
    others = [not won for text, (won, _) in each.values.items() if text not in same]
    # values are counted, not calls: one that failed often tells nothing about another
    bound = wilson_bound(len(same), len(same))
    if len(same) < LEAST_TRIED or bound <= sum(others) / max(len(others), 1):
        return []
    how = "is written like values that all failed"
    if shape == "number":
        low, high = min(same.values()), max(same.values())
        how = f"lies at or beyond {low:g} to {high:g}, which all failed"
    message = f"{each.parameter}={written(value)} {how} ({calls})"
    return [Warned(message, bound, calls, calls)]


def _failed_around(value: float, numbers: dict[str, tuple[float, Share]]) -> dict[str, float]:
    """Return the numbers around a value, as far as none worked; empty where a neighbour worked."""
    ordered = sorted((number, won, text) for text, (number, (won, _)) in numbers.items())
    below = [each for each in reversed(ordered) if each[0] <= value]
    above = [each for each in ordered if each[0] > value]
    if any(side and side[0][1] for side in (below, above)):
        return {}
    runs = [takewhile(lambda each: not each[1], side) for side in (below, above)]
    return {text: number for run in runs for number, _, text in run}


def context_warnings(known: EarlierCalls) -> list[Warned]:
    """Warn of a context in which the tool mostly failed."""
    here, counts = known.here, known.tool.counts
    if here is None or not known.fails_more(here.failures, here.uses):
        return []
    message = (
        f"failed in {here.failures} of {here.uses} calls in {here.context}, "
        f"in {counts.failures - here.failures} of {counts.uses - here.uses} elsewhere"
    )
    return [Warned(message, wilson_bound(here.failures, here.uses), here.failures, here.uses)]


def repeat_warnings(known: EarlierCalls, made: Sequence[Step]) -> list[Warned]:
    """Warn of a call that already failed in this task."""
    call = known.call
    failed = [
        s for s in made if not s.ok and s.tool == call.tool and s.parameters == call.parameters
    ]
    if not failed:
        return []
    worked = tuple(dict.fromkeys(n for each in known.tool.errors for n in each.solutions))[:3]
    advice = f"; what worked elsewhere: {worked[0]}" if worked else ""
    message = f"the same call failed in this task already{advice}"
    # more confident than counts, as it is the same call
    return [Warned(message, wilson_bound(len(failed), len(failed)) + _OFTEN_DRAWN, 0, 0, worked)]


def tool_warnings(known: EarlierCalls) -> list[Warned]:
    """Warn of the common errors of the tool, and of a tool that mostly failed."""
    counts = known.tool.counts
    errors = [e for e in known.tool.errors[:_MOST_ERRORS] if not _is_of_another_case(known, e)]
    warnings = [_error_warning(known, each) for each in errors]
    told = any(each.counts.uses == counts.failures for each in errors)
    blamed = max(_suspects(known).values(), default=0)
    confidence = _bound_without(blamed, counts.failures, counts.uses)
    if known.usual > MOSTLY and confidence and not told:
        message = f"failed in {counts.failures} of {counts.uses} calls"
        warnings.append(Warned(message, confidence, counts.failures, counts.uses))
    return warnings


def _error_warning(known: EarlierCalls, error: CommonError) -> Warned:
    uses, calls = error.counts.uses, known.tool.counts.uses
    solutions = solutions_of(error.counts)
    advice = f"; what worked: {solutions[0]}" if solutions else ""
    named = f"“{error.counts.error}” in" if error.counts.error else "failed in"
    blamed = max((error.counts.culprits.get(each, 0) for each in _suspects(known)), default=0)
    confidence = _bound_without(blamed, uses, calls)
    return Warned(f"{named} {uses} of {calls} calls{advice}", confidence, uses, calls, solutions)


def _bound_without(blamed: int, failed: int, tried: int) -> float:
    """Return how surely a tool fails without the failures with one other value, which may be to blame."""
    return wilson_bound(max(failed - blamed, 0), max(tried - blamed, 0))


def _suspects(known: EarlierCalls) -> dict[str, int]:
    """Return other values of the call's parameters that mostly failed, with their failures."""
    return {
        f"{each.parameter}={name}": lost
        for each, text, _ in known.values
        for name, (won, lost) in each.values.items()
        if name != text and lost > won
    }


def _is_of_another_case(known: EarlierCalls, error: CommonError) -> bool:
    """Return whether an error came with another value or context, and never with that of this call."""
    here, counts = known.here, error.counts
    if here is not None and here.uses >= LEAST_TRIED and here.context not in counts.contexts:
        return True
    return any(
        # this value is frequent, and never had that error
        sum(share) >= LEAST_TRIED
        and f"{each.parameter}={text}" not in counts.culprits
        and any(
            culprit.startswith(f"{each.parameter}=") and n > MOSTLY * counts.uses
            for culprit, n in counts.culprits.items()
        )
        for each, text, share in known.values
    )
