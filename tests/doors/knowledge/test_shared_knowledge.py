"""Knowledge given to others: what goes, what stays, how it is merged, and what is left of an erased user."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.cli import app
from service.use_cases.knowledge.share import ExportKnowledge, SharingWish
from stratagraph import Client
from tests.conftest import Run
from tests.doors.knowledge.test_knowledge import ANNA, post, shipment
from tests.served import served

BERT, ADA = {"agent_id": "bert"}, {"user_id": "ada"}
SECRETS = (
    "ticket-", "imperial", "metric", "HAN", "ada", "anna", "midnight", "reason", "plan-secret", "ship the order",
)  # fmt: skip


async def learned(
    client: httpx.AsyncClient, who: dict[str, Any], runs: int, first: int = 0
) -> None:
    rows = [
        shipment(
            f"ticket-{first + i}",
            thought="my reason to ship at midnight",
            plan={"plan_id": "plan-secret", "goal": "ship the order", "steps": ["list_facilities"]},
            session_id="monday",
        )
        for i in range(runs)
    ]
    await post(client, "executions/batch", who | {"executions": rows})


async def exported(client: httpx.AsyncClient, who: dict[str, Any], **wish: Any) -> Any:
    return await post(client, "export", who | wish)


async def imported(client: httpx.AsyncClient, who: dict[str, Any], file: Any) -> Any:
    return await post(client, "import", who | {"file": file})


def told(file: Any) -> Any:
    """Return the counts of a file, without who wrote it."""
    return {name: file[name] for name in ("tools", "contexts", "errors", "parameters", "patterns")}


async def test_what_goes_out_comes_in_as_it_was_and_only_once(client: httpx.AsyncClient) -> None:
    await learned(client, ANNA, 6)
    file = await exported(client, ANNA)
    first = await imported(client, BERT, file)
    entries = sum(len(rows) for rows in told(file).values())
    assert (first["added"], first["changed"], first["left_out"]) == (entries, 0, 0)
    again = await imported(client, BERT, file)
    assert (again["added"], again["changed"], again["unchanged"]) == (0, 0, entries)
    asked = {"query": "Create a shipment for facility SGN", "context": "shipments"}
    ours, theirs = [await post(client, "query", who | asked) for who in (ANNA, BERT)]
    tools = [
        {each["tool_name"]: each["performance"] for each in found["tool_memory"]}
        for found in (ours, theirs)
    ]
    assert tools[0] == tools[1]
    error = theirs["tool_memory"][0]["common_errors"] or theirs["tool_memory"][1]["common_errors"]
    assert error[0]["solutions"] == ["create_shipment with another units"]
    pattern = theirs["patterns"][0]
    assert (pattern["name"], pattern["usage_count"]) == ("create_*_for_facility_*", 6)
    assert pattern["evidence"] == []


async def test_no_text_of_a_task_and_nobody_is_in_a_file(client: httpx.AsyncClient) -> None:
    who = {"agent_id": "anna", "user_ids": ["ada"]}
    await learned(client, who, 6)
    call = {"tool": "mail_ada", "parameters": {"ada": 1}}
    rows = [
        {"task_id": f"mail-{i}", "status": "success", "query": "write to ada", "steps": [call]}
        for i in range(6)
    ]
    await post(client, "executions/batch", who | {"executions": rows})
    file = await exported(client, ANNA)
    text = json.dumps(told(file))
    for secret in SECRETS:
        assert secret not in text, secret
    assert {each["tool"] for each in file["tools"]} == {"create_shipment", "list_facilities"}
    assert [each["pattern"] for each in file["patterns"] if each["pattern_type"] == "query_pattern"] == [
        "create_*_for_facility_*"
    ]  # fmt: skip
    named = await exported(client, ANNA, values_of=["create_shipment.units"])
    [units] = [each for each in named["parameters"] if each["parameter"] == "units"]
    assert units["values"] == {"imperial": [0, 6], "metric": [6, 0]}
    assert "HAN" not in json.dumps(told(named))
    assert file["errors"][0]["error"] == "units * are not supported"
    assert told(await exported(client, ANNA, least=50))["tools"] == []


async def test_evidence_of_several_adds_up_and_a_newer_file_replaces(
    client: httpx.AsyncClient,
) -> None:
    await learned(client, ANNA, 6)
    await learned(client, BERT, 7)
    old = await exported(client, ANNA)
    await learned(client, ANNA, 2, first=20)
    new = await exported(client, ANNA)
    for file, uses in ((old, 13), (new, 15), (new, 15), (old, 13), (new, 15)):
        await imported(client, BERT, file)
        found = await post(client, "query", BERT | {"query": "Create a shipment for facility X1"})
        assert found["patterns"][0]["usage_count"] == uses
        errors = [error for each in found["tool_memory"] for error in each["common_errors"]]
        assert [error["frequency"] for error in errors] == [uses]
    whole = await exported(client, BERT)
    assert max(each["uses"] for each in whole["patterns"]) == 7  # only its own
    back = await imported(client, ANNA, whole)
    assert back["changed"] > 0
    assert told(await exported(client, ANNA)) == told(new)
    gone = await imported(client, BERT, {**new, **{name: [] for name in told(new)}})
    assert gone["removed"] == sum(map(len, told(new).values()))
    assert told(await exported(client, BERT)) == told(whole)


async def test_a_later_observation_is_ones_own_and_the_jobs_keep_parts_apart(
    client: httpx.AsyncClient,
) -> None:
    await learned(client, ANNA, 6)
    file = await exported(client, ANNA)
    await imported(client, BERT, file)
    await learned(client, BERT, 5)
    await post(client, "learn", BERT)
    tools = {each["tool"]: each for each in (await exported(client, BERT))["tools"]}
    assert tools["create_shipment"]["uses"] == 10
    assert tools["create_shipment"]["duration_mean"] == pytest.approx(100.0)
    assert (await imported(client, BERT, file))["unchanged"] == sum(map(len, told(file).values()))


async def test_a_file_of_ones_own_or_one_that_does_not_add_up_is_refused(
    client: httpx.AsyncClient,
) -> None:
    await learned(client, ANNA, 6)
    file = await exported(client, ANNA)
    own = await post(client, "import", ANNA | {"file": file}, 422)
    assert "written by this scope" in json.dumps(own)
    wrong = {**file, "tools": [file["tools"][0] | {"successes": 10**6}]}
    assert "more than uses" in json.dumps(await post(client, "import", BERT | {"file": wrong}, 422))
    await post(client, "export", {}, 422)
    await post(client, "import", {"file": file}, 422)
    several = {"channel_ids": ["a", "b"], "scope_kind": "channel"}
    await post(client, "export", several, 422)


async def test_noise_is_said_drawn_by_a_seed_and_keeps_counts_whole(
    client: httpx.AsyncClient, service: Service
) -> None:
    await learned(client, ANNA, 40)
    caller = Caller("local", "anna")
    base = service.export_knowledge

    def drawn(seed: int) -> ExportKnowledge:
        return ExportKnowledge(
            base.store,
            clock=base.clock,
            identifiers=base.identifiers,
            guard=base.guard,
            draw=lambda: np.random.default_rng(seed),
        )

    wish = SharingWish(named=("create_shipment.units",), epsilon=2.0)
    one, same, other = [await drawn(seed)(caller, wish) for seed in (1, 1, 2)]
    exact = await drawn(1)(caller, SharingWish(named=wish.named))
    assert one == same
    assert one != other
    assert [each.uses for each in one.tools] != [each.uses for each in exact.tools]
    assert one.noise is not None
    assert (one.noise.sensitivity, one.noise.scale) == (14, 7.0)
    for each in (*one.tools, *one.contexts, *one.errors, *one.parameters, *one.patterns):
        assert 0 <= each.successes <= each.uses
        assert (each.timed, each.buckets) == (0, {})
    said = await exported(client, ANNA, epsilon=1.0)
    assert said["noise"] == {
        "mechanism": "discrete_laplace", "epsilon": 1.0, "sensitivity": 14, "scale": 14.0,
    }  # fmt: skip
    await imported(client, BERT, said)
    assert (await imported(client, BERT, said))["changed"] == 0


async def test_an_erased_user_is_in_no_later_file_and_what_others_brought_stays(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await learned(client, ANNA, 6)
    await imported(client, BERT, await exported(client, ANNA))
    row = shipment("of-ada", query="Create a shipment for facility SGN")
    row["steps"][1]["parameters"]["facility"] = "ADASHOUSE"
    await post(client, "executions", {"agent_id": "bert", "user_ids": ["ada"]} | row)
    await imported(client, ADA, await exported(client, ANNA))
    assert (await client.delete("/v1/users/ada")).status_code in {200, 202}
    assert "ADASHOUSE" not in str(cypher("MATCH (n) RETURN properties(n) AS n"))
    assert cypher("MATCH (n:Tool|MemoryPattern) WHERE n.scope = 'local/user/ada' RETURN n") == []
    found = await post(client, "query", BERT | {"query": "Create a shipment for facility X1"})
    assert found["patterns"][0]["usage_count"] >= 6
    errors = [each["common_errors"] for each in found["tool_memory"]]
    assert any(errors)
    file = await exported(client, BERT, least=2)
    assert "ADASHOUSE" not in json.dumps(file)


async def test_the_client_and_the_command_carry_a_file(
    client: httpx.AsyncClient, service: Service, tmp_path: Any
) -> None:
    await learned(client, ANNA, 6)
    path = str(tmp_path / "learned.json")

    def carried(url: str) -> Any:
        run = CliRunner()
        out = run.invoke(app, ["knowledge", "export", path, "--agent", "anna", "--url", url])
        into = run.invoke(
            app, ["knowledge", "import", path, "--agent", "cleo", "--url", url, "--json"]
        )
        missing = run.invoke(app, ["knowledge", "import", f"{path}x", "--agent", "a", "--url", url])
        with Client(url, agent_id="anna") as anna, Client(url, agent_id="dora") as dora:
            taken = dora.import_knowledge(file=anna.export_knowledge())
        return out.output, json.loads(into.output), missing, taken

    async with served(service) as url:
        out, into, missing, taken = await asyncio.to_thread(carried, url)
    assert "entries, each said 5 times or more" in out
    assert into["added"] == taken.added > 0
    assert missing.exit_code != 0
