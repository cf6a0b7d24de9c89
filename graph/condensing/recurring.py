"""Recurring statements: similar sentences of several days."""

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
    """A sentence that represents similar ones of several days."""

    place: int
    """Index of the representative: it shares most words with the others."""
    places: tuple[int, ...]
    """Indices of all of them, the representative included."""
    days: tuple[date, ...]
    """Days on which it was said, the earliest first."""


def recurring(rows: Sequence[Sentence], places: Sequence[int]) -> list[Recurrence]:
    """Find statements that recur on at least three days, the most frequent first.

    Similar sentences share three content words, and a third of those of the shorter one. Questions are ignored.

    Parameters
    ----------
    rows
        Sentences in order.
    places
        Indices of the candidates.
    """
    words = {
        place: frozenset(map(stem, content_words(rows[place].text)))
        for place in places
        if rows[place].day is not None and not rows[place].asks
    }
    shared_words = {
        one: {other: len(words[one] & words[other]) for other in words if _alike(words, one, other)}
        for one in words
    }
    recurrences: list[Recurrence] = []
    taken: set[int] = set()
    # greedy: those that share most words with others represent their groups
    for one in sorted(shared_words, key=lambda place: (-sum(shared_words[place].values()), place)):
        group = sorted(shared_words[one].keys() - taken)
        days = sorted({day for place in group if (day := rows[place].day) is not None})
        if one not in taken and len(days) >= _LEAST_DAYS:
            taken |= set(group)
            recurrences.append(Recurrence(one, tuple(group), tuple(days)))
    return sorted(recurrences, key=lambda each: (-len(each.days), each.place))


def _alike(words: dict[int, frozenset[str]], one: int, other: int) -> bool:
    first, second = words[one], words[other]
    return len(first & second) >= _LEAST_WORDS and overlap(first, second) >= _LEAST_SHARE
