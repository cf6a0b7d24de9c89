"""Reading of the setting `own_strata`, and the order and terms that follow from it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graph.kernel.errors import ConfigurationError, InvalidInputError
from graph.kernel.values import STRATA
from graph.model.strata.config import STRATA_SETTINGS, StrataConfig, taken_away
from graph.model.strata.own import MOST
from graph.scoring.strata import POLICIES, due
from service.settings import load_settings
from service.use_cases.strata.gates import policy_of

SETTING = STRATA_SETTINGS["own_strata"]


def config(own: str, **others: float) -> StrataConfig:
    return StrataConfig(own_strata=own, **others)  # pyright: ignore[reportArgumentType] - numbers


def test_without_own_strata_the_order_is_the_built_in_one() -> None:
    assert StrataConfig().order == STRATA
    assert tuple(StrataConfig().decay_rates) == STRATA


def test_each_stands_directly_after_the_one_it_names() -> None:
    own = "daily after short_term; weekly after daily; rules after long_term; noon after short_term"
    assert config(own).order == (
        "working",
        "short_term",
        "noon",
        "daily",
        "weekly",
        "episodic",
        "long_term",
        "rules",
        "semantic",
    )


def test_what_is_left_out_is_as_in_the_stratum_below() -> None:
    own = (
        "daily after short_term capacity=7 every=1; weekly after daily retention_hours=0 decay=0.15"
    )
    found = config(own, short_term_decay=0.4)
    assert found.terms("daily") == (7, timedelta(hours=24), 0.4, 1)
    assert found.terms("weekly") == (7, None, 0.15, 1)
    assert found.terms("short_term") == (500, timedelta(hours=24), 0.4, 3)


def test_the_rules_of_the_gates_are_those_of_the_built_in_stratum_below() -> None:
    found = config("daily after short_term decay=0.2; team after episodic; rules after long_term")
    daily, team, rules = (policy_of(found, name) for name in ("daily", "team", "rules"))
    assert (daily.min_dwell, daily.demote_below) == (POLICIES["short_term"].min_dwell, 0.0)
    assert (team.condense_at, team.demote_below) == (0.2, 0.1)
    assert (rules.promote_at, rules.retention) == (0.8, float("inf"))
    assert policy_of(config("rules after long_term"), "long_term").promote_at == 0.8


def test_a_run_looks_at_own_strata_in_the_order() -> None:
    found = config("daily after short_term every=2; rules after long_term every=2")
    policies = {stratum: policy_of(found, stratum) for stratum in found.order}
    assert due(0, policies) == found.order
    assert due(2, policies) == ("working", "daily", "rules")


def test_in_a_stratum_that_was_taken_away_nothing_fades_or_leaves() -> None:
    assert StrataConfig().terms("daily") == (None, None, 0.0, 1)
    assert StrataConfig().next_to("daily", 1) is None
    assert policy_of(StrataConfig(), "daily").base_rate == 0


def test_a_change_names_what_it_takes_away() -> None:
    before = {"own_strata": "daily after working; weekly after daily"}
    assert taken_away(before, {"own_strata": "weekly after episodic"}) == ("daily",)
    assert taken_away({"own_strata": ""}, before) == ()


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("daily", "entry 1 must be `name after stratum`"),
        ("Daily after working", "entry 1 must be `name after stratum`"),
        ("a after working; 9 after a", "entry 2 must be `name after stratum`"),
        ("semantic after working", "semantic: the name is taken"),
        ("archived after working", "archived: the name is taken"),
        ("up after working", "up: the name is taken"),
        ("daily after working; daily after episodic", "daily: the name is taken"),
        ("daily after weekly", "daily: weekly is no stratum; before it there are working, "),
        ("daily after daily", "daily: daily is no stratum"),
        ("daily after semantic", "daily: semantic stays the last stratum"),
        ("daily after working colour=3", "daily: give each of capacity, retention_hours, decay"),
        ("daily after working decay=1 decay=2", "daily: give each of capacity"),
        ("daily after working capacity=2.5", "capacity must be a whole number in [0, 10000000]"),
        ("daily after working every=0", "every must be a whole number in [1, 10000]"),
        ("daily after working decay=1.2.3", "decay must be in [0, 100]"),
        ("daily after working decay=-1", "entry 1 must be"),
        (
            "; ".join(f"s{place} after working" for place in range(MOST + 1)),
            "at most 16 strata of your own",
        ),
    ],
)
def test_what_cannot_be_a_stratum_is_refused(own: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        SETTING.check(own)
    assert refused.value.field == "own_strata"
    assert refused.value.message.startswith("own_strata: ")
    assert said in refused.value.message


def test_the_environment_is_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_OWN_STRATA", "daily after weekly")
    with pytest.raises(ConfigurationError, match="weekly is no stratum"):
        load_settings()
    monkeypatch.setenv("STRATAGRAPH_OWN_STRATA", "daily after working")
    assert load_settings().model_dump()["own_strata"] == "daily after working"
