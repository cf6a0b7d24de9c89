"""Advice for an agent before it thinks or plans, the best first, within a token budget."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graph.kernel.scope import Caller
from graph.knowledge.ledger import ARROW
from graph.knowledge.preferring import Concern, concerns, names_tool
from graph.knowledge.tool_memory import Recommendation
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
_NAMED_FIT = 0.5  # of a preference for a tool that was only given
_LEAST_SCORE = 0.05
_LEAST_FAILED = 5  # uses of a sequence that fails mostly: fewer may be chance
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
        items = sorted(_items(answer, asked, set(tools)), key=lambda a: (-a.score, a.kind, a.uid))
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


def _items(answer: KnowledgeAnswer, asked: KnowledgeQuery, tools: set[str]) -> Iterable[Advice]:
    included: set[str] = set()
    for each in answer.patterns:
        if each.score > _LEAST_SCORE and each.found.pattern_type != "error_pattern":
            yield from _pattern_items(each, included)
    for each in answer.tools:
        if not tools or each.found.counts.tool in tools:
            yield from _tool_items(each)
    for each in answer.insights:
        if each.found.origin != "pattern":  # the pattern itself is included
            yield Advice("insight", each.found.uid, each.found.insight, each.why, each.score)
    concern = _concern(answer, asked)
    for each in itertools.chain(*answer.preferences.values()):
        fit = concern.fit(each) or (_NAMED_FIT if tools else 0.0)
        if fit and (not tools or not names_tool(each) or concerns(each, tools)):
            yield _preference(each, fit)


def _concern(answer: KnowledgeAnswer, asked: KnowledgeQuery) -> Concern:
    """Return what a question is about: tools of its patterns, and in a context those that were called there."""
    patterns: list[Pattern] = [each.found for each in answer.patterns]
    near = {step for each in patterns for step in each.steps}
    near |= {step for each in patterns for way in each.ways for step in way.split(ARROW)}
    if asked.context:
        near |= {each.found.counts.tool for each in answer.tools}
    memories = [each.found for each in answer.tools if each.found.counts.tool in near]
    parameters = {known.parameter for memory in memories for known in memory.parameters}
    return Concern(asked.query, asked.context, near, parameters)


def _pattern_items(ranked: Ranked, included: set[str]) -> Iterable[Advice]:
    """Yield the surest sequence of a pattern if it works, and the most frequent one that seldom works."""
    pattern: Pattern = ranked.found
    of_query = pattern.pattern_type == "query_pattern"
    head = f"For “{pattern.pattern}” what" if of_query else "What"
    best = ARROW.join(pattern.steps)
    ways = pattern.ways or {best: (pattern.successes, pattern.failures)}
    bad = [way for way, (won, lost) in ways.items() if lost > won and won + lost >= _LEAST_FAILED]
    good = [best] if best in ways and ways[best][0] >= ways[best][1] else []
    worst = sorted(bad, key=lambda way: (-sum(ways[way]), way))[:1]
    for says, way in [("worked" if of_query else "works", w) for w in good] + [
        ("seldom works", w) for w in worst
    ]:
        # a query pattern already names the sequences that it contains
        if way and (of_query or not any(way in known for known in included)):
            included.add(way)
            won, lost = ways[way]
            why = f"{ranked.how}; {won} of {won + lost} tasks succeeded"
            yield Advice("pattern", pattern.uid, f"{head} {says}: {way}", why, ranked.score)


def _tool_items(ranked: Ranked) -> Iterable[Advice]:
    memory = ranked.found
    for each in _various(memory.recommendations)[:3]:
        score = min(1.0, 0.5 * ranked.score + 0.5 * each.confidence)
        why = f"{each.type.replace('_', ' ')}; {', '.join(each.evidence)}"
        yield Advice(
            "tool", memory.counts.tool, f"{memory.counts.tool}: {each.message}", why, score
        )


def _various(advice: Sequence[Recommendation]) -> list[Recommendation]:
    """Return recommendations with the surest of each topic first."""
    before: Counter[str] = Counter()
    places: list[int] = []
    for each in advice:
        places.append(before[each.topic])
        before[each.topic] += 1
    return [each for _, each in sorted(zip(places, advice, strict=True), key=lambda p: p[0])]


def _preference(preference: Preference, fit: float) -> Advice:
    text = preference.lesson or f"{preference.name}: {written(preference.value)}"
    if preference.kind == "tool" and not preference.lesson:
        text = f"{'avoid' if preference.value < 0 else 'prefer'} {preference.name}"
    where = f" in {preference.context}" if preference.context else ""
    if preference.source == "stated":
        why, score = f"stated{where}", _STATED_SCORE * preference.score
    else:
        # more observations, more weight: one of one is weak evidence
        why = f"{preference.source}{where}; {preference.confirmed} of {preference.judged} said so"
        share = preference.confirmed / max(preference.judged, 1)
        score = 0.4 + 0.5 * share * (1 - 0.5**preference.judged)
    return Advice("preference", preference.uid, text, why, fit * score)
