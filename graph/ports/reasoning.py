"""Problems, attempts, strategies and concepts in the graph, as a retrieval walks over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.retrieval import AttemptPool, AttemptQuery, EpisodeContent


class ReasoningStore(Protocol):
    """Store of attempts and their results."""

    async def attempts(self, query: AttemptQuery) -> AttemptPool:
        """Fetch the pool of one retrieval in one statement."""
        ...

    async def contents(
        self, scopes: Sequence[str], uids: Sequence[str], now: datetime
    ) -> Mapping[str, EpisodeContent]:
        """Read what is shown of episodes; what is gone or out of the scopes by now is left out."""
        ...
