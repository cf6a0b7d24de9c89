"""The lines of an export that stand for cycles of reasoning and patches; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.wire.cycles.models import (
    CycleState,
    FindingView,
    Mode,
    SteeringView,
    StepCheckRequest,
    StepOutcome,
    ToolCallRequest,
)
from stratagraph.wire.cycles.patches import PatchState
from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Name,
    Phase,
    Share,
    Status,
    Text,
    Time,
)
from stratagraph.wire.transfer.records import SCOPE_EXAMPLE, Count, Finite, Line, ScopeName, Uid

_Said = Annotated[str, StringConstraints(max_length=100_000)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16,64}$")]
_Many = Field(max_length=1000)
Words = Annotated[tuple[_Said, ...], _Many]
_Rate = tuple[Count, Count]
_Kept = tuple[_Said, Count, Count]


class PartsLine(Line):
    """Parts of a confidence."""

    tools: Share = Field(description="Success of tools.", examples=[0.75])
    consistency: Share = Field(description="Over retries.", examples=[0.5])
    patterns: Share = Field(description="Agreement with right attempts.", examples=[0.5])
    history: Share = Field(description="Accuracy of similar attempts.", examples=[0.6])


class SimilarLine(Line):
    """Attempts at goals like this one."""

    similarity: Annotated[tuple[Finite, ...], _Many] = Field(
        default=(), description="How similar each is.", examples=[[0.9]]
    )
    correct: Annotated[tuple[bool, ...], _Many] = Field(
        default=(), description="Whether it was right.", examples=[[True]]
    )
    actions: Annotated[tuple[Words, ...], _Many] = Field(
        default=(), description="What it did.", examples=[[["search"]]]
    )


class CycleLine(Line):
    """A cycle of reasoning."""

    type: Literal["cycle"] = Field(description="What line this is.", examples=["cycle"])
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    cycle_id: Name = Field(description="The agent's name for it.", examples=["c-17"])
    goal: Text = Field(description="What is to be reached.", examples=["Book a flight."])
    started_at: Time = Field(description="When it began.", examples=[TIME_EXAMPLE])
    touched_at: Time = Field(description="When it was touched last.", examples=[TIME_EXAMPLE])
    expires_at: Time = Field(description="When it is forgotten.", examples=[TIME_EXAMPLE])
    user_id: Name | None = Field(
        default=None, description="User for whom it runs.", examples=["ada"]
    )
    domain: Name | None = Field(default=None, description="Field of knowledge.", examples=["sums"])
    state: CycleState = Field(description="Whether it goes on.", examples=["completed"])
    phase: Phase | None = Field(default=None, description="Entered last.", examples=["action"])
    mode: Mode = Field(default="solver", description="Its mode.", examples=["solver"])
    position: Count = Field(default=0, description="Visits and steps.", examples=[4])
    failures: Count = Field(default=0, description="Failures in a row.", examples=[0])
    repairs: Count = Field(default=0, description="How often it repaired itself.", examples=[0])
    due: Count = Field(default=0, description="Observations still to make.", examples=[0])
    scores: Annotated[tuple[Share, ...], _Many] = Field(
        default=(), description="The last surprises.", examples=[[0.1]]
    )
    highest: Share = Field(default=0.0, description="The greatest surprise.", examples=[0.8])
    confidence: Share | None = Field(
        default=None, description="Confidence of the cycle so far.", examples=[0.6]
    )
    parts: PartsLine | None = Field(
        default=None, description="Parts that the confidence is made of.", examples=[None]
    )
    tools: dict[Name, _Rate] = Field(
        default_factory=dict[str, tuple[int, int]],
        description="Successes and calls by tool.",
        examples=[{"search": [2, 3]}],
    )
    actions: Words = Field(default=(), description="Actions that it took.", examples=[["search"]])
    answers: dict[_Said, _Kept] = Field(
        default_factory=dict[str, tuple[str, int, int]],
        description="By call its first result, those like it, and all.",
        examples=[{"search": ["none", 1, 2]}],
    )
    similar: SimilarLine = Field(
        default_factory=SimilarLine, description="Attempts like it.", examples=[{}]
    )
    status: Status | None = Field(default=None, description="How it ended.", examples=["success"])
    quality: Share | None = Field(
        default=None, description="Quality of the result, 0 to 1.", examples=[0.9]
    )
    report: Digest | None = Field(
        default=None, description="Hash of the report that ended it.", examples=["0" * 16]
    )
    ended_at: Time | None = Field(
        default=None, description="When it ended.", examples=[TIME_EXAMPLE]
    )
    promotion: Finite | None = Field(default=None, description="Its worth.", examples=[0.5])
    reward_uid: Uid | None = Field(default=None, description="Its reward.", examples=[UID_EXAMPLE])
    episode_uid: Uid | None = Field(
        default=None, description="The attempt that it became.", examples=[UID_EXAMPLE]
    )


class GivenLine(Line):
    """A memory that a phase was given."""

    uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    rank: Count = Field(description="Its place.", examples=[1])
    score: Finite = Field(description="Its score.", examples=[0.7])
    order: Literal["primary", "secondary"] = Field(
        description="By which strata.", examples=["primary"]
    )
    used: bool = Field(default=False, description="Whether it helped.", examples=[True])


class _OfCycle(Line):
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    cycle_uid: Uid = Field(description="Its cycle.", examples=[UID_EXAMPLE])


class VisitLine(_OfCycle):
    """A visit of a phase; a memory that is not here is passed over."""

    type: Literal["visit"] = Field(description="What line this is.", examples=["visit"])
    key: Name = Field(description="The agent's name for it.", examples=["p1"])
    position: Count = Field(description="Its place.", examples=[1])
    phase: Phase = Field(description="Phase that was entered.", examples=["planning"])
    at: Time = Field(description="When the phase was entered.", examples=[TIME_EXAMPLE])
    given: Annotated[tuple[GivenLine, ...], _Many] = Field(
        default=(), description="What it was given.", examples=[[]]
    )


class StepLine(_OfCycle):
    """A step as it was reported and judged."""

    type: Literal["step"] = Field(description="What line this is.", examples=["step"])
    key: Name = Field(description="The agent's name for it.", examples=["s1"])
    position: Count = Field(description="Its place.", examples=[2])
    phase: Phase = Field(description="Phase of the step.", examples=["action"])
    at: Time = Field(description="When the step was reported.", examples=[TIME_EXAMPLE])
    mode: Mode = Field(description="The mode from then on.", examples=["solver"])
    calls: Annotated[tuple[ToolCallRequest, ...], _Many] = Field(
        default=(), description="Tools that were called.", examples=[[]]
    )
    findings: Annotated[tuple[FindingView, ...], _Many] = Field(
        default=(), description="What checkers found.", examples=[[]]
    )
    advice: SteeringView | None = Field(
        default=None, description="What its surprise asked for.", examples=[None]
    )
    confidence: Share | None = Field(
        default=None, description="Confidence of the cycle after the step.", examples=[0.6]
    )
    parts: PartsLine | None = Field(
        default=None, description="Parts that the confidence is made of.", examples=[None]
    )
    outcome: StepOutcome = Field(description="As it was judged.", examples=["success"])
    note_uid: Uid | None = Field(
        default=None, description="The memory that it wrote.", examples=[UID_EXAMPLE]
    )


class EvidenceLine(Line):
    """A memory that speaks for a correction."""

    uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    kind: Literal["repaired", "pattern", "similar", "patch"] = Field(
        description="Sort of evidence.", examples=["repaired"]
    )
    weight: Finite = Field(description="Nearness of the evidence.", examples=[0.97])


class PatchLine(_OfCycle):
    """A patch; all that it quotes has to be here."""

    type: Literal["patch"] = Field(description="What line this is.", examples=["patch"])
    number: Count = Field(description="Its number in the cycle.", examples=[1])
    made_at: Time = Field(description="When it was made.", examples=[TIME_EXAMPLE])
    problem: _Said = Field(description="What went wrong.", examples=["16 - 3 is 13, not 12"])
    cause: _Said = Field(
        default="", description="Why it went wrong.", examples=["A sum was done wrong."]
    )
    correction: _Said = Field(
        default="", description="What to do instead.", examples=["16 - 3 = 13"]
    )
    plan: Annotated[tuple[StepCheckRequest, ...], _Many] = Field(
        default=(), description="How to confirm it.", examples=[[]]
    )
    missing: Words = Field(default=(), description="Parts that the patch lacks.", examples=[[]])
    evidence: Annotated[tuple[EvidenceLine, ...], _Many] = Field(
        default=(), description="What speaks for it.", examples=[[]]
    )
    repaired: Uid | None = Field(
        default=None, description="The attempt that failed.", examples=[UID_EXAMPLE]
    )
    state: PatchState = Field(description="State of the patch.", examples=["verified"])
    findings: Annotated[tuple[FindingView, ...], _Many] = Field(
        default=(), description="What its verification found.", examples=[[]]
    )
    memory_uid: Uid | None = Field(
        default=None, description="The memory that it became.", examples=[UID_EXAMPLE]
    )
    applied_at: Time | None = Field(
        default=None, description="When it was applied.", examples=[TIME_EXAMPLE]
    )
    judged_at: Time | None = Field(
        default=None, description="When it was verified or refuted.", examples=[TIME_EXAMPLE]
    )
    answers: Words = Field(default=(), description="Right answers.", examples=[["18"]])
