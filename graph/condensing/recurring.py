"""Sentences of several days that tell of the same: what happens again and again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from graph.condensing.facts import content_words, overlap
from graph.condensing.turns import Sentence
from graph.questions.content import stem

_LEAST_DAYS = 3
_LEAST_WORDS = 3
_LEAST_SHARE = 1 / 3  # of the shorter sentence's content words


class Recurrence(NamedTuple):
    """A sentence that stands for those of several days that are like it."""

    place: int
    """Place of the sentence that shares most words with the others."""
    places: tuple[int, ...]
    """Places of all of them, itself too."""
    days: tuple[date, ...]
    """Days on which it was told, the earliest first."""


def recurring(rows: Sequence[Sentence], places: Sequence[int]) -> list[Recurrence]:
    """Find what sentences of at least three days tell alike, the most frequent first.

    Sentences are alike that share three content words, and a third of those of the shorter one. Questions tell nothing.

    Parameters
    ----------
    rows
        Sentences in order.
    places
        Those of them that are looked at.
    """
    words = {
        place: frozenset(map(stem, content_words(rows[place].text)))
        for place in places
        if rows[place].day is not None and not rows[place].asks
    }
    near = {
        one: {other: len(words[one] & words[other]) for other in words if _alike(words, one, other)}
        for one in words
    }
    found: list[Recurrence] = []
    taken: set[int] = set()
    # those that share most words with others stand for their groups
    for one in sorted(near, key=lambda place: (-sum(near[place].values()), place)):
        group = sorted(near[one].keys() - taken)
        days = sorted({day for place in group if (day := rows[place].day) is not None})
        if one not in taken and len(days) >= _LEAST_DAYS:
            taken |= set(group)
            found.append(Recurrence(one, tuple(group), tuple(days)))
    return sorted(found, key=lambda each: (-len(each.days), each.place))


def _alike(words: dict[int, frozenset[str]], one: int, other: int) -> bool:
    first, second = words[one], words[other]
    return len(first & second) >= _LEAST_WORDS and overlap(first, second) >= _LEAST_SHARE
