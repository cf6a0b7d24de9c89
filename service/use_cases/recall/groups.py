"""Relevance of notes and of turns of chats, each as if the others were not there, and which of them answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graph.kernel.values import Floats, Ints
from graph.model.recall.candidates import CandidatePool
from graph.scoring.contest import behind, lead
from graph.scoring.relevance import Flags
from graph.scoring.utility import best_first
from graph.scoring.weights import RankingWeights
from service.use_cases.recall.question import Question
from service.use_cases.recall.ranking import (
    NOTHING,
    Ranking,
    RankingQuery,
    groups_of,
    relevance_of,
    traversed_strength,
)
from service.use_cases.recall.reading import Reading, among

_COLUMNS = (
    *("cosine", "lexical", "importance", "access_count", "weight", "weight_day", "occurred_day"),
    *("hop", "q_value", "q_count", "q_left", "q_init", "q_variance"),
)


def relevance_by_group(
    pool: CandidatePool, query: RankingQuery, use: Floats | None = None, read: Reading | None = None
) -> tuple[Floats, dict[str, Floats]]:
    """Return the relevance of a pool, shape ``(n,)``, each in [0, 1], and its parts.

    Strengths of notes and of turns lie on two scales: beside an unrelated chat, notes came first in .56 instead of .79 of
    the questions that they answer (ADR 95).
    """
    relevance, parts = np.zeros(len(pool)), dict[str, Floats]()
    groups = groups_of(pool)
    for places in groups:
        alone = _alone(pool, places)
        told = None if read is None else read.of(places)
        valued = None if use is None else use[places]
        strength, part = traversed_strength(alone, query, valued, told)
        relevance[places] = relevance_of(alone, query.question, strength, part, query.weights, told)
        for name, values in part.items():
            parts.setdefault(name, np.zeros(len(pool)))[places] = values
    # what happened at a time is all that happened, wherever it was said
    if len(groups) > 1 and not query.question.about_time:
        relevance = _decided(pool, groups, relevance, read, query.weights)
    return relevance, parts


def _alone(pool: CandidatePool, places: Ints) -> CandidatePool:
    """Return the pool of some candidates, with the edges between them; what lends its utility is not asked for here."""
    if len(places) == len(pool):
        return pool
    edges, inside = among(pool.edges, places, len(pool))
    return replace(
        pool,
        **{name: getattr(pool, name)[places] for name in _COLUMNS},
        memories=tuple(pool.memories[place] for place in map(int, places)),
        edges=edges,
        edge_types=tuple(pool.edge_types[row] for row in map(int, inside)),
    )


def in_groups(pool: CandidatePool, doubt: Ints) -> Flags:
    """Tell which candidates are of a group of which some are in doubt."""
    found = np.zeros(len(pool), dtype=np.bool_)
    for places in groups_of(pool):
        found[places] = np.isin(doubt, places).any()
    return found


def contested(
    pool: CandidatePool, ranking: Ranking, question: Question, weights: RankingWeights
) -> Ints:
    """Return the best notes and turns of a pool if either may answer, so that reading decides, else none."""
    groups = groups_of(pool)
    if len(groups) < 2 or not question.is_read:
        return NOTHING
    best = _best(pool, groups, ranking.relevance, weights)
    least = min(float(ranking.relevance[top[0]]) for top in best)
    return np.concatenate(best) if least >= weights.contest_least else NOTHING


def _best(
    pool: CandidatePool, groups: Sequence[Ints], relevance: Floats, weights: RankingWeights
) -> list[Ints]:
    return [
        places[best_first(relevance[places], pool.cosine[places])][: weights.contest_read]
        for places in groups
    ]


def _decided(
    pool: CandidatePool,
    groups: Sequence[Ints],
    relevance: Floats,
    read: Reading | None,
    weights: RankingWeights,
) -> Floats:
    """Put the notes behind the turns or the turns behind the notes, whichever answer less likely."""
    best = _best(pool, groups, relevance, weights)
    notes, turns = (float(relevance[top[0]]) for top in best)
    if min(notes, turns) <= 0:
        return relevance
    log_odds = None if read is None else [_greatest(read.log_odds[top]) for top in best]
    of_notes = lead((notes, turns), log_odds, weights=weights.contest)
    ahead, other = (notes, turns) if of_notes > 0 else (turns, notes)
    share = behind(of_notes, ahead / other, floor=weights.contest_floor)
    lowered = relevance.copy()
    lowered[groups[int(of_notes > 0)]] *= share
    return lowered


def _greatest(log_odds: Floats) -> float:
    """Return the greatest of what was read, NaN if nothing was."""
    return float(np.fmax.reduce(log_odds))
