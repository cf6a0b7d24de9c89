"""Conversion of filters from requests to use cases."""

from __future__ import annotations

from graph.kernel.values import BEGINNING, END, KINDS
from graph.model.recall.candidates import Filters, Window
from service.http.kernel.views import value_of
from stratagraph import wire


def filters_of(asked: wire.FilterFields, agent_id: str | None) -> Filters:
    """Return the filters of a recall, a list, a count or a removal."""
    return value_of(
        Filters,
        asked,
        kinds=asked.kinds or KINDS,
        strata=asked.strata or (),
        states=asked.states or ("active",),
        occurred=Window(asked.occurred_from or BEGINNING, asked.occurred_to or END),
        recorded=Window(asked.recorded_from or BEGINNING, asked.recorded_to or END),
        agent_id=agent_id,
    )
