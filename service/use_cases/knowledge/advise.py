"""Advice for an agent before it thinks or plans, the best first, within a token budget."""

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

_CANDIDATES = 12  # candidates of each kind
_STATED_SCORE = 0.9
_LEAST_SCORE = 0.05
_TYPES = ("patterns", "tool_memory", "insights", "preferences")


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice; ``uid`` can be reported as used (of a tool it is the name)."""

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
    """Return knowledge that helps in a situation."""

    query: QueryKnowledge

    @watched("advise")
    async def __call__(
        self,
        caller: Caller,
        asked: KnowledgeQuery,
        tools: Sequence[str],
        max_tokens: int,
    ) -> Advised:
        """Return advice, the best first; tools are limited to those given."""
        answer = await self.query(caller, asked)
        items = sorted(_items(answer, set(tools)), key=lambda a: (-a.score, a.kind, a.uid, a.text))
        kept: list[Advice] = []
        spent = 0
        for each in items:
            cost = tokens_of(each.line + "\n")
            # skipped if it does not fit: a later, shorter one may
            if spent + cost <= max_tokens:
                kept.append(each)
                spent += cost
        text = "\n".join(each.line for each in kept)
        return Advised(tuple(kept), text, tokens_of(text), len(items) - len(kept))


def question_for(
    query: str, context: str, situation: Mapping[str, Any], session_id: str
) -> KnowledgeQuery:
    """Return the question that advice is chosen from."""
    return KnowledgeQuery(query, _TYPES, context, _CANDIDATES, situation, session_id)


def _items(answer: KnowledgeAnswer, tools: set[str]) -> Iterable[Advice]:
    included: set[str] = set()
    for each in answer.patterns:
        text = _pattern_text(each.found)
        steps = " → ".join(each.found.steps)
        sequence = each.found.pattern_type != "query_pattern"
        # without sequences that a query pattern contains
        if (
            not text
            or each.score <= _LEAST_SCORE
            or (sequence and any(steps in s for s in included))
        ):
            continue
        included.add(steps)
        yield Advice("pattern", each.found.uid, text, each.why, each.score)
    for each in answer.tools:
        if not tools or each.found.counts.tool in tools:
            yield from _tool_items(each)
    for each in answer.insights:
        if each.found.origin != "pattern":  # the pattern itself is included
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
        for_query = f"For “{pattern.pattern}” what worked: {steps}"
        return for_query if pattern.pattern_type == "query_pattern" else f"What works: {steps}"
    # from five uses on: fewer may be chance
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
            "preference", preference.uid, text, f"stated{where}", _STATED_SCORE * preference.score
        )
    # more observations, more weight: one of one is weak evidence
    why = f"{preference.source}{where}; {preference.confirmed} of {preference.judged} said so"
    share = preference.confirmed / max(preference.judged, 1)
    return Advice(
        "preference", preference.uid, text, why, 0.4 + 0.5 * share * (1 - 0.5**preference.judged)
    )
