from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import annotated_types
import pytest

from graph.kernel.errors import ConfigurationError, InvalidInputError
from graph.kernel.values import STRATA, Stratum
from graph.model.strata.config import STRATA_SETTINGS, StrataConfig
from graph.scoring.strata import POLICIES
from service.bootstrap.configs import configured_strata
from service.settings import Settings, load_settings
from service.use_cases.strata.gates import policy_of
from service.use_cases.utility.configure import STRATA as STRATA_SECTION


def test_the_environment_can_set_each_field_and_has_the_same_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert configured_strata(Settings()) == StrataConfig()
    monkeypatch.setenv("STRATAGRAPH_WORKING_CAPACITY", "7")
    monkeypatch.setenv("AUTO_PROMOTION_THRESHOLD", "0.9")
    monkeypatch.setenv("MEMORY_STRATA_ENABLED", "false")
    monkeypatch.setenv("SURPRISE_THRESHOLD", "0.8")
    monkeypatch.setenv("SURPRISE_HISTORY_TTL_DAYS", "30")
    monkeypatch.setenv("ENABLE_PATTERN_SHARING", "false")
    config = configured_strata(Settings())
    assert (config.working_capacity, config.auto_promotion_threshold, config.strata) == (
        7,
        0.9,
        False,
    )
    assert (config.surprise_threshold, config.surprise_days) == (0.8, 30)
    assert not config.pattern_sharing


@pytest.mark.parametrize("name", [s.name for s in STRATA_SETTINGS.values() if s.range])
def test_a_number_has_the_same_range_in_the_environment(name: str) -> None:
    limits: dict[type, Any] = {type(m): m for m in Settings.model_fields[name].metadata}
    given = STRATA_SETTINGS[name].range
    assert given is not None
    least = limits.get(annotated_types.Gt) or limits[annotated_types.Ge]
    assert isinstance(least, annotated_types.Gt) == given.above
    assert (least.gt if given.above else least.ge) == given.low
    assert limits[annotated_types.Le].le == given.high


@pytest.mark.parametrize("stratum", STRATA)
def test_the_defaults_are_those_of_the_policies(stratum: Stratum) -> None:
    usual, said = POLICIES[stratum], policy_of(StrataConfig(), stratum)
    assert said.retention == pytest.approx(usual.retention)
    assert replace(said, retention=usual.retention) == usual


def test_what_would_rise_and_sink_at_once_rises_only_above_both() -> None:
    stored = StrataConfig(demotion_threshold=0.9)  # by an older release, or over a new environment
    policies = {stratum: policy_of(stored, stratum) for stratum in STRATA}
    assert policies["episodic"].promote_at == policies["long_term"].promote_at == 0.9
    assert policies["working"].promote_at == 0.8


def test_the_environment_cannot_let_a_memory_rise_and_sink_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STRATAGRAPH_DEMOTION_THRESHOLD", "0.9")
    with pytest.raises(ConfigurationError, match="DEMOTION_THRESHOLD"):
        load_settings()
    monkeypatch.setenv("AUTO_PROMOTION_THRESHOLD", "0.9")
    assert configured_strata(load_settings()).demotion_threshold == 0.9


def test_the_defaults_are_those_of_the_seed() -> None:
    config = StrataConfig()
    assert [config.terms(stratum).capacity for stratum in STRATA] == [50, 500, 10_000, None, None]
    assert [config.terms(stratum).retention for stratum in STRATA] == [
        timedelta(minutes=30),
        timedelta(hours=24),
        timedelta(days=30),
        None,
        None,
    ]
    assert list(config.decay_rates.values()) == [0.8, 0.3, 0.1, 0.05, 0.05]
    assert (config.retention_check_seconds, config.auto_promotion_threshold) == (3600, 0.8)


def test_each_field_is_a_number_a_choice_a_text_or_a_switch() -> None:
    switches = {
        "strata",
        "consolidation",
        "surprise_literal",
        "surprise_learning",
        "pattern_sharing",
        "cycles",
    }
    for name, declared in STRATA_SETTINGS.items():
        shapes = (
            declared.range is not None,
            bool(declared.choices),
            name in switches,
            declared.form is not None,
        )
        assert sum(shapes) == 1, name


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("working_capacity", 1.5, "working_capacity: must be a whole number in [0, 10000000]"),
        ("demotion_threshold", 1.5, "demotion_threshold: must be in [0, 1]"),
        ("expired", "burn", "expired: must be one of archive, delete"),
        ("strata", 1, "strata: must be true or false"),
        (
            "cycle_action_reads",
            "attic",
            f"cycle_action_reads: must be a text of the form {STRATA_SETTINGS['cycle_action_reads'].form}",
        ),
        ("colour", 1, "there is no such setting of strata"),
    ],
)
def test_a_value_that_cannot_be_is_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        STRATA_SECTION.setting(name).check(value)
    assert (refused.value.message, refused.value.field) == (said, name)
