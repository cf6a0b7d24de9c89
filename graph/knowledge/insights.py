"""Insights: derived from patterns and errors, and judged by later evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np

from graph.knowledge.ledger import ARROW, key_of, name_words
from graph.knowledge.tool_memory import solutions_of
from graph.model.knowledge.executions import (
    MOST_EVIDENCE,
    ErrorCounts,
    Evidence,
    Insight,
    Pattern,
    Share,
)
from graph.scoring.confidence import shrunk_share

LEAST_USES = 5
LEAST_RATE = 0.9
COMMON_ERROR = 0.1
COMMON_CONFIDENCE, RARE_CONFIDENCE = 0.8, 0.5
LEAST_CONFIDENCE = 0.4
STRENGTH = 10.0  # weight of the prior, in observations
_LEAST_ERRORS = 3
_JUDGED = 5  # later observations from which an insight counts as judged
_LEAST_HELD = 0.6
BY_SYSTEM = "system"


def from_patterns(
    patterns: Sequence[Pattern], now: datetime, new_uid: Callable[[], str]
) -> list[tuple[Insight, str]]:
    """Derive a best practice from each pattern with 5 uses and a success rate above 0.9; with the key of the pattern."""
    insights: list[tuple[Insight, str]] = []
    for pattern in patterns:
        # errors become warnings in `from_errors`
        if pattern.pattern_type == "error_pattern" or pattern.uses < LEAST_USES:
            continue
        if pattern.success_rate <= LEAST_RATE:
            continue
        text = f'Using pattern "{pattern.pattern}" has {pattern.success_rate:.0%} success rate'
        # a query template does not say what to do, its steps do
        if pattern.pattern_type == "query_pattern" and pattern.steps:
            steps = ARROW.join(pattern.steps)
            won, lost = pattern.ways.get(steps, (pattern.successes, pattern.failures))
            text += f": {steps} ({won} of {won + lost})"
        insight = Insight(
            uid=new_uid(),
            key=key_of("pattern", pattern.key),
            insight_type="best_practice",
            insight=text,
            rule=f"{pattern.pattern_type}:{pattern.pattern}",
            origin="pattern",
            contexts=[pattern.context] if pattern.context else [],
            evidence=[
                each._replace(description="Successful execution")
                for each in pattern.evidence
                if each.outcome == "success"
            ],
            prior=pattern.success_rate,
            seen_uses=pattern.uses,
            seen_successes=pattern.successes,
            created_at=now,
            words=f"{text} {pattern.words}",
        )
        insights.append((insight, pattern.key))
    return insights


def from_errors(
    errors: Sequence[tuple[ErrorCounts, int]], now: datetime, new_uid: Callable[[], str]
) -> list[tuple[Insight, str]]:
    """Derive a warning from each error with 3 uses: confidence 0.8 above a tenth of the tool's calls, else 0.5."""
    insights: list[tuple[Insight, str]] = []
    for error, calls in errors:
        if error.uses < _LEAST_ERRORS:
            continue
        solutions = solutions_of(error)
        solution = solutions[0] if solutions else "none is known"
        text = f"Common error: {error.tool}: {error.error}. Solution: {solution}"
        insight = Insight(
            uid=new_uid(),
            key=key_of("error", error.key),
            insight_type="warning",
            insight=text,
            rule=f"tool:{error.tool}",
            origin="error",
            contexts=[each for each in error.contexts if each],
            conditions={},
            evidence=list(error.evidence),
            prior=COMMON_CONFIDENCE
            if error.uses / max(calls, 1) > COMMON_ERROR
            else RARE_CONFIDENCE,
            # of calls: later ones without the error count against the warning
            seen_uses=calls,
            seen_successes=error.uses,
            created_at=now,
            words=f"{text} {name_words(error.tool)}",
        )
        insights.append((insight, error.key))
    return insights


