"""Surprise of an event, against an expectation and against what is known, and its type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from graph.scoring.retention import HIGHEST_IMPORTANCE

if TYPE_CHECKING:
    from graph.scoring.differences import Difference, Value
    from graph.scoring.momentum import Familiarity, Ground, Measured, SurpriseWeights
    from graph.scoring.relevance import Floats

SurpriseType = Literal[
    "prediction_failure",
    "novel_pattern",
    "anomaly",
    "context_mismatch",
    "performance_deviation",
    "unexpected_error",
    "unexpected_success",
]
Ending = Literal["success", "failure"]
_OfPath = Callable[[str, str], bool]

_STATUS = frozenset({"status", "state", "outcome", "result", "ok", "success", "succeeded"})
_GOOD = frozenset({"success", "succeeded", "ok", "passed", "done", "complete", "completed", "true"})
_BAD = frozenset(
    {"failure", "failed", "fail", "error", "errored", "timeout", "timed_out", "crashed", "false"}
)
ENDINGS = _GOOD | _BAD
"""Words that tell of a success or of a failure."""
_ERRORS = ("error", "errors", "exception", "traceback")
_PERFORMANCE = (
    "duration", "latency", "time", "second", "_ms", "cost", "token", "accuracy", "score", "rate",
    "throughput", "memory_", "speed", "retries", "attempts",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Comparison:
    """An event laid beside what was expected, and beside what is known."""

    expected: Value
    """None for nothing."""
    actual: Value
    violation: Measured | None
    """Surprise of the event against the expectation; None without one."""
    novelty: Measured | None
    """Surprise of the event against what is known; None where that was not asked."""
    difference: Difference | None
    """By which paths the two differ; None without an expectation."""

    def decisive(self) -> tuple[Measured, Ground]:
        """Return the more surprising side, of equals the expectation, and what decided there.

        Raises
        ------
        ValueError
            If neither side was measured.
        """
        sides = [side for side in (self.violation, self.novelty) if side is not None]
        if not sides:
            raise ValueError("neither an expectation nor what is known was compared")
        # of equals the expectation, as it stands first
        side = max(sides, key=lambda side: side.surprise)
        return side, side.ground if side is self.violation else "novelty"


@dataclass(frozen=True, slots=True)
class Surprise:
    """Surprise of an event, with all parts of its explanation."""

    score: float
    """In [0, 1), after what is familiar about it was taken off."""
    surprising: bool
    type: SurpriseType
    ground: Ground
    threshold: float
    familiarity: float
    """Factor in (0, 1] by which earlier surprises of this kind have dulled it."""
    violation: Measured | None
    """Against an expectation; None where there was none."""
    novelty: Measured | None
    """Against what is known; None where that was not asked."""
    difference: Difference | None


def novelty(similarities: Floats) -> float:
    """Novelty of an event: its distance from everything known.

    Computes ``1 − max(cos)``, negative cosines as 0.

    Parameters
    ----------
    similarities
        Cosines with what is known, shape ``(n,)``, each in [-1, 1].

    Returns
    -------
    float
        In [0, 1], no shape; 1 where nothing is known.

    Raises
    ------
    ValueError
        If a similarity is no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Surprise Metrics" (novelty detection).

    Examples
    --------
    >>> novelty(np.array([0.25, -0.5])), novelty(np.zeros(0))
    (0.75, 1.0)
    """
    if np.isnan(similarities).any():
        raise ValueError("a similarity must be a number")
    return float(1.0 - np.clip(similarities.max(initial=0.0), 0.0, 1.0))


def surprise(
    compared: Comparison, *, familiar: Familiarity, at: float, weights: SurpriseWeights
) -> Surprise:
    """Surprise of an event from both sides, dulled by earlier ones of its kind.

    Computes ``max(violation, novelty)/(1 + f·r)`` with ``r`` the repeats that are not yet forgotten.

    Parameters
    ----------
    compared
        The event beside what was expected and what is known.
    familiar
        Earlier surprises of the same kind.
    at
        The present, in days.
    weights
        What makes an event surprising.

    Returns
    -------
    Surprise
        The score in [0, 1), whether it passes the threshold, its type and its parts; no shape.

    Raises
    ------
    ValueError
        If neither side was measured.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator".

    Examples
    --------
    >>> from graph.scoring.momentum import *
    >>> weights = SurpriseWeights()
    >>> new = measured(1.0, usual(Momentum(), None, at=0.0, weights=weights), weights=weights)
    >>> compared = Comparison(None, "aurora", violation=None, novelty=new, difference=None)
    >>> found = surprise(compared, familiar=Familiarity(), at=0.0, weights=weights)
    >>> found.surprising, found.type, round(found.score, 2)
    (True, 'novel_pattern', 0.8)
    """
    decisive, ground = compared.decisive()
    dulled = 1.0 / (1.0 + weights.familiarity * familiar.at(at, weights))
    score = decisive.surprise * dulled
    return Surprise(
        score=score,
        surprising=score > weights.threshold,
        type=surprise_type(
            compared.expected, compared.actual, ground=ground, difference=compared.difference
        ),
        ground=ground,
        threshold=weights.threshold,
        familiarity=dulled,
        violation=compared.violation,
        novelty=compared.novelty,
        difference=compared.difference,
    )


def surprise_type(
    expected: Value, actual: Value, *, ground: Ground, difference: Difference | None
) -> SurpriseType:
    """Type of a surprise: the first rule that holds.

    A failure where none was expected is ``unexpected_error``, a success where a failure was
    ``unexpected_success``; what novelty decided is ``novel_pattern``; where at least half of the difference
    comes from what is missing, of another type or under ``context`` it is ``context_mismatch``, from numbers of
    performance ``performance_deviation``; what the deviation decided, or other numbers, is ``anomaly``; all
    else is ``prediction_failure``.

    Parameters
    ----------
    expected
        What was expected; None for nothing.
    actual
        What happened.
    ground
        What decided the score.
    difference
        By which paths the two differ; None without an expectation.

    Returns
    -------
    str
        One of ``SurpriseType``; no shape.

    Raises
    ------
    ValueError
        Never; every event has a type.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator".

    Examples
    --------
    >>> surprise_type({"status": "success"}, {"status": "failed"}, ground="quotient", difference=None)
    'unexpected_error'
    """
    hoped, ended = ending(expected), ending(actual)
    # an ending tells more than numbers: it is looked at first
    if ended == "failure" and hoped != "failure":
        return "unexpected_error"
    if ended == "success" and hoped == "failure":
        return "unexpected_success"
    if ground == "novelty":
        return "novel_pattern"
    if _share(difference, _of_context) >= 0.5:
        return "context_mismatch"
    if _share(difference, _of_performance) >= 0.5:
        return "performance_deviation"
    if ground == "deviation" or _share(difference, lambda _path, kind: kind == "number") >= 0.5:
        return "anomaly"
    return "prediction_failure"


def ending(value: Value) -> Ending | None:
    """Say whether a value tells of a success or of a failure.

    Looks at ``error`` first, then at fields such as ``status``.

    Parameters
    ----------
    value
        A value as JSON has it.

    Returns
    -------
    str or None
        ``success`` or ``failure``, no shape; None where it tells of neither.

    Raises
    ------
    ValueError
        Never; what is not understood tells of neither.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Example 3: Surprise-Based Encoding".

    Examples
    --------
    >>> ending({"status": "ok"}), ending({"error": "no route"}), ending("Tuesday")
    ('success', 'failure', None)
    """
    if not isinstance(value, dict):
        return _word_of_ending(value)
    fields = {str(key).casefold(): one for key, one in cast("dict[object, Value]", value).items()}
    # an error beside *status: ok* is a failure
    if any(fields.get(name) for name in _ERRORS):
        return "failure"
    told = [
        found for name in _STATUS if name in fields and (found := _word_of_ending(fields[name]))
    ]
    # one field that failed is enough
    if "failure" in told:
        return "failure"
    return "success" if told else None


def matching(made_at: Floats, confidence: Floats, *, at: float, within: float) -> int:
    """Find the prediction that an outcome answers where none was named.

    Takes the most confident with ``0 <= t − made <= within``, of equals the latest.

    Parameters
    ----------
    made_at
        When each prediction was made, in days, shape ``(n,)``.
    confidence
        How sure each was, shape ``(n,)``, each in [0, 1].
    at
        When the outcome came, in days.
    within
        Days that a prediction stands for, ``>= 0``.

    Returns
    -------
    int
        Its place, no shape; -1 where none fits.

    Raises
    ------
    ValueError
        If the columns differ in length.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Surprise Metrics" (expectation violation).

    Examples
    --------
    >>> matching(np.array([1.0, 2.0, 9.0]), np.array([0.5, 0.9, 1.0]), at=3.0, within=2.0)
    1
    """
    if made_at.shape != confidence.shape:
        raise ValueError(f"shapes differ: {made_at.shape} and {confidence.shape}")
    age = at - made_at
    fits = np.flatnonzero((age >= 0) & (age <= within))
    if not len(fits):
        return -1
    # lexsort takes its last key first: confidence, then age; of equals the latest
    return int(fits[np.lexsort((-fits, age[fits], -confidence[fits]))[0]])


def raised_importance(importance: int, score: float, *, weights: SurpriseWeights) -> int:
    """Importance that a surprising event is stored with.

    Computes ``⌈i + (5 − i)·(s − θ)/(1 − θ)⌉`` above the threshold ``θ``, at least 1 more, so that what barely
    surprises rises by one; where ``literal``, ``min(round(i·(1 + s)), 5)``.

    Parameters
    ----------
    importance
        What it would have been stored with, ``i`` in [1, 5].
    score
        How surprising it was, ``s`` in [0, 1].
    weights
        What makes an event surprising.

    Returns
    -------
    int
        In [importance, 5]; no shape.

    Raises
    ------
    ValueError
        If either is out of its range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator", Formula.

    Examples
    --------
    >>> from graph.scoring.momentum import SurpriseWeights
    >>> [raised_importance(3, score, weights=SurpriseWeights()) for score in (0.5, 0.75, 0.9)]
    [3, 4, 5]
    """
    highest = int(HIGHEST_IMPORTANCE)
    if not (1 <= importance <= highest and 0 <= score <= 1):
        raise ValueError(f"importance {importance} or surprise {score} is out of range")
    if weights.literal:
        return min(round(importance * (1.0 + score)), highest)
    if score <= weights.threshold:
        return importance
    above = (score - weights.threshold) / (1.0 - weights.threshold)
    raised = ceil(importance + (highest - importance) * above)
    # one more at least: what barely surprises is kept a little better
    return min(max(raised, importance + 1), highest)


def initial_q(
    score: float, *, weights: SurpriseWeights, neutral: float = 0.5, gain: float = 0.2
) -> float:
    """Q that a memory of a surprising event begins with.

    Computes ``n + g·(s − θ)/(1 − θ)`` above the threshold ``θ``, ``n`` below it.

    Parameters
    ----------
    score
        How surprising it was, in [0, 1].
    weights
        What makes an event surprising.
    neutral
        The Q of what nothing is known of, in [0, 1].
    gain
        What the greatest surprise adds, in [0, 1 − neutral].

    Returns
    -------
    float
        In [neutral, 1]; no shape.

    Raises
    ------
    ValueError
        If the surprise is out of its range.

    References
    ----------
    *Memory Utility Learning System*, Q-value initialisation.

    Examples
    --------
    >>> from graph.scoring.momentum import SurpriseWeights
    >>> initial_q(0.85, weights=SurpriseWeights()), initial_q(0.5, weights=SurpriseWeights())
    (0.6, 0.5)
    """
    if not 0 <= score <= 1:
        raise ValueError(f"surprise {score} is out of range")
    above = max(score - weights.threshold, 0.0)
    return neutral + gain * above / max(1.0 - weights.threshold, above, 1e-9)


def _word_of_ending(value: Value) -> Ending | None:
    if not isinstance(value, str | bool):
        return None
    word = str(value).strip().casefold()
    if word in _GOOD:
        return "success"
    return "failure" if word in _BAD else None


def _share(difference: Difference | None, of: _OfPath) -> float:
    if difference is None:
        return 0.0
    return sum(one.share for one in difference.contributions if of(one.path.casefold(), one.kind))


def _of_context(path: str, kind: str) -> bool:
    return kind in ("missing", "type") or path.startswith("context")


def _of_performance(path: str, kind: str) -> bool:
    last = path.rpartition(".")[2]
    return kind == "number" and any(word in last for word in _PERFORMANCE)
