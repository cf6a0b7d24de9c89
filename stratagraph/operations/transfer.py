"""Operations on transfer."""

from __future__ import annotations

from types import NoneType

from stratagraph.operations.declaration import (
    Operation,
)

EXPORT = Operation(
    name="export",
    method="GET",
    path="/v1/export",
    room="transfer",
    summary="Export what the client stands for, or the key's whole tenant, as JSON lines",
    details="Yields whole lines, some hundreds at a time. ``vectors``: with all of them. ``after``: go on behind a position line. What breaks is asked for again.",
    gives=NoneType,
    by_hand=True,
    fails=(422,),
)
IMPORT_LINES = Operation(
    name="import_lines",
    method="POST",
    path="/v1/import",
    room="transfer",
    summary="Import lines of an export, or rows by hand; sent again they change nothing",
    details="Yields what became of each part, up to 1,000 lines. ``first_line``: the number of the first, in a part of a file. ``agent_map``: what was one agent's becomes another's.",
    gives=NoneType,
    by_hand=True,
    fails=(
        409,
        415,
        422,
    ),
)
