"""Values of notes in one notation: *6 am* is *06:00*, *2,000 metres* are *2 km*."""

from __future__ import annotations

import re

from graph.kernel.units import unit_named

_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s?(?:(?P<half>[ap])\.?m)?")
_NUMBER = re.compile(r"\d[\d.,]*")
_ENGLISH = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<part>\d+))?")
_GERMAN = re.compile(r"(?P<whole>\d{1,3}(?:\.\d{3})+|\d+),(?P<part>\d+)")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?:\sof)?")


def canonical(kind: str, value: str) -> str:
    """Return a value of a statement in one notation, so that equal values are equal texts.

    Examples
    --------
    >>> canonical("time", "6 pm"), canonical("money", "5 dollars"), canonical("amount", "2,000 metres")
    ('18:00', '5 USD', '2000 length')
    >>> canonical("date", "may 3rd"), canonical("weekday", "fridays")
    ('3 may', 'friday')
    """
    if kind == "time":
        return _time(value)
    if kind == "date":
        return _date(value)
    number = _NUMBER.search(value)
    return value.rstrip("s") if number is None else _measured(kind, value, number)


def _time(value: str) -> str:
    clock = _CLOCK.match(value)
    if clock is None:
        return value
    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"] == "p" else 0)
    return f"{hour:02}:{clock['minute'] or '00'}"


def _date(value: str) -> str:
    day = _DAY.search(value)
    if day is None or value[:4].isdigit():
        return value
    month = (value[: day.start()] + value[day.end() :]).strip()
    return f"{int(day[1])} {month[:3]}".strip()


def _measured(kind: str, value: str, number: re.Match[str]) -> str:
    amount = _amount(number[0].rstrip(".,"))
    if amount is None:
        return value
    name = (value[: number.start()] + value[number.end() :]).strip()
    # of money, as pounds are a weight too
    unit = unit_named("GBP" if kind == "money" and name.startswith("pound") else name)
    if unit is None:
        return f"{amount:g} {name.rstrip('s')}".strip()
    return f"{unit.base(amount):g} {unit.dimension}"


def _amount(text: str) -> float | None:
    """Return the number of *2,000.5* or *2.000,5*; None for a version such as *3.11.2*."""
    found = _ENGLISH.fullmatch(text) or _GERMAN.fullmatch(text)
    if found is None:
        return None
    whole = re.sub(r"\D", "", found["whole"])
    return float(f"{whole}.{found['part'] or 0}")
