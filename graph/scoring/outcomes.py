"""Distribution of the outcomes in one context, learned one by one and kept in constant memory.

A number is kept as mean and variance of its logarithm relative to what was said to come, a word as counts. Both
forget. What a form of surprise holds for likely is measured by the probability that it
gives to the next outcome, so two forms can be compared on the same sequence before the outcome is learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import copysign, erfc, expm1, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import Literal

OTHER = "*"
"""Code of a word that is not kept by itself."""
MET = "="
"""Code of a word that came as was said."""

_LEAST = 1e-150  # its square is a number still
_CELL = 1e-3  # of a number that is not whole: the width, as a share of it, within which two are the same


@dataclass(frozen=True, slots=True)
class OutcomeWeights:
    """Constants of learned outcomes, chosen on half of the sequences of ``benchmarks.outcomes`` (ADR 68)."""

    forgetting: float = 0.05
    """Share of what is known of a number that each outcome takes away, in (0, 1)."""
    word_forgetting: float = 0.02
    """The same of a word."""
    prior_scale: float = 0.2
    """Deviation of a number's logarithm before any is known, ``> 0``."""
    prior_count: float = 1.0
    """Outcomes' worth of trust in that deviation, ``> 0``."""
    prior_place: float = 1.0
    """Outcomes' worth of trust in what was said to come, ``> 0``."""
    offset: float = 0.1
    """What is added to a number before its logarithm, as a share of what was said, ``> 0``."""
    farthest: float = 6.0
    """Deviations as which a farther number is learned, ``> 0``: one outlier must not widen all."""
    concentration: float = 1.0
    """Outcomes' worth of trust in what was said of a word, ``> 0``."""
    unmet: float = 0.1
    """Chance that a word comes otherwise than was said, before any is known, in (0, 1)."""
    discount: float = 0.05
    """Share of an outcome that each word gives to words that never came, in [0, 1)."""
    most_words: int = 24
    """Words of one path that are counted by themselves."""
    most_paths: int = 64
    """Paths of one context that are learned."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Outcome of one path as a forecast sees it."""

    loss: float
    """Negative logarithm of its probability (of a number: density), in nats."""
    tail: float
    """Probability of an outcome at least as unlikely, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class NumberForecast:
    """Student distribution of the logarithm of the next number, relative to ``said``."""

    said: float
    offset: float
    mean: float
    scale: float
    freedom: float

    def place(self, value: float) -> float:
        """Return the logarithm of a number relative to what was said."""
        return _signed_log(value / self.offset) - _signed_log(self.said / self.offset)

    def judge(self, value: float) -> Judged:
        """Return loss and tail of a number."""
        slope = 1.0 / (self.offset + abs(value))
        # a whole number may have been rounded: within its cell all are the same
        scale = sqrt(self.scale**2 + (_cell(value) * slope) ** 2 / 12.0)
        distance = (self.place(value) - self.mean) / scale
        # the slope: a density of the logarithm is no density of the number
        loss = student_loss(distance, scale, self.freedom) - log(slope)
        return Judged(loss, student_tail(distance, self.freedom))

    def range(self, share: float) -> tuple[float, float]:
        """Return the numbers between which a share of the outcomes is expected, by the same bound as the tail."""
        factor = (8.0 * self.freedom + 1.0) / (8.0 * self.freedom + 3.0)
        normal = NormalDist().inv_cdf(0.5 + share / 2.0) / factor
        # bounded: expm1 of more than 700 is infinite
        far = sqrt(self.freedom * expm1(min(normal * normal / self.freedom, 300.0)))
        return self.value(-far), self.value(far)

    def value(self, deviations: float = 0.0) -> float:
        """Return the number that lies some deviations above the usual one."""
        place = self.mean + deviations * self.scale + _signed_log(self.said / self.offset)
        return copysign(expm1(min(abs(place), 300.0)) * self.offset, place)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Statistics of a number: moving mean and squares of its logarithms, and the scale of those."""

    mean: float = 0.0
    squares: float = 0.0
    count: float = 0.0
    unit: float = 0.0
    """First number of its path; for outcomes of which nothing was said."""

    def forecast(self, said: float | None, weights: OutcomeWeights) -> NumberForecast | None:
        """Return what is expected next; None where nothing was said and nothing is known."""
        return None if said is None and not self.count else self._expected(said, weights)

    def _expected(self, said: float | None, weights: OutcomeWeights) -> NumberForecast:
        base = self.unit if said is None else said
        prior, trust = weights.prior_place, weights.prior_count
        freedom = trust + self.count
        variance = (trust * weights.prior_scale**2 + self.squares) / freedom
        place = self.count + prior
        return NumberForecast(
            said=base,
            # a tenth of what was said: 0 has no logarithm, and small numbers vary more (ADR 68)
            offset=max(weights.offset * abs(base), _LEAST) if base else 1.0,
            mean=self.count * self.mean / place,
            # the next number varies, and so does the mean that it is expected at
            scale=sqrt(variance * (1.0 + 1.0 / place)),
            freedom=freedom,
        )

    def updated(self, value: float, said: float | None, weights: OutcomeWeights) -> Numbers:
        """Return it with one more number (Welford, 1962, with forgetting)."""
        # nearly nothing: the first number is its own unit
        known = self if self.count else replace(self, unit=value, count=1e-12)
        forecast = known._expected(said, weights)
        place = forecast.place(value)
        # one outlier must not widen all; the first numbers may lie anywhere
        if self.count >= weights.prior_count:
            far = weights.farthest * forecast.scale
            place = min(max(place, forecast.mean - far), forecast.mean + far)
        kept = 1.0 - weights.forgetting
        count = kept * self.count + 1.0
        mean = self.mean + (place - self.mean) / count
        squares = kept * self.squares + (place - self.mean) * (place - mean)
        return Numbers(mean, squares, count, self.unit if self.count else value)

    @property
    def varies(self) -> bool:
        """Return whether it was ever another."""
        return self.squares > 0


