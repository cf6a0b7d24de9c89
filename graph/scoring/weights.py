"""Every weight of the ranking, in one frozen place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from graph.scoring.strata import POLICIES
from graph.scoring.utility import Normalization

Exploration = Literal["none", "ucb", "thompson"]


def _edge_weights() -> Mapping[str, float]:
    linked = ("SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM")
    return MappingProxyType({"NEXT": 1.0, **dict.fromkeys(linked, 1.0)})


def _decay_rates() -> Mapping[str, float]:
    return MappingProxyType({name: policy.base_rate for name, policy in POLICIES.items()})


def _utility_factors() -> Mapping[str, float]:
    return MappingProxyType({name: policy.utility_factor for name, policy in POLICIES.items()})


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Weights of the parts of a ranking.

    Chosen on half of the everyday sets and five LoCoMo conversations, as round numbers on a plateau
    (ADR 44). All parts stand on one absolute scale: 0.3 is unrelated, 0.72 answers (``meaning``).
    """

    note_words: float = 0.1
    """Weight of the words that a note shares with a question: said in other words, it is still the answer."""
    turn_words: float = 2.0
    """Weight of the words that a turn of a session shares with it: a turn says little by itself."""
    strength_middle: float = 0.56
    """Strength of the best candidate at which a question is as likely answered as not."""
    strength_slope: float = 8.0
    """Slope at which the confidence in an answer grows with that strength, ``> 0``."""
    note_falloff: float = 2.5
    """Rate at which the relevance of notes falls with the distance of their strength from the best's, ``> 0``."""
    turn_falloff: float = 0.5
    """Power at which the relevance of turns falls with the ratio of their strength to the best's, ``> 0``."""
    turn_brevity: float = 0.04
    """Strength that a turn lacks of a note that tells the same, where it is decided whether there is an answer (ADR 75)."""
    interfering: int = 12
    """Strongest candidates among which newer notes take from older ones."""
    interference_least: float = 0.3
    """Overlap of two notes from which on the newer takes from the older, in [0, 1)."""
    interference_gain: float = 0.6
    """Loss of the older of two notes that overlap in full."""
    interference_most: float = 0.1
    """The most that a newer note takes (γ): of two allergies both are to come back (ADR 55)."""
    replaced_share: float = 0.75
    """Share of the strength of a replaced note from which the newer one comes before it, in (0, 1]; where the newer one only may
    replace it, that share is lent to it."""
    unseen_share: float = 0.25
    """Share of the last score of a full-text arm that was cut off, taken as the score of a memory that
    the arm did not return, in [0, 1]; 0 takes it to share no word."""
    hop_gains: tuple[float, ...] = (0.1, 0.1)
    """Gains of relevance from neighbours one and two edges away."""
    answer_gain: float = 0.3
    """Further gain of a turn from a question right before it."""
    session_gain: float = 0.2
    """Bonus of a memory of the best-matching session."""
    session_best: int = 3
    """Number of a session's best candidates that make its strength."""
    named_gain: float = 0.3
    """Gain of a memory of which the question says a tag that no other candidate has (ADR 69)."""
    named_answers: float = 0.25
    """Share of that gain that speaks for an answer, in [0, 1]: questions that nothing answers say names too."""
    unnamed_loss: float = 0.125
    """Strength that an answer needs more where every candidate has a tag of its own and the question says none (ADR 74)."""
    read_notes: int = 7
    """Best notes that are read together with a question whose answer is in doubt (ADR 72)."""
    read_turns: int = 10
    """The same of turns of a session, each with the question that it follows (ADR 76)."""
    read_lines: int = 4
    """Best of both that are read line by line too, where they have several lines (ADR 86)."""
    read_unlikely: float = 0.25
    """Relevance of the best below which reading brings no answer, in [0, 1]."""
    read_sure: float = 0.75
    """Relevance of the best up to which an answer is in doubt, in [0, 1] (ADR 78)."""
    read_close: float = 0.75
    """Share of the best's relevance from which on the second one leaves the order in doubt, in (0, 1]."""
    read_turn_close: float = 0.9
    """The same where the best is a turn, and the question is more than keywords."""
    read_turn_sure: float = 0.95
    """Relevance of the best turn up to which a close second one counts, in [0, 1]."""
    read_gain: float = 0.05
    """Gain of strength for each unit of the log-odds that a note answers, ``>= 0``."""
    read_middle: float = -0.7
    """Log-odds that change nothing."""
    read_limits: tuple[float, float] = (-4.0, 1.5)
    """Clip of the log-odds."""
    read_turn_gain: float = 0.08
    """Gain of a turn for each unit of its log-odds, as a share of the best strength of the pool, ``>= 0``."""
    read_turn_answers: float = 0.06
    """Gain of the confidence that a chat answers, for each unit, in strength, ``>= 0``."""
    read_turn_middle: float = -1.5
    """Log-odds of a turn that change nothing."""
    read_turn_limits: tuple[float, float] = (-4.0, 4.0)
    """Clip of the log-odds of turns."""
    read_share: float = 0.5
    """Share of an older note's log-odds that the newer one needs to come before what it may replace, in (0, 1] (ADR 74)."""
    read_lead: float = 2.0
    """Lead in log-odds at which the newer note comes first where both were asked for what holds now (ADR 84)."""
    alike: float = 0.3
    """Overlap of two notes from which on the newer one may tell what holds now, in [0, 1] (ADR 87)."""
    alike_relevance: float = 0.4
    """Relevance from which on such a newer note is read, in [0, 1]."""
    beside: float = 3.0
    """Log-odds that a newer note may lack of the older one, asked for what holds now, to be a result beside it, ``>= 0`` (ADR 88)."""
    succession: tuple[float, float, float, float, float] = (-1.6, 0.32, 0.42, 0.38, 2.87)
    """Weights of the log-odds that a newer note answers in place of the first result: offset, both read together, newer note,
    first result, ratio of relevance (ADR 91; fitted anew for ADR 93)."""
    succession_beside: float = -1.5
    """Such log-odds from which on the newer note is a result too (ADR 91)."""
    contest: tuple[float, ...] = (1.05, 1.18, 0.56, 1.17, 1.73)
    """Weights of the log-odds that the best note answers and not the best turn: offset, relevance, read; offset and relevance
    if they were not read (ADR 95)."""
    contest_floor: float = 0.6
    """Least share of its relevance that the less likely of both keeps, in [0, 1] (ADR 95)."""
    contest_least: float = 0.3
    """Relevance of the best note and the best turn from which on both are read, in [0, 1] (ADR 95)."""
    contest_read: int = 3
    """Number of notes, and of turns, that are read then (ADR 95)."""
    former_share: float = 0.5
    """Share of a newer note's strength from which the older one comes first that is asked for, in (0, 1] (ADR 84)."""
    siblings: float = 0.5
    """Overlap of two notes from which on they are siblings if the newer tells no change, in [0, 1] (ADR 84)."""
    speaker_gain: float = 0.15
    """Bonus of a memory whose speaker the query names."""
    asking_loss: float = 0.1
    """Loss of a memory that ends by asking, where the query asks too, ``>= 0``."""
    date_gain: float = 0.5
    """Bonus of a memory whose date the query names."""
    time_alone: float = 2.0
    """Times that gain, where a query names nothing but a time."""
    latest_gain: float = 0.3
    """Bonus of the newest of the candidates over the oldest, when the query asks for the latest."""
    held_share: float = 0.3
    """Share of that gain for what was noted before a date, and may have held then."""
    date_scale_days: float = 7.0
    """Days after which the gain of a date has fallen to 1/e."""
    edge_weights: Mapping[str, float] = field(default_factory=_edge_weights)
    """Factor per relationship type; a type that is not named passes nothing."""
    decay_rates: Mapping[str, float] = field(default_factory=_decay_rates)
    """Base decay per day and stratum."""
    utility_factors: Mapping[str, float] = field(default_factory=_utility_factors)
    """Share of its decay that a memory of Q = 1 is spared, by stratum, each in [0, 1]."""


