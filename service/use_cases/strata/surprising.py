"""Scoring of an event against the surprise momentum, and the momentum after it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graph.expecting.texts import TextScale, apart
from graph.model.strata.surprises import MomentumState, SurprisePart, SurpriseRecord
from graph.scoring.differences import DifferenceWeights, Spread, difference, numbers_in
from graph.scoring.momentum import Familiarity, Measured, Momentum, SurpriseWeights, measured, usual
from graph.scoring.surprise import Comparison, Surprise, novelty, surprise
from service.use_cases.strata.gates import days_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.kernel.scope import Caller
    from graph.kernel.values import Floats, Vector
    from graph.model.strata.surprises import MomentumKey
    from graph.scoring.differences import Difference

NOVELTY = "novelty"
_EXPECTED = "expected:"
_DIFFERENCES = DifferenceWeights()

_PLAIN = TextScale(unlike=0.0, alike=1.0)  # cosines as they are

Momenta = dict["MomentumKey", MomentumState]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of an agent, and its expectation.

    ``expected`` is None where nothing was, ``similarities`` where novelty is not asked. ``pooled`` is the
    scope of a channel whose members share what is usual: numbers alone, never a value. ``read`` has the log-odds
    that an outcome in words meets an expectation in words, where the embedder reads pairs.
    """

    uid: str
    scope: str
    context: str
    expected: Any
    actual: Any
    at: datetime
    expires_at: datetime
    weights: SurpriseWeights
    agent_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None
    circumstances: Mapping[str, Any] | None = None
    event_id: str | None = None
    prediction_id: str | None = None
    pooled: str | None = None
    similarities: Floats | None = None
    vectors: Mapping[str, Vector] = field(default_factory=dict[str, "Vector"])
    read: Mapping[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    scale: TextScale = _PLAIN

    @property
    def keys(self) -> tuple[MomentumKey, ...]:
        """Keys to lock; always the scope's novelty, so that a scope's reports come in turn."""
        names = [NOVELTY] if self.expected is None else [NOVELTY, _EXPECTED + self.context]
        scopes = [self.scope] if self.pooled is None else [self.scope, self.pooled]
        return tuple((scope, name) for scope in scopes for name in names)

    def decide(self, known: Mapping[MomentumKey, MomentumState]) -> tuple[SurpriseRecord, Momenta]:
        """Return how surprising it is, and each momentum that it moves."""
        states = {key: known.get(key, MomentumState()) for key in self.keys}
        distance = self._difference(states)
        sizes: dict[str, float] = {}
        if distance is not None:
            sizes[_EXPECTED + self.context] = distance.size
        if self.similarities is not None:
            sizes[NOVELTY] = novelty(np.asarray(self.scale.near(self.similarities)))
        judged = {**sizes}
        if distance is not None and NOVELTY in judged:
            # What was expected is not new, whatever its words.
            judged[NOVELTY] *= min(distance.size / self.weights.prior_mean, 1.0) ** 2
        sides = {name: self._beside(states, name, size) for name, size in judged.items()}
        fresh = self._judged(sides, distance, Familiarity())
        decisive = NOVELTY if fresh.ground == "novelty" else _EXPECTED + self.context
        own = (self.scope, decisive)
        familiar = Familiarity(*states[own].familiar.get(fresh.type, (0.0, 0.0)))
        found = self._judged(sides, distance, familiar)
        moved = self._moved(states, sizes)
        if fresh.surprising:
            again = familiar.updated(at=self._day, weights=self.weights)
            kinds = {**states[own].familiar, fresh.type: (again.repeats, again.updated_at)}
            moved[own] = replace(moved[own], familiar=kinds)
        return self._record(found, sides[decisive].quotient), moved

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

    def _apart(self, expected: str, actual: str) -> float:
        cosine = float(self.vectors[expected] @ self.vectors[actual])
        read = self.read.get((expected, actual))
        return apart(expected, actual, cosine, self.scale, read=read)

    def _beside(self, states: Momenta, name: str, size: float) -> Measured:
        """Measure a difference beside what is usual here, and in the channel."""
        own = _momentum(states[self.scope, name])
        pooled = None if self.pooled is None else _momentum(states[self.pooled, name])
        known = usual(own, pooled, at=self._day, weights=self.weights)
        return measured(size, known, weights=self.weights)

    def _judged(
        self, sides: Mapping[str, Measured], distance: Difference | None, familiar: Familiarity
    ) -> Surprise:
        compared = Comparison(
            self.expected,
            self.actual,
            violation=sides.get(_EXPECTED + self.context),
            novelty=sides.get(NOVELTY),
            difference=distance,
        )
        return surprise(compared, familiar=familiar, at=self._day, weights=self.weights)

    def _moved(self, states: Momenta, sizes: Mapping[str, float]) -> Momenta:
        moved: Momenta = {}
        for (scope, name), state in states.items():
            if name not in sizes:
                continue
            after = _momentum(state).updated(sizes[name], at=self._day, weights=self.weights)
            spreads = state.spreads
            if scope == self.scope and name != NOVELTY:
                spreads = _spread(spreads, self.actual)
            moved[scope, name] = MomentumState(
                after.mean, after.variance, after.count, after.updated_at, state.familiar, spreads
            )
        return moved

    def _record(self, found: Surprise, quotient: float) -> SurpriseRecord:
        parts = () if found.difference is None else found.difference.contributions
        return SurpriseRecord(
            uid=self.uid,
            scope=self.scope,
            agent_id=self.agent_id,
            channel_id=self.channel_id,
            user_id=self.user_id,
            context=self.context,
            score=found.score,
            quotient=quotient,
            surprising=found.surprising,
            threshold=found.threshold,
            type=found.type,
            ground=found.ground,
            familiarity=found.familiarity,
            violation=found.violation and found.violation.surprise,
            novelty=found.novelty and found.novelty.surprise,
            expected=self.expected,
            actual=self.actual,
            circumstances=self.circumstances,
            contributions=tuple(
                SurprisePart(one.path, one.kind, one.distance, one.share) for one in parts
            ),
            at=self.at,
            expires_at=self.expires_at,
            event_id=self.event_id,
            prediction_id=self.prediction_id,
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


def _momentum(state: MomentumState) -> Momentum:
    return Momentum(state.mean, state.variance, state.count, state.day)


def _spread(
    spreads: Mapping[str, tuple[float, float, int]], actual: Any
) -> Mapping[str, tuple[float, float, int]]:
    moved = dict(spreads)
    for path, number in numbers_in(actual).items():
        after = Spread(*moved.get(path, (0.0, 0.0, 0))).updated(number)
        moved[path] = (after.mean, after.squares, after.count)
    return moved
