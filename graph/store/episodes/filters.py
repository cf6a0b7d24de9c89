"""Filters of episodes as statement parameters; an absent filter is the widest range.

A statement filters by them inside the index ``episode_embedding_a``; tags and actions, which are
lists, by ``episode_query`` inside the full-text index, and once more by ``tags_any`` and so on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from graph.database.filters import WIDEST_KEY, padded
from graph.database.keys import correct_name, integer_key
from graph.model.episodes.attempts import UNKNOWN

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.episodes.attempts import Bound, EpisodeFilters

_MOST = 2**53


def episode_parameters(filters: EpisodeFilters, now: datetime) -> dict[str, Any]:
    """Write filters as the parameters that every statement on episodes has in common."""
    return {
        "verdicts": padded([correct_name(verdict) for verdict in filters.verdicts]),
        **_keys(filters),
        "occurred_from": filters.occurred.start,
        "occurred_to": filters.occurred.end,
        "valid_at": now,
        "unexpired_at": now,
        **_whole("tokens", filters.tokens_used),
        **_real("latency", filters.latency_ms),
        **_real("confidence", filters.confidence),
        **_real("temperature", filters.temperature),
        **_whole("steps", filters.step_count),
        "tags_any": list(filters.tags_any),
        "tags_all": list(filters.tags_all),
        "actions_any": list(filters.actions_any),
        "actions_all": list(filters.actions_all),
    }


def _keys(filters: EpisodeFilters) -> dict[str, int]:
    ranges: dict[str, int] = {}
    for name, value in (
        ("domain", filters.domain),
        ("model", filters.model),
        ("agent", filters.agent_id),
        ("session", filters.session_id),
        ("problem", filters.problem_id),
    ):
        ranges[f"{name}_from"] = integer_key(value) if value else 0
        ranges[f"{name}_to"] = integer_key(value) if value else WIDEST_KEY
    return ranges


def _real(name: str, bound: Bound) -> dict[str, float]:
    low, high = _ends(bound)
    return {f"{name}_from": float(low), f"{name}_to": float(high)}


def _whole(name: str, bound: Bound) -> dict[str, int]:
    low, high = _ends(bound)
    return {f"{name}_from": math.ceil(low), f"{name}_to": math.floor(high)}


def _ends(bound: Bound) -> tuple[float, float]:
    if bound.is_open:
        return UNKNOWN, _MOST
    return max(0, bound.least or 0), _MOST if bound.most is None else min(bound.most, _MOST)
