"""Properties of what executions teach, and back: containers are kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from graph.kernel.scope import hashed_key, tenant_of
from graph.model.knowledge.executions import (
    BaseState,
    Evidence,
    ExecutionReport,
    Step,
)

R = TypeVar("R")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_STEP = tuple(each.name for each in fields(Step))
_SHARES = frozenset({"after", "values", "shapes", "solutions", "held"})
_TIMES = frozenset({"first_seen", "last_used"})  # read as texts where many are read
_CONTAINERS = (dict, list, tuple)
_OFTEN_EMPTY = frozenset({"shared", "source", "sources"})  # then they are no properties
# A preference's value, and what was corrected to what, may be any JSON.
_JSON = frozenset({"value", "original", "corrected"})


def values_of(record: Any, scope: str) -> dict[str, Any]:
    """Return the properties of a record."""
    values = {
        each.name: packed_value(each.name, getattr(record, each.name))
        for each in fields(record)
        if each.name not in {"key", "scope"}
    }
    values["tenant"] = tenant_of(scope)
    for name in _OFTEN_EMPTY & values.keys():
        values[name] = values[name] if getattr(record, name) else None
    if "words" in values:
        values["scope_key"] = hashed_key(scope)
    return values


def packed_value(name: str, value: Any) -> Any:
    """Return a value as its property is kept: containers, and what may be any JSON, as JSON."""
    if name in _JSON or isinstance(value, _CONTAINERS):
        return _json(cast("Any", value))
    return value


def record_of(kind: type[R], row: Mapping[str, Any]) -> R:
    """Read a record from the properties of its node; properties that it does not have are left."""
    values: dict[str, Any] = {}
    for each in fields(cast("Any", kind)):
        if each.name in row and row[each.name] is not None:
            values[each.name] = _read(each.name, row[each.name])
    return kind(**values)


def _read(name: str, value: Any) -> Any:
    if name in _JSON:
        return json.loads(value)
    if hasattr(value, "to_native"):
        # With the driver's own zone an equal instant would come behind one of ours.
        return value.to_native().astimezone(UTC)
    if name in _TIMES and isinstance(value, str):
        return datetime.fromisoformat(value).astimezone(UTC)
    if not isinstance(value, str) or value[:1] not in "{[" or name not in _PACKED:
        return value
    found = json.loads(value)
    if name in _SHARES:
        return {key: tuple(counts) for key, counts in found.items()}
    if name == "buckets":
        return {int(bucket): count for bucket, count in found.items()}
    return [Evidence(*entry) for entry in found] if name == "evidence" else found


_PACKED = _SHARES | {
    "buckets", "contexts", "culprits", "evidence", "steps", "agents", "conditions", "reports",
    "months", "shared", "sources",
}  # fmt: skip


def execution_values(
    report: ExecutionReport, scope: str, expires_at: datetime, digest: str
) -> dict[str, Any]:
    """Return the properties of an execution."""
    return {
        "tenant": tenant_of(scope),
        "report": digest,
        "occurred_at": report.occurred_at,
        "expires_at": expires_at,
        "ok": report.ok,
        "query": report.query,
        "context": report.context,
        "plan_id": report.plan_id,
        "goal": report.goal,
        "plan": list(report.plan),
        "thought": report.thought,
        "duration_ms": report.duration_ms,
        "session_id": report.session_id,
        "agent_id": report.agent_id,
        "user_id": report.user_id,
        "used": list(report.used),
        "tools": list(report.tools),
        "failed": sum(not step.ok for step in report.steps),
        "steps": _json([{name: getattr(step, name) for name in _STEP} for step in report.steps]),
    }


def execution_of(row: Mapping[str, Any]) -> ExecutionReport:
    """Read an execution from the properties of its node."""
    steps = tuple(_step(step) for step in json.loads(row["steps"]))
    names = {each.name for each in fields(ExecutionReport)} - {"steps", "occurred_at"}
    values = {name: row[name] for name in names if row.get(name) is not None}
    for name in ("plan", "used"):
        values[name] = tuple(values.get(name, ()))
    return ExecutionReport(**values, steps=steps, occurred_at=row["occurred_at"].to_native())


def _step(values: dict[str, Any]) -> Step:
    spoken: dict[str, Any] = {name: tuple(values[name]) for name in ("said", "thought")}
    return Step(**(values | spoken))


def state_of(row: Mapping[str, Any]) -> BaseState:
    """Read what a scope says of its learning."""
    return record_of(BaseState, row)


def _json(value: object) -> str:
    return _ENCODER.encode(value)
