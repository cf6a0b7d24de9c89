"""`/v1/utility/config` over HTTP, from the client and from the command line."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from graph.database.driver import Connection
from graph.kernel.scope import Caller
from graph.model.utility.config import UTILITY_SETTINGS
from graph.model.utility.configs import ConfigInForce, ValueInForce
from service.bootstrap import Service
from service.cli.doctor import examine
from service.http.utility.config import config_answer
from service.settings import load_settings
from stratagraph import AsyncClient, InvalidRequestError, wire
from stratagraph.errors import StratagraphError, UsageError
from tests.doors.operation.test_command_line import run
from tests.doors.operation.test_serve import command
from tests.served import served

PATH = "/v1/utility/config"
ANNA = {"agent_id": "anna"}


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def left_as_it_was(service: Service) -> AsyncGenerator[None]:
    yield
    await service.change_config.reset(Caller("local", "anna"))


async def test_set_show_take_back_and_who_did(client: httpx.AsyncClient) -> None:
    before = (await client.get(PATH)).json()
    assert before["version"] == 0
    assert tuple(before["values"]) == tuple(UTILITY_SETTINGS)
    answer = await client.patch(PATH, json=ANNA | {"learning_rate": 0.2, "exploration": "ucb"})
    assert answer.status_code == 200, answer.text
    shown = (await client.get(PATH)).json()
    assert shown == answer.json()
    assert shown["values"]["learning_rate"] == {
        "value": 0.2,
        "source": "runtime",
        "variable": "STRATAGRAPH_LEARNING_RATE",
    }
    answer = await client.patch(PATH, json=ANNA | {"learning_rate": None})
    assert answer.json()["values"]["learning_rate"] == before["values"]["learning_rate"]
    assert answer.json()["values"]["exploration"]["value"] == "ucb"
    answer = await client.delete(PATH, params=ANNA)
    assert answer.json()["values"] == before["values"]
    told = (await client.get("/metrics")).text
    counted = [line for line in told.splitlines() if "config_changes_total " in line]
    assert float(counted[-1].split()[1]) >= 4
    page = (await client.get(f"{PATH}/changes", params={"limit": 2})).json()
    assert [(c["name"], c["old"], c["new"]) for c in page["items"]] == [
        ("exploration", "ucb", None),
        ("learning_rate", 0.2, None),
    ]
    rest = await client.get(f"{PATH}/changes", params={"cursor": page["next_cursor"]})
    assert {c["actor"] for c in rest.json()["items"]} == {"agent/anna"}
    assert rest.json()["next_cursor"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"learning_rate": 0}, "learning_rate"),
        ({"learning_rate": "0.5"}, "learning_rate"),
        ({"learning_rate": True}, "learning_rate"),
        ({"exploration": "greedy"}, "exploration"),
        ({"track_memory_usage": "yes"}, "track_memory_usage"),
        ({"q_history_limit": 10_001}, "q_history_limit"),
        ({"q_history_limit": 2.5}, "q_history_limit"),
        ({"lerning_rate": 0.2}, "lerning_rate"),
    ],
)
async def test_a_wrong_value_is_told_by_its_name(
    client: httpx.AsyncClient, body: dict[str, object], field: str
) -> None:
    answer = await client.patch(PATH, json=ANNA | body)
    assert answer.status_code == 422
    [fault] = answer.json()["errors"]
    assert fault["field"] == field
    assert (await client.get(PATH)).json()["version"] == 0


async def test_whoever_changes_something_says_who_it_is(client: httpx.AsyncClient) -> None:
    for answer in (
        await client.patch(PATH, json={"learning_rate": 0.2}),
        await client.delete(PATH),
        await client.get(f"{PATH}/changes", params={"limit": 0}),
        await client.get(f"{PATH}/changes", params={"limti": 1}),
    ):
        assert answer.status_code == 422, answer.text


def test_a_limit_without_end_is_shown_as_the_environment_writes_it() -> None:
    held = {"z_limit": ValueInForce(math.inf, "environment", "STRATAGRAPH_Z_LIMIT")}
    answer = config_answer(ConfigInForce(0, None, held))
    assert b'"value":"inf"' in answer.body


@pytest.mark.parametrize("name", [s.name for s in UTILITY_SETTINGS.values() if s.range])
def test_a_number_has_the_same_range_over_http(name: str) -> None:
    given = UTILITY_SETTINGS[name].range
    assert given is not None
    low, high, above = given
    said = wire.UtilityConfigRequest.model_json_schema()["properties"][name]["anyOf"][0]
    assert said["exclusiveMinimum" if above else "minimum"] == low
    assert said.get("maximum", math.inf) == high


def test_every_value_can_be_set_over_http() -> None:
    assert set(wire.UtilityConfigRequest.model_fields) - set(wire.Identity.model_fields) == set(
        UTILITY_SETTINGS
    )


async def test_the_client_sets_and_takes_back(service: Service) -> None:
    async with served(service) as url, AsyncClient(url, agent_id="anna") as client:
        view = await client.change_utility_config(q_default=0.4, exploration="thompson")
        assert view == await client.utility_config()
        view = await client.change_utility_config(q_default=None)
        assert view.values["q_default"].source == "default"
        assert (await client.reset_utility_config()).values["exploration"].value == "none"
        page = await client.utility_config_changes(limit=1)
        assert [change.name for change in page.items] == ["exploration"]
        following = await client.utility_config_changes(cursor=page.next_cursor)
        assert len(following.items) == 3
        with pytest.raises(InvalidRequestError, match="q_default"):
            await client.change_utility_config(q_default=4)


def test_a_wrong_value_stops_the_start_and_is_told(tmp_path: Path) -> None:
    told = command(tmp_path, "serve", QVALUE_LEARNING_RATE="1.5", STRATAGRAPH_REWARD_SCALE="metric")
    assert told.returncode == 1
    assert "QVALUE_LEARNING_RATE=1.5: must lie in (0, 1]" in told.stderr
    assert "STRATAGRAPH_REWARD_SCALE=metric: must be one of unit, signed" in told.stderr
    assert "Traceback" not in told.stderr


async def test_doctor_says_which_value_is_in_force(
    service: Service, connection: Connection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "STRATAGRAPH_HOME": str(tmp_path),
        "NEO4J_URI": connection.uri,
        "NEO4J_PASSWORD": connection.password,
        "RETRIEVAL_LAMBDA_DEFAULT": "0.4",
        "STRATAGRAPH_CREDIT_DAMPING": "0.25",
    }.items():
        monkeypatch.setenv(name, value)
    anna = Caller("local", "anna")
    await service.change_config(anna, {"utility_weight_default": 0.6, "exploration": "ucb"})
    settings = load_settings()
    found = await asyncio.to_thread(lambda: list(examine(settings)))
    assert [finding.found for finding in found if finding.what == "utility"] == [
        "credit_damping is 0.25 (STRATAGRAPH_CREDIT_DAMPING)",
        "utility_weight_default is 0.4 (RETRIEVAL_LAMBDA_DEFAULT)",
        "utility_weight_default is 0.6 for the tenant local "
        "(set at run time; RETRIEVAL_LAMBDA_DEFAULT is 0.4)",
        "exploration is ucb for the tenant local (set at run time; the default is none)",
        "every other value is the default",
    ]
    await service.change_config.reset(anna)
    monkeypatch.delenv("RETRIEVAL_LAMBDA_DEFAULT")
    monkeypatch.delenv("STRATAGRAPH_CREDIT_DAMPING")
    settings = load_settings()
    found = await asyncio.to_thread(lambda: list(examine(settings)))
    said = [finding.found for finding in found if finding.what == "utility"]
    assert said == ["every value is the default"]


async def test_the_command_line_sets_and_takes_back(service: Service) -> None:
    async with served(service) as url:
        to = ("--url", url)
        said = await run("config", *to)
        assert "learning_rate" in said
        assert "set at run time" not in said
        assert "Nothing was set" in await run("config", "--changes", *to)
        mine = (*to, "--agent", "anna")
        said = await run("config", "learning_rate=0.2", "exploration=ucb", *mine)
        assert "0.2         set at run time" in said
        assert '"ucb"' in said
        await run("config", "learning_rate=", *mine)
        said = await run("config", "--reset", "--json", *mine)
        assert '"runtime"' not in said
        said = await run("config", "--changes", *to)
        assert "agent/anna  learning_rate: 0.1 -> 0.2" in said
        assert "learning_rate: 0.2 -> left to the environment" in said
        for arguments in (
            ("config", "learning_rate", *mine),
            ("config", "learning_rate=0.2", *to),
            ("config", "--reset", "--changes", *mine),
        ):
            with pytest.raises(UsageError):
                await run(*arguments)
        with pytest.raises(StratagraphError, match="learning_rate"):
            await run("config", "learning_rate=fast", *mine)
