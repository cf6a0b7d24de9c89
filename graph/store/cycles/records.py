"""Conversion of cycles, visits, steps and patches to export records, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from neo4j.time import DateTime

from graph.database.rows import in_utc
from graph.model.cycles.checks import Check, Finding
from graph.model.cycles.cycle import Advice, SimilarAttempts, ToolCall
from graph.model.transfer.records import Record, RecordType

Row = dict[str, Any]
_DEFAULTS = frozenset({"tenant", "agent_id", "asked_at"})
_AS_JSON = frozenset(
    {"parts", "tools", "answers", "similar", "calls", "findings", "advice", "plan"}
)
_EDGES = frozenset({"given", "evidence", "repaired"})
# Defaults that an export line omits are stored like those of the service.
_SHAPES: Mapping[str, Callable[[Any], Any]] = {
    "parts": lambda said: said or {},
    "similar": lambda said: asdict(SimilarAttempts(**said)),
    "calls": lambda said: [asdict(ToolCall(**each)) for each in said],
    "findings": lambda said: [asdict(Finding(**each)) for each in said],
    "plan": lambda said: [asdict(Check(**each)) for each in said],
    "advice": lambda said: said and asdict(Advice(**said)),
}


def cycle_records(kind: RecordType) -> Callable[[Sequence[Mapping[str, Any]]], Iterator[Record]]:
    """Return a converter of rows of one walk to records, each with the edges of its node."""

    def records(rows: Sequence[Mapping[str, Any]]) -> Iterator[Record]:
        for row in rows:
            if row.get("kept", True):
                yield Record(kind, _to_record(row[kind]))

    return records


def cycle_row(kind: RecordType) -> Callable[[str, Mapping[str, Any]], Row]:
    """Return a converter of a record to a row: names, properties of its node, and its edges."""

    def row(tenant: str, values: Mapping[str, Any]) -> Row:
        said: Row = dict(values)
        scope: str = values["scope"]
        if kind in ("cycle", "step"):
            said = {"parts": None, **said}
        if kind == "step":
            said = {"advice": None, **said}
        if kind == "cycle" and scope.startswith(f"{tenant}/agent/"):
            said["agent_id"] = scope.removeprefix(f"{tenant}/agent/")
        properties = {
            name: _to_properties(name, value) for name, value in said.items() if name not in _EDGES
        }
        joined = {name: said.get(name) for name in ("uid", "scope", *_EDGES)}
        names = {name: said.get(name) for name in ("cycle_id", "cycle_uid", "key", "number")}
        return {
            **names,
            **joined,
            "given": list(said.get("given", ())),
            "evidence": list(said.get("evidence", ())),
            "note_uid": said.get("note_uid"),
            "properties": {**properties, "tenant": tenant},
        }

    return row


def _to_record(properties: Mapping[str, Any]) -> Row:
    told: Row = {}
    for name, value in properties.items():
        if name in _DEFAULTS or value is None:
            continue
        if isinstance(value, DateTime):
            told[name] = in_utc(value)
        elif name in _AS_JSON and isinstance(value, str):
            said = json.loads(value)
            if said:
                told[name] = said
        elif value not in ("", []):
            told[name] = value
    return told


def _to_properties(name: str, value: Any) -> Any:
    if name in _SHAPES or isinstance(value, Mapping):
        shaped: Any = _SHAPES.get(name, dict)(value)
        if shaped is None:
            return None
        return json.dumps(shaped, ensure_ascii=False, separators=(",", ":"))
    return [*cast("tuple[Any, ...]", value)] if isinstance(value, tuple) else value
