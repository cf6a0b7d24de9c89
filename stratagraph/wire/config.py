"""What is set of utility while the service runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from stratagraph.wire.base import Answer, Identity, Request
from stratagraph.wire.browse import Cursor, PageLimit
from stratagraph.wire.values import NOW, UID_EXAMPLE

RewardScale = Literal["unit", "signed"]
Normalization = Literal["z-score", "min-max", "softmax"]
Exploration = Literal["none", "ucb", "thompson"]
Expiry = Literal["archive", "delete"]
ConfigSource = Literal["runtime", "environment", "default"]
Door = Literal["http", "mcp"]
ConfigValue = bool | int | float | str

_Switch = Annotated[bool | None, Field(strict=True)]
_Share = Annotated[float | None, Field(strict=True, ge=0, le=1)]
_Step = Annotated[float | None, Field(strict=True, gt=0, le=1)]
_Reward = Annotated[float | None, Field(strict=True, ge=-1, le=1)]
_Count = Annotated[float | None, Field(strict=True, ge=0, le=1_000_000)]
_Limit = Annotated[float | None, Field(strict=True, gt=0)]
_Weight = Annotated[float | None, Field(strict=True, ge=0, le=10)]
_History = Annotated[int | None, Field(strict=True, ge=1, le=10_000)]


class UtilityConfigRequest(Identity):
    """Values to set; null leaves one to the environment again, what is left out stays."""

    utility_learning: _Switch = Field(
        default=None,
        description="Rank by learned utility, and learn it from outcomes.",
        examples=[True],
    )
    q_default: _Share = Field(
        default=None, description="Q of a memory that is new.", examples=[0.5]
    )
    learning_rate: _Step = Field(
        default=None, description="Step α of the moving average of Q.", examples=[0.2]
    )
    reward_scale: RewardScale | None = Field(
        default=None,
        description="`unit`: a success pulls Q to 1, a failure to 0; `signed`: to the reward itself.",
        examples=["unit"],
    )
    reward_success: _Reward = Field(
        default=None, description="Reward of a success.", examples=[1.0]
    )
    reward_failure: _Reward = Field(
        default=None, description="Reward of a failure.", examples=[-1.0]
    )
    reward_partial: _Reward = Field(
        default=None, description="Reward of a partial.", examples=[0.3]
    )
    reward_timeout: _Reward = Field(
        default=None, description="Reward of a timeout.", examples=[-0.5]
    )
    step_reward: _Share = Field(
        default=None, description="Reward of a step of a task.", examples=[0.3]
    )
    signal_weight_user_feedback: _Share = Field(
        default=None,
        description="What the signal `user_feedback` counts beside an outcome.",
        examples=[1.0],
    )
    signal_weight_tool_accuracy: _Share = Field(
        default=None,
        description="What the signal `tool_accuracy` counts beside an outcome.",
        examples=[0.5],
    )
    signal_weight_efficiency: _Share = Field(
        default=None,
        description="What the signal `efficiency` counts beside an outcome.",
        examples=[0.25],
    )
    phase_weight_observation: _Step = Field(
        default=None,
        description="What a reward counts for memories recalled in phase observation.",
        examples=[0.15],
    )
    phase_weight_reasoning: _Step = Field(
        default=None,
        description="What a reward counts for memories recalled in phase reasoning.",
        examples=[0.2],
    )
    phase_weight_planning: _Step = Field(
        default=None,
        description="What a reward counts for memories recalled in phase planning.",
        examples=[0.3],
    )
    phase_weight_action: _Step = Field(
        default=None,
        description="What a reward counts for memories recalled in phase action.",
        examples=[0.25],
    )
    phase_weight_reflection: _Step = Field(
        default=None,
        description="What a reward counts for memories recalled in phase reflection.",
        examples=[0.1],
    )
    credit_damping: _Share = Field(
        default=None,
        description="Share of a reward that used strategies and concepts get; 0: none.",
        examples=[0.5],
    )
    q_history_limit: _History = Field(
        default=None, description="Rewards of a memory that are kept one by one.", examples=[100]
    )
    track_memory_usage: _Switch = Field(
        default=None, description="Note which memories a task was given.", examples=[True]
    )
    utility_weight_default: _Share = Field(
        default=None, description="λ of a recall without a phase.", examples=[0.6]
    )
    utility_weight_observation: _Share = Field(
        default=None, description="λ of a recall in phase observation.", examples=[0.2]
    )
    utility_weight_reasoning: _Share = Field(
        default=None, description="λ of a recall in phase reasoning.", examples=[0.5]
    )
    utility_weight_planning: _Share = Field(
        default=None, description="λ of a recall in phase planning.", examples=[0.7]
    )
    utility_weight_action: _Share = Field(
        default=None, description="λ of a recall in phase action.", examples=[0.3]
    )
    utility_weight_reflection: _Share = Field(
        default=None, description="λ of a recall in phase reflection.", examples=[0.6]
    )
    min_relevance: _Share = Field(
        default=None,
        description="Least relevance of a result of a recall; 0 returns the best whatever they are.",
        examples=[0.5],
    )
    utility_normalization: Normalization | None = Field(
        default=None,
        description="How relevance and Q are made comparable within a pool.",
        examples=["z-score"],
    )
    z_deviation_floor: _Count = Field(
        default=None,
        description="Least standard deviation in a z-score; 0: the literal form.",
        examples=[0.1],
    )
    z_limit: _Limit = Field(default=None, description="Clip of a z-score.", examples=[3.0])
    q_prior_count: _Count = Field(
        default=None,
        description="Rewards' worth of doubt by which Q is drawn to its start in a ranking.",
        examples=[2.0],
    )
    lender_prior_count: _Count = Field(
        default=None,
        description="Rewards' worth of doubt in what strategies and concepts lend.",
        examples=[10.0],
    )
    transfer_prior_count: _Count = Field(
        default=None,
        description="Rewards' worth of doubt in what similar memories hand over.",
        examples=[5.0],
    )
    exploration: Exploration | None = Field(
        default=None,
        description="How memories are tried that few outcomes have judged.",
        examples=["ucb"],
    )
    exploration_weight: _Weight = Field(
        default=None, description="What doubt adds to a utility with `ucb`.", examples=[0.1]
    )
    contextual_utility: _Switch = Field(
        default=None,
        description="Learn and use a utility of its own per phase, domain and tag.",
        examples=[False],
    )
    context_learning_rate: _Step = Field(
        default=None, description="Step of the moving average within a context.", examples=[0.05]
    )
    context_prior_count: _Count = Field(
        default=None,
        description="Rewards' worth of doubt by which a context is drawn to the general.",
        examples=[2.0],
    )
    supersede_confidence: _Step = Field(
        default=None,
        description="How sure it must be that a memory replaces another for that one to hold no longer.",
        examples=[0.7],
    )


class StrataConfigRequest(Identity):
    """Values of strata to set; null leaves one to the environment again, what is left out stays."""

    strata: _Switch = Field(
        default=None,
        description="Let memories age by their stratum: retention, capacities, gates.",
        examples=[True],
    )
    working_capacity: Annotated[int | None, Field(strict=True, ge=0, le=10_000_000)] = Field(
        default=None,
        description="Active memories of stratum `working` in one scope; 0: no limit.",
        examples=[50],
    )
    working_retention_hours: Annotated[float | None, Field(strict=True, ge=0, le=876_000)] = Field(
        default=None,
        description="Hours from when it was recorded until a memory of `working` has had its time; 0: no end.",
        examples=[0.5],
    )
    working_decay: Annotated[float | None, Field(strict=True, ge=0, le=100)] = Field(
        default=None, description="Base decay of `working` per day.", examples=[0.8]
    )
    working_every: Annotated[int | None, Field(strict=True, ge=1, le=10_000)] = Field(
        default=None, description="Every how many gate runs `working` is looked at.", examples=[1]
    )
    short_term_capacity: Annotated[int | None, Field(strict=True, ge=0, le=10_000_000)] = Field(
        default=None,
        description="Active memories of stratum `short_term` in one scope; 0: no limit.",
        examples=[500],
    )
    short_term_retention_hours: Annotated[float | None, Field(strict=True, ge=0, le=876_000)] = (
        Field(
            default=None,
            description="Hours from when it was recorded until a memory of `short_term` has had its time; 0: no end.",
            examples=[24.0],
        )
    )
    short_term_decay: Annotated[float | None, Field(strict=True, ge=0, le=100)] = Field(
        default=None, description="Base decay of `short_term` per day.", examples=[0.3]
    )
    short_term_every: Annotated[int | None, Field(strict=True, ge=1, le=10_000)] = Field(
        default=None,
        description="Every how many gate runs `short_term` is looked at.",
        examples=[3],
    )
    episodic_capacity: Annotated[int | None, Field(strict=True, ge=0, le=10_000_000)] = Field(
        default=None,
        description="Active memories of stratum `episodic` in one scope; 0: no limit.",
        examples=[10_000],
    )
    episodic_retention_hours: Annotated[float | None, Field(strict=True, ge=0, le=876_000)] = Field(
        default=None,
        description="Hours from when it was recorded until a memory of `episodic` has had its time; 0: no end.",
        examples=[720.0],
    )
    episodic_decay: Annotated[float | None, Field(strict=True, ge=0, le=100)] = Field(
        default=None, description="Base decay of `episodic` per day.", examples=[0.1]
    )
    episodic_every: Annotated[int | None, Field(strict=True, ge=1, le=10_000)] = Field(
        default=None, description="Every how many gate runs `episodic` is looked at.", examples=[10]
    )
    long_term_capacity: Annotated[int | None, Field(strict=True, ge=0, le=10_000_000)] = Field(
        default=None,
        description="Active memories of stratum `long_term` in one scope; 0: no limit.",
        examples=[0],
    )
    long_term_retention_hours: Annotated[float | None, Field(strict=True, ge=0, le=876_000)] = (
        Field(
            default=None,
            description="Hours from when it was recorded until a memory of `long_term` has had its time; 0: no end.",
            examples=[0.0],
        )
    )
    long_term_decay: Annotated[float | None, Field(strict=True, ge=0, le=100)] = Field(
        default=None, description="Base decay of `long_term` per day.", examples=[0.05]
    )
    long_term_every: Annotated[int | None, Field(strict=True, ge=1, le=10_000)] = Field(
        default=None,
        description="Every how many gate runs `long_term` is looked at.",
        examples=[50],
    )
    semantic_capacity: Annotated[int | None, Field(strict=True, ge=0, le=10_000_000)] = Field(
        default=None,
        description="Active memories of stratum `semantic` in one scope; 0: no limit.",
        examples=[0],
    )
    semantic_retention_hours: Annotated[float | None, Field(strict=True, ge=0, le=876_000)] = Field(
        default=None,
        description="Hours from when it was recorded until a memory of `semantic` has had its time; 0: no end.",
        examples=[0.0],
    )
    semantic_decay: Annotated[float | None, Field(strict=True, ge=0, le=100)] = Field(
        default=None, description="Base decay of `semantic` per day.", examples=[0.05]
    )
    semantic_every: Annotated[int | None, Field(strict=True, ge=1, le=10_000)] = Field(
        default=None, description="Every how many gate runs `semantic` is looked at.", examples=[50]
    )
    retention_check_seconds: Annotated[float | None, Field(strict=True, ge=1, le=31_536_000)] = (
        Field(
            default=None,
            description="Seconds between two looks at what memories have become.",
            examples=[3600.0],
        )
    )
    auto_promotion_threshold: Annotated[float | None, Field(strict=True, ge=0, le=2)] = Field(
        default=None,
        description="Promotion score from which a memory rises, in [0, 2].",
        examples=[0.8],
    )
    demotion_threshold: Annotated[float | None, Field(strict=True, ge=0, le=1)] = Field(
        default=None,
        description="Promotion score below which a memory sinks, in [0, 1]; at most `auto_promotion_threshold`.",
        examples=[0.1],
    )
    expired: Expiry | None = Field(
        default=None,
        description="What becomes of a memory whose time is over: it is archived, or deleted for good.",
        examples=["archive"],
    )
    undo_days: Annotated[float | None, Field(strict=True, ge=0, le=3650)] = Field(
        default=None,
        description="Days for which a run of the gates can be undone.",
        examples=[30.0],
    )
    reward_weight_factor: Annotated[float | None, Field(strict=True, ge=1, le=10)] = Field(
        default=None,
        description="What a success multiplies the weight of a memory by, up to a weight of 2; 1: nothing.",
        examples=[1.5],
    )
    consolidation: _Switch = Field(
        default=None,
        description="Condense what rises between strata in the background; else it rises as it is.",
        examples=[True],
    )
    compression_ratio: Annotated[float | None, Field(strict=True, ge=0, le=10)] = Field(
        default=None,
        description="Share of texts that stays whole when they are condensed; 0.5 is the usual one.",
        examples=[0.5],
    )
    surprise_threshold: Annotated[float | None, Field(strict=True, ge=0, le=1)] = Field(
        default=None,
        description="Surprise above which an event is remembered as one, in [0, 1].",
        examples=[0.7],
    )
    surprise_literal: _Switch = Field(
        default=None,
        description="Score surprises by the formula of the source as it stands, 1 at most.",
        examples=[False],
    )
    surprise_grace_days: Annotated[float | None, Field(strict=True, ge=0, le=3650)] = Field(
        default=None,
        description="Days for which the memory of a surprising event does not fade.",
        examples=[7.0],
    )
    surprise_days: Annotated[float | None, Field(strict=True, ge=1, le=3650)] = Field(
        default=None, description="Days for which surprises are kept.", examples=[90.0]
    )
    pattern_sharing: _Switch = Field(
        default=None,
        description="Share in a channel what several of its members hold: patterns, and the surprises of members.",
        examples=[True],
    )
    pattern_agents: Annotated[int | None, Field(strict=True, ge=2, le=1000)] = Field(
        default=None,
        description="Members of a channel that must hold a pattern before it is shared there.",
        examples=[2],
    )
    pattern_confidence: Annotated[float | None, Field(strict=True, ge=0, le=1)] = Field(
        default=None,
        description="Confidence from which a member's pattern counts for that, in [0, 1].",
        examples=[0.7],
    )


class ConfigValueView(Answer):
    """A value that is in force."""

    value: ConfigValue = Field(description="What is in force.", examples=[0.5])
    source: ConfigSource = Field(
        description="`runtime`: set here; `environment`: by its variable; else the default.",
        examples=["runtime"],
    )
    variable: str = Field(
        description="The variable that sets it in the environment.",
        examples=["STRATAGRAPH_LEARNING_RATE"],
    )


class ConfigView(Answer):
    """What is in force for a tenant."""

    version: int = Field(description="Grows with each change; 0: none yet.", examples=[3])
    changed_at: datetime | None = Field(
        default=None, description="When something was set last.", examples=[NOW]
    )
    values: dict[str, ConfigValueView] = Field(
        description="Each value by its name.",
        examples=[
            {
                "learning_rate": {
                    "value": 0.2,
                    "source": "runtime",
                    "variable": "STRATAGRAPH_LEARNING_RATE",
                }
            }
        ],
    )


class ConfigChangesRequest(Request):
    """Which page of the changes."""

    limit: PageLimit = Field(default=50, description="Changes of a page.", examples=[50])
    cursor: Cursor | None = Field(
        default=None,
        description="The `next_cursor` of the page before; unset: the first page.",
        examples=["WyIyMDI2…"],
    )


class ConfigChangeView(Answer):
    """One value that somebody set."""

    uid: str = Field(description="The change.", examples=[UID_EXAMPLE])
    name: str = Field(description="What was set.", examples=["learning_rate"])
    old: ConfigValue = Field(description="What was in force before.", examples=[0.1])
    new: ConfigValue | None = Field(
        description="What was set; null: left to the environment again.", examples=[0.2]
    )
    actor: str = Field(description="Who set it.", examples=["agent/planner"])
    door: Door = Field(description="The way by which it was set.", examples=["http"])
    changed_at: datetime = Field(description="When.", examples=[NOW])


class ConfigChangePage(Answer):
    """A page of changes, the newest first."""

    items: tuple[ConfigChangeView, ...] = Field(description="The newest first.", examples=[[]])
    next_cursor: str | None = Field(
        default=None, description="Opens the next page; null at the end.", examples=["WyIyMDI2…"]
    )
