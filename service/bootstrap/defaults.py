"""Settings as the use cases know them: weights and defaults."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from graph.model import PoolLimits, Walk
from graph.scoring.weights import RankingWeights
from service.use_cases.recall import RecallDefaults

if TYPE_CHECKING:
    from service.settings import Settings


def ranking_weights(settings: Settings) -> RankingWeights:
    """Return the weights of the ranking, with what of them is set."""
    return RankingWeights(
        unseen_share=settings.unseen_share,
        asking_loss=settings.asking_loss,
        similar_weight=settings.traverse_similar,
        mentions_weight=settings.traverse_mentions,
    )


def recall_defaults(settings: Settings) -> RecallDefaults:
    """Return what a recall gets that leaves something open."""
    return RecallDefaults(
        k=settings.results,
        candidates=settings.candidates,
        threshold=settings.relevance_threshold,
        hops=settings.hops,
        limits=PoolLimits(
            settings.vector_candidates, settings.lexical_candidates, settings.expanded_candidates
        ),
        walk=Walk(mentioned=settings.term_frequency_max),
        task_life=timedelta(days=settings.task_days),
    )


def event_life(settings: Settings) -> timedelta | None:
    """Return for how long events are kept; None: not at all."""
    return timedelta(minutes=settings.event_minutes) if settings.events else None
