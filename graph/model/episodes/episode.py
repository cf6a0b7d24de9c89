"""Episodes as stored: their problem and strategy, budgets of scopes, and removal."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from graph.kernel.values import MAX_TEXT_BYTES, STATES, State
from graph.kernel.words import without_accents
from graph.model.episodes.attempts import Attempt, attempt_of, is_episode
from graph.model.memories.browsing import Removal
from graph.model.memories.memory import Link, Memory, NewMemory
from stratagraph.vocabulary import BudgetPolicy

BY_SERVICE = "episode"  # the `source_type` of a problem or strategy created with an episode
_MOST_NAME = 200
_SHOWN_ACTIONS = 50
_STATED = {"domain": "input", "correct": "output", "model": "metadata"}
_METADATA = frozenset({"tokens_used", "latency_ms", "model", "temperature"})


@dataclass(frozen=True, slots=True)
class Budget:
    """Maximum number and bytes of the episodes of a scope; None is unlimited."""

    episodes: int | None = None
    bytes: int | None = None
    policy: BudgetPolicy = "refuse"

    @property
    def is_open(self) -> bool:
        """Return whether nothing is limited."""
        return self.episodes is None and self.bytes is None


UNBOUNDED = Budget()


@dataclass(frozen=True, slots=True)
class EpisodeCount:
    """Number of episodes in a scope, in any state; ``runs`` counts those of runs."""

    scope: str
    episodes: int = 0
    correct: int = 0
    wrong: int = 0
    active: int = 0
    bytes: int = 0
    problems: int = 0
    strategies: int = 0
    runs: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Attempted:
    """A problem, strategy or concept of an episode, with its counters."""

    uid: str
    edge: str
    kind: str
    text: str
    attempts: int
    successes: int


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Query for episodes of a scope, recorded until ``before``, by ``occurred_at``."""

    scope: str
    before: datetime
    limit: int
    states: tuple[State, ...] = STATES
    domain: str | None = None
    run: str | None = None
    after: tuple[datetime, str] | None = None

    def behind(self, last: Memory) -> EpisodeQuery:
        """Return the query of the next page, after an episode."""
        return replace(self, after=(last.occurred_at, last.uid))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared(Removal):
    """Requested and removed episodes, with their bytes, and the orphans removed with them."""

    bytes: int
    problems: int
    strategies: int


def record_of(memory: Memory) -> dict[str, Any]:
    """Return an episode in the form of its source document: fields in order, unknown ones null.

    Fields that can change apart from the object, verdict and time, are those of the memory.
    """
    said = memory.structured or {}
    asked, output, metadata = (_part(said, name) for name in ("input", "output", "metadata"))
    record: dict[str, Any] = {
        "episode_id": memory.external_id or memory.uid,
        "timestamp": memory.occurred_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "input": {
            "problem": asked.get("problem", memory.text),
            "problem_id": asked.get("problem_id"),
            "domain": memory.domain,
        },
        "trace": [_step(step) for step in _steps(said)],
        "output": {
            "answer": output.get("answer"),
            "correct": memory.correct,
            "confidence": output.get("confidence"),
        },
        "metadata": {
            "tokens_used": metadata.get("tokens_used"),
            "latency_ms": metadata.get("latency_ms"),
            "model": memory.model,
            "temperature": metadata.get("temperature"),
            **{name: value for name, value in metadata.items() if name not in _METADATA},
        },
    }
    if said.get("insight") is not None:
        record["insight"] = said["insight"]
    if memory.tags:
        record["tags"] = list(memory.tags)
    return record


def run_of(memory: Memory | NewMemory) -> str | None:
    """Return the run of an episode, as reported."""
    run = (memory.metadata or {}).get("run")
    return run if isinstance(run, str) else None


def stated_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an episode's object that its memory also has."""
    asked, output, metadata = (_part(record, name) for name in ("input", "output", "metadata"))
    return {
        "domain": _name(asked.get("domain")),
        "correct": output.get("correct") if isinstance(output.get("correct"), bool) else None,
        "model": _name(metadata.get("model")),
    }


