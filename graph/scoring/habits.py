"""Surprise of observations that are counted: signatures of a situation, and an agent's own actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.scoring.relevance import Floats

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts by key, the one seen last at the end."""

    counts: Mapping[Key, int] = field(default_factory=dict[Key, int])

    @property
    def total(self) -> int:
        """Sum of all counts."""
        return sum(self.counts.values())

    def of(self, key: Key) -> int:
        """Return how often a key was seen."""
        return self.counts.get(key, 0)

    def after(self, previous: str) -> Tally:
        """Return the counts of the keys that begin with a name."""
        return Tally({key: n for key, n in self.counts.items() if key[0] == previous})

    def seen(self, key: Key, *, most: int) -> Tally:
        """Return the tally with one more of a key; beyond ``most`` keys the rarest other is forgotten, of equals the oldest."""
        # the key itself moves to the end: it is the latest
        counts = {other: n for other, n in self.counts.items() if other != key}
        while len(counts) >= max(most, 1):
            del counts[min(counts, key=counts.__getitem__)]
        return Tally({**counts, key: self.of(key) + 1})


def signature_surprise(seen: Floats, total: Floats) -> Floats:
    """Surprise of situations by how often their signatures were seen before.

    Computes ``S = 1 − c/(n + 1)``: a signature that was never seen surprises by 1.

    Parameters
    ----------
    seen
        How often each signature was seen before, shape ``(n,)``, each in [0, total].
    total
        How many observations there were before, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1].

    Raises
    ------
    ValueError
        If a count is negative or exceeds its total.

    References
    ----------
    *Human-Centric Cognitive Engines*, 4.3 "The Boiling Frog Trace".

    Examples
    --------
    >>> signature_surprise(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0])).round(2)
    array([1.  , 0.5 , 0.33, 0.25])
    """
    _check_counts(seen, total)
    # + 1: the observation itself
    return 1.0 - seen / (total + 1.0)


def decision_surprise(
    chosen: Floats, total: Floats, actions: Floats, *, smoothing: float = 1.0
) -> Floats:
    """Surprise of decisions by how often the agent decided so before.

    Computes ``S = 1 − (c + α)/(n + α·V)``: Laplace smoothing over ``V`` possible actions. Counts of all
    decisions give the unigram, counts of those after the same action the bigram.

    Parameters
    ----------
    chosen
        How often each action was chosen before, shape ``(n,)``, each in [0, total].
    total
        How many decisions there were before, shape ``(n,)``, ``>= 0``.
    actions
        How many actions are possible, ``V``, shape ``(n,)``, each ``>= 1``.
    smoothing
        What is added to each count, ``α > 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1); 0 where one action alone is possible.

    Raises
    ------
    ValueError
        If a count is negative or exceeds its total, or ``V`` or ``α`` is too small.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Decision-Consistency Surprise"; Itti and Baldi, "Bayesian Surprise Attracts
    Human Attention", Vision Research 49, 2009.

    Examples
    --------
    >>> decision_surprise(np.array([3.0, 0.0]), np.array([4.0, 4.0]), np.array([3.0, 3.0])).round(3)
    array([0.429, 0.857])
    """
    _check_counts(chosen, total)
    if not bool((actions >= 1).all()) or not smoothing > 0:
        raise ValueError(
            f"each count of actions must be at least 1, and α positive, not {smoothing}"
        )
    return 1.0 - (chosen + smoothing) / (total + smoothing * actions)


def _check_counts(counts: Floats, total: Floats) -> None:
    if not bool(((counts >= 0) & (counts <= total)).all()):
        raise ValueError("each count must lie between 0 and its total")
