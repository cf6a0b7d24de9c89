"""Texts to vectors, for memories in up to two slots and for questions."""

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
    """Do work, and again with the other embedder if the graph was switched to that meanwhile."""
    try:
        return await work()
    except EmbedderChangedError:
        await embedders.refresh()
        return await work()


async def ask_embedder_in_use(
    embedders: EmbeddersInUse, ask: Callable[[SlotEmbedder], Awaitable[T]]
) -> T:
    """Ask the graph with the embedder in use, and again if this process missed the switch to another.

    The index of the slot before is gone then.
    """
    used = embedders.reading
    try:
        return await ask(used)
    # a Neo4j that is away says nothing of the embedder
    except DatabaseUnavailableError:
        raise
    except DatabaseError:
        await embedders.refresh()
        # the same embedder: the fault was another one
        if embedders.reading == used:
            raise
        return await ask(embedders.reading)


async def embed_rows(used: SlotEmbedder, rows: Sequence[NewMemory]) -> list[Vector]:
    """Return each row's own vector as it was given, else that of its text; each text once."""
    # each text once: episodes of one problem share it
    texts = list(dict.fromkeys(row.text for row in rows if row.vector is None))
    vectors = await asyncio.to_thread(used.embedder.embed, texts) if texts else ()
    embedded = dict(zip(texts, vectors, strict=True))
    return [
        embedded[row.text] if row.vector is None else np.asarray(row.vector, dtype=np.float32)
        for row in rows
    ]


async def embed_also(also: SlotEmbedder | None, texts: Sequence[str]) -> list[SlotVector | None]:
    """Embed texts for the slot that no recall reads; always by their words."""
    if also is None:
        return [None] * len(texts)
    vectors = await asyncio.to_thread(embed_any, also.embedder, texts)
    return [SlotVector(also.slot, also.embedder.name, vector) for vector in vectors]


def slot_vector(used: SlotEmbedder, vector: Vector) -> SlotVector:
    """Return the vector at length 1, for the slot it was made for.

    Raises
    ------
    InvalidInputError
        See ``unit_vector``.
    """
    # unit length: the index compares by distance, which is the cosine then
    unit = unit_vector(vector, used.embedder.dimension)
    return SlotVector(used.slot, used.embedder.name, unit)


def embed_any(embedder: Embedder, texts: Sequence[str], worded: str | None = None) -> Vector:
    """Embed texts that may hold no word; these get any direction.

    Raises
    ------
    InvalidInputError
        If ``worded``, which is to be found by its words, holds none.
    """
    vectors = embedder.embed(texts)
    for place in np.flatnonzero(~vectors.any(axis=1)):
        if texts[int(place)] == worded:
            raise InvalidInputError("text: holds no word to find it by", field="text")
        vectors[place] = any_direction(embedder.dimension)
    return vectors


def any_direction(dimension: int) -> Vector:
    """Return a unit vector that says nothing; a zero vector fits no index."""
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
    """Return the vector at length 1.

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
    """Vectors of questions; the last ones asked are kept, by embedder."""

    def __init__(self, entries: int) -> None:
        self._kept = LRUCache[tuple[str, str, str], "Vector"](entries)
        self._entries = entries

    def __len__(self) -> int:
        return len(self._kept)

    async def embed(self, embedder: Embedder, text: str) -> Vector:
        """Embed a text that is sought, off the event loop where that takes long."""
        return await self._cached(embedder, "query", text, embedder.embed_query)

    async def embed_question(self, embedder: Embedder, text: str) -> Vector:
        """Embed what a person asks of memories."""
        return await self._cached(embedder, "question", text, embedder.embed_question)

    async def embed_as_stored(self, embedder: Embedder, text: str) -> Vector:
        """Embed a text as those that it is compared with: what says the same has a cosine of 1."""
        return await self._cached(embedder, "stored", text, lambda one: embedder.embed([one])[0])

    async def _cached(
        self, embedder: Embedder, way: str, text: str, embed: Callable[[str], Vector]
    ) -> Vector:
        key = (embedder.name, way, text)
        if (kept := self._kept.get(key)) is not None:
            return kept
        # a thread costs more than a quick model
        vector = embed(text) if embedder.quick else await asyncio.to_thread(embed, text)
        if self._entries:
            # kept and given to several: nobody may write into it
            vector.flags.writeable = False
            self._kept[key] = vector
        return vector
