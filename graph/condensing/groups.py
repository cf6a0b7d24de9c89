"""Clusters of memories to condense: topics of a session, joined where one comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from graph.condensing.topics import borders

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

GAP_SECONDS = 3 * 3600.0
"""Silence after which a session takes up another topic."""
RETURNS = 0.6
"""Cosine of the mean vectors of two topics, without what all have in common, from which on they are one that came back."""
_DOUBT = 8.0  # turns that what all have in common is doubted by: a few that are alike are one topic, not a background


@dataclass(frozen=True, slots=True)
class Turn:
    """One memory as clustering sees it, in the order of time."""

    session: str | None
    seconds: float
    """Seconds since 1970 at which it happened."""
    asks: bool = False
    """It ends with a question, whose answer has to stay with it."""
    goes_on: bool = False
    """It says nothing without the one before it: thanks, *Then at nine*, *Which colour are they?*"""
    lines: int = 1
    """Turns that it was condensed from, as far as its text has a line for each, ``>= 1``."""


def groups(
    turns: Sequence[Turn], vectors: Floats, pairs: Ints, *, largest: int
) -> tuple[tuple[int, ...], ...]:
    """Group memories that may become one.

    Each session is cut where its meaning turns (``topics.borders``) and after a silence, but not between a question and
    its answer; a turn that goes on from the one before it stays with that. Topics are joined where a pair of similar
    memories connects them and their means are near, beside what all memories have in common: the mean vectors of any two
    topics of one chat are near. A memory without a session is a topic of its own.

    Parameters
    ----------
    turns
        Memories in order of time.
    vectors
        One row for each memory, shape ``(n, d)``; rows of zeros for unknown ones.
    pairs
        Similar memories, the most similar first, shape ``(m, 2)``.
    largest
        Most memories of one group, ``>= 1``.

    Returns
    -------
    tuple
        Every memory in one group; each group sorted, ordered by their first.

    Raises
    ------
    ValueError
        If a group may have no member, there are not as many vectors as memories, or a pair names a memory that is
        not there.
    """
    count = len(turns)
    if largest < 1 or len(vectors) != count:
        raise ValueError(f"groups of {largest}, or {len(vectors)} vectors of {count} memories")
    if len(pairs) and not 0 <= int(pairs.min()) <= int(pairs.max()) < count:
        raise ValueError(f"pairs beyond {count} memories")
    found = [
        group for places in _sessions(turns) for group in _topics(places, turns, vectors, largest)
    ]
    lines = sum(turn.lines for turn in turns)
    return tuple(sorted(_joined(found, vectors, pairs, largest, lines)))


def _sessions(turns: Sequence[Turn]) -> list[list[int]]:
    """Return the places of each session in order; each memory without one alone."""
    named: dict[str, list[int]] = {}
    alone: list[list[int]] = []
    for place, turn in enumerate(turns):
        if turn.session is None:
            alone.append([place])
        else:
            named.setdefault(turn.session, []).append(place)
    return [*named.values(), *alone]


def _topics(
    places: Sequence[int], turns: Sequence[Turn], vectors: Floats, largest: int
) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    start = 0
    for end in range(1, len(places) + 1):
        is_last = end == len(places)
        if is_last or turns[places[end]].seconds - turns[places[end - 1]].seconds > GAP_SECONDS:
            found += _cut(places[start:end], turns, vectors, largest)
            start = end
    return found


def _cut(
    places: Sequence[int], turns: Sequence[Turn], vectors: Floats, largest: int
) -> list[tuple[int, ...]]:
    # a bare *Yes* has both reasons: where a border has to come, it comes elsewhere
    ties = [int(turns[one].asks) + int(turns[two].goes_on) for one, two in pairwise(places)]
    # a condensed note counts as the turns that it was made of (ADR 65)
    lines = sum(turns[place].lines for place in places)
    found = borders(vectors[list(places)], longest=largest, ties=np.array([0, *ties]), turns=lines)
    at = [0, *found, len(places)]
    return [tuple(places[one:two]) for one, two in pairwise(at)]


def _joined(
    found: Sequence[tuple[int, ...]], vectors: Floats, pairs: Ints, largest: int, lines: int
) -> list[tuple[int, ...]]:
    if not len(pairs):
        return list(found)
    apart = vectors - vectors.mean(axis=0) * (lines / (lines + _DOUBT))
    group_of = {place: index for index, group in enumerate(found) for place in group}
    members = {index: list(group) for index, group in enumerate(found)}
    # the most similar first: groups have a limit, and fill in this order
    for one, two in pairs.tolist():
        first, second = sorted((group_of[one], group_of[two]))
        if first == second or len(members[first]) + len(members[second]) > largest:
            continue
        one_mean, two_mean = (apart[members[each]].mean(axis=0) for each in (first, second))
        if _cosine(one_mean, two_mean) < RETURNS:
            continue
        for place in members[second]:
            group_of[place] = first
        members[first] += members.pop(second)
    return [tuple(sorted(group)) for group in members.values()]


def _cosine(one: Floats, two: Floats) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(one @ two) / length if length else 0.0
