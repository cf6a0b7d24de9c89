"""Numbers in words and signs, and the spans of numbers that people name."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from graph.kernel.words import SMALL_NUMBERS
from graph.questions.drafts import Bounds

_WORDS = {**SMALL_NUMBERS, "twenty": 20}
_COUNTS = _WORDS | {"a": 1, "an": 1, "couple": 2, "few": 3, "dozen": 12}
_NAMED = "|".join(sorted(_WORDS, key=len, reverse=True))
COUNT = rf"(?:\d[\d,]*|{_NAMED}|an?(?:\s+(?:couple|few|dozen))?(?:\s+of)?|couple\s+of|few)"
"""Pattern of a whole number in digits or words."""

_ONE_OF = r"an?(?=\s+(?:second|minute|hour)\b)"
_THOUSANDS = rf"(?:(?:{_NAMED}|an?)\s+|\d+\s*)(?:thousand|hundred)(?!\w)"
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_FRACTIONS = (
    rf"(?:(?:{_NAMED}|an?|\d+)\s+and\s+)?(?:(?:{_NAMED}|an?|\d+)[\s-]+)?(?:{'|'.join(_PARTS)})s?(?:\s+of)?"
    r"(?:\s+an?(?=\s+(?:second|minute|hour)\b))?(?!\w)|\d+/[1-9]\d*"
)
_NUMBER = rf"(?:{_THOUSANDS}|{_FRACTIONS}|\d[\d,]*(?:\.\d+)?(?:k|\s*%|\s+per\s?cent)?|\.\d+%?|(?:{_NAMED})(?!\w)|{_ONE_OF})"
_LESS = r"fewer\s+than|less\s+than|(?:lower|smaller|shorter|faster|quicker|cheaper)\s+than|under|below|<(?!=)"
_MORE = r"more\s+than|greater\s+than|(?:higher|larger|bigger|longer|slower)\s+than|over|above|exceeding|>(?!=)"
_AT_MOST = (
    r"at\s+most|no\s+more\s+than|not\s+more\s+than|a?\s*max(?:imum)?(?:\s+of)?"
    r"|up\s+to(?:\s+and\s+including)?|within|<=|≤"
)
_AT_LEAST = r"at\s+least|no\s+(?:less|fewer)\s+than|not\s+(?:less|fewer)\s+than|a?\s*min(?:imum)?(?:\s+of)?|>=|≥"
_EQUAL = r"exactly|equal\s+to|of|at|is|was|==?|:"
_ABOUT = r"around|about|roughly|approximately|circa|~"
_COMPARE = (
    rf"(?:(?P<most>{_AT_MOST})|(?P<least>{_AT_LEAST})|(?P<less>{_LESS})|(?P<more>{_MORE})"
    rf"|(?P<about>{_ABOUT})|(?P<equal>{_EQUAL}))\s*"
)
_OR_SO = r"or\s+(?:(?P<orless>less|fewer|lower|under|below|shorter|faster|quicker)|(?:more|higher|above|over|greater|longer|slower|better))"
_TAIL = rf"(?:(?:\s+{_OR_SO})(?!\w)(?!\s*\d))?(?:\s+or\s+so(?!\w))?"
_UNITS = {
    "tokens_used": r"tokens?",
    "milliseconds": r"ms|msecs?|milliseconds?",
    "seconds": r"s|secs?|seconds?",
    "minutes": r"mins?|minutes?",
    "hours": r"hrs?|hours?",
    "step_count": r"steps?",
    "confidence": r"confidence|confident|sure",
    "temperature": r"temperature|temp",
}
_TIMES = {"milliseconds": 1.0, "seconds": 1000.0, "minutes": 60_000.0, "hours": 3_600_000.0}
_TIME_UNIT = "|".join(_UNITS[name] for name in _TIMES)
# behind *between*, *and* joins two numbers; else *two and a half* is one
_PAIR = (
    rf"(?P<led>between\s+|from\s+)?(?P<low>{_NUMBER})(?:\s*(?P<lowunit>{_TIME_UNIT})(?!\w))?"
    rf"\s*(?:-|–|to|and(?(led)|(?!\s+(?:{_FRACTIONS}))))\s*(?P<high>{_NUMBER})"
)
_VALUE = rf"(?:{_PAIR}|(?:{_COMPARE})?(?P<value>{_NUMBER}))"

_FIELDS = {
    "tokens_used": r"tokens(?:[_\s]used)?|token\s+(?:count|use|usage|cost)",
    "latency_ms": r"latency(?:_ms)?|duration|time\s+taken|response\s+time",
    "confidence": r"confidence",
    "temperature": r"temperature|temp",
    "step_count": r"step_count|steps|step\s+count|number\s+of\s+steps",
    "min_similarity": r"similarity",
}
_LEADS = (
    r"(?:(?:with|using|in|of|at|and|that|which|used|uses|took|take|taking|takes|had|has|having|need(?:ed|ing)?|done|"
    r"cost(?:ing)?|spent|spending|ran|running|lasted|lasting|was|were)\s+){0,3}(?:a\s+|an\s+)?"
)
_BY_UNIT = re.compile(
    rf"{_LEADS}{_VALUE}(?:\s*-?\s*)(?:"
    + "|".join(rf"(?P<{name}>{unit})" for name, unit in _UNITS.items())
    + rf")(?!\w|\s+ago\b)(?P<plushalf>\s+and\s+a\s+half(?!\w))?(?:\s+(?:used|long|of\s+latency))?(?P<tail>{_TAIL})",
    re.IGNORECASE,
)
_BY_FIELD = re.compile(
    rf"{_LEADS}(?:"
    + "|".join(rf"(?P<{name}>{words})" for name, words in _FIELDS.items())
    + rf")(?!\w)\s*(?:(?:is|was|are|were|of)\s+)?{_VALUE}(?:\s*(?P<unit>{_TIME_UNIT}|tokens?|steps?))?(?![\w.]\w)(?!\w)(?P<tail>{_TAIL})",
    re.IGNORECASE,
)
_SELF = r"\s+of\s+(?:my|your|it|him|her|our|them|one)sel(?:f|ves)"
_HIGH = re.compile(
    rf"(?<!less\s)(?<!least\s)(?:sure|certain){_SELF}|(?:with\s+)?(?:high\s+confidence|confidence\s+(?:(?:is|was|were)\s+)?high|confident(?:ly)?|(?:was|were|am|are|is)\s+(?:so\s+|very\s+|quite\s+)?(?:sure|confident|certain)"
    rf"(?:{_SELF})?(?:\s+(?:about|of)(?=\s*(?:$|[?.!,])))?)(?!\w)",
    re.IGNORECASE,
)
_LOW = re.compile(
    r"(?:with\s+)?(?:low\s+confidence|confidence\s+(?:(?:is|was|were)\s+)?low|unsure|uncertain"
    r"|(?:(?:was|were|am|is|are)\s*n['’]?t|(?:(?:was|were|am|is|are)\s+)?not)\s+(?:so\s+|very\s+|really\s+|quite\s+|too\s+)?(?:sure|confident|certain))(?!\w)",
    re.IGNORECASE,
)
_CONFIDENT, _NOT_CONFIDENT = 0.8, 0.5
# on either side: *about 30* is 27 to 33
_ROUGHLY = 0.1
_DECIMALS = 6  # that a bound has: more are noise of the arithmetic
_FEW_MILLISECONDS = 10  # less is told in decimals

WHOLE = frozenset({"tokens_used", "step_count"})


def count_of(word: str) -> int:
    """Return the whole number that a word or digits name."""
    plain = word.lower().replace(",", "")
    if plain.isdecimal():
        return int(plain)
    return max(_COUNTS.get(part, 0) for part in plain.split())


def read_range(text: str, place: int) -> tuple[str, Bounds, int] | None:
    """Read a field and the span of its numbers at a place, and where that ends."""
    if match := _BY_FIELD.match(text, place):
        name = next(name for name in _FIELDS if match[name])
        scale = _scale_of(match["unit"]) if name == "latency_ms" else 1.0
        return name, _bounds(match.groupdict(), name, scale), match.end()
    if match := _BY_UNIT.match(text, place):
        unit = next(unit for unit in _UNITS if match[unit])
        name = "latency_ms" if unit in _TIMES else unit
        bounds = _bounds(match.groupdict(), name, _TIMES.get(unit, 1.0))
        # *people who worked for 8 hours* is what a problem is about
        is_topic = unit == "hours" and bounds.low == bounds.high
        return None if is_topic else (name, bounds, match.end())
    if match := _HIGH.match(text, place):
        return "confidence", Bounds(_CONFIDENT, None), match.end()
    if match := _LOW.match(text, place):
        return "confidence", Bounds(None, _next(_NOT_CONFIDENT, "confidence", -1)), match.end()
    return None


def _scale_of(unit: str | None) -> float:
    known = (name for name in _TIMES if unit and re.fullmatch(_UNITS[name], unit, re.IGNORECASE))
    return _TIMES.get(next(known, "milliseconds"), 1.0)


def _bounds(groups: Mapping[str, str | None], name: str, scale: float) -> Bounds:
    if groups["low"] and groups["high"]:
        unit, high = groups["lowunit"], groups["high"]
        # *20 to 30 %*: the sign counts for both ends
        sign = "%" if _is_share(high) and not _is_share(groups["low"]) else ""
        low = _number(groups["low"] + sign, _scale_of(unit) if unit else scale)
        return Bounds(low, _number(high, scale))
    value = _number(groups["value"] or "0", scale) + (scale / 2 if groups.get("plushalf") else 0.0)
    # *or so* opens no end
    if groups["tail"] and not groups["tail"].lower().endswith("so"):
        return Bounds(None, value) if groups["orless"] else Bounds(value, None)
    if groups["less"]:
        return Bounds(None, _next(value, name, -1))
    if groups["more"]:
        return Bounds(_next(value, name, 1), None)
    if groups["most"]:
        return Bounds(None, value)
    if groups["least"]:
        return Bounds(value, None)
    if groups["about"]:
        low, high = (round(value * (1 + part), _DECIMALS) for part in (-_ROUGHLY, _ROUGHLY))
        return Bounds(low, high)
    return Bounds(value, value)


def _next(value: float, name: str, way: int) -> float:
    """Return the next number that a bound can be, so that both ends of a span belong to it.

    A time of some length is one of whole milliseconds: over 5 hours is at least 18000001 ms.
    """
    if name in WHOLE or (name == "latency_ms" and value >= _FEW_MILLISECONDS):
        return math.ceil(value) - 1 if way < 0 else math.floor(value) + 1
    return round(value + way * 10**-_DECIMALS, _DECIMALS)


def _number(word: str, scale: float) -> float:
    plain = word.lower().replace(",", "")
    if (part := _fraction(plain)) is not None:
        return part * scale
    if plain.endswith(("thousand", "hundred")):
        many = plain.removesuffix("thousand").removesuffix("hundred").strip()
        times = 1000.0 if plain.endswith("thousand") else 100.0
        return times * scale * (float(many) if many.isdecimal() else _COUNTS[many])
    if plain in _COUNTS:
        return _COUNTS[plain] * scale
    share = 0.01 if _is_share(plain) else 1.0
    plain = plain.removesuffix("%").removesuffix("cent").rstrip().removesuffix("per").rstrip()
    thousands = 1000.0 if plain.endswith("k") else 1.0
    # rounded: the product of two decimals ends in noise
    return round(float(plain.removesuffix("k")) * thousands * share * scale, 9)


def _is_share(number: str) -> bool:
    return number.lower().endswith(("%", "cent"))


def _fraction(plain: str) -> float | None:
    """Return the number that a fraction names: half, three quarters, two and a half, 2/3."""
    over, _, under = plain.partition("/")
    if under:
        return int(over) / int(under)
    whole, joint, part = plain.rpartition(" and ")
    words = re.split(r"[\s-]+", part)
    place = next((n for n, word in enumerate(words) if word.removesuffix("s") in _PARTS), None)
    if place is None:
        return None
    share = (count_of(words[0]) if place else 1) / _PARTS[words[place].removesuffix("s")]
    return share + (count_of(whole) if joint else 0)
