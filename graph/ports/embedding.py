"""Embedders by slot, and what re-embedding needs of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from graph.model.embedding import (
        EmbedderIdentity,
        EmbeddingPage,
        EmbeddingState,
        MemoryCount,
        Slot,
    )
    from graph.model.values import Vector
    from graph.ports.world import Embedder


@dataclass(frozen=True, slots=True)
class SlotEmbedder:
    """An embedder and the slot its vectors are in; they are only ever used together."""

    slot: Slot
    embedder: Embedder


class EmbeddersInUse(Protocol):
    """The embedders that this process uses at the moment."""

    @property
    def reading(self) -> SlotEmbedder:
        """Embedder and slot that recalls use.

        Raises
        ------
        EmbedderUnavailableError
            If the graph's embedder cannot be loaded here.
        """
        ...

    @property
    def also_writing(self) -> SlotEmbedder | None:
        """Embedder and slot to write besides, while the graph is being re-embedded."""
        ...

    async def refresh(self) -> bool:
        """Look at the graph again; say whether something has changed."""
        ...


class EmbeddingStore(Protocol):
    """The two slots for vectors, and the record of what is in them."""

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Keep other re-embeddings out for as long as this one lives.

        Raises
        ------
        ConflictError
            If another one works.
        """
        ...

    async def state(self) -> EmbeddingState:
        """Read what is recorded."""
        ...

    async def count(self) -> MemoryCount:
        """Count all memories."""
        ...

    async def begin(self, target: EmbedderIdentity) -> None:
        """Record that the other slot is being filled, and make its index; again: go on."""
        ...

    async def page(self, slot: Slot, embedder: str, after: str, limit: int) -> EmbeddingPage:
        """Read the next memories after a uid, with the texts that lack a vector."""
        ...

    async def save_vectors(
        self, slot: Slot, embedder: str, rows: Sequence[tuple[str, str, Vector]]
    ) -> int:
        """Write vectors by uid where the text still is the one given; return how many."""
        ...

    async def switch(self, target: str) -> bool:
        """Let recalls read the other slot, in one transaction; not while a memory lacks it."""
        ...

    async def give_up(self) -> bool:
        """Let the other slot go; say whether there was one. What recalls read stays."""
        ...

    async def drop_other(
        self, after: str, limit: int, unlinked_since: datetime | None
    ) -> EmbeddingPage:
        """Remove the other slot's index, and the vectors of the next memories after a uid.

        With a time, these memories wait for their links from then on.
        """
        ...

    async def forget_other(self) -> None:
        """Record that the other slot is empty."""
        ...
