"""Conversion of knowledge records to node properties, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from neo4j.time import DateTime

from graph.database.rows import as_json, from_row, in_utc, to_row
from graph.kernel.scope import hashed_key, tenant_of
from graph.model.knowledge.executions import ExecutionReport

R = TypeVar("R")
_TIMES = frozenset({"first_seen", "last_used"})  # parsed later where many are read
_CONTAINERS = (dict, list, tuple)
_OFTEN_EMPTY = frozenset({"shared", "source", "sources"})  # not stored if empty


def values_of(record: Any, scope: str) -> dict[str, Any]:
    """Return the properties of a record."""
    values = {**to_row(record, "key", "scope"), "tenant": tenant_of(scope)}
    for name in _OFTEN_EMPTY & values.keys():
        values[name] = values[name] if getattr(record, name) else None
    # an index has no entry for a missing property
    if "words" in values:
        values["scope_key"] = hashed_key(scope)
    return values


def packed_value(value: Any) -> Any:
    """Return a value as stored in its property: containers as JSON."""
    return as_json(cast("Any", value)) if isinstance(value, _CONTAINERS) else value


def record_of(kind: type[R], row: Mapping[str, Any]) -> R:
    """Read a record from the properties of its node; missing properties get their defaults."""
    return from_row(kind, {name: _read(name, value) for name, value in row.items()})


def _read(name: str, value: Any) -> Any:
    if isinstance(value, DateTime):
        return in_utc(value)
    if name in _TIMES and isinstance(value, str):
        return datetime.fromisoformat(value).astimezone(UTC)
    return value


def execution_values(
    report: ExecutionReport, scope: str, expires_at: datetime, digest: str
) -> dict[str, Any]:
    """Return the properties of an execution."""
    return {
        **to_row(report, "task_id"),
        "tenant": tenant_of(scope),
        "report": digest,
        "expires_at": expires_at,
        "tools": list(report.tools),
        "failed": sum(not step.ok for step in report.steps),
    }
