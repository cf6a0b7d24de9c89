"""Associations beyond chance: labels before failures or successes, and labels of the same sessions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from graph.condensing.chance import Flags, Floats, Ints, meeting_by_chance
from graph.condensing.columns import Columns
from graph.condensing.model import PatternLimits

FAILURE, SUCCESS = "failure", "success"

_MOST_EFFECTS = 30
_WORD = re.compile(r"[^\W\d_]+")
_BAD_WORDS = (
    "error errors errored failure failures failed fail fails exception exceptions traceback timeout timeouts "
    "crash crashed crashes aborted rejected"
)
_GOOD_WORDS = "success succeeded successful ok passed done completed"
_BAD, _GOOD = frozenset(_BAD_WORDS.split()), frozenset(_GOOD_WORDS.split())


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two labels, of which the second is an effect or an equal."""

    items: tuple[str, str]
    support: int
    confidence: float
    rows: tuple[int, ...]
    """Rows that it rests on: two of each session at most."""


@dataclass(frozen=True, slots=True)
class _Effect:
    name: str
    last: Ints
    """Its last row in each session, shape ``(s,)``; -1 for none."""
    known: Flags
    """Sessions that say whether there was one, shape ``(s,)``."""
    number: int | None
    """Of its label; None for an outcome."""


@dataclass(frozen=True, slots=True)
class _Labels:
    """Positions of each of ``v`` labels in each of ``s`` sessions."""

    first: Ints
    """Its first row there, shape ``(s, v)``."""
    there: Flags
    """Whether it is there at all, shape ``(s, v)``."""
    naming: Flags
    """Whether it names an outcome, shape ``(v,)``."""


@dataclass(frozen=True, slots=True)
class _Meetings:
    """In how many of ``s`` sessions two of ``v`` labels meet."""

    first: Ints
    """First row of each label in each session, shape ``(s, v)``."""
    there: Flags
    """Whether it is there at all, shape ``(s, v)``."""
    both: Floats
    """Sessions with both labels, shape ``(v, v)``; with the label itself on the diagonal."""
    phi: Floats
    """Their correlation, shape ``(v, v)``; 0 where one never varies."""

    def frequent(self, limits: PatternLimits) -> Flags:
        """Tell which pairs meet often, and more often than not."""
        enough = (self.both >= limits.minimum_support) & (self.phi > 0)
        return enough & (self.phi >= limits.minimum_confidence)

    def chance(self, one: int, two: int) -> float:
        """Return the probability that they meet as often although they are independent."""
        hits, with_one, with_two = self.both[one, two], self.both[one, one], self.both[two, two]
        return meeting_by_chance(int(hits), int(with_one), int(with_two), len(self.first))

    def contrast(self, columns: Columns, pair: tuple[int, int], limits: PatternLimits) -> Contrast:
        """Name a pair, and where it meets."""
        one, two = pair
        met = self.there[:, one] & self.there[:, two]
        return Contrast(
            (columns.names[one], columns.names[two]),
            int(self.both[pair]),
            _unit(self.phi[pair]),
            _flat(self.first[met][:, [one, two]], limits),
        )


def names_failure(label: str) -> bool:
    """Tell whether a label speaks of an error or a failure: one of its words does.

    Examples
    --------
    >>> names_failure("http-timeout"), names_failure("terror")
    (True, False)
    """
    return not _BAD.isdisjoint(_WORD.findall(label.lower()))


