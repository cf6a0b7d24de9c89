"""Reverting of a reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph.kernel.errors import ConflictError, required
from graph.kernel.scope import Caller
from graph.model.utility.rewards import History, Learned, Lesson, Reverted, RewardNote, Trimming
from service.use_cases.kernel.watched import watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.utility.inject import LEARNING_IS_OFF, checked_reason
from service.use_cases.utility.replaying import fold, undone
from service.use_cases.utility.reward_events import reward_events
from service.use_cases.utility.rewarding import Rewarding


@dataclass(frozen=True, slots=True)
class RevertReward(Rewarding):
    """Revert a reward: each memory gets the Q it would have without it.

    Nothing is rewritten: the histories get an entry that says so, and the task can be reported anew.

    Raises
    ------
    NotFoundError
        If the caller's home scope owns no such reward.
    ConflictError
        If it is a revert itself, reached what the caller does not read, or learning is off.
    HistoryTrimmedError
        If it lies behind the checkpoint of a memory's history.
    """

    guard: Guard

    @watched("revert_reward")
    async def __call__(
        self, caller: Caller, reward_uid: str, reason: str | None = None
    ) -> Reverted:
        """Take it back; once."""
        config = self.configs.of(caller.tenant)
        if not config.utility_learning:
            raise ConflictError(LEARNING_IS_OFF)
        if reason is not None:
            reason = await self.guard.text(caller.tenant, checked_reason(reason), "reason")
        actor = caller.home.partition("/")[2]
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