@dataclass(frozen=True, slots=True)
class WordForecast:
    """Probabilities of the next word: of those that came, of the said one, and of all others together."""

    known: Mapping[str, float]
    other: float

    def judge(self, word: str) -> Judged:
        """Return loss and tail of a word."""
        probability = self.known.get(word, self.other)
        # without a known word the others together are the likeliest
        most = max(self.other if not self.known else 0.0, *self.known.values(), probability)
        return Judged(-log(probability), tail_of_ratio(probability / most))

    @property
    def likeliest(self) -> tuple[str, float]:
        """The most probable word and its probability; of equals the first by name."""
        return max(sorted(self.known.items()), key=lambda item: item[1])


@dataclass(frozen=True, slots=True)
class Words:
    """Fading counts of words at one path; beyond a number of them the rarest are counted together."""

    counts: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def total(self) -> float:
        """Sum of the counts."""
        return sum(self.counts.values())

    def forecast(self, said: str | None, weights: OutcomeWeights) -> WordForecast | None:
        """Return what is expected next; None where nothing was said and nothing is known."""
        if said is None and not self.counts:
            return None
        total = self.total + weights.concentration
        # each word gives a little of its count to words that never came
        taken = {word: min(weights.discount, n) for word, n in self.counts.items()}
        free = weights.concentration + sum(taken.values())
        named = sorted({*self.counts, *([] if said is None else [said])} - {OTHER})
        known = {
            word: self.counts.get(word, 0.0)
            - taken.get(word, 0.0)
            + (free * (1.0 - weights.unmet) if word == said else 0.0)
            for word in named
        }
        rest = self.counts.get(OTHER, 0.0) - taken.get(OTHER, 0.0)
        other = rest + free * (1.0 if said is None else weights.unmet)
        return WordForecast(
            # above 0: a word that had nothing left may come again
            {word: max(n, 1e-9) / total for word, n in known.items()},
            max(other, 1e-9) / total,
        )

    def updated(self, word: str, weights: OutcomeWeights) -> Words:
        """Return it with one more word."""
        kept = 1.0 - weights.word_forgetting
        counts = {each: kept * n for each, n in self.counts.items() if kept * n > 1e-3}
        counts[word] = counts.get(word, 0.0) + 1.0
        while len(counts) > weights.most_words:
            # never the word that just came
            rarest = min(
                (each for each in counts if each not in (OTHER, word)),
                key=lambda each: (counts[each], each),
            )
            counts[OTHER] = counts.get(OTHER, 0.0) + counts.pop(rarest)
        return Words(counts)

    @property
    def varies(self) -> bool:
        """Return whether it was ever another."""
        return len(self.counts) > 1


Learned = Numbers | Words
"""Statistics of one path."""
Form = Literal["fixed", "learned"]