def causes(columns: Columns, limits: PatternLimits) -> list[Contrast]:
    """Find labels after which an outcome or an error is more frequent than in sessions without them.

    **A contrast in time is no proof**: what brings both about, or what people do in expectation of a
    failure, looks the same.

    Over sessions, with ``p`` the share of those with the label in which the effect comes after it, and ``q``
    the share of those without it that have the effect anywhere,

        confidence = (p − q) / (1 − q),    p = (hits + 1) / (sessions + 2), q likewise

    Effects are failure and success, told by sessions with a known outcome, and labels that name an error.
    The outcome of a memory comes after its own labels, unless these name it. ``minimum_support`` sessions
    must have the label and the effect, and as many must not have the label; the chance of the table
    (Fisher's exact test), times the number of tables that could be so unlikely at all, must be at most
    ``limits.error_rate``. The last step of a longer session does not bring about its success: who fails
    does not come that far.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        What makes a contrast a pattern.

    Returns
    -------
    list
        Contrasts of cause and effect.

    Raises
    ------
    ValueError
        Never; where nothing stands out it is empty.

    References
    ----------
    Tarone, "A modified Bonferroni method for discrete data", 1990; Jenkins and Ward, "Judgment of contingency between responses and outcomes", 1965 (ΔP = p − q); Cheng,
    "From covariation to causation: a causal power theory", 1997 (ΔP / (1 − q)).

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", 0, ("hurry",) if i < 8 else ("wait",)) for i in range(16)]
    >>> rows += [Happening(f"s{i}", 1, (), outcome=i >= 8) for i in range(16)]
    >>> limits = PatternLimits()
    >>> [(one.items, one.support, round(one.confidence, 3))
    ...  for one in causes(columns(rows, limits), limits)]
    [(('hurry', 'failure'), 8, 0.889), (('wait', 'success'), 8, 0.889)]
    """
    labels = _labels(columns)
    effects = list(_effects(columns, labels, limits))
    tested = sum(_testable(effect, labels, limits) for effect in effects)
    # for all effects together: each table more may be unlikely by chance
    least = limits.error_rate / max(tested, 1)
    return [found for each in effects for found in _caused(columns, each, labels, least, limits)]


def _labels(columns: Columns) -> _Labels:
    first = columns.first()
    naming = np.array([names_outcome(name) for name in columns.names], dtype=np.bool_)
    return _Labels(first, first < len(columns.rows), naming)


def _testable(effect: _Effect, labels: _Labels, limits: PatternLimits) -> int:
    """Count the labels whose sessions are many enough that a table could be unlikely."""
    known = int(effect.known.sum())
    total = int((effect.known & (effect.last >= 0)).sum())
    having = (labels.there & effect.known[:, None]).sum(axis=0).tolist()
    enough = limits.minimum_support
    return sum(
        enough <= count <= known - enough
        and meeting_by_chance(min(count, total), count, total, known) <= limits.error_rate
        for count in having
    )


