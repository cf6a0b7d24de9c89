"""Links that the worker makes, and its lease."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.links import Lease, Linked, Linking, Unlinked
    from graph.ports.embedding import SlotEmbedder


class LinkStore(Protocol):
    """Memories that wait for their links, and the links."""

    async def find_unlinked(
        self, used: SlotEmbedder, before: datetime, limit: int, nearest: int
    ) -> tuple[Unlinked, ...]:
        """Read memories that have waited since ``before``, longest first, each with its nearest.

        ``used`` says which vectors are compared.
        """
        ...

    async def stored_since(self, moment: datetime) -> bool:
        """Say whether a memory that waits for its links was stored or changed after ``moment``."""
        ...

    async def link(
        self,
        lease: Lease,
        used: SlotEmbedder,
        rows: Sequence[Linking],
        *,
        most_similar: int,
        least_similarity: float,
        now: datetime,
    ) -> Linked:
        """Write the links of memories in one transaction, and what replaces what.

        A memory whose content changed since it was read is left waiting; what it may replace is left alone.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def count_unlinked(self, scopes: Sequence[str] | None = None) -> int:
        """Count the memories of these scopes, or of all, that wait for their links."""
        ...

    async def lag(self, scopes: Sequence[str]) -> int:
        """Count them as of two seconds ago at most: what an answer says at no cost."""
        ...


class LeaseStore(Protocol):
    """Leases that run on the database's clock."""

    async def acquire(self, name: str, holder: str, seconds: int) -> Lease | None:
        """Take a lease or renew one's own; None while another holds it.

        A renewal keeps the token; after another holder, or after it ran out, the token is higher.
        """
        ...

    async def release(self, lease: Lease) -> None:
        """Give a lease back, unless another has overtaken it."""
        ...
