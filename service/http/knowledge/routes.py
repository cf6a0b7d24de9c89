"""`/v1/knowledge`: reports of executions, and queries for the knowledge learned from them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fastapi import APIRouter

from graph.kernel.scope import Caller, without_tenant
from graph.knowledge.foresight import Situation, words_of
from graph.model.knowledge.executions import LEARN_JOBS, ExecutionReport, LearnJob, Step
from service.bootstrap import Service
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of, views_of
from service.http.knowledge.views import (
    answer_view,
    insight_view,
    pattern_view,
    preference_view,
)
from service.use_cases.knowledge.advise import question_for
from service.use_cases.knowledge.observe import ObservedExecution
from service.use_cases.knowledge.preferences import Place, PreferenceResult
from service.use_cases.knowledge.query import KnowledgeQuery, NewInsight
from service.use_cases.knowledge.validate import Verdict
from stratagraph import wire
from stratagraph.operations import knowledge as operations

router = APIRouter()


@serves(router, operations.OBSERVE_EXECUTION)
async def observe_execution(
    caller: Caller, body: wire.ObserveExecutionRequest, service: Bound
) -> wire.ExecutionView:
    report = report_of(body, service)
    [found] = await service.observe_executions(caller, [report], body.scope_kind)
    return _observed(found)


@serves(router, operations.OBSERVE_EXECUTIONS)
async def observe_executions(
    caller: Caller, body: wire.ObserveExecutionsRequest, service: Bound
) -> wire.ExecutionsAnswer:
    reports = [report_of(row, service) for row in body.executions]
    found = await service.observe_executions(caller, reports, body.scope_kind)
    return wire.ExecutionsAnswer(results=tuple(map(_observed, found)))


@serves(router, operations.QUERY_MEMORY)
async def query_memory(
    caller: Caller, body: wire.QueryMemoryRequest, service: Bound
) -> wire.QueryMemoryView:
    began = time.perf_counter()
    asked = value_of(
        KnowledgeQuery, body, types=body.memory_types, session_id=body.session_id or ""
    )
    answer = answer_view(await service.query_knowledge(caller, asked))
    service.knowledge_times.latest.append(1000.0 * (time.perf_counter() - began))
    return answer


@serves(router, operations.GET_MEMORY_PATTERN)
async def get_memory_pattern(
    caller: Caller, asked: wire.KnowledgePatternRequest, service: Bound
) -> wire.MemoryPatternView:
    found, fixes = await service.get_pattern(caller, asked.pattern_type, asked.pattern)
    return pattern_view(found, fixes)


@serves(router, operations.STORE_INSIGHT)
async def store_insight(
    caller: Caller, body: wire.StoreInsightRequest, service: Bound
) -> wire.LearnedInsightView:
    new = value_of(
        NewInsight,
        body,
        agents=body.applies_to.agents,
        contexts=body.applies_to.contexts,
        conditions=body.applies_to.conditions,
        evidence=tuple((each.task_id, each.description) for each in body.evidence),
    )
    stored, scope = await service.store_insight(caller, new, body.scope_kind)
    return insight_view(stored, scope=scope)


@serves(router, operations.VALIDATE_INSIGHT)
async def validate_insight(
    caller: Caller, body: wire.ValidateInsightRequest, service: Bound
) -> wire.LearnedInsightView:
    verdict = Verdict(body.insight_id, body.holds, body.task_id or "", body.description)
    found, scope = await service.validate_insight(caller, verdict, body.scope_kind)
    return insight_view(found, scope=scope)


@serves(router, operations.ADVISE)
async def advise(caller: Caller, body: wire.AdviceRequest, service: Bound) -> wire.AdviceView:
    asked = question_for(body.query, body.context, body.situation, body.session_id or "")
    given = await service.advise(caller, asked, body.tools, body.max_tokens)
    return view_of(wire.AdviceView, given)


@serves(router, operations.CHECK_TOOL_CALL)
async def check_tool_call(
    caller: Caller, body: wire.CheckCallRequest, service: Bound
) -> wire.CheckCallView:
    call = Step(body.tool, body.parameters, context=body.context)
    made = _made(body.calls)
    checked = await service.check_tool_call(caller, call, made, body.situation)
    return view_of(wire.CheckCallView, checked)


@serves(router, operations.RECOMMEND_TOOL)
async def recommend_tool(
    caller: Caller, body: wire.RecommendRequest, service: Bound
) -> wire.RecommendView:
    found = await service.recommend_tool(
        caller, body.context, body.action, body.tools, body.limit, body.seed
    )
    shown = tuple(
        view_of(wire.RecommendedTool, each, tool_name=each.tool, usage_count=each.uses)
        for each in found
    )
    return wire.RecommendView(recommendations=shown)


@serves(router, operations.PREDICT_NEXT_TOOL)
async def predict_next_tool(
    caller: Caller, body: wire.NextToolRequest, service: Bound
) -> wire.NextToolView:
    situation = Situation(_made(body.calls), words_of(body.said), words_of(body.thought))
    found, learned = await service.predict_next_tool(caller, situation, body.limit)
    tools = tuple(wire.NextTool(tool_name=name, probability=p) for name, p in found)
    return wire.NextToolView(tools=tools, learned_from=learned)


@serves(router, operations.SET_PREFERENCE)
async def set_preference(
    caller: Caller, body: wire.SetPreferenceRequest, service: Bound
) -> wire.PreferencesAnswer:
    place = Place(body.context, body.user_context, body.session_id or "", _user(body))
    told = await service.set_preference(
        caller,
        (body.kind, body.name, body.value),
        place,
        body.score,
        body.scope_kind,
    )
    return _written(told)


@serves(router, operations.CORRECT)
async def correct(
    caller: Caller, body: wire.CorrectRequest, service: Bound
) -> wire.PreferencesAnswer:
    session = body.session_id if body.session_only and body.session_id else ""
    place = Place(body.context, body.user_context, session, _user(body))
    told = await service.correct(caller, body.original, body.corrected, place, body.scope_kind)
    return _written(told)


@serves(router, operations.LEARN)
async def learn(caller: Caller, body: wire.LearnRequest, service: Bound) -> wire.LearnView:
    jobs: Sequence[LearnJob] = LEARN_JOBS if body.job == "all" else (body.job,)
    scope, reports = await service.learn(caller, jobs, body.scope_kind)
    return wire.LearnView(scope=without_tenant(scope), reports=views_of(wire.LearnReport, reports))


@serves(router, operations.KNOWLEDGE_ANALYTICS)
async def knowledge_analytics(caller: Caller, service: Bound) -> wire.KnowledgeAnalyticsView:
    found = await service.analyse_knowledge(caller)
    months = tuple(
        view_of(
            wire.KnowledgeMonth,
            each,
            pattern_reuse_rate=each.reuse_rate,
            tool_selection_accuracy=each.tool_accuracy,
        )
        for each in found.months
    )
    return view_of(
        wire.KnowledgeAnalyticsView,
        found,
        pattern_reuse_rate=found.reuse_rate,
        tool_selection_accuracy=found.tool_accuracy,
        months=months,
    )


def report_of(row: wire.ExecutionRow, service: Service) -> ExecutionReport:
    """Return the report of a request; without a time it ended now."""
    plan = row.plan or wire.PlanReport()
    return ExecutionReport(
        task_id=row.task_id,
        occurred_at=row.occurred_at or service.clock.now(),
        ok=row.status == "success",
        query=row.query,
        context=row.context,
        plan_id=plan.plan_id or "",
        goal=plan.goal,
        plan=plan.steps,
        thought=row.thought,
        steps=tuple(_step(step, row.context) for step in row.steps),
        duration_ms=row.duration_ms,
        session_id=row.session_id or "",
        used=row.used,
    )


def _step(step: wire.StepReport, context: str) -> Step:
    return value_of(
        Step,
        step,
        ok=not step.error if step.status is None else step.status == "completed",
        context=step.context or context,
        said=words_of(step.said),
        thought=words_of(step.thought),
    )


def _made(calls: Sequence[wire.MadeCall]) -> tuple[Step, ...]:
    return tuple(Step(c.tool, c.parameters, ok=c.status == "completed") for c in calls)


def _observed(found: ObservedExecution) -> wire.ExecutionView:
    return wire.ExecutionView(
        task_id=found.task_id,
        status="known" if found.patterns is None else "observed",
        patterns=found.patterns or (),
    )


def _written(told: PreferenceResult) -> wire.PreferencesAnswer:
    shown = tuple(preference_view(each.preference, each.replaces) for each in told.changes)
    return wire.PreferencesAnswer(preferences=shown, lesson=told.lesson)


def _user(body: wire.Identity) -> str:
    return body.users[0] if len(body.users) == 1 else ""
