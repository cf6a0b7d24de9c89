"""Operations on episodes."""

from __future__ import annotations

from types import NoneType

from stratagraph import wire
from stratagraph.operations.declaration import (
    RACE,
    Operation,
    unless_done,
)
from stratagraph.operations.runs import run_operations

ADD_EPISODE = Operation(
    name="add_episode",
    method="POST",
    path="/v1/episodes",
    room="episodes",
    summary="Add one attempt at a problem, with its problem and strategy; the same sent twice is one",
    takes=wire.AddEpisodeRequest,
    bodies=(
        wire.AddEpisodeRequest,
        wire.AddEpisodesRequest,
    ),
    gives=wire.AddEpisodeAnswer,
    busy=RACE,
    by_hand=True,
    fails=(409,),
    examples={
        "one": ("One episode", {"agent_id": "solver", **wire.RECORD_EXAMPLE}),
        "batch": ("A batch", {"agent_id": "solver", "episodes": [wire.RECORD_EXAMPLE]}),
    },
)
COUNT_EPISODES = Operation(
    name="count_episodes",
    method="GET",
    path="/v1/episodes/count",
    room="episodes",
    summary="Count the episodes of one scope, by verdict and run, beside its budget",
    takes=wire.EpisodeScopeRequest,
    gives=wire.EpisodeCountView,
)
CLEAR_EPISODES = Operation(
    name="clear",
    method="DELETE",
    path="/v1/episodes",
    room="episodes",
    summary="Remove the episodes of a scope, or only say which",
    takes=wire.ClearEpisodesRequest,
    gives=wire.ClearEpisodesAnswer,
    repeatable=unless_done,
    by_hand=True,
)
GET_EPISODE = Operation(
    name="get_episode",
    method="GET",
    path="/v1/episodes/{name:path}",
    room="episodes",
    summary="Read one episode by its id or its uid, with what it hangs on",
    takes=wire.Identity,
    gives=wire.EpisodeView,
    fails=(404,),
)
DELETE_EPISODE = Operation(
    name="delete_episode",
    method="DELETE",
    path="/v1/episodes/{name:path}",
    room="episodes",
    summary="Remove one episode; what it hung on is counted anew",
    takes=wire.Identity,
    gives=NoneType,
    gone_is_done=True,
    fails=(404,),
)
RETRIEVE = Operation(
    name="retrieve",
    method="POST",
    path="/v1/episodes/retrieve",
    room="episodes",
    summary="Find past attempts that help with a problem, and what they used",
    takes=wire.RetrieveEpisodesRequest,
    gives=wire.RetrievalAnswerView,
    lead=(
        "query",
        "k",
        "domain",
    ),
    examples={
        "problem": (
            "A problem, and a prompt of what helps with it",
            {
                "agent_id": "solver",
                "query": "Ten ducks swim, four fly off. How many are left?",
                "domain": "math",
                "max_tokens": 1500,
            },
        ),
        "literal": (
            "The most similar attempts as they are",
            {"agent_id": "solver", "query": "How many ducks are left?", "mode": "episodic"},
        ),
    },
)
QUERY_EPISODES = Operation(
    name="query_episodes",
    method="POST",
    path="/v1/episodes/query",
    room="episodes",
    summary="Query episodes by what is known of them and by similarity, or measure them",
    details="The ``object`` of an answer can be sent again: ``query_episodes(**answer.object)``.",
    takes=wire.EpisodeQueryRequest,
    gives=wire.EpisodeQueryView,
    fails=(504,),
    examples={
        "episodes": (
            "Failed attempts about trains",
            {
                "agent_id": "planner",
                "filters": {"correct": False, "tokens_used_max": 500},
                "similar_to": "two trains meet",
            },
        ),
        "numbers": (
            "Success rate by model",
            {
                "agent_id": "planner",
                "filters": {"domain": "geometry"},
                "measure": "success_rate",
                "by": "model",
            },
        ),
    },
)
ASK_EPISODES = Operation(
    name="ask_episodes",
    method="POST",
    path="/v1/episodes/ask",
    room="episodes",
    summary="Ask about episodes in words; the answer says as what they were understood",
    takes=wire.EpisodeAskRequest,
    gives=wire.EpisodeAskView,
    lead=("question",),
    fails=(504,),
    examples={
        "words": (
            "In words",
            {"agent_id": "planner", "question": "my success rate on geometry by model"},
        )
    },
)
REASONING_ANALYTICS = Operation(
    name="reasoning_analytics",
    method="GET",
    path="/v1/analytics/reasoning",
    room="episodes",
    summary="Measure attempts at large: by groups, over time, and where they fail",
    takes=wire.ReasoningAnalyticsRequest,
    gives=wire.ReasoningAnalyticsView,
    fails=(504,),
)
EXTRACT_CONCEPTS = Operation(
    name="extract_concepts",
    method="POST",
    path="/v1/concepts/extract",
    room="episodes",
    summary="Extract the concepts of a scope now, however many episodes wait",
    takes=wire.ExtractRequest,
    gives=wire.ExtractView,
    fails=(
        404,
        409,
    ),
    examples={"one": ("An agent's", {"agent_id": "planner"})},
)
ARCHIVE_COVERED = Operation(
    name="archive_covered",
    method="POST",
    path="/v1/concepts/archive",
    room="episodes",
    summary="Archive the attempts that concepts cover, or (unless ``dry_run`` is False) only name them",
    takes=wire.ArchiveRequest,
    gives=wire.ArchiveView,
    fails=(
        404,
        409,
    ),
    examples={"look": ("Only look", {"agent_id": "planner", "dry_run": True})},
)
RESTORE_COVERED = Operation(
    name="restore_covered",
    method="POST",
    path="/v1/concepts/restore",
    room="episodes",
    summary="Bring back what concepts have archived; it is not archived again by itself",
    takes=wire.RestoreRequest,
    gives=wire.RestoreView,
    fails=(
        404,
        409,
    ),
    examples={"all": ("All of it", {"agent_id": "planner"})},
)
COLLECT = Operation(
    name="collect",
    method="POST",
    path="/v1/gc",
    room="episodes",
    summary="Say which episodes help nobody and why; with ``dry_run=False`` let them go",
    takes=wire.RunRequest,
    gives=wire.CollectAnswer,
    repeatable=unless_done,
    fails=(404,),
    examples={
        "dry": ("A try", {"agent_id": "planner"}),
        "collect": ("Do it", {"agent_id": "planner", "dry_run": False}),
    },
)
COLLECTIONS, COLLECTION, UNDO_COLLECTION = run_operations(
    "/v1/gc",
    "episodes",
    listed=("collections", "Read which runs collected", wire.CollectionsAnswer),
    shown=("collection", "Read one run, and what it keeps hidden", wire.CollectionAnswer),
    undone=(
        "undo_collection",
        "Bring back what a run has hidden, until it is purged",
        wire.CollectionView,
    ),
)
EXPORT_EPISODES = Operation(
    name="export_episodes",
    method="GET",
    path="/v1/episodes/export",
    room="episodes",
    summary="Export the episodes of one scope as lines of JSON, the earliest first",
    details="``run``: only those of one run, or with an empty name of none. Yields whole lines, a thousand at a time.",
    gives=NoneType,
    by_hand=True,
    fails=(
        404,
        422,
    ),
)
IMPORT_EPISODES = Operation(
    name="import_episodes",
    method="POST",
    path="/v1/episodes/import",
    room="episodes",
    summary="Import lines that are episodes; sent again they change nothing",
    details="Yields what became of each part, up to 1,000 lines; a bad line is reported by its number.",
    gives=NoneType,
    by_hand=True,
    fails=(
        409,
        415,
        422,
    ),
)
