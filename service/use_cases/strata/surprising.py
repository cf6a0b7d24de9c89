"""Scoring of an event against the surprise momentum, and the momentum after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from graph.expecting.texts import TextScale, apart
from graph.kernel.scope import Caller
from graph.kernel.values import Floats, Vector
from graph.model.strata.surprises import (
    AgentEvent,
    MomentumKey,
    MomentumState,
    SurprisePart,
    SurpriseRecord,
)
from graph.scoring.differences import Difference, DifferenceWeights, Spread, difference, numbers_in
from graph.scoring.momentum import Familiarity, Measured, Momentum, SurpriseWeights, measured, usual
from graph.scoring.surprise import Comparison, Surprise, novelty, surprise
from service.use_cases.strata.expecting import Expectation, expectation
from service.use_cases.strata.gates import days_of

NOVELTY = "novelty"
_EXPECTED = "expected:"
_HALF = 0.5  # learned surprise from which novelty counts fully
_DIFFERENCES = DifferenceWeights()

_PLAIN = TextScale(unlike=0.0, alike=1.0)  # cosines as they are

Momenta = dict["MomentumKey", MomentumState]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(AgentEvent):
    """An event of an agent, with the inputs of its surprise.

    ``similarities`` is None if novelty is not measured. ``pooled`` is the scope of a channel whose members share their
    momentum: statistics, never a value. ``read`` has the cross-encoder's log-odds that an outcome meets an expectation.
    ``learning`` adds the outcome to the statistics of its context, which then may measure it.
    """

    weights: SurpriseWeights
    pooled: str | None = None
    similarities: Floats | None = None
    vectors: Mapping[str, Vector] = field(default_factory=dict[str, "Vector"])
    read: Mapping[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    scale: TextScale = _PLAIN
    learning: bool = True

    @property
    def learns(self) -> bool:
        """Return whether the outcomes of the context are learned; not with the literal formula."""
        return self.learning and not self.weights.literal

    @property
    def keys(self) -> tuple[MomentumKey, ...]:
        """Keys to lock; always the scope's novelty, which serialises the reports of a scope."""
        own = {NOVELTY: [self.scope]}
        if self.pooled is not None:
            own[NOVELTY].append(self.pooled)
        if self.expected is not None:
            own[self._met] = own[NOVELTY]
        elif self.learns:
            own[self._met] = [self.scope]
        return tuple((scope, name) for name, scopes in own.items() for scope in scopes)

    @property
    def _met(self) -> str:
        """Name of the momentum of the context."""
        return _EXPECTED + self.context

    def decide(self, known: Mapping[MomentumKey, MomentumState]) -> tuple[SurpriseRecord, Momenta]:
        """Return the surprise, and the momenta that it updates."""
        states = {key: known.get(key, MomentumState()) for key in self.keys}
        distance = self._difference(states)
        expected = self._expectation(states, distance)
        learned = expected if expected is not None and expected.form == "learned" else None
        sizes: dict[str, float] = {}
        if distance is not None:
            sizes[self._met] = distance.size
        if self.similarities is not None:
            sizes[NOVELTY] = novelty(np.asarray(self.scale.near(self.similarities)))
        new = expected is not None and expected.new
        sides = self._sides(self._unusual(states) if new else states, sizes, learned)
        compared = distance if learned is None else learned.difference
        # first as if new: the resulting type decides what it may repeat
        fresh = self._judged(sides, compared, Familiarity())
        decisive = NOVELTY if fresh.ground == "novelty" else self._met
        own = (self.scope, decisive)
        familiar = Familiarity(*states[own].familiar.get(fresh.type, (0.0, 0.0)))
        # learned outcomes count repeats themselves, and a new sentence repeats none
        dulled = Familiarity() if fresh.ground == "learned" or new else familiar
        found = self._judged(sides, compared, dulled)
        moved = self._moved(states, sizes, expected)
        # undulled: otherwise dulled surprises would not count as repeats, and the next would seem new
        if fresh.surprising:
            again = familiar.updated(at=self._day, weights=self.weights)
            kinds = {**states[own].familiar, fresh.type: (again.repeats, again.updated_at)}
            moved[own] = replace(moved[own], familiar=kinds)
        return self._record(found, sides[decisive].quotient, expected), moved

    @property
    def _day(self) -> float:
        return days_of(self.at)

    def _difference(self, states: Momenta) -> Difference | None:
        if self.expected is None:
            return None
        stored = states[self.scope, _EXPECTED + self.context].spreads
        spreads = {path: Spread(*values) for path, values in stored.items()}
        return difference(
            self.expected,
            self.actual,
            spreads=spreads,
            compare=lambda pairs: [self._apart(one, other) for one, other in pairs],
            weights=_DIFFERENCES,
        )

    def _expectation(self, states: Momenta, distance: Difference | None) -> Expectation | None:
        """Return the learned expectation of the context; None if learning is off."""
        key = (self.scope, self._met)
        if not self.learns or key not in states:
            return None
        known = usual(momentum_of(states[key]), None, at=self._day, weights=self.weights)
        spreads = {path: Spread(*values) for path, values in states[key].spreads.items()}
        said = (self.expected, self.actual)
        return expectation(states[key].outcomes, said, distance, usual=known, spreads=spreads)

    def _unusual(self, states: Momenta) -> Momenta:
        """Return the states without the momentum of the context, which is of other sentences."""
        others = {key: state for key, state in states.items() if key[1] != self._met}
        return {**others, (self.scope, self._met): MomentumState()}

    def _sides(
        self, states: Momenta, sizes: Mapping[str, float], learned: Expectation | None
    ) -> dict[str, Measured]:
        """Measure violation and novelty; an expected outcome is not novel, whatever its words."""
        judged = {**sizes}
        if NOVELTY in judged and learned is not None:
            judged[NOVELTY] *= min(learned.score / _HALF, 1.0) ** 2
        elif NOVELTY in judged and self._met in judged:
            judged[NOVELTY] *= min(judged[self._met] / self.weights.prior_mean, 1.0) ** 2
        if learned is not None:
            judged.setdefault(self._met, learned.score)
        sides = {name: self._beside(states, name, size) for name, size in judged.items()}
        if learned is not None:
            sides[self._met] = replace(
                sides[self._met], surprise=learned.score, ground="learned", deviations=0.0
            )
        return sides

    def _apart(self, expected: str, actual: str) -> float:
        cosine = float(self.vectors[expected] @ self.vectors[actual])
        read = self.read.get((expected, actual))
        return apart(expected, actual, cosine, self.scale, read=read)

    def _beside(self, states: Momenta, name: str, size: float) -> Measured:
        """Measure a difference against the momenta of the scope and of the channel."""
        own = momentum_of(states[self.scope, name])
        pooled = states.get((self.pooled, name)) if self.pooled is not None else None
        pooled = None if pooled is None else momentum_of(pooled)
        known = usual(own, pooled, at=self._day, weights=self.weights)
        return measured(size, known, weights=self.weights)

    def _judged(
        self, sides: Mapping[str, Measured], distance: Difference | None, familiar: Familiarity
    ) -> Surprise:
        compared = Comparison(
            self.expected,
            self.actual,
            violation=sides.get(self._met),
            novelty=sides.get(NOVELTY),
            difference=distance,
        )
        return surprise(compared, familiar=familiar, at=self._day, weights=self.weights)

    def _moved(
        self, states: Momenta, sizes: Mapping[str, float], expected: Expectation | None
    ) -> Momenta:
        moved: Momenta = {}
        own = (self.scope, self._met)
        for (scope, name), state in states.items():
            if name not in sizes:
                continue
            after = momentum_of(state).updated(sizes[name], at=self._day, weights=self.weights)
            moved[scope, name] = replace(
                state,
                mean=after.mean,
                variance=after.variance,
                count=after.count,
                day=after.updated_at,
            )
        if own in states and (own in moved or expected is not None):
            held = moved.get(own, states[own])
            learned = held.outcomes if expected is None else expected.after.stored
            moved[own] = replace(held, spreads=_spread(held.spreads, self.actual), outcomes=learned)
        return moved

    def _record(
        self, found: Surprise, quotient: float, expected: Expectation | None
    ) -> SurpriseRecord:
        parts = () if found.difference is None else found.difference.contributions
        return SurpriseRecord(
            **{each.name: getattr(self, each.name) for each in fields(AgentEvent)},
            score=found.score,
            quotient=quotient,
            surprising=found.surprising,
            threshold=found.threshold,
            type=found.type,
            ground=found.ground,
            familiarity=found.familiarity,
            violation=found.violation and found.violation.surprise,
            novelty=found.novelty and found.novelty.surprise,
            contributions=tuple(
                SurprisePart(one.path, one.kind, one.distance, one.share) for one in parts
            ),
            form="fixed" if expected is None else expected.form,
            observations=0 if expected is None else expected.outcomes.events,
            lead=0.0 if expected is None else expected.outcomes.lead,
            forecast=() if expected is None else expected.forecast,
        )


def user_of(caller: Caller) -> str | None:
    """Return the user that something is about, where exactly one is named: it goes with that user."""
    return caller.user_ids[0] if len(caller.user_ids) == 1 else None


def texts_compared(expected: Any, actual: Any) -> tuple[tuple[str, str], ...]:
    """Return the pairs of texts whose meanings a comparison asks for; it does so whatever is usual."""
    asked: list[tuple[str, str]] = []

    def note(pairs: Sequence[tuple[str, str]]) -> list[float]:
        asked.extend(pairs)
        return [0.0] * len(pairs)

    difference(expected, actual, spreads={}, compare=note, weights=_DIFFERENCES)
    return tuple(dict.fromkeys(asked))


def momentum_of(state: MomentumState) -> Momentum:
    """Return the momentum that a state holds."""
    return Momentum(state.mean, state.variance, state.count, state.day)


def _spread(
    spreads: Mapping[str, tuple[float, float, int]], actual: Any
) -> Mapping[str, tuple[float, float, int]]:
    moved = dict(spreads)
    for path, number in numbers_in(actual).items():
        after = Spread(*moved.get(path, (0.0, 0.0, 0))).updated(number)
        moved[path] = (after.mean, after.squares, after.count)
    return moved
