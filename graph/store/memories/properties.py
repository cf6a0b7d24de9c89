"""Conversion of memories to node properties, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from graph.database.keys import correct_name, filter_keys, folded, integer_key
from graph.kernel.scope import hashed_key, tenant_of
from graph.kernel.values import BEGINNING, END
from graph.kernel.words import without_accents
from graph.model.episodes.attempts import Attempt, attempt_of, is_episode
from graph.model.episodes.episode import run_of
from graph.model.memories.browsing import Version
from graph.model.memories.memory import CONTENT, Amendment, Memory, NewMemory, PreparedMemory
from graph.model.utility.config import UtilityConfig

FIRST_Q = UtilityConfig().q_default  # meaning of an absent `q_init`

_SENTINELS = {"valid_from": BEGINNING, "valid_to": END, "expires_at": END}
_TIMES = (
    "recorded_at",
    "replaced_at",
    "occurred_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "last_reward_at",
    "last_accessed_at",
    "published_at",
)


def content(memory: PreparedMemory | Amendment) -> dict[str, Any]:
    """Return the content of a memory as properties; an update replaces all of it.

    Filtered properties are never absent, as an absent property fails every range. Only ``occurred_at`` may be: an
    update without it keeps the stored one.
    """
    return _stored_content(memory, memory.new)


def _stored_content(memory: PreparedMemory | Amendment, new: NewMemory) -> dict[str, Any]:
    attempt = attempt_of(new.structured) if new.kind == "episode" else Attempt()
    structured, metadata = _json(new.structured), _json(new.metadata)
    said = {
        **{name: getattr(new, name) for name in CONTENT},
        "kind": new.kind,
        "text": new.text,
        "context_text": new.text,
        "folded_text": _search_properties(new),
        "content_type": new.content_type,
        "structured": structured,
        "stratum": new.stratum,
        "state": memory.state,
        "importance": new.importance,
        "tags": list(new.tags),
        "keys": filter_keys(new, memory.state, memory.recorded_at, attempt.actions),
        "domain": new.domain or "",
        "domain_key": integer_key(new.domain),
        "phase": new.phase or "",
        "model": new.model or "",
        "model_key": integer_key(new.model),
        "correct": correct_name(new.correct),
        "occurred_at": new.occurred_at,
        "valid_from": new.valid_from or BEGINNING,
        "valid_to": new.valid_to or END,
        "expires_at": new.expires_at or END,
        "recorded_at": memory.recorded_at,
        "unlinked_since": None if _is_attempt(new) else memory.recorded_at,
        "metadata": metadata,
        "content_hash": memory.content_hash,
    }
    if new.kind == "episode":
        said |= _attempted(new, attempt)
        said["stored_bytes"] = _bytes(new.text, structured, metadata)
    return said


def _search_properties(new: NewMemory) -> str | None:
    """Return the full-text properties of a memory beside its text: the text without accents, and tags."""
    tags = " ".join(tag.replace("_", " ") for tag in new.tags)
    return " ".join(filter(None, [folded(new.text), without_accents(tags)])) or None


def _is_attempt(new: NewMemory) -> bool:
    """Return whether an episode is linked to its problem, and so needs no links of its own."""
    return new.kind == "episode" and is_episode(new.structured)


def _attempted(new: NewMemory, attempt: Attempt) -> dict[str, Any]:
    """Return the properties by which an episode is filtered and counted."""
    return {
        "problem_id": attempt.problem_id,
        "problem_key": integer_key(attempt.problem_id),
        "tokens_used": attempt.tokens_used,
        "latency_ms": attempt.latency_ms,
        "confidence": attempt.confidence,
        "temperature": attempt.temperature,
        "step_count": attempt.step_count,
        "actions": list(attempt.actions),
        "attempt_key": _attempt_key(new, attempt) if is_episode(new.structured) else 0,
        "run": run_of(new) or "",
    }


def stored_bytes(new: NewMemory | Memory) -> int:
    """Return the bytes of an episode in the budget of its scope."""
    return _bytes(new.text, _json(new.structured), _json(new.metadata))


def _bytes(*parts: str | None) -> int:
    return sum(len(part.encode()) for part in parts if part)


def _attempt_key(new: NewMemory, attempt: Attempt) -> int:
    """Return what makes two attempts equal: problem, actions in order, verdict and answer."""
    problem = attempt.problem_id or " ".join(without_accents(new.text).split())
    same = [problem, new.domain, attempt.actions, new.correct, without_accents(attempt.answer)]
    return integer_key(json.dumps(same))


def new_properties(
    memory: PreparedMemory, q_default: float, sequence: int | None
) -> dict[str, Any]:
    """Return all properties of a new memory."""
    new = memory.new
    if new.occurred_at is None:
        new = replace(new, occurred_at=memory.recorded_at)
    first_q = q_default if new.initial_q is None else new.initial_q
    return {
        **_stored_content(memory, new),
        "uid": memory.uid,
        "revision": 1,
        "external_id": new.external_id,
        "tenant": tenant_of(new.scope),
        "scope": new.scope,
        "scope_key": hashed_key(new.scope),
        "agent_id": new.agent_id or "",
        "agent_key": integer_key(new.agent_id),
        "channel_id": new.channel_id,
        "user_id": new.user_id,
        "session_id": new.session_id or "",
        "session_key": integer_key(new.session_id),
        "sequence": sequence,
        "q_value": first_q,
        "q_count": 0,
        "q_m2": 0.0,
        "q_init": None if first_q == FIRST_Q else first_q,
        "initialized_from": _origin(new),
        "retrieval_count": 0,
        "success_count": 0,
        "failure_count": 0,
        "access_count": 0,
        "w0": 1.0,
        "w_at": memory.recorded_at,
        "surprise": new.surprised and new.surprised.surprise,
        "grace_until": new.surprised and new.surprised.grace_until,
    }


def _origin(new: NewMemory) -> str:
    if new.initial_q is None:
        return "default"
    return "manual" if new.surprised is None else "surprise"


def to_memory(row: Mapping[str, Any]) -> Memory:
    """Read a memory from node properties."""
    values = stored_values(row, Memory.__dataclass_fields__)
    given = row.get("held_until")
    if given is not None and given.to_native() != END:
        values["valid_to_given"] = given.to_native()
    elif given is None:
        values["valid_to_given"] = values.get("valid_to")
    return Memory(**values)


def to_version(row: Mapping[str, Any]) -> Version:
    """Read a version of a memory from properties."""
    return Version(**stored_values(row, Version.__dataclass_fields__))


def stored_values(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Convert stored properties to values; empty names and open ends are left out."""
    values = {name: row[name] for name in names if row.get(name) is not None}
    for name in ("agent_id", "session_id", "domain", "phase", "model", "correct"):
        if values.get(name) == "":
            del values[name]
    for name in _TIMES:
        if name in values:
            values[name] = values[name].to_native()
    for name, sentinel in _SENTINELS.items():
        if values.get(name) == sentinel:
            del values[name]
    for name in ("structured", "metadata"):
        if name in values:
            values[name] = json.loads(cast("str", values[name]))
    if "correct" in values:
        values["correct"] = values["correct"] == "true"
    values["tags"] = tuple(values.get("tags", ()))
    return values


def _json(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
