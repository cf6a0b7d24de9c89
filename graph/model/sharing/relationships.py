"""Relationships between agents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

FIRST_TRUST = 0.5
TRUST_STEP = 0.1


@dataclass(frozen=True, slots=True)
class Interaction:
    """One interaction of an agent with another, and its outcome.

    ``outcome`` and ``weight`` are in [0, 1]; agents are scopes.
    """

    agent: str
    other: str
    outcome: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Relationship:
    """Relationship of one agent to another: trust each way, and the number of interactions."""

    agent: str
    other: str
    trust: float
    trusted: float
    interactions: int
    last_at: datetime
