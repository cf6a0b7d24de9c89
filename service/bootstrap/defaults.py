"""Conversion of settings to the defaults of use cases."""

from __future__ import annotations

from datetime import timedelta

from graph.model.episodes.episode import Budget
from graph.model.episodes.retrieval import WalkLimits
from graph.model.recall.candidates import PoolLimits
from graph.scoring.weights import RankingWeights, RetrievalWeights
from service.settings import Settings
from service.use_cases.episodes.gc import CollectionRules
from service.use_cases.episodes.query import QueryLimits
from service.use_cases.episodes.retrieve import RetrieveDefaults
from service.use_cases.memories.link import LinkDefaults
from service.use_cases.recall.recall import RecallDefaults

_USUAL_ROWS = 20


def ranking_weights(settings: Settings) -> RankingWeights:
    """Return the weights of the ranking from the settings."""
    return RankingWeights(
        unseen_share=settings.unseen_share,
        asking_loss=settings.asking_loss,
    )


def recall_defaults(settings: Settings) -> RecallDefaults:
    """Return the defaults of recalls."""
    return RecallDefaults(
        k=settings.results,
        candidates=settings.candidates,
        hops=settings.hops,
        limits=PoolLimits(
            settings.vector_candidates, settings.lexical_candidates, settings.expanded_candidates
        ),
        task_life=timedelta(days=settings.task_days),
    )


def retrieve_defaults(settings: Settings) -> RetrieveDefaults:
    """Return the defaults of retrievals of episodes."""
    return RetrieveDefaults(
        candidates=settings.candidates,
        task_life=timedelta(days=settings.task_days),
        limits=WalkLimits(
            problems=settings.retrieval_problems,
            worded=settings.retrieval_problems,
            expanded=settings.retrieval_expanded,
        ),
        weights=RetrievalWeights(failures=settings.retrieval_failures),
    )


def link_defaults(settings: Settings) -> LinkDefaults:
    """Return the parameters of linking in the background."""
    return LinkDefaults(
        batch=settings.link_batch,
        most_similar=settings.similar_memories,
        least_similarity=settings.similarity_threshold,
        phrases=settings.terms_per_memory,
    )


def query_limits(settings: Settings) -> QueryLimits:
    """Return the limits of queries over episodes."""
    return QueryLimits(
        rows=settings.query_rows,
        default_rows=min(_USUAL_ROWS, settings.query_rows),
        groups=settings.query_rows,
        nearest=settings.query_nearest,
        least_similarity=settings.query_similarity,
        like_problems=settings.divergence_similarity,
    )


def collection_rules(settings: Settings) -> CollectionRules:
    """Return the rules of garbage collection of episodes."""
    return CollectionRules(
        least_age=timedelta(days=settings.gc_age_days),
        unused=timedelta(days=settings.gc_unused_days),
        grace=timedelta(days=settings.gc_grace_days),
        pause=timedelta(hours=settings.gc_hours),
        confidence=settings.gc_confidence,
        q_low=settings.gc_q,
    )


def event_life(settings: Settings) -> timedelta | None:
    """Return how long events are stored; None: not at all."""
    return timedelta(minutes=settings.event_minutes) if settings.events else None


def episode_budget(settings: Settings) -> Budget:
    """Return the budget of episodes per scope."""
    return Budget(
        # 0 in the environment is unlimited
        settings.episodes_max or None,
        settings.episodes_max_mb * 2**20 or None,
        settings.episodes_at_cap,
    )
