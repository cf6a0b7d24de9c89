"""Consolidations: requests, clusters, runs, and agreements."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from stratagraph.vocabulary import ClusterState, ConsolidationState
from stratagraph.wire.kernel.base import Answer
from stratagraph.wire.kernel.runs import RunRequest, RunView
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, Stratum, StratumName
from stratagraph.wire.sharing.models import DisputeView, GatheredView


class ConsolidateRequest(RunRequest):
    """Memories of a scope to consolidate, and whether to do it or only to plan it."""

    strata: tuple[Stratum, ...] = Field(
        default=(),
        max_length=20,
        description="Strata whose memories rise; unset: all below `semantic`.",
        examples=[["working", "short_term"]],
    )
    everything: Flag = Field(
        default=False,
        description="Whatever lies there, and not only what has earned it; `long_term` if named.",
        examples=[False],
    )


class ClusterView(Answer):
    """Memories to condense into one, or their condensed memory."""

    condensed: str | None = Field(
        description="The one memory; null where the cluster was skipped.", examples=[UID_EXAMPLE]
    )
    state: ClusterState = Field(
        description="skipped: changed meanwhile, or nothing to gain; kept: changed since, at the undo.",
        examples=["condensed"],
    )
    from_stratum: StratumName = Field(
        description="Stratum of the memories that were condensed.", examples=["episodic"]
    )
    to_stratum: StratumName = Field(
        description="Stratum of the memory that they became.", examples=["long_term"]
    )
    sources: tuple[str, ...] = Field(
        description="The memories, in the order in which they are told.", examples=[[UID_EXAMPLE]]
    )
    chars_before: int = Field(description="Characters of their texts.", examples=[412])
    chars_after: int = Field(description="Characters of the one text.", examples=[275])
    text: str | None = Field(
        default=None,
        description="What the one memory would say, of a dry run; a language model may word it anew.",
        examples=["Nora: The oven is delivered on 31 March."],
    )


class ConsolidationView(RunView[ConsolidationState]):
    """A consolidation."""

    state: ConsolidationState = Field(
        description="done: it can be undone until `undo_until`; purged: its sources are gone.",
        examples=["done"],
    )
    strata: tuple[StratumName, ...] = Field(
        description="Strata whose memories rose.", examples=[["working", "short_term"]]
    )
    everything: bool = Field(
        description="Whether it did not ask what has earned it.", examples=[False]
    )
    undo_until: datetime = Field(description="Until when it can be undone.", examples=[NOW])
    purge_at: datetime | None = Field(
        default=None, description="From when its sources are removed for good.", examples=[NOW]
    )
    counts: dict[str, int] = Field(
        description="What it did: looked, clusters, condensed, skipped, sources, restored, purged, "
        "patterns, agreements, withdrawn, disagreements, chars_before, chars_after; 0 is left out.",
        examples=[{"clusters": 12, "condensed": 11, "sources": 22, "skipped": 1}],
    )


class PatternView(Answer):
    """Something that recurs across sessions."""

    type: Literal["sequential", "causal", "correlational", "structural"] = Field(
        description="How it recurs.", examples=["sequential"]
    )
    text: str = Field(
        description="What it says.", examples=["`deploy` is usually followed by `rollback`."]
    )
    support: int = Field(description="In how many sessions.", examples=[9])
    confidence: float = Field(description="In [0, 1]; by type another measure.", examples=[0.9])
    signature: str = Field(
        description="The same for the same pattern in every scope.", examples=["9f2c"]
    )


class ConsolidateAnswer(Answer):
    """Plan or result of a consolidation."""

    scope: str = Field(description="In whose memory.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[True])
    looked: int = Field(description="Memories looked at.", examples=[120])
    total: int = Field(description="Clusters planned.", examples=[12])
    sources: int = Field(description="Memories in them.", examples=[23])
    items: tuple[ClusterView, ...] = Field(
        description="The first clusters, as planned or as they are after the run; the most lasting stratum first.",
        examples=[[]],
    )
    patterns: tuple[PatternView, ...] = Field(
        description="What recurs across sessions and is not known so yet.", examples=[[]]
    )
    agreements: tuple[GatheredView, ...] = Field(
        default=(), description="What agents of a channel agree on by now.", examples=[[]]
    )
    disagreements: tuple[DisputeView, ...] = Field(
        default=(),
        description="What contradicts each other there and is not known so yet.",
        examples=[[]],
    )
    run: ConsolidationView | None = Field(
        default=None,
        description="The run, if there was one; `running` after 20 seconds, and the worker goes on.",
        examples=[None],
    )
    reason: str | None = Field(
        default=None,
        description="Why nothing was condensed, or would be; none where something is.",
        examples=["nothing lies in working"],
    )


class AgreeAnswer(Answer):
    """Statements that the agents of a channel agree on or dispute, and the run that gathered them."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[True])
    looked: int = Field(description="Statements that were compared.", examples=[40])
    agreements: tuple[GatheredView, ...] = Field(
        description="What several say, where that differs from what is known.", examples=[[]]
    )
    disagreements: tuple[DisputeView, ...] = Field(
        description="What contradicts each other and is not known so yet.", examples=[[]]
    )
    run: ConsolidationView | None = Field(
        default=None,
        description="The consolidation that gathered it, if there was one; it can be undone as any other.",
        examples=[None],
    )


class ConsolidationsAnswer(Answer):
    """Runs, the latest first."""

    items: tuple[ConsolidationView, ...] = Field(description="The runs.", examples=[[]])


class ConsolidationAnswer(ConsolidationView):
    """A run with its clusters."""

    items: tuple[ClusterView, ...] = Field(
        description="The first clusters, in the order of the plan.", examples=[[]]
    )
