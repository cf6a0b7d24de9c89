"""Check that a rewritten text keeps the facts of its source and adds none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph.condensing.facts import (
    CALENDAR_NAMES,
    DATES,
    content_words,
    names,
    negated,
    numbers,
    overlap,
)
from graph.condensing.sentences import sentences, spoken
from graph.condensing.tokens import tokens
from graph.condensing.turns import without_heads
from graph.questions.content import stem

Opposed = Callable[[str, str], bool]

# not before a digit: *3 May, 2026* is one date
_CLAUSE = re.compile(
    r"(?<=[a-zà-ÿ\d)])[,;:–—]\s+(?!\d)|\s+(?:and|but|because|so that|so|since|while|although|though|after|who|whom|which|whose)\s+"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())} | {
    "once": "1",
    "twice": "2",
}
_AMBIGUOUS_NUMBERS = frozenset(["1"])  # "one" is a pronoun as often as a number
_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof"])
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|we|my|our|me|us)\b", re.IGNORECASE)
_POLARITY_WORDS = (
    """not no never nobody nothing only before after don't doesn't didn't can't cannot any more"""
)
_NO_CONTENT = DATES | _TITLES | _NUMBERS.keys() | {*_POLARITY_WORDS.split()}
# *Ann paid*: at the beginning of a sentence only a verb after it shows that a word is a name
_OPENER = re.compile(
    r"^([A-ZÀ-Þ][\w'’-]+) (?:is|isn't|was|has|had|will|won't|can|can't|cannot|does|doesn't|did|didn't|\w{2,}[^s\W]s|\w{2,}ed|paid|said|told)\b"
)
_LEAST_OVERLAP = 0.5  # of two clauses about the same, in words of the shorter one
_LEAST_KNOWN = 0.5  # of the words of a rewritten clause that the notes have


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    speaker: str | None
    words: frozenset[str]
    names: tuple[str, ...]
    """Names in order, folded, without possessives."""
    owners: frozenset[str]
    """Names in the possessive."""
    numbers: frozenset[str]
    days: frozenset[str]

    @property
    def first_person(self) -> bool:
        return self.speaker is not None and _FIRST_PERSON.search(self.text) is not None


def is_faithful(text: str, draft: str, notes: str, opposed: Opposed) -> bool:
    """Return whether a rewritten text has all facts of a draft, and no facts that the notes lack.

    Facts are names, numbers, months and days. Each clause of the text is compared with the clauses of the notes about
    the same: if none of these agrees in names, numbers, days and polarity, the text changes a fact. The length does not
    matter.

    Parameters
    ----------
    text
        Rewritten text.
    draft
        Text that it replaces.
    notes
        Source notes; lines may begin with the speaker.
    opposed
        Returns whether one of two clauses denies the other, or names its opposite.
    """
    # a line of a condensed note begins with *Ann (3 May 2026):*
    speakers = frozenset(
        _folded(speaker.partition(" (")[0])
        for line in notes.splitlines()
        for speaker, *_ in spoken(line, None)
        if speaker
    )
    known_names = _names_in(notes, speakers) | _names_in(text, speakers)
    source, rewritten, draft_clauses = (
        # the headings of a draft (*Decided:*) come from the layout, and are no facts
        _clauses(each, known_names, speakers)
        for each in (notes, text, without_heads(draft))
    )
    if not rewritten or not _facts_agree(rewritten, draft_clauses, source):
        return False
    return all(_is_supported(clause, source, opposed) for clause in rewritten)


def _sentences_with_speakers(
    text: str, speakers: frozenset[str]
) -> Iterator[tuple[str | None, str]]:
    """Yield each sentence with its speaker; a word before a colon is a speaker only if the notes have it."""
    for line in text.splitlines():
        for speaker, said, _ in spoken(line, None):
            who = speaker and _folded(speaker.partition(" (")[0])
            known = who in speakers
            for row in sentences(said if known or speaker is None else line):
                yield (who if known else None), row


def _names_in(text: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the names of a text: speakers, capitalised words inside a sentence, and first words before a verb."""
    found = set(speakers)
    for _, row in _sentences_with_speakers(text, speakers):
        found |= set(map(_folded, names(row)))
        opener = _OPENER.match(row)
        if opener and content_words(opener[1]):
            found.add(_folded(opener[1]))
    return frozenset(found - _TITLES - CALENDAR_NAMES)


def _facts_agree(
    rewritten: Sequence[_Clause], draft: Sequence[_Clause], source: Sequence[_Clause]
) -> bool:
    speakers = {clause.speaker for clause in source if clause.speaker}
    written = _named(rewritten) | _facts_of(rewritten, "words")
    mentioned = _named(source) | _facts_of(source, "words") | speakers
    # the facts of the draft are kept, and none is new
    inclusions = (
        (_named(draft) - speakers, written),
        (_facts_of(draft, "numbers"), _facts_of(rewritten, "numbers")),
        (_facts_of(draft, "days"), _facts_of(rewritten, "days")),
        (_facts_of(rewritten, "numbers"), _facts_of(source, "numbers")),
        (_facts_of(rewritten, "days"), _facts_of(source, "days")),
        (_named(rewritten), mentioned),
    )
    return all(subset <= superset for subset, superset in inclusions)


