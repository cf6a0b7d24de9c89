"""Parsing of a recall's question: words, named speakers, and times.

The whole query is embedded as it was asked. Function words leave the lexical arm: they match every
memory and say nothing.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import numpy as np

from graph.condensing.acts import is_idle
from graph.kernel.values import Floats
from graph.kernel.words import CHARACTER, without_accents
from graph.languages.english import english
from graph.model.recall.candidates import Window
from graph.questions.content import FUNCTION_WORDS, content_words
from graph.questions.periods import Event, Periods, periods, relative_year
from graph.questions.times import Span
from graph.questions.words import is_foreign

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUESTION_MARKS = ("?", "？", "؟")
_ASKING = frozenset(
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
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "can",
        "could",
        "should",
        "would",
        "will",
        "may",
        "might",
        "shall",
    ]
)
_SECONDS_PER_DAY = 86_400.0
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
# *I may go* and *they march* name no month
_ALSO_WORDS = frozenset({"may", "march", "mar"})
_WORD = re.compile(rf"\w{CHARACTER}*(?:['’.]{CHARACTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")
# *What happens in July?* may be told by a plan of June
_HAPPENED = re.compile(r"\b(?:happened|did\b.*\bhappen)\b", re.IGNORECASE)
_TENSE = re.compile(
    r"\b(?:now|today|was|were|did|had|used|before|until|since|ago|yesterday|will|going)\b",
    re.IGNORECASE,
)
# what a question means anyway; not *until now*, *now that* or *now and then*
_NOW = re.compile(
    r"\s*\b(?<!\buntil )(?<!\btill )(?<!\bby )(?<!\bto )(?<!\bfrom )(?<!\bbefore )"
    r"(?:(?:right )?now(?! (?:that|and|on)\b)|nowadays|currently|these days|at the moment|at present)\b",
    re.IGNORECASE,
)
_ENDS = " ".join(_QUESTION_MARKS)
_BARE = 2  # words of a question that asks of nothing: *And then?*


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
        except ValueError:  # 29 February of a common year
            return None
        last_day = self.day or calendar.monthrange(year, self.month)[1]
        start = float((first - date(1970, 1, 1)).days)
        # the end is excluded: midnight after the last day
        return start, start + (last_day - first.day) + 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question.

    ``text`` is what it asks, without *now*; ``words`` are its content words, ``terms`` those of the lexical arm, ``windows`` the spans of days that
    it is about, ``event`` what happened at the edge of one; ``latest`` asks for the newest, ``former`` may ask for
    what no longer holds, and ``earlier`` asks for it by a word, such as *before*. A list of keywords is not ``phrased``;
    thanks, a greeting or *why?* is ``idle``: no memory answers it.
    """

    text: str
    terms: tuple[str, ...]
    asks: bool
    speakers: frozenset[str]
    dates: tuple[NamedDate, ...]
    words: tuple[str, ...] = ()
    windows: tuple[tuple[float, float], ...] = ()
    event: Event | None = None
    latest: bool = False
    former: bool = False
    earlier: bool = False
    phrased: bool = True
    idle: bool = False

    def spans(self, days: Floats) -> Floats:
        """Return the dates as spans of days, shape ``(d, 2)``, over the years of ``days``."""
        if not self.dates or not days.size:
            return np.zeros((0, 2))
        # a date without a year may be of any year that the pool has
        years = range(_year(days.min()), _year(days.max()) + 1)
        spans = [
            span
            for named in self.dates
            for year in ([named.year] if named.year else years)
            if (span := named.span(year))
        ]
        return np.array(spans, dtype=np.float64).reshape(-1, 2)

    @property
    def asking_now(self) -> str | None:
        """The question with *now* at its end; None where it asks for another time, or asks nothing."""
        # *Where did he live?* must not become *Where did he live now?* (ADR 84)
        timed = self.windows or self.latest or self.former or _TENSE.search(self.text)
        if timed or not asks(self.text):
            return None
        return f"{self.text.rstrip(_ENDS)} now?"

    @property
    def about_time(self) -> bool:
        """Return whether it asks for what happened at some time, and names nothing else."""
        return bool(self.windows) and not self.words

    @property
    def is_read(self) -> bool:
        """Return whether reading notes with it can tell what answers; the reader knows the glossaries' languages alone."""
        return not self.about_time and not is_foreign(self.text)

    @property
    def occurred(self) -> Window | None:
        """Time of what it asks for, if it asks for nothing else."""
        if len(self.windows) != 1 or not self.about_time:
            return None
        start, end = self.windows[0]
        return Window(_EPOCH + timedelta(days=start), _EPOCH + timedelta(days=end))

    @property
    def about_event(self) -> bool:
        """Return whether it asks for what happened at some time, not for what held then."""
        return self.about_time or _HAPPENED.search(self.text) is not None


