"""Parsing of hours and parts of a day: before noon yesterday, this morning, between 14:00 and 16:30."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from graph.questions.times import Span, read_span

_CLOCK = (
    r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap])\.?m\b\.?|(?P<hour24>\d{1,2}):(?P<minute24>\d{2})"
    r"|(?P<named>noon|midday|midnight))"
)
_AT = re.compile(_CLOCK, re.IGNORECASE)
_BY_CLOCK = re.compile(
    rf"(?:(?P<before>before|until|till|by)|after|since|from)\s+{_CLOCK}", re.IGNORECASE
)
_FROM_DAY = re.compile(r"(?P<before>before|until|till)\s+|(?:after|since|from)\s+", re.IGNORECASE)
# not *10:00-11:00*, which is a span
_AT_CLOCK = re.compile(
    rf"\s*,?\s+(?:at\s+)?{_CLOCK}(?!\s*(?:-|–|to|until|till|and)\s*\d)(?!\w)", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:between|from)\s+", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|to|until|till|[-–])\s*", re.IGNORECASE)
_THEN = re.compile(r"\s+(?:on\s+)?", re.IGNORECASE)
_PART = r"(?P<part>morning|afternoon|evening)(?!\w)"
_DAYTIME = re.compile(rf"\s+(?:in\s+the\s+)?{_PART}", re.IGNORECASE)
_THIS = re.compile(rf"(?:(?:from|during|in|since)\s+)?this\s+{_PART}", re.IGNORECASE)
_OF = re.compile(rf"(?:(?:from|during|in|on)\s+)?(?:the\s+)?{_PART}\s+of\s+", re.IGNORECASE)
_DAYTIMES = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24)}
_DAY = timedelta(days=1)


def read_clock(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a part of a day, by default of today; return its span and its end."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if this := _THIS.match(text, place):
        return _daytime(this, Span(today, today + _DAY)), this.end()
    if part := _OF.match(text, place):
        read = _day(text, part.end(), now)
        return (_daytime(part, read[0]), read[1]) if read else None
    if moment := _side_of_moment(text, place, now):
        return moment
    if hours := _hours(text, place):
        clocks, end = hours
        lead = _THEN.match(text, end)
        read = _day(text, lead.end(), now) if lead else None
        day, end = read or (Span(today, today + _DAY), end)
        return _within(clocks, day), end
    return _day_with_time(text, place, now)


def read_hours(text: str, place: int, now: datetime) -> int | None:
    """Return the end of hours without a day; None if there are none."""
    hours = _hours(text, place)
    lead = _THEN.match(text, hours[1]) if hours else None
    return hours[1] if hours and not (lead and _day(text, lead.end(), now)) else None


def _side_of_moment(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a half-open span from or to an hour of a day: since 20 November 10:00."""
    lead = _FROM_DAY.match(text, place)
    day = _day(text, lead.end(), now) if lead else None
    clock = _AT_CLOCK.match(text, day[1]) if day else None
    if lead is None or day is None or clock is None:
        return None
    at = day[0].start + _since_midnight(clock)
    return (Span(end=at) if lead["before"] else Span(at)), clock.end()


def _day_with_time(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    """Read a day with a following part or hours: yesterday morning, yesterday after 15:00."""
    day = read_span(text, place, now)
    if day is None or not _is_day(day[0]):
        return None
    if part := _DAYTIME.match(text, day[1]):
        return _daytime(part, day[0]), part.end()
    lead = _THEN.match(text, day[1])
    hours = _hours(text, lead.end()) if lead else None
    return (_within(hours[0], day[0]), hours[1]) if hours else None


def _day(text: str, place: int, now: datetime) -> tuple[Span, int] | None:
    # with *on* before it, every form of a day is read
    read = read_span(f"on {text[place:]}", 0, now)
    return (read[0], place + read[1] - len("on ")) if read and _is_day(read[0]) else None


def _is_day(span: Span) -> bool:
    return span.end - span.start == _DAY


def _daytime(part: re.Match[str], day: Span) -> Span:
    first, last = (timedelta(hours=hour) for hour in _DAYTIMES[part["part"].lower()])
    return Span(day.start + first, day.start + last)


_Clocks = tuple[timedelta, timedelta]


def _hours(text: str, place: int) -> tuple[_Clocks, int] | None:
    """Read a range of hours of a day; return it and its end."""
    lead = _BETWEEN.match(text, place)
    first = _AT.match(text, lead.end()) if lead else None
    joint = _AND.match(text, first.end()) if first else None
    last = _AT.match(text, joint.end()) if joint else None
    if first and last:
        return (_since_midnight(first), _since_midnight(last)), last.end()
    side = _BY_CLOCK.match(text, place)
    if side is None:
        return None
    at = _since_midnight(side)
    return ((timedelta(0), at) if side["before"] else (at, _DAY)), side.end()


def _since_midnight(clock: re.Match[str]) -> timedelta:
    """Return the time since midnight, at most a day."""
    hour = int(clock["hour"] or clock["hour24"] or (12 if clock["named"] != "midnight" else 0))
    if clock["half"]:
        hour = hour % 12 + 12 * (clock["half"].lower() == "p")
    minute = int(clock["minute"] or clock["minute24"] or 0)
    return min(timedelta(hours=hour, minutes=minute), _DAY)


def _within(clocks: _Clocks, day: Span) -> Span:
    return Span(day.start + clocks[0], day.start + clocks[1])
