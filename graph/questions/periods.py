"""Periods that a question names: days, months, "last week", "in early May", "since March", "the latest".

Of a month or a day without a year, the latest one that has begun is meant; where no memory is of that year,
the caller may look at the years before. Relative words count from a present that is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from graph.kernel.values import BEGINNING, END
from graph.questions.clocks import read_clock
from graph.questions.numbers import COUNT, count_of
from graph.questions.times import UNIT, Span, moved, read_span

_WORD_START = re.compile(r"(?<![\w-])\w")
_PART = re.compile(
    r"(?P<early>early|(?:the\s+)?(?:beginning|start)\s+of)[\s-]+"
    r"|(?P<mid>mid|(?:the\s+)?middle\s+of)[\s-]+"
    r"|(?P<late>late|(?P<end>(?:the\s+)?end\s+of))[\s-]+"
    r"|(?P<first>(?:the\s+)?first\s+half\s+of)\s+|(?P<second>(?:the\s+)?second\s+half\s+of)\s+",
    re.IGNORECASE,
)
_UNITS = re.compile(
    rf"(?:the\s+)?(?:(?P<nth>first|second|third|last)\s+(?:(?P<count>{COUNT})\s+)?(?P<unit>{UNIT}|weekend)"
    r"|(?P<whole>day|month|year)|week(?P<end>end)?)\s+of\s+(?:the\s+)?",
    re.IGNORECASE,
)
# *by the end of the month* is that of the present one; *at the end of the month* may be any
_THE_UNIT = re.compile(
    r"the\s+(?=(?:week|month|quarter|year)(?![\w-]|\s+(?:of|before)\b))", re.IGNORECASE
)
_PLACES = ("first", "second", "third")
_AGE = re.compile(
    rf"(?:(?P<older>older)|newer|younger)\s+than\s+(?P<count>{COUNT})\s+(?P<unit>{UNIT})(?:\s+old)?(?!\w)"
    rf"|(?:(?P<more>more)|less)\s+than\s+(?P<many>{COUNT})\s+(?P<units>{UNIT})\s+(?:ago|old)(?!\w)",
    re.IGNORECASE,
)
_WEEKEND = re.compile(
    r"(?:(?:over|at|on|during|from|in)\s+)?(?:(?:the\s+)?(?P<last>last|past|previous)|the|this)\s+weekend(?!\w|\s+of\b)",
    re.IGNORECASE,
)
_THAT_YEAR = r"(?P<which>last|this|previous)\s+year(?!\w)"
_ANY_YEAR = re.compile(rf"\b{_THAT_YEAR}", re.IGNORECASE)
_OF_YEAR = re.compile(rf",?\s+(?:of\s+)?{_THAT_YEAR}", re.IGNORECASE)
_YEAR_FIRST = re.compile(rf"{_THAT_YEAR},?\s+", re.IGNORECASE)
_LONGEST = 40  # characters of a time before its year
_DAY = timedelta(days=1)
_SEASON = re.compile(
    r"(?:the\s+)?(?:(?:last|this)\s+)?(?P<season>spring|summer|autumn|fall|winter)(?:\s+(?:of\s+)?(?P<year>\d{4}))?(?![\w-])",
    re.IGNORECASE,
)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_LEAD = re.compile(
    r"(?:in|at|on|over|around|during|from|(?P<since>since)|(?P<until>until|till|by)|(?P<before>before)|(?P<after>after))\s+(?:the\s+)?",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"\b(?:latest|newest|most\s+recent(?:ly)?|recently|lately|last\s+(?:thing|time|news|update|word|heard))\b",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:used\s+to|did(?:n['’]t)?\s(?:[\w'’]+\s){1,6}use\s+to|previous(?:ly)?|former(?:ly)?|originally|in\s+the\s+past|back\s+then|at\s+first|initially"
    r"|before\s*\?*\s*$|(?<!\w)(?:was|were|did|had)\s(?:[\w'’]+\s){1,6}(?:old|earlier)\s\w)",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?P<lead>since|after|before|until)\s+(?!when\b|what\b|which\b|how\b)(?P<event>(?:(?:the|his|her|their|my|our)\s+)?[^\W\d_][\w'’ -]*?)\s*[?.!,]*\s*$",
    re.IGNORECASE,
)
_SEASON_LEAD = re.compile(r"(?:in|during|over)\s+|(?=(?:last|this)\s)", re.IGNORECASE)
_PARTS = {
    "early": (0, 1, 3),
    "mid": (1, 2, 3),
    "late": (2, 3, 3),
    "first": (0, 1, 2),
    "second": (1, 2, 2),
}
"""Start and end of a part, and the number of parts of the span."""


class Event(NamedTuple):
    """An event that a question names, and whether it asks for the time after it."""

    text: str
    after: bool


@dataclass(frozen=True, slots=True)
class Periods:
    """Periods that a question names; ``rest`` is its text without them.

    ``latest`` asks for the newest relevant memories, ``former`` for superseded ones.
    """

    spans: tuple[Span, ...]
    rest: str
    latest: bool = False
    former: bool = False
    event: Event | None = None


def periods(text: str, now: datetime) -> Periods:
    """Read the temporal expressions of a question.

    Examples
    --------
    >>> from datetime import datetime, UTC
    >>> found = periods("What happened in early May?", datetime(2026, 6, 2, tzinfo=UTC))
    >>> [(span.start.day, span.end.day) for span in found.spans], found.rest
    ([(1, 11)], 'What happened ?')
    """
    spans: list[Span] = []
    rest, end = "", 0
    for span, start, stop in _find_spans(text, now):
        spans.append(span)
        rest += text[end:start]
        end = stop
    rest += text[end:]
    # with a named time, *since* and *before* belong to it
    event = None if spans else _event(rest)
    return Periods(
        tuple(spans),
        " ".join(rest.split()),
        latest=_LATEST.search(rest) is not None,
        former=_FORMER.search(rest) is not None,
        event=event,
    )


def relative_year(text: str, now: datetime) -> int | None:
    """Return the year that a text names relative to the present: last year; None where it names none."""
    year = _ANY_YEAR.search(text)
    return _number(year, now) if year else None


def _number(year: re.Match[str], now: datetime) -> int:
    return now.year - (year["which"].lower() != "this")


def read_period(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read the period that a text names at a place, and where it ends there; None where it names none."""
    return next((found for read in _READERS if (found := read(text, place, now))), None)


