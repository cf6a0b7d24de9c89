"""Links that the worker finds between memories, and its lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph.model.memories.superseding import Supersession


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name or key phrase: its normal form, and the form in the text."""

    name: str
    display: str


@dataclass(frozen=True, slots=True)
class Near:
    """A memory near another in meaning; ``similarity`` is their cosine, in [-1, 1].

    ``q_left`` is the share of the initial value ``q_init`` in its Q.
    """

    uid: str
    similarity: float
    q_value: float = 0.5
    q_left: float = 1.0
    q_init: float = 0.5


@dataclass(frozen=True, slots=True)
class NearFact:
    """A short text near another in meaning, with its start of validity; ``similarity`` is their cosine.

    A ``condensed`` one has sentences of several memories, and is longer.
    """

    uid: str
    similarity: float
    text: str
    speaker: str | None
    begins: datetime
    recorded_at: datetime
    session_id: str | None
    sequence: int | None
    revision: int
    condensed: bool = False

    def is_later_than(self, other: NearFact) -> bool | None:
        """Return whether this is later, by ``occurred_at``, place in a session, or recording; None if unknown."""
        own, others = self._places(other)
        earlier = (other.begins, others, other.recorded_at)
        later = (self.begins, own, self.recorded_at)
        return None if later == earlier else later > earlier

    def _places(self, other: NearFact) -> tuple[int, int]:
        same = self.session_id and self.session_id == other.session_id
        if not same or self.sequence is None or other.sequence is None:
            return 0, 0
        return self.sequence, other.sequence


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A memory without links, with its nearest neighbours in its scope.

    ``facts`` are itself and neighbours that may replace it or be replaced by it, or empty. ``searchable`` is false
    while the vector index does not contain it; until then ``near`` may lack memories saved with it.
    """

    uid: str
    scope: str
    text: str
    since: datetime
    near: tuple[Near, ...]
    searchable: bool
    facts: tuple[NearFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Linking:
    """Links to create for a memory; ``since`` identifies the content that was read.

    ``q_init`` is the initial Q of a memory without rewards; None keeps it.
    """

    uid: str
    scope: str
    since: datetime
    phrases: tuple[Phrase, ...]
    near: tuple[Near, ...]
    q_init: float | None = None
    supersessions: tuple[Supersession, ...] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """Number of linked memories, and those found to replace another, each with its scope."""

    count: int = 0
    superseded: tuple[tuple[str, Supersession], ...] = ()


@dataclass(frozen=True, slots=True)
class Lease:
    """Exclusive right to work; only the highest ``token`` is valid."""

    name: str
    holder: str
    token: int
