"""Memories about a subject, by the full-text index and by who said them."""

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
    """Finds memories by whom or what they are about."""

    async def mentions(
        self,
        scopes: Sequence[str],
        subject: str,
        at: datetime,
        now: datetime,
        limit: int,
        sure: float,
    ) -> Sequence[Mention]:
        """Return memories that hold at a time and name the subject, or were said by it; the newest first.

        Of an earlier time those count too that were condensed since: what was replaced is in them alone. ``sure`` is the
        least confidence with which a turn counts as replaced.
        """
        states: tuple[State, ...] = ("active", "archived") if at < now else ("active",)
        filters = Filters(kinds=_KINDS, valid_at=at, states=states)
        # who speaks is found by an index, which takes a name as it is written
        spellings = dict.fromkeys((subject, subject.lower(), subject.title(), subject.upper()))
        rows = await self._database.read(
            QUERIES["consolidation.find_about"],
            {
                "scopes": padded(list(scopes)),
                "naming": naming_query(subject, scopes, filters, now),
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
