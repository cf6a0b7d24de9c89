"""Configurations of engines: what is read, and what is refused at which line."""

from __future__ import annotations

from typing import Any

import pytest

from graph.kernel.errors import InvalidInputError
from graph.model.engines.config import ENGINE_SETTINGS, EngineConfig, TenantEngines
from graph.model.engines.files import EngineFileError, read_engines
from service.http.engines.yaml_text import read_yaml

# "Configuration & References" of the source, as it stands there.
SOURCE = """\
# Recommended v2 configuration (production)
memory_config:
  type: "humancentric"
  params:
    ranking_mode: "weighted"
    W_recency: 0.3
    W_importance: 0.5
    W_context: 0.2
    # P2 innovations (set > 0 to enable)
    W_relevance: 0.0        # Contextual Resonance
    W_interference: 0.0     # Interference-Based Forgetting
    interference_cap: 0.8
    # Capacity limits (0 = unlimited)
    max_working: 0
    max_longterm: 0
"""
TYPES = """\
memory_config:
  type: weighted
  params: {lambda: 0.2, W_context: 0.4}
emotion_keywords: {loss: 0.9}
agent_types:
  household:
    agents: ["house-*", mayor]
    memory_config: {type: basic, params: {window_size: 3}}
    emotion_keywords:
      Flood: 1.0
      "lost everything": 0.8
    source_patterns: {neighbour: 0.7}
  insurer:
    memory_config: {type: actr}
"""


def engines(text: str) -> TenantEngines:
    return read_engines(read_yaml(text).data).engines


def test_the_file_of_the_source_is_read_as_it_stands() -> None:
    found = read_engines(read_yaml(SOURCE).data)
    assert found.engines.engine.config == EngineConfig(engine="weighted")
    assert found.strata == {"working_capacity": 0, "long_term_capacity": 0}


def test_the_threshold_of_arousal_is_a_setting_of_the_tenant() -> None:
    found = read_engines(read_yaml(f"{SOURCE}    arousal_threshold: 0.4\n").data)
    assert found.strata["arousal_threshold"] == 0.4
    with pytest.raises(EngineFileError, match="holds for a whole tenant"):
        read_engines(
            {"agent_types": {"a": {"memory_config": {"params": {"arousal_threshold": 1}}}}}
        )


def test_defaults_are_those_of_the_source() -> None:
    config = EngineConfig()
    weights = (config.recency_weight, config.importance_weight, config.context_weight)
    assert weights == (0.3, 0.5, 0.2)
    assert (config.relevance_weight, config.interference_weight) == (0.0, 0.0)
    assert (config.decay_rate, config.interference_cap) == (0.1, 0.8)
    assert (config.recent, config.important) == (5, 2)
    assert {each.name for each in ENGINE_SETTINGS.values() if not each.text} == set()


def test_an_agent_has_the_settings_of_its_type_over_those_of_the_tenant() -> None:
    found = engines(TYPES)
    plain, household, insurer = (found.of(name) for name in ("x", "house-7", "insurer-1"))
    assert (plain.config.engine, plain.emotions) == ("weighted", {"loss": 0.9})
    assert (household.config.engine, household.config.recent) == ("basic", 3)
    assert (household.config.decay_rate, household.config.context_weight) == (0.2, 0.4)
    assert household.emotions == {"flood": 1.0, "lost everything": 0.8}
    assert household.sources == {"neighbour": 0.7}
    assert (insurer.config.engine, insurer.emotions) == ("actr", {"loss": 0.9})
    assert found.of("mayor") == household
    assert found.of("insurers") == found.of(None) == plain


