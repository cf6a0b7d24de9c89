from __future__ import annotations

from typing import Any

import annotated_types
import pytest

from graph.kernel.errors import InvalidInputError
from graph.kernel.values import PHASES, STATUSES
from graph.model.utility.config import SIGNALS, UTILITY_SETTINGS, UtilityConfig
from service.bootstrap.configs import configured
from service.settings import Settings
from service.use_cases.utility.configure import UTILITY


def test_the_environment_can_set_each_of_its_fields_and_has_the_same_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert configured(Settings()) == UtilityConfig()
    monkeypatch.setenv("STRATAGRAPH_REWARD_SCALE", "signed")
    monkeypatch.setenv("STRATAGRAPH_CREDIT_DAMPING", "0.25")
    config = configured(Settings())
    assert (config.reward_scale, config.credit_damping) == ("signed", 0.25)


@pytest.mark.parametrize("name", [s.name for s in UTILITY_SETTINGS.values() if s.range])
def test_a_number_has_the_same_range_in_the_environment(name: str) -> None:
    limits: dict[type, Any] = {type(m): m for m in Settings.model_fields[name].metadata}
    given = UTILITY_SETTINGS[name].range
    assert given is not None
    least = limits.get(annotated_types.Gt) or limits[annotated_types.Ge]
    assert isinstance(least, annotated_types.Gt) == given.above
    assert (least.gt if given.above else least.ge) == given.low
    most = limits.get(annotated_types.Le)
    assert given.high == (float("inf") if most is None else most.le)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("learning_rate", 0, "learning_rate: must be in (0, 1]"),
        ("learning_rate", 1.01, "learning_rate: must be in (0, 1]"),
        ("learning_rate", float("nan"), "learning_rate: must be in (0, 1]"),
        ("learning_rate", True, "learning_rate: must be in (0, 1]"),
        ("reward_failure", -1.5, "reward_failure: must be in [-1, 1]"),
        ("q_history_limit", 2.5, "q_history_limit: must be a whole number in [1, 10000]"),
        ("exploration", "greedy", "exploration: must be one of none, ucb, thompson"),
        ("track_memory_usage", "yes", "track_memory_usage: must be true or false"),
        ("colour", 1, "there is no such setting of utility"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_name_and_range(
    name: str, value: object, said: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        UTILITY.setting(name).check(value)
    assert (refused.value.message, refused.value.field) == (said, name)


def test_a_config_checks_what_it_is_made_of() -> None:
    with pytest.raises(InvalidInputError, match="z_limit"):
        UtilityConfig(z_limit=0.0)
    assert UtilityConfig(z_limit=float("inf")).z_limit == float("inf")


def test_each_field_is_a_number_a_choice_or_a_switch() -> None:
    switches = {"utility_learning", "track_memory_usage", "contextual_utility"}
    for name, declared in UTILITY_SETTINGS.items():
        shapes = declared.range is not None, bool(declared.choices), name in switches
        assert sum(shapes) == 1, name


def test_there_is_a_weight_for_each_phase_signal_and_status() -> None:
    config = UtilityConfig()
    assert [config.utility_weight(phase) for phase in (None, *PHASES)] == [
        *(0.5, 0.2, 0.5, 0.7, 0.3, 0.6)
    ]
    assert list(config.phase_weights.values()) == [0.15, 0.2, 0.3, 0.25, 0.1]
    assert (tuple(config.phase_weights), tuple(config.signal_weights)) == (PHASES, SIGNALS)
    assert {s: config.rewards[s] for s in STATUSES} == {
        "success": 1.0,
        "failure": -1.0,
        "partial": 0.3,
        "timeout": -0.5,
    }
