"""Memories about a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.profiles import Mention


class ProfileStore(Protocol):
    """Finds memories by whom or what they are about."""

    async def mentions(
        self, scopes: Sequence[str], subject: str, at: datetime, now: datetime, limit: int
    ) -> Sequence[Mention]:
        """Return memories that hold at a time and name the subject, or were said by it; the newest first."""
        ...