def test_a_capacity_brings_the_smart_eviction_and_a_gate_its_chance() -> None:
    params = {"max_working": 20, "I_gate": 0.6, "P_burn": 0.8}
    found = read_engines({"memory_config": {"type": "humancentric", "params": params}})
    assert found.engines.engine.config.engine == "basic"
    assert found.strata == {
        "working_capacity": 20,
        "consolidation_gate": 0.6,
        "consolidation_probability": 0.8,
        "eviction": "smart",
    }


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"memory": {}}, "memory"),
        ([], "memory_config"),
        ({"memory_config": 3}, "memory_config"),
        ({"memory_config": {"type": "fancy"}}, "memory_config.type"),
        ({"memory_config": {"params": {"W_recent": 1}}}, "memory_config.params.W_recent"),
        ({"memory_config": {"params": {"W_recency": "1"}}}, "memory_config.params.W_recency"),
        ({"memory_config": {"params": {"W_recency": True}}}, "memory_config.params.W_recency"),
        ({"memory_config": {"params": {"gamma": 1.1}}}, "memory_config.params.gamma"),
        ({"memory_config": {"params": {"recent": 2.5}}}, "memory_config.params.recent"),
        ({"memory_config": {"params": {"max_working": -1}}}, "memory_config.params.max_working"),
        (
            {"memory_config": {"params": {"W_recency": 1, "recency_weight": 1}}},
            "memory_config.params.recency_weight",
        ),
        (
            {"memory_config": {"type": "humancentric", "params": {"ranking_mode": "v9"}}},
            "memory_config.params.ranking_mode",
        ),
        (
            {"memory_config": {"type": "actr", "params": {"ranking_mode": "basic"}}},
            "memory_config.params.ranking_mode",
        ),
        ({"emotion_keywords": {"flood": 1.5}}, "emotion_keywords.flood"),
        ({"emotion_keywords": {" ": 1}}, "emotion_keywords"),
        ({"source_patterns": {"he said <b>": 2}}, "source_patterns.…"),
        ({"agent_types": {"a": {"agents": []}}}, "agent_types.a.agents"),
        ({"agent_types": {"a": {"agents": "b"}}}, "agent_types.a.agents"),
        (
            {"agent_types": {"a": {"memory_config": {"params": {"max_working": 3}}}}},
            "agent_types.a.memory_config.params.max_working",
        ),
        ({"agent_types": {7: {}}}, "agent_types.…"),
    ],
)
def test_what_cannot_be_used_is_told_by_its_place(data: Any, place: str) -> None:
    with pytest.raises(EngineFileError) as caught:
        read_engines(data)
    assert caught.value.field == place
    assert str(caught.value).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (SOURCE.replace("W_context: 0.2", "W_context: high"), 8, "must be in"),
        (SOURCE.replace("W_context", "W_recency"), 8, "said twice"),
        (SOURCE.replace('type: "humancentric"', "type: humancentric2"), 3, "must be one of"),
        (TYPES.replace("Flood: 1.0", "Flood: 3"), 10, "weight in"),
        (TYPES.replace("  insurer:", "  insurer: &x"), 0, ""),
        (TYPES + "emotions: {}\n", 15, "not known"),
        (f"{SOURCE}    surprise_strategy: EMA\n", 16, "/v1/arousal/plugin"),
        ("memory_config: [", 1, "no YAML"),
        ("a: 1\nb: [1, 2\nc: 3\n", 3, "no YAML"),
        ("", 1, "must be an object"),
        ("just words", 1, "must be an object"),
        ("agent_types:\n  a: &x {}\n  b: *x\n", 2, "references"),
        ("a: !!python/object/apply:os.system [x]\n", 1, "plain"),
        ("agent_types:\n  3: {}\n", 2, "must be text"),
        ("agent_types:\n  a: !thing 3\n", 2, "plain"),
        ("[" * 3000, 1, "no YAML"),
        ("memory_config:\n  params: {}\n---\na: 1\n", 3, "no YAML"),
        ("memory_config:\n\tparams: {}\n", 2, "no YAML"),
        ("a: \x00\n", 1, "no YAML"),
    ],
)
def test_what_cannot_be_used_of_a_file_is_told_by_its_line(text: str, line: int, told: str) -> None:
    if not line:
        read_yaml(text)
        return
    with pytest.raises(InvalidInputError) as caught:
        read_yaml(text)
    assert str(caught.value).startswith(f"yaml: line {line}: "), caught.value
    assert told in str(caught.value)
