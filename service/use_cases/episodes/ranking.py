"""Ranking of attempts: by similarity, by graph walk, or by strategies for problems of similar shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache, cached

from graph.kernel.cues import cues, same_but_for_numbers, same_words
from graph.kernel.values import Floats, Ints
from graph.model.episodes.retrieval import AttemptPool, RetrievalMode
from graph.scoring.reasoning import (
    crowding,
    cue_lift,
    cue_weights,
    diverse,
    instructive,
    inverse_distance,
    likeness,
    shape_tells,
    strategy_shares,
    strategy_votes,
    told_of_strategies,
    weighted_cosines,
    within_reach,
)
from graph.scoring.utility import best_first, normalised, pulled
from graph.scoring.weights import RetrievalWeights
from service.use_cases.utility.worth import Valuation, Worth, explored, worth

_MAX_ACTIONS = 8
_TRIED_ONCE = 0.5
_KEPT_TEXTS = 20_000
_LITERAL: tuple[RetrievalMode, ...] = ("episodic", "structured")


@dataclass(frozen=True, slots=True)
class AttemptCut:
    """Limits and weights of a retrieval; ``utility_weight`` is λ."""

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
        """Return whether the order is by similarity only."""
        return self.mode in _LITERAL and self.balance is None

    @property
    def wanted_failures(self) -> int:
        """Least number of failures among the results, if there are enough."""
        if self.failures is not None:
            return self.failures
        kept = min(self.weights.failures, self.k // self.weights.places_per_failure)
        return 0 if self.is_literal else kept


@dataclass(frozen=True, slots=True)
class Board:
    """A pool as arrays: groups, similarities, and the outcome of each attempt.

    ``groups`` are problems that only differ in numbers. For each attempt, ``place`` is the row of its problem (of its own
    text without one), ``group`` that problem's group, ``strategy`` the multiset of its actions, and ``is_told`` whether it
    has any.
    """

    texts: tuple[str, ...]
    groups: Ints
    hop: Ints
    near: Floats
    place: Ints
    group: Ints
    strategy: Ints
    is_told: npt.NDArray[np.bool_]
    counts: Floats
    proves: Floats
    failed: npt.NDArray[np.bool_]

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of problems and strategies."""
        return len(self.texts), len(self.counts)


@dataclass(frozen=True, slots=True)
class AttemptRanking:
    """The order of a pool: ``chosen`` are the results, ``beside`` maps failures to the successes they are compared with."""

    board: Board
    chosen: Ints
    beside: Mapping[int, int]
    score: Floats
    relevance: Floats
    parts: Mapping[str, Floats]
    worth: Worth


def board_of(pool: AttemptPool) -> Board:
    """Return a pool as arrays."""
    places = {problem.uid: place for place, problem in enumerate(pool.problems)}
    texts = [problem.text for problem in pool.problems]
    near = _walk_similarities(pool)
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
    # an unjudged attempt counts half
    proves = {"true": 1.0, "": 0.5}
    return Board(
        texts=tuple(texts),
        groups=groups,
        hop=np.array(hop, dtype=np.int64),
        near=np.array(near, dtype=np.float64),
        place=np.array(place, dtype=np.int64),
        group=groups[place] if place else np.zeros(0, dtype=np.int64),
        strategy=strategy,
        # attempts without steps repeat no strategy
        is_told=np.array([len(actions) > 0 for actions in multisets], dtype=np.bool_),
        counts=_counts(list(dict.fromkeys(multisets))),
        proves=np.array([proves.get(verdict, 0.0) for verdict in verdicts], dtype=np.float64),
        failed=np.array([verdict == "false" for verdict in verdicts], dtype=np.bool_),
    )


def rank_attempts(pool: AttemptPool, query: str, cut: AttemptCut) -> AttemptRanking:
    """Rank a pool: relevance by mode, then utility, then diversity and failures."""
    board = board_of(pool)
    alike = likeness(board.counts, sharpness=cut.weights.sharpness)
    relevance, parts = _relevance(pool, board, query, alike, cut)
    known = worth(pool, cut.valuation)
    score = _with_utility(relevance, known, cut)
    if cut.is_literal:
        picked = best_first(score, relevance)[: cut.k]
    else:
        picked = diverse(
            _share(score),  # never negative, as maximal marginal relevance needs it
            board.group,
            np.where(board.is_told, board.strategy, -1),
            alike,
            balance=_balance(parts, cut),
            repeat_share=cut.weights.repeat_share,
            k=cut.k,
        )
    chosen, beside = _include_failures(board, score, picked, parts, cut)
    return AttemptRanking(board, chosen, beside, score, relevance, parts, known)


