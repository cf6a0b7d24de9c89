"""Embedders of the vector slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graph.kernel.values import Vector

Slot = Literal["a", "b"]
# filling: a re-embedding writes it; retiring: it was read until the switch; dropping: going away
OtherState = Literal["filling", "retiring", "dropping"]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """An embedder as the graph records it; ``source`` is what it can be loaded from."""

    name: str
    dimension: int
    source: str = ""


@dataclass(frozen=True, slots=True)
class OtherSlot:
    """The slot that recalls do not read, while it holds something."""

    state: OtherState
    embedder: EmbedderIdentity


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """Record of the graph's vectors: the slot that recalls read, and the other one."""

    slot: Slot
    embedder: EmbedderIdentity
    other: OtherSlot | None = None

    @property
    def other_slot(self) -> Slot:
        """The slot that recalls do not read."""
        return "b" if self.slot == "a" else "a"


@dataclass(frozen=True, slots=True)
class SlotVector:
    """A unit vector for one slot, and the embedder that made it."""

    slot: Slot
    embedder: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class EmbeddingPage:
    """Some memories in the order of their uids, and those of them that lack a slot's vector."""

    last: str
    seen: int
    lacking: tuple[tuple[str, str], ...]  # uid and text


@dataclass(frozen=True, slots=True)
class MemoryCount:
    """Number of memories, and of those that came with a vector of the client's."""

    memories: int
    client_vectors: int
