"""Preferences of users and agents, and corrections."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from stratagraph.vocabulary import PreferenceKind, ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, JsonValue, Name, Share
from stratagraph.wire.knowledge.executions import LongLine
from stratagraph.wire.knowledge.models import (
    LearnedInsightView,
    MemoryPatternView,
    ToolMemoryView,
)

_SetName = Annotated[Name, Field(description="Names a set of preferences.", examples=["default"])]
_Owner = Annotated[
    ScopeKind | None,
    Field(
        description="Whose; unset: the user's where one is named, else the agent's or channel's.",
        examples=["user"],
    ),
]


class SetPreferenceRequest(Identity):
    """A stated preference; it replaces an earlier one."""

    kind: PreferenceKind = Field(
        description="`tool`: a score from -1 to 1; `parameter`: a default; `workflow`: steps; "
        "`error_handling`: `strict` or `lenient`.",
        examples=["parameter"],
    )
    name: Name = Field(
        description="The tool, the parameter (`units` or `create_shipment.units`), the workflow, or "
        "`error_handling`.",
        examples=["units"],
    )
    value: JsonValue = Field(description="What is preferred.", examples=["metric"])
    context: LongLine = Field(
        default="", description="Where it holds; unset: everywhere.", examples=["shipment_creation"]
    )
    user_context: _SetName = "default"
    session_id: Name | None = Field(
        default=None, description="It holds in this conversation alone.", examples=["monday-call"]
    )
    score: Share = Field(default=1.0, description="How much it matters.", examples=[1.0])
    scope_kind: _Owner = None


class CorrectRequest(Identity):
    """A correction: what was done, and what was intended."""

    original: JsonValue = Field(
        description="As it was: a call's parameters, with its `tool` to teach about that alone; a text; the name of a tool.",
        examples=[{"units": "imperial"}],
    )
    corrected: JsonValue = Field(description="As it should be.", examples=[{"units": "metric"}])
    context: LongLine = Field(
        default="", description="Context in which it holds.", examples=["shipment_creation"]
    )
    user_context: _SetName = "default"
    session_id: Name | None = Field(
        default=None, description="The conversation; with `session_only` it teaches that alone.",
        examples=["monday-call"],
    )  # fmt: skip
    session_only: Flag = Field(
        default=False, description="Whether it holds in this conversation alone.", examples=[False]
    )
    scope_kind: _Owner = None


class PreferenceView(Answer):
    """One preference."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    kind: PreferenceKind = Field(description="Of what.", examples=["parameter"])
    name: str = Field(description="Of which.", examples=["units"])
    value: Any = Field(description="What is preferred.", examples=["metric"])
    context: str = Field(
        description="Context in which it holds; empty: everywhere.", examples=["shipment_creation"]
    )
    source: str = Field(
        description="`stated`, `correction` or `behaviour`.", examples=["correction"]
    )
    lesson: str = Field(description="In words.", examples=["units: metric, never imperial"])
    confidence: float = Field(
        description="1 where it was stated, else the lower bound of the share that says so.",
        examples=[0.34],
    )
    session_id: str = Field(description="Its conversation, or empty.", examples=[""])
    valid_from: datetime = Field(description="Since when.", examples=[NOW])
    replaces: str | None = Field(
        default=None, description="Uid of the one it replaced now.", examples=[UID_EXAMPLE]
    )


class PreferencesAnswer(Answer):
    """Written preferences."""

    preferences: tuple[PreferenceView, ...] = Field(description="As they stand.", examples=[[]])
    lesson: str = Field(
        default="",
        description="Lesson of the correction.",
        examples=["units: metric, never imperial"],
    )


class PreferenceSet(Answer):
    """Preferences by kind."""

    tool_preferences: dict[str, float] = Field(
        description="Score by tool, -1 to 1.", examples=[{"draft_shipment": 0.5}]
    )
    parameter_defaults: dict[str, Any] = Field(
        description="Default by parameter.", examples=[{"units": "metric"}]
    )
    workflow_preferences: tuple[str, ...] = Field(description="Workflows.", examples=[[]])
    error_handling: Literal["strict", "lenient"] = Field(
        description="How errors are to be handled.", examples=["strict"]
    )


class CorrectionView(Answer):
    """A stored correction."""

    original: Any = Field(description="As it was.", examples=[{"units": "imperial"}])
    corrected: Any = Field(description="As it should be.", examples=[{"units": "metric"}])
    context: str = Field(description="Context in which it holds.", examples=["shipment_creation"])
    lesson: str = Field(
        description="Lesson of the correction.", examples=["units: metric, never imperial"]
    )
    timestamp: datetime = Field(description="When the correction was made.", examples=[NOW])


class BehaviourPattern(Answer):
    """Habit of a user: something done repeatedly."""

    pattern: str = Field(
        description="Parameter and value that recur.", examples=["create_shipment.units = metric"]
    )
    frequency: int = Field(description="Number of times it was seen.", examples=[7])
    context: str = Field(
        description="Context in which it was seen.", examples=["shipment_creation"]
    )


class UserPreferenceView(Answer):
    """Preferences of one user, or of an agent."""

    user_id: str | None = Field(
        default=None, description="User who prefers it; None: no user.", examples=["ada"]
    )
    user_context: str = Field(description="Name of the set.", examples=["default"])
    preferences: PreferenceSet = Field(description="Preferences in force.", examples=[{}])
    details: tuple[PreferenceView, ...] = Field(
        description="The preferences one by one.", examples=[[]]
    )
    corrections: tuple[CorrectionView, ...] = Field(
        description="The latest corrections.", examples=[[]]
    )
    patterns: tuple[BehaviourPattern, ...] = Field(description="Behaviour.", examples=[[]])
    last_updated: datetime = Field(description="When a preference changed last.", examples=[NOW])
    scope: str = Field(description="Scope of the preferences.", examples=["user/ada"])


class QueryMemoryView(Answer):
    """Matching knowledge, best first of each kind."""

    patterns: tuple[MemoryPatternView, ...] = Field(description="Patterns.", examples=[[]])
    tool_memory: tuple[ToolMemoryView, ...] = Field(description="Tools.", examples=[[]])
    insights: tuple[LearnedInsightView, ...] = Field(description="Insights.", examples=[[]])
    preferences: tuple[UserPreferenceView, ...] = Field(description="Preferences.", examples=[[]])
