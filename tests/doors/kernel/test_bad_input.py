"""What cannot be used is refused as bytes over HTTP, and leaves no trace."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.doors.asking import results_of

MARK = "zebra-marker"
JSON = {"Content-Type": "application/json"}


def memory(**fields: object) -> bytes:
    return json.dumps({"agent_id": "a", "text": MARK, **fields}).encode()


def question(**fields: object) -> bytes:
    return json.dumps({"agent_id": "a", "text": MARK, **fields}).encode()


def raw_memory(field: bytes) -> bytes:
    return b'{"agent_id": "a", "text": "zebra-marker", ' + field + b"}"


def numbers(*first: float, length: int = 384) -> list[float]:
    return [*first, *([0.0] * (length - len(first)))]


DEEP = 100_000
MEMORIES = {
    "empty text": (memory(text=""), 422),
    "blank text": (memory(text=" \n\t "), 422),
    "no text": (b'{"agent_id": "a"}', 422),
    "text over 100,000 bytes": (memory(text="é" * 50_001), 422),
    "text with NUL": (memory(text="zebra-marker\0"), 422),
    "lone surrogate": (raw_memory(b'"tags": ["\\ud800"]'), 400),
    "low surrogate": (raw_memory(b'"tags": ["\\udc00"]'), 400),
    "lone surrogate in text": (b'{"agent_id": "a", "text": "zebra-marker \\ud800"}', 400),
    "invalid UTF-8": (b'{"agent_id": "a", "text": "zebra-marker \xff\xfe"}', 400),
    "UTF-16": ('{"agent_id": "a", "text": "zebra-marker"}'.encode("utf-16"), 400),
    "NaN": (raw_memory(b'"importance": NaN'), 400),
    "NaN in a vector": (raw_memory(b'"vector": [NaN, 1]'), 400),
    "NaN in metadata": (raw_memory(b'"metadata": {"x": NaN}'), 400),
    "Infinity": (raw_memory(b'"metadata": {"x": Infinity}'), 400),
    "minus Infinity": (raw_memory(b'"vector": [-Infinity]'), 400),
    "1e400": (raw_memory(b'"metadata": {"x": 1e400}'), 422),
    "1e400 in a vector": (raw_memory(b'"vector": [1e400, 1]'), 422),
    "number of 5,000 digits": (raw_memory(b'"metadata": {"x": ' + b"9" * 5000 + b"}"), 400),
    "number over 64 bits": (memory(metadata={"x": 2**63}), 422),
    "deep list": (raw_memory(b'"metadata": ' + b"[" * DEEP + b"]" * DEEP), 400),
    "deep object": (b'{"a":' * DEEP + b"1" + b"}" * DEEP, 400),
    "metadata 33 deep": (raw_memory(b'"metadata": ' + b'{"a":' * 33 + b"1" + b"}" * 33), 422),
    "metadata over 64 KiB": (memory(metadata={"x": "y" * 65_536}), 422),
    "NUL in a metadata key": (memory(metadata={"zebra-marker\0": 1}), 422),
    "NUL in a metadata value": (memory(metadata={"x": ["zebra-marker\0"]}), 422),
    "NUL in structured": (memory(structured={"x": {"y": "zebra-marker\0"}}), 422),
    "NUL in a tag": (memory(tags=["zebra-marker\0"]), 422),
    "NUL in an id": (memory(external_id="zebra-marker\0"), 422),
    "line break in an id": (memory(session_id="zebra-marker\n"), 422),
    "a key twice": (raw_memory(b'"kind": "concept", "kind": "insight"'), 400),
    "trailing garbage": (memory() + b" zebra-marker", 400),
    "not JSON": (b"zebra-marker", 400),
    "cut off": (memory()[:-5], 400),
    "no body": (b"", 400),
    "a list": (b'["zebra-marker"]', 422),
    "null": (b"null", 422),
    "a number": (b"17", 422),
    "no identity": (b'{"text": "zebra-marker"}', 422),
    "blank agent": (memory(agent_id=" "), 422),
    "agent of 257 characters": (memory(agent_id="zebra-marker" + "x" * 257), 422),
    "101 channels": (memory(channel_ids=[f"c{n}" for n in range(101)]), 422),
    "short vector": (memory(vector=[1.0]), 422),
    "long vector": (memory(vector=numbers(1.0, length=4097)), 422),
    "zero vector": (memory(vector=numbers()), 422),
    "huge numbers in a vector": (memory(vector=numbers(1e300)), 422),
    "text in a vector": (memory(vector=["zebra-marker"]), 422),
    "truth in a vector": (memory(vector=[True] * 384), 422),
    "unknown phase": (memory(phase="zebra-marker"), 422),
    "unknown kind": (memory(kind="zebra-marker"), 422),
    "unknown stratum": (memory(stratum="zebra-marker"), 422),
    "unknown field": (memory(improtance=3), 422),
    "unknown scope kind": (memory(scope_kind="zebra-marker"), 422),
    "scope of nobody": (memory(scope_kind="user"), 422),
    "importance 0": (memory(importance=0), 422),
    "importance 6": (memory(importance=6), 422),
    "importance true": (memory(importance=True), 422),
    "importance as text": (memory(importance="3"), 422),
    "importance 2.5": (memory(importance=2.5), 422),
    "65 tags": (memory(tags=[f"t{n}" for n in range(65)]), 422),
    "long tag": (memory(tags=["zebra-marker" + "t" * 128]), 422),
    "naive time": (memory(occurred_at="2026-05-01T09:30:00"), 422),
    "time as a number": (memory(occurred_at=1_700_000_000), 422),
    "time out of range": (memory(occurred_at="0001-01-01T00:00:00+14:00"), 422),
    "no time": (memory(occurred_at="zebra-marker"), 422),
    "validity out of order": (
        memory(valid_from="2026-05-02T00:00:00Z", valid_to="2026-05-01T00:00:00Z"),
        422,
    ),
    "expiry before event": (
        memory(occurred_at="2026-05-02T00:00:00Z", expires_at="2026-05-01T00:00:00Z"),
        422,
    ),
    "sequence without session": (memory(sequence=1), 422),
    "negative sequence": (memory(session_id="s", sequence=-1), 422),
    "unknown link": (memory(links=[{"type": "zebra-marker", "to": "x"}]), 422),
    "empty batch": (b'{"agent_id": "a", "memories": []}', 422),
    "batch over 1,000": (
        json.dumps({"agent_id": "a", "memories": [{"text": MARK}] * 1001}).encode(),
        422,
    ),
    "batch of nobody": (b'{"memories": [{"text": "zebra-marker"}]}', 422),
    "batch that is no list": (b'{"agent_id": "a", "memories": {"text": "zebra-marker"}}', 422),
}

RECALLS = {
    "empty text": (question(text=""), 422),
    "blank text": (question(text="  "), 422),
    "text over 100,000 bytes": (question(text="z" * 100_001), 422),
    "NUL": (question(text="zebra-marker\0"), 422),
    "nothing asked": (b'{"agent_id": "a"}', 422),
    "asked twice": (question(like="zebra-marker"), 422),
    "short vector": (b'{"agent_id": "a", "vector": [1.0]}', 422),
    "zero vector": (json.dumps({"agent_id": "a", "vector": numbers()}).encode(), 422),
    "NaN vector": (b'{"agent_id": "a", "vector": [NaN]}', 400),
    "no identity": (b'{"text": "zebra-marker"}', 422),
    "lambda over 1": (question(**{"lambda": 1.01}), 422),
    "lambda under 0": (question(**{"lambda": -0.01}), 422),
    "lambda NaN": (b'{"agent_id": "a", "text": "zebra-marker", "lambda": NaN}', 400),
    "lambda 1e400": (b'{"agent_id": "a", "text": "zebra-marker", "lambda": 1e400}', 422),
    "lambda by its other name": (question(utility_weight=0.5), 422),
    "k 0": (question(k=0), 422),
    "k 201": (question(k=201), 422),
    "k 5.5": (question(k=5.5), 422),
    "hops 3": (question(hops=3), 422),
    "hops -1": (question(hops=-1), 422),
    "unknown phase": (question(phase="zebra-marker"), 422),
    "unknown field": (question(topk=3), 422),
    "unknown filter": (question(filters={"kindz": ["concept"]}), 422),
    "unknown kind": (question(filters={"kinds": ["zebra-marker"]}), 422),
    "unknown stratum": (question(filters={"strata": ["zebra-marker"]}), 422),
    "no kinds": (question(filters={"kinds": []}), 422),
    "importance out of order": (
        question(filters={"importance_min": 4, "importance_max": 2}),
        422,
    ),
    "times out of order": (
        question(
            filters={
                "occurred_from": "2026-05-02T00:00:00Z",
                "occurred_to": "2026-05-01T00:00:00Z",
            }
        ),
        422,
    ),
    "naive time": (question(filters={"valid_at": "2026-05-01T00:00:00"}), 422),
    "min_similarity 2": (question(min_similarity=2), 422),
    "deep": (b"[" * DEEP, 400),
}

OUTCOMES = {
    "unknown status": (b'{"agent_id": "a", "status": "zebra-marker"}', 422),
    "quality over 1": (b'{"agent_id": "a", "status": "success", "quality": 1.5}', 422),
    "quality NaN": (b'{"agent_id": "a", "status": "success", "quality": NaN}', 400),
    "no status": (b'{"agent_id": "a"}', 422),
    "no identity": (b'{"status": "success"}', 422),
}

CASES = [
    pytest.param(path, body, status, id=f"{path}: {name}")
    for path, cases in (
        ("/v1/memories", MEMORIES),
        ("/v1/recall", RECALLS),
        ("/v1/tasks/t/outcome", OUTCOMES),
    )
    for name, (body, status) in cases.items()
]


@pytest.mark.parametrize(("path", "body", "status"), CASES)
async def test_is_refused_and_leaves_no_trace(
    client: httpx.AsyncClient, path: str, body: bytes, status: int
) -> None:
    answer = await client.post(path, content=body, headers=JSON)
    assert_problem(answer, status)
    assert await recalled(client) == []
    await client.post("/v1/memories", json={"agent_id": "a", "text": "a good one"})
    assert await recalled(client, expect=1) == ["a good one"]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(body, id=name)
        for name, (body, status) in MEMORIES.items()
        if status == 422 and body.startswith(b'{"agent_id": "a", "text"')
    ],
)
async def test_a_faulty_row_does_not_harm_the_rows_beside_it(
    client: httpx.AsyncClient, row: bytes
) -> None:
    faulty = row.replace(b'"agent_id": "a", ', b"", 1)
    body = b'{"agent_id": "a", "memories": [{"text": "a good one"}, ' + faulty + b"]}"
    answer = await client.post("/v1/memories", content=body, headers=JSON)
    assert answer.status_code == 200
    assert answer.json()["counts"]["created"] == 1
    assert answer.json()["results"][1]["error"]["message"]
    assert MARK not in answer.text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("agent_id=%00", "agent_id"),
        ("agent_id=", "agent_id"),
        ("", "agent_id"),
        ("agent=zebra-marker", "agent"),
        ("agent_id=a&user_ids=%20", "user_ids"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_identity_in_the_query_is_checked(
    client: httpx.AsyncClient, method: str, query: str, field: str
) -> None:
    answer = await client.request(method, f"/v1/memories/x?{query}")
    assert_problem(answer, 422)
    assert answer.json()["errors"][0]["field"].startswith(field)


async def test_a_naive_time_is_told_what_it_lacks(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/v1/memories", content=memory(occurred_at="2026-05-01T09:30:00"), headers=JSON
    )
    assert "time zone" in answer.json()["errors"][0]["message"]


async def test_an_unknown_field_is_named_with_the_one_that_was_meant(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.post("/v1/memories", content=memory(improtance=3), headers=JSON)
    [fault] = answer.json()["errors"]
    assert fault["field"] == "improtance"
    assert "importance" in fault["message"]


def assert_problem(answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"].startswith("urn:stratagraph:error:")
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert MARK not in answer.text


async def recalled(client: httpx.AsyncClient, *, expect: int = 0) -> list[str]:
    results = await results_of(client, {"agent_id": "a", "text": "good marker"}, expect=expect)
    return [result["text"] for result in results]


@pytest.mark.parametrize("value", ["no", "off", 0, "false"])
@pytest.mark.parametrize("path", ["consolidations", "strata/gates", "gc", "loops"])
async def test_only_false_itself_lets_a_run_change_anything(
    client: httpx.AsyncClient, path: str, value: object
) -> None:
    answer = await client.post(f"/v1/{path}", json={"agent_id": "a", "dry_run": value})
    assert_problem(answer, 422)
    assert answer.json()["errors"][0]["field"] == "dry_run"


@pytest.mark.parametrize("value", ["", "   ", None, [], {}])
@pytest.mark.parametrize(("path", "field"), [("surprises", "actual"), ("predictions", "expected")])
async def test_what_came_or_is_expected_must_say_something(
    client: httpx.AsyncClient, path: str, field: str, value: object
) -> None:
    answer = await client.post(f"/v1/{path}", json={"agent_id": "a", field: value})
    assert_problem(answer, 422)
    assert answer.json()["errors"] == [{"field": field, "message": "must not be empty"}]


async def test_a_list_that_is_too_long_is_told_the_most(client: httpx.AsyncClient) -> None:
    body = {"agent_id": "a", "memories": [{"text": MARK}] * 1001}
    answer = await client.post("/v1/memories", json=body)
    message = "must hold at most 1,000; send the rest in another request"
    assert answer.json()["errors"] == [{"field": "memories", "message": message}]
    tagged = memory(tags=[str(place) for place in range(65)])
    answer = await client.post("/v1/memories", content=tagged, headers=JSON)
    assert answer.json()["errors"] == [{"field": "tags", "message": "must hold at most 64"}]


@pytest.mark.parametrize("value", ["yesterday", "2026-05-01", "2026-05-01T09:30:00", 7])
async def test_a_time_in_another_form_is_told_the_form(
    client: httpx.AsyncClient, value: object
) -> None:
    answer = await client.post("/v1/memories", content=memory(occurred_at=value), headers=JSON)
    assert_problem(answer, 422)
    assert answer.json()["errors"][0]["message"] == (
        "must be a time with its time zone, such as 2026-05-01T09:00:00Z"
    )


async def test_a_field_that_stands_elsewhere_is_named_by_its_path(
    client: httpx.AsyncClient,
) -> None:
    episode = {"input": {"problem": "1 + 1?"}, "domain": "math"}
    answer = await client.post("/v1/episodes", json={"agent_id": "a", "episodes": [episode]})
    assert "did you mean input.domain?" in answer.text
    episode = {"input": {"problem": "1 + 1?", "domian": "math"}}
    answer = await client.post("/v1/episodes", json={"agent_id": "a", "episodes": [episode]})
    assert "did you mean domain?" in answer.text
    question = {"agent_id": "a", "text": "x", "filters": {"user_id": "u"}}
    [told] = (await client.post("/v1/recall", json=question)).json()["errors"]
    assert told["message"] == "is not a field here; did you mean user_id of the request itself?"


async def test_a_hint_names_no_field_that_has_nothing_to_do_with_it(
    client: httpx.AsyncClient,
) -> None:
    insight = {"agent_id": "a", "insight": "Feed the hens first.", "text": "x"}
    answer = await client.post("/v1/knowledge/insights", json=insight)
    told = {fault["field"]: fault["message"] for fault in answer.json()["errors"]}
    assert told["text"].startswith("is not a field here; fields are agent_id, ")
    assert "did you mean" not in answer.text
    assert "insight" in told["text"]
    answer = await client.get("/v1/knowledge/pattern?agent_id=a&name=x&patern=y")
    told = {fault["field"]: fault["message"] for fault in answer.json()["errors"]}
    assert "did you mean" not in told["name"]
    assert "pattern" in told["name"]
    assert told["patern"] == "is not a field here; did you mean pattern?"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"external_id": ""}, "must not be empty"),
        ({"text": 7}, "must be text"),
        ({"importance": 9}, "must be at most 5"),
        ({"occurred_at": "0001-01-01T00:00:00+05:00"},
         "must lie from 0001-01-02 to 9998-12-31 in UTC"),
    ],
)  # fmt: skip
async def test_a_fault_speaks_plainly(
    client: httpx.AsyncClient, fields: dict[str, object], message: str
) -> None:
    answer = await client.post("/v1/memories", content=memory(**fields), headers=JSON)
    assert message in [fault["message"] for fault in answer.json()["errors"]]


async def test_a_list_without_entries_must_not_be_empty(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/episodes", json={"agent_id": "a", "episodes": []})
    assert "must not be empty" in answer.text
    assert "Tuple" not in answer.text
