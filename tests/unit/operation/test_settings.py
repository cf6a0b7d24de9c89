from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from graph.kernel.errors import ConfigurationError
from graph.model.episodes.retrieval import WalkLimits
from graph.scoring.weights import RetrievalWeights
from service.bootstrap.configs import configured
from service.bootstrap.defaults import retrieve_defaults
from service.settings import Settings, load_settings, variable_of, variables
from service.variables import range_of


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in variables().values():
        for name in names:
            monkeypatch.delenv(name, raising=False)


def test_without_variables_the_defaults_hold() -> None:
    settings = load_settings()
    assert (settings.host, settings.port, settings.neo4j_uri) == ("127.0.0.1", None, None)


def test_a_variable_sets_its_field(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("STRATAGRAPH_PORT", "9000")
    monkeypatch.setenv("NEO4J_URI", "bolt://db:7687")
    settings = load_settings()
    assert (settings.home, settings.port) == (tmp_path, 9000)
    assert settings.neo4j_uri == "bolt://db:7687"


def test_how_far_a_retrieval_looks_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = retrieve_defaults(load_settings())
    assert (usual.limits, usual.weights) == (WalkLimits(), RetrievalWeights())
    for name, value in (("PROBLEMS", "40"), ("EXPANDED", "5"), ("FAILURES", "2")):
        monkeypatch.setenv(f"STRATAGRAPH_RETRIEVAL_{name}", value)
    changed = retrieve_defaults(load_settings())
    assert changed.limits == WalkLimits(problems=40, worded=40, expanded=5)
    assert changed.weights == RetrievalWeights(failures=2)


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("STRATAGRAPH_PROT", "STRATAGRAPH_PORT"),
        ("STRATAGRAPH_HOMES", "STRATAGRAPH_HOME"),
        ("STRATAGRAPH_Q_DEFAULTS", "STRATAGRAPH_Q_DEFAULT"),
    ],
)
def test_a_mistyped_variable_is_refused_with_the_one_that_was_meant(
    monkeypatch: pytest.MonkeyPatch, variable: str, meant: str
) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(ConfigurationError, match=f"{variable} is not a setting.*{meant}"):
        load_settings()


def test_a_variable_of_an_earlier_release_is_refused_as_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOT_SCOPES", "true")
    with pytest.raises(
        ConfigurationError, match=r"STRATAGRAPH_HOT_SCOPES sets nothing .* unset it"
    ):
        load_settings()


def test_the_seed_documents_name_sets_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "0.4")
    monkeypatch.setenv("RETRIEVAL_LAMBDA_PLANNING", "0.9")
    settings = configured(load_settings())
    assert (settings.q_default, settings.utility_weight_planning) == (0.4, 0.9)


@pytest.mark.parametrize(
    ("variable", "field"),
    [
        ("QVALUE_DEFAULT", "q_default"),
        ("QVALUE_LEARNING_RATE", "learning_rate"),
        ("RETRIEVAL_LAMBDA_DEFAULT", "utility_weight_default"),
        *(
            (f"RETRIEVAL_LAMBDA_{phase.upper()}", f"utility_weight_{phase}")
            for phase in ("observation", "reasoning", "planning", "action", "reflection")
        ),
    ],
)
def test_each_of_its_numbers_can_go_by_the_seed_documents_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, field: str
) -> None:
    monkeypatch.setenv(variable, "0.375")
    assert getattr(load_settings(), field) == 0.375
    assert variable_of(field) == variable
    monkeypatch.delenv(variable)
    assert variable_of(field) == f"STRATAGRAPH_{field.upper()}"


def test_one_value_under_two_names_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "0.4")
    monkeypatch.setenv("STRATAGRAPH_Q_DEFAULT", "0.4")
    assert configured(load_settings()).q_default == 0.4


def test_two_values_for_one_thing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "0.4")
    monkeypatch.setenv("STRATAGRAPH_Q_DEFAULT", "0.6")
    with pytest.raises(ConfigurationError, match=r"STRATAGRAPH_Q_DEFAULT=0\.6 and QVALUE_DEFAULT"):
        load_settings()


@pytest.mark.parametrize(
    ("one", "other"), [("0.5", "0.50"), ("1", "1.0"), ("5e-1", "0.5"), (" 0.5", "0.5")]
)
def test_one_number_written_two_ways_is_no_contradiction(
    monkeypatch: pytest.MonkeyPatch, one: str, other: str
) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", one)
    monkeypatch.setenv("STRATAGRAPH_Q_DEFAULT", other)
    assert configured(load_settings()).q_default == float(other)


def test_one_truth_written_two_ways_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_UTILITY_LEARNING_ENABLED", "false")
    monkeypatch.setenv("STRATAGRAPH_UTILITY_LEARNING", "0")
    assert configured(load_settings()).utility_learning is False


def test_two_names_with_two_values_that_cannot_be_read_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "half")
    monkeypatch.setenv("STRATAGRAPH_Q_DEFAULT", "0.5")
    with pytest.raises(ConfigurationError, match="QVALUE_DEFAULT=half set one thing to two values"):
        load_settings()


