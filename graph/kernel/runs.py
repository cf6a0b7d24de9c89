"""Fields of every kind of run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Run:
    """Work in one scope that changes many memories: who began it, when, and how it stands."""

    uid: str
    scope: str
    by: str
    state: str
    started_at: datetime
