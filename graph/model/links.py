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
    """A memory near another in meaning; ``similarity`` is their cosine, in [-1, 1]."""

    uid: str
    similarity: float


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
    """What a memory is to be linked to; ``since`` names the content that was looked at."""

    uid: str
    scope: str
    since: datetime
    phrases: tuple[Phrase, ...]
    near: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work alone; the highest ``token`` given out is the one that counts."""

    name: str
    holder: str
    token: int