@pytest.mark.parametrize(
    ("variable", "value", "needed"),
    [
        ("QVALUE_LEARNING_RATE", "1.5", "must lie in (0, 1]"),
        ("STRATAGRAPH_LEARNING_RATE", "0", "must lie in (0, 1]"),
        ("STRATAGRAPH_LEARNING_RATE", "nan", "must lie in (0, 1]"),
        ("STRATAGRAPH_LEARNING_RATE", "slow", "must be a number in (0, 1]"),
        ("RETRIEVAL_LAMBDA_DEFAULT", "-0.1", "must lie in [0, 1]"),
        ("STRATAGRAPH_REWARD_FAILURE", "-2", "must lie in [-1, 1]"),
        ("STRATAGRAPH_PORT", "http", "must be a whole number in [1, 65535]"),
        ("STRATAGRAPH_Q_PRIOR_COUNT", "inf", "must lie in [0, 1000000]"),
        ("STRATAGRAPH_EMBEDDING_CACHE", "some", "must be a whole number, 0 or more"),
        ("STRATAGRAPH_EMBEDDING_CACHE", "-1", "must be 0 or more"),
        ("STRATAGRAPH_Z_LIMIT", "0", "must be more than 0"),
        ("MEMORY_UTILITY_LEARNING_ENABLED", "perhaps", "must be true or false"),
        ("STRATAGRAPH_LOG_FORMAT", "xml", "must be one of text, json"),
    ],
)
def test_a_wrong_value_is_told_with_its_variable_and_the_range(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, needed: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert refused.value.message == f"{variable}={value}: {needed}"


@pytest.mark.parametrize(
    ("variable", "secret"),
    [("STRATAGRAPH_METRICS_KEY", "hunter2"), ("STRATAGRAPH_API_KEYS", "red:hunter2")],
)
def test_a_wrong_secret_is_not_told(
    monkeypatch: pytest.MonkeyPatch, variable: str, secret: str
) -> None:
    monkeypatch.setenv(variable, secret)
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert variable in refused.value.message
    assert "hunter2" not in refused.value.message


def test_a_value_is_told_on_one_short_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "0.5\n" + "x" * 500)
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert "\n" not in refused.value.message
    assert len(refused.value.message) < 150


def test_several_faults_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVALUE_DEFAULT", "2")
    monkeypatch.setenv("STRATAGRAPH_PORT", "0")
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert "QVALUE_DEFAULT=2: must lie in [0, 1]" in refused.value.message
    assert "STRATAGRAPH_PORT=0: must lie in [1, 65535]" in refused.value.message


def test_the_range_of_a_field() -> None:
    class Ranges(BaseModel):
        above: float = Field(gt=1)
        at_most: float = Field(le=2)
        below: float = Field(lt=2)
        within: float = Field(gt=0, lt=1)
        any: float = 0.0

    shown = {name: range_of(info) for name, info in Ranges.model_fields.items()}
    assert shown == {
        "above": "more than 1",
        "at_most": "2 or less",
        "below": "less than 2",
        "within": "(0, 1)",
        "any": None,
    }


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("STRATAGRAPH_PORT", "70000"),
        ("STRATAGRAPH_PORT", "http"),
        ("STRATAGRAPH_LOG_LEVEL", "loud"),
        ("STRATAGRAPH_LOG_FORMAT", "xml"),
        ("STRATAGRAPH_METRICS_KEY", "too-short"),
        ("STRATAGRAPH_LEARNING_RATE", "0"),
        ("QVALUE_LEARNING_RATE", "1.5"),
        ("STRATAGRAPH_NEO4J_HEAP", "a lot"),
        ("STRATAGRAPH_API_KEYS", "short"),
        ("STRATAGRAPH_API_KEYS", "Tenant!:0123456789abcdef"),
        ("STRATAGRAPH_API_KEYS", "red:0123456789abcdef,blue:0123456789abcdef"),
        ("STRATAGRAPH_API_KEYS", "red:0123456789abcdef;blue:fedcba9876543210"),
        ("NEO4J_URI", "localhost:7687"),
        ("NEO4J_URI", "http://localhost:7474"),
    ],
)
def test_what_is_out_of_range_names_the_variable_that_was_set(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError) as refused:
        load_settings()
    assert variable in refused.value.message


def test_keys_are_bound_to_tenants_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_API_KEYS", "red:0123456789abcdef, blue:fedcba9876543210")
    settings = load_settings()
    assert [tenant for tenant, _ in settings.api_keys] == ["red", "blue"]
    assert settings.api_keys[0][1].get_secret_value() == "0123456789abcdef"
    assert "0123456789abcdef" not in repr(settings)


def test_a_privacy_policy_needs_a_tenant_with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_API_KEYS", "acme:0123456789abcdef")
    monkeypatch.setenv("STRATAGRAPH_PII_POLICIES", "acmee:reject")
    with pytest.raises(ConfigurationError, match=r"STRATAGRAPH_PII_POLICIES.*acmee"):
        load_settings()
    monkeypatch.setenv("STRATAGRAPH_PII_POLICIES", "acme:reject")
    assert load_settings().pii_policies == (("acme", "reject"),)


def test_off_loopback_keys_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOST", "0.0.0.0")  # noqa: S104
    with pytest.raises(ConfigurationError, match="STRATAGRAPH_API_KEYS"):
        load_settings()
    monkeypatch.setenv("STRATAGRAPH_API_KEYS", "red:0123456789abcdef")
    assert load_settings().host == "0.0.0.0"  # noqa: S104


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_described(field: str) -> None:
    description = Settings.model_fields[field].description
    assert description
    assert re.search(r"[.]$", description)
