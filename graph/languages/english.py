"""Word-by-word English of German, French and Spanish texts, for models and rules that read English alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

import snowballstemmer

from graph.languages.glossary import WORD, Glossary, begins, plain

LANGUAGES = {"de": "german", "fr": "french", "es": "spanish"}
"""Languages that have a glossary, by code, with the names of their stemmers."""

_KEPT_TEXTS = 8_192
_LONGEST_KEPT = 1_000  # characters; thousands of longer texts would take too much memory
_BEGINNING = 2_000  # characters of a text that tell its language
_KEPT_WORDS = 50_000
# words of English alone: two of them spare a text the counting, which takes 0.1 ms
_PLAINLY = re.compile(
    r"\b(?:the|and|of|to|is|are|with|from|that|this|she|they|you|have|my|his|for|it|by|at|we|our|their)\b"
)
# *l'école*, *qu'il*: the article is a word of its own
_ELIDED = re.compile(r"(?<![\w'’])([cdjlmnst]|qu|jusqu|lorsqu)['’](?=\w)", re.IGNORECASE)
_UNITS_OF_TIME = {
    "de": r"(?:Tag|Woche|Monat|Jahr)\w*",
    "fr": r"(?:jours?|semaines?|mois|ans?|années?)",
    "es": r"(?:días?|semanas?|mes|meses|años?)",
}
_MONTHS = {
    "de": r"(?=Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)",
    "fr": r"(?=janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc)",
}
# *Herr Fuchs* is no fox: titles mark names
_TITLES = {
    language: tuple((re.compile(rf"\b{title} (?=[^\W\d_a-zà-ÿ])"), said) for title, said in titles)
    for language, titles in {
        "de": ((r"Herrn?", "Mr "), (r"Frau", "Mrs "), (r"Fräulein", "Miss ")),
        "fr": (
            (r"(?:M\.|[Mm]onsieur)", "Mr "),
            (r"(?:Mme\.?|[Mm]adame)", "Mrs "),
            (r"(?:Mlle\.?|[Mm]ademoiselle)", "Miss "),
        ),
        "es": (
            (r"(?:Sr\.|[Ss]eñor)", "Mr "),
            (r"(?:Sra\.|[Ss]eñora)", "Mrs "),
            (r"(?:Srta\.|[Ss]eñorita)", "Miss "),
        ),
    }.items()
}
# what English says in another order: *vor zwei Wochen*, *la semana pasada*, *Anfang Mai*
_TIMES = {
    language: tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in times)
    for language, times in {
        "de": (
            (rf"\bvor (\S+) ({_UNITS_OF_TIME['de']})", r"\1 \2 ago"),
            (rf"\bnach (?=\S+ (?:{_UNITS_OF_TIME['de']}|Minute|Stunde))", "after "),
            (r"\bdes (?=(?:letzten|vorigen|vergangenen) Jahres\b)", "of "),
            (rf"\bAnfang {_MONTHS['de']}", "early "),
            (rf"\bMitte {_MONTHS['de']}", "mid "),
            (rf"\bEnde {_MONTHS['de']}", "late "),
        ),
        "fr": (
            (rf"\bil y a (\S+) ({_UNITS_OF_TIME['fr']})\b", r"\1 \2 ago"),
            (
                r"\b(?:la |le |l' )?(semaine|mois|année|an|été|\w+di) (?:derni(?:er|ère)|passée?)\b",
                r"last \1",
            ),
            (r"\b(?:la |le |l' )?(semaine|mois|année|an|été|\w+di) prochaine?\b", r"next \1"),
            (rf"\b(?:au )?début (?:de )?{_MONTHS['fr']}", "early "),
            (rf"\bmi-{_MONTHS['fr']}", "mid "),
            (rf"\b(?:à la )?fin (?:de )?{_MONTHS['fr']}", "late "),
        ),
        "es": (
            (rf"\bhace (\S+) ({_UNITS_OF_TIME['es']})\b", r"\1 \2 ago"),
            (
                r"\b(?:de la |del |la |el )?(semana|mes|año|verano|\w+es|sábado|domingo) pasad[oa]\b",
                r"last \1",
            ),
            (
                r"\b(?:la |el )?(?:próxim[oa] (semana|mes|año)|(semana|mes|año) que viene)\b",
                r"next \1\2",
            ),
        ),
    }.items()
}


def english(text: str) -> str:
    """Return a text word by word in English; unchanged if it is English or of a language without glossary.

    Names, numbers and words that no glossary has stay as they are; so does the order of words.

    Examples
    --------
    >>> english("Wann ist Lenas Zahnarzttermin?")
    'When is Lenas dentist appointment?'
    >>> english("When is Lena's appointment?")
    "When is Lena's appointment?"
    """
    return _english(text) if len(text) <= _LONGEST_KEPT else _read(text)


def english_of(first: str, second: str) -> tuple[str, str]:
    """Return two texts in English: in the language of both together, else each in its own.

    Examples
    --------
    >>> english_of("Der Test läuft durch", "fehlgeschlagen")
    ('The test run through', 'failed')
    """
    language = language_of(f"{first}\n{second}")
    if language is None:
        return english(first), english(second)
    return english_from(language, first), english_from(language, second)


def _read(text: str) -> str:
    language = language_of(text)
    return text if language is None else english_from(language, text)


_english = lru_cache(_KEPT_TEXTS)(_read)


def english_from(language: str, text: str) -> str:
    """Return a text of a language that has a glossary word by word in English."""
    text = elisions_apart(text)
    for pattern, said in (*_TITLES[language], *_TIMES[language]):
        text = pattern.sub(said, text)
    return _glossaries()[language].english(text)


def language_of(text: str) -> str | None:
    """Return the code of the language of a text if it has a glossary, else None, as for English.

    It is the language with the most words that English lacks, if they are more than the words that English
    alone has, and more than the unknown words. Of a long text its beginning is read.

    Examples
    --------
    >>> language_of("Où habite-t-elle ?"), language_of("Where does she live?")
    ('fr', None)
    """
    text = text[:_BEGINNING]
    if len(_PLAINLY.findall(text)) > 1:
        return None
    words = list(WORD.finditer(elisions_apart(text)))
    counts = dict.fromkeys(LANGUAGES, 0)
    own = unknown = 0
    for word in words:
        having = [
            code
            for code, glossary in _glossaries().items()
            if glossary.knows(word, alone=len(words) == 1)
        ]
        is_capital = word[0][0].isupper()
        if _is_english(plain(word[0])):
            own += not having and not (is_capital and not begins(word))
            continue
        unknown += not having and not is_capital
        for code in having:
            counts[code] += 1
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] > max(own, unknown) else None


def elisions_apart(text: str) -> str:
    """Return a text with elided words apart: *l' école*."""
    return _ELIDED.sub(r"\1' ", text)


@cache
def _glossaries() -> Mapping[str, Glossary]:
    return {code: Glossary(f"{code}.tsv", language) for code, language in LANGUAGES.items()}


@cache
def _english_stems() -> frozenset[str]:
    """Return the stems of all English words of the glossaries."""
    words = frozenset[str]().union(*(glossary.meanings for glossary in _glossaries().values()))
    return frozenset(map(snowballstemmer.stemmer("english").stemWord, words))


@lru_cache(_KEPT_WORDS)
def _is_english(word: str) -> bool:
    return snowballstemmer.stemmer("english").stemWord(word) in _english_stems()
