"""Query of knowledge: matching patterns, tools, insights and preferences, the best first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph.kernel.errors import InvalidInputError, NotFoundError
from graph.kernel.scope import Caller, ScopeKind, hashed_key
from graph.knowledge.conditions import applies, unknown_operator
from graph.knowledge.insights import add_evidence, judge
from graph.knowledge.ledger import error_pattern, key_of
from graph.knowledge.preferring import holding
from graph.knowledge.templates import fits, masked
from graph.knowledge.tool_memory import ToolMemory, solutions_of, summed_by_key, tool_memories
from graph.model.knowledge.executions import (
    Changes,
    Correction,
    Counts,
    Evidence,
    Found,
    Insight,
    InsightType,
    MemoryType,
    Pattern,
    PatternType,
    Preference,
    Wanted,
)
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import RecordingUseCase, TimedUseCase, UseCase, watched
from service.use_cases.memories.guarding import Guard

LEAST_CONFIDENCE = 0.4
_WORD = re.compile(r"[^\W_]+")
_MAX_CANDIDATES = 60  # candidates of each kind
_CONTEXT_BONUS = 0.15
_MOST_SCOPES_TOOLS = 200
Fixes = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KnowledgeQuery:
    """Query for knowledge; conditions of insights are evaluated in its ``situation``."""

    query: str
    types: Collection[MemoryType]
    context: str = ""
    limit: int = 5
    situation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    session_id: str = ""
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A match with its score from 0 to 1, and an explanation; of a pattern ``how`` it fits."""

    found: Any
    score: float
    why: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class KnowledgeAnswer:
    """Matching knowledge, the best first; preferences by scope and set."""

    patterns: tuple[Ranked, ...] = ()
    tools: tuple[Ranked, ...] = ()
    insights: tuple[Ranked, ...] = ()
    preferences: Mapping[tuple[str, str], Sequence[Preference]] = field(
        default_factory=dict[tuple[str, str], "Sequence[Preference]"]
    )
    corrections: tuple[Correction, ...] = ()
    fixes: Fixes = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class QueryKnowledge(TimedUseCase):
    """Find knowledge that matches a query in all scopes that a caller reads."""

    store: KnowledgeStore
    guard: Guard

    @watched("query_memory")
    async def __call__(self, caller: Caller, asked: KnowledgeQuery) -> KnowledgeAnswer:
        """Return matches of each kind, the best first."""
        # redacted like reports, so that templates match
        query = await self.guard.text(caller.tenant, asked.query, "query") if asked.query else ""
        template = masked(query)
        wanted = Wanted(
            scopes=caller.readable,
            words=tuple(_WORD.findall(f"{query} {asked.context.replace('_', ' ')}".lower())),
            keys=(key_of("query_pattern", template),),
            lengths=(len(template.split("_")),),
            context=asked.context,
            session_id=asked.session_id,
            least_confidence=LEAST_CONFIDENCE,
            as_of=asked.as_of or self.clock.now(),
            limit=_MAX_CANDIDATES,
        )
        found = await self.store.find(wanted)
        patterns = rank_patterns(found, template, asked.context)
        tools: tuple[Ranked, ...] = ()
        if "tool_memory" in asked.types:
            tools = await self._tools(caller, found, patterns, asked)
        shown = patterns[: asked.limit] if "patterns" in asked.types else ()
        return KnowledgeAnswer(
            shown,
            tools,
            rank_insights(found, caller.agent_id or "", asked)[: asked.limit]
            if "insights" in asked.types
            else (),
            _preferences_by_set(holding(found.preferences, asked.context))
            if "preferences" in asked.types
            else {},
            tuple(found.corrections) if "preferences" in asked.types else (),
            await fixes_of(self.store, caller.readable, [each.found for each in shown]),
        )

    async def _tools(
        self, caller: Caller, found: Found, patterns: Sequence[Ranked], asked: KnowledgeQuery
    ) -> tuple[Ranked, ...]:
        # steps of the best patterns are included, whatever their names
        planned = [step for each in patterns[:3] for step in each.found.steps]
        names = list(dict.fromkeys([*planned, *found.tools]))[:_MOST_SCOPES_TOOLS]
        if not names:
            return ()
        known = tool_memories(await self.store.tool_facts(caller.readable, names))
        ranked = [_tool(memory, found, set(planned), asked.context) for memory in known.values()]
        ranked.sort(key=lambda r: (-r.score, r.found.counts.tool))
        return tuple(ranked[: asked.limit])