@dataclass(frozen=True, slots=True)
class UtilityWeights:
    """Weights that turn rewards into a utility, and weigh it beside relevance.

    The literal form of *Memory Utility Learning System* has ``prior_count`` and ``deviation_floor`` 0
    and an infinite ``z_limit``.
    """

    learning_rate: float = 0.1
    """The step of a whole reward, in (0, 1]."""
    context_learning_rate: float = 0.05
    """The same of an estimate in a context, in (0, 1]."""
    neutral: float = 0.5
    """The utility at which a memory passes on exactly what it has, in (0, 1]."""
    prior_count: float = 2.0
    """Rewards' worth of trust in what a memory is taken to be worth without them, ``>= 0``; at 0 the
    utility is Q."""
    lender_prior_count: float = 10.0
    """Rewards' worth of trust in the initial value beside what strategies and concepts lend, ``>= 0``."""
    context_prior_count: float = 2.0
    """Rewards' worth of trust in the utility at large beside that in a context, ``>= 0``."""
    normalization: Normalization = "z-score"
    """Method that brings relevance and utility to one scale."""
    deviation_floor: float = 0.1
    """Least standard deviation in a z-score, ``>= 0``."""
    z_limit: float = 3.0
    """Clip of a z-score, ``> 0``."""
    exploration: Exploration = "none"
    """Method that gives little-known memories a chance."""
    exploration_weight: float = 0.1
    """Weight of the bonus of an upper confidence bound, ``>= 0``."""


