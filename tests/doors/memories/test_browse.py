"""Lists, counts, versions and surroundings over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from stratagraph import wire
from tests.conftest import Run

ANNA: dict[str, Any] = {"agent_id": "anna"}


async def remembered(client: httpx.AsyncClient, *rows: Mapping[str, object]) -> list[str]:
    body = {"agent_id": "anna", "memories": list(rows)}
    answer = await client.post("/v1/memories", json=body)
    assert answer.json()["counts"]["created"] == len(rows), answer.text
    return [row["uid"] for row in answer.json()["results"]]


async def page(client: httpx.AsyncClient, **query: Any) -> dict[str, Any]:
    answer = await client.get("/v1/memories", params={"agent_id": "anna", **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def walked(client: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    found = await page(client, **query)
    items = list(found["items"])
    while found["next_cursor"]:
        found = await page(client, **query, cursor=found["next_cursor"])
        assert found["items"], "a cursor leads to an empty page"
        items += found["items"]
    return items


def test_a_list_takes_every_filter_of_a_recall() -> None:
    asked = set(wire.QueryFilters.model_fields) - set(wire.Identity.model_fields)
    recalled = set(wire.FiltersRequest.model_fields) - {"agent_id"}
    assert asked == recalled | {"written_by", "scope_kind", "access_count_min"}
    for name in recalled:
        ours, theirs = wire.QueryFilters.model_fields[name], wire.FiltersRequest.model_fields[name]
        assert ours.default == theirs.default
        assert ours.description == theirs.description


@pytest.mark.parametrize("limit", [1, 3, 7, 10, 200])
@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_pages_hold_everything_once_in_order(
    client: httpx.AsyncClient, order: str, limit: int
) -> None:
    uids: list[str] = []
    for batch in range(3):
        uids += await remembered(client, *({"text": f"{batch} {n}"} for n in range(3)))
    await client.post("/v1/memories", json={"agent_id": "bert", "text": "his"})
    shared = {"agent_id": "bert", "scope_kind": "shared", "text": "everybody's"}
    uids.append((await client.post("/v1/memories", json=shared)).json()["uid"])
    items = await walked(client, order=order, limit=limit)
    keys = [(item["recorded_at"], item["uid"]) for item in items]
    assert keys == sorted(keys, reverse=order == "newest")
    assert sorted(item["uid"] for item in items) == sorted(uids)
    own = await walked(client, order=order, limit=limit, scope_kind="agent")
    assert sorted(item["uid"] for item in own) == sorted(uids[:-1])


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({"kinds": ["insight"]}, {"b"}),
    ({"kinds": ["insight", "problem"]}, {"b", "c"}),
    ({"strata": "semantic"}, {"c"}),
    ({"states": "archived"}, {"archived"}),
    ({"states": ["active", "archived"], "tags_any": "y"}, {"b", "archived"}),
    ({"tags_any": ["x", "y"]}, {"a", "b"}),
    ({"tags_all": ["x", "y"]}, {"b"}),
    ({"importance_min": 4}, {"c"}),
    ({"importance_max": 1}, {"a"}),
    ({"importance_min": "2", "importance_max": "3"}, {"b"}),
    ({"access_count_min": "0"}, {"a", "b", "c"}),
    ({"access_count_min": 1}, set()),
    ({"occurred_from": "2025-02-01T00:00:00Z"}, {"b", "c"}),
    ({"occurred_to": "2025-02-01T00:00:00Z"}, {"a"}),
    ({"recorded_to": "2025-02-01T00:00:00Z"}, set()),
    ({"recorded_from": "2025-02-01T00:00:00Z"}, {"a", "b", "c"}),
    ({"valid_at": "2024-01-01T00:00:00Z"}, {"a", "b", "c", "past"}),
    ({"session_id": "s"}, {"a", "b"}),
    ({"domain": "law"}, {"c"}),
    ({"phase": "plan"}, {"a"}),
    ({"written_by": "anna"}, {"a", "b", "c"}),
    ({"written_by": "bert"}, set()),
    ({"correct": "true"}, {"a"}),
    ({"correct": "false"}, {"b"}),
    ({"model": "m"}, {"a"}),
]


async def some(client: httpx.AsyncClient) -> None:
    old = "2025-01-01T00:00:00Z"
    await remembered(
        client,
        {"text": "a", "tags": ["x"], "importance": 1, "occurred_at": old, "session_id": "s",
         "phase": "planning", "correct": True, "model": "m"},
        {"text": "b", "kind": "insight", "tags": ["x", "y"], "session_id": "s", "correct": False},
        {"text": "c", "kind": "problem", "stratum": "semantic", "importance": 5, "domain": "law"},
        {"text": "archived", "external_id": "archived", "tags": ["y"]},
        {"text": "past", "valid_to": "2024-06-01T00:00:00Z"},
        {"text": "expired", "occurred_at": old, "expires_at": "2025-01-02T00:00:00Z"},
    )  # fmt: skip
    await client.patch("/v1/memories/external:archived?agent_id=anna", json={"state": "archived"})


@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_lists_and_counts_filter_alike(client: httpx.AsyncClient, order: str) -> None:
    await some(client)
    for query, texts in [({}, {"a", "b", "c"}), *FILTERS]:
        items = await walked(client, order=order, limit=2, **query)
        assert {item["text"] for item in items} == texts, query
        params = {"agent_id": "anna", **query}
        count = await client.get("/v1/memories/count", params=params)
        assert count.json() == {"count": len(texts), "groups": None}, query


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("kind", {"insight": 1, "observation": 1, "problem": 1}),
        ("stratum", {"long_term": 2, "semantic": 1}),
        ("state", {"active": 3}),
        ("session", {"s": 2, "": 1}),
        ("agent", {"anna": 3}),
    ],
)
async def test_counts_come_by_group_the_largest_first(
    client: httpx.AsyncClient, by: str, groups: dict[str, int]
) -> None:
    await some(client)
    answer = await client.get("/v1/memories/count", params={"agent_id": "anna", "by": by})
    assert answer.json() == {"count": 3, "groups": groups}
    assert list(answer.json()["groups"]) == list(groups)


async def test_nothing_is_an_empty_page_and_zero(client: httpx.AsyncClient) -> None:
    assert await page(client) == {"items": [], "next_cursor": None}
    answer = await client.get("/v1/memories/count?agent_id=anna&by=kind")
    assert answer.json() == {"count": 0, "groups": {}}


async def test_a_cursor_opens_only_for_its_own_question(client: httpx.AsyncClient) -> None:
    await remembered(client, *({"text": str(n)} for n in range(4)))
    cursor = (await page(client, limit=2))["next_cursor"]
    assert (await page(client, limit=1, cursor=cursor))["items"]
    for query in (
        {"agent_id": "bert"},
        {"order": "oldest"},
        {"kinds": "insight"},
        {"scope_kind": "agent"},
        {"user_ids": "ada"},
        {"cursor": cursor[:-2]},
        {"cursor": cursor[::-1]},
        {"cursor": "AAAA"},
        {"cursor": "é"},
        {"cursor": "W10"},
        {"cursor": "WzEsMiwzXQ"},
    ):
        params = {"agent_id": "anna", "cursor": cursor, **query}
        answer = await client.get("/v1/memories", params=params)
        assert answer.status_code == 422, query
        assert [fault["field"] for fault in answer.json()["errors"]] == ["cursor"]


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("", "", "agent_id"),
        ("", "agent_id=a&limit=0", "limit"),
        ("", "agent_id=a&limit=201", "limit"),
        ("", "agent_id=a&limit=zebra-marker", "limit"),
        ("", "agent_id=a&order=zebra-marker", "order"),
        ("", "agent_id=a&kinds=zebra-marker", "kinds.0"),
        ("", "agent_id=a&kindz=insight", "kindz"),
        ("", "agent_id=a&states=hidden", "states.0"),
        ("", "agent_id=a&importance_min=6", "importance_min"),
        ("", "agent_id=a&importance_min=4&importance_max=2", "importance_max"),
        ("", "agent_id=a&correct=zebra-marker", "correct"),
        ("", "agent_id=a&valid_at=2026-05-01T00:00:00", "valid_at"),
        ("", "agent_id=a&occurred_from=zebra-marker", "occurred_from"),
        ("", "agent_id=a&tags_any=%00zebra-marker", "tags_any.0"),
        ("", "agent_id=a&session_id=%0Azebra-marker", "session_id"),
        ("", "agent_id=a&scope_kind=user", "user_ids"),
        ("", "agent_id=a&scope_kind=zebra-marker", "scope_kind"),
        ("/count", "agent_id=a&by=zebra-marker", "by"),
        ("/count", "agent_id=a&limit=5", "limit"),
        ("/count", "", "agent_id"),
        ("/x/versions", "agent_id=a&limit=0", "limit"),
        ("/x/versions", "", "agent_id"),
        ("/x/neighbourhood", "agent_id=a&hops=3", "hops"),
        ("/x/neighbourhood", "agent_id=a&hops=0", "hops"),
        ("/x/neighbourhood", "agent_id=a&types=zebra-marker", "types.0"),
        ("/x/neighbourhood", "agent_id=a&limit=201", "limit"),
        ("/x/neighbourhood", "agent_id=%00", "agent_id"),
    ],
)
async def test_what_cannot_be_used_is_named(
    client: httpx.AsyncClient, path: str, query: str, field: str
) -> None:
    answer = await client.get(f"/v1/memories{path}?{query}")
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert "zebra-marker" not in answer.text
    assert answer.json()["errors"][0]["field"] == field


async def test_names_with_slashes_and_names_of_routes_are_read(client: httpx.AsyncClient) -> None:
    names = ["a/b", "count", "a/versions", "versions", "x/neighbourhood", "y/provenance", "delete"]
    await remembered(client, *({"text": name, "external_id": name} for name in names))
    for name in names:
        encoded = name.replace("/", "%2F")
        answer = await client.get(f"/v1/memories/external:{encoded}?agent_id=anna")
        assert (answer.status_code, answer.json()["text"]) == (200, name)
        past = await client.get(f"/v1/memories/external:{encoded}/versions?agent_id=anna")
        assert (past.status_code, past.json()) == (200, {"items": [], "next_cursor": None})
        near = await client.get(f"/v1/memories/external:{encoded}/neighbourhood?agent_id=anna")
        assert near.json()["nodes"][0]["text"] == name
    plain = await client.get("/v1/memories/external:a/b?agent_id=anna")
    assert plain.json()["text"] == "a/b"


async def test_versions_come_in_pages_with_what_changed(client: httpx.AsyncClient) -> None:
    [uid] = await remembered(client, {"text": "0", "external_id": "e", "speaker": "Ada"})
    place = f"/v1/memories/{uid}"
    for change in ({"text": "1"}, {"importance": 5}, {"text": "3", "tags": ["t"]}):
        await client.patch(f"{place}?agent_id=anna", json=change)
    await client.post(
        "/v1/memories", json={"agent_id": "anna", "external_id": "e", "text": "4"}
    )  # fmt: skip
    told = [
        ("3", {"text", "importance", "tags", "speaker"}),
        ("1", {"text", "tags"}),
        ("1", {"importance"}),
        ("0", {"text"}),
    ]
    for limit in (1, 2, 3, 4, 50):
        query: dict[str, Any] = {"agent_id": "anna", "limit": limit}
        items: list[dict[str, Any]] = []
        while True:
            found = (await client.get(f"{place}/versions", params=query)).json()
            items += found["items"]
            if not found["next_cursor"]:
                break
            query["cursor"] = found["next_cursor"]
        assert [(item["text"], set(item["changed"])) for item in items] == told, limit
        assert [item["revision"] for item in items] == [4, 3, 2, 1]
        assert {item["memory_uid"] for item in items} == {uid}
        for newer, older in pairwise(items):
            assert older["replaced_at"] == newer["recorded_at"]


async def test_surroundings_are_nodes_and_edges(client: httpx.AsyncClient) -> None:
    rows = [{"text": text, "session_id": "s"} for text in "abcd"]
    a, b, c, _ = await remembered(client, *rows)
    linked = {"text": "e", "links": [{"type": "USED", "to": b}]}
    [e] = await remembered(client, linked)
    answer = await client.get(f"/v1/memories/{b}/neighbourhood?agent_id=anna")
    drawing = answer.json()
    assert drawing["nodes"][0]["id"] == b
    assert {(node["text"], node["hop"]) for node in drawing["nodes"]} == {
        ("b", 0), ("a", 1), ("c", 1), ("e", 1)}  # fmt: skip
    edges = {(edge["start"], edge["end"], edge["type"]) for edge in drawing["edges"]}
    assert edges == {(a, b, "NEXT"), (b, c, "NEXT"), (e, b, "USED")}
    assert drawing["truncated"] is False
    far = (await client.get(f"/v1/memories/{b}/neighbourhood?agent_id=anna&hops=2")).json()
    assert ("d", 2) in {(node["text"], node["hop"]) for node in far["nodes"]}
    only = await client.get(f"/v1/memories/{b}/neighbourhood?agent_id=anna&types=USED")
    assert {node["text"] for node in only.json()["nodes"]} == {"b", "e"}
    few = await client.get(f"/v1/memories/{b}/neighbourhood?agent_id=anna&limit=2")
    assert (len(few.json()["nodes"]), few.json()["truncated"]) == (2, True)


async def test_a_version_is_drawn_beside_its_memory(client: httpx.AsyncClient) -> None:
    [uid] = await remembered(client, {"text": "now " * 200})
    await client.patch(f"/v1/memories/{uid}?agent_id=anna", json={"text": "then"})
    drawing = (await client.get(f"/v1/memories/{uid}/neighbourhood?agent_id=anna")).json()
    [memory, version] = drawing["nodes"]
    assert (memory["label"], version["label"]) == ("Memory", "Version")
    assert len(version["text"]) == 280
    assert [edge["type"] for edge in drawing["edges"]] == ["VERSION_OF"]


async def test_what_has_too_many_links_is_shown_but_not_passed(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    [hub] = await remembered(client, {"text": "hub"})
    link = {"type": "USED", "to": hub}
    uids = await remembered(client, *({"text": f"leaf {n:02}", "links": [link]} for n in range(60)))
    [row] = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.link_count AS n", uid=hub)
    assert row["n"] == 60
    near = f"/v1/memories/{uids[0]}/neighbourhood?agent_id=anna&hops=2&limit=200"
    drawing = (await client.get(near)).json()
    assert [node["text"] for node in drawing["nodes"]] == ["leaf 00", "hub"]
    whole = (await client.get(f"/v1/memories/{hub}/neighbourhood?agent_id=anna")).json()
    assert whole["truncated"] is True
    again = (await client.get(f"/v1/memories/{hub}/neighbourhood?agent_id=anna")).json()
    assert again == whole
    assert len(whole["nodes"]) == 26


@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_what_is_there_throughout_comes_once_whatever_comes_and_goes(
    client: httpx.AsyncClient, order: str
) -> None:
    steady = await remembered(client, *({"text": f"steady {n}"} for n in range(12)))
    passing = await remembered(client, *({"text": f"passing {n}"} for n in range(12)))
    seen: list[str] = []
    query: dict[str, Any] = {"order": order, "limit": 3}
    for turn in range(100):
        found = await page(client, **query)
        seen += [item["uid"] for item in found["items"]]
        if not found["next_cursor"]:
            break
        query["cursor"] = found["next_cursor"]
        if turn < 8:
            await remembered(client, {"text": f"new {turn}"})
            await client.delete(f"/v1/memories/{passing.pop()}?agent_id=anna")
    assert len(seen) == len(set(seen))
    assert set(steady) <= set(seen)


async def test_what_was_recalled_often_is_listed_and_counted_but_no_recall_filters_by_it(
    client: httpx.AsyncClient, service: Service
) -> None:
    uids = await remembered(client, {"text": "often"}, {"text": "once"})
    await service.remember.store.count_accesses({uids[0]: 3, uids[1]: 1}, datetime.now(UTC))
    for least, number in ((3, 1), (1, 2)):
        for order in ("newest", "oldest"):
            assert len((await page(client, access_count_min=least, order=order))["items"]) == number
        asked = ANNA | {"access_count_min": least}
        counted = await client.get("/v1/memories/count", params=asked)
        assert counted.json()["count"] == number
    refused = await client.post(
        "/v1/recall", json=ANNA | {"text": "often", "filters": {"access_count_min": 3}}
    )
    assert refused.status_code == 422
    assert "filters lists and counts alone" in refused.text


async def test_within_a_session_too_it_is_listed_how_often_each_was_recalled(
    client: httpx.AsyncClient, service: Service
) -> None:
    rows = ({"text": text, "session_id": "s"} for text in ("often", "once"))
    uids = await remembered(client, *rows)
    await service.remember.store.count_accesses({uids[0]: 3, uids[1]: 1}, datetime.now(UTC))
    asked = ANNA | {"session_id": "s", "access_count_min": 2}
    for order in ("newest", "oldest"):
        found = await page(client, session_id="s", access_count_min=2, order=order)
        assert [item["text"] for item in found["items"]] == ["often"]
    assert (await client.get("/v1/memories/count", params=asked)).json()["count"] == 1
