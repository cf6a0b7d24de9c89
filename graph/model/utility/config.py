"""Learning and use of utility: the settings of one tenant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from graph.kernel.values import Phase, Status  # read at run time, from the types of the settings
from graph.model.utility.settings import Range, setting, settings_of

RewardScale = Literal["unit", "signed"]
Normalization = Literal["z-score", "min-max", "softmax"]
Exploration = Literal["none", "ucb", "thompson"]
Signal = Literal["user_feedback", "tool_accuracy", "efficiency"]

SIGNALS: tuple[Signal, ...] = get_args(Signal)

_SHARE = Range(0, 1)
_STEP = Range(0, 1, above=True)
_REWARD = Range(-1, 1)
_COUNT = Range(0, 1_000_000)


def _signal_weight(signal: Signal, default: float) -> float:
    return setting(default, f"Weight of a signal `{signal}` beside an outcome.", _SHARE)


def _phase_weight(phase: Phase, default: float) -> float:
    return setting(default, f"Weight in a reward of what was recalled in phase {phase}.", _STEP)


def _utility_weight(phase: Phase, default: float) -> float:
    text = f"λ of a recall in phase {phase}."
    return setting(default, text, _SHARE, variable=f"RETRIEVAL_LAMBDA_{phase.upper()}")


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """Settings of learning and use of utility; each field can be changed at run time.

    Defaults are those of *Memory Utility Learning System*, but for ``utility_learning``, ``reward_scale`` and the
    guards of the ranking.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range; the message names both.
    """

    utility_learning: bool = setting(
        default=True,
        text="Rank by learned utility, and learn it from outcomes.",
        variable="MEMORY_UTILITY_LEARNING_ENABLED",
    )
    q_default: float = setting(
        0.5, "Q of a new memory, in [0, 1].", _SHARE, variable="QVALUE_DEFAULT"
    )
    learning_rate: float = setting(
        0.1,
        "Step α of the moving average of Q, in (0, 1].",
        _STEP,
        variable="QVALUE_LEARNING_RATE",
    )
    reward_scale: RewardScale = setting(
        "unit",
        "`unit`: a success pulls Q to 1, a failure to 0; `signed`: to the reward itself.",
    )
    reward_success: float = setting(1.0, "Reward of a success.", _REWARD)
    reward_failure: float = setting(-1.0, "Reward of a failure.", _REWARD)
    reward_partial: float = setting(0.3, "Reward of a partial success.", _REWARD)
    reward_timeout: float = setting(-0.5, "Reward of a timeout.", _REWARD)
    step_reward: float = setting(0.3, "Reward of a step of a task.", _SHARE)
    signal_weight_user_feedback: float = _signal_weight("user_feedback", 1.0)
    signal_weight_tool_accuracy: float = _signal_weight("tool_accuracy", 0.5)
    signal_weight_efficiency: float = _signal_weight("efficiency", 0.25)
    phase_weight_observation: float = _phase_weight("observation", 0.15)
    phase_weight_reasoning: float = _phase_weight("reasoning", 0.2)
    phase_weight_planning: float = _phase_weight("planning", 0.3)
    phase_weight_action: float = _phase_weight("action", 0.25)
    phase_weight_reflection: float = _phase_weight("reflection", 0.1)
    credit_damping: float = setting(
        0.5, "Share of a reward that strategies and concepts get which were used; 0: none.", _SHARE
    )
    q_history_limit: int = setting(
        100, "Rewards of a memory that are kept one by one.", Range(1, 10_000)
    )
    track_memory_usage: bool = setting(default=True, text="Note which memories a task was given.")
    utility_weight_default: float = setting(
        0.5,
        "λ of a recall without a phase, in [0, 1].",
        _SHARE,
        variable="RETRIEVAL_LAMBDA_DEFAULT",
    )
    utility_weight_observation: float = _utility_weight("observation", 0.2)
    utility_weight_reasoning: float = _utility_weight("reasoning", 0.5)
    utility_weight_planning: float = _utility_weight("planning", 0.7)
    utility_weight_action: float = _utility_weight("action", 0.3)
    utility_weight_reflection: float = _utility_weight("reflection", 0.6)
    min_relevance: float = setting(
        0.5, "Least relevance of a result; 0 returns the best whatever they are.", _SHARE
    )
    utility_normalization: Normalization = setting(
        "z-score", "Method that makes relevance and Q comparable within a pool."
    )
    z_deviation_floor: float = setting(
        0.1, "Least standard deviation in a z-score; 0: the literal form.", _COUNT
    )
    z_limit: float = setting(
        3.0, "Clip of a z-score; `inf`: the literal form.", Range(0, float("inf"), above=True)
    )
    q_prior_count: float = setting(
        2.0,
        "Rewards' worth of doubt by which Q is drawn to its start in a ranking; 0: none.",
        _COUNT,
    )
    lender_prior_count: float = setting(
        10.0, "Rewards' worth of doubt in what strategies and concepts lend a memory.", _COUNT
    )
    transfer_prior_count: float = setting(
        5.0, "Rewards' worth of doubt in what similar memories hand to a new one.", _COUNT
    )
    exploration: Exploration = setting(
        "none", "Method that tries memories that few outcomes have judged."
    )
    exploration_weight: float = setting(
        0.1, "Weight of the bonus that doubt adds to a utility with `ucb`.", Range(0, 10)
    )
    contextual_utility: bool = setting(
        default=False, text="Learn and use a utility of its own per phase, domain and tag."
    )
    context_learning_rate: float = setting(
        0.05, "Step of the moving average within a context.", _STEP
    )
    context_prior_count: float = setting(
        2.0,
        "Rewards' worth of doubt by which a context's utility is drawn to the general one.",
        _COUNT,
    )
    supersede_confidence: float = setting(
        0.75,
        "Least confidence of a replacement that hides the replaced memory from recall.",
        _STEP,
    )

    def __post_init__(self) -> None:
        """Check every value."""
        for name, declared in UTILITY_SETTINGS.items():
            declared.check(getattr(self, name))

    @property
    def rewards(self) -> Mapping[Status, float]:
        """The reward of each outcome of a task, in [-1, 1]."""
        return {
            "success": self.reward_success,
            "failure": self.reward_failure,
            "partial": self.reward_partial,
            "timeout": self.reward_timeout,
        }

    @property
    def phase_weights(self) -> Mapping[Phase, float]:
        """Weights of rewards by the phase of the recall, in (0, 1]."""
        return {
            "observation": self.phase_weight_observation,
            "reasoning": self.phase_weight_reasoning,
            "planning": self.phase_weight_planning,
            "action": self.phase_weight_action,
            "reflection": self.phase_weight_reflection,
        }

    @property
    def signal_weights(self) -> Mapping[Signal, float]:
        """The strength of each named signal, in [0, 1]."""
        return {
            "user_feedback": self.signal_weight_user_feedback,
            "tool_accuracy": self.signal_weight_tool_accuracy,
            "efficiency": self.signal_weight_efficiency,
        }

    def utility_weight(self, phase: Phase | None) -> float:
        """Return λ of a phase, in [0, 1]; without one the default."""
        by_phase: dict[Phase | None, float] = {
            None: self.utility_weight_default,
            "observation": self.utility_weight_observation,
            "reasoning": self.utility_weight_reasoning,
            "planning": self.utility_weight_planning,
            "action": self.utility_weight_action,
            "reflection": self.utility_weight_reflection,
        }
        return by_phase[phase]


UTILITY_SETTINGS = settings_of(UtilityConfig)
