"""Antecedents of *he* and *she* in a text and in the memories before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graph.condensing.acts import SOCIAL_WORDS, straightened
from graph.condensing.answering import is_past
from graph.condensing.facts import DATES, content_words, counts
from graph.condensing.model import Source
from graph.condensing.naming import TITLES
from graph.condensing.references import SUBJECT, is_one_of
from graph.condensing.tokens import cached
from graph.condensing.turns import Sentence, named_in, speakers_of, texts_of

Gender = Literal["he", "she"]

REACH = 20
"""Memories before one in which its pronouns may have their antecedents."""
ENOUGH = 3
"""Names; of more nobody can tell whom a pronoun means."""
_MEN = "dad|daddy|father|grandpa|grandad|granddad|grandfather|uncle|brother|husband|boyfriend|son|nephew"
_WOMEN = (
    "mum|mom|mummy|mother|grandma|granny|gran|grandmother|aunt|auntie|sister|wife|girlfriend"
    "|daughter|niece"
)
_UNNAMED = "the "
# *a man*, *my colleague*: may be somebody, whom no word here tells from a thing
_NOUN = re.compile(r"\b(?:an?|the|my|our|your|his|her) [a-z]", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:(?P<he>he|him|his)|she|her|hers)\b", re.IGNORECASE)
_CAPITALISED = r"[^\W\d_a-z]\w+(?:-[^\W\d_a-z]\w+)*(?!-)"
_RUN = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\. )?{_CAPITALISED}(?: {_CAPITALISED})*"
# *dad*, *my brother Paul*, *Mrs Winter*
_SOMEBODY = re.compile(
    rf"(?<![\w.'@#/-])(?:(?P<man>(?i:{_MEN}))|(?P<woman>(?i:{_WOMEN})))\b(?!-|'[^s])(?P<called> {_RUN})?"
    rf"|(?<![\w.'@#/-])(?P<name>{_RUN})"
)
# *The inspector comes*; not *The pump is*, which may be a thing
_BEGINS = re.compile(
    r"^(?:(?:and|but|so|oh|well),? )*the (?P<who>[a-z]\w+) (?!is|was|has)\w+(?:s|ed)\b",
    re.IGNORECASE,
)
# *the Bavaria*, *my Polo* and *in Ulm* name things and places
_BEFORE_THINGS = re.compile(
    r"\b(?:the|an?|no|this|that|every|my|our|your|his|her|their|in|at|near|from|to|on|via) $",
    re.IGNORECASE,
)
_CALLS_BEFORE = re.compile(r"(?:, |\b(?:hey|hi|hello|thanks|thank you|ok|yes|no) )$", re.IGNORECASE)
_CALLS_AFTER = re.compile(r"\s*(?:[,!?]|\.?$)")
_DIGIT = re.compile(r"\d")
# *Water is fine*, *No treats*: a word that begins a sentence may be no name
_MAY_BE_NO_NAME = re.compile(r"^(?:not?|never)\b|^\S+ (?:is|was)\b", re.IGNORECASE)
# *Kamil from the plumbing firm*, *Rob can't*
_AFTER_NAMES = re.compile(r" (?:from|and|then|can|could|will|would|should|must|may|might)\b")


@dataclass(slots=True)
class Person:
    """Somebody in a sentence; the gender is None unless a title or a word such as *aunt* tells it."""

    place: int
    name: str
    gender: Gender | None = None
    meant: Gender | None = None
    """The pronoun that was taken for this one, which may be wrong."""

    def may_be(self, gender: Gender) -> bool:
        """Return whether a pronoun may stand for this one."""
        return {self.gender, self.meant} <= {gender, None}


def heading(
    sources: Sequence[Source], rows: Sequence[Sentence], order: Sequence[int]
) -> list[str] | None:
    """Return whom the memories before name, where a kept *he* or *she* is nobody of the text; None if they name nobody."""
    speakers = speakers_of(rows)
    known = _known(row.text for row in rows)
    found: list[str] = []
    for index, source in enumerate(sources):
        own = [place for place in order if rows[place].source == index]
        lacks = people([rows[place].text for place in own], speakers, known)[1] if own else None
        if lacks is None or source.before is None:
            continue
        first = own[lacks[0]]
        left = [row.text for row in rows[:first] if row.source == index]
        before = [left, named_in(source.text), *(texts_of(each) for each in source.before)]
        names = named_before(before, lacks[1], speakers)
        said = " ".join(rows[place].text for place in order if place < first)
        # the nearest is whom a reader takes it for
        if names and names[0].rpartition(" ")[2] in said:
            continue
        if not names and _NOUN.search(said):
            continue
        # *the inspector* has no name, and *the heating* is nobody
        if not names or names[0].startswith(_UNNAMED):
            return None
        for name in names:
            _add(found, name)
    return [name for name in found if not name.startswith(_UNNAMED)]


def people(
    rows: Sequence[str], speakers: frozenset[str] = frozenset(), known: frozenset[str] = frozenset()
) -> tuple[list[Person], tuple[int, Gender] | None]:
    """Return whom sentences name, and the first sentence with a *he* or *she* before anybody was named.

    Parameters
    ----------
    rows
        Sentences in order.
    speakers
        Case-folded speakers: *Anna, could you* addresses one, and names nobody.
    known
        Names of other sentences, which are names also where they begin one.

    Examples
    --------
    >>> people(["Mrs Winter called.", "She asks if he can stay."])[1]
    (1, 'he')
    >>> [each.name for each in people(["Nero limps.", "My brother Paul has him in Ulm."])[0]]
    ['Nero', 'Paul']
    """
    found: list[Person] = []
    lacks: tuple[int, Gender] | None = None
    for place, row in enumerate(rows):
        plain = straightened(row)
        waiting = [*_people_in(plain, speakers, known)]
        for pronoun in _PRONOUN.finditer(plain):
            gender: Gender = "he" if pronoun["he"] else "she"
            while waiting and waiting[0].place < pronoun.start():
                found.append(waiting.pop(0))
            meant = next((each for each in reversed(found) if each.gender in {gender, None}), None)
            if meant is not None:
                meant.meant = meant.meant or gender
            lacks = lacks or (None if meant else (place, gender))
        found += waiting
    return found, lacks


def lacking(text: str) -> Gender | None:
    """Return the *he* or *she* of a memory before which it names nobody."""
    found = people(texts_of(Source(text)))[1]
    return found and found[1]


def may_be_meant(text: str, gender: Gender) -> frozenset[str]:
    """Return whom a memory names that *he* or *she* may stand for."""
    rows = texts_of(Source(text))
    named = people(rows, known=_known(rows))[0]
    return frozenset(
        each.name for each in named if each.may_be(gender) and not each.name.startswith(_UNNAMED)
    )


def _known(rows: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(inner_names, rows))


def named_before(
    before: Sequence[Sequence[str]], gender: Gender, speakers: frozenset[str]
) -> tuple[str, ...]:
    """Return whom *he* or *she* may stand for, at most three, the nearest first.

    Parameters
    ----------
    before
        Sentences of each memory before one, the nearest first.
    gender
        Who is of the other one is left out.
    speakers
        Case-folded speakers of the memories.
    """
    known = _known(row for rows in before for row in rows)
    found: list[str] = []
    for rows in before:
        for each in reversed(people(rows, speakers, known)[0]):
            if each.may_be(gender):
                _add(found, each.name)
        if len(found) >= ENOUGH:
            break
    return tuple(found[:ENOUGH])


@cached
def inner_names(sentence: str) -> frozenset[str]:
    """Return whom a sentence names, as far as a capital within it or a title tells."""
    return frozenset(
        each.name for each in _people_in(straightened(sentence), frozenset(), frozenset())
    )


def _add(found: list[str], name: str) -> None:
    """Add a name; *Rob* and *Uncle Rob* are one."""
    words = name.split()
    for place, other in enumerate(found):
        if other.split()[-1] == words[-1]:
            found[place] = max(other, name, key=len)
            return
    found.append(name)


def _people_in(sentence: str, speakers: frozenset[str], known: frozenset[str]) -> Iterator[Person]:
    begins = _BEGINS.match(sentence)
    if begins and not _SOMEBODY.match(begins["who"]):
        yield Person(begins.start("who"), f"{_UNNAMED}{begins['who']}")
    for match in _SOMEBODY.finditer(sentence):
        gender: Gender | None = "he" if match["man"] else "she" if match["woman"] else None
        if gender is not None:
            titled = match["called"] is None or match[0][0].isupper()
            yield Person(match.start(), match[0] if titled else match["called"].strip(), gender)
            continue
        start, words = match.start(), match[0].split()
        while words and not _may_name(words[0]):
            start += len(words.pop(0)) + 1
        name = " ".join(words)
        if words and _is_somebody(sentence, start, name, known, speakers):
            yield Person(start, name, _gender_of(words[0]))


def _may_name(word: str) -> bool:
    if word.casefold().rstrip(".") in TITLES:
        return True
    lower = word.casefold()
    is_date = bool({lower, lower.removesuffix("s")} & DATES)
    return not (is_date or counts(word) or word.isupper() or content_words(word) <= SOCIAL_WORDS)


def _is_somebody(
    sentence: str, start: int, name: str, known: frozenset[str], speakers: frozenset[str]
) -> bool:
    before, after = sentence[:start], sentence[start + len(name) :]
    words = name.split()
    if words[0].casefold().rstrip(".") in TITLES:
        return len(words) > 1
    if not all(map(_may_name, words)) or _DIGIT.search(name + after[:2]):
        return False
    if is_one_of(name, speakers) and (_CALLS_BEFORE.search(before) or _CALLS_AFTER.match(after)):
        return False
    if start == 0 and len(words) == 1 and name not in known:
        follows = after.split()
        acts = SUBJECT.match(sentence) or _AFTER_NAMES.match(after)
        acts = acts or (follows and is_past(follows[0].rstrip(".,;:!")))
        return bool(acts) and not _MAY_BE_NO_NAME.match(sentence)
    return not _BEFORE_THINGS.search(before)


def _gender_of(word: str) -> Gender | None:
    title = TITLES.get(word.casefold().rstrip("."))
    return "he" if title == "mr" else "she" if title == "mrs" else None
