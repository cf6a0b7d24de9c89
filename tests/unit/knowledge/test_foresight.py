"""Risk of a call: what the call is, before where it stands in its task."""

from __future__ import annotations

from itertools import cycle

from graph.knowledge.foresight import Foresight, Situation, learn
from graph.model.knowledge.executions import Step
from tests.store.knowing import shipped, step

FACILITIES = ("HAN", "DAD", "SGN", "HPH", "VCA", "CXR", "PQC", "HUI")


def ship(units: str, error: str = "", facility: str = "DAD") -> Step:
    return step("create_shipment", error, facility=facility, units=units)


def risk(model: Foresight, call: Step, *made: Step) -> float:
    found = model.risk(Situation(made), call)
    assert found is not None
    return found


def test_a_value_that_always_worked_is_safe_though_it_only_came_after_a_failure() -> None:
    model = learn([shipped(name, name).steps for name in FACILITIES])
    assert risk(model, ship("metric")) < 0.1
    assert risk(model, ship("metric", facility="NEW"), step("list_facilities")) < 0.1
    assert risk(model, ship("imperial"), step("list_facilities")) > 0.7
    failed = ship("imperial", "units imperial are not supported")
    assert risk(model, ship("imperial"), step("list_facilities"), failed) > 0.7


def test_the_last_of_several_values_that_were_tried_in_turn_is_safe() -> None:
    runs = [
        [step("convert", "bad", form="a"), step("convert", "bad", form="b"), step("convert", form="c")]
        for _ in range(10)
    ]  # fmt: skip
    model = learn(runs)
    assert risk(model, step("convert", form="c")) < 0.2
    assert risk(model, step("convert", form="b")) > 0.7


def test_a_tool_that_fails_first_whatever_its_values_is_risky_first() -> None:
    runs = [
        [step("deploy", "not warm", zone=zone, size=size), step("deploy", zone=zone, size=size)]
        for zone, size in zip(cycle("ab"), range(16), strict=False)
    ]
    model = learn(runs)
    first = step("deploy", "not warm", zone="a", size=3)
    assert risk(model, first) > 0.7
    assert risk(model, step("deploy", zone="a", size=3), first) < 0.1


def test_the_tool_before_tells_more_than_failures_before() -> None:
    runs = [
        [
            step("browse"),
            step("pay", "not logged in", card=card),
            step("login"),
            step("pay", card=card),
        ]
        for card, _ in zip(cycle("xyz"), range(12), strict=False)
    ]
    model = learn(runs)
    straight = risk(model, step("pay", card="x"), step("browse"))
    assert straight > 0.7
    assert risk(model, step("pay", card="x"), step("login")) < straight - 0.2
