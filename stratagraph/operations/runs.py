"""Operations that every kind of run has: list, show, undo."""

from __future__ import annotations

from typing import TypeVar

from stratagraph import wire
from stratagraph.operations.declaration import Operation, Room

Listed = TypeVar("Listed")
Shown = TypeVar("Shown")
Undone = TypeVar("Undone")


def run_operations(
    path: str,
    room: Room,
    *,
    listed: tuple[str, str, type[Listed]],
    shown: tuple[str, str, type[Shown]],
    undone: tuple[str, str, type[Undone]],
) -> tuple[Operation[Listed], Operation[Shown], Operation[Undone]]:
    """Declare the operations of a kind of run, each by its name, its summary and its answer."""
    return (
        Operation(
            name=listed[0],
            method="GET",
            path=path,
            room=room,
            summary=listed[1],
            takes=wire.RunsRequest,
            gives=listed[2],
            lead=("limit",),
        ),
        Operation(
            name=shown[0],
            method="GET",
            path=f"{path}/{{run}}",
            room=room,
            summary=shown[1],
            takes=wire.RunItemsRequest,
            gives=shown[2],
            lead=("limit",),
            fails=(404,),
        ),
        Operation(
            name=undone[0],
            method="POST",
            path=f"{path}/{{run}}/undo",
            room=room,
            summary=undone[1],
            takes=wire.UndoRequest,
            gives=undone[2],
            fails=(404, 409),
            examples={"undo": ("All of it", {"agent_id": "planner"})},
        ),
    )
