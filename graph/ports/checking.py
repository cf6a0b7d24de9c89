"""Checking the graph against itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.checking import CheckKey, CheckPage, FlawKind


class GraphChecks(Protocol):
    """Walks over the graph in pages, and mends what it finds."""

    @property
    def walks(self) -> Sequence[str]:
        """The walks there are; together they see every node that can be wrong."""
        ...

    async def page(
        self, walk: str, after: CheckKey | None, limit: int, dimension: int
    ) -> CheckPage:
        """Look at the next nodes; vectors are to have ``dimension`` numbers."""
        ...

    async def mend(self, kind: FlawKind, keys: Sequence[CheckKey], now: datetime) -> int:
        """Mend some flaws, each only if it is so still; return how many. Vectors it cannot make."""
        ...

    async def texts(self, uids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Return uid and text of memories, by uid."""
        ...
