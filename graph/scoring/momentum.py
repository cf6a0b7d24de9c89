"""Surprise of an event beside what is usual for an agent, and its type.

A surprise is the difference between expectation and outcome over the momentum: the moving mean of
past differences in the same context. That quotient has no upper end, so it is brought to [0, 1) by
``q/(1 + q)``: one half is the usual, and the threshold of 0.7 is passed by what differs 7/3 times as much as
usual. Where the usual is so great that nothing can (an agent to whom everything is new), the standard
deviation decides in the same way: 0.7 is 7/3 deviations above the usual.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

Ground = Literal["quotient", "deviation", "learned", "novelty"]


@dataclass(frozen=True, slots=True)
class SurpriseWeights:
    """Weights of the parts of a surprise."""

    threshold: float = 0.7
    """Surprise above which an event is remembered as one, in [0, 1]."""
    literal: bool = False
    """Flag of the literal form: the score is the quotient itself, 1 at most, as the source has it."""

    epsilon: float = 1e-3
    """Constant that is added to the momentum, ``> 0``."""
    prior_mean: float = 0.25
    """Difference that is taken for usual before anything is known, in (0, 1]."""
    prior_deviation: float = 0.3
    """Standard deviation that differences are taken to have before anything is known, ``> 0``."""
    prior_count: float = 5.0
    """Events' worth of trust in what holds of the channel, or of all, ``>= 0``."""
    smoothing: float = 0.1
    """Step of the moving mean, in (0, 1]; until as many events it is the plain mean."""
    momentum_floor: float = 0.1
    """Least momentum and deviation, ``> 0``: near zero the quotient would make a surprise of nothing."""
    half_life_days: float = 30.0
    """Days after which what is known of the usual has lost half its weight, ``> 0``."""
    familiarity: float = 0.15
    """Rate at which each earlier surprise of the same kind dulls a new one, ``>= 0``."""
    familiarity_half_life_days: float = 7.0
    """Days after which half of them are forgotten, ``> 0``."""


@dataclass(frozen=True, slots=True)
class Momentum:
    """Differences so far in one context: moving mean and variance, last time in days.

    ``count`` is how many events that was worth at the last of them: older ones count less.
    """

    mean: float = 0.0
    variance: float = 0.0
    count: float = 0.0
    updated_at: float = 0.0

    def updated(self, size: float, *, at: float, weights: SurpriseWeights) -> Momentum:
        """Return it with one more difference."""
        # before the new one: what is old has lost weight by now
        count = self.trust(at=at, weights=weights) + 1.0
        # the plain mean at first: else the first event would count for ten
        step = max(1.0 / count, weights.smoothing)
        distance = size - self.mean
        mean = self.mean + step * distance
        variance = (1.0 - step) * (self.variance + step * distance * distance)
        # a late report must not put the clock back
        return Momentum(mean, variance, count, max(at, self.updated_at))

    def trust(self, *, at: float, weights: SurpriseWeights) -> float:
        """Return how many events it counts as: those it remembers, less by its age."""
        age = max(at - self.updated_at, 0.0)
        # it remembers 1/smoothing events, however many came
        return min(self.count, 1.0 / weights.smoothing) * 0.5 ** (age / weights.half_life_days)


@dataclass(frozen=True, slots=True)
class Familiarity:
    """Decayed count of surprises of one kind, and the time of the last one, in days."""

    repeats: float = 0.0
    updated_at: float = 0.0

    def at(self, day: float, weights: SurpriseWeights) -> float:
        """Return what is left of the repeats on a day."""
        age = max(day - self.updated_at, 0.0)
        return self.repeats * float(0.5 ** (age / weights.familiarity_half_life_days))

    def updated(self, *, at: float, weights: SurpriseWeights) -> Familiarity:
        """Return it with one more."""
        return Familiarity(self.at(at, weights) + 1.0, max(at, self.updated_at))


@dataclass(frozen=True, slots=True)
class Usual:
    """Usual difference: mean and deviation, both at least the floor."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Surprise of one difference."""

    size: float
    quotient: float
    """Difference over momentum, as it is: ``>= 0``, no upper end."""
    deviations: float
    """Standard deviations above the usual, ``>= 0``."""
    surprise: float
    """In [0, 1); one half is the usual."""
    ground: Ground
    usual: Usual


def usual(own: Momentum, pooled: Momentum | None, *, at: float, weights: SurpriseWeights) -> Usual:
    """Usual difference for an agent in a context, shrunk to its channel and to all contexts.

    Computes ``(n0·p + n·m)/(n0 + n)`` of mean and variance, first the channel's ``m`` with the prior as
    ``p``, then the agent's with that as ``p``; both at least the floor.

    Parameters
    ----------
    own
        What the agent has met in this context.
    pooled
        What the members of its channel have met; None without a channel.
    at
        The present, in days.
    weights
        What makes an event surprising.

    Returns
    -------
    Usual
        Mean and deviation, in (0, 1]; no shape. The prior's where nothing was met.

    Raises
    ------
    ValueError
        Never; ages below 0 count as 0.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Key Features"; Efron and Morris, "Stein's Paradox in
    Statistics", Scientific American 236, 1977.

    Examples
    --------
    >>> weights = SurpriseWeights()
    >>> met = Momentum(mean=0.85, variance=0.01, count=5)
    >>> usual(met, None, at=0.0, weights=weights)
    Usual(mean=0.55, deviation=0.22360679774997896)
    """
    mean, variance = weights.prior_mean, weights.prior_deviation**2
    # the channel first, then the agent: what it has met itself counts most
    for momentum in (pooled, own):
        if momentum is None:
            continue
        trust = momentum.trust(at=at, weights=weights)
        total = trust + weights.prior_count
        if total > 0:
            mean += (momentum.mean - mean) * trust / total
            variance += (momentum.variance - variance) * trust / total
    # without a floor any event would be a surprise in a calm context
    floor = weights.momentum_floor
    return Usual(min(max(mean, floor), 1.0), max(sqrt(variance), floor))


def measured(size: float, known: Usual, *, weights: SurpriseWeights) -> Measured:
    """Surprise of a difference beside the usual.

    Computes ``max(q/(1 + q), z/(1 + z))`` with ``q = d/(m + ε)`` and ``z = max(d − m, 0)/σ``; where ``literal``,
    ``min(q, 1)``.

    Parameters
    ----------
    size
        The difference ``d``, in [0, 1].
    known
        The usual ``m`` and ``σ``.
    weights
        What makes an event surprising.

    Returns
    -------
    Measured
        Quotient, deviations and surprise; no shape. Rises with the difference, 0 at 0.

    Raises
    ------
    ValueError
        If the difference lies outside [0, 1].

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator", Formula.

    Examples
    --------
    >>> found = measured(0.75, Usual(mean=0.249, deviation=0.3), weights=SurpriseWeights())
    >>> found.quotient, found.surprise, found.ground
    (3.0, 0.75, 'quotient')
    """
    if not 0 <= size <= 1:
        raise ValueError(f"a difference must lie in [0, 1], not {size}")
    # ε, so that a usual difference of 0 divides nothing
    quotient = size / (known.mean + weights.epsilon)
    if weights.literal:
        return Measured(size, quotient, 0.0, min(quotient, 1.0), "quotient", known)
    deviations = max(size - known.mean, 0.0) / known.deviation
    # the greater: where the usual is great no quotient reaches 0.7
    greater = max(quotient, deviations)
    ground: Ground = "quotient" if quotient >= deviations else "deviation"
    # q/(1 + q): one half is the usual
    return Measured(size, quotient, deviations, greater / (1.0 + greater), ground, known)
