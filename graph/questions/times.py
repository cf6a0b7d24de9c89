"""Parsing of named spans of time, in the time zone of a given present.

A week begins on Monday. The last week, month, quarter or year is the one before the present one;
the past week and the last 7 days reach back from now.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.kernel.values import BEGINNING, END
from graph.kernel.words import MONTHS, WEEKDAYS
from graph.questions.numbers import COUNT, count_of
from graph.questions.words import ORDINAL

_MONTHS = {
    name[:length]: number for number, name in enumerate(MONTHS, 1) for length in (3, len(name))
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
# *may* and *march* are verbs, unless *in* or the like stands before them
_PLAIN_MONTH = "|".join(sorted(set(_MONTHS) - {"may", "mar", "march"}, key=len, reverse=True))
UNIT = r"minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?"
_CLOCK = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_IN_DAYS = {"day": 1, "week": 7, "fortnight": 14}

# a point is a span; the preposition decides which of its ends is meant
_POINT = (
    rf"(?P<iso>\d{{4}}-\d{{2}}-\d{{2}}{_CLOCK})"
    r"|(?P<yearmonth>\d{4}-\d{2})(?![-\d])"
    r"|(?P<before>the\s+day\s+before\s+yesterday)"
    r"|the\s+(?P<beforelast>week|month|quarter|year)\s+before\s+last"
    r"|(?P<near>today|yesterday|now)"
    rf"|(?P<ago>{COUNT})\s+(?P<agounit>{UNIT})\s+ago"
    rf"|(?:the\s+)?(?:last|past|previous)\s+(?P<back>{COUNT})\s+(?P<backunit>{UNIT})"
    r"|(?:the\s+)?(?P<which>this|current|last|previous|past)\s+"
    r"(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)"
    r"|q(?P<quarter>[1-4])(?:\s+(?:of\s+)?(?P<quarteryear>\d{4}))?"
    rf"|(?:last\s+|this\s+)?(?P<weekday>{'|'.join(WEEKDAYS)})"
    rf"|(?:the\s+)?(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?(?P<daymonth>{_MONTH})\b\.?,?(?:\s+(?P<dayyear>\d{{4}}))?"
    rf"|(?P<monthday>{_MONTH})\.?\s+(?:the\s+)?(?P<theday>\d{{1,2}}){_ORDINAL}\b(?!\d),?(?:\s+(?P<theyear>\d{{4}}))?"
    rf"|(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?(?P<monthyear>\d{{4}})"
)
_LED_POINT = (
    rf"{_POINT}|(?:last\s+)?(?P<baremonth>{_MONTH})|(?:(?:the\s+)?year\s+)?(?P<year>(?:19|20)\d\d)"
)
_BARE_POINT = rf"{_POINT}|(?:last\s+)?(?P<baremonth>{_PLAIN_MONTH})"


def _anchored(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})(?![\w-])", re.IGNORECASE)


_AT = _anchored(_LED_POINT)
_BARE = _anchored(_BARE_POINT)
_LEAD = re.compile(
    r"(?:(?P<since>since|starting(?:\s+(?:on|from))?|as\s+of)"
    r"|(?P<until>until|till|by|up\s+to|through)"
    r"|(?P<before>before|prior\s+to|earlier\s+than)"
    r"|(?P<after>after|later\s+than|newer\s+than)"
    r"|(?P<pair>between|from)"
    r"|(?P<within>in|on|during|from|for|over|within|of|at))(?P<including>\s+and\s+including)?\s+",
    re.IGNORECASE,
)
# a side of a date, and words that only say how exactly it is meant
_SIDE_LEFT = re.compile(
    r"(?<![\w-])(?:since|until|till|before|after|prior\s+to|(?:earlier|later|newer)\s+than|between|by)[\s:]+"
    rf"(?:(?:the|an?|about|around|roughly|approximately|circa|exactly|at\s+least|at\s+most|maybe|perhaps|of|first|{ORDINAL}|\d+"
    r"|morning|afternoon|evening|night)[\s~]+)*$",
    re.IGNORECASE,
)
_INCLUSIVE = re.compile(r",?\s+(?:inclusive(?:ly)?|included)(?!\w)", re.IGNORECASE)
_YEARLESS = re.compile(rf"(?:{_MONTH})\b(?!.*\d{{4}})", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|–|to|until|till|through|and)\s*", re.IGNORECASE)
_ONWARDS = re.compile(r"\s+(?:on|onwards?)(?!\w)", re.IGNORECASE)


_DAYS_OF = re.compile(
    rf"(?:(?:between|from)\s+)?(?:the\s+)?(?P<first>\d{{1,2}}){_ORDINAL}\s*(?:-|–|to|and|until)\s*(?:the\s+)?(?P<last>\d{{1,2}}){_ORDINAL}"
    rf"\s+(?:of\s+)?(?P<month>{_MONTH})(?![\w-])\.?,?(?:\s+(?P<year>\d{{4}}))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, ``start`` included, ``end`` not."""

    start: datetime = BEGINNING
    end: datetime = END


