"""English of German, French and Spanish questions about episodes, for the grammar.

Names of the episodes stay as they are. Words that the grammar knows have phrases in ``phrases/``; a glossary reads the
others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import chain

from graph.languages.english import LANGUAGES, elisions_apart, english_from, language_of
from graph.model.episodes.questions import EpisodeQuestion, Vocabulary
from graph.questions.content import FUNCTION_WORDS
from graph.questions.grammar import Reading, read_question
from graph.questions.patterns import NEVER_SOLVED
from graph.questions.words import NOUN, form_of, has_english_word, has_foreign_word

_KEPT = "="
"""English of a phrase that stays as it is."""
_FIRST_MARK = 0xE000  # of the private use area: no letter for any pattern
_A_MARK = "[\ue000-\uf8ff]"
_MARK = re.compile(_A_MARK)
_LONGEST = 2_000  # characters of a question, so that there are enough marks
_GROUP = re.compile(r"\\(\d)")
_SPACES = re.compile(r"\s+")
_ENDING = r"(?:e[nrms]?|s)?"
_SHORTEST_INFLECTED = 4  # letters of a name that may have an ending
# what is left of a negation or a judgement that turns what it stands beside
_REFUSING = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|without|except|nor|neither|hardly|barely|rarely|seldom)\b|n['’]t\b",
    re.IGNORECASE,
)
_LESS = re.compile(r"\b(?:less|least|fewer)\b", re.IGNORECASE)
_NEITHER = re.compile(r"\bni\b.*\bni\b", re.IGNORECASE)
# of languages without glossary, whose *not* is another word
_ELSEWHERE = re.compile(
    r"\b(?:não|nao|são|com|uma|ontem|foram|quais|quantos|quantas|che|di|della|delle|gli|sono|ieri|senza|quali|quante|quanti"
    r"|perché|niet|geen|het|een|van|zijn)\b",
    re.IGNORECASE,
)  # fmt: skip


def read_in_english(text: str, vocabulary: Vocabulary, now: datetime) -> Reading:
    """Parse a question in English, German, French or Spanish.

    A translated question is unread if a negation of it was not understood, as words change their places.
    """
    translated = question_in_english(text, vocabulary)
    if translated is None:
        return read_question(text, vocabulary, now)
    reading = read_question(translated, vocabulary, now)
    if _is_turned(reading):
        return Reading(EpisodeQuestion(time_zone=str(now.tzinfo)), (text.strip(),))
    return reading


def _is_turned(reading: Reading) -> bool:
    """Return whether unread words may turn what was read: *less* turns a verdict, beside groups it only orders them."""
    parts = [part for part in reading.unread if not NEVER_SOLVED.fullmatch(part)]
    of_one = reading.question.by is None
    return any(_REFUSING.search(part) or (of_one and _LESS.search(part)) for part in parts)


def question_in_english(text: str, vocabulary: Vocabulary) -> str | None:
    """Return a question in English; None if it is English, or of a language without glossary.

    Examples
    --------
    >>> question_in_english("Welche Versuche sind gestern gescheitert?", Vocabulary())
    'Which attempts are yesterday failed?'
    """
    if not _may_be_foreign(text):
        return None
    marks = _Marks()
    marked = elisions_apart(marks.keep_names(text, vocabulary))
    language = _language(marked)
    if language is None:
        return None
    for pattern, said in _phrases()[language]:
        marked = marks.replace(pattern, said, marked)
    found = _SPACES.sub(" ", marks.restore(english_from(language, marked))).strip()
    return found if language == "de" else _tags_before(found, vocabulary)


def _may_be_foreign(text: str) -> bool:
    """Return whether a question may be of another language; a name alone is none."""
    if len(text) > _LONGEST or _MARK.search(text):
        return False
    if has_foreign_word(text) or _NEITHER.search(text):
        return True
    return language_of(text) is not None and not has_english_word(text)


def _language(marked: str) -> str | None:
    """Return the language of a question without its names: of languages alike the one with most known phrases."""
    found = language_of(marked)
    if found is None or _ELSEWHERE.search(marked):
        return None
    matches = {
        language: sum(pattern.search(marked) is not None for pattern, _ in phrases)
        for language, phrases in _phrases().items()
    }
    return max(matches, key=lambda language: (matches[language], language == found))


def _tags_before(text: str, vocabulary: Vocabulary) -> str:
    """Mark a tag behind its noun as one, as adjectives stand in French and Spanish: `tasks urgent`."""
    if not vocabulary.tags:
        return text
    tags = "|".join(map(re.escape, vocabulary.tags))
    return re.sub(rf"\b({NOUN}) ({tags})(?!\w)", r"\1 tagged \2", text, flags=re.IGNORECASE)


class _Marks:
    """English parts of a text, each in place of a mark that no later pattern reads."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def keep_names(self, text: str, vocabulary: Vocabulary) -> str:
        """Put marks in place of names, also of those with an ending."""
        names = sorted(set(chain(*_names(vocabulary))), key=len, reverse=True)
        forms = [_inflected(name) for name in names if form_of(name) not in FUNCTION_WORDS]
        if not forms:
            return text
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?:['’]s)?(?!\w)-?", re.IGNORECASE)
        known = {form_of(name): name for name in names}
        return pattern.sub(lambda match: self._mark(_name_of(match[0], known) + " "), text)

    def replace(self, pattern: re.Pattern[str], said: str, text: str) -> str:
        """Put marks in place of phrases; groups of a phrase stay to be read."""
        return pattern.sub(lambda match: self._said(match, said), text)

    def restore(self, text: str) -> str:
        """Return the text with the parts in place of the marks."""
        return _MARK.sub(lambda match: self._parts[ord(match[0]) - _FIRST_MARK], text)

    def _said(self, match: re.Match[str], said: str) -> str:
        if said == _KEPT:
            return self._mark(match[0])
        parts = _GROUP.split(said)  # literal text and numbers of groups in turn
        return "".join(
            match[int(part)] if place % 2 else self._mark(part) if part else ""
            for place, part in enumerate(parts)
        )

    def _mark(self, part: str) -> str:
        self._parts.append(part)
        return chr(_FIRST_MARK + len(self._parts) - 1)


def _names(vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    return (
        vocabulary.domains,
        vocabulary.models,
        vocabulary.agents,
        vocabulary.actions,
        vocabulary.tags,
    )


def _inflected(name: str) -> str:
    form = r"[\s_-]+".join(map(re.escape, form_of(name).split()))
    return form + (_ENDING if len(name) >= _SHORTEST_INFLECTED and name[-1].isalpha() else "")


def _name_of(written: str, known: Mapping[str, str]) -> str:
    """Return the name of which a word is a form: *eiligen* of *eilig*."""
    form = form_of(written.rstrip("-"))
    return next((known[form[:end]] for end in range(len(form), 0, -1) if form[:end] in known), form)


@cache
def _phrases() -> Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]:
    """Return the patterns of phrases and their English, by language."""
    folder = files("graph.questions").joinpath("phrases")
    return {
        language: tuple(
            (re.compile(pattern.replace("{name}", _A_MARK), re.IGNORECASE), said)
            for pattern, said in (
                line.split("\t")
                for line in folder.joinpath(f"{language}.tsv").read_text("utf-8").splitlines()
            )
        )
        for language in LANGUAGES
    }
