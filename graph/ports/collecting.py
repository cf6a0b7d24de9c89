"""Where runs that collect episodes stand, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Collectable, CollectionPlan, CollectionRun, CollectionTerms, Lease


class CollectionStore(Protocol):
    """Hides episodes, brings them back, and removes them; each call is one short transaction.

    Where a call takes a lease, it writes nothing once another holds it; None is somebody's own wish.
    """

    async def plan(self, scope: str, terms: CollectionTerms, limit: int) -> CollectionPlan:
        """Return what of a scope may go, the first ``limit`` of them, in the order of their uids."""
        ...

    async def begin(self, run: CollectionRun, lease: Lease | None) -> CollectionRun:
        """Note a run, or return the one that is at work in the scope already."""
        ...

    async def collect(
        self, run_uid: str, terms: CollectionTerms, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """Hide some of what may go, and return how many; 0 ends the run, None: it had ended."""
        ...

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> CollectionRun | None:
        """Stop a run for good, if all that it hid is as it was; None if there is no such run.

        Raises
        ------
        ConflictError
            If its grace is over; or if some of it was changed or removed since, and that is not to
            be passed over.
        """
        ...

    async def restore(
        self, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """Bring some back, and return how many; 0 ends the undo, None: it had ended."""
        ...

    async def purge(self, run_uid: str, now: datetime, limit: int, lease: Lease) -> int | None:
        """Remove some for good, and return how many; 0 ends the run, None: it had ended."""
        ...

    async def unfinished(self, now: datetime) -> CollectionRun | None:
        """Return a run that was cut off, or whose grace is over."""
        ...

    async def due(self, before: datetime) -> str | None:
        """Return a scope with episodes that was not looked at since."""
        ...

    async def note_looked(self, scope: str, now: datetime, lease: Lease) -> None:
        """Note that a scope was looked at."""
        ...

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> tuple[CollectionRun, ...]:
        """Return the latest runs, or the one of a uid."""
        ...

    async def hidden_by(self, run_uid: str, limit: int) -> tuple[Collectable, ...]:
        """Return what a run has hidden and not brought back."""
        ...
