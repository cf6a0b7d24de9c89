"""Whole graphs on their way out and in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.memories import Saved
    from graph.model.transfer import Record, RecordPage, RecordType, Restored, Section
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


class ImportStore(Protocol):
    """Store that writes the records of an export; it changes nothing that is there."""

    async def restore(
        self, tenant: str, rows: Sequence[Restored], now: datetime
    ) -> tuple[Saved, ...]:
        """Write memories under their own names in one transaction; one answer per row, in order."""
        ...

    async def add(
        self, tenant: str, kind: RecordType, records: Sequence[Record], now: datetime
    ) -> tuple[Saved, ...]:
        """Write records of one type in one transaction; one answer per record, in order."""
        ...
