"""Lines of an export for cycles of reasoning and patches; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.vocabulary import CycleState, Mode, PatchState, Status
from stratagraph.wire.cycles.models import (
    FindingView,
    SteeringView,
    StepCheckRequest,
    StepOutcome,
    ToolCallRequest,
)
from stratagraph.wire.kernel.values import Name, Phase, Share, Text, Time
from stratagraph.wire.transfer.records import Count, Finite, Line, ScopeName, Uid

_Said = Annotated[str, StringConstraints(max_length=100_000)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16,64}$")]
_Many = Field(max_length=1000)
Words = Annotated[tuple[_Said, ...], _Many]
_Rate = tuple[Count, Count]
_Kept = tuple[_Said, Count, Count]


class PartsLine(Line):
    """Parts of a confidence."""

    tools: Share = Field(description="Success of tools.")
    consistency: Share = Field(description="Over retries.")
    patterns: Share = Field(description="Agreement with right attempts.")
    history: Share = Field(description="Accuracy of similar attempts.")


class SimilarLine(Line):
    """Attempts at goals like this one."""

    similarity: Annotated[tuple[Finite, ...], _Many] = Field(
        default=(), description="How similar each is."
    )
    correct: Annotated[tuple[bool, ...], _Many] = Field(
        default=(), description="Whether it was right."
    )
    actions: Annotated[tuple[Words, ...], _Many] = Field(default=(), description="What it did.")


class CycleLine(Line):
    """A cycle of reasoning."""

    type: Literal["cycle"]
    uid: Uid = Field(description="Its name.")
    scope: ScopeName = Field(description="Whose it is.")
    cycle_id: Name = Field(description="The agent's name for it.")
    goal: Text = Field(description="What is to be reached.")
    started_at: Time = Field(description="When it began.")
    touched_at: Time = Field(description="When it was touched last.")
    expires_at: Time = Field(description="When it is forgotten.")
    user_id: Name | None = Field(default=None, description="User for whom it runs.")
    domain: Name | None = Field(default=None, description="Field of knowledge.")
    state: CycleState = Field(description="Whether it goes on.")
    phase: Phase | None = Field(default=None, description="Entered last.")
    mode: Mode = Field(default="solver", description="Its mode.")
    position: Count = Field(default=0, description="Visits and steps.")
    failures: Count = Field(default=0, description="Failures in a row.")
    repairs: Count = Field(default=0, description="How often it repaired itself.")
    due: Count = Field(default=0, description="Observations still to make.")
    scores: Annotated[tuple[Share, ...], _Many] = Field(
        default=(), description="The last surprises."
    )
    highest: Share = Field(default=0.0, description="The greatest surprise.")
    confidence: Share | None = Field(default=None, description="Confidence of the cycle so far.")
    parts: PartsLine | None = Field(
        default=None, description="Parts that the confidence is made of."
    )
    tools: dict[Name, _Rate] = Field(
        default_factory=dict[str, tuple[int, int]], description="Successes and calls by tool."
    )
    actions: Words = Field(default=(), description="Actions that it took.")
    answers: dict[_Said, _Kept] = Field(
        default_factory=dict[str, tuple[str, int, int]],
        description="By call its first result, those like it, and all.",
    )
    similar: SimilarLine = Field(default_factory=SimilarLine, description="Attempts like it.")
    status: Status | None = Field(default=None, description="How it ended.")
    quality: Share | None = Field(default=None, description="Quality of the result, 0 to 1.")
    report: Digest | None = Field(default=None, description="Hash of the report that ended it.")
    ended_at: Time | None = Field(default=None, description="When it ended.")
    promotion: Finite | None = Field(default=None, description="Its worth.")
    reward_uid: Uid | None = Field(default=None, description="Its reward.")
    episode_uid: Uid | None = Field(default=None, description="The attempt that it became.")


class GivenLine(Line):
    """A memory given to a phase."""

    uid: Uid = Field(description="The memory.")
    rank: Count = Field(description="Its place.")
    score: Finite = Field(description="Its score.")
    order: Literal["primary", "secondary"] = Field(description="By which strata.")
    used: bool = Field(default=False, description="Whether it helped.")


class _OfCycle(Line):
    uid: Uid = Field(description="Its name.")
    scope: ScopeName = Field(description="Whose it is.")
    cycle_uid: Uid = Field(description="Its cycle.")


class VisitLine(_OfCycle):
    """A visit of a phase; memories that are not in the graph are skipped."""

    type: Literal["visit"]
    key: Name = Field(description="The agent's name for it.")
    position: Count = Field(description="Its place.")
    phase: Phase = Field(description="Phase that was entered.")
    at: Time = Field(description="When the phase was entered.")
    given: Annotated[tuple[GivenLine, ...], _Many] = Field(
        default=(), description="What it was given."
    )


class StepLine(_OfCycle):
    """A step as it was reported and judged."""

    type: Literal["step"]
    key: Name = Field(description="The agent's name for it.")
    position: Count = Field(description="Its place.")
    phase: Phase = Field(description="Phase of the step.")
    at: Time = Field(description="When the step was reported.")
    mode: Mode = Field(description="The mode from then on.")
    calls: Annotated[tuple[ToolCallRequest, ...], _Many] = Field(
        default=(), description="Tools that were called."
    )
    findings: Annotated[tuple[FindingView, ...], _Many] = Field(
        default=(), description="What checkers found."
    )
    advice: SteeringView | None = Field(default=None, description="What its surprise asked for.")
    confidence: Share | None = Field(
        default=None, description="Confidence of the cycle after the step."
    )
    parts: PartsLine | None = Field(
        default=None, description="Parts that the confidence is made of."
    )
    outcome: StepOutcome = Field(description="As it was judged.")
    note_uid: Uid | None = Field(default=None, description="The memory that it wrote.")


class EvidenceLine(Line):
    """A memory as evidence of a correction."""

    uid: Uid = Field(description="The memory.")
    kind: Literal["repaired", "pattern", "similar", "patch"] = Field(
        description="Sort of evidence."
    )
    weight: Finite = Field(description="Nearness of the evidence.")


class PatchLine(_OfCycle):
    """A patch; all its evidence must be in the graph."""

    type: Literal["patch"]
    number: Count = Field(description="Its number in the cycle.")
    made_at: Time = Field(description="When it was made.")
    problem: _Said = Field(description="What went wrong.")
    cause: _Said = Field(default="", description="Why it went wrong.")
    correction: _Said = Field(default="", description="What to do instead.")
    plan: Annotated[tuple[StepCheckRequest, ...], _Many] = Field(
        default=(), description="How to confirm it."
    )
    missing: Words = Field(default=(), description="Parts that the patch lacks.")
    evidence: Annotated[tuple[EvidenceLine, ...], _Many] = Field(
        default=(), description="What speaks for it."
    )
    repaired: Uid | None = Field(default=None, description="The attempt that failed.")
    state: PatchState = Field(description="State of the patch.")
    findings: Annotated[tuple[FindingView, ...], _Many] = Field(
        default=(), description="What its verification found."
    )
    memory_uid: Uid | None = Field(default=None, description="The memory that it became.")
    applied_at: Time | None = Field(default=None, description="When it was applied.")
    judged_at: Time | None = Field(default=None, description="When it was verified or refuted.")
    answers: Words = Field(default=(), description="Right answers.")
