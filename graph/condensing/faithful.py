"""Check that a rewritten text keeps the facts of its source and adds none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph.condensing.facts import DATES, MONTHS, content_words, names, negated, numbers, overlap
from graph.condensing.sentences import sentences, spoken
from graph.condensing.tokens import tokens
from graph.condensing.turns import without_heads
from graph.questions.content import stem

Opposed = Callable[[str, str], bool]

# no cut before a digit: *3 May, 2026* is one time
_CLAUSE = re.compile(
    r"(?<=[a-zà-ÿ\d)])[,;:–—]\s+(?!\d)|\s+(?:and|but|because|so that|so|since|while|although|though|after|who|whom|which|whose)\s+"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_COUNTED_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_COUNTED = {word: str(number) for number, word in enumerate(_COUNTED_WORDS.split())} | {
    "once": "1",
    "twice": "2",
}
_NO_COUNT = frozenset(["1"])  # "one" is a pronoun as often as a number
_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof"])
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|we|my|our|me|us)\b", re.IGNORECASE)
_DAYS = frozenset(MONTHS.split())
_NO_CONTENT = (
    DATES
    | _TITLES
    | _COUNTED.keys()
    | {
        "not",
        "no",
        "never",
        "nobody",
        "nothing",
        "only",
        "before",
        "after",
        "don't",
        "doesn't",
        "didn't",
        "can't",
        "cannot",
        "any",
        "more",
    }
)
# *Ann paid*: at the beginning of a sentence only the verb behind it tells a name
_OPENER = re.compile(
    r"^([A-ZÀ-Þ][\w'’-]+) (?:is|isn't|was|has|had|will|won't|can|can't|cannot|does|doesn't|did|didn't|\w{2,}[^s\W]s|\w{2,}ed|paid|said|told)\b"
)
_ALIKE = 0.5  # of the words of the shorter clause: from there on two clauses tell the same
_KNOWN = 0.5  # of the words of a rewritten clause that the notes have


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    speaker: str | None
    words: frozenset[str]
    names: tuple[str, ...]
    """Names in order, folded, without possessives."""
    owners: frozenset[str]
    """Names that stand as possessives alone."""
    numbers: frozenset[str]
    days: frozenset[str]

    @property
    def first_person(self) -> bool:
        return self.speaker is not None and _FIRST_PERSON.search(self.text) is not None


def is_faithful(text: str, draft: str, notes: str, opposed: Opposed) -> bool:
    """Say whether a text has the facts of a draft, and none that the notes have not.

    Facts are true names, numbers, months and days. Each clause of the text is held against the clauses of the notes that
    tell the same: where none of these agrees in names, numbers, days and polarity, the text changes a fact. A sentence
    opener is no name, and the length does not matter.

    Parameters
    ----------
    text
        Text in other words.
    draft
        Text that it stands for.
    notes
        All that it may speak of; lines may begin with who speaks.
    opposed
        Says of two clauses whether one denies what the other says, or names its opposite.
    """
    # a line of a condensed note begins with *Ann (3 May 2026):*
    speakers = frozenset(
        _folded(speaker.partition(" (")[0])
        for line in notes.splitlines()
        for speaker, *_ in spoken(line, None)
        if speaker
    )
    called = _called(notes, speakers) | _called(text, speakers)
    known, told, wanted = (
        # *Decided:* and the title are words of the rules, no facts
        _clauses(each, called, speakers)
        for each in (notes, text, without_heads(draft))
    )
    if not told or not _has_all(told, wanted, known):
        return False
    return all(_is_supported(clause, known, opposed) for clause in told)


def _rows(text: str, speakers: frozenset[str]) -> Iterator[tuple[str | None, str]]:
    """Give each sentence with its speaker; what stands before a colon is one only if the notes know it."""
    for line in text.splitlines():
        for speaker, said, _ in spoken(line, None):
            who = speaker and _folded(speaker.partition(" (")[0])
            known = who in speakers
            for row in sentences(said if known or speaker is None else line):
                yield (who if known else None), row


def _called(text: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the names of a text: speakers, capitalised words inside a sentence, and openers that a verb follows."""
    found = set(speakers)
    for _, row in _rows(text, speakers):
        found |= set(map(_folded, names(row)))
        opener = _OPENER.match(row)
        if opener and content_words(opener[1]):
            found.add(_folded(opener[1]))
    return frozenset(found - _TITLES - _DAYS)


