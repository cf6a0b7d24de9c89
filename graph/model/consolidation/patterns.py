"""Input and results of pattern search across sessions."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

PatternType = Literal["sequential", "causal", "correlational", "structural"]
PATTERN_TYPES: tuple[PatternType, ...] = ("sequential", "causal", "correlational", "structural")


@dataclass(frozen=True, slots=True)
class Happening:
    """The properties of one memory that pattern search uses."""

    session: str | None
    """None for none; patterns are counted in sessions, so what has none belongs to no pattern."""
    order: float
    """Place within the session; equal ones stand in the order in which they are given."""
    labels: tuple[str, ...] = ()
    """Tags, actions, whatever may recur."""
    outcome: bool | None = None
    """Success or failure, where known."""
    shape: tuple[str, ...] = ()
    """Sorted top-level keys of structured content; empty for none."""
    kind: str = ""
    """Sort of memory; empty where sequences of kinds are not wanted."""
    text: str = ""
    """Beginning of what it says, where it has no labels."""


@dataclass(frozen=True, slots=True)
class FoundPattern:
    """Recurring pattern, with its evidence."""

    type: PatternType
    items: tuple[str, ...]
    """Labels in their order; of a structural one first ``keys`` or ``kinds``, then which."""
    support: int
    """In how many sessions."""
    confidence: float
    """In [0, 1]; what it measures depends on the type."""
    evidence: tuple[int, ...]
    """Places of memories that it rests on, sorted."""
    text: str
    """Statement of the pattern, the same for the same pattern whatever its counts."""

    @property
    def signature(self) -> str:
        """Hash of type and items, 64 hex digits; equal in all scopes."""
        parts = (self.type, *self.items)
        told = "".join(f"{len(part.encode())}:{part}" for part in parts)
        return sha256(told.encode()).hexdigest()

    @property
    def external_id(self) -> str:
        """External id of its memory in every scope."""
        return f"pattern:{self.signature[:32]}"