def _find_spans(text: str, now: datetime) -> Iterator[tuple[Span, int, int]]:
    place = 0
    while begin := _WORD_START.search(text, place):
        read = read_period(text, begin.start(), now)
        if read is None:
            place = begin.end()
            continue
        span, place = read
        # a moment, such as *now*, is no period
        if span.start < span.end:
            yield span, begin.start(), place


def _of_year(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a time of a year that is told relative to the present: August of last year, last year in August."""
    year = _YEAR_FIRST.match(text, place) or _OF_YEAR.search(text, place, place + _LONGEST)
    if year is None:
        return None
    begin, end = place, year.start()
    if end == place:
        read = read_period(text, year.end(), now)
        if read is None:
            return None
        begin, end = year.end(), read[1]
    written = f"{text[:end]} {_number(year, now)}"
    read = read_period(written, begin, now)
    if read is None or read[1] != len(written):
        return None
    return read[0], max(end, year.end())


def _part(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a third or a half of a span: in early May, the end of last month, the first half of 2026."""
    lead = _LEAD.match(text, place)
    part = _PART.match(text, lead.end() if lead else place)
    if part is None or part.lastgroup is None:
        return None
    is_sided = lead is not None and any(lead.groupdict().values())
    whole = _THE_UNIT.match(text, part.end()) if is_sided else None
    of = "in this " if whole else "in "
    read = read_span(of + text[whole.end() if whole else part.end() :], 0, now)
    if read is None or read[0].start == BEGINNING or read[0].end == END:
        return None
    span, stop = read[0], read[1] - len(of) + (whole.end() if whole else part.end())
    low, high, parts = _PARTS[part.lastgroup]
    length = (span.end - span.start) / parts
    # in whole days: a third of a month must not end at some hour
    if length >= timedelta(days=1):
        length = timedelta(days=round(length / timedelta(days=1)))
    end = span.end if high == parts else span.start + high * length
    start = span.start + low * length
    if part["end"] and lead and lead["before"]:
        start = end  # *before the end of May* is all of May too
    return _sided(lead, Span(start, end)), stop


def _sided(lead: re.Match[str] | None, span: Span) -> Span:
    """Return the span on the side that a preposition names: since early May, before the last week."""
    if lead is None:
        return span
    if lead["since"] or lead["after"]:
        return Span(span.start if lead["since"] else span.end)
    if lead["until"] or lead["before"]:
        return Span(BEGINNING, span.end if lead["until"] else span.start)
    return span


def _units(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read units of a span: the last ten days of May, the second week of 2026, the weekend of 3 May."""
    lead = _LEAD.match(text, place)
    units = _UNITS.match(text, lead.end() if lead else place)
    read = read_span(f"in {text[units.end() :]}", 0, now) if units else None
    if units is None or read is None:
        return None
    found = _units_of(read[0], units)
    return (_sided(lead, found), units.end() + read[1] - len("in ")) if found else None


def _units_of(span: Span, units: re.Match[str]) -> Span | None:
    """Return units of a span, counted from one of its ends, or the week around a day."""
    if units["whole"]:
        return span
    if units["nth"] is None:
        start = span.start - span.start.weekday() * _DAY
        week = Span(start + 5 * _DAY if units["end"] else start, start + 7 * _DAY)
        return week if span.end - span.start == _DAY else None
    nth, unit = units["nth"].lower(), units["unit"].lower().removesuffix("s")
    count = count_of(units["count"] or "1")
    if unit == "weekend":
        return _nth_weekend(span, nth) if count == 1 else None
    try:
        if nth == "last":
            return Span(max(span.start, moved(span.end, unit, -count)), span.end)
        start = moved(span.start, unit, count * _PLACES.index(nth))
        found = Span(start, min(span.end, moved(start, unit, count)))
    except (ValueError, OverflowError):
        return None  # more than the calendar has
    return found if found.start < found.end else None


def _nth_weekend(span: Span, nth: str) -> Span | None:
    """Return the weekend whose Saturday is the first, second, third or last of a span."""
    first = span.start + (5 - span.start.weekday()) % 7 * _DAY
    weeks = (span.end - _DAY - first).days // 7 if nth == "last" else _PLACES.index(nth)
    start = first + 7 * weeks * _DAY
    return Span(start, start + 2 * _DAY) if span.start <= start < span.end else None


def _age(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read an age: older than 30 days, less than two weeks old."""
    age = _AGE.match(text, place)
    if age is None:
        return None
    unit = (age["unit"] or age["units"]).lower().removesuffix("s")
    edge = moved(now, unit, -count_of(age["count"] or age["many"]))
    return (Span(BEGINNING, edge) if age["older"] or age["more"] else Span(edge)), age.end()


def _weekend(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read the most recent weekend; *last* means one that is over."""
    weekend = _WEEKEND.match(text, place)
    if weekend is None:
        return None
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    start = today - (today.weekday() - 5) % 7 * _DAY
    if weekend["last"] and start + 2 * _DAY > now:
        start -= 7 * _DAY
    return Span(start, start + 2 * _DAY), weekend.end()


def _season(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a season of the northern hemisphere, from the first of its first month on."""
    lead = _SEASON_LEAD.match(text, place)
    season = _SEASON.match(text, lead.end()) if lead else None
    if season is None:
        return None
    month = _SEASONS[season["season"].lower()]
    year = int(season["year"] or now.year)
    start = now.replace(year=year, month=month, day=1, hour=0, minute=0, second=0, microsecond=0)
    if season["year"] is None and start > now:
        start = start.replace(year=year - 1)
    end_month = (month + 2) % 12 + 1
    end = start.replace(year=start.year + (end_month <= 3), month=end_month)
    return Span(start, end), season.end()


def _event(text: str) -> Event | None:
    found = _EVENT.search(text)
    if found is None:
        return None
    return Event(found["event"], after=found["lead"].lower() in ("since", "after"))


# parts before what they are of: *early May* must not be read as *May*
_READERS = (_of_year, _part, _units, _season, read_clock, _age, _weekend, read_span)
