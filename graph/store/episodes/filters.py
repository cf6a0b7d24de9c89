"""Filters of episodes as statement parameters; an absent filter is the widest range.

The vector index accepts one range of a property and no ``NOT``: several names, or all but some, become several disjoint
``spans``, each with a search. A statement applies them in the index ``episode_embedding_a``; tags and actions, which
are lists, by ``episode_query`` in the full-text index, and again by ``tags_any`` and others.
"""

from __future__ import annotations

import math
from datetime import datetime
from itertools import pairwise, product
from typing import Any

from graph.database.filters import WIDEST_KEY, padded
from graph.database.keys import correct_name, integer_key
from graph.model.episodes.attempts import LISTS, UNKNOWN, Bound, EpisodeFilters, Names

# greatest integer that a float represents exactly
_MOST = 2**53


def episode_parameters(filters: EpisodeFilters, now: datetime) -> dict[str, Any]:
    """Return filters as parameters that all statements on episodes share, without those of names."""
    return {
        "verdicts": padded([correct_name(verdict) for verdict in filters.verdicts]),
        "occurred_from": filters.occurred.start,
        "occurred_to": filters.occurred.end,
        "valid_at": now,
        "unexpired_at": now,
        **_whole("tokens", filters.tokens_used),
        **_real("latency", filters.latency_ms),
        **_real("confidence", filters.confidence),
        **_real("temperature", filters.temperature),
        **_whole("steps", filters.step_count),
        **{name: list(getattr(filters, name)) for name in LISTS},
    }


def one_name(filters: EpisodeFilters) -> dict[str, int]:
    """Return names as one key range per property: of one name, or of all."""
    ranges: dict[str, int] = {}
    for name, names in _named(filters):
        ranges[f"{name}_from"] = integer_key(names.one) if names.one else 0
        ranges[f"{name}_to"] = integer_key(names.one) if names.one else WIDEST_KEY
    return ranges


def name_spans(filters: EpisodeFilters) -> list[dict[str, int]]:
    """Return the key ranges of the names; they are disjoint."""
    fields = [[(name, *span) for span in _spans(names)] for name, names in _named(filters)]
    return [
        {
            f"{name}_{end}": key
            for name, low, high in spans
            for end, key in (("from", low), ("to", high))
        }
        for spans in product(*fields)
    ]


def _named(filters: EpisodeFilters) -> tuple[tuple[str, Names], ...]:
    return (
        ("domain", filters.domain),
        ("model", filters.model),
        ("agent", filters.agent_id),
        ("session", filters.session_id),
        ("problem", filters.problem_id),
    )


def _spans(names: Names) -> list[tuple[int, int]]:
    if names.any:
        # exclusion wins
        wanted = sorted({integer_key(name) for name in names.any if name not in names.none})
        return [(key, key) for key in wanted]
    # all but some: the ranges between their keys
    edges = [-1, *sorted({integer_key(name) for name in names.none}), WIDEST_KEY + 1]
    # empty between neighbours
    return [(low + 1, high - 1) for low, high in pairwise(edges) if high - low > 1]


def _real(name: str, bound: Bound) -> dict[str, float]:
    low, high = _ends(bound)
    return {f"{name}_from": float(low), f"{name}_to": float(high)}


def _whole(name: str, bound: Bound) -> dict[str, int]:
    low, high = _ends(bound)
    # integers only: *more than 2.5 steps* is 3 and more
    return {f"{name}_from": math.ceil(low), f"{name}_to": math.floor(high)}


def _ends(bound: Bound) -> tuple[float, float]:
    if bound.is_open:
        # an open range includes missing values
        return UNKNOWN, _MOST
    return max(0, bound.least or 0), _MOST if bound.most is None else min(bound.most, _MOST)
