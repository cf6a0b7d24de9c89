from __future__ import annotations

import inspect
from datetime import UTC, datetime

import pytest
from pydantic import BaseModel, ValidationError

from graph.kernel.values import MAX_HOPS, MAX_RESULTS, MAX_TEXT_BYTES
from stratagraph import wire
from stratagraph.wire.cycles import records as cycle_records
from stratagraph.wire.strata import plugin_records
from stratagraph.wire.transfer import models as transfer_models
from stratagraph.wire.transfer import records
from stratagraph.wire.utility import events, reward_records

MODELS = [
    kind
    for _, kind in inspect.getmembers(wire, inspect.isclass)
    if issubclass(kind, BaseModel) and kind.__module__.startswith(wire.__name__)
]


# Models of lines and events, which the description of the API does not show.
LINES = (
    transfer_models,
    records,
    reward_records,
    cycle_records,
    plugin_records,
    events,
)


@pytest.mark.parametrize("kind", MODELS)
def test_every_field_has_a_description_and_an_example(kind: type[BaseModel]) -> None:
    is_line = kind.__module__ in {module.__name__ for module in LINES}
    for name, field in kind.model_fields.items():
        assert field.description or (is_line and name == "type"), name
        assert field.examples or is_line, name


def test_the_wire_and_the_model_have_the_same_limits() -> None:
    assert wire.MAX_TEXT_BYTES == MAX_TEXT_BYTES
    schema = wire.RecallRequest.model_json_schema()["properties"]
    assert schema["k"]["anyOf"][0]["maximum"] == MAX_RESULTS
    assert schema["hops"]["anyOf"][0]["maximum"] == MAX_HOPS


def test_phases_go_by_their_short_names_too() -> None:
    for alias, phase in wire.PHASE_ALIASES.items():
        assert wire.MemoryRequest.model_validate({"text": "x", "phase": alias}).phase == phase


def test_times_become_utc() -> None:
    request = wire.MemoryRequest.model_validate(
        {"text": "x", "occurred_at": "2026-05-01T11:30:00+02:00"}
    )
    assert request.occurred_at == datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
    assert request.occurred_at is not None
    assert request.occurred_at.tzinfo is UTC


def test_a_client_may_name_lambda_in_python_and_sends_it_by_its_wire_name() -> None:
    request = wire.RecallRequest(agent_id="a", text="x", utility_weight=0.25)
    assert request.model_dump(by_alias=True, exclude_none=True)["lambda"] == 0.25


@pytest.mark.parametrize(
    "metadata",
    [
        {"x": object()},
        {1: "x"},
        {"x": "\ud800"},
        {"\ud800": "x"},
        {"x": float("nan")},
        {"x": datetime(2026, 5, 1, tzinfo=UTC)},
    ],
)
def test_what_is_no_json_is_no_metadata(metadata: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        wire.MemoryRequest.model_validate({"text": "x", "metadata": metadata})


def test_lone_surrogates_of_a_python_client_are_refused() -> None:
    with pytest.raises(ValidationError):
        wire.MemoryRequest.model_validate({"text": "\ud800"})
