"""Manual rewards of one memory, and reverts of rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph.kernel.errors import ConflictError, InvalidInputError, required
from graph.kernel.scope import Caller, without_tenant
from graph.model.utility.rewards import (
    History,
    Learned,
    Lesson,
    MemoryReport,
    Reverted,
    RewardNote,
    Trimming,
)
from graph.model.utility.tasks import Rewarded
from service.use_cases.kernel.watched import watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.single import UNKNOWN
from service.use_cases.utility.replaying import fold, undone
from service.use_cases.utility.rewarding import Instruction, Rewarding, reward_events

LEARNING_IS_OFF = "utility is not learned for this tenant: set utility_learning to true first"
MAX_REASON = 1000


@dataclass(frozen=True, slots=True)
class InjectReward(Rewarding):
    """Reward one memory by name, with a reason.

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
        """Apply it; each call counts."""
        config = self.configs.of(caller.tenant)
        if not config.utility_learning:
            raise ConflictError(LEARNING_IS_OFF)
        if not -1 <= reward <= 1:
            raise InvalidInputError("reward: must lie in [-1, 1]", field="reward")
        # reasons are stored, so they are redacted
        reason = await self.guard.text(caller.tenant, checked_reason(reason), "reason")
        actor = without_tenant(caller.home)
        note = self.note(caller, "manual", reward, reason=reason, actor=actor)
        instruction = Instruction(config, note, self.identifiers, reward, contexts=contexts)
        report = MemoryReport(note, caller.readable, name, contexts)
        done = required(await self.rewards.reward_memory(report, instruction.teaching), UNKNOWN)
        self.events.told(*done.events)
        self.telemetry.count("rewards", kind="manual", applied="true")
        return done


def checked_reason(reason: str) -> str:
    """Return a stripped reason; refuse an empty one, and one over 1,000 characters."""
    kept = reason.strip()
    if not kept or len(kept) > MAX_REASON:
        raise InvalidInputError(f"reason: must be 1 to {MAX_REASON:,} characters", field="reason")
    return kept


@dataclass(frozen=True, slots=True)
class RevertReward(Rewarding):
    """Revert a reward: each memory gets the Q it would have without it.

    The revert is a new entry of the histories, and the task can be reported again.

    Raises
    ------
    NotFoundError
        If the caller's home scope owns no such reward.
    ConflictError
        If it is a revert itself, rewarded memories that the caller does not read, or learning is off.
    HistoryTrimmedError
        If it is older than the checkpoint of a memory's history.
    """

    guard: Guard

    @watched("revert_reward")
    async def __call__(
        self, caller: Caller, reward_uid: str, reason: str | None = None
    ) -> Reverted:
        """Revert it, once."""
        config = self.configs.of(caller.tenant)
        if not config.utility_learning:
            raise ConflictError(LEARNING_IS_OFF)
        if reason is not None:
            reason = await self.guard.text(caller.tenant, checked_reason(reason), "reason")
        actor = without_tenant(caller.home)
        note = self.note(caller, "revert", 0.0, reason=reason, actor=actor, reverts=reward_uid)

        def undo(
            locked: Sequence[Learned], histories: Sequence[History], reward: RewardNote
        ) -> Lesson:
            by_uid = {history.uid: history for history in histories}
            moves = tuple(undone(memory, by_uid[memory.uid], reward) for memory in locked)
            return Lesson(moves, events=reward_events(note, moves, 0, self.identifiers))

        trimming = Trimming(fold, config.q_history_limit)
        done = required(
            await self.rewards.revert(note, reward_uid, caller.readable, undo, trimming),
            "this caller made no such reward",
        )
        self.events.told(*done.events)
        self.telemetry.count("reward_reverts", applied="true" if done.applied else "false")
        return done
