"""Knowledge from executions: reports, counts, insights and preferences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeVar

from stratagraph.vocabulary import InsightType, PatternType, PreferenceKind
from stratagraph.vocabulary import MemoryType as MemoryType

InsightOrigin = Literal["manual", "pattern", "error", "import"]
PreferenceSource = Literal["stated", "correction", "behaviour"]
LearnJob = Literal["patterns", "tools", "insights"]
LEARN_JOBS: tuple[LearnJob, ...] = ("patterns", "tools", "insights")

LONGEST_VALUE = 100
MOST_EVIDENCE = 20
MOST_VALUES = 32
MOST_CONTEXTS = 32
MOST_SOLUTIONS = 16
MOST_WAYS = 16
NO_CONTEXT = ""

_WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)

Share = tuple[int, int]
"""Successes and failures."""
Part = Mapping[str, Any]
"""Counts that somebody else brought to a node, by their names, as JSON holds them."""


class Evidence(NamedTuple):
    """Task behind a pattern or an insight: ``outcome`` is `success` or `failure`."""

    task_id: str
    plan_id: str
    outcome: str
    at: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Call of a tool; ``said`` and ``thought`` are the words of others and of the agent just before it."""

    tool: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ok: bool = True
    duration_ms: float | None = None
    retries: int = 0
    error: str = ""
    context: str = ""
    said: tuple[str, ...] = ()
    thought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExecutionReport:
    """Report of one task: goal, plan, steps and outcome.

    ``used`` are the uids of patterns and insights that the agent followed.
    """

    task_id: str
    occurred_at: datetime
    ok: bool
    query: str = ""
    context: str = NO_CONTEXT
    plan_id: str = ""
    goal: str = ""
    plan: tuple[str, ...] = ()
    thought: str = ""
    steps: tuple[Step, ...] = ()
    duration_ms: float | None = None
    session_id: str = ""
    agent_id: str = ""
    user_id: str = ""
    used: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[str, ...]:
        """Tools of its steps, in order."""
        return tuple(step.tool for step in self.steps)


@dataclass(slots=True, kw_only=True)
class Counted:
    """Counts of uses; durations in milliseconds, ``buckets`` by `bucket_of`.

    ``confidence`` is the lower bound of the success rate; ``shared`` are imported parts of the counts, by source.
    """

    key: str
    scope: str = ""
    success_rate: float = 0.0
    confidence: float = 0.0
    uses: int = 0
    successes: int = 0
    timed: int = 0
    duration_mean: float = 0.0
    duration_squares: float = 0.0
    buckets: dict[int, int] = field(default_factory=dict[int, int])
    first_seen: datetime | None = None
    last_used: datetime | None = None
    shared: dict[str, Part] = field(default_factory=dict[str, Part])

    @property
    def failures(self) -> int:
        """Uses without success."""
        return self.uses - self.successes

    @property
    def mean_ms(self) -> float | None:
        """Mean duration; None if none was reported."""
        return self.duration_mean if self.timed else None


@dataclass(slots=True, kw_only=True)
class ToolCounts(Counted):
    """Calls of a tool; ``after`` counts the tools called next, and successes of these calls.

    It was called in ``tasks``, of which ``solved`` succeeded.
    """

    tool: str
    words: str = ""
    retries: int = 0
    starts: int = 0
    tasks: int = 0
    solved: int = 0
    after: dict[str, Share] = field(default_factory=dict[str, Share])
    last_analyzed: datetime | None = None


@dataclass(slots=True, kw_only=True)
class ContextCounts(Counted):
    """Calls of a tool in one context, and the tasks of these calls."""

    tool: str
    context: str
    tasks: int = 0
    solved: int = 0


@dataclass(slots=True, kw_only=True)
class ErrorCounts(Counted):
    """Failures of a tool with one error: contexts, values, and following calls that succeeded.

    ``solutions`` counts successes and failures of the tool afterwards.
    """

    tool: str
    error: str
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    solutions: dict[str, Share] = field(default_factory=dict[str, Share])
    culprits: dict[str, int] = field(default_factory=dict[str, int])
    evidence: list[Evidence] = field(default_factory=list[Evidence])


@dataclass(slots=True, kw_only=True)
class ParameterCounts(Counted):
    """Calls of a tool with one parameter: successes and failures by value and by the value's shape."""

    tool: str
    parameter: str
    values: dict[str, Share] = field(default_factory=dict[str, Share])
    shapes: dict[str, Share] = field(default_factory=dict[str, Share])


@dataclass(slots=True, kw_only=True)
class Pattern(Counted):
    """Pattern of queries, plans, tool calls or errors; ``general`` ones were found over several queries.

    ``length`` is the number of words of a query pattern; ``steps_total`` counts the steps of all its uses. ``ways`` counts
    successes and failures of a query pattern by sequence of tools, and ``steps`` are the surest of them.
    """

    uid: str = ""
    pattern_type: PatternType
    pattern: str
    goal: str = ""
    steps: list[str] = field(default_factory=list[str])
    ways: dict[str, Share] = field(default_factory=dict[str, Share])
    words: str = ""
    length: int = 0
    general: bool = False
    mined: bool = False
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    reliability: float = 0.0
    steps_total: int = 0
    reused: int = 0
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    validated_at: datetime | None = None
    validated_uses: int = 0
    validated_successes: int = 0

    @property
    def context(self) -> str:
        """Its most frequent context."""
        return max(self.contexts, key=lambda name: (self.contexts[name], name), default="")


