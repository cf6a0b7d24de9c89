"""Views of knowledge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from graph.kernel.scope import name_in, without_tenant
from graph.knowledge.tool_memory import CommonError, ParameterInsight, ToolMemory
from graph.model.knowledge.executions import Correction, Evidence, Insight, Pattern, Preference
from service.http.kernel.views import view_of, views_of
from service.use_cases.knowledge.query import Fixes, KnowledgeAnswer
from stratagraph import wire


def pattern_view(pattern: Pattern, fixes: Fixes, why: str = "") -> wire.MemoryPatternView:
    """Return the view of a pattern; of an error with its solutions."""
    uses = max(pattern.uses, 1)
    return wire.MemoryPatternView(
        pattern_id=pattern.uid,
        pattern_type=pattern.pattern_type,
        name=pattern.pattern,
        pattern=wire.PatternDefinition(
            query=pattern.pattern if pattern.pattern_type == "query_pattern" else None,
            goal=pattern.goal or None,
            steps=tuple(pattern.steps),
            context=pattern.context or None,
            solutions=fixes.get(pattern.pattern, ()),
        ),
        success_metrics=wire.SuccessMetrics(
            success_rate=pattern.success_rate,
            avg_execution_time=pattern.mean_ms,
            avg_steps=pattern.steps_total / uses,
            reliability=pattern.reliability,
        ),
        usage_count=pattern.uses,
        last_used=_time(pattern.last_used),
        first_seen=_time(pattern.first_seen),
        evidence=tuple(map(_evidence, pattern.evidence)),
        confidence=pattern.confidence,
        validated_at=pattern.validated_at,
        scope=without_tenant(pattern.scope),
        why=why,
    )


def insight_view(insight: Insight, why: str = "", scope: str = "") -> wire.LearnedInsightView:
    """Return the view of an insight."""
    return view_of(
        wire.LearnedInsightView,
        insight,
        insight_id=insight.uid,
        applies_to=wire.AppliesTo(
            agents=tuple(insight.agents),
            contexts=tuple(insight.contexts),
            conditions=insight.conditions,
        ),
        evidence=tuple(map(_evidence, insight.evidence)),
        last_updated=_time(insight.last_updated or insight.created_at),
        scope=without_tenant(scope or insight.scope),
        why=why,
    )


def tool_view(memory: ToolMemory, why: str = "") -> wire.ToolMemoryView:
    """Return the view of a tool."""
    counts = memory.counts
    return wire.ToolMemoryView(
        tool_name=counts.tool,
        performance=wire.ToolPerformance(
            total_executions=counts.uses,
            success_count=counts.successes,
            failure_count=counts.failures,
            success_rate=counts.success_rate,
            avg_duration=counts.mean_ms,
            p50_duration=memory.percentile(0.5),
            p95_duration=memory.percentile(0.95),
            avg_retries=counts.retries / max(counts.uses, 1),
        ),
        optimal_contexts=tuple(
            view_of(wire.OptimalContext, each, avg_duration=each.mean_ms, usage_count=each.uses)
            for each in memory.optimal_contexts
        ),
        common_errors=tuple(map(_error, memory.errors)),
        parameter_insights=tuple(map(_parameter, memory.parameters)),
        recommendations=views_of(wire.ToolAdvice, memory.recommendations),
        last_updated=_time(counts.last_used),
        last_analyzed=counts.last_analyzed,
        why=why,
    )


def answer_view(answer: KnowledgeAnswer) -> wire.QueryMemoryView:
    """Return the view of a query's result."""
    return wire.QueryMemoryView(
        patterns=tuple(
            pattern_view(each.found, answer.fixes, each.why) for each in answer.patterns
        ),
        tool_memory=tuple(tool_view(each.found, each.why) for each in answer.tools),
        insights=tuple(insight_view(each.found, each.why) for each in answer.insights),
        preferences=_preference_sets(answer),
    )


def preference_view(preference: Preference, replaces: str | None = None) -> wire.PreferenceView:
    """Return the view of a preference."""
    confidence = 1.0 if preference.source == "stated" else preference.score
    return view_of(wire.PreferenceView, preference, confidence=confidence, replaces=replaces)


def _preference_sets(answer: KnowledgeAnswer) -> tuple[wire.UserPreferenceView, ...]:
    sets = dict(answer.preferences)
    for each in answer.corrections:
        sets.setdefault((each.scope, each.user_context), ())
    return tuple(
        _preference_set(place, preferences, answer.corrections)
        for place, preferences in sorted(sets.items())
    )


def _preference_set(
    place: tuple[str, str], preferences: Sequence[Preference], corrections: Sequence[Correction]
) -> wire.UserPreferenceView:
    scope, user_context = place
    own = [each for each in corrections if (each.scope, each.user_context) == place]
    shown = without_tenant(scope)
    return wire.UserPreferenceView(
        user_id=name_in(scope) if shown.startswith("user/") else None,
        user_context=user_context,
        preferences=_by_sort(preferences),
        details=tuple(map(preference_view, preferences)),
        corrections=tuple(
            view_of(wire.CorrectionView, each, timestamp=each.at) for each in own[:20]
        ),
        patterns=tuple(
            wire.BehaviourPattern(
                pattern=each.lesson, frequency=each.confirmed, context=each.context
            )
            for each in preferences
            if each.source == "behaviour"
        ),
        last_updated=max([p.valid_from for p in preferences] + [c.at for c in own]),
        scope=shown,
    )


def _by_sort(preferences: Sequence[Preference]) -> wire.PreferenceSet:
    """Return preferences by kind, with the context of those that have one."""
    named: dict[str, dict[str, Any]] = {
        "tool": {},
        "parameter": {},
        "workflow": {},
        "error_handling": {},
    }
    for each in preferences:
        name = f"{each.name} [{each.context}]" if each.context else each.name
        named[each.kind][name] = each.value
    handling = cast("Any", next(iter(named["error_handling"].values()), "lenient"))
    return wire.PreferenceSet(
        tool_preferences=named["tool"],
        parameter_defaults=named["parameter"],
        workflow_preferences=tuple(map(_workflow, named["workflow"].items())),
        error_handling=handling,
    )


def _workflow(named: tuple[str, Any]) -> str:
    name, value = named
    if isinstance(value, list | tuple):
        return f"{name}: {' → '.join(map(str, cast('Sequence[object]', value)))}"
    return f"{name}: {value}"


def _evidence(evidence: Evidence) -> wire.KnowledgeEvidence:
    at = datetime.fromisoformat(evidence.at)
    return view_of(wire.KnowledgeEvidence, evidence, timestamp=at)


def _error(error: CommonError) -> wire.CommonError:
    return wire.CommonError(
        error=error.counts.error,
        frequency=error.counts.uses,
        percentage=100.0 * error.share,
        contexts=tuple(sorted(name for name in error.counts.contexts if name)),
        solutions=error.solutions,
        solved=error.counts.successes,
    )


def _parameter(known: ParameterInsight) -> wire.ParameterInsight:
    failing: Mapping[str, tuple[int, int]] = known.failing
    return wire.ParameterInsight(
        parameter=known.parameter,
        optimal_value=known.best,
        value_pattern=known.value_pattern,
        importance=known.importance,
        failing_values=tuple(failing)[:4],
    )


def _time(value: datetime | None) -> datetime:
    assert value is not None, "what was counted or made has its time"  # noqa: S101 -- for the type checker
    return value
