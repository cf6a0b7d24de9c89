"""Puts a pool of attempts in order: by likeness, by the walk, or by what problems of its shape yield to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from cachetools import LRUCache, cached

from graph.cues import cues, same_but_for_numbers
from graph.scoring.reasoning import (
    cue_lift,
    cue_weights,
    diverse,
    instructive,
    likeness,
    strategy_shares,
    strategy_votes,
    told_of_strategies,
    weighted_cosines,
)
from graph.scoring.utility import best_first, normalised, pulled
from graph.scoring.weights import RetrievalWeights
from service.use_cases.worth import Valuation, Worth, explored, worth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model import AttemptPool, Floats, Ints, RetrievalMode

_MOST_ACTIONS = 8
_KEPT_TEXTS = 20_000
_LITERAL: tuple[RetrievalMode, ...] = ("episodic", "structured")


@dataclass(frozen=True, slots=True)
class AttemptCut:
    """How many attempts may be returned, and what counts; ``utility_weight`` is λ."""

    mode: RetrievalMode
    k: int
    failures: int | None
    balance: float | None
    utility_weight: float
    candidates: int
    weights: RetrievalWeights = field(default_factory=RetrievalWeights)
    valuation: Valuation = field(default_factory=Valuation)

    @property
    def is_literal(self) -> bool:
        """Whether the order of similarity is taken as it is, and nothing has a place of its own."""
        return self.mode in _LITERAL and self.failures is None and self.balance is None


@dataclass(frozen=True, slots=True)
class Board:
    """A pool as numbers: what belongs together, how alike it is, and what each attempt proves.

    ``place`` is the row of an attempt's problem (its own text where it hangs on none), ``group`` what
    is the same but for numbers, ``strategy`` the multiset of its actions.
    """

    texts: tuple[str, ...]
    hop: Ints
    near: Floats
    place: Ints
    group: Ints
    strategy: Ints
    counts: Floats
    proves: Floats
    failed: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of problems and strategies."""
        return len(self.texts), len(self.counts)


@dataclass(frozen=True, slots=True)
class AttemptRanking:
    """The order of a pool: ``chosen`` are the results, and ``beside`` the success each failure stands by."""

    board: Board
    chosen: Ints
    beside: Mapping[int, int]
    score: Floats
    relevance: Floats
    parts: Mapping[str, Floats]
    worth: Worth


def board_of(pool: AttemptPool) -> Board:
    """Write a pool as numbers."""
    places = {problem.uid: place for place, problem in enumerate(pool.problems)}
    texts = [problem.text for problem in pool.problems]
    near = _walked(pool)
    hop = [problem.hop for problem in pool.problems]
    place: list[int] = []
    for episode in pool.episodes:
        if episode.problem in places:
            place.append(places[episode.problem])
            continue
        place.append(len(texts))
        texts.append(episode.text)
        near.append(max(episode.cosine, 0.0))
        hop.append(0)
    groups = _numbered([_group_name(text) for text in texts])
    multisets = [tuple(sorted(episode.actions)) for episode in pool.episodes]
    strategy = _numbered(multisets)
    verdicts = [episode.correct for episode in pool.episodes]
    proves = {"true": 1.0, "": 0.5}
    return Board(
        texts=tuple(texts),
        hop=np.array(hop, dtype=np.int64),
        near=np.array(near, dtype=np.float64),
        place=np.array(place, dtype=np.int64),
        group=groups[place] if place else np.zeros(0, dtype=np.int64),
        strategy=strategy,
        counts=_counts(list(dict.fromkeys(multisets))),
        proves=np.array([proves.get(verdict, 0.0) for verdict in verdicts], dtype=np.float64),
        failed=np.array([verdict == "false" for verdict in verdicts], dtype=np.float64),
    )


