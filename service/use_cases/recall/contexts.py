"""Contexts of a request: a memory has a utility estimate for each."""

from __future__ import annotations

from graph.kernel.values import Phase
from graph.model.recall.candidates import Context
from service.use_cases.recall.request import RecallRequest

MOST_CONTEXTS = 16


def contexts_of(request: RecallRequest) -> tuple[str, ...]:
    """Return the names of a request's contexts, sixteen at most: its phase, its domain, its tags.

    Domain and tags are by default those of the filters.
    """
    filters = request.filters
    return named_contexts(
        request.phase, request.context or Context(filters.domain, filters.tags_all)
    )


def named_contexts(phase: Phase | None, about: Context) -> tuple[str, ...]:
    """Return the names of contexts, sixteen at most: a phase, a domain, tags."""
    phases = () if phase is None else (f"phase:{phase}",)
    domain = () if about.domain is None else (f"domain:{about.domain}",)
    # sorted: the same tags in any order give the same contexts, also where some are cut off
    tags = tuple(f"tag:{tag}" for tag in sorted(set(about.tags)))
    return (*phases, *domain, *tags)[:MOST_CONTEXTS]
