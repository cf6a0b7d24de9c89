"""Present support and confidence of a known pattern, also below the threshold of discovery."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

from graph.condensing.contrasts import FAILURE, SUCCESS, names_outcome
from graph.condensing.forms import ALIKE, KINDS, MOST_KEYS
from graph.condensing.sequences import follows
from graph.model.consolidation.patterns import Happening, PatternType

_NOTHING = (0, 0.0)


@dataclass(frozen=True, slots=True)
class _Session:
    rows: tuple[Happening, ...]
    """In their order."""
    labels: frozenset[str]


class Recount:
    """Counts patterns of given memories as those are counted that are found, but without any threshold.

    Parameters
    ----------
    happenings
        Memories of one scope, in any order.

    Examples
    --------
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, (label,)) for i in range(4)
    ...         for place, label in enumerate(("deploy", "rollback" if i else "party"))]
    >>> Recount(rows).of("sequential", ("deploy", "rollback"))
    (3, 0.6666666666666666)
    """

    def __init__(self, happenings: Sequence[Happening]) -> None:
        ordered = sorted(
            (one.session, one.order, place)
            for place, one in enumerate(happenings)
            if one.session is not None
        )
        self._sessions = [
            _session(happenings[place] for _, _, place in rows)
            for _, rows in groupby(ordered, key=lambda row: row[0])
        ]

    def of(self, type: PatternType, items: Sequence[str]) -> tuple[int, float]:
        """Return support, in sessions, and confidence, in [0, 1]; both 0 where nothing of it is left."""
        match type:
            case "sequential":
                return self._sequential(items)
            case "causal":
                return self._causal(items[0], items[1])
            case "correlational":
                return self._correlational(items[0], items[1])
            case "structural" if items[0] == KINDS:
                return self._kinds(tuple(items[1:]))
            case "structural":
                return self._keys(tuple(items[1:]))

    def _sequential(self, items: Sequence[str]) -> tuple[int, float]:
        hits, tries = self._following(items), self._following(items[:-1])
        return (hits, (hits + 1) / (tries + 2)) if hits else _NOTHING

    def _following(self, items: Sequence[str]) -> int:
        having = (one for one in self._sessions if one.labels.issuperset(items))
        return sum(follows([row.labels for row in one.rows], items) for one in having)

    def _causal(self, cause: str, effect: str) -> tuple[int, float]:
        outcomes = {FAILURE: False, SUCCESS: True}
        told = effect in outcomes and any(
            # without any known outcome a label *failure* is all that there is to go by
            row.outcome is not None
            for one in self._sessions
            for row in one.rows
        )
        hits = having = others = lacking = 0
        for one in self._sessions:
            # a session of unknown outcome says nothing of either
            if told and all(row.outcome is None for row in one.rows):
                continue
            first = next((i for i, row in enumerate(one.rows) if cause in row.labels), None)
            ends = [
                i
                for i, row in enumerate(one.rows)
                if (row.outcome is outcomes[effect] if told else effect in row.labels)
            ]
            if first is None:
                lacking, others = lacking + 1, others + bool(ends)
                continue
            # an outcome comes after its own memory's labels, unless a label names it
            later = not told or names_outcome(cause)
            having, hits = having + 1, hits + bool(ends and first + later <= ends[-1])
        if not hits:
            return _NOTHING
        # Laplace's rule, as where patterns are found
        with_it, without = (hits + 1) / (having + 2), (others + 1) / (lacking + 2)
        return hits, _unit((with_it - without) / (1 - without))

    def _correlational(self, one: str, two: str) -> tuple[int, float]:
        count = len(self._sessions)
        first, second = (sum(name in held.labels for held in self._sessions) for name in (one, two))
        both = sum(held.labels.issuperset((one, two)) for held in self._sessions)
        spread = sqrt(first * (count - first) * second * (count - second))
        phi = (count * both - first * second) / spread if spread else 0.0
        return (both, _unit(phi)) if both else _NOTHING

    def _kinds(self, items: tuple[str, ...]) -> tuple[int, float]:
        named = [[row.kind for row in one.rows if row.kind] for one in self._sessions]
        hits = sum(tuple(kind for kind, _ in groupby(kinds)) == items for kinds in named)
        tries = sum(set(kinds).issuperset(items) for kinds in named)
        return (hits, hits / tries) if hits else _NOTHING

    def _keys(self, items: tuple[str, ...]) -> tuple[int, float]:
        hits = tries = 0
        for one in self._sessions:
            shapes = {row.shape for row in one.rows if 2 <= len(row.shape) <= MOST_KEYS}
            hits += items in shapes
            tries += any(_alike(items, shape) for shape in shapes)
        return (hits, hits / tries) if hits else _NOTHING


def _session(rows: Iterable[Happening]) -> _Session:
    told = tuple(rows)
    return _Session(told, frozenset(label for row in told for label in row.labels))


def _alike(items: tuple[str, ...], shape: tuple[str, ...]) -> bool:
    shared = len({*items} & {*shape})
    return shared >= ALIKE * (len(items) + len(shape) - shared)


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)