def rank_attempts(pool: AttemptPool, query: str, cut: AttemptCut) -> AttemptRanking:
    """Order a pool: relevance by the mode, what was learned beside it, then what is to be said once."""
    board = board_of(pool)
    alike = likeness(board.counts, sharpness=cut.weights.sharpness)
    relevance, parts = _relevance(pool, board, query, alike, cut)
    known = worth(pool, cut.valuation)
    score = _with_utility(relevance, known, cut)
    if cut.is_literal:
        chosen = best_first(score, relevance)[: cut.k]
        return AttemptRanking(board, chosen, {}, score, relevance, parts, known)
    near = parts["shape" if cut.mode == "all" else "similarity"]
    chosen, beside = _chosen(board, score, alike, near, cut)
    return AttemptRanking(board, chosen, beside, score, relevance, parts, known)


@cached(LRUCache[str, "Ints"](_KEPT_TEXTS))
def _cue_numbers(text: str) -> Ints:
    """Return the cues of a text as numbers, the same in every process."""
    digests = [blake2b(cue.encode(), digest_size=8).digest() for cue in sorted(cues(text))]
    return np.frombuffer(b"".join(digests), dtype=np.int64)


_group_name = cached(LRUCache[str, str](_KEPT_TEXTS))(same_but_for_numbers)


def _walked(pool: AttemptPool) -> list[float]:
    """Return how near each problem is: by its vector, or by those of the problems that led to it."""
    near = {problem.uid: max(problem.cosine, 0.0) for problem in pool.problems}
    return [
        near[problem.uid]
        if problem.via is None
        else near.get(problem.via, 0.0) * max(problem.similarity, 0.0)
        for problem in pool.problems
    ]


def _relevance(
    pool: AttemptPool, board: Board, query: str, alike: Floats, cut: AttemptCut
) -> tuple[Floats, dict[str, Floats]]:
    """Return what speaks for each attempt as a share of the best, and what that is made of."""
    cosine = np.array([episode.cosine for episode in pool.episodes], dtype=np.float64)
    near = np.where(cosine > 0.0, cosine, board.near[board.place])
    parts = {"similarity": near, "shape": np.zeros(len(near))}
    weights = cut.weights
    if cut.mode in _LITERAL or not len(pool):
        return _share(near), parts
    if cut.mode == "dual":
        parts["concept"] = weights.concept_gain * _by_concepts(pool)
        return _share(near + parts["concept"]), parts
    shares = strategy_shares(board.place, board.strategy, board.proves, shape=board.shape)
    trust = shares[board.place, board.strategy]
    parts["trust"] = trust
    if cut.mode == "graph":
        damped = np.where(board.hop == 2, weights.hop_share, 1.0) * board.near
        return _share(damped[board.place] * np.where(board.failed > 0, 1.0, trust)), parts
    likelihood, shape = _called_for(board, query, shares, alike, weights)
    parts["shape"] = shape[board.place]
    parts["strategy"] = likelihood[board.strategy]
    parts["concept"] = weights.concept_gain * _by_concepts(pool)
    spoken = np.where(board.failed > 0, shape[board.place], trust)
    told = parts["strategy"] * np.exp(weights.shape_gain * parts["shape"] + parts["concept"])
    return _share(told * spoken), parts


def _called_for(
    board: Board, query: str, shares: Floats, alike: Floats, weights: RetrievalWeights
) -> tuple[Floats, Floats]:
    """Return how likely a query calls for each strategy, and how alike in shape each problem is."""
    given, matrix = _cue_table(query, board.texts, weights)
    lift = cue_lift(matrix, shares, board.counts, prior_count=weights.cue_prior_count)
    counted = cue_weights(matrix, shares, board.counts, lift)
    shape = weighted_cosines(given, matrix, counted)
    told = weights.cue_share * told_of_strategies(given, lift, board.counts)
    return strategy_votes(shape, shares, alike, told, power=weights.vote_power), shape