def _balance(parts: Mapping[str, Floats], cut: AttemptCut) -> float:
    """Return λ of maximal marginal relevance: without evidence of shape, diversity is of no use."""
    if cut.balance is not None:
        return cut.balance
    tells = 1.0
    if "shape_tells" in parts:
        tells = float(parts["shape_tells"].max(initial=0.0))
    # 1 − 0.15·g (ADR 43): without evidence of shape only similarity counts
    return 1.0 - (1.0 - cut.weights.balance) * tells


@cached(LRUCache[str, "Ints"](_KEPT_TEXTS))
def _cue_numbers(text: str) -> Ints:
    """Return stable hashes of the cues of a text."""
    # Python's hash differs between processes
    digests = [blake2b(cue.encode(), digest_size=8).digest() for cue in sorted(cues(text))]
    return np.frombuffer(b"".join(digests), dtype=np.int64)


_group_name = cached(LRUCache[str, str](_KEPT_TEXTS))(same_but_for_numbers)


def _walk_similarities(pool: AttemptPool) -> list[float]:
    """Return the similarity of each problem: its own, or the product along the walk to it."""
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
    """Return the relevance of each attempt as a share of the best, and its components."""
    cosine = np.array([episode.cosine for episode in pool.episodes], dtype=np.float64)
    # an attempt without a vector has the similarity of its problem
    near = np.where(cosine > 0.0, cosine, board.near[board.place])
    parts = {"similarity": near, "shape": np.zeros(len(near))}
    weights = cut.weights
    if cut.mode in _LITERAL or not len(pool):
        return _share(near), parts
    # 0.6 for a wrong one: an equally similar right one comes first (ADR 43)
    worth_of = weights.failed_share ** (1.0 - board.proves)
    if cut.mode == "dual":
        parts["concept"] = weights.concept_gain * _by_concepts(pool)
        return _share((near + parts["concept"]) * worth_of), parts
    shares = strategy_shares(board.place, board.strategy, board.proves, shape=board.shape)
    # a failure counts as half a trial of its strategy
    trust = np.where(board.failed, _TRIED_ONCE, shares[board.place, board.strategy])
    parts["trust"] = trust
    if cut.mode == "graph":
        damped = np.where(board.hop == 2, weights.hop_share, 1.0) * board.near
        return _share(damped[board.place] * trust * worth_of), parts
    asked = same_words(query)
    is_asked = np.array([same_words(episode.text) == asked for episode in pool.episodes])
    likelihood, shape, tells = _strategy_likelihoods(board, query, shares, alike, weights)
    # without the same text, whose distance 0 would make all others look distant
    nearest = float(near[~is_asked].max(initial=0.0))
    others = np.where(is_asked, nearest, near)
    # shape decides among similarly distant problems; a single close one is the same problem
    tells *= crowding(
        others,
        board.group,
        neighbour=weights.neighbour,
        bounds=weights.crowd,
        least=weights.least_distance,
    )
    parts["shape"] = shape[board.place]
    parts["strategy"] = likelihood[board.strategy]
    parts["concept"] = weights.concept_gain * _by_concepts(pool)
    parts["shape_tells"] = np.full(len(near), tells)
    distance = _distance_weights(others, tells, weights)
    vote = parts["strategy"] * np.exp(weights.shape_gain * parts["shape"] + parts["concept"])
    told = distance * (vote * trust) ** (weights.vote_share * tells) * worth_of
    # the same text is the same problem, whatever the shape says
    return _share(told + is_asked * told.max(initial=0.0)), parts


def _distance_weights(near: Floats, tells: float, weights: RetrievalWeights) -> Floats:
    """Return the weight of each attempt by distance, the flatter the more shape counts."""
    left = inverse_distance(
        near, power=1.0 - weights.distance_loss * tells, least=weights.least_distance
    )
    reached = within_reach(
        near, ratio=weights.reach, power=weights.reach_power * tells, least=weights.least_distance
    )
    return left * reached


def _strategy_likelihoods(
    board: Board, query: str, shares: Floats, alike: Floats, weights: RetrievalWeights
) -> tuple[Floats, Floats, float]:
    """Return the likelihood of each strategy, the similarity of each problem in shape, and the weight of shape."""
    given, matrix = _cue_table(query, board.texts, weights)
    lift = cue_lift(matrix, shares, board.counts, prior_count=weights.cue_prior_count)
    counted = cue_weights(matrix, shares, board.counts, lift)
    shape = weighted_cosines(given, matrix, counted)
    told = weights.cue_share * told_of_strategies(given, lift, board.counts)
    has_steps = np.zeros(len(board.counts))
    has_steps[board.strategy[board.is_told]] = 1.0
    tells = shape_tells(
        matrix, shares * has_steps, board.groups,
        recurrence=weights.recurrence, lift=weights.shape_lift,
    )  # fmt: skip
    likelihood = strategy_votes(shape, shares, alike, told, power=weights.vote_power)
    return likelihood, shape, tells


