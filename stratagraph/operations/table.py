"""Every operation of the service, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, cast

from stratagraph.operations import (
    arousal,
    consolidation,
    cycles,
    episodes,
    erasure,
    knowledge,
    memories,
    operation,
    recall,
    sharing,
    strata,
    transfer,
    utility,
)
from stratagraph.operations.declaration import Operation

_ROOMS = (
    *(memories, recall, utility, episodes, strata),
    *(arousal, consolidation, cycles, knowledge, sharing, erasure, transfer, operation),
)


def _declared(room: ModuleType) -> list[Operation[Any]]:
    return [
        cast("Operation[Any]", each) for each in vars(room).values() if isinstance(each, Operation)
    ]


OPERATIONS: Mapping[str, Operation[Any]] = {
    each.name: each for room in _ROOMS for each in _declared(room)
}
