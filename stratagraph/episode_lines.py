"""An export of episodes as a series of repeatable calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stratagraph.call import Call, Caller, stated

if TYPE_CHECKING:
    from stratagraph.fields import EpisodeWhere

EXPORT_PAGE = 1_000
_NDJSON = {"Accept": "application/x-ndjson"}


class EpisodeExporting:
    """State of an export of episodes: the next call, and the received lines."""

    def __init__(self, caller: Caller, where: EpisodeWhere) -> None:
        self._query = stated(where) | caller.fields(where)
        self._after: str | None = None
        self._done = False

    def call(self) -> Call[bytes] | None:
        """Return the next call; None at the end."""
        if self._done:
            return None
        place = {"after": self._after} if self._after else {}
        query = self._query | place | {"limit": EXPORT_PAGE}
        return Call("GET", "/v1/episodes/export", bytes, query=query, headers=_NDJSON)

    def take(self, body: bytes) -> bytes:
        """Return the received lines."""
        lines = body.splitlines()
        self._done = len(lines) < EXPORT_PAGE
        if lines:
            self._after = json.loads(lines[-1])["episode_id"]
        return body
