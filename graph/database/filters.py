"""Filters as parameters of a statement; an absent filter is the widest range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph.database.keys import correct_name, integer_key
from graph.kernel.values import BEGINNING, STRATA, Stratum
from graph.model.recall.candidates import Filters

WIDEST_KEY = 2**62 + 1
_ALL_PHASES = ["", "observation", "reasoning", "planning", "action", "reflection"]
_ALL_VERDICTS = ["", "true", "false"]


def filter_parameters(
    filters: Filters, now: datetime, strata: Sequence[Stratum] = STRATA
) -> dict[str, Any]:
    """Return filters as the parameters that recalls, lists and counts share.

    ``strata`` are all of the tenant: the vector index has no "or", so no filter of strata lists them all.
    """
    ranges: dict[str, Any] = {}
    for name, value in (
        ("agent", filters.agent_id),
        ("session", filters.session_id),
        ("domain", filters.domain),
        ("model", filters.model),
    ):
        # 0 is the key of a missing name: without a filter that passes, too
        ranges[f"{name}_from"] = integer_key(value) if value else 0
        ranges[f"{name}_to"] = integer_key(value) if value else WIDEST_KEY
    return {
        **ranges,
        "unexpired_at": now,
        "valid_at": filters.valid_at or now,
        "ends_after": BEGINNING if filters.superseded else filters.valid_at or now,
        "kinds": padded(filters.kinds),
        "strata": padded(filters.strata or strata),
        "states": padded(filters.states),
        "phases": padded([filters.phase] if filters.phase else _ALL_PHASES),
        "correct": padded(
            _ALL_VERDICTS if filters.correct is None else [correct_name(filters.correct)]
        ),
        "importance_min": filters.importance_min,
        "importance_max": filters.importance_max,
        "occurred_from": filters.occurred.start,
        "occurred_to": filters.occurred.end,
        "recorded_from": filters.recorded.start,
        "recorded_to": filters.recorded.end,
        "tags_any": list(filters.tags_any),
        "tags_all": list(filters.tags_all),
    }


def is_widest(filters: Filters) -> bool:
    """Return whether nothing is filtered but states and a time of validity."""
    return replace(filters, states=(), valid_at=None, superseded=False) == replace(
        Filters(), states=()
    )


def padded(values: Sequence[str]) -> list[str]:
    """Repeat values to at least two: the server plans statements anew, in 0.4 s, for lists of none and of one."""
    return [*values, *([values[0] if values else ""] * max(0, 2 - len(values)))]
