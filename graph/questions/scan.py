"""Parser state: position in a question, known names, and draft."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graph.model.episodes.questions import Vocabulary
from graph.questions import patterns
from graph.questions.content import stem
from graph.questions.drafts import Draft
from graph.questions.words import named_pattern

Named = tuple[re.Pattern[str], Mapping[str, str]] | None

_INFLECTED = re.compile(r"[^\W\d_]+(?:ing|ed|e?s)(?!\w)(?:[\s_-]+[^\W\d_]+){0,2}", re.IGNORECASE)
_PARTING = re.compile(r"[\s_-]+")
_LAST_WORD = re.compile(r"[\s_-]*[^\W\d_]+$")


@dataclass(slots=True)
class Scan:
    """State of the parser of a question, with the names known from the episodes."""

    text: str
    now: datetime
    domains: Named
    models: Named
    agents: Named
    actions: Named
    tags: Named
    stems: Mapping[tuple[str, ...], str]
    """Actions by the stems of their words."""
    draft: Draft
    place: int = 0
    contrasts: bool = False
    start: int = 0
    """Start of the lookahead, if this is one."""
    last: frozenset[str] = frozenset()
    """Names of the fields that the last clause set."""

    @classmethod
    def of(
        cls, text: str, now: datetime, vocabulary: Vocabulary, *, contrasts: bool = False
    ) -> Scan:
        """Return the initial state for a question."""
        actions = [*vocabulary.actions, *patterns.ACTION_FORMS]
        return cls(
            text,
            now,
            named_pattern(vocabulary.domains, plural=True),
            named_pattern(vocabulary.models),
            named_pattern(vocabulary.agents),
            named_pattern(actions),
            named_pattern(vocabulary.tags, plural=True),
            # reversed: of two actions with the same stems the first stays
            {_stems(name): name for name in reversed(actions)},
            Draft(),
            contrasts=contrasts,
        )

    def match(self, pattern: re.Pattern[str], place: int | None = None) -> re.Match[str] | None:
        """Match a pattern at the position, or at another place."""
        return pattern.match(self.text, self.place if place is None else place)

    def named(self, names: Named, place: int) -> tuple[str, int] | None:
        """Read one of some names at a place; return its stored form and its end."""
        match = self.match(names[0], place) if names else None
        if names is None or match is None:
            return self._inflected(place) if names and names is self.actions else None
        return names[1][" ".join(_PARTING.split(match["name"].lower()))], match.end()

    def _inflected(self, place: int) -> tuple[str, int] | None:
        """Read an inflected action at a place: boiled, stirring, turned left."""
        match = self.match(_INFLECTED, place)
        words = match[0] if match else ""
        while words and _stems(words) not in self.stems:
            words = _LAST_WORD.sub("", words)
        return (self.stems[_stems(words)], place + len(words)) if words else None

    def aside(self, place: int) -> Scan:
        """Return a lookahead from a place on, with a draft of its own."""
        names = (self.domains, self.models, self.agents, self.actions, self.tags)
        return Scan(self.text, self.now, *names, self.stems, Draft(), place)


def _stems(words: str) -> tuple[str, ...]:
    return tuple(map(stem, _PARTING.split(words.lower())))