def companions(
    columns: Columns, limits: PatternLimits, said: Collection[frozenset[str]] = ()
) -> list[Contrast]:
    """Find labels that occur in the same sessions beyond chance, whatever their order.

    The confidence is their correlation over sessions, ``φ = (n·k − a·b) / √(a·b·(n − a)·(n − b))``, with
    ``k`` of ``n`` sessions that have both, ``a`` and ``b`` that have each. The chance of meeting as often
    (Fisher's exact test), times the number of pairs, must be at most ``limits.chance``. Labels that stand
    on exactly the same memories are one under two names, and left out.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        What makes a correlation a pattern.
    said
        Labels of which it is said already that they come together; pairs of them are left out.

    Returns
    -------
    list
        Pairs, each sorted by name; ``limits.most`` of the highest support times confidence.

    Raises
    ------
    ValueError
        Never; where nothing meets it is empty.

    References
    ----------
    Tan, Kumar and Srivastava, "Selecting the right interestingness measure for association patterns", 2002.

    Examples
    --------
    >>> from graph.condensing.columns import columns
    >>> from graph.condensing.model import PatternLimits
    >>> from graph.model.consolidation.patterns import Happening
    >>> rows = [Happening(f"s{i}", place, (label,)) for i in range(24)
    ...         for place, label in enumerate(("rain", "bus") if i % 3 else ("sun", "bicycle"))]
    >>> limits = PatternLimits(minimum_confidence=1.0)
    >>> [(one.items, one.support) for one in companions(columns(rows, limits), limits)]
    [(('bus', 'rain'), 16), (('bicycle', 'sun'), 8)]
    """
    meetings = _meetings(columns)
    many = len(columns.names)
    # all pairs, whether they meet or not: each was looked at
    least = limits.chance / max(many * (many - 1) // 2, 1)
    told = _told_apart(columns, meetings.frequent(limits), said)
    found = [pair for pair in told if meetings.chance(*pair) <= least]
    found.sort(key=lambda pair: (-float(meetings.both[pair] * meetings.phi[pair]), pair))
    return [meetings.contrast(columns, pair, limits) for pair in found[: limits.most]]


def _meetings(columns: Columns) -> _Meetings:
    first = columns.first()
    # 32 bits count up to 16 million sessions exactly
    there = (first < len(columns.rows)).astype(np.float32)
    both = (there.T @ there).astype(np.float64)
    own, count = np.diag(both), columns.sessions
    varied = own * (count - own)
    spread = np.sqrt(np.outer(varied, varied))
    more = count * both - np.outer(own, own)
    phi = np.divide(more, spread, out=np.zeros_like(both), where=spread > 0)
    return _Meetings(first, there > 0, both, phi)


def _told_apart(
    columns: Columns, wanted: Flags, said: Collection[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Yield the wanted pairs that are not one label under two names, and of which nothing is said yet."""
    held = [frozenset(rows.tolist()) for rows in _rows_of(columns)] if wanted.any() else []
    for one, two in np.argwhere(np.triu(wanted, 1)).tolist():
        items = {columns.names[one], columns.names[two]}
        if held[one] != held[two] and not any(items <= row for row in said):
            yield one, two


def _effects(columns: Columns, labels: _Labels, limits: PatternLimits) -> Iterator[_Effect]:
    outcome = np.array(
        [-1 if row.outcome is None else int(row.outcome) for row in columns.rows], dtype=np.int64
    )
    known = columns.last(outcome >= 0) >= 0
    for name, value in ((FAILURE, 0), (SUCCESS, 1)):
        last = columns.last(outcome == value)
        if (last >= 0).sum() >= limits.minimum_support:
            yield _Effect(name, last, known, None)
    sessions = labels.there.sum(axis=0)
    bad = [
        number
        for number, name in enumerate(columns.names)
        # beside known outcomes a label *failure* would tell the same failures twice
        if names_failure(name) and not (name in (FAILURE, SUCCESS) and known.any())
    ]
    bad.sort(key=lambda number: (-int(sessions[number]), number))
    rows = _rows_of(columns) if bad else []
    for number in bad[:_MOST_EFFECTS]:
        here = np.zeros(len(columns.rows), dtype=np.bool_)
        here[rows[number]] = True
        every = np.ones(columns.sessions, dtype=np.bool_)
        yield _Effect(columns.names[number], columns.last(here), every, number)


def _caused(
    columns: Columns,
    effect: _Effect,
    labels: _Labels,
    least: float,
    limits: PatternLimits,
) -> Iterator[Contrast]:
    first, there = labels.first, labels.there
    # A memory ends with its outcome, but what names that outcome does not bring it about.
    later = labels.naming if effect.number is None else np.ones_like(labels.naming)
    follows = there & (first + later[None, :] <= effect.last[:, None]) & effect.known[:, None]
    if effect.name == SUCCESS:
        ends = columns.starts + columns.sizes - 1
        follows &= (first < ends[:, None]) | (columns.sizes == 1)[:, None]
    hits = follows.sum(axis=0)
    having = (there & effect.known[:, None]).sum(axis=0)
    lacking = int(effect.known.sum()) - having
    happened = effect.known & (effect.last >= 0)
    others = int(happened.sum()) - (there & happened[:, None]).sum(axis=0)
    power = _power(hits, having, others, lacking)
    enough = (hits >= limits.minimum_support) & (lacking >= limits.minimum_support)
    wanted = enough & (power > 0) & (power >= limits.minimum_confidence)
    for number in np.flatnonzero(wanted).tolist():
        all_hits, with_it, without = int(hits[number]), int(having[number]), int(lacking[number])
        total = all_hits + int(others[number])
        chance = meeting_by_chance(all_hits, with_it, total, with_it + without)
        if number != effect.number and chance <= least:
            where = follows[:, number]
            rows = np.stack([first[where, number], effect.last[where]], axis=1)
            items = (columns.names[number], effect.name)
            yield Contrast(items, all_hits, _unit(power[number]), _flat(rows, limits))


def _power(hits: Ints, having: Ints, others: Ints, lacking: Ints) -> Floats:
    # Laplace's rule: three of three is not certain
    with_it, without = (hits + 1) / (having + 2), (others + 1) / (lacking + 2)
    return (with_it - without) / (1 - without)


def names_outcome(label: str) -> bool:
    """Tell whether a label speaks of a failure or a success."""
    return names_failure(label) or not _GOOD.isdisjoint(_WORD.findall(label.lower()))


def _rows_of(columns: Columns) -> list[Ints]:
    order = np.argsort(columns.label, kind="stable")
    counts = np.bincount(columns.label, minlength=len(columns.names))
    return np.split(columns.at[order], np.cumsum(counts)[:-1])


def _flat(rows: Ints, limits: PatternLimits) -> tuple[int, ...]:
    """Whole pairs of rows, up to what may be told; a row that is both counts once."""
    return tuple(sorted(set(rows[: limits.most_evidence // 2].ravel().tolist())))


def _unit(value: float) -> float:
    return float(min(max(value, 0.0), 1.0))
