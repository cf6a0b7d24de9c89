"""Profile of a subject: statements of memories that hold, grouped, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Literal

from graph.condensing.answering import is_little, presupposed
from graph.condensing.claims import Claim, claims
from graph.condensing.facts import can_be_subject, content_words, form
from graph.condensing.model import Source
from graph.condensing.sentences import repeats, sentences
from graph.condensing.text import Replaces
from graph.condensing.tokens import tokens
from graph.condensing.turns import (
    Sentence,
    answers,
    continues,
    follows,
    is_about_somebody,
    is_decision,
    is_fact,
    is_idle,
    kinds,
    lacks_context,
    read,
    speakers_of,
)

Group = Literal["facts", "preferences", "relations", "decisions", "notes"]
GROUPS: tuple[Group, ...] = ("facts", "preferences", "relations", "decisions", "notes")

_LEAST_WORDS = 2  # beside numbers, of a sentence that is no claim
_PREFERENCES = frozenset(
    [
        "like",
        "love",
        "prefer",
        "hate",
        "dislike",
        "enjoy",
        "favour",
        "avoid",
        "stand",
        "eat",
        "drink",
        "be allergic to",
    ]
)


@dataclass(frozen=True, slots=True)
class Statement:
    """Sentence about a subject, with its day and the places of the sources that say it, the newest first."""

    group: Group
    text: str
    speaker: str | None
    day: date | None
    claim: Claim | None
    sources: tuple[int, ...]


def statements(
    subject: str,
    sources: Sequence[Source],
    replaces: Replaces | None = None,
    until: date = date.max,
) -> list[Statement]:
    """Return what sources say about a subject, by group and within it the newest first.

    A sentence is about a subject that it names, or whose name its speaker has if it is understood alone. What goes on
    with *she* or *it* stays with it, and an answer with its question, each with who said it. A question that nobody
    answered tells what it takes to be so. Other questions, greetings and what a later sentence repeats or replaces are
    left out; of *nobody* or *she* nothing is told.

    Parameters
    ----------
    subject
        Name of a person, a project or a tool.
    sources
        Memories that hold, the oldest first.
    replaces
        Says of a later and an earlier sentence whether the later one replaces what the earlier says.
    until
        Last day that counts: a condensed text may have lines of later ones.
    """
    if not can_be_subject(subject):
        return []
    words = frozenset(form(word) for word in tokens(subject))
    # before all else: a line of a later day must not replace what held then
    found = [each for each in _about(words, read(sources)) if _day(each.row) <= until]
    speakers = speakers_of([each.row for each in found])
    told = sorted(
        (each for each in found if _tells(each, words, speakers)), key=lambda each: _day(each.row)
    )
    told.reverse()
    # the newest first: of equal sentences the newest is shown, the others are its evidence
    same = repeats([each.whole for each in told], [each.row.speaker for each in told])
    gone = set(same) | _replaced([each.row for each in told], replaces)
    rows = [
        Statement(
            _group(words, each),
            each.shown,
            each.row.speaker,
            each.row.day,
            _claim_about(words, each),
            _sources(told, place, same),
        )
        for place, each in enumerate(told)
        if place not in gone
    ]
    return sorted(rows, key=lambda row: GROUPS.index(row.group))


def _sources(told: Sequence[_Told], place: int, same: Mapping[int, int]) -> tuple[int, ...]:
    """Return the source of a sentence, and those of the sentences that repeat it."""
    also = (told[later].row.source for later, first in same.items() if first == place)
    return tuple(dict.fromkeys([told[place].row.source, *also]))


@dataclass(frozen=True, slots=True)
class _Told:
    """Sentences of one speaker about a subject, with the questions that they answer."""

    row: Sentence
    asked: tuple[Sentence, ...] = ()

    @property
    def whole(self) -> str:
        """Text of all of it."""
        return " ".join([*(each.text for each in self.asked), self.row.text])

    @property
    def shown(self) -> str:
        """Text with who said what, where one asks and another answers: *Sam: Is he in? Noor: He is*."""
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


def _about(words: frozenset[str], rows: Sequence[Sentence]) -> list[_Told]:
    """Keep sentences about the subject.

    One that goes on with a pronoun, or answers the same question, is joined to the one before it, and an answer that
    needs its question to that.
    """
    found: list[_Told] = []
    last: _Told | None = None
    asked, answered = _asked(rows)
    for place, row in enumerate(rows):
        questions = asked.get(place, ())
        # *She* joins the sentence with her name; a question never does
        if last is not None and not row.asks and _belongs(last, row, questions):
            last = replace(last, row=replace(last.row, text=f"{last.row.text} {row.text}"))
            found[-1] = last
            continue
        told = _Told(row, questions)
        if row.asks:
            about = place not in answered and _names(words, presupposed(row.text))
        else:
            about = _is_speaker(words, row) or _names(words, told.whole)
        last = told if about else None
        if last is not None:
            found.append(last)
    return found


def _asked(rows: Sequence[Sentence]) -> tuple[dict[int, tuple[Sentence, ...]], set[int]]:
    """Return the questions of each answer that needs them, and the places of these questions."""
    found: dict[int, tuple[Sentence, ...]] = {}
    answered: set[int] = set()
    for question, answer in kinds(rows).pairs:
        if rows[question].source == rows[answer].source:
            found[answer] = (*found.get(answer, ()), rows[question])
            answered.add(question)
    return found, answered


def _belongs(last: _Told, row: Sentence, questions: tuple[Sentence, ...]) -> bool:
    same_answer = bool(questions) and questions == last.asked and last.row.turn == row.turn
    return same_answer or (not questions and _goes_on(last.row, row))


def _goes_on(last: Sentence, row: Sentence) -> bool:
    return last.source == row.source and follows(last, row) and continues(row.text)


def _is_speaker(words: frozenset[str], row: Sentence) -> bool:
    return (
        bool(row.speaker) and frozenset(form(word) for word in tokens(row.speaker or "")) >= words
    )


def _names(words: frozenset[str], text: str) -> bool:
    return words <= content_words(text) | {form(word) for word in tokens(text)}


def _tells(told: _Told, words: frozenset[str], speakers: frozenset[str]) -> bool:
    """Say whether a sentence tells something: of the subject's own words only what holds a fact and stands alone."""
    row = told.row
    if is_idle(told.whole):
        # what somebody else says of the subject counts even if it is short
        return False
    if _names(words, told.whole):
        return True
    says_little = is_little(row.text) or _is_fragment(row)
    alone = not (lacks_context(row.text) or answers(row.text) or says_little)
    # *Does she eat meat?* asks of somebody else than who answers
    asked = bool(told.asked) and not any(map(_is_of_another, told.asked))
    said = [replace(row, text=each) for each in sentences(told.whole)]
    return (alone or asked) and any(is_fact(each, speakers) for each in said)


