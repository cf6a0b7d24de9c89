"""Profile of a subject: statements of memories that hold, grouped, the newest first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Literal

from graph.condensing.claims import claims
from graph.condensing.facts import content_words, form
from graph.condensing.sentences import repeats, sentences
from graph.condensing.tokens import tokens
from graph.condensing.turns import (
    answers,
    continues,
    follows,
    is_decision,
    is_fact,
    is_idle,
    kinds,
    lacks_context,
    pairs,
    read,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.condensing.claims import Claim
    from graph.condensing.model import Source
    from graph.condensing.text import Replaces
    from graph.condensing.turns import Sentence

Group = Literal["facts", "preferences", "relations", "decisions", "notes"]
GROUPS: tuple[Group, ...] = ("facts", "preferences", "relations", "decisions", "notes")

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
    with *she* or *it* stays with it, and an answer with its question. Other questions, greetings and what a later
    sentence repeats or replaces are left out.

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
    words = frozenset(form(word) for word in tokens(subject))
    found = [row for row in _about(words, read(sources)) if _day(row) <= until]
    speakers = frozenset(row.speaker.casefold() for row in found if row.speaker)
    told = sorted((row for row in found if _tells(row, words, speakers)), key=_day)
    told.reverse()
    same = repeats([row.text for row in told], [row.speaker for row in told])
    gone = set(same) | _replaced(told, replaces)
    rows = [
        Statement(
            _group(words, row),
            row.text,
            row.speaker,
            row.day,
            _claim_about(words, row),
            tuple(
                dict.fromkeys(
                    [
                        row.source,
                        *(told[later].source for later, first in same.items() if first == place),
                    ]
                )
            ),
        )
        for place, row in enumerate(told)
        if place not in gone
    ]
    return sorted(rows, key=lambda row: GROUPS.index(row.group))


def _day(row: Sentence) -> date:
    return row.day or date.min


def _about(words: frozenset[str], rows: Sequence[Sentence]) -> list[Sentence]:
    """Keep sentences about the subject.

    One that goes on with a pronoun is joined to the one before it, and an answer that needs its question to that.
    """
    found: list[Sentence] = []
    last: Sentence | None = None
    asked = {
        answer: rows[question].text
        for question, answer in pairs(rows, kinds(rows))
        if rows[question].source == rows[answer].source
    }
    for place, row in enumerate(rows):
        if last is not None and not row.asks and _goes_on(last, row):
            last = replace(row, text=f"{last.text} {row.text}")
            found[-1] = last
            continue
        told = replace(row, text=f"{asked[place]} {row.text}") if place in asked else row
        about = not row.asks and (_is_speaker(words, row) or _names(words, told))
        last = told if about else None
        if last is not None:
            found.append(last)
    return found


def _goes_on(last: Sentence, row: Sentence) -> bool:
    return last.source == row.source and follows(last, row) and continues(row.text)


def _is_speaker(words: frozenset[str], row: Sentence) -> bool:
    return (
        bool(row.speaker) and frozenset(form(word) for word in tokens(row.speaker or "")) >= words
    )


def _names(words: frozenset[str], row: Sentence) -> bool:
    return words <= content_words(row.text) | {form(word) for word in tokens(row.text)}


def _tells(row: Sentence, words: frozenset[str], speakers: frozenset[str]) -> bool:
    """Say whether a sentence tells something: of the subject's own words only what holds a fact and stands alone."""
    if is_idle(row.text):
        return False
    if _names(words, row):
        return True
    alone = not lacks_context(row.text) and not answers(row.text)
    said = [replace(row, text=each) for each in sentences(row.text)]
    return alone and any(is_fact(each, speakers) for each in said)


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


def _claim_about(words: frozenset[str], row: Sentence) -> Claim | None:
    for sentence in sentences(row.text):
        for claim in claims(sentence, row.speaker):
            if frozenset(form(word) for word in tokens(claim.subject)) >= words:
                return claim
    return None


def _group(words: frozenset[str], row: Sentence) -> Group:
    claim = _claim_about(words, row)
    if claim is None:
        return "decisions" if is_decision(row.text) else "notes"
    if "'s " in claim.subject or "'s " in claim.value:
        return "relations"
    return "preferences" if claim.relation in _PREFERENCES else "facts"
