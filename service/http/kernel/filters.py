"""Filters as they are sent, and as the use cases take them."""

from __future__ import annotations

from dataclasses import replace

from graph.kernel.values import BEGINNING, END
from graph.model.recall.candidates import Filters, Window
from stratagraph import wire


def filters_of(asked: wire.FilterFields, agent_id: str | None) -> Filters:
    """Read what a recall, a list, a count or a removal filters by."""
    filters = Filters(
        strata=asked.strata or (),
        tags_any=asked.tags_any,
        tags_all=asked.tags_all,
        importance_min=asked.importance_min,
        importance_max=asked.importance_max,
        occurred=Window(asked.occurred_from or BEGINNING, asked.occurred_to or END),
        recorded=Window(asked.recorded_from or BEGINNING, asked.recorded_to or END),
        valid_at=asked.valid_at,
        session_id=asked.session_id,
        domain=asked.domain,
        phase=asked.phase,
        agent_id=agent_id,
        correct=asked.correct,
        model=asked.model,
        access_count_min=asked.access_count_min if isinstance(asked, wire.QueryFilters) else 0,
    )
    return replace(
        filters,
        kinds=asked.kinds or filters.kinds,
        states=asked.states or filters.states,
    )
