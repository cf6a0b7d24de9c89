"""The graph checked against itself."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.calls.call import Call, post, reader, stated

_PLACE = "/v1/admin/fsck"


def check_graph(cursor: str | None, *, repair: bool) -> Call[wire.CheckAnswer]:
    asked = stated({"cursor": cursor})
    if repair:
        return post(_PLACE, asked, wire.CheckAnswer)
    return Call("GET", _PLACE, reader(wire.CheckAnswer), query=asked)
