"""Measures of knowledge: reuse, tool selection, errors, insights, response time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from cachetools import LRUCache

from graph.kernel.scope import Caller
from graph.model.knowledge.executions import BaseState
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import UseCase, watched

_LATEST = 1_000
_SCOPES = 256


@dataclass(frozen=True, slots=True)
class MonthOfKnowledge:
    """Executions of a month, and shares of them and of their calls."""

    month: str
    executions: int
    success_rate: float
    reuse_rate: float
    tool_accuracy: float
    error_rate: float


@dataclass(frozen=True, slots=True)
class KnowledgeSuccess:
    """Measures of knowledge, in total and by month."""

    executions: int
    reuse_rate: float
    tool_accuracy: float
    error_reduction: float
    insight_confidence: float
    response_ms: float
    months: tuple[MonthOfKnowledge, ...]


@dataclass(slots=True)
class ResponseTimes:
    """Milliseconds of this process's latest queries."""

    latest: deque[float] = field(default_factory=lambda: deque[float](maxlen=_LATEST))

    @property
    def p95(self) -> float:
        """The 95th percentile; 0 without a query."""
        ordered = sorted(self.latest)
        return ordered[int(0.95 * (len(ordered) - 1))] if ordered else 0.0


class Weighed(NamedTuple):
    """Sums over insights: confidence times strength of evidence, and strength."""

    confidence: float
    weight: float


@dataclass(frozen=True, slots=True)
class AnalyseKnowledge(UseCase):
    """Measure the knowledge of all scopes that a caller reads."""

    store: KnowledgeStore
    times: ResponseTimes
    _kept: LRUCache[tuple[str, datetime | None], Weighed] = field(
        default_factory=lambda: LRUCache(_SCOPES)
    )

    @watched("knowledge_analytics")
    async def __call__(self, caller: Caller) -> KnowledgeSuccess:
        """Return the measures."""
        bases = await self.store.bases(caller.readable)
        months = _months(bases)
        rates = [each.error_rate for each in months]
        found = [await self._weighed(base) for base in bases]
        weighed, weight = sum(each.confidence for each in found), sum(each.weight for each in found)
        total = _month("", _summed([row for base in bases for row in base.months.values()]))
        return KnowledgeSuccess(
            executions=sum(base.executions for base in bases),
            reuse_rate=total.reuse_rate,
            tool_accuracy=total.tool_accuracy,
            # relative to the first month; 0 without errors in it
            error_reduction=1.0 - rates[-1] / rates[0] if rates and rates[0] else 0.0,
            insight_confidence=weighed / weight if weight else 0.0,
            response_ms=self.times.p95,
            months=months,
        )

    async def _weighed(self, base: BaseState) -> Weighed:
        """Return the sums of a scope's insights, cached until a writer locks the scope."""
        key = (base.scope, base.asked_at)
        # the lock of a writer changes `asked_at`
        if key not in self._kept:
            insights = await self.store.insights(base.scope)
            weights = [each.evidence_strength for each in insights]
            total = sum(i.confidence * w for i, w in zip(insights, weights, strict=True))
            self._kept[key] = Weighed(total, sum(weights))
        return self._kept[key]


def _months(bases: Sequence[BaseState]) -> tuple[MonthOfKnowledge, ...]:
    names = sorted({name for base in bases for name in base.months})
    return tuple(
        _month(name, _summed([base.months[name] for base in bases if name in base.months]))
        for name in names
    )


def _summed(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * 6


def _month(name: str, row: Sequence[int]) -> MonthOfKnowledge:
    runs, won, reused, steps, failed, retries = row
    # a retried call was not right at first
    smooth = max(0, steps - failed - retries)
    return MonthOfKnowledge(
        name,
        runs,
        won / max(runs, 1),
        reused / max(runs, 1),
        smooth / max(steps, 1),
        failed / max(steps, 1),
    )
