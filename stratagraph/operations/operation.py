"""Operations on operation."""

from __future__ import annotations

from types import NoneType

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
)

HEALTH = Operation(
    name="health",
    method="GET",
    path="/healthz",
    room="operation",
    summary="Ask whether the process lives",
    gives=wire.HealthView,
    is_open=True,
)
READY = Operation(
    name="ready",
    method="GET",
    path="/readyz",
    room="operation",
    summary="Ask whether it can answer, and if not, what is missing; being unready is no error",
    gives=wire.HealthView,
    is_open=True,
    accepts=frozenset({503}),
)
METRICS = Operation(
    name="metrics",
    method="GET",
    path="/metrics",
    room="operation",
    summary="Show the metrics of the service, for Prometheus",
    gives=NoneType,
    by_hand=True,
)
