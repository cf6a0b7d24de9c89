"""Time, names and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph.kernel.values import Floats, Vector


class Clock(Protocol):
    """The time, as an argument."""

    def now(self) -> datetime:
        """Return the present, zoned in UTC."""
        ...


class Identifiers(Protocol):
    """New names for new nodes."""

    def new_uid(self, now: datetime) -> str:
        """Return a ULID of that moment."""
        ...


class PairReader(Protocol):
    """Two texts, read together."""

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read older notes with later ones: shape ``(n, 2)``, the probabilities in [0, 1] that all, or a part, no longer holds."""
        ...

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read expectations with outcomes: log-odds of met against not met, shape ``(n,)``."""
        ...

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        """Read a question with notes: log-odds that each note answers it, shape ``(n,)``."""
        ...

    def answers_instead(self, question: str, notes: Sequence[tuple[str, str]]) -> Floats:
        """Read a question with older and newer notes: log-odds that each newer one answers in place of the older, shape ``(n,)``."""
        ...


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def name(self) -> str:
        """Name that the graph records, so that another embedder is noticed."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    @property
    def source(self) -> str:
        """Source it was loaded from, so that another replica can load it: a name or a folder."""
        ...

    @property
    def quick(self) -> bool:
        """Return whether a question takes microseconds, and need not leave the event loop."""
        ...

    @property
    def reader(self) -> PairReader | None:
        """Reader of pairs of texts, where the embedder brings one."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed ``n`` texts: float32 of shape ``(n, dimension)``, unit length, or zero rows."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Embed a text that is sought: float32 of shape ``(dimension,)``, unit length, or zeros."""
        ...

    def embed_question(self, text: str) -> Vector:
        """Embed what a person asks of memories, by an adapter where the embedder has one; as ``embed_query`` else."""
        ...

    def knows(self, word: str) -> bool:
        """Tell whether a word is one token of the model: such a word is not misspelt."""
        ...