def read_span(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a span at a place of a text; return it and its end, or None."""
    if (days := _DAYS_OF.match(text, place)) and (found := _days_of(days, now)):
        return found, _end_inclusive(text, days.end())
    lead = _LEAD.match(text, place)
    if lead is None:
        return _point(_BARE, text, place, now)
    found = _point(_AT, text, lead.end(), now)
    if found is None:
        return None
    if lead["pair"]:
        found = _pair(text, lead, *found, now)
    if found is None:
        return None
    end = _end_inclusive(text, found[1])
    return _side(lead, found[0], is_included=bool(lead["including"] or end > found[1])), end


def _end_inclusive(text: str, end: int) -> int:
    """Return the end of a time, with a following *inclusive*."""
    behind = _INCLUSIVE.match(text, end)
    return behind.end() if behind else end


def _side(lead: re.Match[str], span: Span, *, is_included: bool) -> Span:
    """Return the half-open span on the side that a preposition names, which may include the point."""
    if lead["since"] or lead["after"]:
        return Span(span.start if lead["since"] or is_included else span.end)
    if lead["until"] or lead["before"]:
        return Span(BEGINNING, span.end if lead["until"] or is_included else span.start)
    return span


def is_sided(text: str, place: int) -> bool:
    """Return whether words before a date refer to one of its sides: `before about` 5 November.

    Then the date itself is not meant, unless it has a preposition of its own (`worked before in May`).
    """
    lead = _LEAD.match(text, place)
    is_own = lead is not None and not lead[0].lower().startswith("of")
    return not is_own and _SIDE_LEFT.search(text, 0, place) is not None


def read_invalid_day(text: str, place: int, now: datetime) -> int | None:
    """Return the end of a day that does not exist, such as 31 February; None if there is none."""
    lead = _LEAD.match(text, place)
    match = _AT.match(text, lead.end() if lead else place)
    return match.end() if match and _span_of(match, now) is None else None


def _days_of(match: re.Match[str], now: datetime) -> Span | None:
    """Return the span of two days of one month: 12 to 14 November."""
    try:
        first, last = (
            _month_day(match["month"], match[name], match["year"], now)
            for name in ("first", "last")
        )
    except ValueError:
        return None
    # the 14th has not come yet, so last year's is meant: then the 12th is of that year, too
    start = first.start if first.start < last.end else first.start.replace(year=last.start.year)
    return Span(start, last.end)


def _pair(
    text: str, lead: re.Match[str], span: Span, end: int, now: datetime
) -> tuple[Span, int] | None:
    """Read a span from one point to another; `from` alone means the point itself."""
    word, start = lead["pair"].lower(), span.start
    if onwards := _ONWARDS.match(text, end):
        return (Span(span.start), onwards.end()) if word == "from" else None
    between = _TO.match(text, end)
    other = _point(_AT, text, between.end(), now) if between else None
    if other is not None:
        if other[0].end <= start and _YEARLESS.search(text[lead.end() : end]):
            start = moved(start, "year", -1)  # from November to March
        return Span(start, other[0].end), other[1]
    return (span, end) if word == "from" else None


def _point(
    pattern: re.Pattern[str], text: str, place: int, now: datetime
) -> tuple[Span, int] | None:
    match = pattern.match(text, place)
    span = _span_of(match, now) if match else None
    return None if match is None or span is None else (span, match.end())


def _span_of(match: re.Match[str], now: datetime) -> Span | None:
    groups = {name: value for name, value in match.groupdict().items() if value}
    try:
        for name, read in _READERS.items():
            if name in groups:
                return read(groups, now)
    except (ValueError, OverflowError):
        return None  # no such day, or one before the first year
    return None


def _iso(groups: dict[str, str], now: datetime) -> Span:
    at = datetime.fromisoformat(groups["iso"].upper().replace(" ", "T"))
    at = at if at.tzinfo else at.replace(tzinfo=now.tzinfo)
    if len(groups["iso"]) == len("2025-10-01"):
        return calendar_unit("day", at)
    return Span(at, at)


def _year_month(groups: dict[str, str], now: datetime) -> Span:
    year, month = groups["yearmonth"].split("-")
    return calendar_unit("month", _midnight(now, int(year), int(month)))


def _near(groups: dict[str, str], now: datetime) -> Span:
    word = groups["near"].lower()
    if word == "now":
        return Span(now, now)
    return calendar_unit("day", now if word == "today" else moved(now, "day", -1))


def _ago(groups: dict[str, str], now: datetime) -> Span:
    unit = groups["agounit"].lower().rstrip("s")
    at = moved(now, unit, -count_of(groups["ago"]))
    return Span(at, at) if unit in ("minute", "hour") else calendar_unit("day", at)


def _back(groups: dict[str, str], now: datetime) -> Span:
    unit = groups["backunit"].lower().rstrip("s")
    return Span(moved(now, unit, -count_of(groups["back"])), now)


def _unit(groups: dict[str, str], now: datetime) -> Span:
    which, unit = groups["which"].lower(), groups["unit"].lower()
    # *the last hour* reaches up to now, *last month* is one of the calendar; a calendar has no fortnights
    if (
        which == "past"
        or unit == "fortnight"
        or (which == "last" and unit in ("minute", "hour", "day"))
    ):
        return Span(moved(now, unit, -1), now)
    this = calendar_unit(unit, now)
    return (
        this if which in ("this", "current") else calendar_unit(unit, moved(this.start, unit, -1))
    )


def _weekday(groups: dict[str, str], now: datetime) -> Span:
    back = (now.weekday() - WEEKDAYS.index(groups["weekday"].lower())) % 7
    # said on a Monday, *Monday* is that of last week
    return calendar_unit("day", moved(now, "day", -(back or 7)))


def _month_day(month: str, day: str, year: str | None, now: datetime) -> Span:
    number = _MONTHS[month.lower()]
    at = _midnight(now, int(year or now.year), number, int(day))
    if year is None and at > now:
        at = at.replace(year=now.year - 1)
    return calendar_unit("day", at)


def _month(groups: dict[str, str], now: datetime) -> Span:
    number = _MONTHS[(groups.get("month") or groups["baremonth"]).lower()]
    year = int(groups["monthyear"]) if "monthyear" in groups else now.year
    if "monthyear" not in groups and number > now.month:
        year -= 1
    return calendar_unit("month", _midnight(now, year, number))


def _quarter(groups: dict[str, str], now: datetime) -> Span:
    month = 3 * int(groups["quarter"]) - 2
    year = int(groups["quarteryear"]) if "quarteryear" in groups else now.year
    if "quarteryear" not in groups and month > now.month:
        year -= 1
    return calendar_unit("quarter", _midnight(now, year, month))


_READERS: dict[str, Callable[[dict[str, str], datetime], Span]] = {
    "iso": _iso,
    "yearmonth": _year_month,
    "before": lambda _groups, now: calendar_unit("day", moved(now, "day", -2)),
    "beforelast": lambda g, now: calendar_unit(g["beforelast"], moved(now, g["beforelast"], -2)),
    "near": _near,
    "ago": _ago,
    "back": _back,
    "which": _unit,
    "quarter": _quarter,
    "weekday": _weekday,
    "daymonth": lambda g, now: _month_day(g["daymonth"], g["day"], g.get("dayyear"), now),
    "monthday": lambda g, now: _month_day(g["monthday"], g["theday"], g.get("theyear"), now),
    "month": _month,
    "baremonth": _month,
    "year": lambda g, now: calendar_unit("year", _midnight(now, int(g["year"]), 1)),
}


def _midnight(now: datetime, year: int, month: int, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=now.tzinfo)


def calendar_unit(unit: str, at: datetime) -> Span:
    """Return the calendar's day, week, month, quarter or year (or minute, hour) around a time."""
    if unit in ("minute", "hour"):
        start = at.replace(second=0, microsecond=0)
        start = start if unit == "minute" else start.replace(minute=0)
    else:
        start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        start = moved(start, "day", -start.weekday())
    elif unit == "month":
        start = start.replace(day=1)
    elif unit == "quarter":
        start = start.replace(day=1, month=start.month - (start.month - 1) % 3)
    elif unit == "year":
        start = start.replace(day=1, month=1)
    return Span(start, moved(start, unit, 1))


def moved(at: datetime, unit: str, by: int) -> datetime:
    """Move a time by whole units of the calendar; a day that a month lacks becomes its last."""
    if unit in ("minute", "hour"):
        return at + timedelta(**{f"{unit}s": by})
    if unit in _IN_DAYS:
        return at + timedelta(days=by * _IN_DAYS[unit])
    months = at.month - 1 + by * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = at.year + months // 12, months % 12 + 1
    for day in range(at.day, 27, -1):
        try:
            return at.replace(year=year, month=month, day=day)
        except ValueError:
            continue
    return at.replace(year=year, month=month)
