"""Times of many rows as text: the driver takes longer for one time than for a whole vector."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_NAMES = (
    "occurred_at",
    "recorded_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "unlinked_since",
    "w_at",
)


def to_time(text: str) -> datetime:
    """Read a time that a statement returned by ``toString``; it keeps the offset that it was stored with."""
    return datetime.fromisoformat(text)


class Times:
    """The distinct times of the rows of a statement, as text; rows name them by their place."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._seen: dict[int, tuple[datetime, int]] = {}

    @property
    def texts(self) -> list[str]:
        """The times, in the order of their places."""
        return list(self._places)

    def part(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row's properties without its times, and the places of these."""
        rest, places = dict(properties), dict[str, int]()
        for name in _NAMES:
            at = rest.pop(name, None)
            if at is not None:
                places[name] = self._place(at)
        return {"properties": rest, "times": places}

    def _place(self, at: datetime) -> int:
        seen = self._seen.get(id(at))  # most rows share the very same few
        if seen is None:
            place = self._places.setdefault(at.isoformat(), len(self._places))
            # the time is kept, too: the id of one that is gone may become another's
            self._seen[id(at)] = (at, place)
            return place
        return seen[1]
