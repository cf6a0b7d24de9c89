"""Content words of a text, and the stems by which their inflections meet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from graph.kernel.words import CHARACTER, without_accents
from graph.questions.function_words import FUNCTION_WORDS

LONGEST_TEXT = 1_000  # characters of a text that are read, and kept
_KEPT_TEXTS = 8_192
_KEPT_STEMS = 50_000
_WORD = re.compile(rf"\w{CHARACTER}*(?:['’.]{CHARACTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_STEMMER = snowballstemmer.stemmer("english")


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that are no function words, folded, each once, in order.

    Examples
    --------
    >>> content_words("Where does Lena's sister live now?")
    ('lena', 'sister', 'live', 'now')
    """
    return _content_words(text[:LONGEST_TEXT])


def stems(words: Iterable[str]) -> frozenset[str]:
    """Return the English stems of some words; a word of another language is mostly its own."""
    return frozenset(map(stem, words))


@lru_cache(_KEPT_STEMS)
def stem(word: str) -> str:
    """Return the English stem of a folded word (Porter, "Snowball", 2001)."""
    return _STEMMER.stemWord(word)


@lru_cache(_KEPT_TEXTS)
def text_stems(text: str, tags: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the stems of what a text and its tags say."""
    return stems(content_words(" ".join((text[:LONGEST_TEXT], *tags))))


@lru_cache(_KEPT_TEXTS)
def _content_words(text: str) -> tuple[str, ...]:
    found = (_POSSESSIVE.sub("", match) for match in _WORD.findall(without_accents(text)))
    return tuple(dict.fromkeys(word for word in found if word not in FUNCTION_WORDS))
