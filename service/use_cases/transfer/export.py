"""Export of all data of an identity or a tenant, as records in an order that can be imported."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph.kernel.embedding import EmbedderIdentity
from graph.kernel.scope import Reach
from graph.model.transfer.records import SECTIONS, Position, Record
from graph.ports.embedding import EmbeddersInUse
from graph.ports.world import Clock
from graph.store.transfer.exports import ExportStore

PAGE = 500


@dataclass(frozen=True, slots=True)
class ExportStart:
    """Header of an export."""

    exported_at: datetime
    embedder: EmbedderIdentity
    reach: Reach
    vectors: bool
    memories: int


@dataclass(frozen=True, slots=True)
class ExportPage:
    """A page of records with the next position; None at the end."""

    records: Sequence[Record]
    position: Position
    last: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """Export all records, section by section, each in the order of an immutable key.

    Pages are read one by one while others write. What is there from the start to the end is shown
    once, as it is when its page is read; what comes or goes meanwhile may be shown or not.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; the export can go on from the last page.
    """

    store: ExportStore
    clock: Clock
    embedders: EmbeddersInUse

    async def begin(self, reach: Reach, *, vectors: bool = False) -> ExportStart:
        """Return the header of an export."""
        memories = await self.store.count(reach)
        used = self.embedders.reading.embedder
        identity = EmbedderIdentity(used.name, used.dimension)
        return ExportStart(self.clock.now(), identity, reach, vectors, memories)

    async def __call__(
        self, reach: Reach, *, vectors: bool = False, after: Position | None = None
    ) -> AsyncGenerator[ExportPage]:
        """Yield pages after a position; the last one is marked."""
        position = after or Position()
        # counts travel in the position: a resumed export ends with the same sum
        counts = dict(position.counts)
        for section in SECTIONS[SECTIONS.index(position.section) :]:
            key = position.key if section == position.section else ()
            while True:
                # pages by key, not by offset: rows come and go while it walks
                page = await self.store.page(section, reach, key, PAGE, vectors=vectors)
                for record in page.records:
                    counts[record.type] = counts.get(record.type, 0) + 1
                if page.next_key is None:
                    break
                key = page.next_key
                yield ExportPage(page.records, Position(section, key, dict(counts)))
            following = SECTIONS.index(section) + 1
            last = following == len(SECTIONS)
            # at the end of a section the position names the next one, so nothing is read twice
            ahead = Position(section if last else SECTIONS[following], (), dict(counts))
            yield ExportPage(page.records, ahead, last)
