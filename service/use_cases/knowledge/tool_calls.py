"""Tool calls in advance: risk check, recommendation and prediction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graph.kernel.scope import Caller
from graph.knowledge.call_risks import (
    MOSTLY,
    STRENGTH,
    Warned,
    context_warnings,
    counted_risk,
    earlier_calls,
    repeat_warnings,
    tool_warnings,
    value_warnings,
)
from graph.knowledge.conditions import applies
from graph.knowledge.foresight import Situation, words_of
from graph.knowledge.ledger import name_words
from graph.knowledge.tool_memory import summed_by_key
from graph.model.knowledge.executions import (
    ContextCounts,
    Insight,
    Step,
    ToolCounts,
    Wanted,
)
from graph.ports.embedding import EmbeddersInUse
from graph.scoring.confidence import shrunk_share, thompson_sample, wilson_lower
from graph.scoring.relevance import Floats
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched
from service.use_cases.knowledge.foresight import Models, from_pairs, ranked

Verdict = Literal["ok", "caution", "stop"]
_MOST_TOOLS = 500
_SHORTEST_PLURAL = 4
_STOP, _CAUTION = 0.7, 0.35
_UNKNOWN_RATE = 0.5
_AS_NEAR = 0.03  # cosine that a tool may lack of the nearest: keeps 1.4 of 20, the right one for 18 of 22 actions


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
        known = earlier_calls(call, await self.store.tool_facts(scopes, [call.tool]))
        warnings = _insight_warnings(await self._insights(caller, call, situation))
        if known is not None:
            warnings += value_warnings(known) + context_warnings(known)
            warnings += repeat_warnings(known, made)
        predicted = await self._predicted_risk(scopes, call, made)
        counted = 0.0 if known is None else counted_risk(known)
        risk = max(
            # a model combines values and earlier failures, counts only have single values
            [
                counted if predicted is None else predicted,
                *(w.failed / w.tried for w in warnings if w.tried and w.sure),
            ]
        )
        # errors are only listed for risky calls, as every tool has some
        if known is not None and risk >= _CAUTION:
            warnings += tool_warnings(known)
        verdict = _verdict(risk, predicted, warnings)
        if known is None:
            # after the verdict: that nothing is known makes no call risky
            warnings.append(Warned(f"nothing is known of {call.tool} yet", 0.0, 0, 0))
        warnings.sort(key=lambda w: (-w.confidence, w.message))
        return CheckedCall(verdict, risk, known.usual if known else 0.0, tuple(warnings))

    async def _insights(
        self, caller: Caller, call: Step, situation: Mapping[str, Any]
    ) -> list[Insight]:
        words = tuple(name_words(call.tool).split())
        wanted = Wanted(
            caller.readable, words, (), (), call.context, "", MOSTLY, self.clock.now(), 50
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


def _verdict(risk: float, predicted: float | None, warnings: Sequence[Warned]) -> Verdict:
    surest = max(
        (w.confidence for w in warnings if w.sure and w.tried and w.failed / w.tried > MOSTLY),
        default=0.0,
    )
    # `stop` needs a confident warning or model, as a false one costs a task
    if risk >= _STOP and (surest >= _CAUTION or (predicted or 0.0) >= _STOP):
        return "stop"
    return "caution" if risk >= _CAUTION or warnings else "ok"


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
    """Rank tools by success rate in a context, shrunk towards the overall rate, and by success of their tasks.

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
    rates = shrunk_share(won, tried, everywhere, strength=STRENGTH)
    # the prior counts as calls in the bounds too: a tool good elsewhere is not unknown here
    weight = np.array([min(STRENGTH, counts.uses if counts else 0.0) for _, counts, _ in rows])
    successes, trials = won + weight * everywhere, tried + weight
    low = wilson_lower(successes, trials)
    high = np.where(trials > 0, 1.0 - wilson_lower(trials - successes, trials), 1.0)
    scores = low
    if seed is not None:
        # a Beta distribution needs a prior strictly between 0 and 1
        scores = thompson_sample(
            won, tried, np.clip(everywhere, 0.05, 0.95), strength=STRENGTH, seed=seed
        )
    scores = scores * _task_shares(rows)
    return [
        Recommended(
            name, float(rates[i]), float(low[i]), float(high[i]), int(tried[i]), float(scores[i]),
            _why(counts, here),
        )
        for i, (name, counts, here) in enumerate(rows)
    ]  # fmt: skip


def _task_shares(rows: Sequence[tuple[str, ToolCounts | None, ContextCounts | None]]) -> Floats:
    """Return the share of tasks that succeeded with each tool here, shrunk to all contexts, and that to all tools."""
    known = [counts for _, counts, _ in rows if counts]
    tasks = sum(each.tasks for each in known)
    share = np.full(len(rows), sum(each.solved for each in known) / tasks if tasks else 1.0)
    for column in zip(*((counts, here) for _, counts, here in rows), strict=True):
        solved = np.array([float(each.solved) if each else 0.0 for each in column])
        tried = np.array([float(each.tasks) if each else 0.0 for each in column])
        share = shrunk_share(solved, tried, share, strength=STRENGTH)
    return share


def _rate(counts: ToolCounts | None) -> float:
    # Laplace's rule
    return (counts.successes + 1) / (counts.uses + 2) if counts else _UNKNOWN_RATE


def _why(counts: ToolCounts | None, here: ContextCounts | None) -> str:
    known = here or counts
    if known is None:
        return "not called yet"
    why = f"{known.successes} of {known.uses} calls completed"
    why = f"{why} here" if here else f"not called here yet; {why} elsewhere"
    failed = known.solved < known.tasks
    return f"{why}; {known.solved} of {known.tasks} tasks succeeded" if failed else why


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
