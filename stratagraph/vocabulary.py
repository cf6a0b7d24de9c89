"""Values that fields of requests, answers and the graph may have, by room.

The graph's model and the wire models take them from here.
"""

from __future__ import annotations

from typing import Literal

ScopeKind = Literal["agent", "channel", "user", "shared"]
Kind = Literal[
    "observation", "problem", "episode", "concept", "strategy", "pattern", "insight", "preference"
]
BuiltInStratum = Literal["working", "short_term", "episodic", "long_term", "semantic"]
State = Literal["active", "archived", "hidden"]
PhaseName = Literal["observation", "reasoning", "planning", "action", "reflection"]
ContentType = Literal["text", "structured", "embedding"]
Status = Literal["success", "failure", "partial", "timeout"]
LinkType = Literal["SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM"]
SaveStatus = Literal["created", "updated", "unchanged", "duplicate", "rejected"]

# memories
PageOrder = Literal["newest", "oldest"]
Grouping = Literal["kind", "stratum", "state", "session", "agent"]
EdgeType = Literal[
    "NEXT",
    "SIMILAR_TO",
    "REQUIRES",
    "SOLVED",
    "ATTEMPTED",
    "USED",
    "DERIVED_FROM",
    "SUPERSEDES",
    "VERSION_OF",
    "MENTIONS",
]
FoundBy = Literal["stated", "detected"]

# utility
Door = Literal["http", "mcp"]
ConfigSource = Literal["runtime", "environment", "default"]
UtilityGrouping = Literal["agent", "channel", "phase", "stratum", "kind"]
EventName = Literal[
    "memory:qvalue_updated",
    "memory:qvalue_batch_updated",
    "memory:reward_attributed",
    "memory:tracked",
    "memory:utility_retrieval_completed",
    "memory:utility_config_updated",
    "concept:extracted",
    "concept:archived",
    "memory:strata_config_updated",
    "memory:surprised",
    "memory:superseded",
    "agent:surprised",
]

# episodes
EpisodeOrder = Literal[
    "newest",
    "oldest",
    "slowest",
    "fastest",
    "most_tokens",
    "fewest_tokens",
    "most_confident",
    "least_confident",
    "most_steps",
    "fewest_steps",
    "highest_temperature",
    "lowest_temperature",
    "most_similar",
]
EpisodeMeasure = Literal[
    "attempts",
    "success_rate",
    "failure_rate",
    "mean_tokens",
    "total_tokens",
    "mean_latency",
    "mean_confidence",
    "mean_steps",
]
EpisodeGrouping = Literal[
    "domain",
    "model",
    "strategy",
    "concept",
    "action",
    "problem",
    "agent",
    "session",
    "day",
    "week",
    "month",
]
CollectReason = Literal["duplicate", "low_confidence", "never_useful"]
CollectionState = Literal["running", "done", "undoing", "undone", "purged", "erased"]
BudgetPolicy = Literal["refuse", "evict"]
RetrievalMode = Literal["episodic", "dual", "structured", "graph", "all"]
"""*Memory Design for Self-Evolving Reasoning*: M0, the variants A, B and C, and all of them."""
AttemptRole = Literal["success", "failure", "unjudged"]

# strata
TransitionAction = Literal["promote", "demote", "archive", "purge", "delete"]
TransitionReason = Literal[
    "score_reached",
    "score_too_low",
    "time_over",
    "over_capacity",
    "over_capacity_evidence",
    "asked",
]
GateState = Literal["running", "done", "undoing", "undone", "erased"]
MoveDirection = Literal["promote", "demote"]
PluginKind = Literal["ema", "symbolic", "decision", "multidimensional"]
DecisionMode = Literal["unigram", "bigram"]
CognitiveSystem = Literal["SYSTEM_1", "SYSTEM_2"]
MemoryProfile = Literal["MILLER_STANDARD", "COWAN_CONSERVATIVE", "EXTENDED_CONTEXT", "MINIMAL"]
SourceType = Literal["PROMOTED_FROM", "DERIVED_FROM", "PUBLISHED_FROM"]
SurpriseType = Literal[
    "prediction_failure",
    "novel_pattern",
    "anomaly",
    "context_mismatch",
    "performance_deviation",
    "unexpected_error",
    "unexpected_success",
]
SurpriseGround = Literal["quotient", "deviation", "learned", "novelty"]
SurpriseForm = Literal["fixed", "learned"]

# consolidation
ConsolidationState = Literal["planning", "running", "done", "undoing", "undone", "purged", "erased"]
ClusterState = Literal["planned", "condensed", "skipped", "undone", "kept", "purged"]
ProfileGroup = Literal["facts", "preferences", "relations", "decisions", "notes"]

# sharing
CopyStatus = Literal["created", "updated", "unchanged"]

# erasure
ErasureKind = Literal["agent", "session", "user", "memory", "memories"]
ErasureState = Literal["running", "done"]
ErasureStage = Literal["hide", "spread", "restore", "events", "remove", "sweep", "rewards", "check"]
FlawKind = Literal[
    "versions",
    "estimates",
    "credits",
    "transitions",
    "surprises",
    "rewards",
    "visits",
    "steps",
    "patches",
    "parts",
    "counts",
    "bases",
    "copies",
    "marked",
    "stranded",
    "homeless",
    "sessions",
    "terms",
    "degrees",
    "validity",
    "vectors",
]

# cycles
CycleState = Literal["open", "completed", "abandoned"]
Mode = Literal["solver", "verifier", "repair"]
Steer = Literal["RE_OBSERVE", "EXTEND_REASONING", "INJECT_CONTEXT", "RECONSIDER_PLAN", "NO_ACTION"]
PatchState = Literal["incomplete", "proposed", "applied", "verified", "refuted"]
EvidenceKind = Literal["repaired", "pattern", "similar", "patch", "tool_error"]
LoopRule = Literal["promote", "abstract", "failing", "stale"]
CheckerName = Literal[
    "arithmetic",
    "grounding",
    "answer",
    "consistency",
    "json_schema",
    "regex",
    "unit_range",
    "sql",
    "http_status",
    "callback",
]
Verdict = Literal["passed", "failed", "undecided"]

# knowledge
PatternType = Literal["query_pattern", "plan_pattern", "tool_sequence", "error_pattern"]
InsightType = Literal["rule", "optimization", "warning", "pattern", "best_practice"]
MemoryType = Literal["patterns", "tool_memory", "insights", "preferences"]
PreferenceKind = Literal["tool", "parameter", "workflow", "error_handling"]

# engines
Engine = Literal["utility", "weighted", "saliency", "basic", "actr", "generative"]