@dataclass(slots=True, kw_only=True)
class Insight:
    """Rule, optimisation, warning, pattern or best practice, with its evidence.

    ``prior`` is the initial confidence; ``confirmed`` and ``contradicted`` count later evidence.
    """

    uid: str
    key: str
    scope: str = ""
    insight_type: InsightType
    insight: str
    rule: str = ""
    origin: InsightOrigin = "manual"
    agents: list[str] = field(default_factory=list[str])
    contexts: list[str] = field(default_factory=list[str])
    conditions: dict[str, Any] = field(default_factory=dict[str, Any])
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    prior: float = 0.5
    confidence: float = 0.5
    evidence_strength: float = 0.0
    confirmed: int = 0
    contradicted: int = 0
    seen_uses: int = 0
    seen_successes: int = 0
    validated: bool = False
    validated_at: datetime | None = None
    validated_by: str = ""
    usage_count: int = 0
    last_used: datetime | None = None
    created_at: datetime | None = None
    last_updated: datetime | None = None
    user_id: str = ""
    session_id: str = ""
    words: str = ""


@dataclass(slots=True, kw_only=True)
class Said:
    """Words of a person or agent, with their context, set of preferences and, if valid only there, session."""

    uid: str
    context: str = ""
    user_context: str = "default"
    lesson: str = ""
    scope: str = ""
    session_id: str = ""
    user_id: str = ""


@dataclass(slots=True, kw_only=True)
class Preference(Said):
    """Preference of one user or agent; ``valid_to`` in the year 9999 marks the current one.

    A session's preference names it; ``confirmed`` of ``judged`` corrections or runs agreed.
    """

    kind: PreferenceKind
    name: str
    value: Any
    source: PreferenceSource = "stated"
    score: float = 1.0
    confirmed: int = 1
    judged: int = 1
    valid_from: datetime
    valid_to: datetime
    expires_at: datetime


@dataclass(slots=True, kw_only=True)
class Correction(Said):
    """Correction by a user, and its lesson."""

    original: Any
    corrected: Any
    at: datetime


@dataclass(slots=True, kw_only=True)
class BaseState:
    """Learning state of one scope: last run and report of each job, and the next-tool model.

    ``source`` is the name under which it shares, ``sources`` the imported ones, with the time of the last import.
    ``asked_at`` is the time of the last lock by a writer, without which nothing changes.
    """

    scope: str
    executions: int = 0
    steps: int = 0
    reused: int = 0
    failed_steps: int = 0
    changed_at: datetime | None = None
    asked_at: datetime | None = None
    patterns_at: datetime | None = None
    tools_at: datetime | None = None
    insights_at: datetime | None = None
    reports: dict[str, Any] = field(default_factory=dict[str, Any])
    held: dict[str, Share] = field(default_factory=dict[str, Share])
    months: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    source: str = ""
    sources: dict[str, str] = field(default_factory=dict[str, str])


def written(value: Any) -> str:
    """Return a value as text; equal values give equal texts.

    >>> [written(x) for x in ("HAN", 2, True, {"b": 1, "a": [2]})]
    ['HAN', '2', 'true', '{"a":[2],"b":1}']
    """
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    return _WRITER.encode(value)[:LONGEST_VALUE]


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


@dataclass(slots=True)
class Keys:
    """Keys affected by reports; ``templates`` are the words of their queries, ``lengths`` the numbers of words."""

    tools: set[str] = field(default_factory=set[str])
    contexts: set[str] = field(default_factory=set[str])
    errors: set[str] = field(default_factory=set[str])
    parameters: set[str] = field(default_factory=set[str])
    patterns: set[str] = field(default_factory=set[str])
    lengths: set[int] = field(default_factory=set[int])
    templates: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    used: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes by a job to one scope.

    ``dropped_patterns`` and ``dropped_insights`` are keys; ``sources`` maps an insight's key to those of its pattern or
    error.
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
    """A preference to write: ``replaces`` and ``taught_by`` are uids."""

    preference: Preference
    replaces: str | None = None
    taught_by: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Query for knowledge in some scopes.

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
    """Found knowledge; ``scores`` are those of the word search by uid, and of tools by name."""

    scores: dict[str, float] = field(default_factory=dict[str, float])
    patterns: list[Pattern] = field(default_factory=list[Pattern])
    insights: list[Insight] = field(default_factory=list[Insight])
    preferences: list[Preference] = field(default_factory=list[Preference])
    corrections: list[Correction] = field(default_factory=list[Correction])
    tools: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class ToolFacts:
    """Counts of some tools, merged over scopes."""

    tools: list[ToolCounts] = field(default_factory=list[ToolCounts])
    contexts: list[ContextCounts] = field(default_factory=list[ContextCounts])
    errors: list[ErrorCounts] = field(default_factory=list[ErrorCounts])
    parameters: list[ParameterCounts] = field(default_factory=list[ParameterCounts])
