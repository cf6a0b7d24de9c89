"""Profile of a subject: current statements about it, grouped, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Literal

from graph.condensing.acts import answers, is_decision, is_idle
from graph.condensing.answering import is_little, presupposed
from graph.condensing.claims import Claim, claims
from graph.condensing.facts import can_be_subject, content_words, form
from graph.condensing.model import Source
from graph.condensing.references import continues, is_about_somebody, lacks_context
from graph.condensing.sentences import repeats, sentences
from graph.condensing.text import Replaces
from graph.condensing.tokens import tokens
from graph.condensing.turns import Sentence, follows, is_fact, kinds, read, speakers_of

Group = Literal["facts", "preferences", "relations", "decisions", "notes"]
GROUPS: tuple[Group, ...] = ("facts", "preferences", "relations", "decisions", "notes")

_LEAST_WORDS = 2  # beside numbers, of a sentence that is no claim
_PREFERENCE_VERBS = "like love prefer hate dislike enjoy favour avoid stand eat drink"
Names = Sequence[frozenset[str]]  # forms of the words of each name
_PREFERENCES = frozenset(_PREFERENCE_VERBS.split())


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about a subject, with its day and the indices of its sources, the newest first."""

    group: Group
    text: str
    speaker: str | None
    day: date | None
    claim: Claim | None
    sources: tuple[int, ...]


def statements(
    names: Sequence[str],
    sources: Sequence[Source],
    replaces: Replaces | None = None,
    until: date = date.max,
) -> list[Statement]:
    """Return the statements of sources about a subject, by group and within it the newest first.

    A sentence is about a subject that it names, or that is its speaker if it can be understood alone. It includes what
    continues it with *she* or *it*; an answer includes its question. An open question counts for what it presupposes.
    Other questions, greetings and what a later sentence repeats or replaces are left out. Pronouns are no subjects.

    Parameters
    ----------
    names
        Names of one person, project or tool, the whole name first.
    sources
        Current memories, the oldest first.
    replaces
        Returns whether a later sentence replaces an earlier one.
    until
        Last day that counts: a condensed text may have lines of later days.
    """
    if not can_be_subject(names[0]):
        return []
    words = [_forms(name) for name in names]
    # before all else: a line of a later day must not replace what held then
    about = [each for each in _passages_about(words, read(sources)) if _day(each.row) <= until]
    speakers = speakers_of([each.row for each in about])
    passages = sorted(
        (each for each in about if _is_informative(each, words, speakers)),
        key=lambda each: _day(each.row),
    )
    passages.reverse()
    # the newest first: of repeats the newest is shown, the others are its evidence
    same = repeats([each.whole for each in passages], [each.row.speaker for each in passages])
    dropped = set(same) | _replaced_sentences([each.row for each in passages], replaces)
    rows = [
        Statement(
            _group(words, each),
            each.shown,
            each.row.speaker,
            each.row.day,
            _claim_about(words, each),
            _sources(passages, place, same),
        )
        for place, each in enumerate(passages)
        if place not in dropped
    ]
    return sorted(rows, key=lambda row: GROUPS.index(row.group))


def _sources(passages: Sequence[_Passage], place: int, same: Mapping[int, int]) -> tuple[int, ...]:
    """Return the sources of a passage and of its repeats."""
    also = (passages[later].row.source for later, first in same.items() if first == place)
    return tuple(dict.fromkeys([passages[place].row.source, *also]))


@dataclass(frozen=True, slots=True)
class _Passage:
    """Joined sentences of one speaker about a subject, with the questions that they answer."""

    row: Sentence
    asked: tuple[Sentence, ...] = ()

    @property
    def whole(self) -> str:
        """Questions and sentences as one text."""
        return " ".join([*(each.text for each in self.asked), self.row.text])

    @property
    def shown(self) -> str:
        """The text, with speakers if these differ: *Sam: Is he in? Noor: He is*."""
        if all(each.speaker == self.row.speaker for each in self.asked):
            return self.whole
        asked = groupby(self.asked, key=lambda each: each.speaker)
        turns = [_turn(speaker, list(rows)) for speaker, rows in asked]
        return " ".join([*turns, _turn(self.row.speaker, [self.row])])


def _turn(speaker: str | None, rows: Sequence[Sentence]) -> str:
    text = " ".join(row.text for row in rows)
    return f"{speaker}: {text}" if speaker else text


def _day(row: Sentence) -> date:
    return row.day or date.min


