"""Cycles of reasoning, their phases and steps, and the checks of steps."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from stratagraph.vocabulary import (
    CheckerName,
    CycleState,
    Kind,
    Mode,
    PhaseName,
    Status,
    Steer,
    Verdict,
)
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    NOW,
    UID_EXAMPLE,
    JsonObject,
    JsonValue,
    Name,
    Phase,
    Share,
    StratumName,
    Text,
)

StepOutcome = Literal["success", "failure", "undecided"]
_Signed = Annotated[float, Field(strict=True, ge=-1, le=1)]
_Few = Field(max_length=50)
_SUM = {"text": "A pen costs 3, so 4 cost 3 * 4 = 12."}


class StepCheckRequest(Request):
    """One question to a registered checker."""

    checker: CheckerName = Field(description="Checker to run.", examples=["arithmetic"])
    given: JsonObject = Field(
        description="What it needs: `text`; `text` and `source`; `text` and `others`; `value` and `schema`; `text` and "
        "`pattern`; `value`, `unit`, `min`, `max`; `sql` and `dialect`; `status` and `expected`; `url` and `value`.",
        examples=[_SUM],
    )


class ChecksRequest(Identity):
    """Questions to checkers, apart from any cycle."""

    checks: Annotated[tuple[StepCheckRequest, ...], Field(min_length=1, max_length=50)] = Field(
        description="The checks.", examples=[[{"checker": "arithmetic", "given": _SUM}]]
    )


class FindingView(Answer):
    """Verdict of a checker; undecided is never a pass."""

    checker: CheckerName = Field(description="Checker that ran.", examples=["arithmetic"])
    verdict: Verdict = Field(description="Verdict of the checker.", examples=["passed"])
    why: str = Field(description="The reason.", examples=["1 equations hold"])
    at: int | None = Field(
        default=None, description="Line of a text that is wrong, from 0.", examples=[None]
    )


class FindingsAnswer(Answer):
    """Findings, in the order of the checks."""

    findings: tuple[FindingView, ...] = Field(
        description="One finding for each check.", examples=[[]]
    )


class OpenCycleRequest(Identity):
    """Goal of a cycle."""

    goal: Text = Field(
        description="What is to be reached; the phases recall by it.",
        examples=["Book the cheapest flight to Turin."],
    )
    cycle_id: Name | None = Field(
        default=None, description="Your name for it: sent again, it is the same.", examples=["c-17"]
    )
    domain: Name | None = Field(
        default=None, description="Field of knowledge.", examples=["travel"]
    )


class EnterPhaseRequest(Identity):
    """Phase to enter."""

    phase: Phase = Field(description="Phase to enter.", examples=["planning"])
    key: Name | None = Field(
        default=None,
        description="Your name for this visit: sent again, it is one.",
        examples=["p1"],
    )
    query: Text | None = Field(
        default=None, description="What is sought; unset: the goal.", examples=["refund rules"]
    )
    k: Annotated[int, Field(strict=True, ge=1, le=50)] | None = Field(
        default=None, description="Memories at most; unset: 5.", examples=[5]
    )


class ToolCallRequest(Request):
    """One call of a tool, as it ended."""

    tool: Name = Field(description="Its name.", examples=["search_flights"])
    status: Literal["success", "failure"] = Field(description="How it ended.", examples=["failure"])
    arguments: JsonValue = Field(
        default=None, description="What it was given.", examples=[{"to": "TRN"}]
    )
    result: JsonValue = Field(
        default=None, description="What came back.", examples=["Error: unknown airport"]
    )
    latency_ms: Annotated[float, Field(ge=0, le=1e9)] | None = Field(
        default=None, description="How long it took.", examples=[120.0]
    )


class StepRequest(Identity):
    """Report of what happened in the phase that was entered last."""

    step_id: Name | None = Field(
        default=None, description="Your name for it: sent again, it counts once.", examples=["s1"]
    )
    text: Text | None = Field(
        default=None,
        description="What to remember of it, in the stratum of the phase.",
        examples=["The airport's code is TRN."],
    )
    calls: Annotated[tuple[ToolCallRequest, ...], _Few] = Field(
        default=(),
        description="Tools that were called, in their order.",
        examples=[[{"tool": "search_flights", "status": "success"}]],
    )
    checks: Annotated[tuple[StepCheckRequest, ...], _Few] = Field(
        default=(),
        description="What to verify.",
        examples=[[{"checker": "arithmetic", "given": _SUM}]],
    )
    used: Annotated[tuple[Name, ...], Field(max_length=200)] = Field(
        default=(), description="Uids of memories given that helped.", examples=[[UID_EXAMPLE]]
    )
    surprise: Share | None = Field(
        default=None, description="How surprising it was, where you know.", examples=[0.8]
    )
    expected: JsonValue = Field(
        default=None, description="What was expected.", examples=[{"status": "success"}]
    )
    actual: JsonValue = Field(
        default=None,
        description="What came; with `expected` the surprise is measured.",
        examples=[{"status": "failed"}],
    )


class CompleteCycleRequest(Identity):
    """Outcome of a cycle."""

    status: Status = Field(description="How it ended.", examples=["success"])
    quality: Share | None = Field(
        default=None, description="Quality of the result, 0 to 1.", examples=[0.9]
    )
    feedback: _Signed | None = Field(
        default=None, description="What the user said of it, from -1 to 1.", examples=[1.0]
    )
    efficiency: _Signed | None = Field(
        default=None,
        description="Efficiency, from -1 to 1: the less the cycle took, the higher.",
        examples=[0.5],
    )
    answer: Text | None = Field(
        default=None, description="Its answer, kept with the attempt.", examples=["12"]
    )


class CyclesRequest(Identity):
    """Query for cycles."""

    state: CycleState | None = Field(
        default=None, description="Only cycles in this state; unset: all.", examples=["open"]
    )
    before: Name | None = Field(
        default=None, description="Go on behind this uid.", examples=[UID_EXAMPLE]
    )
    limit: Annotated[int, Field(ge=1, le=200)] = Field(
        default=20, description="Cycles at most.", examples=[20]
    )


class SteeringView(Answer):
    """Recommended reaction to a surprise."""

    steer: Steer = Field(description="What to do.", examples=["RE_OBSERVE"])
    score: float = Field(description="The surprise, in [0, 1].", examples=[0.8])
    confidence: float = Field(description="Confidence in the surprise, in [0, 1].", examples=[0.8])
    severity: Literal["low", "medium", "high"] = Field(
        description="How severe the surprise is.", examples=["high"]
    )
    observations: int = Field(default=0, description="Observations still to make.", examples=[2])


class CycleView(Answer):
    """Current state of a cycle."""

    uid: str = Field(description="Given by the service.", examples=[UID_EXAMPLE])
    cycle_id: str = Field(description="Your name for it, else the uid.", examples=["c-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    goal: str = Field(description="What is to be reached.", examples=["Book a flight."])
    domain: str | None = Field(default=None, description="Field of knowledge.", examples=["travel"])
    state: CycleState = Field(description="Whether it goes on.", examples=["open"])
    phase: PhaseName | None = Field(
        default=None, description="Entered last; null: none yet.", examples=["planning"]
    )
    mode: Mode = Field(
        description="`solver`; after a failure `verifier`; after several in a row `repair`.",
        examples=["solver"],
    )
    failures: int = Field(description="Failures in a row.", examples=[0])
    repairs: int = Field(description="How often it had to repair itself.", examples=[0])
    observations_due: int = Field(description="Observations still to make.", examples=[0])
    confidence: float | None = Field(
        default=None, description="In [0, 1], made of its parts.", examples=[0.62]
    )
    parts: dict[str, float] = Field(
        description="`tools`: success of tools; `consistency` over retries; `patterns`: agreement with right attempts; "
        "`history`: accuracy of similar ones. 0.5 says nothing.",
        examples=[{"tools": 0.75, "consistency": 0.5, "patterns": 0.5, "history": 0.6}],
    )
    task_id: str = Field(
        description="The task that its memories are given for.", examples=[f"cycle:{UID_EXAMPLE}"]
    )
    status: Status | None = Field(default=None, description="How it ended.", examples=["success"])
    quality: float | None = Field(
        default=None, description="Quality of the result, 0 to 1.", examples=[0.9]
    )
    promotion: float | None = Field(
        default=None,
        description="0.4·surprise + 0.3·confidence + 0.2·tools − 0.1·repair.",
        examples=[0.47],
    )
    episode_uid: str | None = Field(
        default=None, description="The attempt that was kept of it.", examples=[UID_EXAMPLE]
    )
    started_at: datetime = Field(description="When it was opened.", examples=[NOW])
    touched_at: datetime = Field(description="When it went on last.", examples=[NOW])
    ended_at: datetime | None = Field(default=None, description="When it ended.", examples=[NOW])


class OpenedCycleView(CycleView):
    """A cycle, and whether it is new."""

    new: bool = Field(description="False: it was open under this name.", examples=[True])
    similar_attempts: int = Field(
        description="Judged attempts that its confidence begins with.", examples=[0]
    )


class GivenMemoryView(Answer):
    """A memory given to a phase."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    text: str = Field(description="What it says.", examples=["The code is TRN."])
    kind: Kind = Field(description="Sort of memory.", examples=["observation"])
    stratum: StratumName = Field(description="StratumName of the memory.", examples=["working"])
    order: Literal["primary", "secondary"] = Field(
        description="By which strata of the phase it came.", examples=["primary"]
    )
    rank: int = Field(description="From 1.", examples=[1])
    score: float = Field(description="It orders.", examples=[0.4])
    q_value: float = Field(description="Learned utility.", examples=[0.5])


