"""OTLP bodies over HTTP: JSON or protobuf, plain or gzip; the answer has the format of the request.

The protobuf packages are imported by the first body that needs them, as most services get none.
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
_GZIP = 16 + zlib.MAX_WBITS  # zlib's flag for gzip
_IDS = ("traceId", "spanId", "parentSpanId")


@dataclass(frozen=True, slots=True)
class SentTraces:
    """Received spans, and whether their sender uses protobuf."""

    request: wire.TracesRequest
    is_protobuf: bool

    def answer(self, rejected: int, reason: str) -> Response:
        """Return an OTLP answer: rejected spans, or nothing."""
        if self.is_protobuf:
            return Response(_packed_answer(rejected, reason), media_type=PROTOBUF)
        partial = wire.RejectedSpans(rejectedSpans=str(rejected), errorMessage=reason)
        view = wire.TracesAnswer(partialSuccess=partial if rejected else None)
        return json_answer(HTTPStatus.OK, view)


async def sent_traces(request: Request, _tenant: Tenant) -> SentTraces:
    """Read spans, after authentication.

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
    """Decompress a body, up to the limit of all bodies, as gzip can expand to gigabytes."""
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
    """Convert protobuf to the JSON of OTLP, in which ids are hexadecimal, not base64."""
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
