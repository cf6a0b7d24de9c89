"""Embedders by slot, and what re-embedding needs of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from graph.kernel.embedding import (
    Slot,
)
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
