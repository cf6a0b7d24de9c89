"""Each call of the service as a value: what is sent, and how the answer is read. No I/O."""

from __future__ import annotations

from stratagraph.calls.analytics import (
    provenance,
    reasoning_analytics,
    strata_analytics,
    utility_analytics,
)
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
from stratagraph.calls.collect import collect, collection, collections, undo_collection
from stratagraph.calls.concepts import archive_covered, extract_concepts, restore_covered
from stratagraph.calls.config import (
    change_strata_config,
    change_utility_config,
    reset_strata_config,
    reset_utility_config,
    strata_config,
    strata_config_changes,
    utility_config,
    utility_config_changes,
)
from stratagraph.calls.consolidation import (
    consolidate,
    consolidation,
    consolidations,
    undo_consolidation,
)
from stratagraph.calls.episode_queries import ask_episodes, query_episodes
from stratagraph.calls.episodes import (
    add_episode,
    add_episodes,
    clear_episodes,
    count_episodes,
    delete_episode,
    get_episode,
)
from stratagraph.calls.erasures import (
    erase_agent,
    erase_memory,
    erase_session,
    erase_user,
    erasure,
)
from stratagraph.calls.gates import gate_run, gate_runs, run_gates, undo_gate_run
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
from stratagraph.calls.moves import move, promote_successful
from stratagraph.calls.relationships import record_interaction, relationships
from stratagraph.calls.retrieval import retrieve
from stratagraph.calls.rewards import inject_reward, report_signal, revert_reward, utility
from stratagraph.calls.sharing import (
    join_channels,
    leave_channels,
    members,
    publish,
    share_patterns,
    unpublish,
)
from stratagraph.calls.surprises import predict, report_surprise, surprises
from stratagraph.calls.tasks import recall, report_outcome

__all__ = [
    "MAX_BATCH_BYTES",
    "RACE",
    "Call",
    "Caller",
    "Plan",
    "add_episode",
    "add_episodes",
    "archive_covered",
    "ask_episodes",
    "batches",
    "change_strata_config",
    "change_utility_config",
    "clear_episodes",
    "collect",
    "collection",
    "collections",
    "consolidate",
    "consolidation",
    "consolidations",
    "count",
    "count_episodes",
    "delete",
    "delete_episode",
    "delete_many",
    "encoded",
    "erase_agent",
    "erase_memory",
    "erase_session",
    "erase_user",
    "erasure",
    "extract_concepts",
    "following",
    "gate_run",
    "gate_runs",
    "get",
    "get_episode",
    "health",
    "inject_reward",
    "join_channels",
    "leave_channels",
    "list_memories",
    "list_versions",
    "members",
    "move",
    "neighbourhood",
    "patch",
    "post",
    "predict",
    "promote_successful",
    "provenance",
    "publish",
    "query_episodes",
    "reader",
    "ready",
    "reasoning_analytics",
    "recall",
    "record_interaction",
    "relationships",
    "remember",
    "remember_all",
    "report_outcome",
    "report_signal",
    "report_surprise",
    "reset_strata_config",
    "reset_utility_config",
    "restore_covered",
    "retrieve",
    "revert_reward",
    "run_gates",
    "segment",
    "share_patterns",
    "stated",
    "strata_analytics",
    "strata_config",
    "strata_config_changes",
    "surprises",
    "tag_of",
    "undo_collection",
    "undo_consolidation",
    "undo_gate_run",
    "unpublish",
    "utility",
    "utility_analytics",
    "utility_config",
    "utility_config_changes",
]
