"""Tool calls in advance: what earlier calls tell of contexts, values and the tool, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graph.kernel.scope import Caller
from graph.model.knowledge.executions import Step
from service.bootstrap import Service
from service.use_cases.knowledge.tool_calls import CheckedCall
from tests.store.knowing import CONTEXT, ran, step

ANNA = Caller("local", "anna")


def failing(times: int, tool: str, context: str = "", **parameters: Any) -> list[Step]:
    """Return calls that failed."""
    return [replace(step(tool, "it broke", **parameters), context=context)] * times


def working(times: int, tool: str, context: str = "", **parameters: Any) -> list[Step]:
    """Return calls that worked."""
    return [replace(step(tool, **parameters), context=context)] * times


async def made(service: Service, *calls: list[Step]) -> None:
    """Report each call as a task."""
    now = service.clock.now()
    steps = [each for some in calls for each in some]
    reports = [ran(f"t{n}", each, ok=each.ok, occurred_at=now) for n, each in enumerate(steps)]
    await service.observe_executions(ANNA, reports)


async def checked(service: Service, tool: str, context: str = "", **parameters: Any) -> CheckedCall:
    call = Step(tool, parameters, context=context)
    return await service.check_tool_call(ANNA, call, (), {})


async def test_a_check_counts_the_calls_of_its_context(service: Service) -> None:
    await made(
        service,
        failing(6, "dispatch", "night", crew="A"),
        working(6, "dispatch", "day", crew="A"),
    )
    night = await checked(service, "dispatch", "night", crew="A")
    assert (night.verdict, night.risk) == ("stop", 1.0)
    assert night.warnings[0].message == "failed in 6 of 6 calls in night, in 0 of 6 elsewhere"
    day = await checked(service, "dispatch", "day", crew="A")
    assert (day.verdict, day.warnings) == ("ok", ())
    anywhere = await checked(service, "dispatch", crew="A")
    assert (anywhere.verdict, anywhere.usual_risk) == ("caution", 0.5)


async def test_a_model_knows_the_context(service: Service) -> None:
    await made(
        service,
        failing(16, "dispatch", "night", crew="A"),
        working(16, "dispatch", "day", crew="A"),
    )
    await service.learn(ANNA, ("tools",), None)
    assert (await checked(service, "dispatch", "night", crew="A")).verdict == "stop"
    day = await checked(service, "dispatch", "day", crew="A")
    assert (day.verdict, day.warnings) == ("ok", ())
    assert day.risk < 0.2


async def test_one_value_tells_nothing_about_values_written_alike(service: Service) -> None:
    await made(
        service,
        failing(4, "dispatch", trade="leak"),
        working(4, "dispatch", trade="excavation"),
        *(failing(1, "book", room=room) for room in ("A1", "B2", "C3")),
        working(3, "book", room="A-1"),
    )
    pump = await checked(service, "dispatch", trade="pump")
    assert (pump.verdict, pump.risk) == ("caution", 0.5)
    room = await checked(service, "book", room="D4")
    assert room.verdict == "stop"
    assert room.warnings[0].message == "room=D4 is written like values that all failed (3)"


async def test_a_number_beyond_those_that_failed_is_risky(service: Service) -> None:
    await made(
        service,
        *(failing(3, "set_pressure", bar=bar) for bar in (7, 8, 9, 10)),
        *(working(3, "set_pressure", bar=bar) for bar in (3, 4, 5, 6)),
    )
    for bar in (25, 8.5):
        found = await checked(service, "set_pressure", bar=bar)
        assert found.verdict == "stop"
        told = f"bar={bar} lies at or beyond 7 to 10, which all failed (12)"
        assert told in [each.message for each in found.warnings]
    # between the two, or beyond those that worked, nothing is sure
    for bar in (6.5, 2):
        found = await checked(service, "set_pressure", bar=bar)
        assert (found.verdict, found.risk) == ("caution", 0.5)


async def test_a_tool_that_always_failed_is_stopped(service: Service) -> None:
    await made(service, failing(5, "open_drain"), *(failing(1, "ask", ward=n) for n in range(5)))
    found = await checked(service, "open_drain")
    assert (found.verdict, found.risk) == ("stop", 1.0)
    [warning] = found.warnings
    assert warning.message == "“it broke” in 5 of 5 calls"
    assert (warning.failed, warning.tried) == (5, 5)
    assert (await checked(service, "ask", ward=9)).verdict == "stop"


async def test_a_tool_that_failed_with_different_errors_is_stopped(service: Service) -> None:
    errors = ("too hot", "too cold", "no power", "jammed", "")
    await made(service, [replace(step("mill", "-"), error=each) for each in errors])
    found = await checked(service, "mill")
    assert found.verdict == "stop"
    assert found.warnings[0].message == "failed in 5 of 5 calls"
    assert len(found.warnings) == 3


async def test_the_failures_with_one_value_stop_no_other(service: Service) -> None:
    await made(service, failing(5, "open_drain", basin="A"))
    assert (await checked(service, "open_drain", basin="A")).verdict == "stop"
    other = await checked(service, "open_drain", basin="B")
    assert (other.verdict, other.warnings[0].failed) == ("caution", 5)


async def test_a_value_that_another_explains_as_well_is_no_certain_stop(service: Service) -> None:
    await made(
        service,
        failing(4, "sample", method="strip", ml=100),
        working(4, "sample", method="DPD", ml=250),
    )
    found = await checked(service, "sample", method="DPD", ml=100)
    assert (found.verdict, found.risk) == ("caution", 0.5)
    told = "ml=100 failed in 4 of 4 calls, perhaps for method=strip; what worked: ml=250"
    assert found.warnings[0].message == told
    assert (await checked(service, "sample", method="strip", ml=100)).verdict == "stop"


async def test_of_an_unknown_tool_is_said_that_nothing_is_known(service: Service) -> None:
    await made(service, working(3, "close_valve"))
    found = await checked(service, "closevalve")
    assert (found.verdict, found.risk) == ("ok", 0.0)
    assert [each.message for each in found.warnings] == ["nothing is known of closevalve yet"]


async def test_a_tool_whose_tasks_failed_is_recommended_last(service: Service) -> None:
    now = service.clock.now()
    rows = [
        ran(f"{tool}{n}", step(tool), ok=tool == "step_test", occurred_at=now)
        for tool in ("night_flow", "step_test")
        for n in range(8)
    ]
    await service.observe_executions(ANNA, rows)
    tools = ("night_flow", "step_test")
    for seed in (None, 7):
        good, bad = await service.recommend_tool(ANNA, CONTEXT, "", tools, 5, seed)
        assert (good.tool, good.why) == ("step_test", "8 of 8 calls completed here")
        assert bad.why == "8 of 8 calls completed here; 0 of 8 tasks succeeded"
        assert bad.score < good.score / 3
        assert bad.success_rate == good.success_rate


async def test_the_counts_of_two_scopes_are_summed_once(service: Service) -> None:
    calls = [*failing(3, "ship", units="imperial"), *working(3, "ship", units="metric")]
    for kind in (None, "shared"):
        await service.observe_executions(
            ANNA, [ran(f"t{place}", each) for place, each in enumerate(calls)], kind
        )
    found = await checked(service, "ship", units="imperial")
    assert (found.warnings[0].failed, found.warnings[0].tried) == (6, 6)
