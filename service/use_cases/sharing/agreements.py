"""Agreements and disputes of a channel, and votes on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.kernel.errors import InvalidInputError, required
from graph.kernel.scope import Caller
from graph.model.sharing.agreements import Position
from graph.scoring.confidence import agreement_bounds
from graph.store.sharing.agreements import AgreementStore
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched

_MOST = 1_000  # positions that are rated
_UNKNOWN = "no such memory in the channels that are named"


@dataclass(frozen=True, slots=True)
class Rated:
    """A position with the share of agents that hold it, and its bounds."""

    position: Position
    share: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class ListAgreements(UseCase):
    """List agreements and disputes of channels, the most certain first.

    Raises
    ------
    InvalidInputError
        If no channel is named.
    NotFoundError
        If one is asked for that does not exist.
    """

    store: AgreementStore

    @watched("list_agreements")
    async def __call__(
        self, caller: Caller, *, disputed: bool | None = None, limit: int = 100
    ) -> Sequence[Rated]:
        """Return positions; ``disputed`` filters those with or without opponents."""
        # all are rated before the first ``limit`` are known
        found = await self.store.positions(_channels(caller), _MOST)
        rated = rate(
            [
                each
                for each in found
                if disputed is None or bool(each.opponents or each.against) == disputed
            ]
        )
        rated.sort(key=lambda each: -each.lower)  # among equals the latest stays first
        return rated[:limit]

    async def one(self, caller: Caller, name: str) -> Rated:
        """Return one memory of a channel as a position."""
        return await find_position(self.store, _channels(caller), name)


@dataclass(frozen=True, slots=True)
class CastVote(TimedUseCase):
    """Vote on an agreement or any statement of a channel.

    Raises
    ------
    InvalidInputError
        If no agent, or not exactly one channel is named.
    NotFoundError
        If the channel has no such memory.
    """

    store: AgreementStore

    @watched("vote")
    async def __call__(self, caller: Caller, name: str, agrees: bool | None) -> Rated:
        """Return the position after the vote; repeating a vote has no effect, None withdraws it."""
        agent, channel = caller.writable("agent"), caller.writable("channel")
        # voted by uid: the name may be of another memory later
        position = (await find_position(self.store, [channel], name)).position
        await self.store.vote(agent, channel, position.uid, agrees, self.clock.now())
        return await find_position(self.store, [channel], name)


async def find_position(store: AgreementStore, channels: Sequence[str], name: str) -> Rated:
    """Return one memory of channels as a position."""
    found = required(await store.position(channels, name), _UNKNOWN)
    return rate([found])[0]


def rate(positions: Sequence[Position]) -> list[Rated]:
    """Return positions with the share of supporters among supporters and opponents."""
    supporting = np.array([len(each.supporters) for each in positions], dtype=np.float64)
    against = np.array([len(each.opponents) for each in positions], dtype=np.float64)
    # at least 1: there may be neither
    shares = supporting / np.maximum(supporting + against, 1.0)
    bounds = agreement_bounds(supporting, against)
    return [
        Rated(each, share, *pair)
        for each, share, pair in zip(positions, shares.tolist(), bounds.tolist(), strict=True)
    ]


def _channels(caller: Caller) -> Sequence[str]:
    if not caller.channels:
        raise InvalidInputError("channel_ids: name the channels", field="channel_ids")
    return caller.channels
