"""Parsing of a short note: subject and attribute words, values, and cues of a change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from graph.kernel.words import CHARACTER, without_accents
from graph.languages.english import english
from graph.phrases.changes import CHANGE
from graph.questions.content import FUNCTION_WORDS, stem

LONGEST = 400  # characters; a longer text states more than one thing
_CACHE_SIZE = 8_192

_MONTHS = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_NUMBER = r"\d[\d.,]*"
_UNIT = (
    r"%|percent|degrees?|minutes?|mins?|hours?|days?|weeks?|months?|years?|seconds?|ms|kilos?|kg|grams?|g|mg|ml"
    r"|lit(?:er|re)s?|(?:cubic\s|square\s)?(?:met(?:er|re)s?|feet|foot|inch(?:es)?|yards?)|m[23²³]|[cmk]?m|miles?|acres?|hectares?"
    r"|bars?|psi|[hkm]?pa|[km]?wh|[km]w|watts?|[km]v|volts?|ma|amps?|[kmg]?hz|hertz|rpm|mph|knots?|tons?|tonnes?"
    r"|°[cf]|celsius|fahrenheit|l|people|persons?|seats?|requests?|users?|gb|mb|tb|rooms?|pages?|copies"
)
_RATE = r"(?:\s?(?:/|\bper\b)\s?\w+)?"
_VALUES = re.compile(
    rf"(?P<money>(?:[$€£]|(?:eur|usd|gbp|chf)\s){_NUMBER}|{_NUMBER}\s?(?:[€$£]|(?:euros?|eur|dollars?|pounds?|francs?|crowns?|cents?)\b))"
    r"|(?P<time>\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\b)?|\b\d{1,2}\s?(?:[ap]\.?m|o.clock)\b)"
    rf"|(?P<date>\b\d{{4}}-\d{{2}}-\d{{2}}|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})\b|\b(?:{_MONTHS})\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    r"|(?<=\bon\sthe\s)\d{1,2}(?:st|nd|rd|th)\b(?=\s*(?:[.,;!]|$|of\s(?:the|each|every)\smonth)))"
    r"|(?P<weekday>\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)"
    rf"|(?P<amount>\b{_NUMBER}\s?(?:{_UNIT})(?!\w){_RATE}|(?<=\bis\s){_NUMBER}|(?<=\bto\s){_NUMBER}|(?<=\bof\s){_NUMBER}"
    rf"|(?<=\bversion\s){_NUMBER}|(?<=:\s){_NUMBER}|(?<=\bare\s){_NUMBER}|(?<=\bat\s){_NUMBER}|(?<=\bnow\s){_NUMBER})",
    re.IGNORECASE,
)
# *rises by 120 euros*, *120 euros more*: a difference, not the new value
_DIFFERENCE = re.compile(
    r"\bby\s(?:about\s|another\s|a\sfurther\s)?$|\b(?:another|a\sfurther)\s$", re.IGNORECASE
)
_MORE = re.compile(r"\s(?:more|less|extra|fewer|longer|shorter|later|earlier)\b", re.IGNORECASE)
_WORD = re.compile(rf"\w{CHARACTER}*(?:['’.-]{CHARACTER}+)*")
_DIGITS = re.compile(r"\d+")
_POSSESSIVE = re.compile(r"['’]s?$")
_SENTENCE = re.compile(r"(?:^|[.!?;]\s+)\W*$")
MOMENT = (
    rf"(?:(?:early|mid|late|this|last|next|the|coming) ){{0,2}}(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})|(?:{_MONTHS})(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?"
    r"|\d{4}(?:-\d{2}-\d{2})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|term|season|quarter|year|spring|summer|autumn|winter|then|today"
    r"|tomorrow|now)\b(?:,?\s\d{4}\b)?"
)
# *from Monday to Friday* is a span, and no change
_NO_RANGE = r"(?!\s*(?:to|till|until|through|[-–—])(?!\w))"
_ONWARDS = r"\s(?:on|onwards?|forward)\b"
ONSET = re.compile(
    rf"\b(?:as of|as from|starting|beginning|effective)(?:\s(?:in|on|from|with|now))?\s{MOMENT}(?:{_ONWARDS})?{_NO_RANGE},?"
    rf"|(?:^|(?<=[.;]\s))\W*from\s{MOMENT}(?:{_ONWARDS})?{_NO_RANGE},?|\bfrom\s{MOMENT}(?:{_ONWARDS}|(?=\s*(?:[.,;!]|$)))",
    re.IGNORECASE,
)
"""Time from which something holds (*from May on*), unless it begins a span."""
_SINCE = re.compile(rf"\bsince\s{MOMENT}", re.IGNORECASE)
# *too* at the end of a clause adds, *too late* does not
_ADDS = re.compile(
    r"\b(?:also|as well|additionally|in addition|besides|auch|außerdem|zusätzlich)\b|\btoo(?=\s*(?:[.,;!]|$))",
    re.IGNORECASE,
)
"""Words of an addition, which replaces nothing."""
_PAST_WORDS = """bought paid met visited saw went called ate cooked booked ordered received sent complained donated won lost
    found gave got had took said told wrote read made came brought sold broke fell spent drove flew ran sang
    slept talked watched played helped signed repaired fixed cleaned joined hosted attended finished started
    arrived"""
_PAST = frozenset(_PAST_WORDS.split())
_TIMELY_WORDS = """now nowadays today currently still again already lately instead new newly also back then moved move moves
    switched changed raised lowered reduced increased decreased renewed extended postponed rescheduled pushed
    slips slipped shifted delayed upgraded updated migrated replaced became becomes took over"""
_TIMELY = frozenset(map(stem, _TIMELY_WORDS.split()))


@dataclass(frozen=True, slots=True)
class Statement:
    """A parsed note.

    ``words`` are the stems of its plain words in order, ``names`` its capitalised words, folded; ``values`` pairs of kind
    and folded text, ``identifiers`` its other numbers. It ``changes`` something, ``adds`` to it, ``tells`` of a past event, or
    ``asks``.
    """

    words: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    identifiers: frozenset[str]
    changes: bool
    adds: bool
    tells: bool
    asks: bool
    text: str


@lru_cache(_CACHE_SIZE)
def statement(text: str) -> Statement:
    """Parse a note; of a long one its beginning."""
    text = english(text[:LONGEST])
    # the onset is no value: *from May on* changes no other date (ADR 81)
    without_onset = _SINCE.sub("", ONSET.sub("", text)).lstrip()
    values = tuple(
        (match.lastgroup or "", " ".join(without_accents(match[0]).split()).rstrip(".,"))
        for match in _VALUES.finditer(without_onset)
        if not _is_difference(match)
    )
    plain = _VALUES.sub(lambda match: " " * len(match[0]), without_onset)
    names: list[str] = []
    words: list[str] = []
    tells = False
    for word, capital in _words_and_names(plain):
        folded = without_accents(word)
        if folded in FUNCTION_WORDS:
            continue
        if capital:
            names.append(folded)
            continue
        stemmed = stem(folded)
        # words of time and change are not about the subject
        if stemmed in _TIMELY:
            continue
        # from five letters on: *red* and *need* are no past events
        tells = tells or folded in _PAST or (folded.endswith("ed") and len(folded) > 4)
        words.append(stemmed)
    changes = CHANGE.search(text) is not None or ONSET.search(text) is not None
    return Statement(
        words=tuple(dict.fromkeys(words)),
        names=tuple(dict.fromkeys(names)),
        values=values,
        identifiers=frozenset(_DIGITS.findall(plain)),
        changes=changes,
        # *has also moved* is a change, no addition
        adds=not changes and _ADDS.search(text) is not None,
        tells=tells,
        asks=text.rstrip().endswith("?"),
        text=text,
    )


def _is_difference(value: re.Match[str]) -> bool:
    """Return whether an amount is a difference (*by 120 euros*), not a value."""
    before, after = value.string[: value.start()], value.string[value.end() :]
    measured = value.lastgroup in ("money", "amount")
    return measured and bool(_DIFFERENCE.search(before) or _MORE.match(after))


def _words_and_names(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each word, and whether it is a name: a capital that does not begin a sentence."""
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match[0])
        if word and not word[0].isdigit():
            yield word, word[0].isupper() and not _is_sentence_start(text, match, word)


def _is_sentence_start(text: str, match: re.Match[str], word: str) -> bool:
    return match[0] == word and _SENTENCE.search(text[: match.start()]) is not None
