"""Tool calls in advance: risk check, recommendation and prediction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graph.kernel.scope import Caller
from graph.knowledge.conditions import applies
from graph.knowledge.foresight import Situation, words_of
from graph.knowledge.ledger import name_words
from graph.knowledge.shapes import shape_of
from graph.knowledge.tool_memory import ToolMemory, solutions_of, summed_by_key, tool_memories
from graph.model.knowledge.executions import (
    ContextCounts,
    ErrorCounts,
    Insight,
    ParameterCounts,
    Step,
    ToolCounts,
    Wanted,
    written,
)
from graph.ports.embedding import EmbeddersInUse
from graph.scoring.confidence import shrunk_share, thompson_sample, wilson_bound, wilson_lower
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched
from service.use_cases.knowledge.foresight import Models, from_pairs, ranked

Verdict = Literal["ok", "caution", "stop"]
_MOST_TOOLS = 500
_LEAST_TRIED = 3
_SHORTEST_PLURAL = 4
_MOSTLY = 0.5
_STOP, _CAUTION = 0.7, 0.35
_STRENGTH = 4.0  # weight of the prior, in calls
_UNKNOWN_RATE = 0.5
_OFTEN_DRAWN = 0.25
_AS_NEAR = 0.03  # cosine that a tool may lack of the nearest: keeps 1.4 of 20, the right one for 18 of 22 actions


@dataclass(frozen=True, slots=True)
class Warned:
    """Warning about a call: ``failed`` of ``tried`` similar calls failed."""

    message: str
    confidence: float
    failed: int
    tried: int
    what_worked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """Risk and warnings of a call before it is made."""

    verdict: Verdict
    risk: float
    usual_risk: float
    warnings: tuple[Warned, ...]


@dataclass(frozen=True, slots=True)
class CheckToolCall(TimedUseCase):
    """Check an intended call against known errors, values and insights of its tool."""

    store: KnowledgeStore
    models: Models

    @watched("check_tool_call")
    async def __call__(
        self, caller: Caller, call: Step, made: Sequence[Step], situation: Mapping[str, Any]
    ) -> CheckedCall:
        """Return the risk of the call, with warnings."""
        scopes = caller.readable
        facts = await self.store.tool_facts(scopes, [call.tool])
        parameters = summed_by_key(facts.parameters)
        known = tool_memories(facts).get(call.tool)
        insights = await self._insights(caller, call, situation)
        warnings = [*_insight_warnings(insights)]
        usual = 0.0
        if known is not None:
            usual = known.counts.failures / max(known.counts.uses, 1)
            warnings += _value_warnings(call, parameters, known)
            warnings += _repeat_warnings(call, made, known)
        predicted = await self._predicted_risk(scopes, call, made)
        risk = max(
            # a model combines values and earlier failures, counts only have single values
            [
                _counted_risk(call, parameters, usual) if predicted is None else predicted,
                *(w.failed / w.tried for w in warnings if w.tried),
            ]
        )
        # errors are only listed for risky calls, as every tool has some
        if known is not None and risk >= _CAUTION:
            warnings += _error_warnings(call, parameters, known)
        warnings.sort(key=lambda w: (-w.confidence, w.message))
        highest = max(
            (w.confidence for w in warnings if w.tried and w.failed / w.tried > _MOSTLY),
            default=0.0,
        )
        verdict: Verdict = "ok"
        # `stop` needs a confident warning or model, as a false one costs a task
        if risk >= _STOP and (highest >= _CAUTION or (predicted or 0.0) >= _STOP):
            verdict = "stop"
        elif risk >= _CAUTION or warnings:
            verdict = "caution"
        return CheckedCall(verdict, risk, usual, tuple(warnings))

    async def _insights(
        self, caller: Caller, call: Step, situation: Mapping[str, Any]
    ) -> list[Insight]:
        words = tuple(name_words(call.tool).split())
        wanted = Wanted(
            caller.readable, words, (), (), call.context, "", _MOSTLY, self.clock.now(), 50
        )
        found = await self.store.find(wanted)
        facts = {"tool": call.tool, "parameters": dict(call.parameters), **situation}
        return [
            each
            for each in found.insights
            # derived insights are in the counts already
            if each.origin in {"manual", "import"}
            and each.conditions
            and applies(each, caller.agent_id or "", call.context, facts)
        ]

    async def _predicted_risk(
        self, scopes: Sequence[str], call: Step, made: Sequence[Step]
    ) -> float | None:
        found = [
            (risk, model.rows)
            for model in await self.models.of(scopes)
            if (risk := model.risk(Situation(made), call)) is not None
        ]
        total = sum(rows for _, rows in found)
        return sum(risk * rows for risk, rows in found) / total if total else None


def _value_warnings(
    call: Step, parameters: Sequence[ParameterCounts], known: ToolMemory
) -> list[Warned]:
    """Warn of values that mostly failed, and of shapes that never succeeded."""
    usual = known.counts.failures / max(known.counts.uses, 1)
    warnings: list[Warned] = []
    for each in parameters:
        if each.parameter not in call.parameters:
            continue
        value = call.parameters[each.parameter]
        text = written(value)
        won, lost = each.values.get(text, (0, 0))
        tried = won + lost
        good = [name for name, (w, f) in sorted(each.values.items(), key=lambda v: -v[1][0])
                if w > f and name != text]  # fmt: skip
        bound = wilson_bound(lost, tried)
        others = (known.counts.failures - lost) / max(known.counts.uses - tried, 1)
        # worse than half, than the tool's rate, and significantly worse than other values
        if tried >= _LEAST_TRIED and lost / tried > max(_MOSTLY, usual) and bound > others:
            instead = tuple(f"{each.parameter}={name}" for name in good[:3])
            advice = f"; what worked: {', '.join(instead)}" if instead else ""
            message = f"{each.parameter}={text} failed in {lost} of {tried} calls{advice}"
            warnings.append(Warned(message, bound, lost, tried, instead))
        # never tried: judged by its shape, if there are enough uses
        elif tried == 0 and each.uses >= 2 * _LEAST_TRIED and each.successes:
            won, lost = each.shapes.get(shape_of(value), (0, 0))
            if lost >= _LEAST_TRIED and not won:
                message = f"{each.parameter}={text} is written like values that all failed ({lost})"
                warnings.append(Warned(message, wilson_bound(lost, lost), lost, lost))
    return warnings


def _repeat_warnings(call: Step, made: Sequence[Step], known: ToolMemory) -> list[Warned]:
    """Warn of a call that already failed in this task."""
    failed = [
        s for s in made if not s.ok and s.tool == call.tool and s.parameters == call.parameters
    ]
    if not failed:
        return []
    worked = tuple(dict.fromkeys(name for each in known.errors for name in each.solutions))[:3]
    advice = f"; what worked elsewhere: {worked[0]}" if worked else ""
    message = f"the same call failed in this task already{advice}"
    # more confident than counts, as it is the same call
    return [Warned(message, wilson_bound(len(failed), len(failed)) + _OFTEN_DRAWN, 0, 0, worked)]


def _error_warnings(
    call: Step, parameters: Sequence[ParameterCounts], known: ToolMemory
) -> list[Warned]:
    """Warn of the common errors of the tool."""
    warnings: list[Warned] = []
    for each in known.errors[:2]:
        if _is_due_to_another_value(call, parameters, each.counts):
            continue
        solutions = solutions_of(each.counts)
        advice = f"; what worked: {solutions[0]}" if solutions else ""
        message = (
            f"“{each.counts.error}” in {each.counts.uses} of {known.counts.uses} calls{advice}"
        )
        confidence = wilson_bound(each.counts.uses, known.counts.uses)
        warnings.append(Warned(message, confidence, 0, 0, solutions))
    return warnings


def _is_due_to_another_value(
    call: Step, parameters: Sequence[ParameterCounts], error: ErrorCounts
) -> bool:
    """Return whether an error is due to another value of a parameter than that of this call."""
    return any(
        # this value is frequent, and never had that error
        successes + failures >= _LEAST_TRIED
        and f"{name}={text}" not in error.culprits
        and any(
            culprit.startswith(f"{name}=") and n > _MOSTLY * error.uses
            for culprit, n in error.culprits.items()
        )
        for name, text, successes, failures in _values(call, parameters)
    )


def _counted_risk(call: Step, parameters: Sequence[ParameterCounts], usual: float) -> float:
    """Return the failure rate of the most deviating value, shrunk towards the usual rate."""
    rates = [
        (failures + _STRENGTH * usual) / (successes + failures + _STRENGTH)
        for _, _, successes, failures in _values(call, parameters)
    ]
    return max(rates, key=lambda rate: abs(rate - usual), default=usual)


def _values(
    call: Step, parameters: Sequence[ParameterCounts]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield each parameter of a call, its value as text, and the successes and failures of that value."""
    for each in parameters:
        if each.parameter in call.parameters:
            text = written(call.parameters[each.parameter])
            yield each.parameter, text, *each.values.get(text, (0, 0))


