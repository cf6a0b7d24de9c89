"""What identifies a person is stored by no way in, logged nowhere, and found again by its token."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from graph.ports.world import Embedder
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from tests.conftest import Run
from tests.doors.asking import results_of
from tests.doors.moving import NDJSON, exported, of, written
from tests.swapping import app_for

EMAIL, PHONE, CARD = "anna.schmidt@example.org", "+49 30 12345678", "4539 0089 8232 6972"
SAID = f"Ask {EMAIL} or call {PHONE}; she paid with {CARD}."
MASKED = "Ask <EMAIL> or call <PHONE>; she paid with <CARD>."
SECRET = SecretStr("a secret of the settings")
PARTS = ("schmidt", "30 12345678", "+49301", "8232 6972", "900898232")

Opened = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest.fixture
def opened(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> Opened:
    """Open the service with other settings, on the empty graph."""

    @asynccontextmanager
    async def open_with(**changes: Any) -> AsyncGenerator[httpx.AsyncClient]:
        other = settings.model_copy(update=changes)
        async with open_service(other, connection, embedder) as running:
            transport = httpx.ASGITransport(app=app_for(running), raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1"
            ) as client:
                yield client

    return open_with


def dump(cypher: Run) -> str:
    """Return all that the graph holds, as text."""
    nodes = cypher("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties")
    edges = cypher("MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS properties")
    return json.dumps([nodes, edges], default=str)


def assert_gone(cypher: Run, *parts: str) -> None:
    held = dump(cypher)
    assert [part for part in parts or PARTS if part in held] == []


async def stored(client: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    body = {"agent_id": "anna", "kind": "episode", **fields}
    answer = await client.post("/v1/memories", json=body)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


async def read(client: httpx.AsyncClient, name: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/memories/{name}", params={"agent_id": "anna"})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_every_text_of_a_memory_is_masked_and_counted(
    client: httpx.AsyncClient, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fields: dict[str, Any] = {
        "text": SAID,
        "speaker": EMAIL,
        "tags": ["billing", EMAIL],
        "domain": EMAIL,
        "model": EMAIL,
        "source_type": EMAIL,
        "structured": {"trace": [{"observation": SAID}, {"phone": "4155552671"}], EMAIL: 1},
        "metadata": {"card": 4539008982326972, "deep": {"er": [[EMAIL]]}, "tokens": 2147483647},
    }
    answer = await stored(client, **fields)
    assert answer["redacted"] == {"EMAIL": 9, "PHONE": 3, "CARD": 3}
    view = await read(client, answer["uid"])
    assert view["text"] == MASKED
    assert view["tags"] == ["billing", "<EMAIL>"]
    assert view["structured"] == {
        "trace": [{"observation": MASKED}, {"phone": "<PHONE>"}],
        "<EMAIL>": 1,
    }
    assert view["metadata"] == {
        "card": "<CARD>",
        "deep": {"er": [["<EMAIL>"]]},
        "tokens": 2147483647,
    }
    assert {view[name] for name in ("speaker", "domain", "model", "source_type")} == {"<EMAIL>"}
    assert_gone(cypher, *PARTS, "4155552671")
    assert [part for part in PARTS if part in caplog.text] == []


async def test_the_same_text_sent_twice_is_one_memory(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    first = await stored(client, text=SAID)
    again = await stored(client, text=SAID)
    assert (first["status"], again["status"]) == ("created", "duplicate")
    assert again["uid"] == first["uid"]
    other = await stored(client, text=SAID.replace("anna", "bert"))
    assert other["uid"] == first["uid"]  # the same without the people in it


async def test_a_batch_tells_of_each_row_and_of_all(client: httpx.AsyncClient, cypher: Run) -> None:
    rows = [
        {"text": SAID, "kind": "problem"},
        {"text": "Natalia sold 48/2 = <<48/2=24>>24 clips.", "kind": "problem"},
        {"text": f"once more {EMAIL}", "kind": "concept", "external_id": "c"},
        {"text": "a name", "kind": "episode", "external_id": EMAIL},
    ]
    answer = await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["redacted"] == {"EMAIL": 2, "PHONE": 1, "CARD": 1}
    assert [row.get("redacted", {}) for row in body["results"]][1:] == [{}, {"EMAIL": 1}, {}]
    assert body["results"][3]["error"]["field"] == "external_id"
    assert "EMAIL" in body["results"][3]["error"]["message"]
    assert EMAIL not in answer.text
    assert_gone(cypher)


async def test_what_an_episode_says_of_its_problem_is_counted_once(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    attempt: dict[str, Any] = {
        "input": {"problem": SAID, "domain": EMAIL},
        "trace": [{"thought": f"{EMAIL}?"}],
    }
    attempt |= {"metadata": {"model": "small-1"}, "tags": [EMAIL]}
    one = await client.post("/v1/episodes", json={"agent_id": "anna", **attempt})
    assert one.status_code == 201, one.text
    assert one.json()["redacted"] == {"EMAIL": 4, "PHONE": 1, "CARD": 1}
    batch = {"agent_id": "bert", "episodes": [attempt]}
    [row] = (await client.post("/v1/episodes", json=batch)).json()["results"]
    assert row["redacted"] == one.json()["redacted"]
    other = await stored(client, text=f"by {EMAIL}", structured={"input": {"problem": EMAIL}})
    assert other["redacted"] == {"EMAIL": 2}  # two texts, each with somebody in it
    assert_gone(cypher)


async def test_ids_that_others_are_joined_by_are_refused(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    for field, body in (
        ("session_id", {"session_id": EMAIL}),
        ("task_id", {"task_id": PHONE}),
        ("event_id", {"event_id": EMAIL}),
        ("structured.episode_id", {"structured": {"episode_id": EMAIL}}),
        ("structured.input.problem_id", {"structured": {"input": {"problem_id": EMAIL}}}),
    ):
        row = {"agent_id": "anna", "text": "x", "kind": "episode", **body}
        answer = await client.post("/v1/memories", json=row)
        assert answer.status_code == 422, body
        assert answer.json()["errors"][0]["field"] == field
        assert EMAIL not in answer.text
    assert_gone(cypher)


async def test_a_patch_is_cleaned_whichever_field_it_changes(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    place = "/v1/memories/external:e?agent_id=anna"
    await stored(client, text="a lighthouse", external_id="e")
    answer = await client.patch(place, json={"text": SAID, "metadata": {"by": EMAIL}})
    assert answer.status_code == 200, answer.text
    assert answer.json()["redacted"] == {"EMAIL": 2, "PHONE": 1, "CARD": 1}
    assert (answer.json()["text"], answer.json()["metadata"]) == (MASKED, {"by": "<EMAIL>"})
    again = await client.patch(place, json={"text": SAID})
    assert again.json()["revision"] == answer.json()["revision"]
    assert_gone(cypher)
    [row] = cypher("MATCH (m:Memory) RETURN m.embedding_a AS vector")
    await stored(client, text=MASKED, external_id="same")
    [same] = cypher("MATCH (m:Memory {external_id: 'same'}) RETURN m.embedding_a AS vector")
    assert row["vector"] == same["vector"]


async def test_what_becomes_reasoning_by_a_patch_is_cleaned_then(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await stored(client, text=SAID, external_id="e", kind="observation")
    assert "schmidt" in dump(cypher)
    answer = await client.patch("/v1/memories/external:e?agent_id=anna", json={"kind": "episode"})
    assert answer.json()["text"] == MASKED
    [row] = cypher(
        "MATCH (m:Memory) RETURN m.text + m.context_text + coalesce(m.folded_text, '') AS all"
    )
    assert [part for part in PARTS if part in row["all"]] == []


async def test_observations_are_left_alone_unless_all_memories_are_meant(
    client: httpx.AsyncClient, opened: Opened, cypher: Run
) -> None:
    kept = await stored(client, text=SAID, kind="observation")
    assert "redacted" not in kept
    assert (await read(client, kept["uid"]))["text"] == SAID
    async with opened(pii_memories="all") as strict:
        other = await stored(strict, text=f"again {SAID}", kind="observation")
        assert (await read(strict, other["uid"]))["text"] == f"again {MASKED}"


async def test_equal_values_have_equal_tokens_under_hash_and_none_is_a_bare_hash(
    opened: Opened, cypher: Run
) -> None:
    async with opened(pii_policy="hash") as client:
        first = await stored(client, text=f"Call {PHONE} please")
        await stored(client, text="nothing here")
        same = await stored(client, text="Call +493012345678 again")
        token = (await read(client, first["uid"]))["text"].split()[1]
        assert token.startswith("<PHONE_")
        assert len(token) == len("<PHONE_>") + 16
        assert (await read(client, same["uid"]))["text"] == f"Call {token} again"
    [tenant] = cypher("MATCH (t:Tenant {tenant: 'local'}) RETURN t.pii_secret AS secret")
    assert len(tenant["secret"]) == 64
    async with opened(pii_policy="hash") as client:  # another process, the same secret
        more = await stored(client, text=f"and {PHONE} once more")
        assert token in (await read(client, more["uid"]))["text"]
    async with opened(pii_policy="hash", pii_hash_key=SECRET) as client:
        other = await stored(client, text=f"and {PHONE} under a key of the setting")
        assert token not in (await read(client, other["uid"]))["text"]
    assert_gone(cypher)


async def test_a_row_is_rejected_by_field_and_type_and_never_by_value(
    opened: Opened, cypher: Run
) -> None:
    async with opened(pii_policy="reject") as client:
        rows = [
            {"text": "fine", "kind": "episode"},
            {"text": "x", "kind": "episode", "metadata": {"a": {"b": SAID}}},
        ]
        answer = await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
        [fine, bad] = answer.json()["results"]
        assert (fine["status"], bad["status"]) == ("created", "rejected")
        assert bad["error"]["field"] == "metadata.a.b"
        assert all(kind in bad["error"]["message"] for kind in ("CARD", "EMAIL", "PHONE"))
        assert [part for part in PARTS if part in answer.text] == []
    assert_gone(cypher)


async def test_each_tenant_has_its_own_policy(opened: Opened, cypher: Run) -> None:
    async with opened(pii_policies=(("local", "off"),)) as client:
        answer = await stored(client, text=SAID)
        assert "redacted" not in answer
        assert (await read(client, answer["uid"]))["text"] == SAID
    async with opened(pii_policy="off", pii_policies=(("local", "mask"),)) as client:
        answer = await stored(client, text=f"then {SAID}")
        assert (await read(client, answer["uid"]))["text"] == f"then {MASKED}"


async def test_an_import_cleans_memories_versions_rewards_and_plain_rows(
    opened: Opened, client: httpx.AsyncClient, cypher: Run
) -> None:
    async with opened(pii_policy="off") as open_handed:
        answer = await stored(open_handed, text=SAID, external_id="e", speaker=EMAIL)
        await stored(open_handed, text=f"{SAID} Later.", external_id="e")
        reason = {"agent_id": "anna", "reward": 1.0, "reason": f"said {EMAIL}"}
        given = await open_handed.post(f"/v1/memories/{answer['uid']}/rewards", json=reason)
        assert given.status_code == 200, given.text
        lines = await exported(open_handed)
    assert {line["type"] for line in lines} >= {"memory", "version", "reward", "scope"}
    assert "schmidt" in json.dumps(of(lines, "version"))
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    plain = {"agent_id": "anna", "text": f"row {SAID}", "kind": "episode"}
    answer = await client.post("/v1/import", content=written([*lines, plain]), headers=NDJSON)
    summary = json.loads(answer.content.splitlines()[-1])
    assert summary["counts"]["rejected"] == 0, answer.text
    assert summary["redacted"] == {"EMAIL": 2, "PHONE": 2, "CARD": 2}
    assert_gone(cypher)
    again = await client.post("/v1/import", content=written(lines), headers=NDJSON)
    assert json.loads(again.content.splitlines()[-1])["counts"]["created"] == 0


async def test_reasons_of_rewards_are_cleaned(client: httpx.AsyncClient, cypher: Run) -> None:
    uid = (await stored(client, text="a plan"))["uid"]
    body = {"agent_id": "anna", "reward": 0.5, "reason": f"as {EMAIL} confirmed"}
    done = await client.post(f"/v1/memories/{uid}/rewards", json=body)
    assert done.status_code == 200, done.text
    [reward] = cypher("MATCH (w:Reward) RETURN w.uid AS uid, w.reason AS reason")
    assert reward["reason"] == "as <EMAIL> confirmed"
    back = await client.post(
        f"/v1/rewards/{reward['uid']}/revert",
        json={"agent_id": "anna", "reason": f"{EMAIL} was wrong"},
    )
    assert back.status_code == 200, back.text
    assert_gone(cypher)


@pytest.mark.parametrize("policy", ["mask", "hash"])
async def test_a_question_about_a_person_finds_what_was_said_without_one(
    opened: Opened, policy: str
) -> None:
    async with opened(pii_policy=policy) as client:
        meant = await stored(client, text=f"The refund for {EMAIL} was approved.")
        await stored(client, text="The refund for the harbour was approved.")
        seen = await stored(client, text=f"{EMAIL} rang the bell.", kind="observation")
        asked = {"agent_id": "anna", "text": EMAIL, "filters": {"kinds": ["episode"]}}
        found = await results_of(client, asked, expect=1)
        assert found[0]["uid"] == meant["uid"]
        everywhere = await results_of(client, {"agent_id": "anna", "text": EMAIL}, expect=2)
        assert {each["uid"] for each in everywhere} >= {meant["uid"], seen["uid"]}


async def test_metrics_count_what_was_taken_out(client: httpx.AsyncClient) -> None:
    await stored(client, text=SAID)
    answer = await client.get("/metrics")
    assert 'stratagraph_redactions_total{type="EMAIL"}' in answer.text