async def fixes_of(
    store: KnowledgeStore, scopes: Sequence[str], patterns: Sequence[Pattern]
) -> Fixes:
    """Return the solutions of error patterns, the most frequent first, by the pattern's text."""
    failed = {each.pattern for each in patterns if each.pattern_type == "error_pattern"}
    if not failed:
        return {}
    tools = [step for each in patterns if each.pattern in failed for step in each.steps]
    errors = summed_by_key((await store.tool_facts(scopes, tools)).errors)
    by_text = {error_pattern(each.tool, each.error): solutions_of(each) for each in errors}
    return {text: by_text.get(text, ()) for text in failed}


def rank_patterns(found: Found, template: str, context: str) -> tuple[Ranked, ...]:
    """Rank patterns by match and by lower bound of success."""
    best = max((found.scores.get(p.uid, 0.0) for p in found.patterns), default=0.0) or 1.0
    ranked: list[Ranked] = []
    for each in found.patterns:
        # the same template, or a general one of it, matches fully; words at most 0.7
        same = each.pattern_type == "query_pattern" and (
            each.pattern == template or (each.general and fits(template, each.pattern))
        )
        score = found.scores.get(each.uid)
        if not same and score is None:
            continue
        # full-text scores have no fixed scale: relative to the best
        fit = 1.0 if same else 0.7 * (score or 0.0) / best
        here = _CONTEXT_BONUS if context and context in each.contexts else 0.0
        worth = min(1.0, fit * (0.5 + 0.5 * max(each.confidence, _failing(each))) + here)
        how = "the same kind of query" if same else "similar words"
        why = f"{how}; {each.successes} of {each.uses} tasks succeeded"
        ranked.append(Ranked(each, worth, why, how))
    return tuple(sorted(ranked, key=lambda r: (-r.score, -r.found.uses, r.found.key)))


def _failing(pattern: Pattern) -> float:
    """Return the failure rate of a pattern with enough uses: it is informative too."""
    return 1.0 - pattern.success_rate if pattern.uses >= 5 else 0.0


def rank_insights(found: Found, agent: str, asked: KnowledgeQuery) -> tuple[Ranked, ...]:
    """Rank insights that apply in the situation, by confidence and match of words.

    An unrestricted insight needs matching words.
    """
    situation = {"query": asked.query, **asked.situation}
    best = max((found.scores.get(i.uid, 0.0) for i in found.insights), default=0.0) or 1.0
    ranked: list[Ranked] = []
    for each in found.insights:
        score = found.scores.get(each.uid, 0.0) / best
        bound = bool(each.conditions) or bool(each.contexts and asked.context)
        if not (score or bound) or not applies(each, agent, asked.context, situation):
            continue
        worth = each.confidence * (0.4 + 0.6 * score + (_CONTEXT_BONUS if bound else 0.0))
        ranked.append(Ranked(each, min(1.0, worth), _why_insight(each)))
    return tuple(sorted(ranked, key=lambda r: (-r.score, r.found.key)))


def _why_insight(insight: Insight) -> str:
    judged = insight.confirmed + insight.contradicted
    where = f"holds in {', '.join(insight.contexts[:3])}; " if insight.contexts else ""
    if judged:
        return f"{where}{insight.confirmed} of {judged} later observations confirmed it"
    return f"{where}rests on {len(insight.evidence)} tasks"


def _tool(memory: ToolMemory, found: Found, planned: set[str], context: str) -> Ranked:
    counts = memory.counts
    here = next((each for each in memory.contexts if each.context == context), None)
    best = max((found.scores.get(name, 0.0) for name in found.tools), default=0.0) or 1.0
    fit = found.scores.get(counts.tool, 0.0) / best
    worth = 0.4 * fit + 0.3 * (counts.tool in planned) + 0.3 * (here.confidence if here else 0.0)
    if here is not None:
        why = f"{here.successes} of {here.uses} calls completed in this context"
    elif counts.tool in planned:
        why = "a step of a pattern that fits"
    else:
        why = f"its name fits; {counts.successes} of {counts.uses} calls completed"
    return Ranked(memory, worth, why)


