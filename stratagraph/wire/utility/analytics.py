"""Statistics of utility."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import Kind, UtilityGrouping
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE


class AnalyticsRequest(Identity):
    """Request for statistics of utility, over all that the caller reads."""

    top_n: Annotated[int, Field(ge=0, le=100)] = Field(
        default=10,
        description="Memories with the highest and the lowest Q, 0 to 100.",
        examples=[10],
    )
    by: UtilityGrouping | None = Field(
        default=None, description="Group by this too.", examples=["kind"]
    )
    include_history: bool = Field(
        default=False, description="Show the last 20 moves of those memories.", examples=[True]
    )
    days: Annotated[int, Field(ge=1, le=365)] = Field(
        default=30, description="How far the trend goes back, 1 to 365.", examples=[30]
    )


class DistributionView(Answer):
    """Distribution of Q; null where there is no memory."""

    memories: int = Field(description="Memories that are read.", examples=[87])
    learned: int = Field(description="Those that rewards have moved.", examples=[12])
    mean: float | None = Field(description="Mean Q.", examples=[0.52])
    deviation: float | None = Field(description="Standard deviation of Q.", examples=[0.06])
    least: float | None = Field(description="The lowest Q.", examples=[0.31])
    most: float | None = Field(description="The highest Q.", examples=[0.84])
    percentiles: dict[str, float] | None = Field(
        description="The 10th, 25th, 50th, 75th, 90th and 99th.", examples=[{"p50": 0.5}]
    )


class BinView(Answer):
    """Memories whose Q is in a bin; the last bin includes 1."""

    low: float = Field(description="Lower end of the bin.", examples=[0.5])
    high: float = Field(description="Upper end of the bin.", examples=[0.55])
    memories: int = Field(description="Memories whose Q lies in the bin.", examples=[75])


class MoveView(Answer):
    """One update of a Q."""

    seq: int = Field(description="Its place among the moves of this memory.", examples=[3])
    at: datetime = Field(description="When Q moved.", examples=[NOW])
    status: str | None = Field(description="How the task ended, if one did.", examples=["success"])
    reward: float = Field(description="The reward, -1 to 1.", examples=[1.0])
    q_before: float = Field(description="Q before.", examples=[0.5])
    q_after: float = Field(description="Q after.", examples=[0.55])
    task_id: str | None = Field(
        description="The task, to those who reported it.", examples=["answer-ticket-17"]
    )


class RankedMemoryView(Answer):
    """A memory with rewards."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["strategy"])
    text: str = Field(description="Its first 200 characters.", examples=["Ship on Mondays."])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.84])
    q_count: int = Field(description="How many rewards taught it.", examples=[17])
    q_variance: float = Field(
        description="How much its rewards differ, as a moving variance.", examples=[0.08]
    )
    q_error: float = Field(
        description="How far off the mean of its rewards may be: a standard error.", examples=[0.09]
    )
    evidence: float = Field(
        description="How many rewards its Q rests on; older ones count less.", examples=[8.3]
    )
    success_count: int = Field(description="Tasks of it that went well.", examples=[15])
    failure_count: int = Field(description="Tasks of it that failed.", examples=[2])
    last_reward_at: datetime | None = Field(description="Last rewarded.", examples=[NOW])
    history: tuple[MoveView, ...] | None = Field(
        default=None, description="With `include_history`: newest first.", examples=[[]]
    )


class RewardDayView(Answer):
    """The rewards of a day (UTC)."""

    day: str = Field(description="The day.", examples=["2026-05-01"])
    rewards: int = Field(description="Memories moved, each time.", examples=[40])
    gained: float = Field(description="Sum of the moves of Q.", examples=[1.2])
    moved: float = Field(
        description="Sum of their sizes; by reward, it falls as utility comes to rest.",
        examples=[1.6],
    )
    mean: float = Field(description="Mean reward, -1 to 1.", examples=[0.6])


class ConvergenceView(Answer):
    """Convergence of utility, over the 10,000 memories that were rewarded last."""

    learned: int = Field(description="Memories looked at.", examples=[12])
    judged: int = Field(description="Those with ten rewards or more.", examples=[5])
    stable: int = Field(
        description="Those whose last ten rewards moved Q within 0.1.", examples=[4]
    )
    share: float | None = Field(description="Stable of judged; null where none is.", examples=[0.8])
    trend: tuple[RewardDayView, ...] = Field(
        description="Days with rewards, oldest first.", examples=[[]]
    )


class UtilityGroupView(Answer):
    """The Q of memories with the same value of a property."""

    name: str = Field(description="What they have; empty: nothing.", examples=["strategy"])
    memories: int = Field(description="Memories of the group.", examples=[9])
    learned: int = Field(description="Those that rewards have moved.", examples=[7])
    mean: float = Field(description="Mean Q.", examples=[0.61])
    deviation: float = Field(description="Standard deviation of Q.", examples=[0.11])
    least: float = Field(description="The lowest Q.", examples=[0.35])
    most: float = Field(description="The highest Q.", examples=[0.84])


class UtilityAnalyticsView(Answer):
    """Statistics of utility, over all that the caller reads."""

    distribution: DistributionView = Field(
        description="How Q is distributed.", examples=[{"memories": 87, "learned": 12}]
    )
    histogram: tuple[BinView, ...] = Field(
        description="Twenty bins from 0 to 1.", examples=[[{"low": 0.5, "high": 0.55}]]
    )
    top: tuple[RankedMemoryView, ...] = Field(description="The highest Q first.", examples=[[]])
    bottom: tuple[RankedMemoryView, ...] = Field(description="The lowest Q first.", examples=[[]])
    convergence: ConvergenceView = Field(
        description="Whether it comes to rest.", examples=[{"judged": 5, "stable": 4}]
    )
    groups: tuple[UtilityGroupView, ...] | None = Field(
        default=None, description="With `by`: the largest first, at most 1,000.", examples=[[]]
    )
