"""Insights: made from patterns and errors, and judged by what comes later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import numpy as np

from graph.knowledge.ledger import key_of, name_words
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
STRENGTH = 10.0  # observations that the confidence at first weighs
_FEWEST_ERRORS = 3
_JUDGED = 5  # later observations from which an insight counts as judged
_HELD = 0.6
BY_SYSTEM = "system"


def from_patterns(
    patterns: Sequence[Pattern], now: datetime, new_uid: Callable[[], str]
) -> list[tuple[Insight, str]]:
    """Make a best practice of each pattern with 5 uses and a success rate above 0.9; each with the pattern's key."""
    found: list[tuple[Insight, str]] = []
    for pattern in patterns:
        # a warning is made of errors themselves, below
        if pattern.pattern_type == "error_pattern" or pattern.uses < LEAST_USES:
            continue
        if pattern.success_rate <= LEAST_RATE:
            continue
        steps = (
            f": {' → '.join(pattern.steps)}"
            if pattern.pattern_type == "query_pattern" and pattern.steps
            # a template of a query says nothing of what to do; its steps do
            else ""
        )
        text = (
            f'Using pattern "{pattern.pattern}" has {pattern.success_rate:.0%} success rate{steps}'
        )
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
        found.append((insight, pattern.key))
    return found


def from_errors(
    errors: Sequence[tuple[ErrorCounts, int]], now: datetime, new_uid: Callable[[], str]
) -> list[tuple[Insight, str]]:
    """Make a warning of each error that came 3 times: confidence 0.8 above a tenth of the tool's calls, else 0.5."""
    found: list[tuple[Insight, str]] = []
    for error, calls in errors:
        if error.uses < _FEWEST_ERRORS:
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
            # a rare error warns too, but less surely
            prior=COMMON_CONFIDENCE
            if error.uses / max(calls, 1) > COMMON_ERROR
            else RARE_CONFIDENCE,
            # of calls: later ones without the error count against the warning
            seen_uses=calls,
            seen_successes=error.uses,
            created_at=now,
            words=f"{text} {name_words(error.tool)}",
        )
        found.append((insight, error.key))
    return found


def refreshed(old: Insight, made: Insight) -> None:
    """Judge an insight by what its source counted since, and let it say the present numbers."""
    # counts may shrink: a source may take back what it brought
    uses = max(0, made.seen_uses - old.seen_uses)
    successes = min(uses, max(0, made.seen_successes - old.seen_successes))
    if old.origin == "error":
        # An error that comes in a share of later calls as high as it was confirms the warning.
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
    """Set the confidence of each insight by its evidence; return the keys of those that go.

    A prior is drawn to the share of insights of its origin that held before, as many as were judged.
    """
    for insight in insights:
        insight.confidence = _confidence(insight, held)
        insight.evidence_strength = strength_of(insight)
        insight.last_updated = now
        judged = insight.confirmed + insight.contradicted
        # what a person said stays, until evidence speaks clearly against it
        by_somebody = insight.validated and insight.validated_by != BY_SYSTEM
        if by_somebody and insight.confidence >= LEAST_CONFIDENCE:
            continue
        held_more = insight.confirmed > insight.contradicted
        if judged >= _JUDGED and held_more and insight.confidence >= _HELD:
            insight.validated, insight.validated_at, insight.validated_by = True, now, BY_SYSTEM
        else:
            insight.validated = False
    # only what was judged goes: a low prior alone is no refutation
    return [i.key for i in insights if i.confidence < LEAST_CONFIDENCE and _was_judged(i)]


def told(insight: Insight, *, holds: bool, by: str, now: datetime) -> None:
    """Count what somebody says of an insight as much as makes one judged: five observations."""
    # what a person says weighs as much as five observations
    insight.confirmed += _JUDGED * holds
    insight.contradicted += _JUDGED * (not holds)
    insight.validated = holds
    insight.validated_at, insight.validated_by = (now, by) if holds else (None, "")


def prior_of(insight: Insight, held: Mapping[str, Share]) -> float:
    """Return the prior of an insight, drawn to how insights of its origin and type held."""
    kept, gone = held.get(origin_of(insight), (0, 0))
    return _shrunk(kept, kept + gone, insight.prior)


def origin_of(insight: Insight) -> str:
    """Name what kind of evidence made an insight."""
    return f"{insight.origin}:{insight.insight_type}"


def strength_of(insight: Insight) -> float:
    """Return the quality of the evidence: ``n/(n + 5)`` of the tasks that speak for or against an insight."""
    seen = len(insight.evidence) + insight.confirmed + insight.contradicted
    return seen / (seen + _JUDGED)


def held_share(insights: Sequence[Insight], dropped: Sequence[str]) -> dict[str, Share]:
    """Count by origin how many judged insights held, and how many did not."""
    found: dict[str, Share] = {}
    for insight in insights:
        if _was_judged(insight):
            kept, gone = found.get(origin_of(insight), (0, 0))
            # one that goes did not hold, whatever its confidence was
            went = insight.key in dropped or insight.confidence < _HELD
            found[origin_of(insight)] = (kept + (not went), gone + went)
    return found


def add_evidence(insight: Insight, evidence: Sequence[Evidence]) -> None:
    """Add evidence of tasks that are not there yet; the latest are kept."""
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
