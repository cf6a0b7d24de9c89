"""How utility is learned and used: what one tenant has set."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

from graph.errors import InvalidInputError
from graph.model.ranges import Range, check_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.model.values import Phase, Status

RewardScale = Literal["unit", "signed"]
Normalization = Literal["z-score", "min-max", "softmax"]
Exploration = Literal["none", "ucb", "thompson"]
Signal = Literal["user_feedback", "tool_accuracy", "efficiency"]

SIGNALS: tuple[Signal, ...] = get_args(Signal)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "reward_scale": get_args(RewardScale),
    "utility_normalization": get_args(Normalization),
    "exploration": get_args(Exploration),
}


_SHARE = Range(0, 1)
_STEP = Range(0, 1, above=True)
_REWARD = Range(-1, 1)
_COUNT = Range(0, 1_000_000)
RANGES: Mapping[str, Range] = {
    "q_default": _SHARE,
    "learning_rate": _STEP,
    "utility_weight_default": _SHARE,
    "utility_weight_observation": _SHARE,
    "utility_weight_reasoning": _SHARE,
    "utility_weight_planning": _SHARE,
    "utility_weight_action": _SHARE,
    "utility_weight_reflection": _SHARE,
    "reward_success": _REWARD,
    "reward_failure": _REWARD,
    "reward_partial": _REWARD,
    "reward_timeout": _REWARD,
    "step_reward": _SHARE,
    "signal_weight_user_feedback": _SHARE,
    "signal_weight_tool_accuracy": _SHARE,
    "signal_weight_efficiency": _SHARE,
    "phase_weight_observation": _STEP,
    "phase_weight_reasoning": _STEP,
    "phase_weight_planning": _STEP,
    "phase_weight_action": _STEP,
    "phase_weight_reflection": _STEP,
    "credit_damping": _SHARE,
    "q_history_limit": Range(1, 10_000),
    "q_prior_count": _COUNT,
    "lender_prior_count": _COUNT,
    "transfer_prior_count": _COUNT,
    "context_prior_count": _COUNT,
    "context_learning_rate": _STEP,
    "exploration_weight": Range(0, 10),
    "min_relevance": _SHARE,
    "z_deviation_floor": _COUNT,
    "supersede_confidence": Range(0, 1, above=True),
    "z_limit": Range(0, float("inf"), above=True),
}


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """What can be set of utility while the service runs; names are those of the settings.

    Defaults are those of *Memory Utility Learning System*, but for ``utility_learning``,
    ``reward_scale`` and the guards of the ranking.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range; the message names both.
    """

    utility_learning: bool = True
    q_default: float = 0.5
    learning_rate: float = 0.1
    reward_scale: RewardScale = "unit"
    reward_success: float = 1.0
    reward_failure: float = -1.0
    reward_partial: float = 0.3
    reward_timeout: float = -0.5
    step_reward: float = 0.3
    signal_weight_user_feedback: float = 1.0
    signal_weight_tool_accuracy: float = 0.5
    signal_weight_efficiency: float = 0.25
    phase_weight_observation: float = 0.15
    phase_weight_reasoning: float = 0.2
    phase_weight_planning: float = 0.3
    phase_weight_action: float = 0.25
    phase_weight_reflection: float = 0.1
    credit_damping: float = 0.5
    q_history_limit: int = 100
    track_memory_usage: bool = True
    utility_weight_default: float = 0.5
    utility_weight_observation: float = 0.2
    utility_weight_reasoning: float = 0.5
    utility_weight_planning: float = 0.7
    utility_weight_action: float = 0.3
    utility_weight_reflection: float = 0.6
    min_relevance: float = 0.5
    utility_normalization: Normalization = "z-score"
    z_deviation_floor: float = 0.1
    z_limit: float = 3.0
    q_prior_count: float = 2.0
    lender_prior_count: float = 10.0
    transfer_prior_count: float = 5.0
    exploration: Exploration = "none"
    exploration_weight: float = 0.1
    contextual_utility: bool = False
    context_learning_rate: float = 0.05
    context_prior_count: float = 2.0
    supersede_confidence: float = 0.7

    def __post_init__(self) -> None:
        """Check every value."""
        for field in fields(self):
            check_utility_value(field.name, getattr(self, field.name))

    @property
    def rewards(self) -> Mapping[Status, float]:
        """The reward of each way in which a task ends, in [-1, 1]."""
        return {
            "success": self.reward_success,
            "failure": self.reward_failure,
            "partial": self.reward_partial,
            "timeout": self.reward_timeout,
        }

    @property
    def phase_weights(self) -> Mapping[Phase, float]:
        """What a recall counts that was made in a phase, in (0, 1]."""
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


UTILITY_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(UtilityConfig))


def check_utility_value(name: str, value: object) -> None:
    """Refuse a value that a field of :class:`UtilityConfig` cannot have.

    Raises
    ------
    InvalidInputError
        If there is no such field, or the value has another type or lies out of its range.
    """
    if name not in UTILITY_FIELDS:
        raise InvalidInputError("there is no such setting of utility", field=name)
    check_value(name, value, CHOICES.get(name) or RANGES.get(name), whole=name == "q_history_limit")
