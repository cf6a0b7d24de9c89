"""What of a sentence must not get lost: names, numbers, dates, what is negated, and the words that tell.

The rest, words that only join, may go: *I went to the support group with Ana yesterday* leaves *went support
group Ana yesterday*. A negated clause is left as it stands, because half of it says the opposite.
"""

from __future__ import annotations

import re

from graph.condensing.holding import held
from graph.phrases.extraction import normal_form
from graph.words import CHARACTER

_TOKEN = re.compile(
    rf"[$€£¥#+-]?\d+(?:[.,:/-]\d+)*(?:%|°)?(?:st|nd|rd|th|am|pm|k|m|km|kg)?(?!{CHARACTER})"
    rf"|{CHARACTER}+(?:['’&.-]{CHARACTER}+)*"
)
_NUMBER = re.compile(r"\d")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*[,;:()—–]+\s+|\s*[()—]\s*|\s+(?=(?:but|however|although|aber)\s)")
_MONTHS = (
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_DATES = frozenset(
    f"{_MONTHS} yesterday today tonight tomorrow last next ago past week weeks weekend weekends "
    "month months year years day days hour hours minute minutes".split()
)
_JOINING_WORDS = """
a an the and or but if so of in on at to for with by from as is are was were be been being am do
does did have has had having will would can could should may might shall must i you he she it we they me
him her us them my your his its our their this that these those there here what which who whom whose how
why when where then than too very just also really oh wow hey hi hello yeah yes ok okay thanks thank well
um hmm about all any most such into out up down over off again get got i'm i've i'll i'd it's that's
you're you've you'll we're we've they're he's she's there's what's let's
"""
_JOINING = frozenset(_JOINING_WORDS.split())


@held
def content_words(text: str) -> frozenset[str]:
    """Return the words that tell something, in the form in which they meet."""
    return frozenset(
        normal_form(word) for word in _TOKEN.findall(text) if word.casefold() not in _JOINING
    )


@held
def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as they are written."""
    return frozenset(word for word in _TOKEN.findall(text) if _NUMBER.search(word))


@held
def names(sentence: str) -> frozenset[str]:
    """Return the capitalised words that do not begin the sentence."""
    words = _TOKEN.findall(sentence)[1:]
    return frozenset(word for word in words if word[0].isupper() and not _is_i(word))


@held
def capitalised(text: str) -> frozenset[str]:
    """Return the capitalised words of a text wherever they stand, in the form in which they meet."""
    words = (word for word in _TOKEN.findall(text) if word[0].isupper() and not _is_i(word))
    return frozenset(normal_form(word) for word in words if word.casefold() not in _JOINING)


@held
def dates(text: str) -> frozenset[str]:
    """Return the words that say when."""
    return frozenset(word for word in map(str.casefold, _TOKEN.findall(text)) if word in _DATES)


@held
def negated(sentence: str) -> frozenset[str]:
    """Return the clauses that deny something, as they stand."""
    return frozenset(clause for clause in _clauses(sentence) if _NEGATION.search(clause))


def denials(sentence: str) -> tuple[frozenset[str], ...]:
    """Return what each clause denies: the words that tell something, without those that deny."""
    return tuple(
        frozenset(word for word in content_words(clause) if not _NEGATION.fullmatch(word))
        for clause in _clauses(sentence)
        if _NEGATION.search(clause)
    )


def only_facts(sentence: str, said: set[str]) -> str:
    """Return what of a sentence must stay; ``said`` are words that stand already, and grows.

    Names, numbers, dates and negated clauses stay whatever was said.
    """
    kept: list[str] = []
    begins = True
    for clause in _clauses(sentence):
        if _NEGATION.search(clause):
            kept.append(clause)
            said |= content_words(clause)
        elif rest := _telling(clause, said, begins):
            kept.append(rest)
        begins = False
    return ", ".join(kept)


def _clauses(sentence: str) -> list[str]:
    parts = (part.strip(' ,;:()—–.!?…。！？"”') for part in _CLAUSE.split(sentence))
    return [part for part in parts if part]


def _telling(clause: str, said: set[str], begins: bool) -> str:
    kept: list[str] = []
    for place, word in enumerate(_TOKEN.findall(clause)):
        named = word[0].isupper() and not _is_i(word) and not (begins and place == 0)
        if not (named or _NUMBER.search(word) or word.casefold() in _DATES):
            form = normal_form(word)
            if word.casefold() in _JOINING or form in said:
                continue
            said.add(form)
        kept.append(word)
    return " ".join(kept)


def _is_i(word: str) -> bool:
    return word == "I" or word[:2] in ("I'", "I’")
