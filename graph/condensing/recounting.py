"""Current support and confidence of known patterns, also below the thresholds of discovery."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

from graph.condensing.contrasts import FAILURE, SUCCESS, names_outcome
from graph.condensing.forms import KINDS, MIN_JACCARD, MOST_KEYS
from graph.condensing.sequences import follows
from graph.model.consolidation.patterns import Happening, PatternType

_ABSENT = (0, 0.0)


@dataclass(frozen=True, slots=True)
class _Session:
    rows: tuple[Happening, ...]
    """In their order."""
    labels: frozenset[str]


class Recount:
    """Counts support and confidence of known patterns as discovery does, without its thresholds.

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
        """Return support, in sessions, and confidence, in [0, 1]; both 0 if the pattern no longer occurs."""
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
        return (hits, (hits + 1) / (tries + 2)) if hits else _ABSENT

    def _following(self, items: Sequence[str]) -> int:
        having = (one for one in self._sessions if one.labels.issuperset(items))
        return sum(follows([row.labels for row in one.rows], items) for one in having)

    def _causal(self, cause: str, effect: str) -> tuple[int, float]:
        outcomes = {FAILURE: False, SUCCESS: True}
        by_outcome = effect in outcomes and any(
            # without any known outcome only a label *failure* can say how a session ended
            row.outcome is not None
            for one in self._sessions
            for row in one.rows
        )
        hits = having = others = lacking = 0
        for one in self._sessions:
            # a session of unknown outcome is evidence of neither
            if by_outcome and all(row.outcome is None for row in one.rows):
                continue
            first = next((i for i, row in enumerate(one.rows) if cause in row.labels), None)
            ends = [
                i
                for i, row in enumerate(one.rows)
                if (row.outcome is outcomes[effect] if by_outcome else effect in row.labels)
            ]
            if first is None:
                lacking, others = lacking + 1, others + bool(ends)
                continue
            # an outcome comes after its own memory's labels, unless a label names it
            later = not by_outcome or names_outcome(cause)
            having, hits = having + 1, hits + bool(ends and first + later <= ends[-1])
        if not hits:
            return _ABSENT
        # Laplace's rule, as where patterns are found
        with_it, without = (hits + 1) / (having + 2), (others + 1) / (lacking + 2)
        return hits, _unit((with_it - without) / (1 - without))

    def _correlational(self, one: str, two: str) -> tuple[int, float]:
        count = len(self._sessions)
        first, second = (
            sum(name in session.labels for session in self._sessions) for name in (one, two)
        )
        both = sum(session.labels.issuperset((one, two)) for session in self._sessions)
        spread = sqrt(first * (count - first) * second * (count - second))
        phi = (count * both - first * second) / spread if spread else 0.0
        return (both, _unit(phi)) if both else _ABSENT

    def _kinds(self, items: tuple[str, ...]) -> tuple[int, float]:
        named = [[row.kind for row in one.rows if row.kind] for one in self._sessions]
        hits = sum(tuple(kind for kind, _ in groupby(kinds)) == items for kinds in named)
        tries = sum(set(kinds).issuperset(items) for kinds in named)
        return (hits, hits / tries) if hits else _ABSENT

    def _keys(self, items: tuple[str, ...]) -> tuple[int, float]:
        hits = tries = 0
        for one in self._sessions:
            shapes = {row.shape for row in one.rows if 2 <= len(row.shape) <= MOST_KEYS}
            hits += items in shapes
            tries += any(_similar(items, shape) for shape in shapes)
        return (hits, hits / tries) if hits else _ABSENT


def _session(rows: Iterable[Happening]) -> _Session:
    ordered = tuple(rows)
    return _Session(ordered, frozenset(label for row in ordered for label in row.labels))


def _similar(items: tuple[str, ...], shape: tuple[str, ...]) -> bool:
    shared = len({*items} & {*shape})
    return shared >= MIN_JACCARD * (len(items) + len(shape) - shared)


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)
