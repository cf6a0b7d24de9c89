"""Events emitted by a recall."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graph.kernel.events import Event, EventName
from graph.model.recall.candidates import RecallAnswer
from graph.ports.world import Identifiers
from service.use_cases.recall.request import RecallRequest


def retrieved(
    request: RecallRequest, answer: RecallAnswer, identifiers: Identifiers, now: datetime
) -> Event:
    """Return that memories were ranked by their utility too."""
    data = {
        "results": len(answer.results),
        "candidates": answer.candidates,
        "lambda": answer.utility_weight,
        "phase": request.phase or "",
    }
    return _event("memory:utility_retrieval_completed", request, data, identifiers, now)


def tracked(
    request: RecallRequest, answer: RecallAnswer, identifiers: Identifiers, now: datetime
) -> Event:
    """Return that it was noted what a task was given."""
    data = {
        "task_id": request.task_id or "",
        "memories": len(answer.results),
        "phase": request.phase or "",
    }
    return _event("memory:tracked", request, data, identifiers, now)


def _event(
    name: EventName,
    request: RecallRequest,
    data: dict[str, Any],
    identifiers: Identifiers,
    now: datetime,
) -> Event:
    caller = request.caller
    return Event(identifiers.new_uid(now), name, caller.home, caller.agent_id or "", now, data)
