"""Reports of executions for tests of knowledge."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from graph.model.knowledge.executions import ExecutionReport, Step

AT = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
CONTEXT = "shipment_creation"


def step(tool: str, error: str = "", **parameters: Any) -> Step:
    """Return a call that took 100 ms; with an error it failed."""
    return Step(tool, parameters, ok=not error, error=error, duration_ms=100.0, context=CONTEXT)


def ran(task_id: str, *steps: Step, **fields: Any) -> ExecutionReport:
    """Return the report of a task."""
    given: dict[str, Any] = {
        "ok": True,
        "context": CONTEXT,
        "occurred_at": AT,
        "duration_ms": 500.0,
    }
    return ExecutionReport(task_id=task_id, steps=steps, **{**given, **fields})


def shipped(task_id: str, facility: str = "HAN", **fields: Any) -> ExecutionReport:
    """Return a shipment whose first call failed for its units, and whose second worked."""
    return ran(
        task_id,
        step("list_facilities"),
        step(
            "create_shipment",
            "units imperial are not supported",
            facility=facility,
            units="imperial",
        ),
        step("create_shipment", facility=facility, units="metric"),
        query=f"Create a shipment for facility {facility}",
        goal="ship the order",
        plan=("list_facilities", "create_shipment"),
        **fields,
    )
