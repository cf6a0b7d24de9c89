"""Spelling correction of a question by the words of memories."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from graph.kernel.words import without_accents
from graph.questions.content import FUNCTION_WORDS, stem

_SHORTEST = 5  # letters; shorter words have too many neighbours
_ALIKE = 0.8  # one edit in five letters
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[a-z]+")  # three times as fast


def corrected(text: str, texts: Iterable[str], known: Callable[[str], bool]) -> str:
    """Replace misspelt words of a question by words of texts.

    A word is misspelt if it is neither ``known`` nor in a text, and a text has a similar word with the same initial.

    Examples
    --------
    >>> corrected("Is she alergic?", ["Lena is allergic to nuts."], lambda word: word == "peanut")
    'Is she allergic?'
    """
    suspects = {
        word
        # a single token of the model is known: otherwise *start* became *stars* (ADR 44)
        for word in _folded_words(text)
        if len(word) >= _SHORTEST and word not in FUNCTION_WORDS and not known(word)
    }
    if not suspects:
        return text
    initials = {word[0] for word in suspects}
    used = {
        word
        for word in set(_folded_words("\n".join(texts)))
        # one letter shorter, as the misspelling may have added one
        if len(word) >= _SHORTEST - 1 and word[0] in initials
    }
    corrections = {
        word: near
        # *booking* is no misspelling of *booked*
        for word in suspects - used
        if (near := _nearest(word, used)) and not _is_inflected(word, used)
    }
    return _WORD.sub(lambda match: corrections.get(without_accents(match[0]), match[0]), text)


def _nearest(word: str, used: Iterable[str]) -> str | None:
    near = [other for other in used if other[0] == word[0] and abs(len(other) - len(word)) < 2]
    return next(iter(get_close_matches(word, sorted(near), n=1, cutoff=_ALIKE)), None)


def _is_inflected(word: str, used: Iterable[str]) -> bool:
    return stem(word) in map(stem, used)


def _folded_words(text: str) -> list[str]:
    folded = without_accents(text)
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)
