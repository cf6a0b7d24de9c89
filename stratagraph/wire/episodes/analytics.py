"""Statistics of attempts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from stratagraph.vocabulary import EpisodeGrouping
from stratagraph.wire.episodes.queries import EpisodeGroupView
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import TIME_EXAMPLE, UID_EXAMPLE, Name, Time, TimeZone

AttemptSpan = Literal["day", "week", "month"]


class ReasoningAnalyticsRequest(Identity):
    """Request for analytics of the attempts that the caller reads."""

    by: Annotated[tuple[EpisodeGrouping, ...], Field(max_length=11)] = Field(
        default=("domain", "model", "strategy", "concept"),
        description="Groups to measure.",
        examples=[["domain", "model"]],
    )
    over: AttemptSpan = Field(default="month", description="Spans of the trend.", examples=["week"])
    domain: Name | None = Field(
        default=None, description="Attempts of this domain.", examples=["algebra"]
    )
    model: Name | None = Field(
        default=None, description="Attempts by this model.", examples=["small-1"]
    )
    occurred_from: Time | None = Field(
        default=None, description="Made then or later.", examples=[TIME_EXAMPLE]
    )
    occurred_to: Time | None = Field(
        default=None, description="Made before.", examples=["2027-05-01T00:00:00Z"]
    )
    own: bool = Field(
        default=False, description="In the caller's own scope alone.", examples=[True]
    )
    limit: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=50, description="Groups of each sort at most.", examples=[50]
    )
    clusters: Annotated[int, Field(ge=0, le=100)] = Field(
        default=10, description="Failure clusters at most, 0 to 100.", examples=[10]
    )
    similarity: Annotated[float, Field(ge=-1, le=1)] = Field(
        default=0.83,
        description="Least cosine of problems that stand in one cluster.",
        examples=[0.83],
    )
    time_zone: TimeZone = "UTC"


class FailedProblemView(Answer):
    """A problem with wrong attempts."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    text: str = Field(description="Its first 200 characters.", examples=["Two trains meet …"])
    failures: int = Field(description="Wrong attempts.", examples=[4])
    successes: int = Field(description="Right ones.", examples=[1])


class FailureClusterView(Answer):
    """Similar problems with wrong attempts, and common properties of these."""

    failures: int = Field(description="Wrong attempts.", examples=[9])
    successes: int = Field(description="Right attempts at the same problems.", examples=[2])
    problems: tuple[FailedProblemView, ...] = Field(
        description="The most failed first.", examples=[[]]
    )
    domains: dict[str, int] = Field(
        description="Problems of the five most frequent.", examples=[{"algebra": 3}]
    )
    actions: dict[str, int] = Field(
        description="What steps of the wrong attempts did, the five most frequent.",
        examples=[{"divide": 7}],
    )
    models: dict[str, int] = Field(
        description="By whom, the five most frequent.", examples=[{"small-1": 9}]
    )


class ReasoningAnalyticsView(Answer):
    """Statistics of attempts: totals, groups, history, and clusters of failures."""

    total: EpisodeGroupView = Field(description="All of them.", examples=[{"attempts": 40}])
    groups: dict[EpisodeGrouping, tuple[EpisodeGroupView, ...]] = Field(
        description="By each of `by`: the highest success rate first; an empty name: none.",
        examples=[{"model": []}],
    )
    trend: tuple[EpisodeGroupView, ...] = Field(
        description="By `over`, the newest first.", examples=[[]]
    )
    clusters: tuple[FailureClusterView, ...] = Field(
        description="Failure clusters, the most failed first; filtered by time alone.",
        examples=[[]],
    )