def _preferences_by_set(
    preferences: Sequence[Preference],
) -> dict[tuple[str, str], Sequence[Preference]]:
    sets: dict[tuple[str, str], list[Preference]] = defaultdict(list)
    for each in preferences:
        sets[each.scope, each.user_context].append(each)
    return dict(sorted(sets.items()))


@dataclass(frozen=True, slots=True)
class GetPattern(UseCase):
    """Read one pattern; a query is matched by its template, or by a general one.

    Raises
    ------
    NotFoundError
        If there is none in the scopes of the caller.
    """

    store: KnowledgeStore
    guard: Guard

    @watched("get_memory_pattern")
    async def __call__(
        self, caller: Caller, pattern_type: PatternType, name: str
    ) -> tuple[Pattern, Fixes]:
        """Return the most used pattern of this name, with solutions if it is an error."""
        keys = [key_of(pattern_type, name)]
        if pattern_type == "query_pattern":
            keys.append(key_of(pattern_type, masked(name)))
        found = await self.store.patterns(caller.readable, keys)
        if not found and pattern_type == "query_pattern":
            template = masked(name)
            general = await self.store.general_patterns(caller.readable, len(template.split("_")))
            found = [each for each in general if fits(template, each.pattern)]
        if not found:
            raise NotFoundError("no such pattern in the scopes of this caller")
        return found[0], await fixes_of(self.store, caller.readable, found[:1])


@dataclass(frozen=True, slots=True)
class NewInsight:
    """A stated insight; ``evidence`` are task ids with descriptions."""

    insight: str
    insight_type: InsightType
    rule: str = ""
    agents: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    evidence: tuple[tuple[str, str], ...] = ()
    confidence: float = 0.5


@dataclass(frozen=True, slots=True)
class StoreInsight(RecordingUseCase):
    """Store a stated insight; repeating it adds evidence and updates the confidence.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, a condition has an unknown operator, or something may not be stored.
    """

    store: KnowledgeStore
    guard: Guard

    @watched("store_insight")
    async def __call__(
        self, caller: Caller, new: NewInsight, scope_kind: ScopeKind | None = None
    ) -> tuple[Insight, str]:
        """Return the insight as it is stored, and its scope."""
        scope = caller.writable(scope_kind)
        # checked here: errors at each later evaluation would go unnoticed
        if unknown := unknown_operator(new.conditions):
            raise InvalidInputError(
                f"applies_to.conditions: there is no operator {unknown[:64]!r}",
                field="applies_to.conditions",
            )
        text = await self.guard.text(caller.tenant, new.insight, "insight")
        conditions = await self.guard.value(caller.tenant, dict(new.conditions), "conditions")
        now = self.clock.now()
        insight = self._insight(caller, new, text, conditions, now)

        def decide(counts: Counts) -> Changes:
            known = counts.insights.get(insight.key)
            if known is not None:
                # a repeated insight keeps its history
                insight.uid, insight.created_at = known.uid, known.created_at
                insight.confirmed, insight.contradicted = known.confirmed, known.contradicted
                insight.usage_count, insight.last_used = known.usage_count, known.last_used
                insight.validated, insight.validated_at = known.validated, known.validated_at
                insight.validated_by = known.validated_by
                added, insight.evidence = insight.evidence, list(known.evidence)
                add_evidence(insight, added)
            # a new one keeps its stated confidence
            judge([insight], counts.state.held if known else {}, now)
            return Changes(insights=[insight])

        await self.store.change(scope, None, decide, with_patterns=False)
        return insight, scope

    def _insight(
        self, caller: Caller, new: NewInsight, text: str, conditions: dict[str, Any], now: datetime
    ) -> Insight:
        evidence = [
            Evidence(task, "", "success", now.isoformat(), description)
            for task, description in new.evidence
        ]
        return Insight(
            uid=self.identifiers.new_uid(now),
            # by its words: a repeated text is the same insight
            key=key_of("manual", hashed_key(" ".join(text.lower().split()))),
            insight_type=new.insight_type,
            insight=text,
            rule=new.rule,
            agents=list(new.agents),
            contexts=list(new.contexts),
            conditions=conditions,
            evidence=evidence,
            prior=new.confidence,
            created_at=now,
            user_id=caller.user_ids[0] if len(caller.user_ids) == 1 else "",
            words=f"{text} {' '.join(new.contexts)}".replace("_", " "),
        )
