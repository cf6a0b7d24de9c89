"""A clock that tests set."""

from __future__ import annotations

from datetime import datetime


class At:
    """Clock that stands at ``time``."""

    def __init__(self, now: datetime) -> None:
        self.time = now

    def now(self) -> datetime:
        """Return the time that was set."""
        return self.time
