"""Each call of the service as a value: what is sent, and how the answer is read. No I/O."""

from __future__ import annotations

from stratagraph.calls.analytics import utility_analytics
from stratagraph.calls.browse import (
    count,
    following,
    list_memories,
    list_versions,
    neighbourhood,
    patch,
    tag_of,
)
from stratagraph.calls.call import Call, Caller, Plan, encoded, post, reader, segment, stated
from stratagraph.calls.config import (
    change_utility_config,
    reset_utility_config,
    utility_config,
    utility_config_changes,
)
from stratagraph.calls.health import health, ready
from stratagraph.calls.memories import (
    MAX_BATCH_BYTES,
    RACE,
    batches,
    delete,
    delete_many,
    get,
    remember,
    remember_all,
)
from stratagraph.calls.rewards import inject_reward, report_signal, revert_reward, utility
from stratagraph.calls.tasks import recall, report_outcome

__all__ = [
    "MAX_BATCH_BYTES",
    "RACE",
    "Call",
    "Caller",
    "Plan",
    "batches",
    "change_utility_config",
    "count",
    "delete",
    "delete_many",
    "encoded",
    "following",
    "get",
    "health",
    "inject_reward",
    "list_memories",
    "list_versions",
    "neighbourhood",
    "patch",
    "post",
    "reader",
    "ready",
    "recall",
    "remember",
    "remember_all",
    "report_outcome",
    "report_signal",
    "reset_utility_config",
    "revert_reward",
    "segment",
    "stated",
    "tag_of",
    "utility",
    "utility_analytics",
    "utility_config",
    "utility_config_changes",
]
