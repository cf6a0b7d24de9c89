"""Distance of an outcome in words from an expectation in words.

Similarity of embeddings is not enough: *the build failed* is more similar to *the build passes* than *no errors were
found* is. So contradictions are detected: another number, name, month or weekday, an antonym, a failure where success
was expected. Without one, and if both are about the same, the expectation is met. A cross-encoder (reader of pairs) may
add its estimate.
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
from graph.languages.english import english_of
from graph.questions.content import FUNCTION_WORDS, stem

Floats = npt.NDArray[np.float64] | np.float64

_LEAST_RELATED = 0.15  # nearness below which two texts are about different topics
_MAX_PARAPHRASE = 0.05  # distance of a mere paraphrase, at most
_LEAST_UNMET = (
    0.6  # distance of an outcome that does not meet: it surprises an agent without history
)
# logistic regression of *the outcome meets the expectation*, fitted on 1,181 hand-written pairs (ADR 93): intercept,
# and weights of the reader's log-odds, of nearness in [0, 1], of each sign of a contradiction, of a bound that is kept
_INTERCEPT, _READER_WEIGHT, _NEARNESS_WEIGHT, _SIGN_WEIGHT = -1.57, 0.7, 3.33, 1.91
_KEPT_BOUND_WEIGHT = 1.03
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
_DAYTIMES = frozenset(["morning", "afternoon", "evening", "night", "noon"])
_BY_DAY = re.compile(
    rf"\b(?:by|before|until|no later than)\s+(?P<day>{'|'.join(WEEKDAYS)})\b", re.IGNORECASE
)
_SUBSTITUTE = re.compile(
    r"\b(?:(?:instead|in place|on behalf) of|(?:stood|stands?|steps?|stepped|fills?|filled|jumps?|jumped|subs?|subbed)\s+in\s+for"
    r"|(?:covers?|covered|deputi[sz]e[sd]?|substitutes?d?)\s+for|(?:takes?|took)\s+over\s+from|replace[sd]?)\s+(?:the\s+)?(?P<name>[^\W\d_]+)",
    re.IGNORECASE,
)
"""Phrases for a person who acts in place of another."""
_WORD = re.compile(r"[^\W\d_]+")
_SUBJECT_AND_VERB = 2  # words
_VERBS = frozenset(
    ("is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "shall", "should", "may",
     "might", "must", "does", "did", "do", "won", "get", "got", "give", "tell", "know", "say", "says", "said")
)  # fmt: skip
"""Verbs among the function words."""


@dataclass(frozen=True, slots=True)
class TextScale:
    """Calibration of an embedder: its mean cosines of unrelated texts and of paraphrases."""

    unlike: float
    alike: float

    def near(self, cosine: Floats) -> Floats:
        """Scale cosines of any shape to [0, 1]: 0 for unrelated texts, 1 for paraphrases."""
        return np.clip((cosine - self.unlike) / (self.alike - self.unlike), 0.0, 1.0)


def apart(
    expected: str, actual: str, cosine: float, scale: TextScale, *, read: float | None = None
) -> float:
    """Return the distance of an outcome from an expectation, in [0, 1]: at most 0.05 if it is met, else at least 0.6.

    ``cosine`` is that of the two texts, in [-1, 1]; ``read`` are a cross-encoder's log-odds that the outcome meets the
    expectation.

    Examples
    --------
    >>> scale = TextScale(unlike=0.4, alike=0.8)
    >>> round(apart("The build passes", "succeeded", 0.6, scale), 3), apart("The build passes", "The build failed", 0.9, scale)
    (0.025, 1.0)
    """
    expected, actual = english_of(expected, actual)
    if read is None:
        return _distance_by_words(expected, actual, cosine, scale)
    states = _is_brief(expected) and _is_brief(actual)
    if states and contradicts(expected, actual):
        return 1.0  # as seed 000 counts a field with another value
    near = (cosine - scale.unlike) / (scale.alike - scale.unlike)
    signs = sum(_signs(expected, actual)) + _other_state(expected, actual)
    kept = _KEPT_BOUND_WEIGHT * _keeps_bound(expected, actual)
    agreement = (
        _INTERCEPT + _READER_WEIGHT * read + _NEARNESS_WEIGHT * near + kept - _SIGN_WEIGHT * signs
    )
    doubt = 1.0 / (1.0 + exp(agreement))
    if agreement >= 0:
        return _MAX_PARAPHRASE * doubt
    return _LEAST_UNMET + (1.0 - _LEAST_UNMET) * (2.0 * doubt - 1.0)


def _distance_by_words(expected: str, actual: str, cosine: float, scale: TextScale) -> float:
    if contradicts(expected, actual):
        return 1.0
    near = float(scale.near(np.float64(cosine)))
    same_end = polarity(expected) * polarity(actual) > 0
    brief = _is_brief(actual)
    if _other_state(expected, actual):
        return 1.0
    if near < _LEAST_RELATED and not (same_end and brief):
        return 1.0 - near
    return _MAX_PARAPHRASE * (1.0 - near)


def contradicts(expected: str, actual: str) -> bool:
    """Return whether an outcome contradicts an expectation."""
    return any(_signs(expected, actual)) or (denies(actual) and not denies(expected))


def _signs(expected: str, actual: str) -> tuple[bool, ...]:
    """Return the signs of a contradiction: another value, an antonym, an unexpected failure or success."""
    expected_end, actual_end = polarity(expected), polarity(actual)
    value = (_other_number, _other_name, _other_time)
    return (
        any(other(expected, actual) for other in value),
        opposed(expected, actual),
        expected_end >= 0 > actual_end,
        expected_end < 0 < actual_end,
    )


def _other_state(expected: str, actual: str) -> bool:
    """Return whether both are names of states of different or no polarity: their cosine says nothing."""
    same_end = polarity(expected) * polarity(actual) > 0
    return _is_brief(expected) and _is_brief(actual) and not same_end


def _is_brief(text: str) -> bool:
    return len(_WORD.findall(text)) <= 2


def _other_number(expected: str, actual: str) -> bool:
    expected_numbers, actual_numbers = _numbers_in(expected), _numbers_in(actual)
    if _has_duration(expected) and _has_duration(actual):
        expected_numbers, actual_numbers = (
            _numbers_in(expected, durations=True),
            _numbers_in(actual, durations=True),
        )
    # one in common is enough: others may be beside it, such as a time
    if not expected_numbers or not actual_numbers or set(expected_numbers) & set(actual_numbers):
        return False
    # *within 5 minutes* is met by 3
    if _AT_MOST.search(expected):
        return _exceeds_bounds(actual_numbers, expected_numbers)
    if _AT_LEAST.search(expected):
        return _exceeds_bounds(
            [-value for value in actual_numbers], [-bound for bound in expected_numbers]
        )
    return True


def _keeps_bound(expected: str, actual: str) -> bool:
    """Return whether an outcome has a number within the expected bound."""
    is_bound = bool(_AT_MOST.search(expected) or _AT_LEAST.search(expected))
    both = bool(_numbers_in(expected) and _numbers_in(actual))
    return is_bound and both and not _other_number(expected, actual)


def _exceeds_bounds(values: list[float], bounds: list[float]) -> bool:
    """Return whether a value exceeds its bound, by position; of other numbers of values, all exceed all bounds."""
    # *under 140 over 90* and *171 over 99*
    if len(values) == len(bounds):
        return any(value > bound for value, bound in zip(values, bounds, strict=True))
    return min(values) > max(bounds)


def _numbers_in(text: str, *, durations: bool = False) -> list[float]:
    """Return the numbers of a text, in digits or words, in order; ``durations`` in seconds where they have a unit."""
    return [
        value * (_unit(text, end) if durations else 1.0) for end, value in _number_matches(text)
    ]


def _has_duration(text: str) -> bool:
    return any(_UNIT.match(text, end) for end, _ in _number_matches(text))


def _unit(text: str, end: int) -> float:
    unit = _UNIT.match(text, end)
    return _SECONDS[unit.lastgroup] if unit and unit.lastgroup else 1.0


def _number_matches(text: str) -> list[tuple[int, float]]:
    """Return the end and the value of each number of a text."""
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
    """Return whether the outcome names another person than the expectation."""
    expected_words = set(_WORD.findall(without_accents(expected)))
    added = [name for name in _names(actual, first=False) if name not in expected_words]
    actual_words = set(_WORD.findall(without_accents(actual)))
    missing = [name for name in _names(expected, first=True) if name not in actual_words]
    return (
        bool(added and missing)
        or _other_subject(expected, actual)
        or _is_substituted(expected, actual)
    )


def _is_substituted(expected: str, actual: str) -> bool:
    """Return whether another person acted in place of the expected one."""
    others = {without_accents(match["name"]) for match in _SUBSTITUTE.finditer(actual)}
    return not _SUBSTITUTE.search(expected) and bool(others & {*_names(expected, first=True)})


def _other_subject(expected: str, actual: str) -> bool:
    """Return whether both sentences differ in their subject: different first words, then a verb and the same words.

    The first word has a capital anyway; that a verb and the same words follow shows that it is the subject.
    """
    if not (_begins_with_capital(expected) and _begins_with_capital(actual)):
        return False
    expected_words, actual_words = (
        _WORD.findall(without_accents(text)) for text in (expected, actual)
    )
    if not (_has_subject(expected_words) and _has_subject(actual_words)):
        return False
    is_same = expected_words[0] in actual_words or stem(expected_words[0]) == stem(actual_words[0])
    return not is_same and actual_words[2 : len(expected_words)] == expected_words[2:]


def _begins_with_capital(text: str) -> bool:
    first = _WORD.search(text)
    return first is not None and first[0][0].isupper()


def _has_subject(words: Sequence[str]) -> bool:
    """Return whether words may begin with a name and its verb, unlike *She won it* and *Opens the door*."""
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
    expected_times, actual_times = (
        {name.lower().rstrip("s") for name in _CALENDAR.findall(text)}
        for text in (expected, actual)
    )
    parts = expected_times & _DAYTIMES, actual_times & _DAYTIMES
    if all(parts) and not parts[0] & parts[1]:
        return True
    days = [WEEKDAYS.index(day) for day in actual_times & {*WEEKDAYS}]
    if (last := _BY_DAY.search(expected)) and days:
        return min(days) > WEEKDAYS.index(last["day"].lower())
    return bool(expected_times and actual_times and not expected_times & actual_times)
