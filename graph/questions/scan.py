"""Position in a question, and its draft."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.questions import patterns
from graph.questions.drafts import Draft
from graph.questions.words import named_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from graph.model.episodes.questions import Vocabulary

    Named = tuple[re.Pattern[str], Mapping[str, str]] | None


@dataclass(slots=True)
class Scan:
    """A question, how far it was read, and the names that occur in the episodes asked about."""

    text: str
    now: datetime
    domains: Named
    models: Named
    agents: Named
    actions: Named
    tags: Named
    draft: Draft
    place: int = 0
    contrasts: bool = False
    start: int = 0
    """Place of the clause that an aside belongs to."""
    last: frozenset[str] = frozenset()
    """Kinds of what the last clause read."""

    @classmethod
    def of(
        cls, text: str, now: datetime, vocabulary: Vocabulary, *, contrasts: bool = False
    ) -> Scan:
        """Begin to read a question."""
        return cls(
            text,
            now,
            named_pattern(vocabulary.domains, plural=True),
            named_pattern(vocabulary.models),
            named_pattern(vocabulary.agents),
            named_pattern([*vocabulary.actions, *patterns.ACTION_FORMS]),
            named_pattern(vocabulary.tags, plural=True),
            Draft(),
            contrasts=contrasts,
        )

    def match(self, pattern: re.Pattern[str], place: int | None = None) -> re.Match[str] | None:
        """Match here, or at a place."""
        return pattern.match(self.text, self.place if place is None else place)

    def named(self, names: Named, place: int) -> tuple[str, int] | None:
        """Read one of some names at a place, as it is stored, and where it ends."""
        match = self.match(names[0], place) if names else None
        if names is None or match is None:
            return None
        return names[1][" ".join(re.split(r"[\s_-]+", match["name"].lower()))], match.end()

    def aside(self, place: int) -> Scan:
        """Return another reading from a place on, which leaves this one as it is."""
        names = (self.domains, self.models, self.agents, self.actions, self.tags)
        return Scan(self.text, self.now, *names, Draft(), place)
