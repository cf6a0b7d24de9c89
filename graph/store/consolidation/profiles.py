"""Search of memories about a subject, by the full-text index and by speaker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.filters import padded
from graph.database.keys import naming_query
from graph.database.rows import from_row
from graph.database.store import Store
from graph.kernel.values import State
from graph.model.consolidation.profiles import Mention, Successor
from graph.model.recall.candidates import Filters

_KINDS = ("observation", "preference", "insight")


class ProfileStore(Store):
    """Store of memories about a subject."""

    async def mentions(
        self,
        scopes: Sequence[str],
        names: Sequence[str],
        at: datetime,
        now: datetime,
        limit: int,
        sure: float,
    ) -> Sequence[Mention]:
        """Return memories valid at a time that have one of the names or were said by it, newest first.

        For an earlier time this includes sources that were condensed since, as only they hold what was replaced.
        ``sure`` is the minimum confidence of a replacement.
        """
        states: tuple[State, ...] = ("active", "archived") if at < now else ("active",)
        filters = Filters(kinds=_KINDS, valid_at=at, states=states)
        # speakers are matched by an index, which compares exact names
        spellings = dict.fromkeys(
            spelt for name in names for spelt in (name, name.lower(), name.title(), name.upper())
        )
        rows = await self._database.read(
            QUERIES["consolidation.find_about"],
            {
                "scopes": padded(list(scopes)),
                "naming": naming_query(names, scopes, filters, now),
                "speakers": list(spellings),
                "kinds": list(_KINDS),
                "states": list(states),
                "valid_at": at,
                "sure": sure,
                "now": now,
                "limit": limit,
            },
        )
        return [
            from_row(Mention, row, newer=tuple(Successor(*each) for each in row["newer"]))
            for row in rows
        ]