def _named(clauses: Sequence[_Clause]) -> set[str]:
    return {name for clause in clauses for name in (*clause.names, *clause.owners)}


def _facts_of(clauses: Sequence[_Clause], field: str) -> set[str]:
    return {fact for clause in clauses for fact in getattr(clause, field)} - _AMBIGUOUS_NUMBERS


def _is_supported(clause: _Clause, source: Sequence[_Clause], opposed: Opposed) -> bool:
    """Return whether the most similar clauses of the notes agree with a clause; without any, it may hold no new fact."""
    every = {word for other in source for word in other.words}
    if clause.words and len(clause.words & every) < _LEAST_KNOWN * len(clause.words):
        # one new word may join clauses, such as *Otherwise*
        return not (clause.numbers or clause.days or clause.names) and len(clause.words) <= 1
    shared = {place: len(clause.words & other.words) for place, other in enumerate(source)}
    alike = [place for place, other in enumerate(source) if _tells_the_same(clause, other)]
    highest = max((shared[place] for place in alike), default=0)
    best = [source[place] for place in alike if shared[place] == highest]
    return not best or any(_agrees(clause, other, opposed) for other in best)


def _tells_the_same(one: _Clause, two: _Clause) -> bool:
    return overlap(one.words, two.words) >= _LEAST_OVERLAP


def _agrees(rewritten: _Clause, source: _Clause, opposed: Opposed) -> bool:
    for field in ("numbers", "days"):
        own: frozenset[str] = getattr(rewritten, field)
        others: frozenset[str] = getattr(source, field)
        # one of the two may say less: they conflict only if each has a fact that the other lacks
        if own - others and others - own:
            return False
    alike = rewritten.words <= source.words or source.words <= rewritten.words
    if alike and bool(negated(rewritten.text)) != bool(negated(source.text)):
        return False
    return _names_agree(rewritten, source) and not opposed(rewritten.text, source.text)


def _names_agree(rewritten: _Clause, source: _Clause) -> bool:
    own, others = set(rewritten.names), set(source.names)
    if source.first_person and source.speaker:
        # *I* of the notes may become the speaker's name
        if own - others - {source.speaker, *source.owners}:
            return False
        others.add(source.speaker)
    elif own - others and others - own:
        return False
    common = [name for name in rewritten.names if name in source.names]
    # the passive turns names around: *Ben was hit by Ann*
    if " by " in f" {rewritten.text} ":
        return True
    if not (_begins_with_name(rewritten) and _begins_with_name(source)):
        return True
    # *Ann hit Ben* and *Ben hit Ann* have the same names
    return rewritten.names[0] == source.names[0] and common == [
        name for name in source.names if name in common
    ]


def _begins_with_name(clause: _Clause) -> bool:
    """Return whether a clause begins with its first name."""
    first = next(
        (
            word
            for word in map(_folded, tokens(clause.text))
            if word not in _TITLES and content_words(word)
        ),
        "",
    )
    return bool(clause.names) and first == clause.names[0]


def _clauses(text: str, known_names: frozenset[str], speakers: frozenset[str]) -> list[_Clause]:
    return [
        _clause(part, speaker, known_names)
        for speaker, row in _sentences_with_speakers(text, speakers)
        for part in _CLAUSE.split(row)
        if part and part.strip()
    ]


def _clause(text: str, speaker: str | None, known_names: frozenset[str]) -> _Clause:
    named: list[str] = []
    owners: set[str] = set()
    days: set[str] = set()
    counted = {_ORDINAL.sub("", number.replace(" ", "")) for number in numbers(text)}
    for word in tokens(text):
        folded = _folded(word)
        if folded in _NUMBERS:
            counted.add(_NUMBERS[folded])
        if folded in CALENDAR_NAMES and word[0].isupper():
            days.add(folded)
        elif word[0].isupper() and folded in known_names:
            if word.endswith(("'s", "’s")):
                owners.add(folded)
            else:
                named.append(folded)
    bare = {stem(name) for name in {*named, *owners}}
    words = frozenset(
        stem(word)
        for word in map(_folded, tokens(text))
        if content_words(word) and not word[0].isdigit() and word not in _NO_CONTENT
    )
    words -= bare
    return _Clause(
        text,
        speaker,
        words,
        tuple(dict.fromkeys(named)),
        frozenset(owners),
        frozenset(counted - _AMBIGUOUS_NUMBERS),
        frozenset(days),
    )


def _folded(word: str) -> str:
    bare = word.casefold().removesuffix(".")
    return bare.removesuffix("'s").removesuffix("’s")
