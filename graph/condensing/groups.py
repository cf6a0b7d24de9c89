"""Clustering of memories to condense: session neighbours and similar ones, of bounded size."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from graph.analysis.clusters import communities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]


def groups(
    sessions: Sequence[str | None],
    pairs: Ints,
    weights: Floats,
    *,
    largest: int,
    neighbour_weight: float = 1.0,
    resolution: float = 1.0,
) -> tuple[tuple[int, ...], ...]:
    """Group memories that may become one.

    Communities are looked for among the similar pairs and the neighbours of each session; a community is
    told in the order of the memories, and cut where the session changes without a similar pair across, and
    after every ``largest``. Who is left alone joins a neighbour that is left alone.

    Parameters
    ----------
    sessions
        Session of each memory, in the order in which they are to be told; None for none.
    pairs
        Similar memories, shape ``(m, 2)``.
    weights
        How similar, shape ``(m,)``, each in (0, 1].
    largest
        Most memories of one group, ``>= 1``.
    neighbour_weight
        What being neighbours in a session counts, ``>= 0``.
    resolution
        The higher, the smaller the communities, ``> 0``.

    Returns
    -------
    tuple
        Every memory in one group; each group sorted, ordered by their first.

    Raises
    ------
    ValueError
        If a group may have no member, or a pair names a memory that is not there.
    """
    count = len(sessions)
    if largest < 1 or (len(pairs) and not 0 <= int(pairs.min()) <= int(pairs.max()) < count):
        raise ValueError(f"groups of {largest}, or pairs beyond {count} memories")
    joined = {(min(one, two), max(one, two)) for one, two in pairs.tolist() if one != two}
    found = communities(
        count,
        *_edges(_neighbours(sessions), pairs, weights, neighbour_weight),
        resolution=resolution,
        smallest=1,
    )
    cut = [part for group in found for part in _cut(group, sessions, joined, largest)]
    return tuple(sorted(_paired(cut, sessions, largest)))


def _neighbours(sessions: Sequence[str | None]) -> list[tuple[int, int]]:
    last: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for place, session in enumerate(sessions):
        if session is not None:
            if session in last:
                found.append((last[session], place))
            last[session] = place
    return found


def _edges(
    neighbours: Sequence[tuple[int, int]], pairs: Ints, weights: Floats, neighbour_weight: float
) -> tuple[Ints, Floats]:
    total: dict[tuple[int, int], float] = {}
    if neighbour_weight > 0:
        total = dict.fromkeys(neighbours, neighbour_weight)
    for (one, two), weight in zip(pairs.tolist(), weights.tolist(), strict=True):
        if one != two and weight > 0:
            edge = (min(one, two), max(one, two))
            total[edge] = total.get(edge, 0.0) + weight
    edges = sorted(total)
    rows = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return rows, np.array([total[edge] for edge in edges], dtype=np.float64)


def _cut(
    group: Sequence[int],
    sessions: Sequence[str | None],
    joined: set[tuple[int, int]],
    largest: int,
) -> Iterator[tuple[int, ...]]:
    run = [group[0]]
    for one, two in pairwise(group):
        together = sessions[one] is not None and sessions[one] == sessions[two]
        if len(run) >= largest or not (together or (one, two) in joined):
            yield tuple(run)
            run = []
        run.append(two)
    yield tuple(run)


def _paired(
    parts: Sequence[tuple[int, ...]], sessions: Sequence[str | None], largest: int
) -> list[tuple[int, ...]]:
    """Join those left alone with the next one left alone of their session."""
    done: list[tuple[int, ...]] = [part for part in parts if len(part) > 1]
    waiting: dict[str, list[int]] = {}
    for (place,) in sorted(part for part in parts if len(part) == 1):
        session = sessions[place]
        if session is None:
            done.append((place,))
            continue
        held = waiting.setdefault(session, [])
        held.append(place)
        if len(held) >= min(largest, 2):
            done.append(tuple(waiting.pop(session)))
    return [*done, *(tuple(held) for held in waiting.values())]
