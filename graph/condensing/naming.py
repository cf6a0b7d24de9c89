"""Names of one subject: *Marian Hargreaves* is *Marian* and *Mrs Hargreaves* too, if texts mean nobody else by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.condensing.facts import CALENDAR_NAMES
from graph.condensing.sentences import sentences

_WORD = re.compile(r"[^\W\d_][\w-]*")
# *Mrs*, *Ms* and *Miss* may be of one person, *Mrs* and *Mr* are not
TITLES = {
    **dict.fromkeys(("mr", "herr"), "mr"),
    **dict.fromkeys(("mrs", "ms", "miss", "frau"), "mrs"),
    **dict.fromkeys(("dr", "prof"), "dr"),
}
_PLACE = "in"  # *in Berlin*: a place, which has more than one subject


@dataclass(frozen=True, slots=True)
class _Name:
    """Words of a subject without its titles, and these."""

    words: tuple[str, ...]
    titles: frozenset[str]

    @property
    def parts(self) -> tuple[str, ...]:
        """The last and the first word, of what has a title or several words."""
        if len(self.words) > 1:
            return self.words[-1], self.words[0]
        return self.words if self.titles else ()


def _name_of(subject: str) -> _Name:
    words = [word.casefold() for word in _WORD.findall(subject)]
    return _Name(
        tuple(word for word in words if word not in TITLES),
        frozenset(TITLES[word] for word in words if word in TITLES),
    )


def parts_of(subject: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of a name that may name its subject too, none where a text has one as an ordinary word.

    Examples
    --------
    >>> parts_of("Marian Hargreaves", []), parts_of("Lena", []), parts_of("order service", ["The order service fails."])
    (('hargreaves', 'marian'), (), ())
    """
    parts = _name_of(subject).parts
    ordinary = {word for text in texts for word in _WORD.findall(text) if word.islower()}
    return () if ordinary & {*parts} else parts


def names_of(subject: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names by which texts speak of a subject: itself, and its first and last word if they mean nobody else.

    A word means something else if a text has it as an ordinary word or a place, if another name precedes the last word
    or follows the first, or if titles of two people precede the last. A name that no text has in full has no other.

    Examples
    --------
    >>> told = ["Marian Hargreaves called.", "I told Marian the code.", "The code of Mrs Hargreaves is 4471."]
    >>> names_of("Marian Hargreaves", told)
    ('Marian Hargreaves', 'hargreaves', 'marian')
    >>> names_of("Marian Hargreaves", [*told, "Then Peter Hargreaves came."])
    ('Marian Hargreaves', 'marian')
    >>> names_of("Mr Hargreaves", told), names_of("Mrs Hargreaves", told)
    (('Mr Hargreaves',), ('Mrs Hargreaves', 'hargreaves'))
    """
    name = _name_of(subject)
    rows = [_WORD.findall(sentence) for text in texts for sentence in sentences(text)]
    whole = len(name.words) < 2 or any(
        (one.casefold(), two.casefold()) == name.words[-2:]
        for row in rows
        for one, two in pairwise(row)
    )
    if not whole:
        return (subject,)
    return (subject, *(part for part in name.parts if _means_one(part, name, rows)))


def _means_one(part: str, name: _Name, rows: Sequence[Sequence[str]]) -> bool:
    """Return whether texts use a part of a name as a name, and of one subject alone."""
    is_last = part == name.words[-1]
    titles, others = set(name.titles), set[str]()
    is_name = False
    for row in rows:
        lowered = [word.casefold() for word in row]
        for place in (place for place, word in enumerate(lowered) if word == part):
            before = lowered[place - 1] if place else ""
            beside = row[place - 1 : place] if is_last and place else row[place + 1 : place + 2]
            if row[place].islower() or before == _PLACE:
                return False
            others |= {word.casefold() for word in beside if _is_name(word)} - {*name.words}
            if before in TITLES:
                titles.add(TITLES[before])
            is_name = is_name or place > 0
    # beside a surname alone there is the first name of its subject
    return is_name and len(titles) < 2 and len(others) <= (len(name.words) < 2)


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.casefold() not in TITLES.keys() | CALENDAR_NAMES
