"""Stores of generated memories, equal in every run, so that filled ones can be reused.

Two shapes: `many`, scopes of a few hundred memories each; `one`, a single scope with all.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.floor import count_stored, remove_written
from benchmarks.runner import progress
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory

if TYPE_CHECKING:
    from pathlib import Path

    from service.bootstrap import Service

SHAPES = ("many", "one")
BATCH = 1000
_WRITERS = 2
_STORED = ("created", "unchanged")
_SCOPE_SIZE = 500
_SESSION_SIZE = 20
_SEED = 7
_SPEAKERS = ("Ann", "Bob")


@dataclass(frozen=True, slots=True)
class Words:
    """Texts with the word frequencies of a language (Zipf)."""

    vocabulary: tuple[str, ...]
    cumulative: np.ndarray[Any, np.dtype[np.float64]]

    @classmethod
    def make(cls, rng: np.random.Generator, size: int = 20_000) -> Words:
        """Generate a vocabulary."""
        letters = np.array(list("aeioulnrstdmkbpgfvh"))
        words = (
            "".join(letters[rng.integers(len(letters), size=int(rng.integers(3, 10)))].tolist())
            for _ in range(size * 2)
        )
        vocabulary = tuple(islice(dict.fromkeys(words), size))
        weights = 1.0 / np.arange(2, len(vocabulary) + 2)
        return cls(vocabulary, np.cumsum(weights / weights.sum()))

    def text(self, rng: np.random.Generator, low: int, high: int) -> str:
        """Generate one text of that many words."""
        count = int(rng.integers(low, high))
        last = len(self.vocabulary) - 1
        places = np.minimum(np.searchsorted(self.cumulative, rng.random(count)), last)
        return " ".join(self.vocabulary[int(place)] for place in places)


@dataclass(frozen=True, slots=True)
class Store:
    """Content of a store of a shape and a size; each place has the same memory in every run."""

    shape: str
    size: int
    words: Words

    @classmethod
    def of(cls, shape: str, size: int) -> Store:
        """Describe a store, without writing it."""
        return cls(shape, size, Words.make(np.random.default_rng(_SEED)))

    def home(self, folder: Path) -> Path:
        """Return the folder of a store of this shape and size."""
        return folder / f"{self.shape}-{self.size}"

    def owner(self, place: int) -> str:
        """Return the agent of the memory at a place."""
        return "one" if self.shape == "one" else f"agent-{place // _SCOPE_SIZE}"

    def batch(self, first: int) -> list[NewMemory]:
        """Generate the memories from a multiple of `BATCH` on."""
        rng = np.random.default_rng([_SEED, first])
        return [self._memory(rng, place) for place in range(first, min(first + BATCH, self.size))]

    def _memory(self, rng: np.random.Generator, place: int) -> NewMemory:
        speaker, owner = _SPEAKERS[place % 2], self.owner(place)
        return NewMemory(
            scope=Caller("local", owner).writable(),
            text=f"{speaker}: {self.words.text(rng, 8, 30)}",
            agent_id=owner,
            session_id=f"session-{place // _SESSION_SIZE}",
            speaker=speaker,
            external_id=f"m{place}",
        )

    def questions(self, count: int) -> list[tuple[str, str]]:
        """Generate questions, each with its agent."""
        rng = np.random.default_rng([_SEED, self.size, count])
        return [
            (self.owner(int(rng.integers(self.size))), self.words.text(rng, 5, 12))
            for _ in range(count)
        ]


async def refill(service: Service, store: Store) -> float:
    """Remove what an interrupted benchmark has left in a store, and fill it; see ``fill``."""
    await remove_written(service.database.driver)
    return await fill(service, store, await count_stored(service.database.driver))


async def fill(service: Service, store: Store, stored: int) -> float:
    """Remember what is missing; return the rate per second, 0 if nothing was missing.

    Raises
    ------
    SystemExit
        If the store holds more already, or a memory was refused.
    """
    if stored > store.size:
        raise SystemExit(f"the store holds {stored:,} memories, more than {store.size:,}")
    started, done = time.perf_counter(), stored
    missing = iter(range(_resumed(stored, store.size), store.size, BATCH))

    async def writer() -> None:
        nonlocal done
        for first in missing:
            answers = await service.remember(store.batch(first))
            if refused := [each for each in answers if each.status not in _STORED]:
                raise SystemExit(f"{len(refused)} memories were not created: {refused[0]}")
            done += sum(answer.status == "created" for answer in answers)
            progress("remembered", done, store.size)

    await asyncio.gather(*(writer() for _ in range(_WRITERS)))
    return (store.size - stored) / (time.perf_counter() - started)


def _resumed(stored: int, size: int) -> int:
    """Return where a fill continues: other writers of an interrupted one may have left gaps of a batch."""
    if stored == size:
        return size
    return max(0, stored // BATCH - _WRITERS + 1) * BATCH
