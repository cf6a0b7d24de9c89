"""What agents had to do with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

FIRST_TRUST = 0.5
TRUST_STEP = 0.1


@dataclass(frozen=True, slots=True)
class Interaction:
    """How something that one agent had to do with another went for it.

    ``outcome`` and ``weight`` are in [0, 1]; agents are scopes.
    """

    agent: str
    other: str
    outcome: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Relationship:
    """How one agent stands to another: its trust, that of the other, and how often they met."""

    agent: str
    other: str
    trust: float
    trusted: float
    interactions: int
    last_at: datetime
