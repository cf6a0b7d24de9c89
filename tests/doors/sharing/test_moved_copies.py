"""Copies and patterns of a channel follow their originals: nobody else moves them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.conftest import Run

ANNA = {"agent_id": "anna", "channel_ids": ["ops"]}
HERS = {"agent_id": "anna"}
OPS = {"channel_ids": ["ops"]}
MOVES, PROMOTIONS, GATES = "/v1/strata/moves", "/v1/strata/promotions", "/v1/strata/gates"


async def shared(client: httpx.AsyncClient, text: str) -> tuple[str, str]:
    """Publish a memory; answers its uid and that of its copy."""
    assert (await client.post("/v1/channels/join", json=ANNA)).is_success
    original = (await client.post("/v1/memories", json=HERS | {"text": text})).json()["uid"]
    answer = await client.post(f"/v1/memories/{original}/publish", json=ANNA)
    assert answer.is_success, answer.text
    return original, answer.json()["uid"]


async def asked(client: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(path, json=OPS | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_copy_is_not_moved_by_hand(client: httpx.AsyncClient, cypher: Run) -> None:
    _, copy = await shared(client, "The code is 1234.")
    moved = await asked(client, MOVES, to="down", memories=[copy])
    assert moved["total"] == 0
    [refused] = moved["refused"]
    assert (refused["name"], "published" in refused["why"]) == (copy, True)
    cypher("MATCH (m:Memory {uid: $uid}) SET m.q_value = 0.95, m.success_count = 9", uid=copy)
    proven = await asked(client, PROMOTIONS, min_q=0.7, min_successes=3)
    assert (proven["total"], proven["refused"]) == (0, [])


async def test_a_pattern_of_a_channel_is_not_moved_by_hand_and_no_gate_moves_it(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    _, copy = await shared(client, "Deploy comes before rollback.")
    cypher(
        "MATCH (m:Memory {uid: $uid}) REMOVE m.published_by SET m:Pattern, m.stratum = 'semantic', "
        "m.kind = 'pattern', m.w0 = 0.01, m.recorded_at = m.recorded_at - duration('P90D')",
        uid=copy,
    )
    assert (await asked(client, MOVES, to="down", memories=[copy]))["total"] == 0
    assert (await asked(client, GATES))["total"] == 0


async def test_a_copy_that_was_archived_follows_its_original(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    original, copy = await shared(client, "The code is 1234.")
    cypher("MATCH (m:Memory {uid: $uid}) SET m.state = 'archived'", uid=copy)
    changed = await client.patch(
        f"/v1/memories/{original}", params=HERS, json={"text": "There is no code."}
    )
    assert changed.status_code == 200, changed.text
    [there] = cypher(
        "MATCH (m:Memory {uid: $uid}) RETURN m.text AS text, m.state AS state", uid=copy
    )
    assert there == {"text": "There is no code.", "state": "active"}


async def test_a_copy_that_was_archived_is_there_again_once_it_is_published_again(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    original, copy = await shared(client, "The code is 1234.")
    cypher("MATCH (m:Memory {uid: $uid}) SET m.state = 'archived'", uid=copy)
    again = await client.post(f"/v1/memories/{original}/publish", json=ANNA)
    assert (again.json()["uid"], again.json()["status"]) == (copy, "updated")
    assert (await client.get(f"/v1/memories/{copy}", params=OPS)).json()["state"] == "active"
