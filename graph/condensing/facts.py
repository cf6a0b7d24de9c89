"""Facts of a sentence: names, numbers, dates, negated clauses, content words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.condensing.tokens import TOKEN, cached, tokens
from graph.kernel.words import MONTHS, WEEKDAYS
from graph.phrases.extraction import normal_form

_NUMBER = re.compile(r"\d")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"(?:no|some|any|every)(?: ?one|body|thing|where)|none|all|both|others?|niemand|jemand|jede[rs]?|alle[rs]?|nichts|etwas",
    re.IGNORECASE,
)
_CLAUSE_TOKEN = re.compile(
    rf"{TOKEN}|(?P<cut>[,;:()—–](?=\s)|[()—]|\s(?=(?:but|however|although|aber)\s))", re.VERBOSE
)
_PUNCTUATION = ' \t\u00a0,;:()—–.!?…。！？"”'
CALENDAR_NAMES = frozenset({*MONTHS, *WEEKDAYS})
_RELATIVE_WORDS = """yesterday today tonight tomorrow last next ago past week weeks weekend weekends month months year years day days
    hour hours minute minutes"""
DATES = CALENDAR_NAMES | frozenset(_RELATIVE_WORDS.split())
# from two on: *one* is a pronoun as often as a number
_COUNT_WORDS = """
two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand dozen
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend
"""
_COUNTS = frozenset(_COUNT_WORDS.split())
_STOP_WORD_LIST = """
a an the and or but if so of in on at to for with by from as is are was were be been being am do
does did have has had having will would can could should may might shall must i you he she it we they me
him her us them my your his its our their this that these those there here what which who whom whose how
why when where then than too very just also really oh wow hey hi hello yeah yes ok okay thanks thank well
um hmm about all any most such into over again get got i'm i've i'll i'd it's that's
you're you've you'll we're we've they're he's she's there's what's let's
"""
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())


@cached
def content_words(text: str) -> frozenset[str]:
    """Return the normal forms of the words that are no stop words."""
    return frozenset(form(word) for word in tokens(text) if word.casefold() not in _STOP_WORDS)


def can_be_subject(words: str) -> bool:
    """Return whether words can be a subject: *she*, *nobody* and *about* cannot.

    Examples
    --------
    >>> can_be_subject("Lena"), can_be_subject("nobody"), can_be_subject("what about")
    (True, False, False)
    """
    return bool(content_words(words)) and not _NO_SUBJECT.fullmatch(words.strip())


def overlap(one: frozenset[str], two: frozenset[str]) -> float:
    """Return the overlap coefficient of two sets of words, in [0, 1]; 0 where one is empty.

    Examples
    --------
    >>> overlap(frozenset({"oak", "floor"}), frozenset({"oak", "floor", "kitchen"}))
    1.0
    """
    smaller = min(len(one), len(two))
    return len(one & two) / smaller if smaller else 0.0


@cached
def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as they are written."""
    return frozenset(word for word in tokens(text) if _NUMBER.search(word))


@cached
def counts(text: str) -> frozenset[str]:
    """Return the number words from two on."""
    return frozenset(word for word in map(str.casefold, tokens(text)) if word in _COUNTS)


@cached
def names(sentence: str) -> frozenset[str]:
    """Return the capitalised words that do not begin the sentence."""
    words = tokens(sentence)[1:]
    return frozenset(word for word in words if word[0].isupper() and not _is_i(word))


@cached
def capitalised(text: str) -> frozenset[str]:
    """Return the normal forms of all capitalised words, also those that begin a sentence."""
    words = (word for word in tokens(text) if word[0].isupper() and not _is_i(word))
    return frozenset(form(word) for word in words if word.casefold() not in _STOP_WORDS)


@cached
def dates(text: str) -> frozenset[str]:
    """Return the words of dates and times."""
    return frozenset(word for word in map(str.casefold, tokens(text)) if word in DATES)


@cached
def negated(sentence: str) -> frozenset[str]:
    """Return the negated clauses, verbatim."""
    # fast path: most sentences have no negation
    if not _NEGATION.search(sentence):
        return frozenset()
    return frozenset(clause for clause in _clauses(sentence) if _NEGATION.search(clause))


@cached
def form(word: str) -> str:
    """Return the normal form of a word; a path or link unchanged."""
    return word if "/" in word else normal_form(word)


def _clauses(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence, without the punctuation around each."""
    words: list[re.Match[str]] = []
    begin = 0
    for each in _CLAUSE_TOKEN.finditer(sentence):
        if each["cut"] is None:
            words.append(each)
            continue
        if words:
            yield _clause(sentence, begin, words, each.start())
        words, begin = [], each.end()
    if words:
        yield _clause(sentence, begin, words, len(sentence))


def _clause(sentence: str, begin: int, words: Sequence[re.Match[str]], end: int) -> str:
    first, last = words[0].start(), words[-1].end()
    before = sentence[begin:first].lstrip(_PUNCTUATION)
    return before + sentence[first:last] + sentence[last:end].rstrip(_PUNCTUATION)


def _is_i(word: str) -> bool:
    return word == "I" or word[:2] in ("I'", "I’")
