"""Embedding of memories, in up to two slots, and of questions."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import numpy as np
from cachetools import LRUCache

from graph.kernel.embedding import SlotVector
from graph.kernel.errors import (
    DatabaseError,
    DatabaseUnavailableError,
    EmbedderChangedError,
    InvalidInputError,
)
from graph.kernel.values import Vector
from graph.model.memories.memory import NewMemory
from graph.ports.embedding import EmbeddersInUse, SlotEmbedder
from graph.ports.world import Embedder

T = TypeVar("T")


async def with_embedder_in_use(embedders: EmbeddersInUse, work: Callable[[], Awaitable[T]]) -> T:
    """Do work, and once more if the graph was switched to another embedder meanwhile."""
    try:
        return await work()
    except EmbedderChangedError:
        await embedders.refresh()
        return await work()


async def ask_embedder_in_use(
    embedders: EmbeddersInUse, ask: Callable[[SlotEmbedder], Awaitable[T]]
) -> T:
    """Query the graph with the embedder in use, and once more if this process missed a switch.

    After a switch the index of the old slot is gone.
    """
    used = embedders.reading
    try:
        return await ask(used)
    # unavailable: no evidence of a switch
    except DatabaseUnavailableError:
        raise
    except DatabaseError:
        await embedders.refresh()
        # no switch: another error
        if embedders.reading == used:
            raise
        return await ask(embedders.reading)


async def embed_rows(used: SlotEmbedder, rows: Sequence[NewMemory]) -> list[Vector]:
    """Return each row's own vector, else that of its text; each text is embedded once."""
    # episodes of one problem share its text
    texts = list(dict.fromkeys(row.text for row in rows if row.vector is None))
    vectors = await asyncio.to_thread(used.embedder.embed, texts) if texts else ()
    embedded = dict(zip(texts, vectors, strict=True))
    return [
        embedded[row.text] if row.vector is None else np.asarray(row.vector, dtype=np.float32)
        for row in rows
    ]


async def embed_also(also: SlotEmbedder | None, texts: Sequence[str]) -> list[SlotVector | None]:
    """Embed texts for the slot that a re-embedding fills; never the vectors of clients."""
    if also is None:
        return [None] * len(texts)
    vectors = await asyncio.to_thread(embed_any, also.embedder, texts)
    return [SlotVector(also.slot, also.embedder.name, vector) for vector in vectors]


def slot_vector(used: SlotEmbedder, vector: Vector) -> SlotVector:
    """Return the vector at unit length, for its slot.

    Raises
    ------
    InvalidInputError
        See ``unit_vector``.
    """
    # the index compares by distance, which is the cosine for unit vectors
    unit = unit_vector(vector, used.embedder.dimension)
    return SlotVector(used.slot, used.embedder.name, unit)


def embed_any(embedder: Embedder, texts: Sequence[str], worded: str | None = None) -> Vector:
    """Embed texts that may have no words; these get an arbitrary direction.

    Raises
    ------
    InvalidInputError
        If ``worded``, which must be searchable, has no words.
    """
    vectors = embedder.embed(texts)
    for place in np.flatnonzero(~vectors.any(axis=1)):
        if texts[int(place)] == worded:
            raise InvalidInputError("text: holds no word to find it by", field="text")
        vectors[place] = any_direction(embedder.dimension)
    return vectors


def any_direction(dimension: int) -> Vector:
    """Return an arbitrary unit vector, as an index refuses zero vectors."""
    return np.full(dimension, dimension**-0.5, dtype=np.float32)


def stacked(vectors: Sequence[Vector | None]) -> Vector:
    """Return vectors as rows of one matrix; a missing one, or one of another length than most, is zero."""
    # two lengths: the graph is being re-embedded
    sizes = Counter(len(vector) for vector in vectors if vector is not None)
    size = sizes.most_common(1)[0][0] if sizes else 1
    matrix = np.zeros((len(vectors), size), dtype=np.float32)
    for row, vector in zip(matrix, vectors, strict=True):
        if vector is not None and len(vector) == size:
            row[:] = vector
    return matrix


def unit_vector(vector: Vector, dimension: int) -> Vector:
    """Return the vector at unit length.

    Raises
    ------
    InvalidInputError
        If it has another length than ``dimension``, holds NaN or infinities, or is zero: one such
        vector in the index would make every later recall of its scope fail.
    """
    if vector.shape != (dimension,):
        raise InvalidInputError(
            f"vector: this graph holds {dimension} numbers per vector, {vector.size} were given",
            field="vector",
        )
    # in 64 bits: squares of large numbers leave the range of 32
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not np.isfinite(norm) or norm < 1e-6:
        raise InvalidInputError(
            "vector: must be finite and not zero (a text without any word has a zero vector)",
            field="vector",
        )
    return (vector / np.float32(norm)).astype(np.float32)


class QuestionVectors:
    """LRU cache of vectors of questions, by embedder."""

    def __init__(self, entries: int) -> None:
        self._kept = LRUCache[tuple[str, str, str], "Vector"](entries)
        self._entries = entries

    def __len__(self) -> int:
        return len(self._kept)

    async def embed(self, embedder: Embedder, text: str) -> Vector:
        """Embed a query, in a thread if the embedder is slow."""
        return await self._cached(embedder, "query", text, embedder.embed_query)

    async def embed_question(self, embedder: Embedder, text: str) -> Vector:
        """Embed a question."""
        return await self._cached(embedder, "question", text, embedder.embed_question)

    async def embed_as_stored(self, embedder: Embedder, text: str) -> Vector:
        """Embed a text like stored texts, so that equal texts have a cosine of 1."""
        return await self._cached(embedder, "stored", text, lambda one: embedder.embed([one])[0])

    async def _cached(
        self, embedder: Embedder, way: str, text: str, embed: Callable[[str], Vector]
    ) -> Vector:
        key = (embedder.name, way, text)
        if (kept := self._kept.get(key)) is not None:
            return kept
        # for a quick model a thread is slower
        vector = embed(text) if embedder.quick else await asyncio.to_thread(embed, text)
        if self._entries:
            # shared by callers: read-only
            vector.flags.writeable = False
            self._kept[key] = vector
        return vector
