"""Conversion of OpenTelemetry spans to execution reports: tool calls of one trace in a request are one execution."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from service.faults import FaultyRequestError, read_as
from stratagraph import wire

_CALL = "execute_tool"
_FAILED = (2, "STATUS_CODE_ERROR")
_LONGEST = 4_000
_WHOLE = re.compile(r"-?[0-9]{1,19}")
Spans = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """One span, with its attributes as plain values."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start: int
    end: int
    failed: bool
    message: str
    attributes: Mapping[str, Any]

    @property
    def is_call(self) -> bool:
        """Return whether the span is a call of a tool."""
        return self.attributes.get("gen_ai.operation.name") == _CALL

    def text(self, name: str) -> str:
        """Return a text attribute, or an empty text."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else ""


@dataclass(slots=True)
class Heard:
    """Reports of understood traces, and errors of others; ``rejected`` counts their spans."""

    rows: list[wire.ExecutionRow] = field(default_factory=list[wire.ExecutionRow])
    rejected: int = 0
    faults: list[str] = field(default_factory=list[str])


def attributes_of(listed: object) -> dict[str, Any]:
    """Convert attributes from OTLP's JSON to plain values."""
    found: dict[str, Any] = {}
    for each in _objects(listed):
        if isinstance(each.get("key"), str):
            found[each["key"]] = _plain(each.get("value"))
    return found


def executions_of(resource_spans: Spans) -> Heard:
    """Return one report for each trace with tool calls; invalid traces do not affect others."""
    traces: defaultdict[str, list[Span]] = defaultdict(list)
    heard = Heard()
    for raw in _spans(resource_spans):
        try:
            span = _span(raw)
        except (TypeError, ValueError):
            heard.rejected += 1
            heard.faults.append("a span has no ids or times as OTLP has them")
        else:
            traces[span.trace_id].append(span)
    for trace_id, spans in traces.items():
        calls = sorted((s for s in spans if s.is_call), key=lambda s: (s.start, s.span_id))
        if not calls:
            continue
        try:
            heard.rows.append(read_as(wire.ExecutionRow, _report(trace_id, spans, calls)))
        except FaultyRequestError as error:
            heard.rejected += len(calls)
            named = ", ".join(f"{each.field}: {each.message}" for each in error.faults[:3])
            heard.faults.append(f"trace {trace_id}: {named}")
    return heard


def _report(trace_id: str, spans: Sequence[Span], calls: Sequence[Span]) -> dict[str, Any]:
    ids = {each.span_id for each in spans}
    outermost = [s for s in spans if s.parent_id not in ids and not s.is_call]
    failed = any(s.failed for s in outermost) if outermost else calls[-1].failed
    start, end = min(s.start for s in spans), max(s.end for s in spans)
    talk = next(filter(None, (s.text("gen_ai.conversation.id") for s in (*outermost, *spans))), "")
    # Each part of a trace is an execution; a repeated part has the same name.
    is_whole = any(not s.parent_id for s in spans)
    return {
        "task_id": f"trace:{trace_id}" + ("" if is_whole else f":{calls[0].span_id}"),
        "status": "failure" if failed else "success",
        "context": next(filter(None, (s.text("stratagraph.context") for s in spans)), ""),
        "steps": [_step(each) for each in calls],
        "duration_ms": (end - start) / 1e6,
        "occurred_at": datetime.fromtimestamp(end // 1_000 / 1e6, UTC).isoformat(),
    } | ({"session_id": talk} if talk else {})


def _step(span: Span) -> dict[str, Any]:
    error = span.message or span.text("error.type") if span.failed else ""
    return {
        "tool": span.text("gen_ai.tool.name") or span.name.removeprefix(f"{_CALL} "),
        "parameters": _arguments(span.attributes.get("gen_ai.tool.call.arguments")),
        "status": "failed" if span.failed else "completed",
        "duration_ms": (span.end - span.start) / 1e6,
        "error": error[:_LONGEST],
    }


def _arguments(value: object) -> Mapping[str, Any]:
    """Parse arguments, an object or its JSON; others have no named parameters."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return object_of(value)


def _spans(resource_spans: Spans) -> Iterator[Spans]:
    for scope in _objects(resource_spans.get("scopeSpans")):
        yield from _objects(scope.get("spans"))


def _span(raw: Spans) -> Span:
    attributes = attributes_of(raw.get("attributes"))
    told = object_of(raw.get("status"))
    start, end = int(raw.get("startTimeUnixNano") or 0), int(raw.get("endTimeUnixNano") or 0)
    trace_id, span_id = raw.get("traceId"), raw.get("spanId")
    parent = str(raw.get("parentSpanId") or "")
    if not (isinstance(trace_id, str) and isinstance(span_id, str)) or len(trace_id) != 32:
        raise ValueError("ids")
    int(trace_id, 16)
    if not 0 < start <= end < 2**63:
        raise ValueError("times")
    return Span(
        trace_id=trace_id.lower(),
        span_id=span_id,
        parent_id=parent if parent.strip("0") else "",
        name=str(raw.get("name") or ""),
        start=start,
        end=end,
        failed=told.get("code") in _FAILED or bool(attributes.get("error.type")),
        message=str(told.get("message") or ""),
        attributes=attributes,
    )


def _plain(value: object) -> Any:
    """Convert OTLP's `AnyValue`; invalid ones become None."""
    for kind, inner in object_of(value).items():
        match kind:
            case "stringValue" | "boolValue" | "doubleValue":
                return inner
            case "intValue" if isinstance(inner, int | str) and _WHOLE.fullmatch(str(inner)):
                return int(inner)
            case "arrayValue":
                return [_plain(each) for each in _objects(object_of(inner).get("values"))]
            case "kvlistValue":
                return attributes_of(object_of(inner).get("values"))
            case _:
                continue
    return None


def object_of(value: object) -> Spans:
    """Return a JSON object; other values become an empty one."""
    return cast("Spans", value) if isinstance(value, Mapping) else {}


def _objects(value: object) -> Iterable[Spans]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [object_of(each) for each in listed]
