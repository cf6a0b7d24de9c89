"""Episodes of a scope: counted, listed, and what each hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.browsing import Removed
    from graph.model.episodes import Attempted, EpisodeCount, EpisodeQuery
    from graph.model.memories import Memory


class EpisodeStore(Protocol):
    """Episodes of a scope; they are written as all memories are."""

    async def count(self, scope: str) -> EpisodeCount:
        """Count the episodes of a scope, in whatever state, and what is beside them."""
        ...

    async def page(self, query: EpisodeQuery) -> Sequence[tuple[Memory, int]]:
        """Read episodes in the order of ``occurred_at``, with the bytes each counts."""
        ...

    async def hangs_on(self, scopes: Sequence[str], uid: str) -> tuple[Attempted, ...]:
        """Return the problem, strategies and concepts that an episode hangs on."""
        ...

    async def remove(self, revisions: Mapping[str, int], now: datetime) -> Removed:
        """Remove episodes that are still at these revisions, and problems and strategies with the last of theirs.

        Those that others were made of stay.
        """
        ...
