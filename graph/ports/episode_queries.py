"""Questions about episodes, answered inside the indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model.questions import EpisodeFindings, EpisodeSearch, FailedProblems, Vocabulary
    from graph.model.recall import Window


class EpisodeQueries(Protocol):
    """Episodes by what is known of them.

    Every call reads within the scopes it is given, ends after a time, and raises
    ``QueryTimeoutError`` then.
    """

    async def find(self, search: EpisodeSearch) -> EpisodeFindings:
        """Find episodes that pass every filter, in the order asked for."""
        ...

    async def measure(self, search: EpisodeSearch) -> EpisodeFindings:
        """Measure the episodes that pass every filter, and each group of them."""
        ...

    async def like_pairs(
        self, search: EpisodeSearch, wrong: Sequence[str], right: Sequence[str], similarity: float
    ) -> tuple[tuple[str, str], ...]:
        """Pair attempts, by uid, whose problems are at least so near or need one concept."""
        ...

    async def vocabulary(self, scopes: Sequence[str]) -> Vocabulary:
        """Read the names that occur, the most frequent of each sort."""
        ...

    async def failed_problems(
        self, scopes: Sequence[str], occurred: Window, similarity: float, limit: int
    ) -> FailedProblems:
        """Read the problems with wrong attempts, the most failed first, and which are similar."""
        ...
