"""What holds now, over HTTP: memories that replace others, stated and taken back by hand."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.conftest import Run
from tests.doors.asking import results_of

LENA = {"agent_id": "lena"}
HOME = "Lena lives in Hamburg."
MOVED = "Lena lives in Berlin now."
WHERE = LENA | {"text": "Where does Lena live?", "k": 10}
MARCH, APRIL, MAY = (f"2026-0{month}-01T09:00:00Z" for month in (3, 4, 5))


async def stored(client: httpx.AsyncClient, text: str, **fields: Any) -> str:
    answer = await client.post("/v1/memories", json=LENA | {"text": text} | fields)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()["uid"]


async def read(client: httpx.AsyncClient, uid: str) -> dict[str, Any]:
    return (await client.get(f"/v1/memories/{uid}", params=LENA)).json()


async def recalled(client: httpx.AsyncClient, expect: int, **more: Any) -> list[str]:
    """Ask where she lives; wait until the indexes show as many results as expected."""
    return [one["text"] for one in await results_of(client, WHERE | more, expect=expect)]


async def test_what_is_replaced_is_recalled_no_longer_but_where_it_is_asked_for(
    client: httpx.AsyncClient,
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    assert await recalled(client, 1) == [HOME]
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=old)
    [result] = await results_of(client, WHERE, expect=1)
    while result["text"] == HOME:  # pragma: no cover -- until the index shows the change
        [result] = await results_of(client, WHERE, expect=1)
    assert result["uid"] == new
    assert result["replaced"] == [
        {
            "uid": old,
            "text": HOME,
            "occurred_at": MARCH,
            "confidence": 1.0,
            "evidence": None,
            "found_by": "stated",
        }
    ]
    assert result["superseded_by"] is None
    both = await results_of(client, WHERE | {"include_superseded": True}, expect=2)
    assert {one["uid"]: one["superseded_by"] for one in both} == {old: new, new: None}


async def test_what_held_at_a_time(client: httpx.AsyncClient) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    assert await recalled(client, 1, as_of="2026-03-15T00:00:00Z") == [HOME]
    assert await recalled(client, 1, as_of=APRIL) == [MOVED]
    assert await recalled(client, 1, as_of=MAY) == [MOVED]
    assert await recalled(client, 0, as_of="2026-02-01T00:00:00Z") == []
    [then] = await results_of(client, WHERE | {"as_of": "2026-03-31T00:00:00Z"}, expect=1)
    assert (then["uid"], then["superseded_by"]) == (old, new)
    twice = await client.post(
        "/v1/recall", json=WHERE | {"as_of": MAY, "filters": {"valid_at": MAY}}
    )
    assert (twice.status_code, twice.json()["errors"][0]["field"]) == (422, "as_of")


async def test_a_misspelt_word_for_the_past_finds_what_is_replaced(
    client: httpx.AsyncClient,
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    await stored(client, "Lena was previously a baker.", occurred_at=MARCH)
    found = await recalled(client, 3, text="Where did Lena prevously live?")
    assert found[0] == HOME


async def test_who_ended_a_memory_himself_does_not_get_it_with_the_replaced(
    client: httpx.AsyncClient,
) -> None:
    ended = await stored(client, HOME, occurred_at=MARCH, valid_to=MAY)
    await stored(client, MOVED, occurred_at=APRIL, supersedes=ended)
    assert await recalled(client, 1, include_superseded=True) == [MOVED]
    at = {"include_superseded": True, "as_of": "2026-04-15T00:00:00Z"}
    assert sorted(await recalled(client, 2, **at)) == sorted([HOME, MOVED])


async def test_both_sides_are_shown_and_the_list_shows_what_is_replaced(
    client: httpx.AsyncClient,
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    older, newer = await read(client, old), await read(client, new)
    assert [one["uid"] for one in older["superseded_by"]] == [new]
    assert older["supersedes"] == newer["superseded_by"] == []
    [said] = newer["supersedes"]
    assert (said["uid"], said["confidence"], said["found_by"], said["ends"]) == (
        old,
        1.0,
        "stated",
        True,
    )
    assert (older["valid_to"], newer["valid_to"]) == (APRIL, None)
    assert older["revision"] == 1
    listed = await client.get("/v1/memories", params=LENA)
    assert {item["uid"] for item in listed.json()["items"]} == {old, new}
    assert (await client.get("/v1/memories/count", params=LENA)).json()["count"] == 2


async def test_taking_it_back_lets_the_older_hold_again(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH, external_id="home/old")
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes="external:home/old")
    path = f"/v1/memories/{new}/supersedes/external:home%2Fold"
    for _ in range(2):
        assert (await client.delete(path, params=LENA)).status_code == 204
    assert (await read(client, old))["valid_to"] is None
    assert sorted(await recalled(client, 2)) == sorted([HOME, MOVED])
    assert cypher("MATCH (:Memory)-[r:DISTINCT_FROM]->(:Memory) RETURN count(r) AS n") == [{"n": 1}]
    for created in (True, False):
        said = await client.put(path, params=LENA)
        assert said.status_code == 200, said.text
        assert said.json()["created"] is created
    assert (await read(client, old))["valid_to"] == APRIL
    assert cypher("MATCH (:Memory)-[r:DISTINCT_FROM]->(:Memory) RETURN count(r) AS n") == [{"n": 0}]


async def test_an_end_that_was_given_comes_back(client: httpx.AsyncClient) -> None:
    until = "2030-01-01T00:00:00Z"
    old = await stored(client, HOME, occurred_at=MARCH, valid_to=until)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    assert (await read(client, old))["valid_to"] == APRIL
    changed = await client.patch(f"/v1/memories/{old}", params=LENA, json={"importance": 5})
    assert changed.status_code == 200, changed.text
    assert changed.json()["valid_to"] == APRIL
    versions = await client.get(f"/v1/memories/{old}/versions", params=LENA)
    assert versions.json()["items"][0]["valid_to"] == until
    await client.delete(f"/v1/memories/{new}/supersedes/{old}", params=LENA)
    assert (await read(client, old))["valid_to"] == until


async def test_of_three_each_ends_where_the_next_begins(client: httpx.AsyncClient) -> None:
    first = await stored(client, HOME, occurred_at=MARCH)
    third = await stored(client, "Lena lives in Oslo.", occurred_at=MAY, supersedes=[first])
    assert (await read(client, first))["valid_to"] == MAY
    second = await stored(client, MOVED, occurred_at=APRIL, supersedes=[first])
    await client.put(f"/v1/memories/{third}/supersedes/{second}", params=LENA)
    assert [(await read(client, uid))["valid_to"] for uid in (first, second, third)] == [
        APRIL,
        MAY,
        None,
    ]
    await client.delete(f"/v1/memories/{second}/supersedes/{first}", params=LENA)
    assert (await read(client, first))["valid_to"] == MAY


async def test_what_replaced_goes_and_what_it_replaced_holds_again(
    client: httpx.AsyncClient,
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    assert (await client.delete(f"/v1/memories/{new}", params=LENA)).status_code == 204
    assert (await read(client, old))["valid_to"] is None
    assert await recalled(client, 1) == [HOME]


async def test_what_replaced_is_archived_and_active_again(client: httpx.AsyncClient) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    for state, valid_to in (("archived", None), ("active", APRIL)):
        changed = await client.patch(f"/v1/memories/{new}", params=LENA, json={"state": state})
        assert changed.status_code == 200, changed.text
        assert (await read(client, old))["valid_to"] == valid_to


async def test_another_text_leaves_what_was_stated_and_another_time_moves_the_end(
    client: httpx.AsyncClient,
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    change = {"text": "Lena lives in Bremen now.", "occurred_at": MAY}
    await client.patch(f"/v1/memories/{new}", params=LENA, json=change)
    assert (await read(client, old))["valid_to"] == MAY
    early = "2026-02-01T09:00:00Z"
    await client.patch(f"/v1/memories/{new}", params=LENA, json={"occurred_at": early})
    older = await read(client, old)
    assert (older["valid_to"], older["superseded_by"][0]["ends"]) == (None, False)


async def test_a_result_names_a_newer_memory_that_may_replace_it(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, "Lena has a flat in Berlin.", occurred_at=APRIL)
    cypher(
        "MATCH (n:Memory {uid: $new}), (o:Memory {uid: $old}) "
        "MERGE (n)-[r:SUPERSEDES]->(o) SET r.confidence = 0.6, r.found_by = 'found', r.ends = false",
        new=new,
        old=old,
    )
    both = await results_of(client, WHERE | {"min_relevance": 0}, expect=2)
    assert {one["uid"]: one["may_be_superseded_by"] for one in both} == {old: new, new: None}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"supersedes": ["external:nothing"]}, "is not in this memory's scope"),
        ({"supersedes": ["external:me"], "external_id": "me"}, "cannot replace itself"),
        ({"supersedes": ["external:old"], "occurred_at": "2026-01-01T00:00:00Z"}, "begins to hold"),
        ({"supersedes": ["external:old"], "scope_kind": "user", "user_ids": ["u"]}, "scope"),
    ],
)
async def test_what_cannot_be_replaced(
    client: httpx.AsyncClient, fields: dict[str, Any], why: str
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH, external_id="old")
    answer = await client.post("/v1/memories", json=LENA | {"text": MOVED} | fields)
    assert answer.status_code == 422, answer.text
    [fault] = answer.json()["errors"]
    assert fault["field"] == "supersedes"
    assert why in fault["message"]
    assert (await read(client, old))["valid_to"] is None


async def test_a_batch_names_its_own_rows_and_only_the_faulty_one_stays_out(
    client: httpx.AsyncClient,
) -> None:
    rows = [
        {"text": HOME, "external_id": "h", "occurred_at": MARCH},
        {"text": MOVED, "external_id": "b", "occurred_at": APRIL, "supersedes": "external:h"},
        {"text": "Lena lives in Oslo.", "occurred_at": MAY, "supersedes": ["external:none"]},
    ]
    answer = await client.post("/v1/memories", json=LENA | {"memories": rows})
    statuses = [row["status"] for row in answer.json()["results"]]
    assert statuses == ["created", "created", "rejected"]
    assert (await read(client, "external:h"))["valid_to"] == APRIL
    again = await client.post("/v1/memories", json=LENA | {"memories": rows[:2]})
    assert [row["status"] for row in again.json()["results"]] == ["unchanged", "unchanged"]


async def test_a_ring_is_refused(client: httpx.AsyncClient) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=MARCH, supersedes=[old])
    ring = await client.put(f"/v1/memories/{old}/supersedes/{new}", params=LENA)
    assert ring.status_code == 409, ring.text
    assert "already replaces" in ring.json()["detail"]
    late = await stored(client, "Lena lives in Oslo.", occurred_at=MAY)
    early = await client.put(f"/v1/memories/{old}/supersedes/{late}", params=LENA)
    assert early.status_code == 422
    itself = await client.put(f"/v1/memories/{old}/supersedes/{old}", params=LENA)
    assert itself.status_code == 422


async def test_nobody_else_says_it(client: httpx.AsyncClient) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL)
    path = f"/v1/memories/{new}/supersedes/{old}"
    for method in ("PUT", "DELETE"):
        answer = await client.request(method, path, params={"agent_id": "other"})
        assert answer.status_code == 404
    other = await client.post("/v1/memories", json={"agent_id": "mona", "text": MOVED})
    both = LENA | {"user_ids": ["u"]}
    shared = await client.post("/v1/memories", json=both | {"text": MOVED, "scope_kind": "user"})
    answer = await client.put(f"/v1/memories/{shared.json()['uid']}/supersedes/{old}", params=both)
    assert answer.status_code == 422
    assert other.status_code == 201
    assert (await read(client, old))["valid_to"] is None


async def test_two_at_once_leave_one_answer(client: httpx.AsyncClient, cypher: Run) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL)
    path = f"/v1/memories/{new}/supersedes/{old}"
    answers = await asyncio.gather(
        *(client.request(("PUT", "DELETE")[n % 2], path, params=LENA) for n in range(8))
    )
    assert {answer.status_code for answer in answers} == {200, 204}
    [row] = cypher(
        "MATCH (n:Memory {uid: $new}), (o:Memory {uid: $old}) RETURN "
        "COUNT { (n)-[:SUPERSEDES]->(o) } AS replaces, COUNT { (n)-[:DISTINCT_FROM]-(o) } AS apart",
        new=new,
        old=old,
    )
    assert row["replaces"] + row["apart"] == 1
    assert ((await read(client, old))["valid_to"] is not None) is bool(row["replaces"])


async def test_what_was_replaced_and_is_said_again_holds_again(client: httpx.AsyncClient) -> None:
    old = await stored(client, HOME)
    await stored(client, MOVED, supersedes=[old])
    assert (await read(client, old))["valid_to"] is not None
    again = await client.post("/v1/memories", json=LENA | {"text": HOME})
    assert again.json() == {"status": "updated", "uid": old}
    assert (await read(client, old))["valid_to"] is None


async def test_an_export_brings_what_replaced_what(client: httpx.AsyncClient, cypher: Run) -> None:
    until = "2030-01-01T00:00:00Z"
    old = await stored(client, HOME, occurred_at=MARCH, valid_to=until)
    new = await stored(client, MOVED, occurred_at=APRIL, supersedes=[old])
    apart = await stored(client, "Lena lives in Oslo.", occurred_at=MAY)
    await client.delete(f"/v1/memories/{apart}/supersedes/{new}", params=LENA)
    lines = (await client.get("/v1/export", params=LENA)).content
    before = await read(client, old)
    cypher("MATCH (m:Memory) DETACH DELETE m")
    for created in (5, 0):
        answer = await client.post(
            "/v1/import", content=lines, headers={"Content-Type": "application/x-ndjson"}
        )
        summary = json.loads(answer.content.splitlines()[-1])
        assert summary["counts"]["rejected"] == 0, answer.text
        kinds = summary["types"]
        there = kinds["memory"].get("created", 0) + kinds["edge"].get("created", 0)
        assert there == created
    after = await read(client, old)
    assert after["valid_to"] == APRIL
    assert after["superseded_by"] == before["superseded_by"]
    await client.delete(f"/v1/memories/{new}/supersedes/{old}", params=LENA)
    assert (await read(client, old))["valid_to"] == until
    assert cypher("MATCH (:Memory)-[r:DISTINCT_FROM]->(:Memory) RETURN count(r) AS n") == [{"n": 2}]


@pytest.mark.parametrize(
    "properties", [{}, {"confidence": 2.0}, {"found_at": "never"}, {"since": "2026-05-01T00:00:00"}]
)
async def test_an_edge_that_does_not_say_what_it_must_is_told(
    client: httpx.AsyncClient, properties: dict[str, Any]
) -> None:
    old = await stored(client, HOME, occurred_at=MARCH)
    new = await stored(client, MOVED, occurred_at=APRIL)
    whole = {
        "confidence": 1.0,
        "found_by": "stated",
        "found_at": APRIL,
        "since": APRIL,
        "decisive": True,
    }
    said = whole | properties if properties else {}
    line = {"type": "edge", "edge": "SUPERSEDES", "from": new, "to": old, "properties": said}
    answer = await client.post(
        "/v1/import",
        content=json.dumps(line).encode(),
        params=LENA,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert json.loads(answer.content.splitlines()[-1])["counts"]["rejected"] == 1, answer.text
    assert (await read(client, old))["valid_to"] is None


async def test_plain_lines_say_what_they_replace(client: httpx.AsyncClient) -> None:
    lines = [
        {"text": HOME, "external_id": "h", "occurred_at": MARCH},
        {"text": MOVED, "occurred_at": APRIL, "supersedes": "external:h"},
    ]
    answer = await client.post(
        "/v1/import",
        content="\n".join(map(json.dumps, lines)).encode(),
        params=LENA,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert json.loads(answer.content.splitlines()[-1])["counts"]["created"] == 2, answer.text
    assert (await read(client, "external:h"))["valid_to"] == APRIL
