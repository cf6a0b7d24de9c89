"""What a query says: the words that carry it, the speakers and the dates that it names.

Question words match every memory, names pull a vector towards whatever the named one said, and a
date is a place in time and not a word. So all three leave the text before it is embedded; names
stay among the words of the lexical arm.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import numpy as np

from graph.words import CHARACTER

if TYPE_CHECKING:
    from collections.abc import Collection

    from graph.model import Floats

_QUESTION_WORDS = frozenset(
    [
        "what",
        "when",
        "who",
        "whom",
        "whose",
        "where",
        "which",
        "why",
        "how",
        "did",
        "does",
        "do",
        "done",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "having",
        "would",
        "could",
        "should",
        "can",
        "may",
        "might",
        "will",
        "shall",
    ]
)
_STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    ]
)
_QUESTION_MARKS = ("?", "？", "؟")
_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?\s*(?P<month>{_MONTH})\b\.?,?\s*(?P<year>\d{{4}})?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d),?\s*(?P<year>\d{{4}})?",
    re.IGNORECASE,
)
_MONTH_ONLY = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.?,?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?", re.IGNORECASE
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b")
_ALSO_WORDS = frozenset({"may", "march", "mar"})
_WORD = re.compile(rf"\w{CHARACTER}*(?:['’.]{CHARACTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A day or a month that a query names; without a year it means every year."""

    month: int
    day: int | None
    year: int | None

    def span(self, year: int) -> tuple[float, float] | None:
        """Return first and last day since 1970, or None for a day that year lacks."""
        try:
            first = date(year, self.month, self.day or 1)
        except ValueError:
            return None
        last_day = self.day or calendar.monthrange(year, self.month)[1]
        start = float((first - date(1970, 1, 1)).days)
        return start, start + (last_day - first.day) + 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A query, taken apart."""

    text: str
    terms: tuple[str, ...]
    asks: bool
    speakers: frozenset[str]
    dates: tuple[NamedDate, ...]

    def spans(self, days: Floats) -> Floats:
        """Return the dates as spans of days, shape ``(d, 2)``, over the years of ``days``."""
        if not self.dates or not days.size:
            return np.zeros((0, 2))
        years = range(_year(days.min()), _year(days.max()) + 1)
        spans = [
            span
            for named in self.dates
            for year in ([named.year] if named.year else years)
            if (span := named.span(year))
        ]
        return np.array(spans, dtype=np.float64).reshape(-1, 2)


def understand(text: str, speakers: Collection[str]) -> Question:
    """Take a query apart; ``speakers`` are the names known in the caller's scopes.

    A speaker counts as named where the query holds a word of the name. Where all who speak are
    named, or nobody, no one stands out and the set is empty. If nothing is left of the text, it is
    kept as it was asked.
    """
    dates, rest = _take_dates(text)
    tokens = [_POSSESSIVE.sub("", match.lower()) for match in _WORD.findall(rest)]
    owners = _names(speakers)
    named = frozenset(name for token in tokens for name in owners.get(token, ()))
    words = [token for token in tokens if token not in _QUESTION_WORDS]
    carrying = [word for word in words if word not in owners and word not in _STOP_WORDS]
    terms = tuple(word for word in words if word not in _STOP_WORDS)
    return Question(
        text=" ".join(carrying) or text,
        terms=terms,
        asks=asks(text) or not _QUESTION_WORDS.isdisjoint(tokens[:1]),
        speakers=named if len(named) < len(set(speakers)) else frozenset(),
        dates=tuple(dates),
    )


def asks(text: str) -> bool:
    """Say whether a text ends by asking."""
    return text.rstrip().endswith(_QUESTION_MARKS)


def _names(speakers: Collection[str]) -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for speaker in speakers:
        for token in _WORD.findall(speaker.lower()):
            if len(token) > 1 and token not in _STOP_WORDS:
                owners.setdefault(token, []).append(speaker)
    return owners


def _take_dates(text: str) -> tuple[list[NamedDate], str]:
    dates: list[NamedDate] = []
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _MONTH_ONLY):
        for match in list(pattern.finditer(text)):
            named = _named_date(match)
            if named is not None:
                dates.append(named)
                blank = " " * (match.end() - match.start())
                text = text[: match.start()] + blank + text[match.end() :]
    return dates, text


def _named_date(match: re.Match[str]) -> NamedDate | None:
    groups = match.groupdict()
    word = groups["month"]
    month = int(word) if word.isdecimal() else _MONTHS[word.lower()]
    day = int(groups["day"]) if groups.get("day") else None
    bare = day is None and not groups["year"]
    if bare and word.lower() in _ALSO_WORDS and (word[0].islower() or match.start() == 0):
        return None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return NamedDate(month, day, int(groups["year"]) if groups["year"] else None)


def _year(day: float) -> int:
    return datetime.fromtimestamp(day * 86_400.0, UTC).year
