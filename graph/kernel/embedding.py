"""Embedders of the vector slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graph.kernel.values import Vector

Slot = Literal["a", "b"]
# filling: a re-embedding writes it; retiring: it was in use until the switch; dropping: being
# removed
OtherState = Literal["filling", "retiring", "dropping"]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Embedder as recorded in the graph; ``source`` is where it can be loaded from."""

    name: str
    dimension: int
    source: str = ""


@dataclass(frozen=True, slots=True)
class OtherSlot:
    """The slot that is not in use, while it has vectors."""

    state: OtherState
    embedder: EmbedderIdentity


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """Record of the graph's vectors: the slot in use, and the other one."""

    slot: Slot
    embedder: EmbedderIdentity
    other: OtherSlot | None = None

    @property
    def other_slot(self) -> Slot:
        """The slot that is not in use."""
        return "b" if self.slot == "a" else "a"


@dataclass(frozen=True, slots=True)
class SlotVector:
    """A unit vector for one slot, and its embedder."""

    slot: Slot
    embedder: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class EmbeddingPage:
    """Some memories by uid, and those of them without a vector in a slot."""

    last: str
    seen: int
    lacking: tuple[tuple[str, str], ...]  # uid and text


@dataclass(frozen=True, slots=True)
class MemoryCount:
    """Number of memories, and of those with vectors of the client."""

    memories: int
    client_vectors: int