def _is_of_another(question: Sentence) -> bool:
    return is_about_somebody(question.text) and "you" not in tokens(question.text)


def _is_fragment(row: Sentence) -> bool:
    """Say whether a sentence is a number with at most one word, such as *2.40* or *1,100 packed*, and no claim."""
    words = [word for word in content_words(row.text) if not word[0].isdigit()]
    return len(words) < _LEAST_WORDS and not claims(row.text, row.speaker)


def _replaced(told: Sequence[Sentence], replaces: Replaces | None) -> set[int]:
    """Return what a newer sentence replaces; ``told`` begins with the newest."""
    if replaces is None:
        return set()
    return {
        older
        for older, row in enumerate(told)
        if any(
            told[newer].speaker == row.speaker and replaces(told[newer], row)
            for newer in range(older)
        )
    }


def _claim_about(words: frozenset[str], told: _Told) -> Claim | None:
    """Return the first claim about the subject, of the sentences or of what a question takes to be so."""
    asked = (*told.asked, told.row) if told.row.asks else told.asked
    # what a question takes to be so is a claim of whoever asks
    said = [(each, told.row.speaker) for each in sentences(told.row.text)]
    said += [(presupposed(row.text), row.speaker) for row in asked]
    for sentence, speaker in said:
        for claim in claims(sentence, speaker):
            if frozenset(form(word) for word in tokens(claim.subject)) >= words:
                return claim
    return None


def _group(words: frozenset[str], told: _Told) -> Group:
    claim = _claim_about(words, told)
    if claim is None:
        return "decisions" if is_decision(told.row.text) else "notes"
    # *Anna's brother*: it tells of somebody around the subject
    if "'s " in claim.subject or "'s " in claim.value:
        return "relations"
    return "preferences" if claim.relation in _PREFERENCES else "facts"
