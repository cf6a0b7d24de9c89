"""Agreement of an outcome in words with an expectation in words.

Nearness in meaning cannot tell: *the build failed* is nearer to *the build passes* than *no errors were
found* is. So contradictions are looked for: another number, name, month or weekday, an opposite, a
bad end where a good one was expected. Where there is none, and the two are about the same, the
expectation is met. A reader of pairs has a say beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
import numpy.typing as npt

from graph.expecting.polarity import denies, opposed, polarity
from graph.kernel.words import SMALL_NUMBERS, TENS, WEEKDAYS, without_accents
from graph.questions.content import FUNCTION_WORDS, stem

Floats = npt.NDArray[np.float64] | np.float64

_RELATED = 0.15  # nearness below which two texts are about different things
_PARAPHRASE = 0.05  # what other words for the same take at most
# Log-odds that an outcome meets an expectation, fitted on 461 hand-written pairs (ADR 71): of none of the
# signs below, of what a reader says, of nearness in meaning from 0 (different things) to 1 (the same), of each sign.
_START, _READ, _NEAR, _SIGN = -4.7, 0.63, 5.7, 3.45
# the same of a bound that is kept; from 1 to 3 all sets of the benchmark are judged alike
_KEPT = 1.5
# *1,000* is a thousand, *1,5* is one and a half
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])")
_NUMBER = re.compile(rf"\d{{1,2}}:\d{{2}}|{_THOUSANDS.pattern}|\d+(?:[.,]\d+)?")
_NUMBERS = {**SMALL_NUMBERS, "hundred": 100, "once": 1, "twice": 2, "single": 1}
_TENS_AND_ONE = re.compile(
    rf"\b(?P<tens>{'|'.join(TENS)})(?:[\s-](?P<one>{'|'.join(list(SMALL_NUMBERS)[1:10])}))?\b",
    re.IGNORECASE,
)
# *no more than* is at most, *no less than* at least
_AT_MOST = re.compile(
    r"\b(?:within|below|under|at most|(?<!no )(?<!not )(?:less|fewer) than|not? (?:more|longer|later) than|before|by|up to|until)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:above|over|at least|more than|from|not? (?:less|fewer) than|reach(?:es|ed)?)\b",
    re.IGNORECASE,
)
_SECONDS = {
    "millisecond": 0.001,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3_600.0,
    "day": 86_400.0,
    "week": 604_800.0,
}
_UNIT = re.compile(
    r"[\s-]*(?:(?P<millisecond>ms|milliseconds?)|(?P<second>s|secs?|seconds?)|(?P<minute>mins?|minutes?)|(?P<hour>h|hours?)|(?P<day>days?)|(?P<week>weeks?))\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|morning|afternoon|evening|night|noon)s?\b",
    re.IGNORECASE,
)
_PARTS = frozenset(["morning", "afternoon", "evening", "night", "noon"])
_BY_DAY = re.compile(
    rf"\b(?:by|before|until|no later than)\s+(?P<day>{'|'.join(WEEKDAYS)})\b", re.IGNORECASE
)
_FOR_ANOTHER = re.compile(
    r"\b(?:(?:instead|in place|on behalf) of|(?:stood|stands?|steps?|stepped|fills?|filled|jumps?|jumped|subs?|subbed)\s+in\s+for"
    r"|(?:covers?|covered|deputi[sz]e[sd]?|substitutes?d?)\s+for|(?:takes?|took)\s+over\s+from|replace[sd]?)\s+(?:the\s+)?(?P<name>[^\W\d_]+)",
    re.IGNORECASE,
)
"""Somebody who did what another was to do."""
_WORD = re.compile(r"[^\W\d_]+")
_SUBJECT_AND_VERB = 2  # words
_VERBS = frozenset(
    ("is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "shall", "should", "may",
     "might", "must", "does", "did", "do", "won", "get", "got", "give", "tell", "know", "say", "says", "said")
)  # fmt: skip
"""Verbs among the function words."""


@dataclass(frozen=True, slots=True)
class TextScale:
    """The mean cosines of texts about different things, and of texts that say the same, of one embedder."""

    unlike: float
    alike: float

    def near(self, cosine: Floats) -> Floats:
        """Return how near cosines say that texts are: 0 for different things, 1 for the same, any shape."""
        return np.clip((cosine - self.unlike) / (self.alike - self.unlike), 0.0, 1.0)


def apart(
    expected: str, actual: str, cosine: float, scale: TextScale, *, read: float | None = None
) -> float:
    """Return how far an outcome lies from an expectation, in [0, 1]; at most 0.05 where it is met.

    ``cosine`` is that of the two texts, in [-1, 1]; ``read`` are the log-odds that the outcome meets the expectation, as a
    reader of both together has them.

    Examples
    --------
    >>> scale = TextScale(unlike=0.4, alike=0.8)
    >>> round(apart("The build passes", "succeeded", 0.6, scale), 3), apart("The build passes", "The build failed", 0.9, scale)
    (0.025, 1.0)
    """
    if read is None:
        return _told_apart(expected, actual, cosine, scale)
    states = _few_words(expected) and _few_words(actual)
    if states and contradicts(expected, actual):
        return 1.0  # as seed 000 counts a field with another value
    near = (cosine - scale.unlike) / (scale.alike - scale.unlike)
    signs = sum(_signs(expected, actual)) + _other_state(expected, actual)
    kept = _KEPT * _keeps_bound(expected, actual)
    agreement = _START + _READ * read + _NEAR * near + kept - _SIGN * signs
    doubt = 1.0 / (1.0 + exp(agreement))
    return _PARAPHRASE * doubt if agreement >= 0 else doubt


def _told_apart(expected: str, actual: str, cosine: float, scale: TextScale) -> float:
    if contradicts(expected, actual):
        return 1.0
    near = float(scale.near(np.float64(cosine)))
    same_end = polarity(expected) * polarity(actual) > 0
    brief = _few_words(actual)
    if _other_state(expected, actual):
        return 1.0
    if near < _RELATED and not (same_end and brief):
        return 1.0 - near
    return _PARAPHRASE * (1.0 - near)


def contradicts(expected: str, actual: str) -> bool:
    """Tell whether an outcome says something else than was expected."""
    return any(_signs(expected, actual)) or (denies(actual) and not denies(expected))


def _signs(expected: str, actual: str) -> tuple[bool, ...]:
    """Return what speaks against an outcome: another value, an opposite, another end than was hoped for."""
    hoped, ended = polarity(expected), polarity(actual)
    value = (_other_number, _other_name, _other_time)
    return (
        any(other(expected, actual) for other in value),
        opposed(expected, actual),
        hoped >= 0 > ended,
        hoped < 0 < ended,
    )


def _other_state(expected: str, actual: str) -> bool:
    """Tell whether both are a word or two that tell no common end: names of states are near whatever they say."""
    same_end = polarity(expected) * polarity(actual) > 0
    return _few_words(expected) and _few_words(actual) and not same_end


def _few_words(text: str) -> bool:
    return len(_WORD.findall(text)) <= 2


def _other_number(expected: str, actual: str) -> bool:
    hoped, found = _numbers_in(expected), _numbers_in(actual)
    if _lasts(expected) and _lasts(actual):
        hoped, found = _numbers_in(expected, lasting=True), _numbers_in(actual, lasting=True)
    # one in common is enough: others stand beside it, such as a time
    if not hoped or not found or set(hoped) & set(found):
        return False
    # *within 5 minutes* is met by 3
    if _AT_MOST.search(expected):
        return _exceed(found, hoped)
    if _AT_LEAST.search(expected):
        return _exceed([-value for value in found], [-bound for bound in hoped])
    return True


def _keeps_bound(expected: str, actual: str) -> bool:
    """Tell whether an outcome names a number within a bound that was expected."""
    is_bound = bool(_AT_MOST.search(expected) or _AT_LEAST.search(expected))
    both = bool(_numbers_in(expected) and _numbers_in(actual))
    return is_bound and both and not _other_number(expected, actual)


def _exceed(values: list[float], bounds: list[float]) -> bool:
    """Tell whether values exceed bounds: in order where there are as many, else all of them each bound."""
    # *under 140 over 90* and *171 over 99*
    if len(values) == len(bounds):
        return any(value > bound for value, bound in zip(values, bounds, strict=True))
    return min(values) > max(bounds)


def _numbers_in(text: str, *, lasting: bool = False) -> list[float]:
    """Return the numbers of a text in digits and in words, in its order; ``lasting`` those of a unit of time in seconds."""
    return [value * (_unit(text, end) if lasting else 1.0) for end, value in _written(text)]


def _lasts(text: str) -> bool:
    return any(_UNIT.match(text, end) for end, _ in _written(text))


def _unit(text: str, end: int) -> float:
    unit = _UNIT.match(text, end)
    return _SECONDS[unit.lastgroup] if unit and unit.lastgroup else 1.0


def _written(text: str) -> list[tuple[int, float]]:
    """Return where each number of a text ends, and its value."""
    digits = [(match.end(), _value(match[0])) for match in _NUMBER.finditer(text)]
    tens = [
        (
            match.end(),
            float(TENS[match["tens"].lower()] + SMALL_NUMBERS[(match["one"] or "zero").lower()]),
        )
        for match in _TENS_AND_ONE.finditer(text)
    ]
    ends = {end for end, _ in tens}  # *forty-five* is no five
    words = [
        (match.end(), float(_NUMBERS[match[0].lower()]))
        for match in _WORD.finditer(text)
        if match[0].lower() in _NUMBERS and match.end() not in ends
    ]
    return sorted(digits + tens + words)


def _value(written: str) -> float:
    hours, _, minutes = written.partition(":")
    whole = hours.replace(",", "") if _THOUSANDS.fullmatch(hours) else hours.replace(",", ".")
    return float(whole) + (float(minutes) / 60 if minutes else 0.0)


def _other_name(expected: str, actual: str) -> bool:
    """Tell whether the outcome names somebody new, and not the one that the expectation names."""
    said = set(_WORD.findall(without_accents(expected)))
    fresh = [name for name in _names(actual, first=False) if name not in said]
    told = set(_WORD.findall(without_accents(actual)))
    gone = [name for name in _names(expected, first=True) if name not in told]
    return (
        bool(fresh and gone)
        or _other_subject(expected, actual)
        or _other_in_place(expected, actual)
    )


def _other_in_place(expected: str, actual: str) -> bool:
    """Tell whether somebody else did it for the one whom the expectation names."""
    others = {without_accents(match["name"]) for match in _FOR_ANOTHER.finditer(actual)}
    return not _FOR_ANOTHER.search(expected) and bool(others & {*_names(expected, first=True)})


def _other_subject(expected: str, actual: str) -> bool:
    """Tell whether both sentences end alike after a verb, and begin with different names.

    A first word is written like a name whatever it is; that a verb and the same words follow tells that it stands in
    the same role.
    """
    if not (_begins_with_capital(expected) and _begins_with_capital(actual)):
        return False
    hoped, found = (_WORD.findall(without_accents(text)) for text in (expected, actual))
    if not (_has_subject(hoped) and _has_subject(found)):
        return False
    is_same = hoped[0] in found or stem(hoped[0]) == stem(found[0])
    return not is_same and found[2 : len(hoped)] == hoped[2:]


def _begins_with_capital(text: str) -> bool:
    first = _WORD.search(text)
    return first is not None and first[0][0].isupper()


def _has_subject(words: Sequence[str]) -> bool:
    """Tell whether the first word may be a name and the second its verb, unlike *She won it* and *Opens the door*."""
    return (
        len(words) > _SUBJECT_AND_VERB
        and words[0] not in FUNCTION_WORDS
        and words[1] not in _NUMBERS
        and words[1] not in TENS
        and words[1] not in FUNCTION_WORDS - _VERBS
    )


def _names(text: str, *, first: bool) -> list[str]:
    words = [
        without_accents(match[0])
        for match in _WORD.finditer(text)
        if match[0][0].isupper() and (first or match.start() > 0)
    ]
    return [word for word in words if word not in FUNCTION_WORDS and not _CALENDAR.fullmatch(word)]


def _other_time(expected: str, actual: str) -> bool:
    hoped, found = (
        {name.lower().rstrip("s") for name in _CALENDAR.findall(text)}
        for text in (expected, actual)
    )
    parts = hoped & _PARTS, found & _PARTS
    if all(parts) and not parts[0] & parts[1]:
        return True
    days = [WEEKDAYS.index(day) for day in found & {*WEEKDAYS}]
    if (last := _BY_DAY.search(expected)) and days:
        return min(days) > WEEKDAYS.index(last["day"].lower())
    return bool(hoped and found and not hoped & found)
