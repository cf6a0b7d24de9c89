"""Attempts at problems: their stored properties and their filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from graph.kernel.actions import action_names
from graph.model.recall.candidates import Window

UNKNOWN = -1  # of a number that was not reported: an absent property fails every range


@dataclass(frozen=True, slots=True)
class Attempt:
    """Filterable properties of one attempt; unreported numbers are ``UNKNOWN``."""

    problem_id: str = ""
    tokens_used: int = UNKNOWN
    latency_ms: float = UNKNOWN
    confidence: float = UNKNOWN
    temperature: float = UNKNOWN
    step_count: int = UNKNOWN
    actions: tuple[str, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A range of numbers, both ends inclusive; None is an open end."""

    least: float | None = None
    most: float | None = None

    @property
    def is_open(self) -> bool:
        """Return whether every number passes, including unknown ones."""
        return self.least is None and self.most is None


@dataclass(frozen=True, slots=True)
class Names:
    """Accepted and rejected values of a name; a missing name only passes ``none``."""

    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    @classmethod
    def of(cls, *names: str | None) -> Names:
        """Return a filter that accepts some names; None accepts all."""
        return cls(tuple(dict.fromkeys(name for name in names if name is not None)))

    @property
    def is_open(self) -> bool:
        """Return whether every name passes."""
        return not (self.any or self.none)

    @property
    def one(self) -> str | None:
        """The accepted name, if it is only one."""
        return self.any[0] if len(self.any) == 1 and not self.none else None


LISTS = ("tags_any", "tags_all", "tags_none", "actions_any", "actions_all", "actions_none")
"""Filters by what an episode has several of."""
NAMED = ("domain", "model", "agent_id", "session_id", "problem_id")
"""Filters by what an episode has one of."""
ANY = Bound()
ANY_NAME = Names()
ALWAYS = Window()


@dataclass(frozen=True, slots=True)
class EpisodeFilters:
    """Filters for episodes; the defaults accept every active, currently valid one.

    ``verdicts`` contains True, False, and None for unjudged ones. A bound rejects unknown numbers; ``…_none`` accepts
    missing tags and actions.
    """

    verdicts: tuple[bool | None, ...] = (True, False, None)
    domain: Names = ANY_NAME
    model: Names = ANY_NAME
    agent_id: Names = ANY_NAME
    session_id: Names = ANY_NAME
    problem_id: Names = ANY_NAME
    occurred: Window = ALWAYS
    tokens_used: Bound = ANY
    latency_ms: Bound = ANY
    confidence: Bound = ANY
    temperature: Bound = ANY
    step_count: Bound = ANY
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    tags_none: tuple[str, ...] = ()
    actions_any: tuple[str, ...] = ()
    actions_all: tuple[str, ...] = ()
    actions_none: tuple[str, ...] = ()

    @property
    def by_keys(self) -> bool:
        """Return whether tags or actions are filtered, which the vector index cannot do."""
        return any(getattr(self, name) for name in LISTS)


def is_episode(structured: Mapping[str, Any] | None) -> bool:
    """Return whether an object is an episode as defined in *Memory Design for Self-Evolving Reasoning*."""
    return structured is not None and "problem" in _part(structured, "input")


def attempt_of(structured: Mapping[str, Any] | None) -> Attempt:
    """Read the filterable properties from an episode's object; missing or malformed ones are unknown."""
    if structured is None:
        return Attempt()
    trace = structured.get("trace")
    metadata = _part(structured, "metadata")
    return Attempt(
        problem_id=_text(_part(structured, "input").get("problem_id")),
        tokens_used=int(_number(metadata.get("tokens_used"))),
        latency_ms=_number(metadata.get("latency_ms")),
        confidence=_number(_part(structured, "output").get("confidence")),
        temperature=_number(metadata.get("temperature")),
        step_count=len(steps) if (steps := _steps(trace)) or isinstance(trace, list) else UNKNOWN,
        answer=_label(_part(structured, "output").get("answer")),
        actions=tuple(name for step in steps for name in action_names(_text(step.get("action")))),
    )


def _part(structured: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = structured.get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, Mapping) else {}


def _steps(trace: object) -> list[Mapping[str, Any]]:
    if not isinstance(trace, Sequence) or isinstance(trace, str):
        return []
    rows = cast("Sequence[object]", trace)
    return [cast("Mapping[str, Any]", step) for step in rows if isinstance(step, Mapping)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _label(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return float(UNKNOWN)
    return float(value) if 0 <= value < 2**53 else float(UNKNOWN)
