from collections.abc import Sequence

from google.protobuf.message import Message

class ExportTracePartialSuccess(Message):
    rejected_spans: int
    error_message: str
    def __init__(self, *, rejected_spans: int = ..., error_message: str = ...) -> None: ...

class ExportTraceServiceRequest(Message):
    resource_spans: Sequence[Message]

class ExportTraceServiceResponse(Message):
    partial_success: ExportTracePartialSuccess
    def __init__(self, *, partial_success: ExportTracePartialSuccess | None = ...) -> None: ...
