"""Patches: repairs of failed reasoning."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import EvidenceKind, PatchState
from stratagraph.wire.cycles.models import FindingView, StepCheckRequest
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Name


class VerifyPatchRequest(Identity):
    """Confirmation of a patch: new input for the checks of its plan."""

    checks: Annotated[tuple[StepCheckRequest, ...], Field(min_length=1, max_length=50)] = Field(
        description="Checks of the corrected step; each checker that the plan names has to be among them.",
        examples=[[{"checker": "arithmetic", "given": {"text": "16 - 3 = 13"}}]],
    )


class PatchesRequest(Identity):
    """Query for patches."""

    cycle: Name | None = Field(
        default=None, description="Only patches of this cycle.", examples=["c-17"]
    )
    state: PatchState | None = Field(
        default=None, description="Only patches in this state.", examples=["verified"]
    )
    before: Name | None = Field(
        default=None, description="Go on behind this uid.", examples=[UID_EXAMPLE]
    )
    limit: Annotated[int, Field(ge=1, le=200)] = Field(
        default=20, description="Patches at most.", examples=[20]
    )


class EvidenceView(Answer):
    """Evidence for a correction: a memory, or an error of a tool."""

    uid: str = Field(
        description="Its uid; of an error of a tool the tool and the error.", examples=[UID_EXAMPLE]
    )
    kind: EvidenceKind = Field(
        description="A right attempt at the same problem, an error pattern, a right attempt at a similar one, an earlier "
        "patch, what was done after an error of a tool that worked.",
        examples=["repaired"],
    )
    weight: float = Field(description="Nearness of the evidence, in [0, 1].", examples=[0.97])
    text: str = Field(default="", description="What it says.", examples=["16 - 3 - 4 = 9"])


class PatchView(Answer):
    """Current state of a patch."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    cycle_uid: str = Field(description="The cycle that failed.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    state: PatchState = Field(
        description="`incomplete`: `missing` says what it lacks; `proposed`, `applied`, then `verified` or `refuted`.",
        examples=["proposed"],
    )
    problem: str = Field(description="What went wrong.", examples=["16 - 3 is 13, not 12"])
    cause: str = Field(description="Why it went wrong.", examples=["A sum was done wrong."])
    correction: str = Field(description="What to do instead.", examples=["16 - 3 = 13"])
    plan: tuple[StepCheckRequest, ...] = Field(description="How to confirm it.", examples=[[]])
    missing: tuple[str, ...] = Field(
        description="Parts that the patch lacks.",
        examples=[["a right attempt at a problem like this"]],
    )
    evidence: tuple[EvidenceView, ...] = Field(description="What speaks for it.", examples=[[]])
    answers: tuple[str, ...] = Field(
        default=(), description="Answers of right attempts at this problem.", examples=[["18"]]
    )
    findings: tuple[FindingView, ...] = Field(
        default=(), description="What its verification found.", examples=[[]]
    )
    memory_uid: str | None = Field(
        default=None, description="The memory that it became.", examples=[UID_EXAMPLE]
    )
    made_at: datetime = Field(description="When it was made.", examples=[NOW])
    applied_at: datetime | None = Field(
        default=None, description="When it was applied.", examples=[NOW]
    )
    judged_at: datetime | None = Field(
        default=None, description="When it was verified or refuted.", examples=[NOW]
    )


class PatchesAnswer(Answer):
    """Patches, the newest first."""

    patches: tuple[PatchView, ...] = Field(description="One page.", examples=[[]])