def student_loss(distance: float, scale: float, freedom: float) -> float:
    """Negative logarithm of the density of a Student distribution.

    Computes ``log(s·√(νπ)·Γ(ν/2)/Γ((ν+1)/2)) + (ν+1)/2 · log(1 + t²/ν)``.

    Parameters
    ----------
    distance
        Distance from the middle in scales, ``t``.
    scale
        The scale ``s``, ``> 0``.
    freedom
        Degrees of freedom ``ν``, ``> 0``.

    Returns
    -------
    float
        In nats, any sign; no shape.

    Raises
    ------
    ValueError
        If the scale or the freedom is not positive.

    References
    ----------
    Bishop, *Pattern Recognition and Machine Learning*, 2.3.7.

    Examples
    --------
    >>> round(student_loss(0.0, 1.0, 1e6), 3)  # the normal distribution's log √(2π)
    0.919
    """
    if not (scale > 0 and freedom > 0):
        raise ValueError(f"scale {scale} and freedom {freedom} must be positive")
    half = freedom / 2.0
    # lgamma: the gamma function itself is infinite from 171 on
    base = lgamma(half) - lgamma(half + 0.5) + 0.5 * log(freedom * pi) + log(scale)
    return base + (half + 0.5) * log1p(distance * distance / freedom)


def student_tail(distance: float, freedom: float) -> float:
    """Probability of a Student value at least as far from the middle, on either side.

    Computes ``erfc(z/√2)`` with ``z = (8ν + 1)/(8ν + 3) · √(ν·log(1 + t²/ν))``, right to 0.01.

    Parameters
    ----------
    distance
        Distance from the middle in scales, ``t``.
    freedom
        Degrees of freedom ``ν``, ``>= 1``.

    Returns
    -------
    float
        In (0, 1], at least 1e-300; 1 in the middle; no shape.

    Raises
    ------
    ValueError
        If the freedom is below 1.

    References
    ----------
    Wallace, "Bounds on Normal Approximations to Student's and the Chi-Square Distributions", 1959.

    Examples
    --------
    >>> round(student_tail(2.228, 10.0), 3), student_tail(0.0, 3.0)
    (0.05, 1.0)
    """
    if not freedom >= 1:
        raise ValueError(f"freedom must be at least 1, not {freedom}")
    factor = (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0)
    normal = factor * sqrt(freedom * log1p(distance * distance / freedom))
    # never 0: its logarithm is taken
    return max(erfc(normal / sqrt(2.0)), 1e-300)


def tail_of_ratio(ratio: float) -> float:
    """Tail of a word that is less probable than the likeliest by a factor: that of a normal value of that density.

    Computes ``erfc(√(−log r))``, so that words and numbers stand on one scale.

    Parameters
    ----------
    ratio
        Probability of the word over that of the likeliest, ``r`` in (0, 1].

    Returns
    -------
    float
        In (0, 1]; 1 for the likeliest; no shape.

    Raises
    ------
    ValueError
        If the ratio lies outside (0, 1].

    References
    ----------
    Wilks, "The Large-Sample Distribution of the Likelihood Ratio", 1938.

    Examples
    --------
    >>> tail_of_ratio(1.0), round(tail_of_ratio(0.0362), 2)
    (1.0, 0.01)
    """
    if not 0 < ratio <= 1:
        raise ValueError(f"a ratio must lie in (0, 1], not {ratio}")
    return max(erfc(sqrt(-log(ratio))), 1e-300)


def tail_surprise(tail: float) -> float:
    """Surprise of an outcome whose tail has some probability.

    Computes ``1/(1 + (p/0.0184)^1.39)``: 0.2 at one in twenty, 0.7 at one in a hundred.

    Parameters
    ----------
    tail
        Probability of an outcome at least as unlikely, ``p`` in [0, 1].

    Returns
    -------
    float
        In (0, 1]; falls with the tail; no shape.

    Raises
    ------
    ValueError
        If the tail lies outside [0, 1].

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Configuration Options" (threshold 0.7).

    Examples
    --------
    >>> [round(tail_surprise(tail), 2) for tail in (0.5, 0.05, 0.01, 0.001)]
    [0.01, 0.2, 0.7, 0.98]
    """
    if not 0 <= tail <= 1:
        raise ValueError(f"a tail must lie in [0, 1], not {tail}")
    return 1.0 / (1.0 + (tail / 0.0184) ** 1.39)


def _signed_log(value: float) -> float:
    # bounded, so that sums of such logarithms stay finite
    return copysign(log1p(min(abs(value), 1e300)), value)


def _cell(value: float) -> float:
    return 1.0 if value.is_integer() else _CELL * abs(value)
