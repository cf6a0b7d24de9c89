"""Which form of surprise predicts the outcomes of a context better, and how surprising the learned one finds an outcome."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import TYPE_CHECKING, Any, cast

from graph.scoring.differences import DifferenceKind, Spread, numbers_in, words_in
from graph.scoring.outcomes import (
    MET,
    Form,
    Judged,
    Learned,
    NumberForecast,
    Numbers,
    OutcomeWeights,
    WordForecast,
    Words,
    student_loss,
    tail_surprise,
)

if TYPE_CHECKING:
    from graph.scoring.differences import Difference, DifferenceWeights, Value
    from graph.scoring.momentum import Usual

_MET = 0.5  # difference up to which a word is what was said
_GREATEST = 1e150  # its square is a number still
_HEAVY = 4.0  # freedom of the fixed form's numbers: of 2, 4 and 30 the one that predicted best
_STATED = "="  # before the path of what is learned relative to what was said
_SENTENCE = "~"  # before the path of what is learned of one sentence that was said
_THERE = "?"  # before the path of what is learned of whether something came at all
_PLAIN = ":"  # before the path of what nothing was said of
_FADED = 0.5  # of the few latest outcomes at most this much has faded
_GIVEN, _ABSENT = "given", "absent"
_USUAL: Mapping[DifferenceKind, str] = {
    "missing": _GIVEN,
    "type": _GIVEN,
    "cut": _GIVEN,
    "error": _ABSENT,
}


@dataclass(frozen=True, slots=True)
class SwitchWeights:
    """Constants by which a context chooses its form (ADR 68)."""

    least: int = 3
    """Outcomes that must be known before the learned form is used."""
    memory: float = 0.98
    """Share of the lead that each outcome leaves, in (0, 1)."""
    most: float = 2.0
    """Nats that one path can win or lose by one outcome, ``> 0``: a single one must not decide."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Outcome and expectation at one path; ``key`` names the statistics that are kept for it."""

    path: str
    key: str
    kind: DifferenceKind
    value: float | str
    said: float | str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One path of an outcome as the learned form sees it."""

    observed: Observed
    forecast: NumberForecast | WordForecast
    judged: Judged
    varies: bool


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Statistics of the outcomes of one context.

    ``lead`` is by how many nats the learned form predicted the latest outcomes better than the fixed one, the mean of
    their paths; what is longer ago counts less.
    """

    paths: Mapping[str, Learned] = field(default_factory=dict[str, Learned])
    events: int = 0
    lead: float = 0.0

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Outcomes:
        """Return outcomes from what `stored` made of them; of nothing, none."""
        kept: Mapping[str, Any] = stored.get("paths", {})
        paths: dict[str, Learned] = {
            key: Words(cast("dict[str, float]", one))
            if isinstance(one, dict)
            else Numbers(*cast("list[float]", one))
            for key, one in kept.items()
        }
        return cls(paths, stored.get("events", 0), stored.get("lead", 0.0))

    @property
    def stored(self) -> dict[str, Any]:
        """As JSON has it."""
        paths = {
            key: [one.mean, one.squares, one.count, one.unit]
            if isinstance(one, Numbers)
            else dict(one.counts)
            for key, one in self.paths.items()
        }
        return {"events": self.events, "lead": self.lead, "paths": paths}

    def form(self, observed: Sequence[Observed], weights: SwitchWeights) -> Form:
        """Return the form that has predicted this context better so far; the fixed one until enough is known."""
        # few outcomes, or a new sentence: what others came to says nothing of it
        known = self.events >= weights.least and not self.has_new_sentence(observed, weights)
        return "learned" if known and self.lead > 0 else "fixed"

    def has_new_sentence(self, observed: Sequence[Observed], weights: SwitchWeights) -> bool:
        """Tell whether a sentence was said that seldom was before: how often others came true tells nothing of it."""
        least = weights.least - _FADED
        return any(self._times(one.key) < least for one in observed if one.key[0] == _SENTENCE)

    def _times(self, key: str) -> float:
        known = self.paths.get(key)
        return known.total if isinstance(known, Words) else 0.0

    def parts(self, observed: Sequence[Observed], weights: OutcomeWeights) -> tuple[Part, ...]:
        """Return what is expected at each path that came, and how likely what came was."""
        found: list[Part] = []
        for one in observed:
            known = self.paths.get(one.key)
            forecast = self._forecast(one, known, weights)
            if isinstance(forecast, NumberForecast):
                judged = forecast.judge(float(one.value))
            elif forecast is not None:
                judged = forecast.judge(str(one.value))
            else:
                continue
            found.append(Part(one, forecast, judged, known is not None and known.varies))
        return tuple(found)

    def _forecast(
        self, one: Observed, known: Learned | None, weights: OutcomeWeights
    ) -> NumberForecast | WordForecast | None:
        if isinstance(one.value, float):
            numbers = known if isinstance(known, Numbers) else Numbers()
            return numbers.forecast(one.said if isinstance(one.said, float) else None, weights)
        words = known if isinstance(known, Words) else self._before(one, weights)
        return words.forecast(one.said if isinstance(one.said, str) else None, weights)

    def _before(self, one: Observed, weights: OutcomeWeights) -> Words:
        """Return what is known of a path that never came: of what is usually there or not, that it was so."""
        usual = _USUAL.get(one.kind)
        times = min(float(self.events), 1.0 / weights.word_forgetting)
        return Words({usual: times}) if usual and times else Words()

    def updated(
        self,
        observed: Sequence[Observed],
        gains: Sequence[float],
        weights: OutcomeWeights,
        switch: SwitchWeights,
    ) -> Outcomes:
        """Return them with one more outcome; ``gains`` is what the learned form won by it, by path."""
        paths = dict(self.paths)
        for one in observed:
            known = paths.get(one.key)
            # full: only a sentence gives way, as those never end
            if known is None and len(paths) >= weights.most_paths and not _dropped(paths):
                continue
            if not isinstance(one.value, str):
                said = one.said if isinstance(one.said, float) else None
                numbers = known if isinstance(known, Numbers) else Numbers()
                paths[one.key] = numbers.updated(one.value, said, weights)
            else:
                words = known if isinstance(known, Words) else self._before(one, weights)
                paths[one.key] = words.updated(one.value, weights)
        # bounded: one odd outcome must not switch the form
        bounded = [min(max(gain, -switch.most), switch.most) for gain in gains]
        gain = sum(bounded) / len(bounded) if bounded else 0.0
        return Outcomes(paths, self.events + 1, switch.memory * self.lead + gain)


