"""The tools: each one route of the HTTP API, so that what holds there holds here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.mcp.arousal_tools import AROUSAL_TOOLS
from service.mcp.cycle_tools import CYCLE_TOOLS
from service.mcp.episode_inputs import (
    AddEpisodeInput,
    CollectInput,
    ConsolidateInput,
    DeleteInput,
    UndoInput,
)
from service.mcp.inputs import (
    AnalyticsInput,
    ConfigInput,
    InjectInput,
    OutcomeInput,
    ProfileInput,
    QueryEpisodesInput,
    ReasoningAnalyticsInput,
    RecallInput,
    RememberInput,
    RetrieveInput,
)
from service.mcp.knowledge_tools import KNOWLEDGE_TOOLS
from service.mcp.sharing_inputs import AgreementsInput, ShareInput, VoteInput
from service.mcp.strata_tools import STRATA_TOOLS
from service.mcp.tool import Tool, request_of
from stratagraph import wire
from stratagraph.call import Call
from stratagraph.operations.consolidation import CONSOLIDATE, UNDO_CONSOLIDATION
from stratagraph.operations.episodes import (
    ADD_EPISODE,
    ASK_EPISODES,
    COLLECT,
    QUERY_EPISODES,
    REASONING_ANALYTICS,
    RETRIEVE,
    UNDO_COLLECTION,
)
from stratagraph.operations.erasure import ERASE_AGENT, ERASE_SESSION, ERASE_USER
from stratagraph.operations.memories import ERASE_MEMORY, REMEMBER
from stratagraph.operations.recall import PROFILE, RECALL
from stratagraph.operations.sharing import AGREEMENTS, PUBLISH, UNPUBLISH, VOTE
from stratagraph.operations.utility import (
    CHANGE_UTILITY_CONFIG,
    INJECT_REWARD,
    REPORT_OUTCOME,
    RESET_UTILITY_CONFIG,
    UTILITY_ANALYTICS,
    UTILITY_CONFIG,
)


def _query_episodes(given: QueryEpisodesInput) -> Call[Any]:
    operation = QUERY_EPISODES if given.question is None else ASK_EPISODES
    return request_of(operation, given.given())


_ERASES = {"agent": ERASE_AGENT, "user": ERASE_USER, "session": ERASE_SESSION}


def _delete(given: DeleteInput) -> Call[Any]:
    said = {name: value for name, value in given.given().items() if name not in {"kind", "name"}}
    if given.kind == "memory":
        return request_of(ERASE_MEMORY, {**said, "name": given.name})
    return request_of(_ERASES[given.kind], {**said, f"{given.kind}_id": given.name})


def _configure(given: ConfigInput) -> Call[Any]:
    match given.action:
        case "get":
            return request_of(UTILITY_CONFIG, {})
        case "set":
            return request_of(CHANGE_UTILITY_CONFIG, given.given())
        case "reset":
            said = given.given()
            return request_of(
                RESET_UTILITY_CONFIG, {name: said[name] for name in _IDENTITY if name in said}
            )


_IDENTITY = tuple(wire.Identity.model_fields)
_ALL: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_remember",
        shows=(
            "text",
            "kind",
            "tags",
            "sessionId",
            "speaker",
            "externalId",
            "occurredAt",
            "supersedes",
        ),
        title="Remember",
        description="Remember one thing worth knowing later: a fact, a preference, what was tried "
        "and how it went. Give `externalId` to say the same thing again without storing it twice.",
        takes=RememberInput,
        operation=REMEMBER,
    ),
    Tool(
        name="memory_recall",
        shows=("text", "k", "taskId", "filters", "minRelevance", "asOf"),
        title="Recall",
        description="Recall what helps with a question or a task, best first. Name a `taskId` of "
        "your choice, and report that task's outcome afterwards with memory_report_outcome: what "
        "helped is ranked higher next time.",
        takes=RecallInput,
        operation=RECALL,
        repeats=True,
    ),
    Tool(
        name="get_profile",
        shows=("subject", "maxTokens"),
        title="Get a profile",
        description="Before you answer: what is known now about a person, a project or a tool, "
        "with its evidence.",
        takes=ProfileInput,
        operation=PROFILE,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="retrieve_episodes",
        shows=("query", "k", "domain", "filters", "failures", "maxTokens", "taskId"),
        title="Retrieve past attempts",
        description="Before you solve a problem: find attempts at problems like it, right ones first and "
        "an instructive wrong one, with the strategies and concepts that worked. `maxTokens` adds a "
        "prompt of that size. Name a `taskId` and report its outcome afterwards.",
        takes=RetrieveInput,
        operation=RETRIEVE,
        repeats=True,
    ),
    Tool(
        name="memory_report_outcome",
        shows=("taskId", "status", "quality", "used"),
        title="Report an outcome",
        description="Say how a task ended whose `taskId` memories were recalled with: success, "
        "failure, partial or timeout. It moves the learned utility of what the task was given; "
        "once, however often it is reported.",
        takes=OutcomeInput,
        operation=REPORT_OUTCOME,
        repeats=True,
    ),
    Tool(
        name="memory_add_episode",
        title="Add an episode",
        description="Keep an attempt at a problem: the problem, your steps, the answer and whether it "
        "was right. Failures are worth keeping too. It is joined to its problem and to the strategy "
        "that its steps followed. With the same `episodeId` it can be sent again, once it is judged.",
        takes=AddEpisodeInput,
        operation=ADD_EPISODE,
    ),
    Tool(
        name="memory_qvalue_analytics",
        toolset="admin",
        title="Look at learned utility",
        description="Show how the learned utility (Q) of memories is distributed, which memories "
        "help most and least, and whether learning comes to rest.",
        takes=AnalyticsInput,
        operation=UTILITY_ANALYTICS,
        reads=True,
    ),
    Tool(
        name="query_episodes",
        shows=("question", "domain", "filters", "limit"),
        title="Query past attempts",
        description="Look up past attempts at problems, or numbers of them: what failed on what, how "
        "often which model is right, what was slow. Ask in words (`question`), or by `filters`, "
        "`similarTo`, `measure` and `by`. The answer shows as what the question was understood.",
        takes=QueryEpisodesInput,
        operation=QUERY_EPISODES,
        asks=_query_episodes,
        reads=True,
    ),
    Tool(
        name="reasoning_analytics",
        toolset="episodes",
        title="Look at past attempts at large",
        description="Show how often past attempts were right: by domain, model, strategy and concept, "
        "over time, and in which clusters of similar problems they fail.",
        takes=ReasoningAnalyticsInput,
        operation=REASONING_ANALYTICS,
        reads=True,
    ),
    Tool(
        name="collect_episodes",
        toolset="episodes",
        title="Collect attempts that help nobody",
        description="Say which past attempts help nobody (equal to a better one, hardly believed, never "
        "useful) and why each would go. With `dryRun` false they go: they are hidden, and removed for "
        "good after a time of grace. Look before you do it.",
        takes=CollectInput,
        operation=COLLECT,
        removes=True,
    ),
    Tool(
        name="undo_collection",
        toolset="episodes",
        title="Bring collected attempts back",
        description="Bring back what a run of collect_episodes has hidden, as long as its time of grace "
        "lasts (`purge_at`).",
        takes=UndoInput,
        operation=UNDO_COLLECTION,
        repeats=True,
    ),
    Tool(
        name="agent_memory_delete",
        title="Erase memories for good",
        description="Erase one memory for good, or a session, a user or an agent with all of its memories: with "
        "copies of them and what was condensed from them. Nothing brings it back. The answer is a "
        "receipt that says what went.",
        takes=DeleteInput,
        operation=ERASE_MEMORY,
        asks=_delete,
        removes=True,
    ),
    Tool(
        name="agent_memory_consolidate",
        toolset="strata",
        title="Condense memories",
        description="Say which memories have earned a more lasting place and become one shorter memory "
        "there, which keeps names, numbers, dates and denials. With `dryRun` false they do; the run can be undone.",
        takes=ConsolidateInput,
        operation=CONSOLIDATE,
        removes=True,
    ),
    Tool(
        name="agent_memory_undo_consolidation",
        toolset="strata",
        title="Take a consolidation back",
        description="Bring back the memories that a run of agent_memory_consolidate condensed, as long as it "
        "can be undone (`undo_until`) and nothing of it was changed or rewarded since.",
        takes=UndoInput,
        operation=UNDO_CONSOLIDATION,
        repeats=True,
    ),
    Tool(
        name="memory_inject_reward",
        toolset="admin",
        title="Reward a memory",
        description="Reward one memory by hand, from -1 (harmful) to 1 (helpful), with the reason, "
        "when it proved right or wrong apart from any task. It moves its learned utility.",
        takes=InjectInput,
        operation=INJECT_REWARD,
        renames={"memory_id": "name"},
    ),
    Tool(
        name="share_memory",
        toolset="sharing",
        title="Share a memory in a channel",
        description="Put a copy of one of the agent's own memories into the one channel that "
        "`channelId` names, where others find it; the agent must be a member of it. The copy says "
        "what the memory says, as long as it is there.",
        takes=ShareInput,
        operation=PUBLISH,
        renames={"memory_id": "name"},
        repeats=True,
    ),
    Tool(
        name="unshare_memory",
        toolset="sharing",
        title="Share a memory no longer",
        description="Take the copies of one of the agent's own memories out of the channels that "
        "`channelIds` names, or out of all.",
        takes=ShareInput,
        operation=UNPUBLISH,
        renames={"memory_id": "name"},
        repeats=True,
    ),
    Tool(
        name="channel_agreements",
        toolset="sharing",
        title="Show what a channel agrees on",
        description="List what several agents of the channels in `channelIds` say alike and what they dispute: "
        "who says so, who says otherwise, the votes, and bounds of the share that agrees.",
        takes=AgreementsInput,
        operation=AGREEMENTS,
    ),
    Tool(
        name="vote_on_memory",
        toolset="sharing",
        title="Vote on a statement of a channel",
        description="Agree or disagree, as the agent, with a memory of the one channel that `channelId` names; "
        "one vote each, which can be changed or withdrawn.",
        takes=VoteInput,
        operation=VOTE,
        renames={"memory_id": "name"},
        repeats=True,
    ),
    Tool(
        name="memory_utility_config",
        toolset="admin",
        title="Configure utility",
        description="Show or set how memories learn and are ranked, for the whole tenant and while "
        "the service runs: λ (the weight of learned utility), also by phase, the learning rate, "
        "rewards, exploration, on and off. Each change is recorded with who made it.",
        takes=ConfigInput,
        operation=UTILITY_CONFIG,
        asks=_configure,
        repeats=True,
    ),
)
TOOLS: Mapping[str, Tool[Any]] = {
    tool.name: tool
    for tool in (*_ALL, *STRATA_TOOLS, *AROUSAL_TOOLS, *CYCLE_TOOLS, *KNOWLEDGE_TOOLS)
}
