"""Runs of consolidation, and their effects on memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from graph.model.consolidating import ConsolidationRun
from graph.ports.runs import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from graph.model.consolidating import (
        Cluster,
        Condensing,
        Inherited,
        KnownPattern,
        Outlined,
        SeenPattern,
        SourceMemory,
        SourceStanding,
    )
    from graph.model.embedding import Slot
    from graph.model.links import Lease
    from graph.model.patterns import Happening

    Inherit = Callable[[Sequence[SourceStanding]], Inherited]


class ConsolidationStore(RunStore[ConsolidationRun], Protocol):
    """Plans, condenses and takes back."""

    async def outline(
        self, scope: str, uids: Sequence[str], now: datetime, slot: Slot
    ) -> Sequence[Outlined]:
        """Return those that can be condensed: active notes in plain text that never end and that nothing replaced."""
        ...

    async def pairs(self, uids: Sequence[str]) -> Sequence[tuple[str, str, float]]:
        """Return which of these memories are similar, and how much, each pair once."""
        ...

    async def plan(self, run_uid: str, clusters: Sequence[Cluster], lease: Lease | None) -> None:
        """Add clusters to the plan of a run that plans."""
        ...

    async def forget_plan(self, run_uid: str, limit: int, lease: Lease | None) -> int:
        """Take some clusters out of a plan that was not finished, and return how many."""
        ...

    async def start(self, run_uid: str, clusters: int, looked: int, lease: Lease | None) -> None:
        """Note that the plan of a run is whole: it stays a plan while it has not as many clusters."""
        ...

    async def planned(
        self, run_uid: str, limit: int
    ) -> Sequence[tuple[Cluster, tuple[SourceMemory, ...]]]:
        """Return the next clusters of a run, each with its memories as they are now."""
        ...

    async def condense(
        self,
        run_uid: str,
        rows: Sequence[Condensing],
        skipped: Sequence[str],
        inherit: Inherit,
        now: datetime,
        lease: Lease | None,
    ) -> int:
        """Put condensed memories in the place of their sources, and return how many.

        What they inherit is read behind the locks: no outcome is lost that came since the plan. A cluster is condensed as a whole or not at all: where one of its memories is not as it was
        planned with, it is skipped, as are the clusters named by uid. With a run that no longer runs,
        nothing is done.

        Raises
        ------
        EmbedderChangedError
            If the vectors are not those that the graph reads by now.
        """
        ...

    async def happenings(self, scope: str, limit: int) -> Sequence[tuple[str, Happening]]:
        """Return the latest memories of a scope's sessions by uid, as far as patterns go."""
        ...

    async def known_patterns(self, scope: str) -> Mapping[str, KnownPattern]:
        """Return the patterns of a scope by what they are called."""
        ...

    async def save_patterns(
        self, run_uid: str, rows: Sequence[SeenPattern], lease: Lease | None
    ) -> int:
        """Write patterns, new ones and those that are known; return how many.

        Raises
        ------
        EmbedderChangedError
            If the vectors are not those that the graph reads by now.
        """
        ...

    async def finish(self, run_uid: str, now: datetime, lease: Lease | None) -> None:
        """Count what a run did, and note that it is done."""
        ...

    async def purge(self, run_uid: str, now: datetime, limit: int, lease: Lease) -> int | None:
        """Remove sources of a run for good whose time is over; 0 ends it, None: it had ended."""
        ...

    async def clusters(self, run_uid: str, limit: int) -> Sequence[Cluster]:
        """Return the first clusters of a run."""
        ...

    async def progress(self, run_uid: str) -> Mapping[str, int]:
        """Count what a run has done so far, by name of the count."""
        ...

    async def forget(self, now: datetime, limit: int, lease: Lease) -> int:
        """Forget clusters that can no longer be undone, and return how many."""
        ...