def _dropped(paths: dict[str, Learned]) -> bool:
    """Take out the sentence that came least, the oldest of equals; False where there is none."""
    sentences = {key: one.total for key, one in paths.items() if isinstance(one, Words)}
    told = [key for key in sentences if key.startswith(_SENTENCE)]
    if told:
        del paths[min(told, key=lambda key: sentences[key])]
    return bool(told)


@dataclass(frozen=True, slots=True)
class FixedForm:
    """Probabilities that the fixed form implies.

    It expects a number where it was said to be, with the deviation beside which it measures differences, or where the mean of
    all was; and a word as said, but for the share of what usually differs.
    """

    usual: Usual
    spreads: Mapping[str, Spread]
    weights: DifferenceWeights

    def loss(self, part: Part) -> float | None:
        """Return the loss of one path in nats; None where the fixed form expects nothing at all."""
        one = part.observed
        if isinstance(part.forecast, NumberForecast):
            said = one.said if isinstance(one.said, float) else None
            return self._number(one.path, float(one.value), said)
        known = part.forecast.known
        if one.said is None:
            return log(len(known) + 1.0)
        unmet = min(self.usual.mean, 0.9)
        others = max(len(known.keys() - {one.said}), 0) + 1.0
        # what was not said comes as one of those known, or as a new one
        return -log(1.0 - unmet if one.value == one.said else unmet / others)

    def _number(self, path: str, value: float, said: float | None) -> float | None:
        spread = self.spreads.get(path, Spread())
        if said is None and not spread.count:
            return None
        middle = spread.mean if said is None else said
        size = max(abs(middle), 1e-9)
        trust = spread.count / (spread.count + self.weights.spread_prior_count)
        trust = trust if spread.count > 1 else 0.0
        usual = max(spread.deviation / size, self.weights.least_deviation)
        scale = size * ((1.0 - trust) / self.weights.deviations + trust * usual)
        # a number written whole may have been rounded by up to one half
        cell = 1.0 if value.is_integer() else 1e-3 * abs(value)
        # a cell of width c has the variance c²/12
        scale = sqrt(scale**2 + cell**2 / 12.0)
        return student_loss((value - middle) / scale, scale, _HEAVY)


