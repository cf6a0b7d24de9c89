"""Erasures: their subjects, progress and receipts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Literal, get_args

from graph.kernel.scope import tenant_of

ErasureKind = Literal["agent", "session", "user", "memory", "memories"]
ErasureState = Literal["running", "done"]
ErasureStage = Literal["hide", "spread", "restore", "events", "remove", "sweep", "rewards", "check"]
ERASURE_STAGES: tuple[ErasureStage, ...] = get_args(ErasureStage)


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of an erasure: an owner by the scope that is its own, a session or a memory by where it lies.

    ``name`` is the id of an agent, user or session, the uid of a memory, or of memories that of their erasure.
    """

    kind: ErasureKind
    scope: str
    name: str

    @property
    def tenant(self) -> str:
        """The tenant that it belongs to; nothing of another is touched."""
        return tenant_of(self.scope)

    @property
    def owner(self) -> str:
        """The scope that goes with it; empty for a session and a memory."""
        return self.scope if self.kind in {"agent", "user"} else ""

    @property
    def actor(self) -> str:
        """Name of an owner in rewards and changes: its scope without the tenant."""
        return self.owner.partition("/")[2]

    @property
    def agent(self) -> str:
        """The agent that is erased; empty for anything else."""
        return self.name if self.kind == "agent" else ""

    @property
    def user(self) -> str:
        """The user that is erased; empty for anything else."""
        return self.name if self.kind == "user" else ""

    def digest(self, uid: str) -> str:
        """Return what a receipt keeps of it: whoever knows receipt and subject can compare."""
        return sha256("\n".join((uid, self.kind, self.scope, self.name)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure as it stands; once it is done it is a receipt, and names nobody.

    ``counts`` says how many nodes went by label, and how many memories by how they came to it:
    ``copies`` and ``derived`` of others', ``restored`` sources that came back. ``hidden`` memories
    are out of every answer.
    """

    uid: str
    kind: ErasureKind
    tenant: str
    state: ErasureState
    digest: str
    started_at: datetime
    finished_at: datetime | None = None
    stage: ErasureStage | None = None
    hidden: int = 0
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    subject: Subject | None = None
    after: str = ""
