"""Time from which a note says that it holds: *From 1 July the booster is 68 euros*."""

from __future__ import annotations

import re
from datetime import datetime

from graph.kernel.words import WEEKDAYS
from graph.languages.english import english
from graph.questions.periods import read_period
from graph.questions.times import calendar_unit, moved
from graph.replacing.statements import LONGEST, MOMENT, ONSET

_MOMENT = re.compile(MOMENT, re.IGNORECASE)
_LEAD = re.compile(r"(?:(?P<next>next|coming)|(?P<last>last)|this|the)\s", re.IGNORECASE)
_UNIT = re.compile(r"week|month|quarter|year", re.IGNORECASE)
_WEEKDAY = re.compile("|".join(WEEKDAYS), re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")


def onset(text: str, at: datetime) -> datetime | None:
    """Return the time after ``at`` from which a note of that time says that it holds; None if it names none.

    Of a day or a month without a year the nearest is meant.

    Examples
    --------
    >>> from datetime import UTC
    >>> june = datetime(2026, 6, 17, tzinfo=UTC)
    >>> onset("From 1 July the booster is 68 euros.", june), onset("As of March the choir meets in room 7.", june)
    (datetime.datetime(2026, 7, 1, 0, 0, tzinfo=datetime.timezone.utc), None)
    """
    said = ONSET.search(english(text[:LONGEST]))
    moment = _MOMENT.search(said[0]) if said else None
    if moment is None:
        return None
    named, is_next = moment[0].lower(), False
    while lead := _LEAD.match(named):
        if lead["last"]:
            return None
        named, is_next = named[lead.end() :], is_next or lead["next"] is not None
    start = _start(named, at, is_next=is_next)
    return start if start is not None and start > at else None


def _start(named: str, at: datetime, *, is_next: bool) -> datetime | None:
    if named == "tomorrow":
        return moved(calendar_unit("day", at).start, "day", 1)
    if _UNIT.fullmatch(named):
        return calendar_unit(named, at).end if is_next else None
    # *in* lets a bare year be read too
    read = read_period(named, 0, at) or read_period(f"in {named}", 0, at)
    if read is None:
        return None
    start = read[0].start
    if _WEEKDAY.fullmatch(named):
        return moved(start, "day", 7)
    if start > at or _YEAR.search(named):
        return start
    following = moved(start, "year", 1)
    return following if is_next or following - at < at - start else start
