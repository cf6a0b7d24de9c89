"""Bodies of OTLP over HTTP: JSON or protobuf, plain or packed by gzip; an answer has the form of its request.

Packages of protobuf are imported with the first body that needs them: most services never see one.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import Request
from starlette.responses import Response

from service.faults import MalformedBodyError, MediaTypeError, read_as
from service.http.kernel.body import MAX_BODY_BYTES, is_json, json_of, too_large
from service.http.kernel.security import Tenant
from service.http.kernel.views import json_answer
from stratagraph import wire

PROTOBUF = "application/x-protobuf"
_GZIP = 16 + zlib.MAX_WBITS  # zlib's word for gzip's header
_IDS = ("traceId", "spanId", "parentSpanId")


@dataclass(frozen=True, slots=True)
class SentTraces:
    """Spans that were sent, and whether their sender speaks protobuf."""

    request: wire.TracesRequest
    is_protobuf: bool

    def answer(self, rejected: int, reason: str) -> Response:
        """Answer as OTLP has it: what was rejected, and nothing where nothing was."""
        if self.is_protobuf:
            return Response(_packed_answer(rejected, reason), media_type=PROTOBUF)
        partial = wire.RejectedSpans(rejectedSpans=str(rejected), errorMessage=reason)
        view = wire.TracesAnswer(partialSuccess=partial if rejected else None)
        return json_answer(HTTPStatus.OK, view)


async def sent_traces(request: Request, _tenant: Tenant) -> SentTraces:
    """Read spans; whoever has no key has been turned away before the body is read.

    Raises
    ------
    MediaTypeError
        If the body is neither JSON nor protobuf, or packed by something else than gzip.
    MalformedBodyError
        If it is not what its headers say.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_protobuf = media_type == PROTOBUF
    if not is_protobuf and not is_json(request):
        raise MediaTypeError(f"send spans as `application/json` or as `{PROTOBUF}`")
    body = _unpacked(request.headers.get("content-encoding", "identity"), await request.body())
    decoded = _from_protobuf(body) if is_protobuf else json_of(body)
    return SentTraces(read_as(wire.TracesRequest, decoded), is_protobuf)


def _unpacked(encoding: str, body: bytes) -> bytes:
    """Unpack a body, up to the limit of all bodies: some bytes of gzip can hold gigabytes."""
    match encoding.strip().lower():
        case "identity" | "":
            return body
        case "gzip":
            unpacking = zlib.decompressobj(_GZIP)
            try:
                plain = unpacking.decompress(body, MAX_BODY_BYTES + 1)
            except zlib.error:
                raise MalformedBodyError("the body is not packed by gzip, as it says") from None
            if len(plain) > MAX_BODY_BYTES:
                raise too_large(MAX_BODY_BYTES)
            if not unpacking.eof:
                raise MalformedBodyError("the body packed by gzip ends too early")
            return plain
        case _:
            raise MediaTypeError("pack the body by gzip, or not at all: `Content-Encoding: gzip`")


def _from_protobuf(body: bytes) -> dict[str, Any]:
    """Read protobuf as the JSON of OTLP: in that, ids are hexadecimal, not base64."""
    from google.protobuf.json_format import MessageToDict
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    try:
        decoded = MessageToDict(ExportTraceServiceRequest.FromString(body))
    except DecodeError:
        reason = "the body is no `ExportTraceServiceRequest` of OTLP in protobuf"
        raise MalformedBodyError(reason) from None
    for span in _spans(decoded):
        for name in _IDS:
            span[name] = base64.b64decode(span.get(name, "")).hex()
    decoded.setdefault("resourceSpans", [])
    return decoded


def _spans(decoded: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in decoded.get("resourceSpans", ()):
        for scope in resource.get("scopeSpans", ()):
            yield from scope.get("spans", ())


def _packed_answer(rejected: int, reason: str) -> bytes:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
        ExportTracePartialSuccess,
        ExportTraceServiceResponse,
    )

    if not rejected:
        return ExportTraceServiceResponse().SerializeToString()
    partial = ExportTracePartialSuccess(rejected_spans=rejected, error_message=reason)
    return ExportTraceServiceResponse(partial_success=partial).SerializeToString()
