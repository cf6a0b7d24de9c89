"""Utility of one memory, and its history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from graph.kernel.errors import HistoryTrimmedError, NotFoundError, required
from graph.kernel.scope import Caller
from graph.model.memories.memory import Memory
from graph.model.utility.config import UtilityConfig
from graph.model.utility.rewards import History, HistoryEntry, Track
from graph.ports.utility import UtilityConfigs
from graph.scoring.estimates import evidence, utilities
from graph.scoring.exploration import errors
from graph.store.memories.store import MemoryStore
from graph.store.utility.rewards import RewardStore
from service.use_cases.kernel.watched import UseCase, watched
from service.use_cases.memories.single import UNKNOWN


@dataclass(frozen=True, slots=True)
class Estimated:
    """Estimate of a track by its own rewards, without its initial value."""

    track: Track
    utility: float
    evidence: float
    error: float


@dataclass(frozen=True, slots=True)
class MemoryUtility:
    """Utility of one memory in general and by context; its kept history, oldest first.

    ``q_at``: its Q as of the requested time.
    """

    memory: Memory
    history: History
    entries: tuple[HistoryEntry, ...]
    general: Estimated
    contexts: Mapping[str, Estimated]
    q_at: float | None = None


@dataclass(frozen=True, slots=True)
class ShowUtility(UseCase):
    """Show the utility of one memory, its newest entries, and its Q as of a time.

    Raises
    ------
    NotFoundError
        If there is no such memory in the caller's scopes.
    HistoryTrimmedError
        If the time lies before the checkpoint of its history.
    """

    store: MemoryStore
    rewards: RewardStore
    configs: UtilityConfigs

    @watched("show_utility")
    async def __call__(
        self, caller: Caller, name: str, *, at: datetime | None = None, limit: int = 100
    ) -> MemoryUtility:
        """Return it; ``limit`` entries at most."""
        memory = required(await self.store.get(caller.readable, name), UNKNOWN)
        histories = await self.rewards.histories(caller.readable, [memory.uid])
        if not histories:
            raise NotFoundError(UNKNOWN)
        [history], config = histories, self.configs.of(caller.tenant)
        return MemoryUtility(
            memory,
            history,
            history.entries[max(0, len(history.entries) - limit) :],
            _estimated(history.track, config, config.learning_rate),
            {
                context: _estimated(track, config, config.context_learning_rate)
                for context, track in history.tracks.items()
            },
            None if at is None else value_at(history, at),
        )


def value_at(history: History, at: datetime) -> float:
    """Return the Q that was in force at a time.

    Raises
    ------
    HistoryTrimmedError
        If the history begins later.
    """
    before = [entry for entry in history.entries if entry.recorded_at <= at]
    if before:
        return before[-1].q_after
    if history.base_at is not None and at < history.base_at:
        raise HistoryTrimmedError(
            "the history of this memory begins later: what lies before its checkpoint is not kept"
        )
    # before the first reward: the initial Q
    return history.entries[0].q_before if history.entries else history.track.value


def _estimated(track: Track, config: UtilityConfig, rate: float) -> Estimated:
    left = np.array([track.left])
    # without rewards the value is the initial one
    initial = np.array([track.initial if track.left < 1.0 else track.value])
    weight = evidence(left, learning_rate=rate)
    worth = utilities(
        np.array([track.value]),
        left,
        initial,
        initial,
        learning_rate=rate,
        prior_count=config.q_prior_count,
    )
    error = errors(np.array([track.deviation]), weight, prior_count=config.q_prior_count)
    return Estimated(track, float(worth[0]), float(weight[0]), float(error[0]))
