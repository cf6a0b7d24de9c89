"""Surprise plugins and arousal, with numbers that were worked out by hand."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.strata.config import StrataConfig
from graph.model.strata.plugins import COUNTS, Observation, PluginSettings, PluginState, Sensed
from graph.scoring.arousal import (
    combined_surprise,
    expectation_errors,
    is_deliberate,
    memory_counts,
    moved_expectations,
)
from graph.scoring.habits import Tally, decision_surprise, signature_surprise
from service.use_cases.recall.attention import Attention, memorable
from service.use_cases.recall.request import RecallRequest
from service.use_cases.strata.observing import sense
from service.use_cases.strata.plugins import memory_count, system_at

FLOOD = {"FLOOD": "HIGH"}


class NothingSet:
    """The settings of a tenant that has set nothing."""

    def strata_of(self, tenant: str) -> StrataConfig:
        return StrataConfig()


NOTHING_SET: Any = NothingSet()
NOBODY: Any = None  # whoever asks it fails
NEW_CONTEXT = {"FLOOD": "HIGH", "NEIGHBOR": "ELEVATING"}


def senses(
    settings: PluginSettings, *observations: Observation, most: int = 1000
) -> tuple[list[Sensed], PluginState]:
    state, found = PluginState(), list[Sensed]()
    for observation in observations:
        sensed, state = sense(state, observation, settings, most)
        found.append(sensed)
    return found, state


def surprises(settings: PluginSettings, *observations: Observation) -> list[float]:
    return [each.surprise for each in senses(settings, *observations)[0]]


def actions(*names: str, **settings: object) -> list[float]:
    plugin = PluginSettings("decision", **settings)  # pyright: ignore[reportArgumentType] -- by name
    return surprises(plugin, *({"action": name} for name in names))


def test_the_boiling_frog() -> None:
    """The table of the source: four floods, and a new combination in year 10."""
    found = surprises(PluginSettings("symbolic"), FLOOD, FLOOD, FLOOD, FLOOD, NEW_CONTEXT)
    assert found == pytest.approx([1.0, 0.5, 1 / 3, 0.25, 1.0])
    thinks = [system_at(surprise, StrataConfig()) for surprise in found]
    assert thinks == ["SYSTEM_2", "SYSTEM_1", "SYSTEM_1", "SYSTEM_1", "SYSTEM_2"]


def test_the_order_of_sensors_is_no_matter_and_their_names_do_not_run_together() -> None:
    turned = dict(reversed(NEW_CONTEXT.items()))
    assert surprises(PluginSettings("symbolic"), NEW_CONTEXT, turned) == [1.0, 0.5]
    apart = surprises(PluginSettings("symbolic"), {"a": "b|1:c:d"}, {"a": "b", "c": "d"})
    assert apart == [1.0, 1.0]


def test_a_number_beside_its_moving_mean() -> None:
    depths = ({"flood_depth": 2.0}, {"flood_depth": 2.0}, {"flood_depth": 0.6})
    found, state = senses(PluginSettings("ema", scale=2.0), *depths)
    # Means: 0; 0 + 0.3·2 = 0.6; 0.6 + 0.3·1.4 = 1.02.
    assert [each.surprise for each in found] == pytest.approx([1.0, 0.7, 0.21])
    assert [each.expected["flood_depth"] for each in found] == pytest.approx([0, 0.6, 1.02])
    assert state.means["flood_depth"] == pytest.approx(1.02 - 0.3 * 0.42)


def test_the_loop_of_the_source() -> None:
    """Expected 0.1 m, came 2.0 m: an error of 1.9, more than the scale."""
    plugin = PluginSettings("ema", start=0.1)
    [found] = surprises(plugin, {"flood_depth": 2.0})
    assert found == 1.0
    [exact] = surprises(PluginSettings("ema", start=0.1, scale=10), {"flood_depth": 2.0})
    assert exact == pytest.approx(0.19)


def test_of_several_stimuli_the_greatest_surprise_counts() -> None:
    [found] = senses(PluginSettings("ema"), {"depth": 0.2, "rain": 0.9})[0]
    assert found.surprise == pytest.approx(0.9)
    assert found.parts == pytest.approx({"depth": 0.2, "rain": 0.9})


def test_dimensions_are_weighed() -> None:
    plugin = PluginSettings("multidimensional", scales={"rain": 2.0}, weights={"depth": 3.0})
    # (3·0.2 + 1·0.5) / 4
    assert surprises(plugin, {"depth": 0.2, "rain": 1.0}) == pytest.approx([0.275])


def test_decisions_beside_all_before() -> None:
    # V is what was seen and one more: 1 − 1/1, 1 − 2/3, 1 − 1/4, 1 − 3/6.
    assert actions("wait", "wait", "insure", "wait") == pytest.approx([0, 1 / 3, 3 / 4, 1 / 2])
    assert actions("wait", actions=4) == [0.75]


def test_decisions_beside_those_after_the_same_one() -> None:
    # First as a unigram. After `wait` nothing, then `wait` once, then `wait` twice of two; after `insure` nothing.
    found = actions("wait", "wait", "wait", "insure", "wait", mode="bigram")
    assert found == pytest.approx([0, 1 - 1 / 2, 1 - 2 / 3, 1 - 1 / 4, 1 - 1 / 3])


def test_more_smoothing_makes_the_rare_less_surprising() -> None:
    wise, bold = actions("a", "a", "b", smoothing=10.0), actions("a", "a", "b", smoothing=0.1)
    assert wise[-1] < bold[-1]


@pytest.mark.parametrize(
    ("kind", "observation"),
    [
        ("ema", {"depth": "deep"}),
        ("multidimensional", {"depth": "deep"}),
        ("decision", {"depth": 1.0}),
        ("decision", {"action": 3.0}),
        ("decision", {"action": "wait", "why": "rain"}),
    ],
)
def test_a_plugin_refuses_what_it_cannot_observe(kind: str, observation: Observation) -> None:
    plugin = PluginSettings(kind)  # pyright: ignore[reportArgumentType] -- parametrized
    with pytest.raises(InvalidInputError, match="observation"):
        sense(PluginState(), observation, plugin, 10)


def test_the_trace_holds_the_last_twenty() -> None:
    _, state = senses(PluginSettings("symbolic"), *[{"n": str(n)} for n in range(30)])
    assert state.observations == 30
    assert [each.seen for each in state.latest] == [f"n:{n}" for n in range(10, 30)]


def test_of_too_many_keys_the_rarest_goes_and_of_equals_the_oldest() -> None:
    tally = Tally({("a",): 2, ("b",): 1, ("c",): 1})
    assert tally.seen(("d",), most=3).counts == {("a",): 2, ("c",): 1, ("d",): 1}
    assert tally.seen(("b",), most=3).counts == {("a",): 2, ("c",): 1, ("b",): 2}
    assert tally.seen(("d",), most=1).counts == {("d",): 1}


def test_nothing_grows_beyond_its_limit() -> None:
    for kind in ("ema", "symbolic"):
        plugin = PluginSettings(kind)  # pyright: ignore[reportArgumentType] -- one of the kinds
        _, state = senses(plugin, *[{f"n{n}": 1.0} for n in range(20)], most=5)
        assert len(state.means) + len(state.counts) == 5
    bigram = PluginSettings("decision", mode="bigram")
    _, state = senses(bigram, *[{"action": f"a{n}"} for n in range(20)], most=5)
    assert (len(state.counts), len(state.pairs), state.observations) == (5, 5, 20)


@pytest.mark.parametrize(
    ("profile", "counts"),
    [
        ("MILLER_STANDARD", [5, 6, 6, 7, 7]),
        ("COWAN_CONSERVATIVE", [3, 4, 4, 5, 5]),
        ("EXTENDED_CONTEXT", [7, 8, 8, 9, 9]),
        ("MINIMAL", [3, 3, 4, 4, 4]),
    ],
)
def test_memories_by_arousal(profile: str, counts: list[int]) -> None:
    given = (0.0, 0.25, 0.5, 0.75, 1.0)
    assert [memory_count(arousal, profile) for arousal in given] == counts  # pyright: ignore[reportArgumentType] -- parametrized


def test_the_profiles_of_the_source() -> None:
    assert {name: tuple(counts) for name, counts in COUNTS.items()} == {
        "MILLER_STANDARD": (5, 7, 10),
        "COWAN_CONSERVATIVE": (3, 5, 7),
        "EXTENDED_CONTEXT": (7, 9, 15),
        "MINIMAL": (3, 4, 5),
    }


def test_the_threshold_is_a_setting() -> None:
    assert system_at(0.4, StrataConfig(arousal_threshold=0.3)) == "SYSTEM_2"
    assert system_at(0.5, StrataConfig()) == "SYSTEM_1"


ONE, NAN = np.ones(1), np.array([np.nan])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: signature_surprise(2 * ONE, ONE),
        lambda: signature_surprise(-ONE, ONE),
        lambda: decision_surprise(ONE, ONE, 0 * ONE),
        lambda: decision_surprise(ONE, ONE, ONE, smoothing=0.0),
        lambda: expectation_errors(NAN, ONE, ONE),
        lambda: expectation_errors(ONE, ONE, 0 * ONE),
        lambda: moved_expectations(ONE, ONE, step=0.0),
        lambda: combined_surprise(2 * ONE, ONE),
        lambda: combined_surprise(ONE, -ONE),
        lambda: is_deliberate(2 * ONE),
        lambda: memory_counts(2 * ONE, least=1, most=2),
        lambda: memory_counts(ONE, least=3, most=2),
    ],
)
def test_a_faulty_number_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"must|between"):
        wrong()  # pyright: ignore[reportCallIssue] -- each is a function


def test_nothing_that_weighs_surprises_by_nothing() -> None:
    assert combined_surprise(ONE, 0 * ONE) == 0.0


def test_a_recall_without_arousal_asks_for_nothing_more() -> None:
    asked = RecallRequest(Caller("local", "anna"), text="x", k=5)
    assert asyncio.run(Attention(NOBODY, NOTHING_SET).counted(asked)) is asked
    assert memorable(asked, 5, by_age=False) == 0
    assert memorable(asked, 5, by_age=True) == 5


def test_an_arousal_asks_no_plugin() -> None:
    asked = RecallRequest(Caller("local", user_ids=("ada",)), text="x", arousal=1.0)
    told = asyncio.run(Attention(NOBODY, NOTHING_SET).counted(asked))
    assert (told.k, told.important, memorable(told, 7, by_age=False)) == (7, 2, 9)
