"""Spans over OTLP: the tool calls of a trace are one execution, counted once, for whoever they are said to be of."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.conftest import Run

TRACE = "5b8efff798038103d269b633813fc60c"
ANNA = {"X-Stratagraph-Agent": "anna"}
START = 1_790_000_000_000_000_000
COUNTED = "MATCH (t:Tool) RETURN t.scope AS scope, t.tool AS tool, t.uses AS uses, t.successes AS successes ORDER BY scope, tool"


def attributes(**values: Any) -> list[dict[str, Any]]:
    return [
        {"key": key.replace("__", "."), "value": {"stringValue": value}}
        for key, value in values.items()
    ]


def span(place: int, trace: str = TRACE, **fields: Any) -> dict[str, Any]:
    nothing: list[Any] = []
    begun = START + place * 1_000_000_000
    return {
        "traceId": trace, "spanId": f"{place:016x}", "parentSpanId": f"{0:016x}", "name": "chat", "kind": 1,
        "startTimeUnixNano": str(begun), "endTimeUnixNano": str(begun + 250_000_000),
        "attributes": nothing, "flags": 1,
    } | fields  # fmt: skip


def called(place: int, tool: str, trace: str = TRACE, error: str = "", **arguments: Any) -> Any:
    said = {
        "gen_ai__operation__name": "execute_tool",
        "gen_ai__tool__name": tool,
        "gen_ai__tool__call__arguments": json.dumps(arguments),
    } | ({"error__type": "ValueError"} if error else {})
    status = {"code": 2, "message": error} if error else {}
    return span(place, trace, name=f"execute_tool {tool}", attributes=attributes(**said), status=status)  # fmt: skip


def trace(name: str = TRACE, **fields: Any) -> list[dict[str, Any]]:
    said = attributes(gen_ai__operation__name="invoke_agent", gen_ai__conversation__id="monday")
    return [
        called(3, "create_shipment", name, units="metric"),
        called(2, "create_shipment", name, "units imperial are not supported", units="imperial"),
        called(1, "list_facilities", name),
        span(0, name, name="invoke_agent", parentSpanId="", attributes=said, **fields),
    ]


def export(*spans: Any, **resource: Any) -> dict[str, Any]:
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes(service__name="shop", **resource)},
                "scopeSpans": [{"scope": {"name": "x"}, "spans": list(spans)}],
                "schemaUrl": "https://opentelemetry.io/schemas/1.37.0",
            }
        ],
        "unknown": 1,
    }


async def sent(client: httpx.AsyncClient, body: Any, headers: Any = None, status: int = 200) -> Any:
    answer = await client.post("/v1/traces", json=body, headers=headers or {})
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_the_tool_calls_of_a_trace_are_one_execution(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    body = export(*trace(), stratagraph__agent_id="anna")
    assert (await sent(client, body)).get("partialSuccess") is None
    await sent(client, body)
    assert [tuple(row.values()) for row in cypher(COUNTED)] == [
        ("local/agent/anna", "create_shipment", 2, 1),
        ("local/agent/anna", "list_facilities", 1, 1),
    ]
    [run] = cypher("MATCH (e:Execution) RETURN e.task_id AS task, e.ok AS ok, e.tools AS tools, "
                   "e.session_id AS session, e.duration_ms AS duration")  # fmt: skip
    assert run == {
        "task": f"trace:{TRACE}", "ok": True, "session": "monday", "duration": 3250.0,
        "tools": ["list_facilities", "create_shipment", "create_shipment"],
    }  # fmt: skip
    check = {"agent_id": "anna", "tool": "create_shipment", "parameters": {"units": "imperial"}}
    known = await client.post(
        "/v1/knowledge/query", json={"agent_id": "anna", "query": "create shipment"}
    )
    tool = next(t for t in known.json()["tool_memory"] if t["tool_name"] == "create_shipment")
    assert tool["common_errors"][0]["error"] == "units imperial are not supported"
    assert (await client.post("/v1/knowledge/check", json=check)).status_code == 200


async def test_whose_spans_they_are_is_never_guessed(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await sent(client, export(*trace()), status=422)
    both = export(*trace(), stratagraph__agent_id="anna")
    both["resourceSpans"].append(export(*trace("a" * 32))["resourceSpans"][0])
    await sent(client, both, status=422)
    await sent(
        client,
        export(*trace(), stratagraph__agent_id="anna", stratagraph__scope_kind="user"),
        status=422,
    )
    assert cypher("MATCH (e:Execution) RETURN e") == []
    await sent(client, export(*trace()), ANNA)
    await sent(client, export(*trace(), stratagraph__user_id="ada"), ANNA)
    scopes = [
        row["scope"] for row in cypher("MATCH (e:Execution) RETURN e.scope AS scope ORDER BY scope")
    ]
    assert scopes == ["local/agent/anna", "local/user/ada"]


async def test_a_trace_that_cannot_be_read_does_not_stop_the_others(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    broken = called(1, "x") | {"traceId": "short"}
    many = [called(place, "x", "b" * 32) for place in range(1, 202)]
    failed = trace("c" * 32, status={"code": "STATUS_CODE_ERROR"})
    answer = await sent(client, export(broken, *many, *failed, span(1, "d" * 32)), ANNA)
    assert answer["partialSuccess"]["rejectedSpans"] == "202"
    assert "bbbb" in answer["partialSuccess"]["errorMessage"]
    assert [row["ok"] for row in cypher("MATCH (e:Execution) RETURN e.ok AS ok")] == [False]
    for body in ({}, {"resourceSpans": [1]}):
        await sent(client, body, ANNA, 422)


def packed(body: dict[str, Any]) -> bytes:
    """Return an export as protobuf: in its JSON, ids are base64."""
    told = json.loads(json.dumps(body))
    told.pop("unknown")
    for each in told["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for name in ("traceId", "spanId", "parentSpanId"):
            each[name] = base64.b64encode(bytes.fromhex(each[name])).decode()
    return ParseDict(told, ExportTraceServiceRequest()).SerializeToString()


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_protobuf_is_read_as_json_is(
    client: httpx.AsyncClient, cypher: Run, encoding: str
) -> None:
    many = [called(place, "x", "b" * 32) for place in range(1, 202)]
    body = packed(export(*trace(), *many))
    body = gzip.compress(body) if encoding == "gzip" else body
    headers = ANNA | {"Content-Type": "application/x-protobuf", "Content-Encoding": encoding}
    answer = await client.post("/v1/traces", content=body, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-protobuf")
    told = ExportTraceServiceResponse.FromString(answer.content).partial_success
    assert (told.rejected_spans, "bbbb" in told.error_message) == (201, True)
    assert [tuple(row.values()) for row in cypher(COUNTED)] == [
        ("local/agent/anna", "create_shipment", 2, 1),
        ("local/agent/anna", "list_facilities", 1, 1),
    ]
    await sent(client, export(*trace()), ANNA)
    assert [row["task"] for row in cypher("MATCH (e:Execution) RETURN e.task_id AS task")] == [
        f"trace:{TRACE}"
    ]
    nothing = await client.post("/v1/traces", content=b"", headers=ANNA | {"Content-Type": headers["Content-Type"]})  # fmt: skip
    assert (nothing.status_code, nothing.content) == (200, b"")


async def test_a_body_that_is_not_what_it_says_is_refused(client: httpx.AsyncClient) -> None:
    body = json.dumps(export(*trace())).encode()
    as_json = {"Content-Type": "application/json"}
    as_gzip = as_json | {"Content-Encoding": "gzip"}
    for content, headers, status in (
        (gzip.compress(body), as_gzip, 200),
        (body, as_gzip, 400),
        (gzip.compress(body)[:-20], as_gzip, 400),
        (gzip.compress(bytes(40 * 1024 * 1024)), as_gzip, 413),
        (body, as_json | {"Content-Encoding": "br"}, 415),
        (body, {"Content-Type": "text/plain"}, 415),
        (b"x", {"Content-Type": "application/x-protobuf"}, 400),
        (gzip.compress(b"\xff" * 9), {"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"}, 400),
    ):  # fmt: skip
        answer = await client.post("/v1/traces", content=content, headers=ANNA | headers)
        assert answer.status_code == status, (headers, answer.text)


async def test_a_trace_that_comes_in_parts_counts_all_of_its_calls_once(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    below = {"parentSpanId": f"{9:016x}"}
    first = [called(1, "list_facilities") | below, called(2, "create_shipment", error="no") | below]
    last = [called(3, "create_shipment") | below, span(9, name="invoke_agent", parentSpanId="")]
    for part in (first, last, first, last):
        await sent(client, export(*part), ANNA)
    assert [tuple(row.values()) for row in cypher(COUNTED)] == [
        ("local/agent/anna", "create_shipment", 2, 1),
        ("local/agent/anna", "list_facilities", 1, 1),
    ]
    tasks = cypher("MATCH (e:Execution) RETURN e.task_id AS task ORDER BY task")
    assert [row["task"] for row in tasks] == [f"trace:{TRACE}", f"trace:{TRACE}:{1:016x}"]
