"""Lookup of memories to move between strata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model.gates import StratumRows
    from graph.model.moving import Place, Proven
    from graph.model.values import Status, Stratum


class PlaceStore(Protocol):
    """Finds memories to move, and reads what their weight is made of."""

    async def named(self, scope: str, names: Sequence[str]) -> Sequence[Place]:
        """Find the memories of a scope that go by these names; others are left out."""
        ...

    async def proven(self, scope: str, home: str, asked: Proven) -> Sequence[str]:
        """Return the uids of a scope's active memories that count as successful, highest Q first.

        ``home`` is the scope that tasks belong to.
        """
        ...

    async def outcome(self, home: str, task_id: str) -> tuple[bool, Status | None]:
        """Return whether there is such a task, and how it ended; None: it has not."""
        ...

    async def rows(self, scope: str, uids: Sequence[str]) -> Mapping[Stratum, StratumRows]:
        """Read active memories of a scope, by their stratum."""
        ...
