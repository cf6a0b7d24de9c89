"""The table of operations: each has a route, a method in both clients, a page and examples that fit."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from stratagraph import AsyncClient, Client, UsageError, wire
from stratagraph.call import Caller
from stratagraph.operations.declaration import Operation
from stratagraph.operations.table import OPERATIONS
from tests.unit.project.test_docs import read, routes

METHODS = sorted(name for name in dir(Client) if not name.startswith("_"))
# They write a stream by hand, or belong to no client.
WITHOUT_METHOD = {"repair_graph": "check_graph"}


def place(operation: Operation[Any]) -> str:
    return f"{operation.method} {operation.path.replace(':path', '')}"


def test_every_route_is_an_operation_and_every_operation_a_route() -> None:
    assert {place(each) for each in OPERATIONS.values()} == set(routes())


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda each: each.name)
def test_an_operation_is_documented_and_called(operation: Operation[Any]) -> None:
    assert operation.path.replace(":path", "") in read("docs/routes.md")
    method = WITHOUT_METHOD.get(operation.name, operation.name)
    if method != "metrics":
        assert inspect.getdoc(getattr(Client, method)) == inspect.getdoc(
            getattr(AsyncClient, method)
        )


@pytest.mark.parametrize(
    ("operation", "title"),
    [(each, title) for each in OPERATIONS.values() for title in each.examples],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_an_example_is_a_request(operation: Operation[Any], title: str) -> None:
    _, body = operation.examples[title]
    models = operation.bodies or ((operation.takes,) if operation.takes else ())
    faults: list[str] = []
    for model in models:
        try:
            model.model_validate(body)
        except ValueError as error:
            faults.append(str(error))
    assert len(faults) < len(models), faults


@pytest.mark.parametrize("name", METHODS)
def test_both_clients_take_the_same_arguments(name: str) -> None:
    blocking, waiting = getattr(Client, name), getattr(AsyncClient, name)
    if not inspect.isfunction(blocking):
        return
    taken, given = inspect.signature(waiting), inspect.signature(blocking)
    assert taken.parameters == given.parameters
    assert taken.return_annotation.removeprefix("Async") == given.return_annotation
    assert inspect.getdoc(blocking)


def test_both_clients_have_the_same_methods() -> None:
    assert sorted(name for name in dir(AsyncClient) if not name.startswith("_")) == METHODS


def test_a_request_holds_what_is_given_by_the_names_of_the_service() -> None:
    call = OPERATIONS["recall"].call(
        Caller("anna"),
        {
            "text": "x",
            "utility_weight": 0.5,
            "k": None,
            "filters": wire.FiltersRequest(kinds=("insight",)),
            "context": {"domain": "ci", "tags": None},
            "agent_id": "bert",
        },
    )
    assert (call.method, call.path, dict(call.query)) == ("POST", "/v1/recall", {})
    assert call.body is not None
    assert wire.RecallRequest.model_validate_json(call.body) == wire.RecallRequest(
        agent_id="bert",
        text="x",
        filters=wire.FiltersRequest(kinds=("insight",)),
        context=wire.ContextRequest(domain="ci"),
        **{"lambda": 0.5},  # pyright: ignore[reportArgumentType] -- no name of Python
    )


def test_one_channel_and_one_user_may_be_named_as_one() -> None:
    with Client("http://127.0.0.1:9", channel_id="team", user_id="ada") as client:
        assert client.caller == Caller(None, ("team",), ("ada",))
        asked = OPERATIONS["join_channels"].call(client.caller, {"channel_id": "other"})
        assert json.loads(asked.body or b"")["channel_ids"] == ["other"]
    with pytest.raises(UsageError, match="channel_id or channel_ids"):
        Client("http://127.0.0.1:9", channel_id="team", channel_ids=["team"])


def test_a_name_is_one_step_of_a_path() -> None:
    call = OPERATIONS["report_outcome"].call(
        Caller("a"), {"task_id": "a/../b", "status": "failure"}
    )
    assert call.path == "/v1/tasks/a%2F..%2Fb/outcome"


def test_what_must_be_said_may_be_null() -> None:
    call = OPERATIONS["predict"].call(Caller("a"), {"expected": None, "context": None})
    assert json.loads(call.body or b"")["expected"] is None
    assert b"context" not in (call.body or b"")
    reset = OPERATIONS["change_utility_config"].call(Caller("a"), {"exploration": None})
    assert json.loads(reset.body or b"")["exploration"] is None


def test_shares_are_a_mapping_or_a_list() -> None:
    one = wire.OutcomeRequest(agent_id="a", status="success", used={"x": 0.5})  # pyright: ignore[reportArgumentType] -- as sent
    assert [(used.name, used.share) for used in one.used or ()] == [("x", 0.5)]
