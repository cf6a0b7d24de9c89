"""What is set of strata stands beside what is set of utility: each shows, and takes back, its own."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator

import httpx
import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.model.strata.config import STRATA_SETTINGS
from service.bootstrap import Service
from stratagraph import wire

PATH = "/v1/strata/config"
ANNA = {"agent_id": "anna"}


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def left_as_it_was(service: Service) -> AsyncGenerator[None]:
    yield
    await service.change_config.reset(Caller("local", "anna"))
    await service.change_strata_config.reset(Caller("local", "anna"))


async def test_strata_and_utility_are_set_shown_and_taken_back_apart(
    client: httpx.AsyncClient, service: Service
) -> None:
    answer = await client.patch(PATH, json=ANNA | {"working_capacity": 3, "expired": "archive"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["values"]["working_capacity"] == {
        "value": 3,
        "source": "runtime",
        "variable": "STRATAGRAPH_WORKING_CAPACITY",
    }
    assert tuple(answer.json()["values"]) == tuple(STRATA_SETTINGS)
    await client.patch("/v1/utility/config", json=ANNA | {"learning_rate": 0.3})
    assert service.configs.strata_of("local").terms("working").capacity == 3
    assert service.configs.strata_of("other").terms("working").capacity == 50
    assert (await client.delete("/v1/utility/config", params=ANNA)).status_code == 200
    shown = (await client.get(PATH)).json()["values"]
    assert (shown["working_capacity"]["value"], shown["expired"]["value"]) == (3, "archive")
    told = (await client.get(f"{PATH}/changes")).json()["items"]
    assert {change["name"] for change in told} == {"working_capacity", "expired"}
    told = (await client.get("/v1/utility/config/changes")).json()["items"]
    assert {change["name"] for change in told} == {"learning_rate"}
    await client.delete(PATH, params=ANNA)
    shown = (await client.get(PATH)).json()["values"]
    assert shown["working_capacity"]["source"] == "default"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"working_capacity": -1}, "working_capacity"),
        ({"working_capacity": 2.5}, "working_capacity"),
        ({"expired": "burn"}, "expired"),
        ({"strata": "yes"}, "strata"),
        ({"learning_rate": 0.2}, "learning_rate"),
    ],
)
async def test_a_wrong_value_is_told_by_its_name(
    client: httpx.AsyncClient, body: dict[str, object], field: str
) -> None:
    answer = await client.patch(PATH, json=ANNA | body)
    assert answer.status_code == 422
    assert [fault["field"] for fault in answer.json()["errors"]] == [field]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"demotion_threshold": 0.9}, "demotion_threshold"),
        ({"auto_promotion_threshold": 0.05}, "auto_promotion_threshold"),
        (
            {"auto_promotion_threshold": 0.3, "demotion_threshold": 0.4},
            "auto_promotion_threshold",
        ),
    ],
)
async def test_nothing_can_rise_and_sink_at_once(
    client: httpx.AsyncClient, body: dict[str, object], field: str
) -> None:
    answer = await client.patch(PATH, json=ANNA | body)
    assert answer.status_code == 422, answer.text
    assert [fault["field"] for fault in answer.json()["errors"]] == [field]
    assert "demotion_threshold" in answer.json()["detail"]
    shown = (await client.get(PATH)).json()["values"]
    assert (shown["demotion_threshold"]["value"], shown["auto_promotion_threshold"]["value"]) == (
        0.1,
        0.8,
    )


async def test_both_thresholds_are_raised_together_and_none_is_taken_back_alone(
    client: httpx.AsyncClient,
) -> None:
    both = {"demotion_threshold": 0.9, "auto_promotion_threshold": 0.95}
    assert (await client.patch(PATH, json=ANNA | both)).status_code == 200
    alone = await client.patch(PATH, json=ANNA | {"auto_promotion_threshold": None})
    assert alone.status_code == 422
    assert (await client.patch(PATH, json=ANNA | dict.fromkeys(both))).status_code == 200


@pytest.mark.parametrize("name", [s.name for s in STRATA_SETTINGS.values() if s.range])
def test_a_number_has_the_same_range_over_http(name: str) -> None:
    given = STRATA_SETTINGS[name].range
    assert given is not None
    low, high, above = given
    said = wire.StrataConfigRequest.model_json_schema()["properties"][name]["anyOf"][0]
    assert said["exclusiveMinimum" if above else "minimum"] == low
    assert said.get("maximum", math.inf) == high


def test_every_value_can_be_set_over_http() -> None:
    fields = set(wire.StrataConfigRequest.model_fields) - set(wire.Identity.model_fields)
    assert fields == set(STRATA_SETTINGS)