def restated(record: Mapping[str, Any], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an episode's object updated to the fields of its memory."""
    said = dict(record)
    for name, value in fields.items():
        said[_STATED[name]] = {**_part(said, _STATED[name]), name: value}
    return said


def repeated_of(row: NewMemory) -> frozenset[str]:
    """Return the fields of an episode that only repeat its object."""
    if row.kind != "episode" or row.structured is None:
        return frozenset()
    tags = row.structured.get("tags")
    said = {
        "text": _part(row.structured, "input").get("problem"),
        "tags": tuple(cast("list[object]", tags)) if isinstance(tags, list) else None,
        **stated_of(row.structured),
    }
    return frozenset(name for name, value in said.items() if value == getattr(row, name))


def with_attempted(row: NewMemory) -> tuple[NewMemory, tuple[NewMemory, ...]]:
    """Link an episode to its problem and strategy; return both, to be created beside it.

    Links of the client are kept instead. Without a verdict an episode has only ``ATTEMPTED`` its problem.
    """
    if row.kind != "episode" or not is_episode(row.structured):
        return row, ()
    said = {link.type for link in row.links}
    beside: list[NewMemory] = []
    links = list(row.links)
    attempt = attempt_of(row.structured)
    problem = problem_of(row, attempt)
    if problem is not None and not said & {"SOLVED", "ATTEMPTED"}:
        beside.append(problem)
        edge = "SOLVED" if row.correct else "ATTEMPTED"
        links.append(Link(edge, f"external:{problem.external_id}"))
    strategy = strategy_of(row, attempt)
    if strategy is not None:
        beside.append(strategy)
        links.append(Link("USED", f"external:{strategy.external_id}"))
    return replace(row, links=tuple(links)), tuple(beside)


def problem_of(row: NewMemory, attempt: Attempt) -> NewMemory | None:
    """Return the problem of an episode; one per id, or per text if it has none."""
    asked = _part(row.structured or {}, "input")
    text = asked.get("problem")
    if not isinstance(text, str) or not text.strip() or len(text.encode()) > MAX_TEXT_BYTES:
        return None
    given = attempt.problem_id
    folded = " ".join(without_accents(text).split())
    name = given or f"text-{_digest(folded)}"
    return _beside(
        row,
        kind="problem",
        text=text,
        external_id=_named("problem", row.domain or "", name),
        structured={"problem_id": given} if given else None,
    )


def strategy_of(row: NewMemory, attempt: Attempt) -> NewMemory | None:
    """Return the strategy of an episode: one per multiset of actions, in any order."""
    actions = Counter(attempt.actions)
    if not actions:
        return None
    counted = sorted(actions.items())  # the name holds for any order; the text is of the first
    shown = [name if times == 1 else f"{name} ×{times}" for name, times in actions.items()]
    more = len(shown) - _SHOWN_ACTIONS
    text = ", ".join(shown[:_SHOWN_ACTIONS]) + (f" and {more} more" if more > 0 else "")
    return _beside(
        row,
        kind="strategy",
        text=text,
        external_id=_named("strategy", row.domain or "", _digest(json.dumps(counted))),
        structured={"actions": dict(counted)},
    )


def _beside(row: NewMemory, **said: Any) -> NewMemory:
    structured = said.get("structured")
    return NewMemory(
        scope=row.scope,
        agent_id=row.agent_id,
        channel_id=row.channel_id,
        user_id=row.user_id,
        domain=row.domain,
        source_type=BY_SERVICE,
        content_type="structured" if structured else "text",
        **said,
    )


def _named(kind: str, domain: str, name: str) -> str:
    if ":" in domain or len(domain) + len(name) > _MOST_NAME:
        return f"{kind}::{_digest(json.dumps([domain, name]))}"
    return f"{kind}:{domain}:{name}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _part(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = said.get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, Mapping) else {}


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _steps(said: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    trace = said.get("trace")
    if not isinstance(trace, Sequence) or isinstance(trace, str):
        return []
    rows = cast("Sequence[object]", trace)
    steps = [cast("Mapping[str, Any]", step) for step in rows if isinstance(step, Mapping)]
    return list(enumerate(steps, 1))


def _step(numbered: tuple[int, Mapping[str, Any]]) -> dict[str, Any]:
    number, step = numbered
    return {
        "step": step.get("step", number),
        "thought": step.get("thought"),
        "action": step.get("action"),
        "observation": step.get("observation"),
    }
