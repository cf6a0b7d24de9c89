"""Every weight of the ranking, in one frozen place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def _edge_weights() -> Mapping[str, float]:
    linked = ("SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM")
    return MappingProxyType({"NEXT": 1.0, **dict.fromkeys(linked, 1.0)})


def _decay_rates() -> Mapping[str, float]:
    return MappingProxyType(
        {"working": 0.8, "short_term": 0.3, "episodic": 0.1, "long_term": 0.05, "semantic": 0.05}
    )


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """What each part of a ranking counts.

    The shares of relevance were chosen on five LoCoMo conversations, as round numbers on a plateau
    (ADR 5); those of utility are the defaults of *Memory Utility Learning System*.
    """

    cosine_share: float = 0.4
    """Share of the cosine beside the lexical score, in [0, 1]; below half, so that a word which only
    one memory has outranks any nearness."""
    unseen_share: float = 0.5
    """Where between nothing and the last score of a full-text arm that was cut off a memory is taken
    to lie which that arm did not return, in [0, 1]; 0 takes it to share no word."""
    hop_gains: tuple[float, ...] = (0.1, 0.1)
    """What relevance gains from neighbours one and two edges away."""
    answer_gain: float = 0.2
    """What a turn gains more from a question right before it."""
    session_gain: float = 0.1
    """What a memory of the best-matching session gains."""
    session_best: int = 3
    """How many of a session's candidates make its strength."""
    speaker_gain: float = 0.3
    """What a memory gains when the query names its speaker."""
    asking_loss: float = 0.1
    """What a memory that ends by asking loses, where the query asks too, ``>= 0``."""
    date_gain: float = 0.5
    """What a memory gains when the query names its date."""
    date_scale_days: float = 7.0
    """Days after which the gain of a date has fallen to 1/e."""
    edge_weights: Mapping[str, float] = field(default_factory=_edge_weights)
    """Factor per relationship type; a type that is not named passes nothing."""
    similar_weight: float = 0.0
    """Factor of a link that the background found, times its cosine; 0 does not walk over them."""
    mentions_weight: float = 0.0
    """Factor of a pair that shares terms, times how rare these are; 0 does not walk over terms."""
    decay_rates: Mapping[str, float] = field(default_factory=_decay_rates)
    """Base decay per day and stratum."""
    q_neutral: float = 0.5
    """The Q at which a memory passes on exactly what it has."""
    q_prior_count: float = 2.0
    """Rewards' worth of trust in ``q_neutral``; 0 is the literal form."""
    deviation_floor: float = 0.1
    """Least standard deviation in a z-score; 0 is the literal form."""
    z_limit: float = 3.0
    """Clip of a z-score; infinity is the literal form."""