def _insight_warnings(insights: Sequence[Insight]) -> list[Warned]:
    return [Warned(each.insight, each.confidence, 0, 0) for each in insights]


@dataclass(frozen=True, slots=True)
class Recommended:
    """A candidate tool with its estimated success rate and bounds."""

    tool: str
    success_rate: float
    low: float
    high: float
    uses: int
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class RecommendTool(UseCase):
    """Rank tools by success rate in a context, shrunk towards the overall rate.

    With a seed by Thompson sampling, which explores little-known tools; without one by the lower bound.
    """

    store: KnowledgeStore
    embedders: EmbeddersInUse

    @watched("recommend_tool")
    async def __call__(
        self,
        caller: Caller,
        context: str,
        action: str,
        tools: Sequence[str],
        limit: int,
        seed: int | None,
    ) -> tuple[Recommended, ...]:
        """Return the best of some tools; of all whose names fit the action, if none are given."""
        scopes = caller.readable
        known = summed_by_key(await self.store.list_tools(scopes, _MOST_TOOLS))
        counts = {each.tool: each for each in known}
        names = list(dict.fromkeys(tools)) or await self._matching(known, action)
        facts = await self.store.tool_facts(scopes, names)
        here = {
            each.tool: each for each in summed_by_key(facts.contexts) if each.context == context
        }
        found = _rated([(name, counts.get(name), here.get(name)) for name in names], seed)
        return tuple(sorted(found, key=lambda r: (-r.score, -r.uses, r.tool))[:limit])

    async def _matching(self, tools: Sequence[ToolCounts], action: str) -> list[str]:
        """Return the tools whose names share most words with an action; if none shares any, those nearest in meaning."""
        asked = {_stem(word) for word in words_of(action)}
        shared = {each.tool: len(asked & {_stem(w) for w in each.words.split()}) for each in tools}
        most = max(shared.values(), default=0)
        if asked and tools and not most:
            return await self._nearest(tools, action)
        return [name for name, n in shared.items() if n == most]

    async def _nearest(self, tools: Sequence[ToolCounts], action: str) -> list[str]:
        # in one batch and not by the cache of questions, which hundreds of tools would empty
        embed, texts = self.embedders.reading.embedder.embed, [action, *(t.words for t in tools)]
        vectors = await asyncio.to_thread(embed, texts)
        cosines = vectors[1:] @ vectors[0]
        least = cosines.max() - _AS_NEAR
        return [each.tool for each, near in zip(tools, cosines, strict=True) if near >= least]


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) >= _SHORTEST_PLURAL else word


