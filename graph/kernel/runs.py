"""Fields of every kind of run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Run:
    """Work in one scope that changes many memories: its actor, times and state."""

    uid: str
    scope: str
    by: str
    state: str
    started_at: datetime