def _has_all(told: Sequence[_Clause], wanted: Sequence[_Clause], known: Sequence[_Clause]) -> bool:
    speakers = {clause.speaker for clause in known if clause.speaker}
    written = _named(told) | _all(told, "words")
    mentioned = _named(known) | _all(known, "words") | speakers
    # each of the draft's facts is kept, and none is new
    facts = (
        (_named(wanted) - speakers, written),
        (_all(wanted, "numbers"), _all(told, "numbers")),
        (_all(wanted, "days"), _all(told, "days")),
        (_all(told, "numbers"), _all(known, "numbers")),
        (_all(told, "days"), _all(known, "days")),
        (_named(told), mentioned),
    )
    return all(few <= many for few, many in facts)


def _named(clauses: Sequence[_Clause]) -> set[str]:
    return {name for clause in clauses for name in (*clause.names, *clause.owners)}


def _all(clauses: Sequence[_Clause], field: str) -> set[str]:
    return {fact for clause in clauses for fact in getattr(clause, field)} - _NO_COUNT


def _is_supported(clause: _Clause, known: Sequence[_Clause], opposed: Opposed) -> bool:
    """Say whether some clause of the notes that tells the same agrees; new words alone need one too."""
    every = {word for other in known for word in other.words}
    if clause.words and len(clause.words & every) < _KNOWN * len(clause.words):
        # new words may join clauses, such as *Otherwise*, but tell nothing
        return not (clause.numbers or clause.days or clause.names) and len(clause.words) <= 1
    shared = {place: len(clause.words & other.words) for place, other in enumerate(known)}
    alike = [place for place, other in enumerate(known) if _tells_the_same(clause, other)]
    most = max((shared[place] for place in alike), default=0)
    best = [known[place] for place in alike if shared[place] == most]
    return not best or any(_agrees(clause, other, opposed) for other in best)


def _tells_the_same(one: _Clause, two: _Clause) -> bool:
    return overlap(one.words, two.words) >= _ALIKE


def _agrees(told: _Clause, known: _Clause, opposed: Opposed) -> bool:
    for field in ("numbers", "days"):
        mine: frozenset[str] = getattr(told, field)
        theirs: frozenset[str] = getattr(known, field)
        # one of the two may say less: they differ only where each has something else
        if mine - theirs and theirs - mine:
            return False
    alike = told.words <= known.words or known.words <= told.words
    if alike and bool(negated(told.text)) != bool(negated(known.text)):
        return False
    return _names_agree(told, known) and not opposed(told.text, known.text)


def _names_agree(told: _Clause, known: _Clause) -> bool:
    mine, theirs = set(told.names), set(known.names)
    if known.first_person and known.speaker:
        # *I* of the notes may become the speaker's name
        if mine - theirs - {known.speaker, *known.owners}:
            return False
        theirs.add(known.speaker)
    elif mine - theirs and theirs - mine:
        return False
    common = [name for name in told.names if name in known.names]
    # the passive turns names around: *Ben was hit by Ann*
    if " by " in f" {told.text} ":
        return True
    if not (_begins(told) and _begins(known)):
        return True
    # *Ann hit Ben* and *Ben hit Ann* have the same names
    return told.names[0] == known.names[0] and common == [
        name for name in known.names if name in common
    ]


def _begins(clause: _Clause) -> bool:
    """Say whether a clause begins with its first name."""
    first = next(
        (
            word
            for word in map(_folded, tokens(clause.text))
            if word not in _TITLES and content_words(word)
        ),
        "",
    )
    return bool(clause.names) and first == clause.names[0]


def _clauses(text: str, called: frozenset[str], speakers: frozenset[str]) -> list[_Clause]:
    return [
        _clause(part, speaker, called)
        for speaker, row in _rows(text, speakers)
        for part in _CLAUSE.split(row)
        if part and part.strip()
    ]


def _clause(text: str, speaker: str | None, called: frozenset[str]) -> _Clause:
    named: list[str] = []
    owners: set[str] = set()
    days: set[str] = set()
    counted = {_ORDINAL.sub("", number.replace(" ", "")) for number in numbers(text)}
    for word in tokens(text):
        folded = _folded(word)
        if folded in _COUNTED:
            counted.add(_COUNTED[folded])
        if folded in _DAYS and word[0].isupper():
            days.add(folded)
        elif word[0].isupper() and folded in called:
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
        frozenset(counted - _NO_COUNT),
        frozenset(days),
    )


def _folded(word: str) -> str:
    bare = word.casefold().removesuffix(".")
    return bare.removesuffix("'s").removesuffix("’s")