@dataclass(frozen=True, slots=True)
class RetrievalWeights:
    """Weights of the retrieval of attempts.

    Chosen on halves of three kinds of data that no reported figure is measured on, as round numbers on
    a plateau: GSM8K, airline conversations, and problems of four domains (ADR 26, 43 and 82).
    """

    cue_least: int = 3
    """Fewest problems of a pool with a cue for the cue to count."""
    cue_prior_count: float = 10.0
    """Problems' worth of trust in what holds of all problems beside what a cue tells, ``> 0``."""
    cue_share: float = 0.05
    """Share of what each cue tells by itself: cues hang together, so it is small; ``>= 0``."""
    vote_power: float = 3.0
    """Power of a problem's similarity in the vote on strategies, ``>= 0``."""
    sharpness: float = 1.0
    """Rate at which each action more or less lowers the likeness of two strategies, ``>= 0``."""
    shape_gain: float = 1.0
    """Weight of likeness in shape in the logarithm of the vote for an attempt, ``>= 0``."""
    vote_share: float = 0.2
    """Power of the vote beside inverse distance, where shape tells how problems are solved, ``>= 0``."""
    distance_loss: float = 0.9
    """Loss of the power of inverse distance there, in [0, 1]; elsewhere the power is 1."""
    least_distance: float = 0.005
    """One minus the cosine that counts as no distance, ``> 0``."""
    recurrence: tuple[float, float] = (0.25, 0.5)
    """Shares of solved problems whose strategy solved another too, between which shape begins to tell."""
    shape_lift: float = 1.2
    """Ratio at which problems of like shape share a strategy more often, for shape to tell all, ``> 1``."""
    neighbour: int = 4
    """Rank of the problem whose distance shows whether the nearest one stands out, ``> 1``."""
    crowd: tuple[float, float] = (1.15, 1.3)
    """Ratios of its distance to the least, between which nearness takes over from shape."""
    reach: float = 2.0
    """Times the least distance beyond which shape does not lift a problem, ``>= 1``."""
    reach_power: float = 4.0
    """Exponent of the fall beyond that distance where shape tells all, ``>= 0``."""
    failed_share: float = 0.6
    """Worth of a failed attempt beside a right one that is as near, in [0, 1]."""
    repeat_share: float = 0.8
    """Share of an attempt's relevance that is left for each chosen one at the same problem, in [0, 1]."""
    concept_gain: float = 0.2
    """Bonus of an attempt from a concept that was drawn from it, times the concept's nearness."""
    hop_share: float = 0.5
    """Share of a problem's nearness that is left where another problem led to it, in [0, 1]."""
    balance: float = 0.85
    """λ of maximal marginal relevance where shape tells all, in [0, 1]; where it tells nothing, 1."""
    failures: int = 1
    """Places kept for instructive failures among the results, at most."""
    places_per_failure: int = 5
    """Places that there must be for each that is kept for a failure, ``> 0``."""
    other_problem_share: float = 0.5
    """Worth of a failure at another problem beside one at the same, in [0, 1]."""
