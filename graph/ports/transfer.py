"""Whole graphs on their way out and in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model import RecordPage, Section
    from graph.scope import Reach


class ExportStore(Protocol):
    """Everything that is stored, page by page."""

    async def count(self, reach: Reach) -> int:
        """Count the memories that an export would show, for its progress."""
        ...

    async def page(
        self, section: Section, reach: Reach, after: Sequence[str], limit: int, *, vectors: bool
    ) -> RecordPage:
        """Read the records of up to ``limit`` nodes of a section behind a key, in its order."""
        ...
