"""An export shows everything of its reach, in an order that imports, and can go on after a break."""

from __future__ import annotations

import base64
import json
from collections import Counter
from typing import Any

import httpx
import numpy as np
import pytest

from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Subject
from graph.model.memories.memory import NewMemory
from graph.model.transfer.records import RECORD_TYPES
from service.bootstrap import Service
from service.use_cases.transfer import export as use_case
from stratagraph import wire
from tests.conftest import Run
from tests.doors.cycled import go_round
from tests.doors.filled import fill
from tests.doors.learned import learn_all

MODELS: dict[str, type[wire.Line] | type[wire.MemoryLine]] = {
    "header": wire.HeaderLine,
    "position": wire.PositionLine,
    "footer": wire.FooterLine,
    "scope": wire.ScopeLine,
    "membership": wire.MembershipLine,
    "relationship": wire.RelationshipLine,
    "plugin": wire.PluginLine,
    "expectation": wire.ExpectationLine,
    "session": wire.SessionLine,
    "memory": wire.MemoryLine,
    "version": wire.VersionLine,
    "edge": wire.EdgeLine,
    "vote": wire.VoteLine,
    "task": wire.TaskLine,
    "retrieval": wire.RetrievalLine,
    "reward": wire.RewardLine,
    "rewarded": wire.RewardedLine,
    "estimate": wire.EstimateLine,
    "credit": wire.CreditLine,
    "cycle": wire.CycleLine,
    "visit": wire.VisitLine,
    "step": wire.StepLine,
    "patch": wire.PatchLine,
}


async def export(client: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get("/v1/export", params=query if query else {"scope": "tenant"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def of(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


async def vote_in_a_channel(client: httpx.AsyncClient) -> None:
    """Let one agent vote on what another says in a channel."""
    said = {
        "agent_id": "anna",
        "channel_ids": ["team"],
        "scope_kind": "channel",
        "text": "We ship.",
    }
    uid = (await client.post("/v1/memories", json=said)).json()["uid"]
    voted = {"agent_id": "bert", "channel_ids": ["team"], "agrees": True}
    answer = await client.post(f"/v1/memories/{uid}/vote", json=voted)
    assert answer.status_code == 200, answer.text


async def test_every_line_is_of_its_model_and_has_no_unknown_field(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    await go_round(client, service)
    learn_all(cypher)
    await vote_in_a_channel(client)
    lines = await export(client, scope="tenant", vectors=True)
    assert {line["type"] for line in lines} == {"header", "position", "footer", *RECORD_TYPES}
    for line in lines:
        model = MODELS[line["type"]]
        model.model_validate(line, by_alias=True, by_name=False)
        known = {info.alias or name for name, info in model.model_fields.items()}
        assert set(line) <= known, line


async def test_what_a_line_names_stands_before_it(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service, agents=("anna", "bert"))
    await go_round(client, service)
    learn_all(cypher)
    await vote_in_a_channel(client)
    lines = await export(client)
    kinds = [line["type"] for line in lines if line["type"] != "position"]
    assert list(dict.fromkeys(kinds)) == ["header", *RECORD_TYPES, "footer"]
    assert lines[-1]["counts"] == Counter(kinds[1:-1])


async def test_an_agent_exports_what_it_reads(client: httpx.AsyncClient, service: Service) -> None:
    await fill(client, service, agents=("anna", "bert"))
    lines = await export(client, agent_id="anna")
    assert {line["scope"] for line in lines if "scope" in line} == {"agent/anna"}
    assert lines[0]["covers"] == ["agent/anna", "shared"]
    assert lines[0]["memories"] == len(of(lines, "memory")) == 7
    assert "bert" not in json.dumps(lines)
    everything = await export(client)
    assert len(of(everything, "memory")) == 14
    assert everything[0]["memories"] == 14
    assert everything[0]["covers"] == "tenant"


async def test_vectors_come_when_asked_for_and_where_no_text_gives_them(
    client: httpx.AsyncClient, service: Service
) -> None:
    await fill(client, service)
    plain, full = await export(client), await export(client, scope="tenant", vectors=True)
    assert [m["content_type"] for m in of(plain, "memory") if "embedding" in m] == ["embedding"]
    for memory in of(full, "memory"):
        vector = np.frombuffer(base64.b64decode(memory["embedding"]), dtype="<f4")
        assert vector.shape == (384,)
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6


async def test_an_export_goes_on_behind_every_position(
    client: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(client, service, agents=("anna", "bert", "cleo"))
    monkeypatch.setattr(use_case, "PAGE", 2)
    whole = await export(client)
    assert len(of(whole, "position")) > 20
    for index, line in enumerate(whole):
        if line["type"] == "position":
            rest = await export(client, scope="tenant", after=line["after"])
            assert rest == whole[index + 1 :]


async def test_hidden_memories_and_other_tenants_are_not_shown(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    cypher("MATCH (m:Memory {external_id: 'café'}) SET m.state = 'hidden'")
    lines = await export(client)
    assert len(of(lines, "memory")) == lines[0]["memories"] == 6
    assert not of(lines, "version")
    assert not of(lines, "edge")
    assert len(of(lines, "retrieval")) == len(of(lines, "rewarded")) * 2
    cypher("MATCH (n) WHERE n.tenant = 'local' SET n.tenant = 'acme'")
    lines = await export(client)
    assert [line["type"] for line in lines if line["type"] != "position"] == ["header", "footer"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "agent_id"),
        ({"scope": "tenant", "agent_id": "anna"}, "scope"),
        ({"scope": "world"}, "scope"),
        ({"scope": "tenant", "after": "?"}, "after"),
        ({"scope": "tenant", "after": "é"}, "after"),
        ({"scope": "tenant", "after": ""}, "after"),
        ({"scope": "tenant", "after": "WzFd"}, "after"),
        ({"scope": "tenant", "after": "W10"}, "after"),
        ({"scope": "tenant", "after": base64.b64encode(b'["edges",["a","b"],{}]').decode()}, "after"),
        ({"scope": "tenant", "after": base64.b64encode(b'["edges",[1],{}]').decode()}, "after"),
        ({"scope": "tenant", "after": base64.b64encode(b'["edges",[],{"a":"b"}]').decode()}, "after"),
        ({"scope": "tenant", "after": base64.b64encode(b'["edges",[],[]]').decode()}, "after"),
    ],
)  # fmt: skip
async def test_a_question_that_makes_no_sense_is_refused(
    client: httpx.AsyncClient, query: dict[str, str], field: str
) -> None:
    answer = await client.get("/v1/export", params=query)
    assert answer.status_code == 422, answer.text
    assert [fault["field"] for fault in answer.json()["errors"]] == [field]


async def test_a_reason_goes_with_the_memory_that_is_being_erased(
    client: httpx.AsyncClient, service: Service
) -> None:
    anna = Caller("local", "anna")
    saved = await service.remember([NewMemory(anna.home, text) for text in ("goes", "stays")])
    for answer in saved:
        await service.inject_reward(anna, answer.uid or "", 0.5, reason=f"of {answer.uid}")
    told = [line["reason"] for line in of(await export(client), "reward")]
    assert sorted(told) == sorted(f"of {answer.uid}" for answer in saved)
    store, now = service.erase.store, service.clock.now()
    await store.begin("run", Subject("memory", anna.home, saved[0].uid or ""), now)
    await store.step("run", now, 1000, None)
    told = [line["reason"] for line in of(await export(client), "reward") if "reason" in line]
    assert told == [f"of {saved[1].uid}"]
