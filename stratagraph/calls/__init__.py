"""Each call of the service as a value: what is sent, and how the answer is read. No I/O."""

from __future__ import annotations

from stratagraph.calls.call import Call, Caller, Plan, encoded, post, reader, segment, stated
from stratagraph.calls.health import health, ready
from stratagraph.calls.memories import (
    MAX_BATCH_BYTES,
    RACE,
    batches,
    delete,
    get,
    remember,
    remember_all,
)
from stratagraph.calls.tasks import recall, report_outcome

__all__ = [
    "MAX_BATCH_BYTES",
    "RACE",
    "Call",
    "Caller",
    "Plan",
    "batches",
    "delete",
    "encoded",
    "get",
    "health",
    "post",
    "reader",
    "ready",
    "recall",
    "remember",
    "remember_all",
    "report_outcome",
    "segment",
    "stated",
]