def understand(text: str, speakers: Collection[str], now: datetime | None = None) -> Question:
    """Take a query apart; ``speakers`` are the names known in the caller's scopes.

    Relative times count from ``now``; without it only dates are read. A speaker counts as named where the
    query holds a word of the name. Where all who speak are named, or nobody, no one stands out and the set
    is empty. The text that is read is without *now*, which any note of a change seems to answer.
    """
    asked, text = text, english(text)
    foreign = () if text == asked else _terms(asked)
    text = _NOW.sub("", text).strip() if asks(text) else text
    dates, rest = _take_dates(text)
    if now and (year := relative_year(text, now)):
        dates = [replace(named, year=named.year or year) for named in dates]
    tokens = [_POSSESSIVE.sub("", match.lower()) for match in _WORD.findall(rest)]
    owners = _names(speakers)
    named = frozenset(name for token in tokens for name in owners.get(token, ()))
    told = periods(text, now) if now else None
    asking = asks(text) or (bool(tokens) and tokens[0] in _ASKING)
    terms = tuple(token for token in tokens if _carries(token))
    words = content_words(told.rest if told else rest)
    timed = bool(dates) or (told is not None and bool(told.spans or told.latest or told.event))
    return Question(
        text=text,
        # A name may read like function words of another language: Ha Noi.
        terms=tuple(dict.fromkeys((*(terms if terms or asking else tokens), *foreign))),
        asks=asking,
        # where all who speak are named, the gain would lift every turn alike
        speakers=named if len(named) < len(set(speakers)) else frozenset(),
        dates=tuple(dates),
        words=words,
        windows=tuple(_days(span) for span in told.spans) if told else (),
        event=told.event if told else None,
        latest=told is not None and told.latest,
        former=told is not None and now is not None and _asks_former(told, now),
        earlier=told is not None and told.former,
        # without a function word it is a list of keywords; among turns these are read less often
        # (ADR 78)
        phrased=asking or len(terms) < len(tokens),
        idle=is_idle(text) or (asking and not terms and not timed and len(tokens) <= _BARE),
    )


def _asks_former(told: Periods, now: datetime) -> bool:
    """Tell whether a question may be about what no longer holds: it asks for it, or for an earlier time."""
    before = told.event is not None and not told.event.after
    return told.former or before or any(span.end < now for span in told.spans)


def _terms(text: str) -> tuple[str, ...]:
    return tuple(token for token in _WORD.findall(text.lower()) if _carries(token))


def _carries(token: str) -> bool:
    return without_accents(token) not in FUNCTION_WORDS


def _days(span: Span) -> tuple[float, float]:
    """Return a span as days since 1970; an open end is far away."""
    start, end = (time.timestamp() / _SECONDS_PER_DAY for time in (span.start, span.end))
    return start, end


def asks(text: str) -> bool:
    """Say whether a text ends by asking."""
    return text.rstrip().endswith(_QUESTION_MARKS)


def _names(speakers: Collection[str]) -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for speaker in speakers:
        for token in _WORD.findall(speaker.lower()):
            # not an initial: the *J* of *J. Smith* stands in many questions
            if len(token) > 1 and _carries(token):
                owners.setdefault(token, []).append(speaker)
    return owners


def _take_dates(text: str) -> tuple[list[NamedDate], str]:
    dates: list[NamedDate] = []
    # from exact to vague: *3 May 2024* must not be taken for the month *May 2024*
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _MONTH_ONLY):
        for match in list(pattern.finditer(text)):
            named = _named_date(match)
            if named is not None:
                dates.append(named)
                # blanks in its place: the words on both sides must not grow together
                blank = " " * (match.end() - match.start())
                text = text[: match.start()] + blank + text[match.end() :]
    return dates, text


def _named_date(match: re.Match[str]) -> NamedDate | None:
    groups = match.groupdict()
    word = groups["month"]
    month = int(word) if word.isdecimal() else _MONTHS[word.lower()]
    day = int(groups["day"]) if groups.get("day") else None
    bare = day is None and not groups["year"]
    # *May* inside a sentence is the month; at its start, or in small letters, mostly the verb
    if bare and word.lower() in _ALSO_WORDS and (word[0].islower() or match.start() == 0):
        return None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return NamedDate(month, day, int(groups["year"]) if groups["year"] else None)


def _year(day: float) -> int:
    return datetime.fromtimestamp(day * 86_400.0, UTC).year
