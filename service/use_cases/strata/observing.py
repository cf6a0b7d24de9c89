"""Updates of surprise plugins by observations: surprise and new state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from graph.kernel.errors import InvalidInputError
from graph.model.strata.plugins import (
    Observation,
    PluginKind,
    PluginSettings,
    PluginState,
    Sensed,
    SurprisePlugin,
)
from graph.scoring.arousal import combined_surprise, expectation_errors, moved_expectations
from graph.scoring.habits import Tally, decision_surprise, signature_surprise
from graph.scoring.relevance import Floats

Sense = Callable[[PluginState, Observation, PluginSettings, int], tuple[Sensed, PluginState]]

_LATEST = 20  # observations in a trace
_LONGEST = 256  # characters of an observation as text


def sense_all(
    plugins: Mapping[str, SurprisePlugin],
    scopes: Sequence[str],
    observations: Sequence[Observation],
    most: int,
) -> tuple[list[Sensed | None], dict[str, PluginState]]:
    """Return the surprise of each observation, None without a plugin, and the new state of each plugin.

    Raises
    ------
    InvalidInputError
        If an observation is invalid for its plugin; of several rows the field names the row.
    """
    learned: dict[str, PluginState] = {}
    surprises: list[Sensed | None] = []
    for place, (scope, observation) in enumerate(zip(scopes, observations, strict=True)):
        plugin = plugins.get(scope)
        if plugin is None:
            surprises.append(None)
            continue
        # in order: each row is measured by the state after those before it
        before = learned.get(scope, plugin.state)
        with _row_errors(place if len(scopes) > 1 else None):
            sensed, learned[scope] = sense(before, observation, plugin.settings, most)
        surprises.append(sensed)
    return surprises, learned


@contextmanager
def _row_errors(place: int | None) -> Generator[None]:
    """Add the row to the error of an invalid observation."""
    try:
        yield
    except InvalidInputError as error:
        if place is None:
            raise
        row = f"rows.{place}."
        raise InvalidInputError(f"{row}{error.message}", field=f"{row}{error.field}") from None


def sense(
    state: PluginState, observation: Observation, settings: PluginSettings, most: int
) -> tuple[Sensed, PluginState]:
    """Return the surprise of an observation, and the state after it with at most ``most`` keys.

    Raises
    ------
    InvalidInputError
        If it is invalid for the kind of plugin.
    """
    sensed, after = _SENSES[settings.kind](state, observation, settings, most)
    latest = (*state.latest, sensed)[-_LATEST:]
    return sensed, replace(after, observations=state.observations + 1, latest=latest)


def _numbers(
    state: PluginState, observation: Observation, settings: PluginSettings, most: int
) -> tuple[Sensed, PluginState]:
    names = sorted(observation)
    reality = np.array([_number(name, observation[name]) for name in names])
    expected = np.array([state.means.get(name, settings.start) for name in names])
    scale = np.array([settings.scales.get(name, settings.scale) for name in names])
    surprises = expectation_errors(reality, expected, scale)
    moved = moved_expectations(expected, reality, step=settings.step)
    sensed = Sensed(
        _overall(names, surprises, settings),
        _in_words(observation, "="),
        expected=_by_name(names, expected),
        parts=_by_name(names, surprises),
    )
    others = {name: mean for name, mean in state.means.items() if name not in observation}
    means = {**others, **_by_name(names, moved)}
    # the keys observed longest ago are dropped, but none of this observation
    return sensed, replace(state, means=dict(list(means.items())[-max(most, len(names)) :]))


def _overall(names: list[str], surprises: Floats, settings: PluginSettings) -> float:
    if settings.kind == "ema":
        return float(surprises.max(initial=0.0))
    weights = np.array([settings.weights.get(name, 1.0) for name in names])
    return combined_surprise(surprises, weights)


def _symbols(
    state: PluginState, observation: Observation, _settings: PluginSettings, most: int
) -> tuple[Sensed, PluginState]:
    tally, key = Tally(state.counts), (_signature(observation),)
    seen, total = np.array([[tally.of(key)], [tally.total]], dtype=float)
    surprise = float(signature_surprise(seen, total)[0])
    sensed = Sensed(surprise, _in_words(observation, ":"), probability=1.0 - surprise)
    return sensed, replace(state, counts=tally.seen(key, most=most).counts)


def _decision(
    state: PluginState, observation: Observation, settings: PluginSettings, most: int
) -> tuple[Sensed, PluginState]:
    action, known, pairs = _action(observation), Tally(state.counts), Tally(state.pairs)
    possible = max(settings.actions, len(known.counts) + 1)  # one unseen action is possible
    previous = state.previous if settings.mode == "bigram" else None
    if previous is None:
        surprise = _decided(known, (action,), possible, settings.smoothing)
    else:
        key = (previous, action)
        surprise = _decided(pairs.after(previous), key, possible, settings.smoothing)
        pairs = pairs.seen(key, most=most)
    counts = known.seen((action,), most=most).counts
    sensed = Sensed(surprise, action, probability=1.0 - surprise)
    return sensed, replace(state, counts=counts, pairs=pairs.counts, previous=action)


def _decided(before: Tally, key: tuple[str, ...], possible: int, smoothing: float) -> float:
    chosen, total, actions = np.array([[before.of(key)], [before.total], [possible]], dtype=float)
    return float(decision_surprise(chosen, total, actions, smoothing=smoothing)[0])


_SENSES: Mapping[PluginKind, Sense] = {
    "ema": _numbers,
    "multidimensional": _numbers,
    "symbolic": _symbols,
    "decision": _decision,
}


def _by_name(names: list[str], values: Floats) -> dict[str, float]:
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _number(name: str, value: str | bool | float) -> float:
    if isinstance(value, str):
        raise InvalidInputError(
            f"observation.{name}: must be a number", field=f"observation.{name}"
        )
    return float(value)


def _action(observation: Observation) -> str:
    action = observation.get("action")
    if not isinstance(action, str) or len(observation) > 1:
        raise InvalidInputError(
            'observation: must be {"action": "…"}, one name', field="observation"
        )
    return action


def _signature(observation: Observation) -> str:
    """Hash an observation: a short key of any number of sensors, without its words."""
    text = json.dumps(sorted(observation.items()))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _in_words(observation: Observation, sign: str) -> str:
    text = "|".join(f"{name}{sign}{value}" for name, value in sorted(observation.items()))
    return text[:_LONGEST]
