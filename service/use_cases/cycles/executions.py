"""Cycles as executions of tools, and known solutions of their errors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from graph.knowledge.templates import error_template
from graph.knowledge.tool_memory import solutions_of
from graph.model.cycles.cycle import CycleStory, ToolCall
from graph.model.cycles.patches import Evidence
from graph.model.knowledge.executions import ErrorCounts, ExecutionReport
from graph.model.knowledge.executions import Step as ObservedCall
from graph.store.knowledge.store import KnowledgeStore

LEAST_SIMILARITY = 0.5
"""Share of common words from which two errors of a tool are similar."""
_LESSONS = 3
_MOST_CALLS = 500
_SHOWN = 1000  # characters


@dataclass(frozen=True, slots=True)
class ToolLessons:
    """Known solutions of the errors of tools."""

    store: KnowledgeStore

    async def lessons(self, scopes: Sequence[str], tool: str, error: str) -> Sequence[Evidence]:
        """Return solutions of similar errors, the most similar first."""
        facts = await self.store.tool_facts(scopes, [tool])
        template = error_template(error)
        # an error without a solution is no lesson
        evidence = [
            _evidence_of(each, likeness(template, each.error))
            for each in facts.errors
            if solutions_of(each)
        ]
        near = [each for each in evidence if each.weight >= LEAST_SIMILARITY]
        return sorted(near, key=lambda each: (-each.weight, each.uid))[:_LESSONS]


def likeness(error: str, other: str) -> float:
    """Return the Jaccard similarity of the words of two error templates.

    >>> likeness("units * are not supported", "units * are not supported")
    1.0
    >>> likeness("lock timeout", "lock timeout after * ms")
    0.4
    """
    if error == other:
        return 1.0
    words, others = set(error.split()), set(other.split())
    return len(words & others) / max(len(words | others), 1)


def _evidence_of(error: ErrorCounts, near: float) -> Evidence:
    solution = solutions_of(error)[0]
    worked, not_worked = error.solutions[solution]
    # the last three tasks, the latest first
    tasks = ", ".join(each.task_id for each in error.evidence[:-4:-1])
    # only names of tools and parameters, as the correction may outlive the memories of its source
    text = f"What worked after this error before: {solution}."
    seen = (
        f"“{error.error}” of {error.tool}: {worked} of {worked + not_worked} times, last in {tasks}"
    )
    return Evidence(error.key, "tool_error", round(near, 4), f"{text}\n{seen}"[:_SHOWN])


def execution_of(story: CycleStory, now: datetime, *, ok: bool) -> ExecutionReport | None:
    """Return a cycle as an execution of its tool calls; None without any."""
    cycle = story.cycle
    context = cycle.domain or ""
    # the latest calls
    calls = [call for step in story.steps for call in step.calls][-_MOST_CALLS:]
    if not calls:
        return None
    return ExecutionReport(
        task_id=cycle.task_id,
        occurred_at=now,
        ok=ok,
        query=cycle.goal,
        context=context,
        steps=tuple(_observed(call, context) for call in calls),
    )


def _observed(call: ToolCall, context: str) -> ObservedCall:
    arguments: object = call.arguments
    given = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
    return ObservedCall(
        tool=call.tool,
        parameters=given,
        ok=call.status == "success",
        duration_ms=call.latency_ms,
        error="" if call.status == "success" else error_of(call)[:_SHOWN],
        context=context,
    )


def error_of(call: ToolCall) -> str:
    """Return the error of a failed call: its text, its field `error` or `message`, else the whole result.

    >>> from graph.model.cycles.cycle import ToolCall
    >>> error_of(ToolCall("pay", "failure", result={"error": "no such card", "code": 7}))
    'no such card'
    """
    result = call.result
    # services answer *{"error": "no such card"}* or *{"message": …}*
    if isinstance(result, dict):
        fields = cast("dict[str, Any]", result)
        result = next((fields[name] for name in ("error", "message") if fields.get(name)), fields)
    if result is None or isinstance(result, str):
        return result or ""
    return json.dumps(result, ensure_ascii=False, default=str)
