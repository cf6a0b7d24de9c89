"""Significant associations of labels: with later failures or successes, and with each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from graph.condensing.chance import Flags, Floats, Ints, fisher_exact
from graph.condensing.columns import Columns
from graph.condensing.model import PatternLimits

FAILURE, SUCCESS = "failure", "success"

_MAX_EFFECTS = 30
_WORD = re.compile(r"[^\W\d_]+")
_BAD_WORDS = (
    "error errors errored failure failures failed fail fails exception exceptions traceback timeout timeouts "
    "crash crashed crashes aborted rejected"
)
_GOOD_WORDS = "success succeeded successful ok passed done completed"
_BAD, _GOOD = frozenset(_BAD_WORDS.split()), frozenset(_GOOD_WORDS.split())


@dataclass(frozen=True, slots=True)
class Contrast:
    """An association of two labels: cause and effect, or a correlation."""

    items: tuple[str, str]
    support: int
    confidence: float
    rows: tuple[int, ...]
    """Rows that are its evidence: two of each session at most."""


@dataclass(frozen=True, slots=True)
class _Effect:
    name: str
    last: Ints
    """Its last row in each session, shape ``(s,)``; -1 for none."""
    known: Flags
    """Sessions for which it is known whether it occurred, shape ``(s,)``."""
    number: int | None
    """Index of its label; None for an outcome."""


@dataclass(frozen=True, slots=True)
class _Labels:
    """Positions of each of ``v`` labels in each of ``s`` sessions."""

    first: Ints
    """Its first row in the session, shape ``(s, v)``."""
    present: Flags
    """Flags of the sessions that have it, shape ``(s, v)``."""
    names_outcome: Flags
    """Flags of names of outcomes, shape ``(v,)``."""


@dataclass(frozen=True, slots=True)
class _Cooccurrence:
    """Co-occurrence of ``v`` labels in ``s`` sessions."""

    first: Ints
    """First row of each label in each session, shape ``(s, v)``."""
    present: Flags
    """Flags of the sessions that have it, shape ``(s, v)``."""
    both: Floats
    """Sessions with both labels, shape ``(v, v)``; with the label itself on the diagonal."""
    phi: Floats
    """Their correlation, shape ``(v, v)``; 0 where one never varies."""

    def frequent(self, limits: PatternLimits) -> Flags:
        """Return which pairs have enough support and correlation."""
        enough = (self.both >= limits.minimum_support) & (self.phi > 0)
        return enough & (self.phi >= limits.minimum_confidence)

    def chance(self, one: int, two: int) -> float:
        """Return the p-value of a pair's co-occurrence under independence."""
        hits, with_one, with_two = self.both[one, two], self.both[one, one], self.both[two, two]
        return fisher_exact(int(hits), int(with_one), int(with_two), len(self.first))

    def contrast(self, columns: Columns, pair: tuple[int, int], limits: PatternLimits) -> Contrast:
        """Return the association of a pair."""
        one, two = pair
        met = self.present[:, one] & self.present[:, two]
        return Contrast(
            (columns.names[one], columns.names[two]),
            int(self.both[pair]),
            _unit(self.phi[pair]),
            _evidence(self.first[met][:, [one, two]], limits),
        )


def names_failure(label: str) -> bool:
    """Return whether one of a label's words means an error or a failure.

    Examples
    --------
    >>> names_failure("http-timeout"), names_failure("terror")
    (True, False)
    """
    return not _BAD.isdisjoint(_WORD.findall(label.lower()))


