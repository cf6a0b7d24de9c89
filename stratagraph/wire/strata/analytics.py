"""Statistics of strata, and sources of a memory."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import Kind, SourceType, State
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, StratumName


class StrataAnalyticsRequest(Identity):
    """Request for statistics of strata, over all that the caller reads."""

    days: Annotated[int, Field(ge=1, le=365)] = Field(
        default=30, description="How far back to look, 1 to 365.", examples=[30]
    )


class PopulationView(Answer):
    """Current memories of a stratum."""

    stratum: StratumName = Field(description="StratumName that is counted.", examples=["episodic"])
    active: int = Field(description="Memories in it.", examples=[812])
    archived: int = Field(description="Memories that left recall from it.", examples=[40])
    characters: int = Field(description="Of the texts of the active ones.", examples=[96_000])


class PopulationDayView(Answer):
    """Memories of the strata at the end of a day."""

    day: str = Field(description="The day (UTC).", examples=["2026-05-01"])
    active: dict[str, int] = Field(
        description="Memories by stratum; deleted ones in none.", examples=[{"episodic": 812}]
    )


class FlowView(Answer):
    """Memories that were added, moved or removed on a day."""

    day: str = Field(description="The day (UTC).", examples=["2026-05-01"])
    action: str = Field(
        description="store, promote, demote, archive, purge, condense, or undo.",
        examples=["promote"],
    )
    from_stratum: StratumName | None = Field(
        description="Where it was; null: it was not there, or out of recall.", examples=["episodic"]
    )
    to_stratum: StratumName | None = Field(
        description="Where it went; null: out of recall.", examples=["long_term"]
    )
    memories: int = Field(description="Memories that moved so.", examples=[3])


class AgeWeightsView(Answer):
    """Current weights of memories of one age."""

    from_day: float = Field(description="Days since they were recorded, at least.", examples=[7])
    to_day: float | None = Field(description="And less than; null: no end.", examples=[14])
    memories: int = Field(description="Memories of this age.", examples=[120])
    mean: float = Field(description="Mean weight.", examples=[0.82])
    p10: float = Field(description="The 10th percentile.", examples=[0.7])
    p50: float = Field(description="The median.", examples=[0.83])
    p90: float = Field(description="The 90th percentile.", examples=[0.97])


class AheadView(Answer):
    """Forecast of the mean weight."""

    days: float = Field(description="Days ahead.", examples=[30])
    mean: float = Field(description="Mean weight then, if nothing happens.", examples=[0.4])


class DecayView(Answer):
    """Decay of the memories of a stratum."""

    stratum: StratumName = Field(description="StratumName of the memories.", examples=["episodic"])
    memories: int = Field(description="Looked at: the latest 20,000 at most.", examples=[812])
    ages: tuple[AgeWeightsView, ...] = Field(description="Weights now, by age.", examples=[[]])
    ahead: tuple[AheadView, ...] = Field(description="Weights to come.", examples=[[]])


class SurpriseGroupView(Answer):
    """Events and surprises of one agent, channel or type."""

    name: str = Field(description="Its name; empty for none.", examples=["planner"])
    events: int = Field(description="Events reported.", examples=[120])
    surprising: int = Field(description="Of them above their threshold.", examples=[4])
    mean: float = Field(description="Mean score.", examples=[0.5])
    most: float = Field(description="The highest score.", examples=[0.86])


class ConsolidationSumView(Answer):
    """Totals of consolidation, and its savings."""

    runs: int = Field(description="Runs.", examples=[12])
    undone: int = Field(description="Of them undone; the rest counts below.", examples=[1])
    clusters: int = Field(description="Groups of memories that were condensed.", examples=[31])
    sources: int = Field(description="Memories in them.", examples=[240])
    condensed: int = Field(description="Memories made of them.", examples=[31])
    chars_before: int = Field(description="Characters of the sources.", examples=[48_000])
    chars_after: int = Field(description="Characters of what was made.", examples=[15_000])


class StrataAnalyticsView(Answer):
    """Statistics of strata."""

    population: tuple[PopulationView, ...] = Field(
        description="Memories that each stratum holds.", examples=[[]]
    )
    days: tuple[PopulationDayView, ...] = Field(
        description="Memories that each stratum held, by day.", examples=[[]]
    )
    flow: tuple[FlowView, ...] = Field(
        description="Memories that came, moved and left.", examples=[[]]
    )
    decay: tuple[DecayView, ...] = Field(
        description="Decay of the memories of each stratum.", examples=[[]]
    )
    surprises: dict[str, tuple[SurpriseGroupView, ...]] = Field(
        description="By agent, channel and type.", examples=[{"agent": []}]
    )
    consolidation: ConsolidationSumView = Field(
        description="Sums of what consolidation did.",
        examples=[
            {
                "runs": 1,
                "undone": 0,
                "clusters": 3,
                "sources": 20,
                "condensed": 3,
                "chars_before": 4000,
                "chars_after": 1300,
            }
        ],
    )


class ProvenanceRequest(Identity):
    """Number of sources to show."""

    limit: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=200, description="Sources at most.", examples=[200]
    )


class SourceView(Answer):
    """A memory that another is derived from."""

    uid: str = Field(description="Uid of the memory.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Scope of the memory.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["observation"])
    stratum: StratumName = Field(description="Where it stands.", examples=["episodic"])
    state: State = Field(description="Whether it is recalled.", examples=["archived"])
    text: str = Field(description="What it says.", examples=["The build broke."])
    recorded_at: datetime = Field(description="When it was stored.", examples=[NOW])


class SourceEdgeView(Answer):
    """Edge from a memory to its source."""

    uid: str = Field(description="Memory that came from the source.", examples=[UID_EXAMPLE])
    source: str = Field(description="The source.", examples=[UID_EXAMPLE])
    type: SourceType = Field(
        description="Condensed from it, resting on it, or a copy of it.", examples=["PROMOTED_FROM"]
    )
    run: str | None = Field(description="The run that made it, if one did.", examples=[UID_EXAMPLE])
    depth: int = Field(description="Steps from the memory that was asked about.", examples=[1])


class ProvenanceView(Answer):
    """Sources of a memory, down to the first."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    nodes: tuple[SourceView, ...] = Field(description="Its sources.", examples=[[]])
    edges: tuple[SourceEdgeView, ...] = Field(
        description="Edges from memories to their sources.", examples=[[]]
    )
    withheld: bool = Field(
        description="Some of it lies in scopes that you do not read.", examples=[False]
    )
    truncated: bool = Field(description="There is more.", examples=[False])
