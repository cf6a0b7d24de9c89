"""Lessons of executions: counts, patterns, insights and preferences of scopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from graph.model.knowledge import (
    BaseState,
    ContextCounts,
    Correction,
    ErrorCounts,
    ExecutionReport,
    Insight,
    LearnJob,
    ParameterCounts,
    Pattern,
    PatternType,
    Preference,
    ToolCounts,
)

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.links import Lease

T = TypeVar("T")


@dataclass(slots=True)
class Counts:
    """Counts of some keys of one scope, by key; patterns and insights named by ``used`` too."""

    state: BaseState
    tools: dict[str, ToolCounts] = field(default_factory=dict[str, ToolCounts])
    contexts: dict[str, ContextCounts] = field(default_factory=dict[str, ContextCounts])
    errors: dict[str, ErrorCounts] = field(default_factory=dict[str, ErrorCounts])
    parameters: dict[str, ParameterCounts] = field(default_factory=dict[str, ParameterCounts])
    patterns: dict[str, Pattern] = field(default_factory=dict[str, Pattern])
    insights: dict[str, Insight] = field(default_factory=dict[str, Insight])


class CountKeys(Protocol):
    """Keys of what is counted."""

    tools: set[str]
    contexts: set[str]
    errors: set[str]
    parameters: set[str]
    patterns: set[str]
    lengths: set[int]
    used: set[str]


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes that a job makes to one scope.

    ``dropped_patterns`` and ``dropped_insights`` are keys; ``sources`` joins an insight's key to those of the pattern
    or error that it was made from.
    """

    patterns: Sequence[Pattern] = ()
    dropped_patterns: Sequence[str] = ()
    insights: Sequence[Insight] = ()
    dropped_insights: Sequence[str] = ()
    sources: Sequence[tuple[str, str]] = ()
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    parameters: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict[str, "Mapping[str, Any]"]
    )
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """A preference that is written: ``replaces`` and ``taught_by`` are uids."""

    preference: Preference
    replaces: str | None = None
    taught_by: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is sought of some scopes.

    ``words`` are the words of the situation; ``keys`` and ``lengths`` those of its query patterns.
    """

    scopes: tuple[str, ...]
    words: tuple[str, ...]
    keys: tuple[str, ...]
    lengths: tuple[int, ...]
    context: str
    session_id: str
    least_confidence: float
    as_of: datetime
    limit: int


@dataclass(slots=True)
class Found:
    """What was found; ``scores`` are those of the words by uid, and of a tool by its name."""

    scores: dict[str, float] = field(default_factory=dict[str, float])
    patterns: list[Pattern] = field(default_factory=list[Pattern])
    insights: list[Insight] = field(default_factory=list[Insight])
    preferences: list[Preference] = field(default_factory=list[Preference])
    corrections: list[Correction] = field(default_factory=list[Correction])
    tools: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class ToolFacts:
    """Counts of some tools, of one or several scopes taken together."""

    tools: list[ToolCounts] = field(default_factory=list[ToolCounts])
    contexts: list[ContextCounts] = field(default_factory=list[ContextCounts])
    errors: list[ErrorCounts] = field(default_factory=list[ErrorCounts])
    parameters: list[ParameterCounts] = field(default_factory=list[ParameterCounts])


class KnowledgeStore(Protocol):
    """Keeps what executions teach; every write locks its scope first."""

    async def observe(
        self,
        scope: str,
        reports: Sequence[ExecutionReport],
        keys: CountKeys,
        expires_at: datetime,
        apply: Callable[[Counts, Sequence[ExecutionReport]], Sequence[T]],
    ) -> list[T | None]:
        """Count reports in the order given; None for one whose task is known already.

        ``apply`` may be called again after a clash, with counts as they stand then.
        """
        ...

    async def find(self, wanted: Wanted) -> Found:
        """Read what may help with a situation."""
        ...

    async def tool_facts(self, scopes: Sequence[str], tools: Sequence[str]) -> ToolFacts:
        """Read what is known of some tools."""
        ...

    async def list_tools(self, scopes: Sequence[str], limit: int) -> list[ToolCounts]:
        """Read the counts of tools, most used first."""
        ...

    async def patterns(self, scopes: Sequence[str], keys: Sequence[str]) -> list[Pattern]:
        """Read patterns by their keys."""
        ...

    async def list_patterns(
        self, scope: str, pattern_type: PatternType, limit: int
    ) -> list[Pattern]:
        """Read the patterns of one type, most used first."""
        ...

    async def executions(
        self, scopes: Sequence[str], since: datetime, limit: int
    ) -> list[ExecutionReport]:
        """Read the latest executions, newest first."""
        ...

    async def insights(self, scope: str) -> list[Insight]:
        """Read the insights of one scope."""
        ...

    async def errors(self, scope: str, limit: int) -> list[tuple[ErrorCounts, int]]:
        """Read the errors of one scope's tools, each with the calls of its tool."""
        ...

    async def bases(self, scopes: Sequence[str]) -> list[BaseState]:
        """Read how far some scopes have learned."""
        ...

    async def models(
        self, scopes: Sequence[str], known: Sequence[str]
    ) -> list[tuple[str, str, str | None]]:
        """Read scopes' models with their versions; without its text where the version is known."""
        ...

    async def change(
        self, scope: str, lease: Lease | None, decide: Callable[[Counts], Changes]
    ) -> Changes:
        """Change what a scope knows, with all of its patterns and insights read under its lock.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def prefer(
        self,
        scope: str,
        now: datetime,
        decide: Callable[
            [Sequence[Preference], Sequence[Correction]],
            tuple[Sequence[PreferenceChange], Sequence[Correction]],
        ],
        lease: Lease | None = None,
    ) -> tuple[Sequence[PreferenceChange], Sequence[Correction]]:
        """Write preferences and corrections, decided with those that hold read under the lock."""
        ...

    async def due(self, job: LearnJob, before: datetime) -> str | None:
        """Return a scope in which something was observed since a job ran, and where it ran before then."""
        ...

    async def expire(self, now: datetime, before: datetime, limit: int, lease: Lease) -> int:
        """Remove what is over, and what was last used before a time."""
        ...


class KnowledgeSharing(Protocol):
    """Gives what a scope has counted to others, and takes what they have."""

    async def counted(self, scope: str, least: int, new_source: Callable[[], str]) -> Counts:
        """Read what came ``least`` times or more; a scope that has no name for others yet is given one."""
        ...

    async def people(self, scope: str) -> list[str]:
        """Read the ids of the users whose executions a scope holds."""
        ...

    async def adopt(
        self,
        scope: str,
        keys: Mapping[str, Sequence[str]],
        decide: Callable[[Counts], Mapping[str, Sequence[str]]],
    ) -> None:
        """Change counts that a file may touch, under the scope's lock; what then counts nothing is removed.

        ``keys`` are those of the file, ``decide`` returns those of what it changed, both by sort.
        """
        ...