def causes(columns: Columns, limits: PatternLimits) -> list[Contrast]:
    """Find labels after which an outcome or an error is more frequent than in sessions without them.

    **Precedence does not prove causation**: a common cause, or what people do in expectation of a failure, looks
    the same.

    Over sessions, with ``p`` the share of those with the label in which the effect comes after it, and ``q``
    the share of those without it that have the effect anywhere,

        confidence = (p − q) / (1 − q),    p = (hits + 1) / (sessions + 2), q likewise

    Effects are failure and success, in sessions with a known outcome, and labels that name an error. The outcome of
    a memory comes after its own labels, unless these name it. ``minimum_support`` sessions must have label and effect,
    and as many must lack the label; the p-value of the table (Fisher's exact test), times the number of tables that
    could reach significance (Tarone), must be at most ``limits.error_rate``. The last step of a longer session is no
    cause of its success: a session that fails ends before it.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        Thresholds of a pattern.

    Returns
    -------
    list
        Contrasts of cause and effect.

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
    tested = sum(_count_tests(effect, labels, limits) for effect in effects)
    # corrected over all effects together: each further table may be significant by chance
    significance = limits.error_rate / max(tested, 1)
    return [
        found
        for each in effects
        for found in _contrasts_of(columns, each, labels, significance, limits)
    ]


def _labels(columns: Columns) -> _Labels:
    first = columns.first()
    naming = np.array([names_outcome(name) for name in columns.names], dtype=np.bool_)
    return _Labels(first, first < len(columns.rows), naming)


def _count_tests(effect: _Effect, labels: _Labels, limits: PatternLimits) -> int:
    """Count the labels with enough sessions for a table that could be significant (Tarone)."""
    known = int(effect.known.sum())
    total = int((effect.known & (effect.last >= 0)).sum())
    having = (labels.present & effect.known[:, None]).sum(axis=0).tolist()
    enough = limits.minimum_support
    return sum(
        enough <= count <= known - enough
        and fisher_exact(min(count, total), count, total, known) <= limits.error_rate
        for count in having
    )


def correlations(
    columns: Columns, limits: PatternLimits, known: Collection[frozenset[str]] = ()
) -> list[Contrast]:
    """Find pairs of labels whose occurrence in sessions is correlated, whatever their order.

    The confidence is their correlation over sessions, ``φ = (n·k − a·b) / √(a·b·(n − a)·(n − b))``, with
    ``k`` of ``n`` sessions that have both, ``a`` and ``b`` that have each. The p-value (Fisher's exact test), times
    the number of pairs, must be at most ``limits.chance``. Labels of exactly the same memories are aliases, and left out.

    Parameters
    ----------
    columns
        Memories of sessions.
    limits
        Thresholds of a pattern.
    said
        Sets of labels that other patterns report together; pairs of them are left out.

    Returns
    -------
    list
        Pairs, each sorted by name; ``limits.most`` of the highest support times confidence.

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
    >>> [(one.items, one.support) for one in correlations(columns(rows, limits), limits)]
    [(('bus', 'rain'), 16), (('bicycle', 'sun'), 8)]
    """
    counts = _cooccurrence(columns)
    label_count = len(columns.names)
    # Bonferroni over all pairs, also those that never co-occur: each was tested
    significance = limits.chance / max(label_count * (label_count - 1) // 2, 1)
    candidates = _distinct_pairs(columns, counts.frequent(limits), known)
    pairs = [pair for pair in candidates if counts.chance(*pair) <= significance]
    pairs.sort(key=lambda pair: (-float(counts.both[pair] * counts.phi[pair]), pair))
    return [counts.contrast(columns, pair, limits) for pair in pairs[: limits.most]]


def _cooccurrence(columns: Columns) -> _Cooccurrence:
    first = columns.first()
    # 32 bits count up to 16 million sessions exactly
    there = (first < len(columns.rows)).astype(np.float32)
    both = (there.T @ there).astype(np.float64)
    own, count = np.diag(both), columns.sessions
    varied = own * (count - own)
    spread = np.sqrt(np.outer(varied, varied))
    more = count * both - np.outer(own, own)
    phi = np.divide(more, spread, out=np.zeros_like(both), where=spread > 0)
    return _Cooccurrence(first, there > 0, both, phi)


def _distinct_pairs(
    columns: Columns, wanted: Flags, known: Collection[frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Yield the wanted pairs that are no aliases, and not reported yet."""
    label_rows = [frozenset(rows.tolist()) for rows in _rows_of(columns)] if wanted.any() else []
    for one, two in np.argwhere(np.triu(wanted, 1)).tolist():
        items = {columns.names[one], columns.names[two]}
        if label_rows[one] != label_rows[two] and not any(items <= row for row in known):
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
    sessions = labels.present.sum(axis=0)
    bad = [
        number
        for number, name in enumerate(columns.names)
        # beside known outcomes a label *failure* would count the same failures twice
        if names_failure(name) and not (name in (FAILURE, SUCCESS) and known.any())
    ]
    bad.sort(key=lambda number: (-int(sessions[number]), number))
    rows = _rows_of(columns) if bad else []
    for number in bad[:_MAX_EFFECTS]:
        here = np.zeros(len(columns.rows), dtype=np.bool_)
        here[rows[number]] = True
        every = np.ones(columns.sessions, dtype=np.bool_)
        yield _Effect(columns.names[number], columns.last(here), every, number)


def _contrasts_of(
    columns: Columns,
    effect: _Effect,
    labels: _Labels,
    significance: float,
    limits: PatternLimits,
) -> Iterator[Contrast]:
    first, present = labels.first, labels.present
    # a memory ends with its outcome, but a label that names the outcome is not its cause
    later = labels.names_outcome if effect.number is None else np.ones_like(labels.names_outcome)
    follows = present & (first + later[None, :] <= effect.last[:, None]) & effect.known[:, None]
    if effect.name == SUCCESS:
        ends = columns.starts + columns.sizes - 1
        follows &= (first < ends[:, None]) | (columns.sizes == 1)[:, None]
    hits = follows.sum(axis=0)
    having = (present & effect.known[:, None]).sum(axis=0)
    lacking = int(effect.known.sum()) - having
    happened = effect.known & (effect.last >= 0)
    others = int(happened.sum()) - (present & happened[:, None]).sum(axis=0)
    power = _power(hits, having, others, lacking)
    enough = (hits >= limits.minimum_support) & (lacking >= limits.minimum_support)
    wanted = enough & (power > 0) & (power >= limits.minimum_confidence)
    for number in np.flatnonzero(wanted).tolist():
        all_hits, with_it, without = int(hits[number]), int(having[number]), int(lacking[number])
        total = all_hits + int(others[number])
        chance = fisher_exact(all_hits, with_it, total, with_it + without)
        if number != effect.number and chance <= significance:
            where = follows[:, number]
            rows = np.stack([first[where, number], effect.last[where]], axis=1)
            items = (columns.names[number], effect.name)
            yield Contrast(items, all_hits, _unit(power[number]), _evidence(rows, limits))


def _power(hits: Ints, having: Ints, others: Ints, lacking: Ints) -> Floats:
    # Laplace's rule: three of three is not certain
    with_it, without = (hits + 1) / (having + 2), (others + 1) / (lacking + 2)
    return (with_it - without) / (1 - without)


def names_outcome(label: str) -> bool:
    """Return whether one of a label's words means a failure or a success."""
    return names_failure(label) or not _GOOD.isdisjoint(_WORD.findall(label.lower()))


def _rows_of(columns: Columns) -> list[Ints]:
    order = np.argsort(columns.label, kind="stable")
    counts = np.bincount(columns.label, minlength=len(columns.names))
    return np.split(columns.at[order], np.cumsum(counts)[:-1])


def _evidence(rows: Ints, limits: PatternLimits) -> tuple[int, ...]:
    """Flatten pairs of rows up to the limit of evidence; a row that is both counts once."""
    return tuple(sorted(set(rows[: limits.most_evidence // 2].ravel().tolist())))


def _unit(value: float) -> float:
    return float(min(max(value, 0.0), 1.0))