def _cue_table(
    query: str, texts: Sequence[str], weights: RetrievalWeights
) -> tuple[Floats, Floats]:
    """Say which cues that tell anything a query and each problem have; in a small pool all do."""
    found = [_cue_numbers(text) for text in texts]
    names, places, often = np.unique(np.concatenate(found), return_inverse=True, return_counts=True)
    least = weights.cue_least if len(found) >= weights.cue_least**2 else 1
    telling = often >= least
    rows = np.repeat(np.arange(len(found)), [len(has) for has in found])
    # Most cues are one problem's own, and tell nothing: the table never holds them.
    kept = telling[places]
    columns = np.cumsum(telling) - 1
    matrix = np.zeros((len(found), int(telling.sum())))
    matrix[rows[kept], columns[places[kept]]] = 1.0
    return np.isin(names[telling], _cue_numbers(query)).astype(np.float64), matrix


def _by_concepts(pool: AttemptPool) -> Floats:
    """Return how near, and how successful, the concept is that an attempt is an example of."""
    support = {
        known.uid: max(known.cosine, 0.0) * (known.successes + 1) / (known.attempts + 2)
        if known.attempts > 0
        else 0.5 * max(known.cosine, 0.0)
        for known in pool.concepts
    }
    return np.array(
        [support.get(episode.concept or "", 0.0) for episode in pool.episodes], dtype=np.float64
    )


def _with_utility(relevance: Floats, known: Worth, cut: AttemptCut) -> Floats:
    """Let what was learned move the best by relevance; the rest keeps its place behind them."""
    if cut.utility_weight == 0.0 or not len(relevance):
        return relevance
    inside = best_first(relevance)[: max(cut.candidates, cut.k)]
    rules = cut.valuation.weights
    utility = normalised(
        explored(known, inside, cut.valuation),
        method=rules.normalization,
        deviation_floor=rules.deviation_floor,
        limit=rules.z_limit,
    )
    score = relevance.copy()
    score[inside] = pulled(
        relevance[inside],
        utility,
        utility_weight=cut.utility_weight,
        deviation_floor=rules.deviation_floor,
    )
    return score


def _chosen(
    board: Board, score: Floats, alike: Floats, near: Floats, cut: AttemptCut
) -> tuple[Ints, dict[int, int]]:
    """Choose successes that differ, and keep places for failures that teach beside them."""
    weights = cut.weights
    balance = weights.balance if cut.balance is None else cut.balance
    # Of fewer than three places none is kept: a right attempt says more than what to avoid.
    places = min(weights.failures, cut.k // 3) if cut.failures is None else cut.failures
    failed = np.flatnonzero(board.failed > 0)
    right = np.flatnonzero(board.failed == 0)
    picked = right[
        diverse(
            _share(score[right]),
            board.group[right],
            board.strategy[right],
            alike,
            balance=balance,
            k=cut.k,
        )
    ]
    value, partner = instructive(
        score[picked], board.group[picked], board.strategy[picked], board.group[failed],
        board.strategy[failed], near[failed], other_share=weights.other_problem_share,
    )  # fmt: skip
    order = best_first(value, score[failed])
    teaching = order[value[order] > 0.0][:places]
    kept = picked[: cut.k - len(teaching)]
    rest = [int(i) for i in order if i not in set(teaching.tolist())]
    missing = cut.k - len(kept) - len(teaching)
    shown = np.concatenate([teaching, np.array(rest[:missing], dtype=np.int64)]).astype(np.int64)
    beside = {int(failed[i]): int(picked[partner[i]]) for i in teaching if partner[i] >= 0}
    return np.concatenate([kept, failed[shown]]).astype(np.int64), beside


def _share(values: Floats) -> Floats:
    """Return what is not negative as a share of the best."""
    best = float(values.max(initial=0.0))
    return np.maximum(values, 0.0) / best if best > 0.0 else np.zeros_like(values)


def _numbered(names: list[str] | list[tuple[str, ...]]) -> Ints:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _counts(multisets: list[tuple[str, ...]]) -> Floats:
    """Count the most frequent actions of each strategy; all others count as one more."""
    often = Counter(action for actions in multisets for action in actions)
    names = sorted(often, key=lambda name: (-often[name], name))[:_MOST_ACTIONS]
    columns = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(multisets), len(names) + 1))
    for row, actions in enumerate(multisets):
        for action in actions:
            counts[row, columns.get(action, len(names))] += 1.0
    return counts
