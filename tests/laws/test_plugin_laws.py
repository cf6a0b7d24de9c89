"""Laws of surprise plugins, whatever they observe."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.model.strata.plugins import (
    COUNTS,
    MEMORY_PROFILES,
    Observation,
    PluginSettings,
    PluginState,
)
from graph.scoring.arousal import memory_counts
from graph.scoring.habits import Tally, decision_surprise
from service.use_cases.strata.observing import sense
from tests.laws.test_scoring_laws import SHARES, law

NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
NUMBERS = st.dictionaries(NAMES, st.floats(-1e9, 1e9), min_size=1)
SIGNATURES = st.dictionaries(NAMES, st.sampled_from(["LOW", "HIGH"]), min_size=1)
ACTIONS = st.fixed_dictionaries({"action": NAMES})
MOSTS = st.integers(1, 6)


def settle(
    plugin: PluginSettings, observations: list[Observation], most: int
) -> tuple[list[float], PluginState]:
    state, found = PluginState(), list[float]()
    for observation in observations:
        sensed, state = sense(state, observation, plugin, most)
        found.append(sensed.surprise)
    return found, state


@law
@given(
    st.sampled_from(["ema", "multidimensional"]),
    st.lists(NUMBERS, min_size=1, max_size=12),
    st.floats(0.01, 1),
    MOSTS,
)
def test_numbers_surprise_within_bounds(
    kind: str, seen: list[Observation], step: float, most: int
) -> None:
    plugin = PluginSettings(kind, step=step)  # pyright: ignore[reportArgumentType] -- one of the kinds
    found, state = settle(plugin, seen, most)
    assert all(0 <= each <= 1 for each in found)
    values = [value for each in seen for value in each.values() if not isinstance(value, str)]
    low, high = min(*values, 0.0), max(*values, 0.0)
    slack = 1e-6 * max(1.0, high - low)
    assert all(low - slack <= mean <= high + slack for mean in state.means.values())
    assert len(state.means) <= max(most, 5)
    assert state.observations == len(seen)


@law
@given(st.floats(-1e6, 1e6), st.integers(1, 200))
def test_what_stays_the_same_surprises_less_and_less(value: float, times: int) -> None:
    plugin = PluginSettings("ema", scale=max(abs(value), 1.0))
    found, _ = settle(plugin, [{"x": value}] * times, 10)
    assert all(after <= before + 1e-12 for before, after in pairwise(found))


@law
@given(st.lists(SIGNATURES, min_size=1, max_size=30))
def test_a_situation_surprises_by_its_share_of_those_before(seen: list[Observation]) -> None:
    found, state = settle(PluginSettings("symbolic"), seen, 1000)
    for place, surprise in enumerate(found):
        same = sum(before == seen[place] for before in seen[:place])
        assert surprise == pytest.approx(1 - same / (place + 1))
    assert sum(state.counts.values()) == len(seen)


@law
@given(st.lists(ACTIONS, min_size=1, max_size=30), st.sampled_from(["unigram", "bigram"]), MOSTS)
def test_decisions_surprise_within_bounds(seen: list[Observation], mode: str, most: int) -> None:
    plugin = PluginSettings("decision", mode=mode)  # pyright: ignore[reportArgumentType] -- one of the modes
    found, state = settle(plugin, seen, most)
    assert all(0 <= each < 1 for each in found)
    assert len(state.counts) <= most
    assert len(state.pairs) <= most


@law
@given(st.dictionaries(NAMES, st.integers(1, 50), min_size=1), st.floats(0.01, 10))
def test_probabilities_of_the_known_and_one_unknown_are_one(
    counts: dict[str, int], smoothing: float
) -> None:
    chosen = np.array([*counts.values(), 0], dtype=float)
    total, actions = np.full_like(chosen, chosen.sum()), np.full_like(chosen, len(counts) + 1.0)
    surprise = decision_surprise(chosen, total, actions, smoothing=smoothing)
    assert (1 - surprise).sum() == pytest.approx(1.0)


@law
@given(st.lists(st.tuples(NAMES), max_size=40), MOSTS)
def test_a_tally_keeps_what_was_seen_last(keys: list[tuple[str]], most: int) -> None:
    tally = Tally()
    for key in keys:
        before = tally
        tally = tally.seen(key, most=most)
        assert list(tally.counts)[-1] == key
        assert tally.of(key) == before.of(key) + 1
        assert len(tally.counts) <= most
    if len(set(keys)) <= most:
        assert tally.total == len(keys)


@law
@given(st.sampled_from(MEMORY_PROFILES), SHARES, SHARES)
def test_more_arousal_never_gives_fewer_memories(profile: str, one: float, other: float) -> None:
    least, most, capacity = COUNTS[profile]  # pyright: ignore[reportArgumentType] -- one of the profiles
    low, high = sorted([one, other])
    fewer, more = memory_counts(np.array([low, high]), least=least, most=most)
    assert least <= fewer <= more <= most <= capacity
