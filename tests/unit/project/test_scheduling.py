"""Workers keep to the rooms that they began, and help out at the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from xdist.workermanage import WorkerController

from tests.scheduling import RoomScheduling, room_of


class _Worker:
    shutting_down = False
    gateway = SimpleNamespace(id="gw")

    def __init__(self) -> None:
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices


class _Config:
    option = SimpleNamespace(loadscopereorder=False)

    def getvalue(self, _name: str) -> list[str]:
        return ["popen", "popen"]


def scheduled(files: list[str]) -> tuple[RoomScheduling, _Worker, _Worker]:
    scheduling = RoomScheduling(cast("pytest.Config", _Config()))
    first, second = _Worker(), _Worker()
    for worker in (first, second):
        node = cast("WorkerController", worker)
        scheduling.add_node(node)
        scheduling.add_node_collection(node, [f"{file}::test_it" for file in files])
    scheduling.schedule()
    return scheduling, first, second


def finish(scheduling: RoomScheduling, worker: _Worker, number: int) -> None:
    scheduling.mark_test_complete(cast("WorkerController", worker), number)


@pytest.mark.parametrize(
    ("file", "room"),
    [
        ("tests/store/recall/test_recall.py", "recall"),
        ("tests/doors/recall/test_recall.py", "recall"),
        ("tests/laws/test_scoring_laws.py", "tests/laws/test_scoring_laws.py"),
        ("tests/unit/recall/test_ranking.py", "tests/unit/recall/test_ranking.py"),
    ],
)
def test_a_room_is_the_same_in_all_layers_that_have_one(file: str, room: str) -> None:
    assert room_of(file) == room


def test_a_worker_takes_files_of_its_own_rooms_then_those_of_others() -> None:
    rooms = ["recall", "sharing", "recall", "recall", "sharing", "recall"]
    files = [f"tests/store/{room}/test_{at}.py" for at, room in enumerate(rooms)]
    scheduling, first, second = scheduled(files)
    assert first.given == [0, 2]
    assert second.given == [1, 4]
    finish(scheduling, second, 1)
    assert second.given == [1, 4, 3]  # no other file of its room is left
    finish(scheduling, first, 0)
    assert first.given == [0, 2, 5]


def test_files_outside_all_rooms_keep_their_order() -> None:
    _, first, second = scheduled([f"tests/laws/test_{at}_laws.py" for at in range(5)])
    assert first.given == [0, 2]
    assert second.given == [1, 3]
