from collections.abc import Mapping
from enum import Enum

from opentelemetry.context import Context

class SpanKind(Enum):
    INTERNAL = 0
    SERVER = 1
    CLIENT = 2

class StatusCode(Enum):
    OK = 1
    ERROR = 2

class SpanContext:
    def __init__(self, trace_id: int, span_id: int, is_remote: bool) -> None: ...

class Span:
    def set_attribute(self, key: str, value: str | float | bool) -> None: ...
    def set_attributes(self, attributes: Mapping[str, str | int | float | bool]) -> None: ...
    def set_status(self, status: StatusCode) -> None: ...
    def update_name(self, name: str) -> None: ...
    def end(self) -> None: ...

class NonRecordingSpan(Span):
    def __init__(self, context: SpanContext) -> None: ...

class Tracer:
    def start_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = ...,
        attributes: Mapping[str, str | int | float | bool] | None = None,
    ) -> Span: ...

def set_span_in_context(span: Span) -> Context: ...
