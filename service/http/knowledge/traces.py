"""`/v1/traces`: the OTLP endpoint, which observes tool calls."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from graph.kernel.errors import InvalidInputError
from service.faults import read_as
from service.http.kernel.openapi import request_body
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.knowledge.otlp import attributes_of, executions_of, object_of
from service.http.knowledge.routes import report_of
from service.http.knowledge.sent_traces import PROTOBUF, SentTraces, sent_traces
from stratagraph import wire
from stratagraph.operations.knowledge import OBSERVE_TRACES

router = APIRouter()
_PREFIX = "stratagraph."
_BATCH = 500


class _Owner(wire.Identity):
    scope_kind: wire.ScopeKind | None = None


def _body() -> dict[str, Any]:
    """Describe the body: JSON by its model, and protobuf, which has none here."""
    described = request_body(OBSERVE_TRACES.examples, wire.TracesRequest)["requestBody"]
    packed = {"schema": {"type": "string", "format": "binary"}}
    return described | {"content": described["content"] | {PROTOBUF: packed}}


@serves(router, OBSERVE_TRACES, body=_body())
async def observe_traces(
    tenant: Tenant,
    sent: Annotated[SentTraces, Depends(sent_traces)],
    request: Request,
    service: Bound,
) -> Response:
    owners = [_owner(each, request) for each in sent.request.resource_spans]
    for owner in owners:
        caller_of(tenant, owner).writable(owner.scope_kind)
    rejected, faults = 0, list[str]()
    for owner, resource in zip(owners, sent.request.resource_spans, strict=True):
        heard = executions_of(resource)
        rejected += heard.rejected
        faults += heard.faults
        reports = [report_of(row, service) for row in heard.rows]
        caller = caller_of(tenant, owner)
        for first in range(0, len(reports), _BATCH):
            part = reports[first : first + _BATCH]
            try:
                await service.observe_executions(caller, part, owner.scope_kind)
            except InvalidInputError as error:
                rejected += sum(len(each.steps) for each in part)
                faults.append(error.message)
    return sent.answer(rejected, "; ".join(faults[:5])[:2000])


def _owner(resource_spans: dict[str, Any], request: Request) -> _Owner:
    """Return the owner of a resource's spans: named by the resource, else by the headers; never guessed."""
    said = attributes_of(object_of(resource_spans.get("resource")).get("attributes"))
    given = {name: said[_PREFIX + name] for name in _Owner.model_fields if said.get(_PREFIX + name)}
    if not given.keys() - {"scope_kind"}:
        headers = request.headers
        named = {
            "agent_id": unquote(headers.get("x-stratagraph-agent", "")),
            "channel_ids": _several(headers.get("x-stratagraph-channels", "")),
            "user_ids": _several(headers.get("x-stratagraph-users", "")),
        }
        given |= {name: value for name, value in named.items() if value}
    return read_as(_Owner, given)


def _several(header: str) -> list[str]:
    return [unquote(name.strip()) for name in header.split(",") if name.strip()]
