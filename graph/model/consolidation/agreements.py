"""Statements of a channel's agents that are compared, and what a consolidation gathers of them."""

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
    """A saying that is compared with others, and what is known of it in the graph.

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
    """An agreement that is in the graph, and the statements that it rests on."""

    uid: str
    text: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Statements that say the same, and what becomes of the memory that stands for them.

    Without a ``uid`` it has none yet; ``prepared`` is the one to write.
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
    """Two statements that contradict each other; the lower uid is the one."""

    one: Saying
    other: Saying
    similarity: float


@dataclass(frozen=True, slots=True)
class AgreementNews:
    """Changes of what a channel agrees on and disputes, against what the graph says.

    ``revisions`` are those of the statements that were compared, ``known`` the agreements that were there then; ``settled``
    no longer contradict each other.
    """

    gathered: tuple[Gathered, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    settled: tuple[tuple[str, str], ...] = ()
    revisions: dict[str, int] = field(default_factory=dict[str, int])
    compared: frozenset[str] = frozenset()
    looked: int = 0
    known: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Say whether anything differs."""
        return bool(self.gathered or self.disputes or self.settled)
