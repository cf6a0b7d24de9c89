"""State of a question while it is parsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graph.kernel.values import BEGINNING, END
from graph.model.episodes.questions import (
    EpisodeGrouping,
    EpisodeMeasure,
    EpisodeOrder,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A closed interval of numbers; None is an open end."""

    low: float | None = None
    high: float | None = None

    def meet(self, other: Bounds) -> Bounds:
        """Return the intersection."""
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return Bounds(max(lows, default=None), min(highs, default=None))


_LISTS = (
    *("verdicts", "domains", "models", "agents", "sessions", "problems"),
    *("tags_any", "tags_all", "actions_any", "actions_all"),
    *("verdicts_not", "domains_not", "models_not", "agents_not", "sessions_not", "problems_not"),
    *("tags_none", "actions_none"),
)
_SINGLE = ("occurred_from", "occurred_to", "measure", "compared", "by", "order", "limit", "own")


@dataclass(slots=True)
class Draft:
    """Draft of a question, filled by the clause parsers."""

    verdicts: list[Verdict] = field(default_factory=list["Verdict"])
    domains: list[str] = field(default_factory=list[str])
    models: list[str] = field(default_factory=list[str])
    agents: list[str] = field(default_factory=list[str])
    sessions: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])
    tags_any: list[str] = field(default_factory=list[str])
    tags_all: list[str] = field(default_factory=list[str])
    actions_any: list[str] = field(default_factory=list[str])
    actions_all: list[str] = field(default_factory=list[str])
    verdicts_not: list[Verdict] = field(default_factory=list["Verdict"])
    domains_not: list[str] = field(default_factory=list[str])
    models_not: list[str] = field(default_factory=list[str])
    agents_not: list[str] = field(default_factory=list[str])
    sessions_not: list[str] = field(default_factory=list[str])
    problems_not: list[str] = field(default_factory=list[str])
    tags_none: list[str] = field(default_factory=list[str])
    actions_none: list[str] = field(default_factory=list[str])
    bounds: dict[str, Bounds] = field(default_factory=dict[str, Bounds])
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    measure: EpisodeMeasure | None = None
    compared: EpisodeMeasure | None = None
    by: EpisodeGrouping | None = None
    order: EpisodeOrder | None = None
    limit: int | None = None
    divergence: bool = False
    nothing: bool = False
    not_all: bool = False
    own: bool = False
    said: dict[str, str] = field(default_factory=dict[str, str])
    words: list[str] = field(default_factory=list[str])
    left: list[str] = field(default_factory=list[str])
    """Search words that stand alone, without a word that introduces a topic."""
    unread: list[str] = field(default_factory=list[str])

    def narrow(self, name: str, bounds: Bounds) -> None:
        """Intersect the bounds of a field."""
        self.bounds[name] = bounds.meet(self.bounds.get(name, Bounds()))

    def within(self, start: datetime, end: datetime) -> bool:
        """Intersect the span of time, or join an adjacent one (`May and June`); return whether it was added.

        A moment is not added, nor a disjoint span, unless both are half-open: since one time, until an earlier one.
        """
        if start == end:
            return False
        begin, stop = self.occurred_from or start, self.occurred_to or end
        sides = [one == BEGINNING or two == END for one, two in ((begin, stop), (start, end))]
        low, high = max(start, begin), min(end, stop)
        is_outside = begin < stop and start < end and low >= high
        if is_outside and not any(sides) and (start == stop or end == begin):
            low, high = min(start, begin), max(end, stop)
        elif is_outside and not all(sides):
            return False
        self.occurred_from, self.occurred_to = low, high
        return True

    def kinds(self) -> Mapping[str, object]:
        """Return the fields read so far, by name; lists as their lengths."""
        counts = {name: len(getattr(self, name)) for name in _LISTS}
        others = {name: getattr(self, name) for name in _SINGLE}
        return {**counts, **others, **self.bounds}
