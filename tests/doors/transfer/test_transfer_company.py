"""Exports hold who is where and how agents stand to each other, and what was condensed; files of older versions land."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.moving import WIPE, everything, exported, imported, of
from tests.store.reading import assert_whole

TIME = "2026-05-01T09:30:00Z"


async def test_memberships_and_relationships_come_back_each_way(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    for name in ("anna", "bert", "cleo"):
        await service.join_channels(Caller("local", name, ("ops", "dev")))
    await service.record_interaction(Caller("local", "anna"), "bert", 1.0)
    await service.record_interaction(Caller("local", "anna"), "bert", 0.25)
    cypher(
        "MATCH (:Agent {name: 'cleo'})-[m:MEMBER_OF]->({name: 'ops'}) SET m.left_at = datetime()"
    )
    lines = await exported(client)
    told = [(line["scope"], line["channel"]) for line in of(lines, "membership")]
    assert told == [
        *(("agent/anna", f"channel/{name}") for name in ("dev", "ops")),
        *(("agent/bert", f"channel/{name}") for name in ("dev", "ops")),
        ("agent/cleo", "channel/dev"),
    ]
    assert [(line["scope"], line["other"]) for line in of(lines, "relationship")] == [
        ("agent/anna", "agent/bert"), ("agent/bert", "agent/anna"),
    ]  # fmt: skip
    cypher("MATCH (:Agent {name: 'cleo'})-[m:MEMBER_OF]->({name: 'ops'}) DELETE m")
    members = await service.list_members(Caller("local", None, ("ops", "dev")))
    known = await service.list_relationships(Caller("local", "anna"))
    before = everything(cypher)
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert everything(cypher) == before
    assert await service.list_members(Caller("local", None, ("ops", "dev"))) == members
    assert await service.list_relationships(Caller("local", "anna")) == known
    assert (await imported(client, lines))[-1]["counts"]["created"] == 0


async def test_some_scopes_hold_what_is_between_them(
    client: httpx.AsyncClient, service: Service
) -> None:
    await service.join_channels(Caller("local", "anna", ("ops", "dev")))
    await service.join_channels(Caller("local", "bert", ("ops",)))
    await service.record_interaction(Caller("local", "anna"), "bert", 1.0)
    lines = await exported(client, agent_id="anna", channel_ids="ops")
    told = [(line["scope"], line["channel"]) for line in of(lines, "membership")]
    assert told == [("agent/anna", "channel/ops")]
    assert of(lines, "relationship") == []


async def test_agents_put_into_another_name_keep_their_company(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await service.join_channels(Caller("local", "anna", ("ops",)))
    await service.record_interaction(Caller("local", "anna"), "bert", 1.0)
    lines = await exported(client)
    cypher(WIPE)
    await imported(client, lines, agent_map="bert=dora")
    rows = cypher(
        "MATCH (a)-[r:RELATES_TO]->(b) RETURN a.name AS one, b.name AS other ORDER BY one"
    )
    assert rows == [{"one": "anna", "other": "dora"}, {"one": "dora", "other": "anna"}]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"type": "membership", "scope": "channel/a", "channel": "channel/ops", "joined_at": TIME}, "scope"),
        ({"type": "membership", "scope": "agent/a", "channel": "agent/b", "joined_at": TIME}, "channel"),
        ({"type": "membership", "scope": "agent/a", "channel": "channel/ops", "joined_at": TIME}, "scope"),
        ({"type": "relationship", "scope": "agent/a", "other": "user/b", "trust": 0.5, "interactions": 1,
          "last_at": TIME}, "other"),
        ({"type": "relationship", "scope": "agent/a", "other": "agent/b", "trust": 1.5, "interactions": 1,
          "last_at": TIME}, "trust"),
    ],
)  # fmt: skip
async def test_company_of_nobody_is_refused(
    client: httpx.AsyncClient, service: Service, cypher: Run, line: dict[str, Any], field: str
) -> None:
    answer = await imported(client, [line])
    assert [report["field"] for report in of(answer, "rejected")] == [field]
    assert cypher("MATCH (s:Scope) RETURN s") == []


async def test_what_was_condensed_comes_back_behind_what_it_was_condensed_to(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    anna = Caller("local", "anna")
    said = ("Ada asked for the report of 3 May.", "The report of 3 May was sent to Ada.")
    await service.remember(
        [NewMemory("local/agent/anna", text, agent_id="anna", session_id="s", stratum="episodic")
         for text in said]
    )  # fmt: skip
    done = await service.consolidate(anna, dry_run=False, everything=True)
    assert done.run is not None
    # What stood beside them is told of archived memories no more, once these are imported.
    cypher("MATCH (m:Memory {state: 'archived'}) SET m.context_text = m.text")
    before, lines = everything(cypher), await exported(client)
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    after = everything(cypher)
    kept = {line for line in before if '"Cluster"' not in line}
    assert (kept - {*after}, {*after} - kept) == (set(), set())
    [made] = cypher("MATCH (m:Memory {state: 'active'}) RETURN m.uid AS uid")
    [source] = cypher("MATCH (m:Memory {stood_at: 1}) RETURN m.uid AS uid")
    await service.delete_memory(anna, source["uid"])
    rows = cypher("MATCH (m:Memory) RETURN m.text AS text, m.sequence AS place, m.state AS state")
    assert rows == [{"text": said[0], "place": 0, "state": "active"}]
    assert made["uid"] not in {row["text"] for row in rows}


async def test_a_file_of_an_older_version_lands(client: httpx.AsyncClient, cypher: Run) -> None:
    rows = [{"text": f"turn {n}", "session_id": "s"} for n in range(3)]
    await client.post("/v1/memories", json={"memories": rows, "agent_id": "anna"})
    lines = await exported(client)
    lines[0]["version"] = "1.1"
    for line in of(lines, "session"):
        del line["last_sequence"]
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert cypher("MATCH (s:Session) RETURN s.last_sequence AS n") == [{"n": 2}]
    assert_whole(cypher, "local/agent/anna", "s")
