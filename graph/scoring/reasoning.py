"""Strategies that a problem calls for, by problems of its shape, and the attempts that show them best.

A pool holds ``p`` problems, ``v`` cues (what the shape of a text is told by), ``s`` strategies (a
multiset of actions each, over ``a`` names of actions) and ``n`` attempts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats, Ints

_MOST_OF_AN_ACTION = 4  # what is done more often than that counts as that often
_RARE = 1e-6
_FEWEST_SOLVED = 3
_FEWEST_NEIGHBOURS = 2
_UNSEEN = 0.1  # problems' worth of each count that no problem has shown


def strategy_shares(
    problem: Ints, strategy: Ints, weight: Floats, *, shape: tuple[int, int]
) -> Floats:
    """Share of each strategy in the right attempts at each problem.

    Computes ``w(p, s)/(Σ w(p, ·) + 1)``: one attempt alone is worth one half.

    Parameters
    ----------
    problem
        Index of the problem of each attempt, shape ``(n,)``.
    strategy
        Index of its strategy, shape ``(n,)``.
    weight
        What it proves, shape ``(n,)``, each in [0, 1]: 1 where it was right, 0 where it was wrong.
    shape
        ``(p, s)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(p, s)``, each in [0, 1); the rows add up to less than 1.

    Raises
    ------
    ValueError
        If the columns differ in length or a weight lies outside [0, 1].

    References
    ----------
    Laplace, "Essai philosophique sur les probabilités", 1814 (rule of succession).

    Examples
    --------
    >>> one = np.array([0, 0]), np.array([0, 1]), np.array([1.0, 1.0])
    >>> strategy_shares(*one, shape=(1, 2)).round(3)
    array([[0.333, 0.333]])
    """
    if len({len(problem), len(strategy), len(weight)}) > 1:
        raise ValueError(
            f"columns differ in length: {len(problem)}, {len(strategy)}, {len(weight)}"
        )
    if len(weight) and not 0.0 <= weight.min() <= weight.max() <= 1.0:
        raise ValueError(f"weights must lie in [0, 1], not {weight.min()} to {weight.max()}")
    sums = np.zeros(shape)
    np.add.at(sums, (problem, strategy), weight)
    # + 1: of one attempt alone nobody knows whether it was luck
    return sums / (sums.sum(axis=1, keepdims=True) + 1.0)


def likeness(counts: Floats, *, sharpness: float) -> Floats:
    """Similarity of strategies: the fewer actions differ, the higher.

    Computes ``exp(−β·Σ|c(s) − c(t)|)``.

    Parameters
    ----------
    counts
        How often each strategy takes each action, shape ``(s, a)``, ``>= 0``.
    sharpness
        ``β``, ``>= 0``: how much one action more or less takes away.

    Returns
    -------
    numpy.ndarray
        Shape ``(s, s)``, symmetric, each in (0, 1]; 1 on the diagonal.

    Raises
    ------
    ValueError
        If the sharpness is negative.

    References
    ----------
    Shepard, "Toward a Universal Law of Generalization for Psychological Science", Science 237, 1987.

    Examples
    --------
    >>> likeness(np.array([[1.0, 0.0], [1.0, 1.0]]), sharpness=1.0).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """
    if sharpness < 0:
        raise ValueError(f"sharpness must not be negative, not {sharpness}")
    # in actions, not in sets: once more or once less is a difference too
    distance = np.abs(counts[:, None, :] - counts[None, :, :]).sum(axis=2)
    return np.exp(-sharpness * distance)


def cue_lift(cues: Floats, shares: Floats, counts: Floats, *, prior_count: float) -> Floats:
    """Lift of each action by each cue: logarithms.

    Computes ``ln P(c | cue) − ln P(c)`` for each action and count ``c`` (0 to 4), with
    ``P(c | cue)`` shrunk towards ``P(c)``.

    Parameters
    ----------
    cues
        Which problem has which cue, shape ``(p, v)``, 0 or 1.
    shares
        How far each problem yields to each strategy, shape ``(p, s)``, ``>= 0``.
    counts
        How often each strategy takes each action, shape ``(s, a)``, ``>= 0``.
    prior_count
        Problems' worth of trust in ``P(c)``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(v, a, 5)``; 0 where a cue tells nothing.

    Raises
    ------
    ValueError
        If ``prior_count`` is not positive.

    References
    ----------
    Church and Hanks, "Word Association Norms, Mutual Information, and Lexicography", 1990.

    Examples
    --------
    >>> two = np.array([[1.0], [0.0]]), np.eye(2) / 2.0, np.array([[1.0], [0.0]])
    >>> cue_lift(*two, prior_count=1.0)[0, 0, :2].round(3)
    array([-0.405,  0.405])
    """
    if prior_count <= 0:
        raise ValueError(f"prior_count must be positive, not {prior_count}")
    profile = shares @ _one_hot(counts)  # (p, a·5)
    width = _MOST_OF_AN_ACTION + 1
    everywhere = _everywhere(profile, counts.shape[1])
    seen = (cues.T @ profile).reshape(cues.shape[1], counts.shape[1], width)
    # shrunk: a cue seen once tells little
    given = seen + prior_count * everywhere
    given /= given.sum(axis=2, keepdims=True)
    return np.log(given / everywhere)


def cue_weights(cues: Floats, shares: Floats, counts: Floats, lift: Floats) -> Floats:
    """Weights of cues when problems are compared: rare ones, and ones that predict actions.

    Computes ``sqrt(idf·I/max I)``, where ``I`` is the information of a cue on the counts of actions
    (a log-likelihood ratio) and ``idf = ln(1 + p/(1 + df))``.

    Parameters
    ----------
    cues
        Which problem has which cue, shape ``(p, v)``, 0 or 1.
    shares
        How far each problem yields to each strategy, shape ``(p, s)``, ``>= 0``.
    counts
        How often each strategy takes each action, shape ``(s, a)``, ``>= 0``.
    lift
        What each cue tells, shape ``(v, a, 5)``, as ``cue_lift`` returns it.

    Returns
    -------
    numpy.ndarray
        Shape ``(v,)``, ``>= 0``; where nothing tells of actions, ``sqrt(idf)``.

    Raises
    ------
    ValueError
        If ``lift`` knows another number of cues than ``cues``.

    References
    ----------
    Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", 1993; Spärck Jones, "A
    Statistical Interpretation of Term Specificity", 1972.

    Examples
    --------
    >>> cues, shares = np.array([[1.0, 1.0], [0.0, 1.0]]), np.eye(2) / 2.0
    >>> many = np.tile(cues, (50, 1)), np.tile(shares, (50, 1)), np.array([[1.0], [0.0]])
    >>> cue_weights(*many, cue_lift(*many, prior_count=1.0)).round(1)
    array([1. , 0.1])
    """
    if len(lift) != cues.shape[1]:
        raise ValueError(f"{len(lift)} cues, but {cues.shape[1]} columns of them")
    share = _everywhere(shares @ _one_hot(counts), counts.shape[1])
    mass = shares.sum(axis=1) @ cues
    told = mass * (share * np.exp(lift) * lift).sum(axis=(1, 2))
    rarity = _rarity(cues)
    most = float(told.max(initial=0.0))
    # nothing tells of actions: rarity alone is left
    return np.sqrt(rarity * np.maximum(told, 0.0) / most) if most > _RARE else np.sqrt(rarity)


def weighted_cosines(query: Floats, cues: Floats, weights: Floats) -> Floats:
    """Similarity in shape of problems to a query.

    Computes ``Σ w²·x·y/(|w·x|·|w·y|)``.

    Parameters
    ----------
    query
        Which cues the query has, shape ``(v,)``, 0 or 1.
    cues
        Which problem has which cue, shape ``(p, v)``, 0 or 1.
    weights
        What each cue counts, shape ``(v,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(p,)``, each in [0, 1]; 0 where two share no cue.

    Raises
    ------
    ValueError
        If a weight is negative.

    References
    ----------
    Salton and Buckley, "Term-Weighting Approaches in Automatic Text Retrieval", 1988.

    Examples
    --------
    >>> weighted_cosines(np.array([1.0, 0.0]), np.array([[1.0, 1.0]]), np.ones(2)).round(3)
    array([0.707])
    """
    if weights.min(initial=0.0) < 0:
        raise ValueError(f"weights must not be negative, not {weights.min()}")
    squares = weights * weights
    norms = np.sqrt(cues @ squares) * np.sqrt(float(query @ squares))
    # a query without a cue has norm 0
    return (cues @ (squares * query)) / np.maximum(norms, _RARE)


def strategy_votes(
    similarity: Floats, shares: Floats, alike: Floats, told: Floats, *, power: float
) -> Floats:
    """Probability of each strategy for a query, by the vote of similar problems.

    Computes ``softmax(ln(v·K + ε) + told)`` with ``v(s) ∝ Σ similarity(p)^power·share(p, s)``.

    Parameters
    ----------
    similarity
        Of each problem to the query, shape ``(p,)``; negatives count as 0.
    shares
        How far each problem yields to each strategy, shape ``(p, s)``, ``>= 0``.
    alike
        How alike strategies are ``K``, shape ``(s, s)``.
    told
        What the query's cues tell of each strategy, as logarithms, shape ``(s,)``.
    power
        How much more the most similar count, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(s,)``; they add up to 1, but for no strategy.

    Raises
    ------
    ValueError
        If the power is negative.

    References
    ----------
    Dudani, "The Distance-Weighted k-Nearest-Neighbor Rule", 1976.

    Examples
    --------
    >>> shares = np.array([[0.5, 0.0], [0.0, 0.5]])
    >>> strategy_votes(np.array([0.9, 0.3]), shares, np.eye(2), np.zeros(2), power=1.0).round(3)
    array([0.75, 0.25])
    """
    if power < 0:
        raise ValueError(f"power must not be negative, not {power}")
    if not len(told):
        return np.zeros(0)
    votes = (np.maximum(similarity, 0.0) ** power) @ shares
    total = float(votes.sum())
    # no problem like it: every strategy is as likely
    votes = votes / total if total > _RARE else np.full(len(told), 1.0 / len(told))
    logits = np.log(votes @ alike + _RARE) + told
    # the greatest first: exp of large logarithms is infinite
    raised = np.exp(logits - logits.max())
    return raised / raised.sum()


def told_of_strategies(query: Floats, lift: Floats, counts: Floats) -> Floats:
    """Evidence of a query's cues for each strategy, as if the cues were independent.

    Computes ``Σ lift(cue, action, count)`` over the query's cues and a strategy's actions.

    Parameters
    ----------
    query
        Which cues the query has, shape ``(v,)``, 0 or 1.
    lift
        What each tells, shape ``(v, a, 5)``, as ``cue_lift`` returns it.
    counts
        How often each strategy takes each action, shape ``(s, a)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(s,)``.

    Raises
    ------
    ValueError
        If ``lift`` knows another number of actions than ``counts``.

    References
    ----------
    Maron, "Automatic Indexing: An Experimental Inquiry", 1961 (naive Bayes).

    Examples
    --------
    >>> lift = np.array([[[-0.4, 0.3, 0.0, 0.0, 0.0]]])
    >>> told_of_strategies(np.array([1.0]), lift, np.array([[1.0], [0.0]]))
    array([ 0.3, -0.4])
    """
    if lift.shape[1] != counts.shape[1]:
        raise ValueError(f"{lift.shape[1]} actions, but {counts.shape[1]} columns of counts")
    together = np.tensordot(query, lift, axes=1)  # (a, 5)
    return np.take_along_axis(together, _capped(counts).T, axis=1).sum(axis=0)


def shape_tells(
    cues: Floats, shares: Floats, group: Ints, *, recurrence: tuple[float, float], lift: float
) -> float:
    """Reliability of a problem's shape as a sign of its solution, judged by the problems themselves.

    Computes ``clip((R − R₀)/(R₁ − R₀))·clip((G − 1)/(G₁ − 1))``. ``R`` is the share of solved problems
    whose strategy solved another one too; ``G`` is how much more often two problems share a strategy
    where their texts are alike, weighted by the cube of the likeness of their cues.

    Parameters
    ----------
    cues
        Which problem has which cue, shape ``(p, v)``, 0 or 1.
    shares
        How far each problem yields to each strategy, shape ``(p, s)``, ``>= 0``.
    group
        What is the same problem, shape ``(p,)``: such two are never compared.
    recurrence
        ``R₀`` and ``R₁``: the recurrences at which shape tells nothing, and all it can.
    lift
        ``G₁ > 1``: the gain at which shape tells all it can.

    Returns
    -------
    float
        In [0, 1], no shape; 0 where fewer than three problems were solved.

    Raises
    ------
    ValueError
        If the bounds of recurrence do not grow or ``lift`` is not above 1.

    References
    ----------
    Wolpert, "Stacked Generalization", Neural Networks 5, 1992 (a predictor's weight from what it
    predicts of cases it has not seen).

    Examples
    --------
    >>> cues, shares = np.kron(np.eye(2), np.ones((3, 1))), np.kron(np.eye(2), np.ones((3, 1))) / 2
    >>> round(shape_tells(cues, shares, np.arange(6), recurrence=(0.25, 0.5), lift=1.2), 3)
    1.0
    """
    if not recurrence[0] < recurrence[1] or lift <= 1.0:
        raise ValueError(f"bounds must grow, and lift be above 1: {recurrence}, {lift}")
    solved = np.flatnonzero(shares.sum(axis=1) > 0.0)
    if len(solved) < _FEWEST_SOLVED:
        return 0.0
    profile = shares[solved] / shares[solved].sum(axis=1, keepdims=True)
    other = (group[solved][:, None] != group[solved][None, :]).astype(np.float64)
    agreement = (profile @ profile.T) * other
    base = float(agreement.sum() / max(other.sum(), 1.0))
    if base <= _RARE:
        return 0.0  # no two problems share a strategy: nothing can be gained
    near = _cosines(cues[solved] * np.sqrt(_rarity(cues))) ** 3 * other
    alike = (agreement * near).sum(axis=1) / np.maximum(near.sum(axis=1), _RARE)
    low, high = recurrence
    recurs = (float((agreement.max(axis=1) > _RARE).mean()) - low) / (high - low)
    gains = (float(alike.mean()) / base - 1.0) / (lift - 1.0)
    return float(np.clip(recurs, 0.0, 1.0) * np.clip(gains, 0.0, 1.0))


def inverse_distance(cosine: Floats, *, power: float, least: float) -> Floats:
    """Nearness of texts to a query, as a share of the nearest: two times as far is half as near.

    Computes ``(min d/d)^power`` with the distance ``d = max(1 − cosine, least)``, so it depends on
    how distances compare, and not on how high the cosines of an embedder are.

    Parameters
    ----------
    cosine
        Of each text to the query, shape ``(n,)``, in [-1, 1].
    power
        How fast nearness falls, ``>= 0``.
    least
        What distance counts as none, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1]; 1 for the nearest.

    Raises
    ------
    ValueError
        If the power is negative or ``least`` is not positive.

    References
    ----------
    Shepard, "A Two-Dimensional Interpolation Function for Irregularly-Spaced Data", ACM 1968.

    Examples
    --------
    >>> inverse_distance(np.array([0.9, 0.8, 0.6]), power=1.0, least=0.01).round(2)
    array([1.  , 0.5 , 0.25])
    """
    if power < 0 or least <= 0:
        raise ValueError(f"power must not be negative and least be positive: {power}, {least}")
    # equal texts have distance 0, which nothing can be divided by
    distance = np.maximum(1.0 - cosine, least)
    return (distance.min(initial=np.inf) / distance) ** power


def crowding(
    cosine: Floats, group: Ints, *, neighbour: int, bounds: tuple[float, float], least: float
) -> float:
    """Share in which the nearest problem is one of many as near, so that nearness does not choose.

    Computes ``clip((r₁ − dₖ/d₁)/(r₁ − r₀))``, where ``dₖ`` is the distance ``max(1 − cosine, least)`` of
    the ``k``-th nearest group, or of the last where there are fewer.

    Parameters
    ----------
    cosine
        Of each text to the query, shape ``(n,)``, in [-1, 1].
    group
        What is the same problem, shape ``(n,)``; its nearest text counts.
    neighbour
        ``k``, ``> 1``.
    bounds
        ``r₀`` and ``r₁``: the ratios at which the nearest is one of many, and at which it stands out.
    least
        What distance counts as none, ``> 0``.

    Returns
    -------
    float
        In [0, 1], no shape; 0 where there are fewer than two problems.

    Raises
    ------
    ValueError
        If there is no such neighbour, the bounds do not grow, or ``least`` is not positive.

    References
    ----------
    Beyer et al., "When Is Nearest Neighbor Meaningful?", ICDT 1999.

    Examples
    --------
    >>> rules = {"neighbour": 3, "bounds": (1.15, 1.3), "least": 0.01}
    >>> crowding(np.array([0.7, 0.69, 0.68, 0.5]), np.arange(4), **rules)
    1.0
    >>> crowding(np.array([0.9, 0.5, 0.49, 0.45]), np.arange(4), **rules)
    0.0
    """
    if neighbour < _FEWEST_NEIGHBOURS or not bounds[0] < bounds[1] or least <= 0:
        raise ValueError(
            f"neighbour must be above 1, bounds grow and least be positive: {neighbour}, {bounds}, {least}"
        )
    distance = np.maximum(1.0 - cosine, least)
    # one a problem: repetitions of it are no crowd
    nearest = np.sort([distance[group == one].min() for one in np.unique(group)])
    if len(nearest) < _FEWEST_NEIGHBOURS:
        return 0.0
    # of few problems the last one stands for the fourth
    ratio = float(nearest[:neighbour][-1] / nearest[0])
    return float(np.clip((bounds[1] - ratio) / (bounds[1] - bounds[0]), 0.0, 1.0))


def within_reach(cosine: Floats, *, ratio: float, power: float, least: float) -> Floats:
    """Share that is left of what is much farther than the nearest, whatever else speaks for it.

    Computes ``min(1, ratio·min d/d)^power`` with the distance ``d = max(1 − cosine, least)``.

    Parameters
    ----------
    cosine
        Of each text to the query, shape ``(n,)``, in [-1, 1].
    ratio
        How many times the least distance costs nothing, ``>= 1``.
    power
        How fast the share falls beyond, ``>= 0``.
    least
        What distance counts as none, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1].

    Raises
    ------
    ValueError
        If ``ratio`` is below 1, the power is negative or ``least`` is not positive.

    References
    ----------
    Dudani, "The Distance-Weighted k-Nearest-Neighbor Rule", 1976 (what is far loses its vote).

    Examples
    --------
    >>> within_reach(np.array([0.9, 0.8, 0.6]), ratio=2.0, power=1.0, least=0.01).round(2)
    array([1. , 1. , 0.5])
    """
    if ratio < 1 or power < 0 or least <= 0:
        raise ValueError(
            f"ratio must be at least 1, power not negative and least positive: {ratio}, {power}, {least}"
        )
    distance = np.maximum(1.0 - cosine, least)
    return np.minimum(1.0, ratio * distance.min(initial=np.inf) / distance) ** power


def diverse(
    relevance: Floats,
    group: Ints,
    kind: Ints,
    alike: Floats,
    *,
    balance: float,
    repeat_share: float,
    k: int,
) -> Ints:
    """Choose what is relevant and says something else than what was chosen before it.

    Computes the greatest ``λ·share^repeats·relevance − (1 − λ)·max likeness`` again and again, where
    ``repeats`` is how many of the same group were chosen. What is of the same group and kind as a
    chosen one comes only when nothing else is left.

    Parameters
    ----------
    relevance
        Of each candidate, shape ``(n,)``, each in [0, 1].
    group
        What is about the same, shape ``(n,)``: attempts at one problem.
    kind
        Index of each candidate's strategy in ``alike``, shape ``(n,)``; -1 is like nothing.
    alike
        How alike strategies are, shape ``(s, s)``, each in [0, 1].
    balance
        ``λ``, in [0, 1]; at 1 only relevance and the groups count.
    repeat_share
        What is left of relevance for each chosen one of the same group, in [0, 1].
    k
        How many to choose at most, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Indices in the order of choice, shape ``(min(k, n),)``; the first is the most relevant.

    Raises
    ------
    ValueError
        If the balance or the share lies outside [0, 1] or the columns differ in length.

    References
    ----------
    Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
    Producing Summaries", SIGIR 1998.

    Examples
    --------
    >>> three = np.array([1.0, 0.9, 0.5]), np.array([0, 0, 1]), np.array([0, 0, 1])
    >>> diverse(*three, np.eye(2), balance=0.7, repeat_share=0.8, k=3)
    array([0, 2, 1])
    """
    if not (0 <= balance <= 1 and 0 <= repeat_share <= 1):
        raise ValueError(f"balance and share must lie in [0, 1], not {balance}, {repeat_share}")
    if len({len(relevance), len(group), len(kind)}) > 1:
        raise ValueError(f"columns differ in length: {len(relevance)}, {len(group)}, {len(kind)}")
    choosing = _Choosing(relevance, group, kind, alike)
    return choosing.choose(min(k, len(relevance)), balance, repeat_share)


def instructive(
    success: Floats,
    success_group: Ints,
    success_kind: Ints,
    group: Ints,
    kind: Ints,
    shape: Floats,
    *,
    other_share: float,
) -> tuple[Floats, Ints]:
    """Value of each failure beside the successes that were chosen, and the success it contrasts with.

    Computes the greatest ``r`` over successes at the same problem that acted otherwise, and
    ``share·r·likeness in shape`` over those at other problems that acted the same.

    Parameters
    ----------
    success
        Relevance ``r`` of each chosen success, shape ``(m,)``, ``>= 0``.
    success_group
        Its problem, shape ``(m,)``.
    success_kind
        Its strategy, shape ``(m,)``.
    group
        Problem of each failure, shape ``(n,)``.
    kind
        Its strategy, shape ``(n,)``.
    shape
        Likeness in shape of its problem to the query, shape ``(n,)``, each in [0, 1].
    other_share
        What a failure at another problem teaches beside one at the same, in [0, 1].

    Returns
    -------
    tuple of numpy.ndarray
        What each teaches, shape ``(n,)``, ``>= 0``; and the index of the success beside which it does,
        shape ``(n,)``, -1 for none.

    Raises
    ------
    ValueError
        If ``other_share`` lies outside [0, 1].

    References
    ----------
    Gentner and Markman, "Structural Alignment in Comparison: No Difference Without Similarity", 1994.

    Examples
    --------
    >>> chosen = np.array([0.9]), np.array([0]), np.array([7])
    >>> failures = np.array([0, 1, 0]), np.array([8, 7, 7]), np.array([0.5, 0.5, 0.5])
    >>> instructive(*chosen, *failures, other_share=0.5)
    (array([0.9  , 0.225, 0.   ]), array([ 0,  0, -1]))
    """
    if not 0 <= other_share <= 1:
        raise ValueError(f"other_share must lie in [0, 1], not {other_share}")
    at_same = group[:, None] == success_group[None, :]
    acted_same = kind[:, None] == success_kind[None, :]
    beside = _beside(at_same, acted_same, other_share * shape)
    return _greatest(np.maximum(success, 0.0)[None, :] * beside)


class _Choosing:
    """Choices so far, and the candidates that are left."""

    def __init__(self, relevance: Floats, group: Ints, kind: Ints, alike: Floats) -> None:
        self._left = relevance.astype(np.float64)
        self._group, self._kind, self._alike = group, kind, alike
        self._redundancy = np.zeros(len(relevance))
        self._taken = np.zeros(len(relevance), dtype=np.bool_)
        # repetitions wait until nothing else is left
        self._repeated = np.zeros(len(relevance), dtype=np.bool_)

    def choose(self, count: int, balance: float, repeat_share: float) -> Ints:
        """Choose so many, one after the other."""
        chosen = np.zeros(max(count, 0), dtype=np.int64)
        for turn in range(count):
            # its own relevance too, which no longer counts
            chosen[turn] = self._best(balance)
            self._take(int(chosen[turn]), repeat_share)
        return chosen

    # an attempt without steps is like nothing

    def _best(self, balance: float) -> int:
        """Find the best that repeats nothing, or of what is left if all of it does."""
        value = balance * self._left - (1.0 - balance) * self._redundancy
        fresh = ~self._taken & ~self._repeated
        return int(np.argmax(np.where(fresh if fresh.any() else ~self._taken, value, -np.inf)))

    def _take(self, place: int, repeat_share: float) -> None:
        self._taken[place] = True
        same, kind = self._group == self._group[place], self._kind[place]
        self._left = np.where(same, self._left * repeat_share, self._left)
        if kind >= 0:
            self._repeated |= same & (self._kind == kind)
            near = np.where(self._kind >= 0, self._alike[kind, self._kind], 0.0)
            self._redundancy = np.maximum(self._redundancy, near)


def _beside(at_same: Flags, acted_same: Flags, other: Floats) -> Floats:
    """Value of a failure beside each success: 1 at the same problem, ``other`` elsewhere, or nothing."""
    worth = np.where(at_same & ~acted_same, 1.0, 0.0)
    return worth + np.where(~at_same & acted_same, other[:, None], 0.0)


# + 1: a cue that every problem has tells something still, as a text may lack it


def _greatest(taught: Floats) -> tuple[Floats, Ints]:
    """Return the greatest of each row and its place; 0 and -1 where nothing is above 0."""
    if not taught.size:
        return np.zeros(len(taught)), np.full(len(taught), -1, dtype=np.int64)
    best = taught.argmax(axis=1)
    value = taught[np.arange(len(taught)), best]
    return value, np.where(value > 0.0, best, -1).astype(np.int64)


def _rarity(cues: Floats) -> Floats:
    """Return how rare each cue is, as a logarithm, shape ``(v,)``."""
    return np.log1p(len(cues) / (1.0 + cues.sum(axis=0)))


# five times or more is *often*, whatever the number
def _cosines(rows: Floats) -> Floats:
    """Return the cosines of all pairs of rows; 0 where one is empty."""
    norms = np.maximum(np.sqrt((rows * rows).sum(axis=1)), _RARE)
    return (rows @ rows.T) / np.outer(norms, norms)


def _everywhere(profile: Floats, actions: int) -> Floats:
    """Return how often each action is taken how often, whatever the cue, shape ``(a, 5)``."""
    share = profile.sum(axis=0).reshape(actions, _MOST_OF_AN_ACTION + 1) + _UNSEEN
    return share / share.sum(axis=1, keepdims=True)


def _capped(counts: Floats) -> Ints:
    return np.minimum(counts, _MOST_OF_AN_ACTION).astype(np.int64)


def _one_hot(counts: Floats) -> Floats:
    """Return for each strategy and action the place of its count, shape ``(s, a·5)``."""
    width = _MOST_OF_AN_ACTION + 1
    flat = np.eye(width)[_capped(counts)]
    return flat.reshape(len(counts), counts.shape[1] * width)