def _passages_about(words: Names, rows: Sequence[Sentence]) -> list[_Passage]:
    """Return the passages about a subject.

    A sentence that continues the passage before it, or answers the same question, is joined to it; an answer that needs
    its question is joined to the question.
    """
    passages: list[_Passage] = []
    last: _Passage | None = None
    asked, answered = _questions_by_answer(rows)
    for place, row in enumerate(rows):
        questions = asked.get(place, ())
        # *She* joins the sentence with her name; a question never does
        if last is not None and not row.asks and _continues_passage(last, row, questions):
            last = replace(last, row=replace(last.row, text=f"{last.row.text} {row.text}"))
            passages[-1] = last
            continue
        passage = _Passage(row, questions)
        if row.asks:
            about = place not in answered and _names(words, presupposed(row.text))
        else:
            about = _is_speaker(words, row) or _names(words, passage.whole)
        last = passage if about else None
        if last is not None:
            passages.append(last)
    return passages


def _questions_by_answer(
    rows: Sequence[Sentence],
) -> tuple[dict[int, tuple[Sentence, ...]], set[int]]:
    """Return the questions that each answer needs, and the indices of these questions."""
    questions: dict[int, tuple[Sentence, ...]] = {}
    answered: set[int] = set()
    for question, answer in kinds(rows).pairs:
        if rows[question].source == rows[answer].source:
            questions[answer] = (*questions.get(answer, ()), rows[question])
            answered.add(question)
    return questions, answered


def _continues_passage(last: _Passage, row: Sentence, questions: tuple[Sentence, ...]) -> bool:
    same_answer = bool(questions) and questions == last.asked and last.row.turn == row.turn
    return same_answer or (not questions and _is_continuation(last.row, row))


def _is_continuation(last: Sentence, row: Sentence) -> bool:
    if last.source != row.source or not follows(last, row):
        return False
    # in a note *she* is whom the sentence before names, wherever it stands
    return continues(row.text) or (row.speaker is None and is_about_somebody(row.text))


def _is_speaker(words: Names, row: Sentence) -> bool:
    return row.speaker is not None and any(each <= _forms(row.speaker) for each in words)


def _names(words: Names, text: str) -> bool:
    found = content_words(text) | _forms(text)
    return any(each <= found for each in words)


def _forms(text: str) -> frozenset[str]:
    return frozenset(form(word) for word in tokens(text))


def _is_informative(passage: _Passage, words: Names, speakers: frozenset[str]) -> bool:
    """Return whether a passage is informative: the subject's own words need a fact, and to be understood alone."""
    row = passage.row
    if is_idle(passage.whole):
        return False
    if _names(words, passage.whole):
        return True
    says_little = is_little(row.text) or _is_fragment(row)
    alone = not (lacks_context(row.text) or answers(row.text) or says_little)
    # *Does she eat meat?* is not about the one who answers
    asked = bool(passage.asked) and not any(map(_is_of_another, passage.asked))
    parts = [replace(row, text=each) for each in sentences(passage.whole)]
    return (alone or asked) and any(is_fact(each, speakers) for each in parts)


def _is_of_another(question: Sentence) -> bool:
    return is_about_somebody(question.text) and "you" not in tokens(question.text)


def _is_fragment(row: Sentence) -> bool:
    """Return whether a sentence is a number with at most one word, such as *1,100 packed*, and no claim."""
    words = [word for word in content_words(row.text) if not word[0].isdigit()]
    return len(words) < _LEAST_WORDS and not claims(row.text, row.speaker)


def _replaced_sentences(newest_first: Sequence[Sentence], replaces: Replaces | None) -> set[int]:
    """Return the indices of sentences that a newer one replaces."""
    if replaces is None:
        return set()
    return {
        older
        for older, row in enumerate(newest_first)
        if any(
            newest_first[newer].speaker == row.speaker and replaces(newest_first[newer], row)
            for newer in range(older)
        )
    }


def _claim_about(words: Names, passage: _Passage) -> Claim | None:
    """Return the first claim about the subject in a passage, or in what its questions presuppose."""
    asked = (*passage.asked, passage.row) if passage.row.asks else passage.asked
    # a presupposition is a claim of the one who asks
    spoken = [(each, passage.row.speaker) for each in sentences(passage.row.text)]
    spoken += [(presupposed(row.text), row.speaker) for row in asked]
    for sentence, speaker in spoken:
        for claim in claims(sentence, speaker):
            if any(each <= _forms(claim.subject) for each in words):
                return claim
    return None


def _group(words: Names, passage: _Passage) -> Group:
    claim = _claim_about(words, passage)
    if claim is None:
        return "decisions" if is_decision(passage.row.text) else "notes"
    # *Anna's brother*: a claim about somebody related to the subject
    if "'s " in claim.subject or "'s " in claim.value:
        return "relations"
    return "preferences" if claim.relation in _PREFERENCES else "facts"
