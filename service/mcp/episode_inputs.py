"""Inputs of the tools that change episodes; the parts of an episode are named as in the document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from service.mcp.inputs import Who
from stratagraph import wire


class AddEpisodeInput(Who):
    """One attempt at one problem."""

    input: wire.EpisodeInput = Field(
        description="What was to be solved: `problem`, and `problem_id` and `domain` if known.",
        examples=[wire.RECORD_EXAMPLE["input"]],
    )
    trace: Annotated[tuple[wire.EpisodeStep, ...], Field(max_length=1000)] = Field(
        default=(),
        description="What you did, in order: `thought`, `action` and `observation` of each step.",
        examples=[wire.RECORD_EXAMPLE["trace"]],
    )
    output: wire.EpisodeOutput | None = Field(
        default=None,
        description="The `answer`, whether it was `correct` (leave out what nobody judged yet), and "
        "your `confidence`, 0 to 1.",
        examples=[wire.RECORD_EXAMPLE["output"]],
    )
    metadata: wire.EpisodeMetadata | None = Field(
        default=None,
        description="What it took: `tokens_used`, `latency_ms`, `model`, `temperature`.",
        examples=[wire.RECORD_EXAMPLE["metadata"]],
    )
    insight: wire.Text | None = Field(
        default=None,
        description="What to learn from it, in one sentence; shown where it is retrieved.",
        examples=["A price times a number is a product."],
    )
    tags: wire.Tags = Field(
        default=(), description="Labels to filter by; at most 64.", examples=[["algebra"]]
    )
    episode_id: wire.Name | None = Field(
        default=None,
        description="Your id: sent again, say with the verdict, it is the same episode.",
        examples=["ep-0001"],
    )
    timestamp: wire.Time | None = Field(
        default=None, description="When it happened, zoned; unset: now."
    )
    run: wire.Name | None = Field(
        default=None, description="The run it is of.", examples=["episodic_20251102_m0_abc123"]
    )
    scope_kind: wire.ScopeKind | None = Field(
        default=None,
        description="Whose it is; unset: the agent's, else the user's, else the channel's.",
        examples=["agent"],
    )


class CollectInput(Who):
    """In which scope to collect, and whether to do it or only say what would go."""

    dry_run: wire.Flag = Field(
        default=True, description="Only say what would go and why; false lets it go."
    )
    limit: Annotated[int, Field(strict=True, ge=0, le=1000)] = Field(
        default=20, description="How many to show one by one, 0 to 1,000.", examples=[20]
    )
    scope_kind: wire.ScopeKind | None = Field(
        default=None,
        description="Whose episodes; unset: the agent's, else the user's, else the channel's.",
        examples=["agent"],
    )


class DeleteInput(Who):
    """Subject to erase."""

    kind: Literal["memory", "session", "user", "agent"] = Field(
        default="memory",
        description="What `name` names: one memory, a session of yours, or a user or an agent with all of "
        "its memories.",
        examples=["memory"],
    )
    name: Annotated[str, StringConstraints(min_length=1, max_length=265)] = Field(
        description="The uid of a memory or external:<its id>; the id of a session, user or agent.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )


class ConsolidateInput(Who):
    """In which scope to consolidate, and whether to do it or only say what would become one."""

    dry_run: wire.Flag = Field(
        default=True, description="Only say what would become one; false makes it so."
    )
    strata: Annotated[tuple[wire.Stratum, ...], Field(max_length=20)] = Field(
        default=(),
        description="Strata whose memories rise; unset: all below semantic.",
        examples=[["working", "short_term"]],
    )
    everything: wire.Flag = Field(
        default=False, description="Whatever lies there, and not only what has earned it."
    )
    limit: Annotated[int, Field(strict=True, ge=0, le=1000)] = Field(
        default=20, description="How many to show one by one, 0 to 1,000.", examples=[20]
    )
    scope_kind: wire.ScopeKind | None = Field(
        default=None,
        description="Whose memories; unset: the agent's, else the user's, else the channel's.",
        examples=["agent"],
    )


class UndoInput(Who):
    """Run to undo."""

    run: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="The `run` of an answer.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
    skip_changed: wire.Flag = Field(
        default=False,
        description="Bring back the rest where some was changed or removed since; else nothing is.",
    )
