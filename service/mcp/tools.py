"""The tools: each is one route of the HTTP API, with the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints
from pydantic.alias_generators import to_camel

from graph.kernel.errors import InvalidInputError
from service.mcp.cycle_tools import CYCLE_TOOLS
from service.mcp.inputs import (
    ConfigInput,
    DeleteInput,
    EpisodeFiltersInput,
    FiltersInput,
    UsedInput,
    Who,
    input_of,
)
from service.mcp.knowledge_tools import KNOWLEDGE_TOOLS
from service.mcp.strata_tools import AROUSAL_TOOLS, STRATA_TOOLS
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


def _query_episodes(given: Who) -> Call[Any]:
    said = given.given()
    if "question" not in said:
        return request_of(QUERY_EPISODES, said)
    takes = ASK_EPISODES.takes
    # fields that a question in words would ignore are refused
    beside = sorted(said.keys() - takes.model_fields.keys()) if takes else []
    if beside:
        raise InvalidInputError(
            f"{to_camel(beside[0])}: goes without a `question`; say it in the question, or leave that out"
        )
    return request_of(ASK_EPISODES, said)


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
_RUN = (Annotated[str, StringConstraints(min_length=1, max_length=64)], "The `run` of an answer.")
_Used = Annotated[tuple[wire.MemoryName | UsedInput, ...], Field(max_length=200)] | None
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
        takes=input_of(
            REMEMBER,
            text="What to remember: one self-contained statement.",
            kind="What sort of memory.",
            tags="Labels to filter by; at most 64.",
            importance="1 (trivial) to 5 (vital).",
            session_id="The conversation it belongs to.",
            speaker="Who said it.",
            external_id="Your id, unique in its scope: sent again, it is the same memory.",
            domain="Field of knowledge.",
            phase="Phase of the agent's work.",
            occurred_at="When it happened, zoned; unset: now.",
            links="Edges to memories that exist: `USED` to a strategy shares its credit.",
            supersedes="What it replaces, because it holds no longer: uids or `external:<external_id>`.",
            metadata="Anything of yours, given back as it is.",
            scope_kind="Whose memory it is; unset: the agent's, else the user's, else the channel's.",
        ),
    ),
    Tool(
        name="memory_recall",
        shows=("text", "k", "taskId", "filters", "minRelevance", "asOf"),
        title="Recall",
        description="Recall what helps with a question or a task, best first. Name a `taskId` of "
        "your choice, and report that task's outcome afterwards with memory_report_outcome: what "
        "helped is ranked higher next time.",
        takes=input_of(
            RECALL,
            text=(wire.Text, "What is sought, in words."),
            k="Results at most, 1 to 200; unset: a setting (5).",
            phase="Phase of your work; it sets λ.",
            utility_weight="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
            task_id="The task this serves: report its outcome, and what helped ranks higher.",
            filters=(FiltersInput | None, "What may be recalled."),
            context="What the question is about, where utility is learned by context.",
            explore="Whether memories that few outcomes have reached get a chance; unset: a setting.",
            include_superseded="Also what another memory has replaced, marked as such.",
            arousal="How many there are by how aroused you are, 0 to 1, and two important ones; not beside `k`.",
            profile="Memories from arousal 0 to 1; unset: a setting.",
            min_relevance="Least relevance of a result, 0 to 1; unset: 0.5.",
            as_of="What held at this time, zoned; unset: what holds now.",
            explain="Say why each result is there, and what just missed.",
        ),
        repeats=True,
    ),
    Tool(
        name="get_profile",
        shows=("subject", "maxTokens"),
        title="Get a profile",
        description="Before you answer: what is known now about a person, a project or a tool, "
        "with its evidence.",
        takes=input_of(
            PROFILE,
            subject=(wire.Name, "Name of a person, a project or a tool."),
            as_of="What held at this time, zoned; unset: what holds now.",
            max_tokens=(
                int | None,
                Field(
                    default=None,
                    strict=True,
                    ge=50,
                    le=20_000,
                    description="Tokens at most; unset: 1000.",
                ),
            ),
        ),
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
        takes=input_of(
            RETRIEVE,
            query="The problem, in words.",
            k="Episodes at most, 1 to 50.",
            domain="Of this domain.",
            filters=(
                EpisodeFiltersInput | None,
                "Which attempts may be given, however they are reached.",
            ),
            mode="`all`, or one of `episodic` (similarity alone), `dual` (and concepts), "
            "`structured`, `graph` (a walk over similar problems).",
            hops="How many problems a walk goes through, 1 or 2; unset: 2.",
            failures="Places for wrong attempts that teach; unset: 1.",
            diversity="How much results must differ, 0 to 1; unset: by mode.",
            utility_weight="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
            max_tokens="Write a `prompt` of so many tokens at most.",
            phase="Phase of your work; it sets λ.",
            task_id="The task this serves: report its outcome, and what helped ranks higher.",
        ),
        repeats=True,
    ),
    Tool(
        name="memory_report_outcome",
        shows=("taskId", "status", "quality", "used"),
        title="Report an outcome",
        description="Say how a task ended whose `taskId` memories were recalled with: success, "
        "failure, partial or timeout. It moves the learned utility of what the task was given; "
        "once, however often it is reported.",
        takes=input_of(
            REPORT_OUTCOME,
            task_id=(wire.Name, "The task that recalls were made with."),
            status="How it ended.",
            quality="How good the result was, 0 to 1.",
            used=(
                _Used,
                "Which recalled memories were of use: uids, or `{name, share}`. It alone is "
                "rewarded; unset: all that the task was given; empty: nothing.",
            ),
        ),
        repeats=True,
    ),
    Tool(
        name="memory_add_episode",
        title="Add an episode",
        description="Keep an attempt at a problem: the problem, your steps, the answer and whether it "
        "was right. Failures are worth keeping too. It is joined to its problem and to the strategy "
        "that its steps followed. With the same `episodeId` it can be sent again, once it is judged.",
        takes=input_of(
            ADD_EPISODE,
            input="What was to be solved: `problem`, and `problem_id` and `domain` if known.",
            trace="What you did, in order: `thought`, `action` and `observation` of each step.",
            output=(
                wire.EpisodeOutput | None,
                "The `answer`, whether it was `correct` (leave out what nobody judged yet), and "
                "your `confidence`, 0 to 1.",
            ),
            metadata=(
                wire.EpisodeMetadata | None,
                "What it took: `tokens_used`, `latency_ms`, `model`, `temperature`.",
            ),
            insight=(
                wire.Text | None,
                "What to learn from it, in one sentence; shown where it is retrieved.",
            ),
            tags="Labels to filter by; at most 64.",
            episode_id="Your id: sent again, say with the verdict, it is the same episode.",
            timestamp="When it happened, zoned; unset: now.",
            run="The run it is of.",
            scope_kind="Whose it is; unset: the agent's, else the user's, else the channel's.",
        ),
    ),
    Tool(
        name="memory_qvalue_analytics",
        toolset="admin",
        title="Look at learned utility",
        description="Show how the learned utility (Q) of memories is distributed, which memories "
        "help most and least, and whether learning comes to rest.",
        takes=input_of(
            UTILITY_ANALYTICS,
            top_n="Memories with the highest and the lowest Q, 0 to 100.",
            include_history="Show the last 20 moves of each of them.",
            by="Group by this too.",
            days="How far the trend goes back, 1 to 365.",
        ),
        reads=True,
    ),
    Tool(
        name="query_episodes",
        shows=("question", "domain", "filters", "limit"),
        title="Query past attempts",
        description="Look up past attempts at problems, or numbers of them: what failed on what, how "
        "often which model is right, what was slow. Ask in words (`question`), or without one by `filters`, "
        "`similarTo`, `measure` and `by`. The answer shows as what the question was understood.",
        takes=input_of(
            QUERY_EPISODES,
            question=(
                wire.Text | None,
                "In words, such as `my success rate on geometry by model`; then nothing else is "
                "needed.",
            ),
            filters=(EpisodeFiltersInput | None, "Which attempts are meant."),
            domain="Of this domain, also beside a `question`.",
            similar_to="A text: attempts whose problems are nearest to it.",
            order="The order of attempts.",
            limit="Attempts or groups at most; unset: 20 attempts.",
            measure="Numbers instead of attempts.",
            by="Numbers of each group.",
            divergence="The steps where right and wrong attempts part, instead of attempts.",
            own="Only what this agent did itself.",
            time_zone=(wire.Name | None, "Where days begin; unset: UTC."),
        ),
        asks=_query_episodes,
        hides=("statement",),
        reads=True,
    ),
    Tool(
        name="reasoning_analytics",
        toolset="episodes",
        title="Look at past attempts at large",
        description="Show how often past attempts were right: by domain, model, strategy and concept, "
        "over time, and in which clusters of similar problems they fail.",
        takes=input_of(
            REASONING_ANALYTICS,
            by="Groups to measure.",
            over="Spans of the trend.",
            domain="Attempts of this domain.",
            model="Attempts by this model.",
            own="Only what this agent did itself.",
            clusters="Failure clusters at most.",
        ),
        reads=True,
    ),
    Tool(
        name="collect_episodes",
        toolset="episodes",
        title="Collect attempts that help nobody",
        description="Say which past attempts help nobody (equal to a better one, hardly believed, never "
        "useful) and why each would go. With `dryRun` false they go: they are hidden, and removed for "
        "good after a time of grace. Look before you do it.",
        takes=input_of(
            COLLECT,
            dry_run="Only say what would go and why; false lets it go.",
            limit="How many to show one by one, 0 to 1,000.",
            scope_kind="Whose episodes; unset: the agent's, else the user's, else the channel's.",
        ),
        removes=True,
    ),
    Tool(
        name="undo_collection",
        toolset="episodes",
        title="Bring collected attempts back",
        description="Bring back what a run of collect_episodes has hidden, as long as its time of grace "
        "lasts (`purge_at`).",
        takes=input_of(
            UNDO_COLLECTION,
            run=_RUN,
            skip_changed="Bring back the rest where some was changed or removed since; else nothing is.",
        ),
        repeats=True,
    ),
    Tool(
        name="agent_memory_delete",
        title="Erase memories for good",
        description="Erase one memory for good, or a session, a user or an agent with all of its memories: with "
        "copies of them and what was condensed from them. Nothing brings it back. The answer is a "
        "receipt that says what went.",
        takes=DeleteInput,
        asks=_delete,
        removes=True,
    ),
    Tool(
        name="agent_memory_consolidate",
        toolset="strata",
        title="Condense memories",
        description="Say which memories have earned a more lasting place and become one shorter memory "
        "there, which keeps names, numbers, dates and denials. With `dryRun` false they do; the run can be undone.",
        takes=input_of(
            CONSOLIDATE,
            dry_run="Only say what would become one; false makes it so.",
            strata="Strata whose memories rise; unset: all below semantic.",
            everything="Whatever lies there, and not only what has earned it.",
            limit="How many to show one by one, 0 to 1,000.",
            scope_kind="Whose memories; unset: the agent's, else the user's, else the channel's.",
        ),
        removes=True,
    ),
    Tool(
        name="agent_memory_undo_consolidation",
        toolset="strata",
        title="Take a consolidation back",
        description="Bring back the memories that a run of agent_memory_consolidate condensed, as long as it "
        "can be undone (`undo_until`) and nothing of it was changed or rewarded since.",
        takes=input_of(
            UNDO_CONSOLIDATION,
            run=_RUN,
            skip_changed="Bring back the rest where some was changed or removed since; else nothing is.",
        ),
        repeats=True,
    ),
    Tool(
        name="memory_inject_reward",
        toolset="admin",
        title="Reward a memory",
        description="Reward one memory by hand, from -1 (harmful) to 1 (helpful), with the reason, "
        "when it proved right or wrong apart from any task. It moves its learned utility.",
        takes=input_of(
            INJECT_REWARD,
            memory_id=(wire.MemoryName, "The memory: a uid, or `external:<external_id>`."),
            reward="From -1 (harmful) to 1 (helpful).",
            reason="Why; it is kept, 1 to 1,000 characters.",
        ),
        renames={"memory_id": "name"},
    ),
    Tool(
        name="share_memory",
        toolset="sharing",
        title="Share a memory in a channel",
        description="Put a copy of one of the agent's own memories into the one channel that "
        "`channelId` names, where others find it; the agent must be a member of it. The copy says "
        "what the memory says, as long as it is there.",
        takes=input_of(
            PUBLISH,
            memory_id=(
                wire.MemoryName,
                "A memory of the agent's own: a uid, or `external:<external_id>`.",
            ),
            channel_id="The channel; else the one in `channelIds`.",
        ),
        renames={"memory_id": "name"},
        repeats=True,
    ),
    Tool(
        name="unshare_memory",
        toolset="sharing",
        title="Share a memory no longer",
        description="Take the copies of one of the agent's own memories out of the channels that "
        "`channelIds` names, or out of all.",
        takes=input_of(
            UNPUBLISH,
            memory_id=(
                wire.MemoryName,
                "A memory of the agent's own: a uid, or `external:<external_id>`.",
            ),
            channel_id="The channel; else the one in `channelIds`.",
        ),
        renames={"memory_id": "name"},
        repeats=True,
    ),
    Tool(
        name="channel_agreements",
        toolset="sharing",
        title="Show what a channel agrees on",
        description="List what several agents of the channels in `channelIds` say alike and what they dispute: "
        "who says so, who says otherwise, the votes, and bounds of the share that agrees.",
        takes=input_of(
            AGREEMENTS,
            disputed=(
                bool | None,
                "Only what somebody opposes, or with false only what nobody does.",
            ),
            limit=(
                Annotated[int, Field(ge=1, le=100)],
                Field(default=20, description="Statements at most."),
            ),
        ),
    ),
    Tool(
        name="vote_on_memory",
        toolset="sharing",
        title="Vote on a statement of a channel",
        description="Agree or disagree, as the agent, with a memory of the one channel that `channelId` names; "
        "one vote each, which can be changed or withdrawn.",
        takes=input_of(
            VOTE,
            memory_id=(
                wire.MemoryName,
                "A memory of the channel: a uid, or `external:<external_id>`.",
            ),
            channel_id="The channel; else the one in `channelIds`.",
            agrees=(bool | None, "Whether the agent agrees; unset withdraws its vote."),
        ),
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
        asks=_configure,
        repeats=True,
    ),
)
TOOLS: Mapping[str, Tool[Any]] = {
    tool.name: tool
    for tool in (*_ALL, *STRATA_TOOLS, *AROUSAL_TOOLS, *CYCLE_TOOLS, *KNOWLEDGE_TOOLS)
}
