"""What happens to utility, as those who listen are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

EventName = Literal[
    "memory:qvalue_updated",
    "memory:qvalue_batch_updated",
    "memory:reward_attributed",
    "memory:tracked",
    "memory:utility_retrieval_completed",
    "memory:utility_config_updated",
]
EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``data`` holds ids and numbers, never a text.

    It is seen by whoever reads its ``scope``. The names are those of *Memory Utility Learning
    System*.
    """

    uid: str
    name: EventName
    scope: str
    agent_id: str
    at: datetime
    data: Mapping[str, Any]
