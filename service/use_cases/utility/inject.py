"""A reward that somebody gives one memory by hand."""

from __future__ import annotations

from dataclasses import dataclass

from graph.kernel.errors import ConflictError, InvalidInputError, required
from graph.kernel.scope import Caller
from graph.model.utility.rewards import MemoryReport
from graph.model.utility.tasks import Rewarded
from service.use_cases.kernel.watched import watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.single import UNKNOWN
from service.use_cases.utility.rewarding import Instruction, Rewarding

LEARNING_IS_OFF = "utility is not learned for this tenant: set utility_learning to true first"
MAX_REASON = 1000


@dataclass(frozen=True, slots=True)
class InjectReward(Rewarding):
    """Reward one memory by its name, with a reason that is kept.

    Raises
    ------
    InvalidInputError
        If the reward lies outside [-1, 1], or the reason is empty or over 1,000 characters.
    NotFoundError
        If there is no such memory in the caller's scopes.
    ConflictError
        If learning is off.
    """

    guard: Guard

    @watched("inject_reward")
    async def __call__(
        self,
        caller: Caller,
        name: str,
        reward: float,
        reason: str,
        contexts: tuple[str, ...] = (),
    ) -> Rewarded:
        """Apply it; each call counts, also with the same words."""
        config = self.configs.of(caller.tenant)
        if not config.utility_learning:
            raise ConflictError(LEARNING_IS_OFF)
        if not -1 <= reward <= 1:
            raise InvalidInputError("reward: must lie in [-1, 1]", field="reward")
        # reasons are kept for people: they are cleaned as texts are
        reason = await self.guard.text(caller.tenant, checked_reason(reason), "reason")
        actor = caller.home.partition("/")[2]
        note = self.note(caller, "manual", reward, reason=reason, actor=actor)
        instruction = Instruction(config, note, self.identifiers, reward, contexts=contexts)
        report = MemoryReport(note, caller.readable, name, contexts)
        done = required(await self.rewards.reward_memory(report, instruction.teaching), UNKNOWN)
        self.events.told(*done.events)
        self.telemetry.count("rewards", kind="manual", applied="true")
        return done


def checked_reason(reason: str) -> str:
    """Return a reason without what stands around it; refuse none, and one over 1,000 characters."""
    kept = reason.strip()
    if not kept or len(kept) > MAX_REASON:
        raise InvalidInputError(f"reason: must be 1 to {MAX_REASON:,} characters", field="reason")
    return kept