def refresh(old: Insight, made: Insight) -> None:
    """Add what the source of an insight counted since as evidence, and update its text and numbers."""
    # counts may shrink: an import may be withdrawn
    uses = max(0, made.seen_uses - old.seen_uses)
    successes = min(uses, max(0, made.seen_successes - old.seen_successes))
    if old.origin == "error":
        # the warning is confirmed by errors, contradicted by fewer than expected
        expected = COMMON_ERROR if old.prior >= COMMON_CONFIDENCE else COMMON_ERROR / 5
        confirmed = successes
        old.confirmed += confirmed
        old.contradicted += round(max(0.0, uses * expected - confirmed))
    else:
        old.confirmed += successes
        old.contradicted += uses - successes
    old.seen_uses, old.seen_successes = made.seen_uses, made.seen_successes
    old.insight, old.words, old.contexts = made.insight, made.words, made.contexts
    old.evidence = made.evidence


def judge(insights: Sequence[Insight], held: Mapping[str, Share], now: datetime) -> list[str]:
    """Update the confidence of each insight by its evidence; return the keys of refuted ones.

    The prior is shrunk towards the share of judged insights of the same origin that held.
    """
    for insight in insights:
        insight.confidence = _confidence(insight, held)
        insight.evidence_strength = strength_of(insight)
        insight.last_updated = now
        judged = insight.confirmed + insight.contradicted
        # the verdict of a person stays until clear evidence against it
        by_person = insight.validated and insight.validated_by != BY_SYSTEM
        if by_person and insight.confidence >= LEAST_CONFIDENCE:
            continue
        held_more = insight.confirmed > insight.contradicted
        if judged >= _JUDGED and held_more and insight.confidence >= _LEAST_HELD:
            insight.validated, insight.validated_at, insight.validated_by = True, now, BY_SYSTEM
        else:
            insight.validated = False
    # only judged ones: a low prior alone is no refutation
    return [i.key for i in insights if i.confidence < LEAST_CONFIDENCE and _was_judged(i)]


def record_verdict(insight: Insight, *, holds: bool, by: str, now: datetime) -> None:
    """Record a verdict on an insight; it weighs as much as five observations."""
    insight.confirmed += _JUDGED * holds
    insight.contradicted += _JUDGED * (not holds)
    insight.validated = holds
    insight.validated_at, insight.validated_by = (now, by) if holds else (None, "")


def prior_of(insight: Insight, held: Mapping[str, Share]) -> float:
    """Return the prior of an insight, shrunk towards the share of its origin and type that held."""
    confirmed, refuted = held.get(origin_of(insight), (0, 0))
    return _shrunk(confirmed, confirmed + refuted, insight.prior)


def origin_of(insight: Insight) -> str:
    """Return origin and type of an insight, as one key."""
    return f"{insight.origin}:{insight.insight_type}"


def strength_of(insight: Insight) -> float:
    """Return the strength of the evidence, ``n/(n + 5)`` for ``n`` tasks for or against an insight."""
    seen = len(insight.evidence) + insight.confirmed + insight.contradicted
    return seen / (seen + _JUDGED)


def held_by_origin(insights: Sequence[Insight], dropped: Sequence[str]) -> dict[str, Share]:
    """Count judged insights by origin: those that held, and the refuted ones."""
    shares: dict[str, Share] = {}
    for insight in insights:
        if _was_judged(insight):
            held, refuted = shares.get(origin_of(insight), (0, 0))
            # a dropped one is refuted, whatever its confidence was
            is_refuted = insight.key in dropped or insight.confidence < _LEAST_HELD
            shares[origin_of(insight)] = (held + (not is_refuted), refuted + is_refuted)
    return shares


def add_evidence(insight: Insight, evidence: Sequence[Evidence]) -> None:
    """Add evidence of new tasks, and keep the latest."""
    known = {each.task_id for each in insight.evidence}
    insight.evidence += [each for each in evidence if each.task_id not in known]
    del insight.evidence[:-MOST_EVIDENCE]


def _was_judged(insight: Insight) -> bool:
    return insight.confirmed + insight.contradicted >= _JUDGED


def _confidence(insight: Insight, held: Mapping[str, Share]) -> float:
    judged = insight.confirmed + insight.contradicted
    return _shrunk(insight.confirmed, judged, prior_of(insight, held))


def _shrunk(confirmed: int, judged: int, prior: float) -> float:
    columns = [np.array([float(each)]) for each in (confirmed, judged, prior)]
    return float(shrunk_share(*columns, strength=STRENGTH)[0])
