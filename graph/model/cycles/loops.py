"""Outer loops: lessons from the ended cycles of a scope, and the memories moved by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from graph.kernel.runs import Run
from graph.kernel.values import Status
from stratagraph.vocabulary import LoopRule as LoopRule

LoopState = Literal["done", "undoing", "undone", "erased"]


@dataclass(frozen=True, slots=True)
class EndedCycle:
    """Properties of an ended cycle that an outer loop reads."""

    uid: str
    mode: str
    repairs: int
    failures: int
    parts: Mapping[str, float]
    tools: Mapping[str, tuple[int, int]]
    ended_at: datetime
    status: Status | None = None
    phase: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class LoopRun(Run):
    """One outer loop of a scope: its report, and the run that moved memories, if any."""

    state: LoopState
    report: Mapping[str, Any] = field(default_factory=dict[str, Any])
    moved_by: str | None = None
    finished_at: datetime | None = None