def _rated(
    rows: Sequence[tuple[str, ToolCounts | None, ContextCounts | None]], seed: int | None
) -> list[Recommended]:
    if not rows:
        return []
    everywhere = np.array([_rate(counts) for _, counts, _ in rows])
    won = np.array([float(here.successes) if here else 0.0 for *_, here in rows])
    tried = np.array([float(here.uses) if here else 0.0 for *_, here in rows])
    rates = shrunk_share(won, tried, everywhere, strength=_STRENGTH)
    # the prior counts as calls in the bounds too: a tool good elsewhere is not unknown here
    weight = np.array([min(_STRENGTH, counts.uses if counts else 0.0) for _, counts, _ in rows])
    successes, trials = won + weight * everywhere, tried + weight
    low = wilson_lower(successes, trials)
    high = np.where(trials > 0, 1.0 - wilson_lower(trials - successes, trials), 1.0)
    scores = low
    if seed is not None:
        # a Beta distribution needs a prior strictly between 0 and 1
        scores = thompson_sample(
            won, tried, np.clip(everywhere, 0.05, 0.95), strength=_STRENGTH, seed=seed
        )
    return [
        Recommended(
            name, float(rates[i]), float(low[i]), float(high[i]), int(tried[i]), float(scores[i]),
            _why(counts, here),
        )
        for i, (name, counts, here) in enumerate(rows)
    ]  # fmt: skip


def _rate(counts: ToolCounts | None) -> float:
    # Laplace's rule
    return (counts.successes + 1) / (counts.uses + 2) if counts else _UNKNOWN_RATE


def _why(counts: ToolCounts | None, here: ContextCounts | None) -> str:
    if here is not None:
        return f"{here.successes} of {here.uses} calls completed here"
    if counts is not None:
        return f"not called here yet; {counts.successes} of {counts.uses} calls completed elsewhere"
    return "not called yet"


@dataclass(frozen=True, slots=True)
class PredictNextTool(UseCase):
    """Predict the next tool, by the models of the scopes, else by pairs of calls."""

    store: KnowledgeStore
    models: Models

    @watched("predict_next_tool")
    async def __call__(
        self, caller: Caller, situation: Situation, limit: int
    ) -> tuple[list[tuple[str, float]], int]:
        """Return tools with their probabilities, and the number of training calls."""
        scopes = caller.readable
        models = [m for m in await self.models.of(scopes) if m.next_tool is not None]
        if models:
            found, learned = ranked(models, situation), sum(model.rows for model in models)
        else:
            tools = await self.store.list_tools(scopes, _MOST_TOOLS)
            found, learned = from_pairs(tools, situation.last), 0
        ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return ordered[:limit], learned
