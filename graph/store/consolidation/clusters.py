"""Conversion of clusters and their condensed memories to node properties, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graph.database.rows import from_row
from graph.database.vectors import to_array
from graph.kernel.values import Vector
from graph.model.consolidation.clusters import (
    Condensing,
    Inherited,
    KnownPattern,
    SeenPattern,
    SourceMemory,
    SourceStanding,
)
from graph.model.consolidation.patterns import Happening
from graph.store.memories.properties import new_properties

_DAY_MS = 86_400_000.0


def to_source(row: Mapping[str, Any]) -> SourceMemory:
    """Read a source memory of a cluster from its properties."""
    said = {name: row[name] or None for name in ("agent_id", "session_id", "domain", "phase")}
    filled = {**row, "tags": row["tags"] or (), "metadata": row["metadata"] or "{}"}
    return from_row(SourceMemory, filled, vector=array_of(row), **said)


def to_standing(row: Mapping[str, Any]) -> SourceStanding:
    """Read utility and access counts of a memory."""
    days = {name: row[name] / _DAY_MS for name in ("anchored_at", "grace_until")}
    return from_row(SourceStanding, row, **days)


def array_of(row: Mapping[str, Any]) -> Vector | None:
    """Read the vector of a row, if it has one."""
    return None if row["vector"] is None else to_array(row["vector"])


def condensed_properties(row: Condensing, had: Inherited) -> dict[str, Any]:
    """Return all properties of a condensed memory but its place in the session, which is free only later."""
    return {
        **new_properties(row.prepared, had.q_value, None),
        "q_value": had.q_value,
        "q_count": had.q_count,
        "q_left": had.q_left,
        "q_m2": had.q_m2,
        "initialized_from": "condensed",
        # no source was rewarded: its own history has no earlier base
        **(_checkpoint(had, row.prepared.recorded_at) if had.q_count else {}),
        "retrieval_count": had.retrieval_count,
        "success_count": had.success_count,
        "failure_count": had.failure_count,
        "access_count": had.access_count,
        "surprise": had.surprise,
        "w0": had.weight,
        "grace_until": had.grace_until,
        "last_reward_at": had.last_reward_at,
        "last_accessed_at": had.last_accessed_at,
        "stratum_since": row.prepared.recorded_at,
    }


def _checkpoint(had: Inherited, at: datetime) -> dict[str, Any]:
    """Return the checkpoint of its history, which holds the rewards of its sources."""
    return {
        "q_base": had.q_value,
        "q_base_left": had.q_left,
        "q_base_m2": had.q_m2,
        "q_base_count": had.q_count,
        # sequence numbers continue after those of the sources
        "q_base_seq": had.q_count,
        "q_base_at": at,
    }


def to_happening(row: Mapping[str, Any]) -> Happening:
    """Read what patterns compare of a memory: tags, actions, verdict, content keys, kind."""
    structured: dict[str, Any] = json.loads(row["structured"]) if row["structured"] else {}
    return Happening(
        session=row["session_id"],
        order=row["place"],
        labels=tuple(dict.fromkeys([*row["tags"], *row["actions"]])),
        outcome={"true": True, "false": False}.get(row["correct"]),
        shape=tuple(sorted(structured)),
        kind=row["kind"],
        text=row["text"],
    )


def to_known(row: Mapping[str, Any]) -> KnownPattern:
    """Read a pattern of a scope."""
    structured: dict[str, Any] = json.loads(row["structured"] or "{}")
    items = tuple(structured.get("items", ()))
    type_ = row["type"] if items else None
    return KnownPattern(row["uid"], type_, items, row["support"], row["confidence"], row["kept"])


def pattern_properties(row: SeenPattern) -> dict[str, Any]:
    """Return the properties of a pattern beside its text, as a row of ``database.set_values``."""
    found = row.found
    told = {"pattern_type": found.type, "items": list(found.items), "support": found.support}
    values = {
        "pattern_type": found.type,
        "signature": found.signature,
        "support": found.support,
        "confidence": found.confidence,
        "structured": json.dumps({**told, "confidence": found.confidence}, ensure_ascii=False),
    }
    return {"uid": row.uid, "values": values}


def evidence_link(pattern: str, memory: str) -> dict[str, str | None]:
    """Return an evidence edge from a pattern to a memory."""
    return {"from": pattern, "to": memory, "type": "DERIVED_FROM", "recounts": None}
