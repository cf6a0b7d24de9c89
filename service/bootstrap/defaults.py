"""Settings as the use cases know them: weights, defaults and rewards."""

from __future__ import annotations

from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING

from graph.model import Phase, PoolLimits, Status, Walk
from graph.scoring.weights import RankingWeights
from service.use_cases.recall import RecallDefaults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.settings import Settings


def ranking_weights(settings: Settings) -> RankingWeights:
    """Return the weights of the ranking, with what of them is set."""
    return RankingWeights(
        q_neutral=settings.q_default or 0.5,
        q_prior_count=settings.q_prior_count,
        deviation_floor=settings.z_deviation_floor,
        z_limit=settings.z_limit,
        unseen_share=settings.unseen_share,
        asking_loss=settings.asking_loss,
        similar_weight=settings.traverse_similar,
        mentions_weight=settings.traverse_mentions,
    )


def recall_defaults(settings: Settings) -> RecallDefaults:
    """Return what a recall gets that leaves something open."""
    phases: dict[Phase, float] = {
        "observation": settings.utility_weight_observation,
        "reasoning": settings.utility_weight_reasoning,
        "planning": settings.utility_weight_planning,
        "action": settings.utility_weight_action,
        "reflection": settings.utility_weight_reflection,
    }
    return RecallDefaults(
        k=settings.results,
        candidates=settings.candidates,
        threshold=settings.relevance_threshold,
        hops=settings.hops,
        limits=PoolLimits(
            settings.vector_candidates, settings.lexical_candidates, settings.expanded_candidates
        ),
        utility_weight=settings.utility_weight_default,
        phase_utility_weights=MappingProxyType(phases),
        learn=settings.utility_learning,
        walk=Walk(mentioned=settings.term_frequency_max),
        task_life=timedelta(days=settings.task_days),
    )


def rewards(settings: Settings) -> Mapping[Status, float]:
    """Return the reward of each way in which a task ends."""
    by_status: dict[Status, float] = {
        "success": settings.reward_success,
        "failure": settings.reward_failure,
        "partial": settings.reward_partial,
        "timeout": settings.reward_timeout,
    }
    return MappingProxyType(by_status)
