"""Glossary of one language: English by written form, by stem, and by the parts of a compound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import takewhile

import snowballstemmer

from graph.kernel.words import CHARACTER

_KEPT_WORDS = 50_000
_SHORTEST_STEM = 3  # letters; shorter stems of different words fall together
_SHORTEST_PART = 3  # letters of a part of a compound
_SHORTEST_COMPOUND = 8  # letters; shorter ones fall apart into what they do not mean
_LINKS = ("", "s", "es", "n", "en", "er", "e")  # letters between the parts of a German compound
_GERMAN = "german"
_LETTERS = rf"[^\W\d_]{CHARACTER}*"
WORD = re.compile(rf"(?<!\w){_LETTERS}(?:[-'’]{_LETTERS})*['’]?")
_CLAUSE = re.compile(r"[^.,;:!?()]+")
_SPACES = re.compile(r" {2,}")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Miss|Familie|Dr\.?|Prof\.?) $")
_GAP = 8  # characters before a word in which a mark or a title is looked for
_BEGINS = re.compile(r"(?:^|[.!?;:¿¡\"(«„“\n])\s*$")


class Glossary:
    """English of the words of one language.

    The file has lines of forms joined by commas, a tab, and their English, if any; the most frequent words stand first. A
    form may have several words. One with a capital is a German noun; if its meaning has one too, it is a name.
    """

    def __init__(self, file: str, language: str) -> None:
        self._stemmer = snowballstemmer.stemmer(language)
        self._is_german = language == _GERMAN
        self._forms: dict[str, str] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._capitals: dict[str, str] = {}
        self._noun_stems: dict[str, str] = {}
        self._bases: dict[str, str] = {}
        for line in (
            files("graph.languages").joinpath(file).read_text(encoding="utf-8").splitlines()
        ):
            self._add(*line.split("\t"))
        self._meaning = lru_cache(_KEPT_WORDS)(self._look_up)

    def _add(self, forms: str, meaning: str) -> None:
        base, *_ = forms.split(",")
        for form in forms.split(","):
            word = form.lower()
            if form[0].isupper() and meaning[:1].isupper():
                self._capitals.setdefault(word, meaning)
                continue
            stem = self._stem(word)
            self._forms.setdefault(word, meaning)
            self._by_stem.setdefault(stem, []).append(word)
            if form[0].isupper():
                self._capitals.setdefault(word, meaning)
                self._noun_stems.setdefault(stem, meaning)
            elif self._is_german:
                self._bases.setdefault(word, base)

    @property
    def meanings(self) -> frozenset[str]:
        """All English words of the glossary."""
        return frozenset(word for meaning in self._forms.values() for word in meaning.split())

    def knows(self, match: re.Match[str], *, alone: bool = False) -> bool:
        """Return whether a word of a text is known.

        A capital inside a sentence marks a name or a German noun; a word ``alone`` must be such a noun.
        """
        word = plain(match[0])
        if not match[0][0].isupper():
            parts = (word, *word.split("-"))
            return not alone and any(self._meaning(part) is not None for part in parts)
        if alone or not begins(match):
            return self._is_german and word in self._capitals
        return word in self._forms

    def english(self, text: str) -> str:
        """Return a text of this language word by word in English."""
        if self._is_german:
            text = _CLAUSE.sub(lambda match: self._with_particle(match[0]), text)
        return _SPACES.sub(" ", self._units.sub(self._in_english, text)).strip()

    @cached_property
    def _units(self) -> re.Pattern[str]:
        """Pattern of a form of several words, or of a word."""
        several = sorted((form for form in self._forms if " " in form), key=len, reverse=True)
        phrases = "|".join(map(re.escape, several)).replace("'", "['’]")
        return re.compile(rf"(?<!\w)(?:{phrases})(?!\w)|{WORD.pattern}", re.IGNORECASE)

    def _with_particle(self, clause: str) -> str:
        """Join the particle at the end of a German clause to its verb: *Emre fängt um zwei an*, *anfangen*."""
        words = clause.split()
        for word in words[:-1]:
            joined = words[-1] + self._bases.get(word.lower(), word)
            if joined in self._bases:
                before, _, after = clause.rstrip().removesuffix(words[-1]).partition(word)
                return f"{before}{joined}{after}".rstrip()
        return clause

    def _in_english(self, match: re.Match[str]) -> str:
        """Return the English of one unit, with its capital at the beginning of a sentence."""
        word = match[0]
        capital, first = word[0].isupper(), begins(match)
        if capital and _follows(_TITLED, match):
            return word
        noun = self._noun(plain(word)) if capital else None
        # a noun inside a sentence; at its beginning a name alone, as *Laden* may be the verb
        if noun and (noun[0].isupper() or not first):
            return noun
        # only German writes nouns with capitals; elsewhere such a word inside a sentence is a name
        is_name = capital and not self._is_german
        if is_name and not first:
            return word
        known = self._forms.get if is_name else self._meaning
        parts = [word] if plain(word) in self._forms else word.split("-")
        found = [known(plain(part)) for part in parts]
        if all(each is None for each in found):
            return word
        meaning = " ".join(
            part if each is None else each for part, each in zip(parts, found, strict=True)
        )
        return meaning[:1].upper() + meaning[1:] if capital and first else meaning

    def _noun(self, word: str) -> str | None:
        return self._capitals.get(word) or self._noun_stems.get(self._stem(word))

    def _look_up(self, word: str) -> str | None:
        """Return the English of a word by its form, its stem, or the parts of a compound; None if it is unknown."""
        if word in self._forms:
            return self._forms[word]
        if len(word) <= _SHORTEST_STEM:
            return None
        by_stem = self._forms.get(word.removesuffix("s")) or self._like(word)
        if by_stem is not None or not self._is_german or len(word) < _SHORTEST_COMPOUND:
            return by_stem
        return next(self._compounds(word), None)

    def _like(self, word: str) -> str | None:
        """Return the English of the form with the same stem that begins most like a word, the most frequent of several."""
        forms = self._by_stem.get(self._stem(word), ())
        # *ventes* has the stem of *vent* too
        form = max(forms, key=lambda form: _letters_in_common(form, word), default=None)
        return None if form is None else self._forms[form]

    def _compounds(self, word: str) -> Iterator[str]:
        """Split a German compound that ends with a noun: the English of both parts, the longest last part first."""
        for end in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            last = self._noun(word[end:])
            if last is None:
                continue
            start = word[:end]
            for first in (start.removesuffix(link) for link in _LINKS if start.endswith(link)):
                begun = self._capitals.get(first) or next(self._compounds(first), None)
                if begun and len(first) >= _SHORTEST_PART:
                    yield f"{begun} {last}"
            # *Kühlraum*, *Lernzettel*
            begun = self._forms.get(start) or self._like(start)
            if begun and len(start) > _SHORTEST_PART:
                yield f"{begun} {last}"

    def _stem(self, word: str) -> str:
        stem = self._stemmer.stemWord(word)
        return stem if len(stem) >= _SHORTEST_STEM else word


def _letters_in_common(one: str, other: str) -> int:
    """Count the letters with which both words begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def begins(match: re.Match[str]) -> bool:
    """Return whether a word begins a sentence."""
    return _follows(_BEGINS, match)


def _follows(pattern: re.Pattern[str], match: re.Match[str]) -> bool:
    start = match.start()
    return pattern.search(match.string, max(0, start - _GAP), start) is not None


def plain(word: str) -> str:
    """Return a word in lower case with plain apostrophes."""
    return word.lower().replace("’", "'")