def observed_in(
    expected: Value,
    actual: Value,
    difference: Difference | None,
    *,
    code: Mapping[str, str],
    known: Collection[str],
    sentences: Mapping[str, str] | None = None,
) -> tuple[Observed, ...]:
    """Return the value at each path of an outcome, as it is learned.

    A number counts relative to the number that was said, a word as ``=`` if it came as said; what nothing was said
    of counts as it is.

    Parameters
    ----------
    expected
        What was said to come; None for nothing.
    actual
        What came.
    difference
        By which paths the two differ; None without an expectation.
    code
        Paths of words, and as what the word there is kept; others are kept as they are.
    known
        Keys of what was learned before.
    sentences
        Paths of sentences that were said to come, and a name of each: it is learned for itself.

    Returns
    -------
    tuple
        One entry a path, no shape, sorted by key.

    Raises
    ------
    ValueError
        Never; what is no number and no short word is left out.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Surprise Metrics" (expectation violation).

    Examples
    --------
    >>> found = observed_in(None, {"status": "ok", "seconds": 3}, None, code={}, known=())
    >>> [(one.key, one.value) for one in found]
    [(':seconds', 3.0), (':status', 'ok')]
    """
    came = _learnable(actual)
    words = {path: code.get(path, word) for path, word in words_in(actual).items()}
    found: list[Observed] = []
    stated: set[str] = set()
    if difference is not None:
        stated = {one.path for one in difference.contributions}
        found += _stated(difference, (_learnable(expected), came), words, sentences or {})
        found += _there(difference, known)
    found.extend(Observed(p, _PLAIN + p, "number", came[p]) for p in came.keys() - stated)
    found.extend(Observed(p, _PLAIN + p, "category", words[p]) for p in words.keys() - stated)
    return tuple(sorted(found, key=lambda one: one.key))


def _stated(
    difference: Difference,
    numbers: tuple[Mapping[str, float], Mapping[str, float]],
    words: Mapping[str, str],
    sentences: Mapping[str, str],
) -> list[Observed]:
    """Return what came where something was said to come."""
    said, came = numbers
    found: list[Observed] = []
    for one in difference.contributions:
        key = _STATED + one.path
        if one.kind == "number":
            if one.path in said and one.path in came:
                found.append(Observed(one.path, key, "number", came[one.path], said[one.path]))
        elif one.kind not in _USUAL:
            if one.path in sentences:
                key = f"{_SENTENCE}{one.path}#{sentences[one.path]}"
            # the difference that is measured also says whether a text came as was said
            value = MET if one.distance <= _MET else words.get(one.path, "unmet")
            found.append(Observed(one.path, key, one.kind, value, MET))
    return found


def _learnable(value: Value) -> dict[str, float]:
    return {path: number for path, number in numbers_in(value).items() if abs(number) < _GREATEST}


def _there(difference: Difference, known: Collection[str]) -> list[Observed]:
    """Return what is unusually there or not, and what once was and is as usual now."""
    kinds: dict[str, DifferenceKind] = {one.path: one.kind for one in difference.contributions}
    odd: dict[str, DifferenceKind] = {path: kind for path, kind in kinds.items() if kind in _USUAL}
    found: list[Observed] = []
    for path, kind in odd.items():
        usual = _USUAL[kind]
        value = _ABSENT if usual == _GIVEN else _GIVEN
        found.append(Observed(path, _THERE + path, kind, value, usual))
    # what was odd once is learned when it is as usual, too: else its chance would only grow
    for key in known:
        path = key.removeprefix(_THERE)
        if not key.startswith(_THERE) or path in odd:
            continue
        usual = _GIVEN if path in kinds else _ABSENT
        there: DifferenceKind = "missing" if path in kinds else "error"
        found.append(Observed(path, key, there, usual, usual))
    return found


def learned_surprise(parts: Sequence[Part]) -> tuple[float, tuple[float, ...]]:
    """Surprise of an outcome, and of each of its paths, from their tails.

    Computes ``1 − (1 − min p)^m`` over the ``m`` paths that vary, and the surprise of that tail.

    Parameters
    ----------
    parts
        The paths of an outcome as the learned form sees them.

    Returns
    -------
    tuple
        The surprise in [0, 1), and that of each path, shape ``(n,)``; 0 without a path.

    Raises
    ------
    ValueError
        Never; tails lie in (0, 1].

    References
    ----------
    Šidák, "Rectangular Confidence Regions for the Means of Multivariate Normal Distributions", 1967.

    Examples
    --------
    >>> learned_surprise(())
    (0.0, ())
    """
    if not parts:
        return 0.0, ()
    # only paths that vary had a chance to be the least likely one (Šidák)
    least = min(parts, key=lambda part: part.judged.tail)
    count = sum(part.varies or part is least for part in parts)
    tail = 1.0 - (1.0 - least.judged.tail) ** count
    each = tuple(tail_surprise(part.judged.tail) for part in parts)
    return min(tail_surprise(max(tail, least.judged.tail)), 1.0 - 1e-9), each
