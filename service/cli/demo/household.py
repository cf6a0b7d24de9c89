"""The household of *Human-Centric Cognitive Engines*: two memories under two engines, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graph.scoring.human_centric import (
    WeightedSum,
    linear_recency,
    saliency,
    tag_match,
    weighted_sum,
)

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

FORECAST = "Extreme rainfall expected. High risk of river flood."
TAGS = ("Flood", "Danger", "Rain")


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory of the household; its age is in years."""

    text: str
    importance: float
    age: float
    tags: tuple[str, ...]


MEMORIES = (
    Memory("Year 1: a massive flood breached the levee", 1.0, 10.0, ("Flood",)),
    Memory("Year 10: the sun was out, I worked in the garden", 0.1, 1.0, ("Routine",)),
)


@dataclass(frozen=True, slots=True)
class Trace:
    """Components of both engines' scores, columns of shape ``(2,)``."""

    saliency: Floats
    recency: Floats
    importance: Floats
    context: Floats
    score: Floats


def trace() -> Trace:
    """Score both memories like the engines `saliency` and `weighted`."""
    known = sorted({*TAGS, *(tag for memory in MEMORIES for tag in memory.tags)})
    held = np.array([[tag in memory.tags for tag in known] for memory in MEMORIES])
    ages = np.array([memory.age for memory in MEMORIES])
    left = saliency(np.array([memory.importance for memory in MEMORIES]), ages)
    recency = linear_recency(ages)
    context = tag_match(held, np.array([tag in TAGS for tag in known]))
    weights = WeightedSum()
    return Trace(
        saliency=left,
        recency=weights.recency * recency,
        importance=weights.importance * left,
        context=weights.context * context,
        score=weighted_sum(recency, left, context, weights=weights),
    )