class PhaseView(Answer):
    """An entered phase, and the memories for it."""

    visit: str = Field(description="Uid of the visit.", examples=[UID_EXAMPLE])
    phase: PhaseName = Field(description="Phase that was entered.", examples=["planning"])
    position: int = Field(description="Its place among visits and steps.", examples=[1])
    new: bool = Field(description="False: it was sent before.", examples=[True])
    reads: tuple[StratumName, ...] = Field(
        description="Strata read first.", examples=[["long_term", "episodic"]]
    )
    reads_second: tuple[StratumName, ...] = Field(
        description="Strata read where these give too little.", examples=[["semantic"]]
    )
    writes: StratumName = Field(
        description="StratumName of what is noted here.", examples=["short_term"]
    )
    memories: tuple[GivenMemoryView, ...] = Field(description="Best first.", examples=[[]])
    cycle: CycleView = Field(description="The cycle then.", examples=[{}])


class StepView(Answer):
    """A judged step."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    step_id: str = Field(description="Your name for it, else the uid.", examples=["s1"])
    position: int = Field(description="Its place among visits and steps.", examples=[2])
    phase: PhaseName = Field(description="Of which phase.", examples=["action"])
    at: datetime = Field(description="When the step was reported.", examples=[NOW])
    outcome: StepOutcome = Field(
        description="What calls and checks say together.", examples=["success"]
    )
    mode: Mode = Field(description="The mode from then on.", examples=["solver"])
    findings: tuple[FindingView, ...] = Field(description="What checkers found.", examples=[[]])
    advice: SteeringView | None = Field(
        default=None, description="What its surprise asks for; null without one.", examples=[None]
    )
    confidence: float | None = Field(default=None, description="Of the cycle then.", examples=[0.6])
    parts: dict[str, float] = Field(
        description="Parts that the confidence is made of.", examples=[{}]
    )
    calls: tuple[dict[str, Any], ...] = Field(
        default=(), description="Tools that were called.", examples=[[]]
    )
    note_uid: str | None = Field(
        default=None, description="The memory that it wrote.", examples=[UID_EXAMPLE]
    )


class ReportedStepView(StepView):
    """A judged step, and the state of its cycle after it."""

    new: bool = Field(description="False: it was sent before.", examples=[True])
    cycle: CycleView = Field(description="The cycle then.", examples=[{}])


class VisitView(Answer):
    """A visit of a phase, with the uids of its given memories and whether they helped."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    key: str = Field(description="Your name for it, else the uid.", examples=["p1"])
    position: int = Field(description="Its place among visits and steps.", examples=[1])
    phase: PhaseName = Field(description="Phase that was entered.", examples=["planning"])
    at: datetime = Field(description="When the phase was entered.", examples=[NOW])
    given: dict[str, bool] = Field(
        description="By uid, whether it helped.", examples=[{UID_EXAMPLE: True}]
    )


class CycleStoryView(CycleView):
    """A cycle with all that happened in it."""

    visits: tuple[VisitView, ...] = Field(description="Phases entered.", examples=[[]])
    steps: tuple[StepView, ...] = Field(description="Steps reported.", examples=[[]])


class CyclesAnswer(Answer):
    """Cycles, the newest first."""

    cycles: tuple[CycleView, ...] = Field(description="One page.", examples=[[]])


class CompletedCycleView(CycleView):
    """A completed cycle, and what its end did."""

    new: bool = Field(description="False: it was completed before.", examples=[True])
    reward: float | None = Field(
        default=None, description="Reward of what it was given; null: nothing.", examples=[1.0]
    )
    rewarded: int = Field(
        default=0, description="Memories whose utility the reward moved.", examples=[2]
    )
    signals: dict[str, float] = Field(
        default_factory=dict, description="Signals sent beside it.", examples=[{"tool_accuracy": 1}]
    )
    rose: tuple[str, ...] = Field(
        default=(), description="Uids of memories that rose a stratum.", examples=[[]]
    )
