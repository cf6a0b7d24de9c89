"""Facts of a sentence: names, numbers, dates, negated clauses, content words."""

from __future__ import annotations

import re

from graph.condensing.tokens import TOKEN, held, tokens
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
_CUT = re.compile(
    rf"{TOKEN}|(?P<cut>[,;:()—–](?=\s)|[()—]|\s(?=(?:but|however|although|aber)\s))", re.VERBOSE
)
_EDGES = ' \t\u00a0,;:()—–.!?…。！？"”'
MONTHS = (
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
DATES = frozenset(
    f"{MONTHS} yesterday today tonight tomorrow last next ago past week weeks weekend weekends "
    "month months year years day days hour hours minute minutes".split()
)
# from two on: *one* is a pronoun as often as a number
_COUNT_WORDS = """
two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand dozen
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend
"""
_COUNTS = frozenset(_COUNT_WORDS.split())
_JOINING_WORDS = """
a an the and or but if so of in on at to for with by from as is are was were be been being am do
does did have has had having will would can could should may might shall must i you he she it we they me
him her us them my your his its our their this that these those there here what which who whom whose how
why when where then than too very just also really oh wow hey hi hello yeah yes ok okay thanks thank well
um hmm about all any most such into over again get got i'm i've i'll i'd it's that's
you're you've you'll we're we've they're he's she's there's what's let's
"""
_JOINING = frozenset(_JOINING_WORDS.split())


@held
def content_words(text: str) -> frozenset[str]:
    """Return the words that tell something, in the form in which they meet."""
    return frozenset(form(word) for word in tokens(text) if word.casefold() not in _JOINING)


def can_be_subject(words: str) -> bool:
    """Say whether words can name somebody or something: *she*, *nobody* and *about* cannot.

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
    least = min(len(one), len(two))
    return len(one & two) / least if least else 0.0


@held
def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as they are written."""
    return frozenset(word for word in tokens(text) if _NUMBER.search(word))


@held
def counts(text: str) -> frozenset[str]:
    """Return the words that are numbers from two on."""
    return frozenset(word for word in map(str.casefold, tokens(text)) if word in _COUNTS)


@held
def names(sentence: str) -> frozenset[str]:
    """Return the capitalised words that do not begin the sentence."""
    words = tokens(sentence)[1:]
    return frozenset(word for word in words if word[0].isupper() and not _is_i(word))


@held
def capitalised(text: str) -> frozenset[str]:
    """Return the capitalised words of a text wherever they stand, in the form in which they meet."""
    words = (word for word in tokens(text) if word[0].isupper() and not _is_i(word))
    return frozenset(form(word) for word in words if word.casefold() not in _JOINING)


@held
def dates(text: str) -> frozenset[str]:
    """Return the words that say when."""
    return frozenset(word for word in map(str.casefold, tokens(text)) if word in DATES)


@held
def negated(sentence: str) -> frozenset[str]:
    """Return the clauses that deny something, as they stand."""
    # most sentences deny nothing, and need not be cut into clauses
    if not _NEGATION.search(sentence):
        return frozenset()
    return frozenset(clause for clause, _ in _clauses(sentence) if _NEGATION.search(clause))


@held
def form(word: str) -> str:
    """Return the form in which a word meets others; a path or a link is as it stands."""
    return word if "/" in word else normal_form(word)


def _clauses(sentence: str) -> list[tuple[str, list[str]]]:
    """Cut a sentence into clauses, each without the marks around its first and last word, and its words."""
    found: list[tuple[str, list[str]]] = []
    words: list[re.Match[str]] = []
    begin = 0
    for each in _CUT.finditer(sentence):
        if each["cut"] is None:
            words.append(each)
            continue
        found += _clause(sentence, begin, words, each.start())
        words, begin = [], each.end()
    return found + _clause(sentence, begin, words, len(sentence))


def _clause(
    sentence: str, begin: int, words: list[re.Match[str]], end: int
) -> list[tuple[str, list[str]]]:
    if not words:
        return []
    first, last = words[0].start(), words[-1].end()
    before = sentence[begin:first].lstrip(_EDGES)
    text = before + sentence[first:last] + sentence[last:end].rstrip(_EDGES)
    return [(text, [word[0] for word in words])]


def _is_i(word: str) -> bool:
    return word == "I" or word[:2] in ("I'", "I’")
