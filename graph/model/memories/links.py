"""Links that the worker finds between memories, and its lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph.model.memories.superseding import Supersession


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name or key phrase: its normal form, and the form it was found in."""

    name: str
    display: str


@dataclass(frozen=True, slots=True)
class Near:
    """A memory near another in meaning; ``similarity`` is their cosine, in [-1, 1].

    ``q_left`` is the share of the initial value ``q_init`` that is left in its Q.
    """

    uid: str
    similarity: float
    q_value: float = 0.5
    q_left: float = 1.0
    q_init: float = 0.5


@dataclass(frozen=True, slots=True)
class NearFact:
    """A short text near another in meaning, and when it begins to hold; ``similarity`` is their cosine.

    One that is ``condensed`` holds sentences of several memories, and is longer.
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
        """Say which of two comes later: by what they tell, else in their session, else as recorded; None: neither."""
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
    """A memory that is not linked yet, with what is nearest to it in its scope.

    ``facts`` are those of the nearest that may replace it or be replaced by it, with itself; empty if it is none.

    ``searchable`` says whether the vector index shows it; until then others saved with it may be
    missing from ``near``.
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
    """Links to make for a memory; ``since`` names the content that was looked at.

    ``q_init``: the Q to begin with, where nothing has taught it; None leaves it.
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
    """Number of memories linked, and those found to replace another, each with its scope."""

    count: int = 0
    superseded: tuple[tuple[str, Supersession], ...] = ()


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work alone; the highest ``token`` given out is the one that counts."""

    name: str
    holder: str
    token: int
