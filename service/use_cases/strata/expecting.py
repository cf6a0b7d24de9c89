"""Statistics of the outcomes of a context, before and after an event."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from graph.model.strata.surprises import SurpriseForecast
from graph.scoring.differences import (
    Contribution,
    Difference,
    DifferenceWeights,
    Spread,
    texts_in,
    words_in,
)
from graph.scoring.forecasts import (
    FixedForm,
    Outcomes,
    Part,
    SwitchWeights,
    learned_surprise,
    observed_in,
)
from graph.scoring.momentum import Usual
from graph.scoring.outcomes import MET, Form, NumberForecast, OutcomeWeights
from graph.scoring.surprise import ENDINGS

OUTCOMES = OutcomeWeights()
SWITCH = SwitchWeights()
_FIXED = DifferenceWeights()
_SHOWN = 20  # paths of a forecast that are kept with a surprise, the least likely first
_RANGE = 0.95
_LETTERS = str.maketrans("0123456789", "ghijklmnop")  # a hash must not look like somebody's number
_UNHASHED_WORDS = ENDINGS | {"true", "false", "given", "absent", "unmet", MET}


@dataclass(frozen=True, slots=True)
class Expectation:
    """An event compared with the learned statistics of its context."""

    form: Form
    outcomes: Outcomes
    parts: tuple[Part, ...]
    fixed: tuple[float | None, ...]
    """Loss of each part in the fixed form."""
    score: float
    new: bool
    """Flag of an event that expects a sentence which was expected less than three times before."""
    after: Outcomes
    forecast: tuple[SurpriseForecast, ...]

    @property
    def loss(self) -> float:
        """Mean loss of the learned form in nats, over the paths for which the fixed form has an expectation."""
        return _mean([part.judged.loss for part, other in self._both if other is not None])

    @property
    def fixed_loss(self) -> float:
        """The same of the fixed form."""
        return _mean([other for _, other in self._both if other is not None])

    @property
    def _both(self) -> list[tuple[Part, float | None]]:
        return list(zip(self.parts, self.fixed, strict=True))

    @property
    def difference(self) -> Difference:
        """Contribution of each path to the surprise, by its improbability."""
        _, each = learned_surprise(self.parts)
        bits = [-log(part.judged.tail) for part in self.parts]
        total = sum(bits) or 1.0
        rows = [
            Contribution(part.observed.path, part.observed.kind, surprise, bit / total)
            for part, surprise, bit in zip(self.parts, each, bits, strict=True)
        ]
        return Difference(self.score, tuple(sorted(rows, key=lambda one: (-one.share, one.path))))


def expectation(
    stored: Mapping[str, Any],
    said: tuple[Any, Any],
    difference: Difference | None,
    *,
    usual: Usual,
    spreads: Mapping[str, Spread],
) -> Expectation | None:
    """Return the learned expectation of an outcome, and the updated statistics; None for an outcome without observations."""
    expected, actual = said
    outcomes = Outcomes.read(stored)
    stored_words = {path: _stored_word(path, word) for path, word in words_in(actual).items()}
    observed = observed_in(
        expected,
        actual,
        difference,
        code=stored_words,
        known=outcomes.paths.keys(),
        sentences=_sentences(expected, difference),
    )
    if not observed:
        return None
    parts = outcomes.parts(observed, OUTCOMES)
    form = FixedForm(usual, spreads, _FIXED)
    fixed = tuple(form.loss(part) for part in parts)
    gains = [
        loss - part.judged.loss for part, loss in zip(parts, fixed, strict=True) if loss is not None
    ]
    score, _ = learned_surprise(parts)
    return Expectation(
        form=outcomes.form(observed, SWITCH) if parts else "fixed",
        outcomes=outcomes,
        parts=parts,
        fixed=fixed,
        score=score,
        new=outcomes.has_new_sentence(observed, SWITCH),
        after=outcomes.updated(observed, gains, OUTCOMES, SWITCH),
        forecast=_forecast(parts, expected, actual),
    )


def _sentences(expected: Any, difference: Difference | None) -> dict[str, str]:
    """Return the paths whose texts were compared as sentences, with the hash of each expected one."""
    parts = () if difference is None else difference.contributions
    compared = {one.path for one in parts if one.kind == "text"}
    texts = texts_in(expected) if compared else {}
    return {path: _digest(path, texts[path]) for path in compared & texts.keys()}


def _stored_word(path: str, word: str) -> str:
    """Return a word in its stored form: hashed unless it is general, so that erasures can ignore it."""
    return word if word in _UNHASHED_WORDS else "#" + _digest(path, word)


def _digest(path: str, text: str) -> str:
    same = " ".join(text.casefold().split())
    return hashlib.sha256(f"{path}:{same}".encode()).hexdigest()[:16].translate(_LETTERS)


def _forecast(parts: tuple[Part, ...], expected: Any, actual: Any) -> tuple[SurpriseForecast, ...]:
    expected_words, actual_words = words_in(expected), words_in(actual)
    rows = sorted(parts, key=lambda part: (part.judged.tail, part.observed.key))[:_SHOWN]
    forecasts: list[SurpriseForecast] = []
    for part in rows:
        one, tail = part.observed, part.judged.tail
        if isinstance(part.forecast, NumberForecast):
            low, high = part.forecast.range(_RANGE)
            value = part.forecast.value()
            forecasts.append(SurpriseForecast(one.path, one.kind, value, tail, low, high))
            continue
        likeliest, probability = part.forecast.likeliest
        words = {MET: expected_words.get(one.path, "as expected")}
        if one.path in actual_words:
            words |= {_stored_word(one.path, actual_words[one.path]): actual_words[one.path]}
        word = words.get(likeliest, None if likeliest.startswith("#") else likeliest)
        forecasts.append(SurpriseForecast(one.path, one.kind, word, tail, probability=probability))
    return tuple(forecasts)


def _mean(losses: list[float]) -> float:
    return sum(losses) / len(losses) if losses else 0.0
