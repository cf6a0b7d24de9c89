"""What the background finds between memories, and the lease under which it works."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
class Unlinked:
    """A memory that is not linked yet, with what is nearest to it in its scope.

    ``searchable`` says whether the vector index shows it; until then others saved with it may be
    missing from ``near``.
    """

    uid: str
    scope: str
    text: str
    since: datetime
    near: tuple[Near, ...]
    searchable: bool


@dataclass(frozen=True, slots=True)
class Linking:
    """What a memory is to be linked to; ``since`` names the content that was looked at.

    ``q_init``: the Q to begin with, where nothing has taught it; None leaves it.
    """

    uid: str
    scope: str
    since: datetime
    phrases: tuple[Phrase, ...]
    near: tuple[Near, ...]
    q_init: float | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work alone; the highest ``token`` given out is the one that counts."""

    name: str
    holder: str
    token: int
