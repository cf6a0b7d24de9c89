"""Layout of a condensed text: turns, an episode, single statements, a profile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from types import MappingProxyType

from graph.condensing.acts import is_decision, says_what
from graph.condensing.answering import is_past
from graph.condensing.claims import claims
from graph.condensing.model import Form, Source
from graph.condensing.references import continues, leans
from graph.condensing.turns import (
    ABOUT,
    AGAIN,
    DECIDED,
    EPISODE,
    NAMED,
    OPEN,
    SAID,
    Sentence,
    without_heads,
)
from graph.phrases.extraction import key_phrases

_LEAST_OF_AN_EPISODE = 4  # sentences; a shorter one is read faster than its heads
_TITLE_PHRASES = 3
_SIDES = 2
_LEAST_LETTERS = 4
# *floor 2 smears*: behind a number that belongs to a noun stands the verb
_VERB_BEHIND_NUMBER = re.compile(r"(?<=[^\W\d] \d) \w+s$|(?<=[^\W\d] \d\d) \w+s$")
_DETERMINERS = "the|an?|my|our|your|his|her|their|its|this|that"
_OBJECTS = f"{_DETERMINERS}|it|me|us|him|them|you"
_BEFORE_NOUNS = f"{_DETERMINERS}|no|some|of|in|on|at|for|with|from|about|under|over|into|new"


def written(
    sources: Sequence[Source],
    rows: Sequence[Sentence],
    marks: Sequence[str],
    form: Form,
    again: Mapping[int, Sequence[date]] = MappingProxyType({}),
    *,
    named: Sequence[str] | None = None,
) -> str:
    """Write kept sentences in a form; each with its speaker, and its day where there are several.

    Parameters
    ----------
    sources
        Memories that the sentences are of.
    rows
        Sentences in order.
    marks
        For each ``decided``, ``open``, ``over`` where it is taken back, ``paired`` where question and answer need each
        other, or an empty text.
    form
        Layout of the text.
    again
        Days on which sentences like a row were told, by its place among the rows; a profile begins with these.
    named
        Who was named before and not in the rows, the nearest first.
    """
    # in the order of time: condensed again, the last is the nearest
    heads = [f"{NAMED} {', '.join(reversed(named))}"] if named else []
    days = _days(sources, rows)
    dated = is_dated(sources, rows)
    if form == "episode" and len(rows) >= _LEAST_OF_AN_EPISODE and len(sources) > 1:
        return _episode(rows, marks, days, heads, dated=dated)
    if form == "profile":
        once = [(row, marks[place]) for place, row in enumerate(rows) if place not in again]
        often = [
            line
            for place, days_told in again.items()
            for line in (_again(days_told), rows[place].text)
        ]
        return "\n".join([*heads, *often, *_profile(once, dated=dated)])
    return "\n".join([*heads, *_turns(rows, dated=dated)])


def characters_told(sources: Sequence[Source], rows: Sequence[Sentence]) -> int:
    """Count the characters of sources with their headings, written as ``written`` writes turns."""
    lines = _turns(rows, dated=is_dated(sources, rows))
    heads = [
        line
        for source in sources
        for line in source.text.split("\n")
        if line and not without_heads(f"\n{line}").strip()
    ]
    return len("\n".join([*heads, *lines]))


def is_dated(sources: Sequence[Source], rows: Sequence[Sentence]) -> bool:
    """Return whether sentences are of several days."""
    return len(_days(sources, rows)) > 1 or len({row.day for row in rows}) > 1


def _days(sources: Sequence[Source], rows: Sequence[Sentence]) -> set[date]:
    return {source.at.date() for source in sources if source.at} | {
        row.day for row in rows if row.day
    }


def _turns(rows: Sequence[Sentence], *, dated: bool) -> list[str]:
    """Write one line for each turn."""
    turns = groupby(rows, key=lambda row: (row.turn, row.speaker))
    return [_line(list(turn), dated=dated) for _, turn in turns]


def _line(rows: Sequence[Sentence], *, dated: bool) -> str:
    row = rows[0]
    day = day_of(row.day) if row.day is not None and dated else ""
    start = f"{row.speaker} ({day})" if row.speaker and day else row.speaker or day
    text = " ".join(each.text for each in rows)
    return f"{start}: {text}" if start else text


def day_of(day: date) -> str:
    """Write a day as people do: 2 March 2026."""
    return f"{day.day} {day:%B %Y}"


def _episode(
    rows: Sequence[Sentence],
    marks: Sequence[str],
    days: set[date],
    heads: Sequence[str],
    *,
    dated: bool,
) -> str:
    """Write title, decisions, open questions, and then the other sentences in order."""
    decided = _decisions(rows, marks)
    open_ = {place for place, mark in enumerate(marks) if mark == "open"}
    rest = set(range(len(rows))) - decided - open_
    lines = [_title(rows, days), *heads]
    for head, places in ((DECIDED, decided), (OPEN, open_), (SAID, rest)):
        if places:
            # a head over everything tells nothing apart
            lines += [] if len(places) == len(rows) else [head]
            lines += _turns([rows[place] for place in sorted(places)], dated=dated)
    return "\n".join(lines)


def _decisions(rows: Sequence[Sentence], marks: Sequence[str]) -> set[int]:
    """Return the places of decisions that are understood without what was said before them.

    A question that was agreed to stands with all of the answer.
    """
    found: set[int] = set()
    for place, row in enumerate(rows):
        if leans(row.text):
            continue
        if marks[place] == "decided" and row.asks:
            found |= _agreement(rows, marks, place)
        elif marks[place] not in {"paired", "over"} and _decides(row):
            found.add(place)
    return found


def _agreement(rows: Sequence[Sentence], marks: Sequence[str], place: int) -> set[int]:
    """Return the places of an agreed question, the rest of its turn, and all of the turn that agrees.

    None where the question does not say what is agreed, or its turn answers another one.
    """
    end = _end_of_turn(rows, place)
    after = _end_of_turn(rows, end) if end < len(rows) else end
    begin = min(each for each in range(place + 1) if rows[each].turn == rows[place].turn)
    if not says_what(rows[place].text) or "paired" in marks[begin:end]:
        return set()
    agreed = {each for each in range(place, after) if marks[each] != "open"}
    return set() if "over" in marks[place:after] else agreed


def _end_of_turn(rows: Sequence[Sentence], place: int) -> int:
    end = place
    while end < len(rows) and rows[end].turn == rows[place].turn:
        end += 1
    return end


def _decides(row: Sentence) -> bool:
    return not row.asks and is_decision(row.text) and says_what(row.text)


def _title(rows: Sequence[Sentence], days: set[date]) -> str:
    """Return when, who and about what: *Episode of 2 March 2026 (Anna, Ben): Lisbon, piano*."""
    when = [day_of(day) for day in sorted({min(days), max(days)})] if days else []
    speakers = list(dict.fromkeys(row.speaker for row in rows if row.speaker))
    head = EPISODE + (f" of {' to '.join(when)}" if when else "")
    if 0 < len(speakers) <= _SIDES + 1:
        head += f" ({', '.join(speakers)})"
    return f"{head}: {', '.join(topics(rows))}"


def topics(rows: Sequence[Sentence]) -> list[str]:
    """Return the phrases that most sentences share, longer ones first among equals, at most three.

    A word that one sentence has in what may be a set phrase (*in mind*) stands only where nothing else does.
    """
    counts, shown = Counter[str](), dict[str, str]()
    speakers = {(row.speaker or "").casefold() for row in rows}
    for row in rows:
        for phrase in key_phrases(row.text):
            display = _noun(phrase.display, row.text)
            if len(display) >= _LEAST_LETTERS and display.casefold() not in speakers:
                counts[display.casefold()] += 1
                shown.setdefault(display.casefold(), display)
    order = list(shown)
    firm = {
        name
        for name in order
        if counts[name] > 1 or any(_is_firm(shown[name], row.text) for row in rows)
    }
    best = sorted(
        firm or order,
        key=lambda name: (-counts[name], -min(len(name.split()), _SIDES), order.index(name)),
    )
    # *piano* goes where *grand piano* is named
    apart = [name for name in best if not any(f" {name} " in f" {o} " for o in best if o != name)]
    return [shown[name] for name in (apart or best)[:_TITLE_PHRASES]]


def _noun(phrase: str, text: str) -> str:
    """Return a phrase where it stands as a noun: a name, or behind an article, a possessive or a preposition."""
    bare = _VERB_BEHIND_NUMBER.sub("", phrase)
    noun, _, last = bare.rpartition(" ")
    # *the company wrote*, *a red painted*
    bare = noun if is_past(last) else bare
    noun, _, last = bare.rpartition(" ")
    # *the hall allows us*: a word with an object behind it is the verb
    if noun and re.search(rf"\b{re.escape(last)} (?:{_OBJECTS})\b", text, re.IGNORECASE):
        bare = noun
    if bare[:1].isupper() and f" {bare}" in text:
        return bare
    before = rf"\b(?:{_BEFORE_NOUNS}|\w+['’]s) (?:\w+ )?{re.escape(bare)}\b"
    return bare if bare and re.search(before, text, re.IGNORECASE) else ""


def _is_firm(phrase: str, text: str) -> bool:
    """Return whether a text has a phrase as more than the noun of a set phrase such as *in mind*."""
    if " " in phrase or phrase != phrase.casefold() or phrase.endswith("s"):
        return phrase in text
    before = rf"\b(?:{_DETERMINERS}|no|some|\w+['’]s) (?:\w+ )?{re.escape(phrase)}\b"
    return re.search(before, text, re.IGNORECASE) is not None


def _again(days: Sequence[date]) -> str:
    """Return a head: *Told on 4 days from 1 September 2026 to 5 September 2026, for example:*."""
    return f"{AGAIN} {len(days)} days from {day_of(min(days))} to {day_of(max(days))}, for example:"


def _profile(marked: Sequence[tuple[Sentence, str]], *, dated: bool) -> list[str]:
    """Write statements under what they are about, and last those without a claim, and questions with their answers.

    A sentence that goes on from the one before it stays behind it.
    """
    about: dict[str, list[Sentence]] = {}
    subject = ""
    for row, mark in marked:
        if mark or not continues(row.text):
            subject = "" if mark else subject_of(row) or ""
        about.setdefault(subject, []).append(row)
    if len(about) == 1:
        # sentences without a subject last, under their own head
        return [_line([row], dated=dated) for row, _ in marked]
    lines: list[str] = []
    for subject in sorted(about, key=lambda name: not name):
        lines += [f"{ABOUT} {subject}:" if subject else SAID]
        lines += [_line([row], dated=dated) for row in about[subject]]
    return lines


def subject_of(row: Sentence) -> str | None:
    """Return whom or what a sentence claims something of."""
    found = claims(row.text, row.speaker)
    return found[0].subject.partition("'s ")[0] if found else None
