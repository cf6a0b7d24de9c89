"""Wiring of concepts: parameters from the settings, and background jobs."""

from __future__ import annotations

from datetime import timedelta

from graph.store.episodes.covering import CoverStore
from service.settings import Settings
from service.use_cases.episodes.conceiving import Clustering
from service.use_cases.episodes.concept_events import ConceptEvents
from service.use_cases.episodes.extract_concepts import (
    ConceptDefaults,
    ConceptMaker,
    ExtractConcepts,
)
from service.use_cases.episodes.tend_concepts import CoverDefaults, TendConcepts
from service.use_cases.operation.jobs import Job


def concept_defaults(settings: Settings) -> ConceptDefaults:
    """Return the defaults of extraction."""
    return ConceptDefaults(
        every=settings.concept_every,
        batch=settings.concept_batch,
        same=settings.concept_same,
        clustering=Clustering(
            least_affinity=settings.concept_affinity, smallest=settings.concept_problems
        ),
    )


def cover_defaults(settings: Settings) -> CoverDefaults:
    """Return how many attempts stay active beside a concept."""
    return CoverDefaults(
        archive=settings.concept_archive,
        successes=settings.concept_successes,
        failures=settings.concept_failures,
        slack=settings.concept_slack,
    )


def concept_jobs(
    settings: Settings, maker: ConceptMaker, covers: CoverStore, emitter: ConceptEvents
) -> tuple[Job, ...]:
    """Return the background jobs of concepts; none if they are disabled."""
    if not settings.concepts:
        return ()
    pause = timedelta(seconds=settings.worker_tick_seconds)
    return (
        ExtractConcepts(maker, pause=pause, emitter=emitter),
        TendConcepts(maker.store, covers, cover_defaults(settings), pause=pause, emitter=emitter),
    )
