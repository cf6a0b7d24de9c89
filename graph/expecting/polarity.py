"""Polarity of a text (success or failure), and opposites named by two texts.

The words are general English: outcomes, and pairs of opposites as a dictionary of antonyms has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from graph.questions.content import FUNCTION_WORDS, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’]t)?")
_CLAUSE = re.compile(
    r"[,.;:!?]|\b(?:and|but|although|though|because|since|while|despite)\b", re.IGNORECASE
)
_NEGATIONS_WORDS = """not no never nobody none nothing neither nor without cannot hardly"""
_NEGATIONS = frozenset(_NEGATIONS_WORDS.split())
# bounds, clock times and prepositions, whose words are neither negations nor poles
_NEUTRAL_PHRASE = re.compile(
    r"\b(?:not?\s+(?:more|less|fewer|longer|later)\s+than|half\s+past|half\s+an?\s+hour"
    r"|(?:on|off)(?=\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|the\s+\d)\b))",
    re.IGNORECASE,
)
_NEGATION_REACH = 5  # words after a negation that are in its scope

_GOOD = """
pass passed succeed success successful successfully work works ok okay green finish finished complete completed done
accept agree approve approved grant allow allowed permit confirm valid correct arrive deliver delivered win won beat
survive heal healed healthy safe available improve enjoy like good fine well punctual punctually ready reachable stable
recover recovered fix fixed solve solved settle settled paid pay support favour adopt adopted elect elected identify
identified recognise recognised found welcome reach reached smooth smoothly intact plenty understand understood
"""
_BAD = """
fail failed failure error exception crash crashed break broke broken abort aborted reject rejected refuse refused deny
denied decline declined forbid forbidden oppose opposed lose lost miss missed missing late delay delayed cancel cancelled
canceled stuck dead die died freeze froze frozen injured infected ill sick sour stale raw flat red timeout outage
unavailable unreachable blocked invalid expired void wrong mistake mistaken problem defeat defeated kill killed absent
severe overspent blank half only still trouble damage defect fault loss injury pain leak virus threat crime
"""
_OPPOSITES = """
open opened|close closed shut
up rise rose risen grow grew grown increase increased climb climbed raise raised higher more expensive|down fall fell fallen drop dropped decrease decreased shrink shrank lower lowered sink sank less fewer cheap cheaper
enable enabled on|disable disabled off
hot warm steaming|cold cool
dry sunny|wet soaked rain rainy
full|empty
fast faster quick quicker speed|slow slower
free|occupied booked busy
alive survive|dead die
start started begin began|stop stopped end
positive|negative
valid|invalid expired void
quiet silent silence|loud noisy
safe|dangerous forbidden
present|absent
early|late
inside indoors|outside outdoors
merge merged|closed
keep kept remain remained same|change changed moved
eat ate finish|refuse push
light|dark
win won beat|lose lost
true|false
accept agree approve grant allow say|reject refuse deny decline oppose turn
clear driven|blocked
sounded ring rang|silent
extend extended renew renewed|expire expired ended
"""


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_GOOD_STEMS, _BAD_STEMS = _stems(_GOOD), _stems(_BAD)
_POLES = tuple(
    (_stems(one), _stems(other))
    for one, _, other in (line.partition("|") for line in _OPPOSITES.split("\n") if "|" in line)
)


_POLE_WORDS = frozenset(_OPPOSITES.replace("|", " ").split())


@lru_cache(8_192)
def polarity(text: str) -> int:
    """Return 1 for a text about a success, -1 for one about a failure, 0 for neither.

    Examples
    --------
    >>> polarity("All checks succeeded"), polarity("The light did not work"), polarity("Tuesday")
    (1, -1, 0)
    """
    total = sum(
        sign * ((word in _GOOD_STEMS) - (word in _BAD_STEMS)) for word, sign in _signed_stems(text)
    )
    return (total > 0) - (total < 0)


def denies(text: str) -> bool:
    """Return whether a text has a negation that is not of a word for success or failure.

    Examples
    --------
    >>> denies("Nothing came up"), denies("No record was lost")
    (True, False)
    """
    signed = list(_signed_stems(text))
    if not any(_negates(word) for clause in _clauses(text) for word in clause):
        return False
    return not any(sign < 0 and word in _GOOD_STEMS | _BAD_STEMS for word, sign in signed)


def opposed(one: str, other: str) -> bool:
    """Return whether one text negates a word of the other, or they have antonyms.

    Examples
    --------
    >>> opposed("The door is open.", "The door was closed."), opposed("open", "not closed")
    (True, False)
    """
    first, second = dict(_signed_stems(one)), dict(_signed_stems(other))
    if any(first[word] != second[word] for word in first.keys() & second.keys()):
        return True
    for left, right in _POLES:
        signs = [
            sum(signed.get(word, 0) for word in left) - sum(signed.get(word, 0) for word in right)
            for signed in (first, second)
        ]
        if signs[0] * signs[1] < 0:
            return True
    return False


def _signed_stems(text: str) -> Iterator[tuple[str, int]]:
    for words in _clauses(text):
        reach = 0
        for word in words:
            if _negates(word):
                reach = _NEGATION_REACH
                continue
            # *up*, *on* and *off* are function words, but also poles
            if word not in FUNCTION_WORDS or word in _POLE_WORDS:
                yield stem(word), -1 if reach > 0 else 1
            reach -= 1


def _clauses(text: str) -> Iterator[list[str]]:
    for clause in _CLAUSE.split(_NEUTRAL_PHRASE.sub(" ", text.lower())):
        yield _WORD.findall(clause)


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith(("n't", "n’t"))
