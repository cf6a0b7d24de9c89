"""Statements of agents in a channel, and the agreements and disputes found among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graph.kernel.values import Vector
from graph.model.memories.memory import PreparedMemory
from graph.model.sharing.agreements import Saying, Vote

Change = Literal["created", "updated", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement of an agent that is compared with others.

    ``contradicts`` and ``gathered`` are uids of other statements and of agreements.
    """

    saying: Saying
    revision: int
    votes: tuple[Vote, ...] = ()
    contradicts: tuple[str, ...] = ()
    gathered: tuple[str, ...] = ()
    vector: Vector | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class KnownAgreement:
    """Stored agreement, with the statements that it rests on."""

    uid: str
    text: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Statements with the same meaning, and the change of their agreement.

    Without a ``uid`` the agreement is new; ``prepared`` is the memory to write.
    """

    text: str
    statements: tuple[str, ...]
    agents: tuple[str, ...]
    change: Change
    uid: str | None = None
    at: datetime | None = None
    prepared: PreparedMemory | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two statements that contradict each other; ``one`` has the lower uid."""

    one: Saying
    other: Saying
    similarity: float


@dataclass(frozen=True, slots=True)
class AgreementNews:
    """Differences between the agreements and disputes found and those stored.

    ``revisions`` are those of the compared statements, ``known`` the stored agreements; ``settled`` pairs no longer
    contradict each other.
    """

    gathered: tuple[Gathered, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    settled: tuple[tuple[str, str], ...] = ()
    revisions: dict[str, int] = field(default_factory=dict[str, int])
    compared: frozenset[str] = frozenset()
    looked: int = 0
    known: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Return whether there is any change."""
        return bool(self.gathered or self.disputes or self.settled)
