"""Mapping of import records to rows, with the statements that write each type."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cypher import QUERIES, Query
from graph.database.keys import correct_name, estimate_uid
from graph.kernel.values import BEGINNING, END
from graph.model.strata.plugins import PluginState
from graph.model.transfer.records import RecordType
from graph.store.cycles.records import cycle_row
from graph.store.memories.owners import owner_row
from graph.store.strata.plugins import plugin_of, plugin_properties
from graph.store.strata.surprises import momentum_of_line

Row = dict[str, Any]

_EDGE_TIMES = frozenset({"found_at", "since", "stated_at"})
# Defaults of versions, as those of memories.
_VERSION_DEFAULTS: Row = {
    "valid_from": BEGINNING,
    "valid_to": END,
    "expires_at": END,
    "tags": [],
    "domain": "",
    "phase": "",
    "model": "",
}


@dataclass(frozen=True, slots=True)
class Sort:
    """Lookup and writing of records of one type; ``names`` identify a record.

    ``lock`` is for nodes that others change by a known name; it is taken before the lookup.
    """

    find: Query
    save: Query
    names: tuple[str, ...]
    beside: Callable[[str, datetime], Row] = lambda tenant, _now: {"tenant": tenant}
    lock: Query | None = None
    locks: Callable[[Sequence[Row]], Row] = lambda rows: {
        "scopes": sorted({row["scope"] for row in rows})
    }
    ends: tuple[str, ...] = ()  # memories whose results of recall may change
    also: tuple[str, ...] = ()  # other names that must be unique


def _scope(_tenant: str, values: Mapping[str, Any]) -> Row:
    row = owner_row(values["scope"], values.get("speakers", ()))
    return {**row, "created_at": values.get("created_at")}


def _plugin(_tenant: str, values: Mapping[str, Any]) -> Row:
    plugin = plugin_of(values)
    blank = plugin_properties(replace(plugin, state=PluginState()))["state"]
    properties = plugin_properties(plugin)
    return {
        "scope": plugin.scope,
        "settings": properties["settings"],
        "blank": blank,
        "learned": properties["state"] != blank,
        "values": properties,
    }


def _session(_tenant: str, values: Mapping[str, Any]) -> Row:
    return {"last_sequence": None, **values}


def _node(tenant: str, values: Mapping[str, Any]) -> Row:
    return {**values, "properties": {**values, "tenant": tenant}}


def _reward(tenant: str, values: Mapping[str, Any]) -> Row:
    return {"task_id": None, **_node(tenant, values)}


def _estimate(tenant: str, values: Mapping[str, Any]) -> Row:
    uid = estimate_uid(values["memory_uid"], values["context"])
    return _node(tenant, {**values, "uid": uid})


def _version(tenant: str, values: Mapping[str, Any]) -> Row:
    as_json = {
        name: json.dumps(values[name], ensure_ascii=False, separators=(",", ":"))
        for name in ("structured", "metadata")
        if name in values
    }
    verdict = {"correct": correct_name(values.get("correct"))}
    row = _node(tenant, {**_VERSION_DEFAULTS, **values, **as_json, **verdict})
    return {**{name: row[name] for name in ("uid", "memory_uid", "scope")}, **row}


def _edge(_tenant: str, values: Mapping[str, Any]) -> Row:
    properties = {
        name: datetime.fromisoformat(value) if name in _EDGE_TIMES else value
        for name, value in values.get("properties", {}).items()
    }
    return {**values, "properties": properties}


def _relation(*ends: str) -> Callable[[str, Mapping[str, Any]], Row]:
    def row(_tenant: str, values: Mapping[str, Any]) -> Row:
        said = {name: value for name, value in values.items() if name not in ends}
        return {**values, "properties": said}

    return row


def _retrieval(tenant: str, values: Mapping[str, Any]) -> Row:
    return _relation("scope", "task_id", "memory_uid")(tenant, {"phase": "", **values})


ROWS: dict[RecordType, Callable[[str, Mapping[str, Any]], Row]] = {
    "scope": _scope,
    "membership": _relation("scope", "channel"),
    "relationship": _relation("scope", "other"),
    "plugin": _plugin,
    "expectation": momentum_of_line,
    "session": _session,
    "version": _version,
    "edge": _edge,
    "vote": _relation("scope", "memory_uid"),
    "task": _node,
    "retrieval": _retrieval,
    "reward": _reward,
    "rewarded": _relation("reward_uid", "memory_uid"),
    "estimate": _estimate,
    "credit": _node,
    "cycle": cycle_row("cycle"),
    "visit": cycle_row("visit"),
    "step": cycle_row("step"),
    "patch": cycle_row("patch"),
}
_KNOWN = QUERIES["transfer.find_known"]
_RECORDS = QUERIES["transfer.save_records"]
_TIES = QUERIES["transfer.save_ties"]


def _nothing(_tenant: str, _now: datetime) -> Row:
    return {}


def _sort(save: Query, choice: str, *names: str, **more: Any) -> Sort:
    """Return the sort whose records are found and saved by the same choice."""
    return Sort(_KNOWN.choose(choice), save.choose(choice), names, **more)


SORTS: dict[RecordType, Sort] = {
    "scope": Sort(
        _KNOWN.choose("scopes"),
        QUERIES["memories.save_scopes"],
        ("scope",),
        lambda _tenant, now: {"now": now},
    ),
    "membership": _sort(_TIES, "memberships", "scope", "channel"),
    "relationship": _sort(_TIES, "relationships", "scope", "other"),
    "plugin": Sort(
        _KNOWN.choose("plugins"),
        QUERIES["database.set_values"].choose("plugins"),
        ("scope",),
        _nothing,
        lock=QUERIES["database.lock_nodes"].choose("new_plugins"),
    ),
    "expectation": Sort(
        _KNOWN.choose("momenta"),
        QUERIES["database.set_values"].choose("momenta"),
        ("scope", "context"),
        _nothing,
        lock=QUERIES["database.lock_nodes"].choose("momenta"),
        locks=lambda rows: {
            "rows": sorted(
                ({name: row[name] for name in ("scope", "context", "tenant")} for row in rows),
                key=lambda row: (row["scope"], row["context"]),
            )
        },
    ),
    "session": Sort(
        _KNOWN.choose("sessions"),
        QUERIES["memories.update_sessions"].choose("imported"),
        ("scope", "session_id"),
    ),
    "version": _sort(_RECORDS, "versions", "uid"),
    "edge": Sort(
        _KNOWN.choose("edges"),
        QUERIES["transfer.save_edges"],
        ("from", "to", "edge"),
        ends=("from",),
    ),
    "vote": _sort(_TIES, "votes", "memory_uid", "scope", ends=("memory_uid",)),
    "task": _sort(_RECORDS, "tasks", "scope", "task_id", beside=_nothing),
    "retrieval": _sort(_TIES, "retrievals", "memory_uid", "scope", "task_id", "phase"),
    "reward": _sort(_RECORDS, "rewards", "uid", beside=_nothing),
    "rewarded": _sort(_TIES, "rewarded", "memory_uid", "reward_uid", "seq"),
    "estimate": _sort(_RECORDS, "estimates", "memory_uid", "context", ends=("memory_uid",)),
    "credit": _sort(_RECORDS, "credits", "uid", beside=_nothing),
    "cycle": _sort(_RECORDS, "cycles", "uid", also=("scope", "cycle_id")),
    "visit": _sort(_RECORDS, "visits", "uid", also=("cycle_uid", "key")),
    "step": _sort(_RECORDS, "steps", "uid", also=("cycle_uid", "key")),
    "patch": _sort(_RECORDS, "patches", "uid", also=("cycle_uid", "number")),
}