def _cue_table(
    query: str, texts: Sequence[str], weights: RetrievalWeights
) -> tuple[Floats, Floats]:
    """Return the informative cues of a query and of each problem, as rows of 0 and 1."""
    found = [_cue_numbers(text) for text in texts]
    names, places, often = np.unique(np.concatenate(found), return_inverse=True, return_counts=True)
    # in a small pool all cues count, as few are shared
    least = weights.cue_least if len(found) >= weights.cue_least**2 else 1
    telling = often >= least
    rows = np.repeat(np.arange(len(found)), [len(has) for has in found])
    # rare cues, which are most of them, never enter the table
    kept = telling[places]
    columns = np.cumsum(telling) - 1
    matrix = np.zeros((len(found), int(telling.sum())))
    matrix[rows[kept], columns[places[kept]]] = 1.0
    return np.isin(names[telling], _cue_numbers(query)).astype(np.float64), matrix


def _by_concepts(pool: AttemptPool) -> Floats:
    """Return the similarity times the success rate of each attempt's concept."""
    # Laplace's rule: a concept tried once is not 100 % right
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
    """Return scores in which utility reorders the most relevant attempts; the others stay behind them."""
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


def _include_failures(
    board: Board, score: Floats, picked: Ints, parts: Mapping[str, Floats], cut: AttemptCut
) -> tuple[Ints, dict[int, int]]:
    """Replace the last results by instructive failures if there are too few; return them with their successes."""
    near = parts["shape" if cut.mode == "all" else "similarity"]
    failed = np.flatnonzero(board.failed)
    value = _instructiveness(board, score, picked, failed, near, cut.weights)[0]
    wanted = cut.wanted_failures
    missing = max(wanted - int(board.failed[picked].sum()), 0)
    rest = ~np.isin(failed, picked)
    # a requested number is always filled, otherwise only by instructive failures
    if cut.failures is None:
        rest &= value > 0.0
    # by similarity, not by shape: shape ranked a timeout before a stuck stout (ADR 82)
    nearness = inverse_distance(
        parts["similarity"][failed], power=1.0, least=cut.weights.least_distance
    )
    order = best_first(nearness * (1.0 + value), score[failed])
    added = failed[order[rest[order]]][:missing]
    right = picked[~board.failed[picked]]
    # they replace the last right ones
    dropped = right[len(right) - max(len(picked) + len(added) - cut.k, 0) :]
    chosen = np.concatenate([picked[~np.isin(picked, dropped)], added]).astype(np.int64)
    shown = chosen[board.failed[chosen]]
    _, partner = _instructiveness(board, score, chosen, shown, near, cut.weights)
    kept = chosen[~board.failed[chosen]]
    return chosen, {int(i): int(kept[j]) for i, j in zip(shown, partner, strict=True) if j >= 0}


def _instructiveness(
    board: Board,
    score: Floats,
    picked: Ints,
    failed: Ints,
    near: Floats,
    weights: RetrievalWeights,
) -> tuple[Floats, Ints]:
    """Return how instructive failures are next to the picked successes, and the index of the best success."""
    right = picked[~board.failed[picked]]
    return instructive(
        score[right], board.group[right], board.strategy[right], board.group[failed],
        board.strategy[failed], near[failed], other_share=weights.other_problem_share,
    )  # fmt: skip


def _share(values: Floats) -> Floats:
    """Scale values to shares of the best, at least 0."""
    best = float(values.max(initial=0.0))
    return np.maximum(values, 0.0) / best if best > 0.0 else np.zeros_like(values)


def _numbered(names: list[str] | list[tuple[str, ...]]) -> Ints:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _counts(multisets: list[tuple[str, ...]]) -> Floats:
    """Count the most frequent actions of each strategy, all others in one column."""
    often = Counter(action for actions in multisets for action in actions)
    # at most eight, to keep the table small
    names = sorted(often, key=lambda name: (-often[name], name))[:_MAX_ACTIONS]
    columns = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(multisets), len(names) + 1))
    for row, actions in enumerate(multisets):
        for action in actions:
            counts[row, columns.get(action, len(names))] += 1.0
    return counts
