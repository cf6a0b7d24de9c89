"""Advise an agent before a thought or a plan: what helps, best first, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graph.kernel.scope import Caller
from graph.model.knowledge.executions import Pattern, Preference, written
from service.use_cases.episodes.rendering import tokens_of
from service.use_cases.kernel.watched import UseCase, watched
from service.use_cases.knowledge.query import (
    KnowledgeAnswer,
    KnowledgeQuery,
    QueryKnowledge,
    Ranked,
)

_EACH = 12  # candidates of each sort
_STATED = 0.9
_LEAST_SCORE = 0.05
_TYPES = ("patterns", "tool_memory", "insights", "preferences")


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice: ``uid`` can be named as used; of a tool it is its name."""

    kind: Literal["pattern", "tool", "insight", "preference"]
    uid: str
    text: str
    why: str
    score: float

    @property
    def line(self) -> str:
        """The advice as a line of a prompt."""
        return f"- {self.text} ({self.why})"


@dataclass(frozen=True, slots=True)
class Advised:
    """Advice within the budget, and how many pieces did not fit."""

    items: tuple[Advice, ...]
    text: str
    tokens: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Advise(UseCase):
    """Choose what helps with a situation."""

    query: QueryKnowledge

    @watched("advise")
    async def __call__(
        self,
        caller: Caller,
        asked: KnowledgeQuery,
        tools: Sequence[str],
        max_tokens: int,
    ) -> Advised:
        """Return advice, best first; a tool that is not at hand is not advised."""
        answer = await self.query(caller, asked)
        items = sorted(_items(answer, set(tools)), key=lambda a: (-a.score, a.kind, a.uid, a.text))
        kept: list[Advice] = []
        spent = 0
        for each in items:
            cost = tokens_of(each.line + "\n")
            # what does not fit is passed over: a shorter one behind it may
            if spent + cost <= max_tokens:
                kept.append(each)
                spent += cost
        text = "\n".join(each.line for each in kept)
        return Advised(tuple(kept), text, tokens_of(text), len(items) - len(kept))


def question_for(
    query: str, context: str, situation: Mapping[str, Any], session_id: str
) -> KnowledgeQuery:
    """Return the question that advice is chosen from."""
    return KnowledgeQuery(query, _TYPES, context, _EACH, situation, session_id)


def _items(answer: KnowledgeAnswer, tools: set[str]) -> Iterable[Advice]:
    said: set[str] = set()
    for each in answer.patterns:
        text = _pattern_text(each.found)
        steps = " → ".join(each.found.steps)
        sequence = each.found.pattern_type != "query_pattern"
        # a sequence that a query's pattern says already
        if not text or each.score <= _LEAST_SCORE or (sequence and any(steps in s for s in said)):
            continue
        said.add(steps)
        yield Advice("pattern", each.found.uid, text, each.why, each.score)
    for each in answer.tools:
        if not tools or each.found.counts.tool in tools:
            yield from _tool_items(each)
    for each in answer.insights:
        if each.found.origin != "pattern":  # the pattern itself says it
            yield Advice("insight", each.found.uid, each.found.insight, each.why, each.score)
    for preferences in answer.preferences.values():
        for each in preferences:
            yield _preference(each)


def _pattern_text(pattern: Pattern) -> str:
    rate = pattern.success_rate
    if pattern.pattern_type == "error_pattern" or not pattern.steps:
        return ""
    steps = " → ".join(pattern.steps)
    if rate >= 0.5:
        told = f"For “{pattern.pattern}” what worked: {steps}"
        return told if pattern.pattern_type == "query_pattern" else f"What works: {steps}"
    # from five uses on: less may be bad luck
    return f"Seldom works: {steps}" if pattern.uses >= 5 else ""


def _tool_items(ranked: Ranked) -> Iterable[Advice]:
    memory = ranked.found
    for each in memory.recommendations[:3]:
        score = min(1.0, 0.5 * ranked.score + 0.5 * each.confidence)
        why = f"{each.type.replace('_', ' ')}; {', '.join(each.evidence)}"
        yield Advice(
            "tool", memory.counts.tool, f"{memory.counts.tool}: {each.message}", why, score
        )


def _preference(preference: Preference) -> Advice:
    text = preference.lesson or f"{preference.name}: {written(preference.value)}"
    where = f" in {preference.context}" if preference.context else ""
    if preference.source == "stated":
        return Advice(
            "preference", preference.uid, text, f"stated{where}", _STATED * preference.score
        )
    # more observations, more weight: one of one is no habit yet
    why = f"{preference.source}{where}; {preference.confirmed} of {preference.judged} said so"
    share = preference.confirmed / max(preference.judged, 1)
    return Advice(
        "preference", preference.uid, text, why, 0.4 + 0.5 * share * (1 - 0.5**preference.judged)
    )
