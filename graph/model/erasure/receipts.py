"""Erasures: their subjects, progress and receipts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import get_args

from graph.kernel.scope import tenant_of, without_tenant
from stratagraph.vocabulary import ErasureKind, ErasureStage, ErasureState

ERASURE_STAGES: tuple[ErasureStage, ...] = get_args(ErasureStage)


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of an erasure: an owner by its scope, or a session or memory within a scope.

    ``name`` is the id of an agent, user or session, the uid of a memory, or for a set of memories that of their
    erasure.
    """

    kind: ErasureKind
    scope: str
    name: str

    @property
    def tenant(self) -> str:
        """Its tenant; nothing of others is affected."""
        return tenant_of(self.scope)

    @property
    def owner(self) -> str:
        """The scope that is erased with it; empty for a session and a memory."""
        return self.scope if self.kind in {"agent", "user"} else ""

    @property
    def actor(self) -> str:
        """Owner as named in rewards and changes: its scope without the tenant."""
        return without_tenant(self.owner)

    @property
    def agent(self) -> str:
        """The erased agent; empty for other subjects."""
        return self.name if self.kind == "agent" else ""

    @property
    def user(self) -> str:
        """The erased user; empty for other subjects."""
        return self.name if self.kind == "user" else ""

    def digest(self, uid: str) -> str:
        """Return the hash in a receipt, by which its holder can identify the subject."""
        return sha256("\n".join((uid, self.kind, self.scope, self.name)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Erasure:
    """Current state of an erasure; when done, a receipt without names.

    ``counts`` are removed nodes by label, and memories by reason: ``copies`` and ``derived`` ones of others,
    ``restored`` sources. ``hidden`` memories are in no answer.
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
