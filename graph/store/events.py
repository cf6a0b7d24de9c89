"""Events in Neo4j: written with what they tell of, numbered when somebody looks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from graph.model import Event


def event_rows(events: Sequence[Event], life: timedelta | None) -> list[dict[str, Any]]:
    """Return events as a statement takes them (``$events LIST<MAP>``); none without a life-time."""
    if life is None:
        return []
    return [_row(event, life) for event in events]


def _row(event: Event, life: timedelta) -> dict[str, Any]:
    tenant = event.scope.partition("/")[0]
    return {
        "uid": event.uid,
        "tenant": tenant,
        "scope": event.scope,
        "agent_id": event.agent_id,
        "name": event.name,
        "at": event.at,
        "expires_at": event.at + life,
        "data": json.dumps(dict(event.data), separators=(",", ":")),
        "waiting": tenant,
    }
