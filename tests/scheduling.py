"""Assignment of test files to the workers of pytest-xdist."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

_LAYERS_WITH_ROOMS = {"client", "doors", "store"}


class RoomScheduling(LoadFileScheduling):
    """Give a worker the files of its own rooms first: its Neo4j has planned their statements."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        self._workers: dict[str, WorkerController] = {}

    def _assign_work_unit(self, node: WorkerController) -> None:
        file = next((file for file in self.workqueue if self._suits(file, node)), None)
        if file is not None:
            self.workqueue.move_to_end(file, last=False)
            self._workers.setdefault(room_of(file), node)
        super()._assign_work_unit(node)

    def _suits(self, file: str, node: WorkerController) -> bool:
        room = room_of(file)
        return room == file or self._workers.get(room, node) is node


def room_of(file: str) -> str:
    """Return the room of a test file; a file outside all rooms is its own."""
    _, layer, *folders = PurePath(file).parts
    return folders[0] if layer in _LAYERS_WITH_ROOMS and len(folders) > 1 else file
