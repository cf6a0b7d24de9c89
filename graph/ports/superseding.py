"""Manual replacements of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.superseding import Supersession


class SupersessionStore(Protocol):
    """Edges between memories that replace each other."""

    async def state(
        self, scopes: Sequence[str], newer: str, older: str, now: datetime
    ) -> tuple[str, Supersession | None] | None:
        """Store that one memory replaces another; both by uid or ``external:<id>``.

        Return their scope and what is new; None if one of them is not in the scopes.

        Raises
        ------
        InvalidInputError
            If they lie in two scopes, are one memory, or the newer begins to hold before the older.
        ConflictError
            If one of them is a copy, or the older already replaces the newer.
        """
        ...

    async def part(self, scopes: Sequence[str], newer: str, older: str, now: datetime) -> bool:
        """Store that one memory does not replace another; False if one of them is not in the scopes."""
        ...
