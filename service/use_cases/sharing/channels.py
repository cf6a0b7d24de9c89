"""Membership of channels, and publishing of memories there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from graph.kernel.errors import InvalidInputError, required
from graph.kernel.scope import Caller
from graph.model.memories.links import Lease
from graph.model.sharing.channels import Left, Membership, Publication
from graph.ports.embedding import EmbeddersInUse
from graph.store.sharing.store import SharingStore
from service.use_cases.kernel.embedding import with_embedder_in_use
from service.use_cases.kernel.watched import RecordingUseCase, TimedUseCase, UseCase, watched

UNKNOWN = "this agent has no such memory of its own"
_HIDDEN_AT_ONCE = 1000
_REMOVED_AT_ONCE = 500
_MOST_MEMBERS = 1000


@dataclass(frozen=True, slots=True)
class JoinChannels(TimedUseCase):
    """Make an agent a member of channels.

    Raises
    ------
    InvalidInputError
        If no agent or no channel is named.
    """

    store: SharingStore

    @watched("join_channels")
    async def __call__(self, caller: Caller) -> Sequence[Membership]:
        """Return the memberships; joining twice is joining once."""
        agent, channels = _named(caller)
        return [await self._join(agent, channel) for channel in channels]

    async def _join(self, agent: str, channel: str) -> Membership:
        # an earlier membership may still be ending: its copies go before the new one begins
        while True:
            joined = await self.store.join(agent, channel, self.clock.now())
            if joined is not None:
                return joined
            await end_sharing(self.store, agent, channel, self.clock.now())


@dataclass(frozen=True, slots=True)
class LeaveChannels(TimedUseCase):
    """End an agent's membership of channels, and with it all that it shares there.

    From the first moment nothing of it is published there any more; its copies are hidden in batches,
    then removed. What is cut off, the background work ends.

    Raises
    ------
    InvalidInputError
        If no agent or no channel is named.
    """

    store: SharingStore

    @watched("leave_channels")
    async def __call__(self, caller: Caller) -> Sequence[Left]:
        """Return what that ended, by channel."""
        agent, channels = _named(caller)
        left: list[Left] = []
        for channel in channels:
            now = self.clock.now()
            # the membership ends first: from here on nothing new is shared
            member = await self.store.leave(agent, channel, now)
            copies = await end_sharing(self.store, agent, channel, now) if member else 0
            left.append(Left(channel, member, copies))
        return left


@dataclass(frozen=True, slots=True)
class ListMembers(UseCase):
    """Show of which channels an agent is a member, and the members of the channels that are named."""

    store: SharingStore

    @watched("list_members")
    async def __call__(self, caller: Caller) -> Sequence[Membership]:
        """Return memberships by channel and agent."""
        agents = [] if caller.agent_id is None else [caller.writable("agent")]
        return await self.store.members(caller.tenant, agents, caller.channels, _MOST_MEMBERS)


@dataclass(frozen=True, slots=True)
class PublishMemory(RecordingUseCase):
    """Put a copy of an agent's own memory into a channel that it is a member of.

    Raises
    ------
    InvalidInputError
        If no agent, or not exactly one channel is named.
    NotFoundError
        If the agent has no such memory.
    ConflictError
        If the agent is no member of the channel, or the memory is not active.
    """

    store: SharingStore
    embedders: EmbeddersInUse

    @watched("publish_memory")
    async def __call__(self, caller: Caller, name: str) -> Publication:
        """Return the copy; publishing twice is publishing once."""
        # the copy takes the vector of the slot in use; an embedder changed meanwhile is asked again
        return await with_embedder_in_use(self.embedders, partial(self._publish, caller, name))

    async def _publish(self, caller: Caller, name: str) -> Publication:
        agent, channel = caller.writable("agent"), caller.writable("channel")
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        slot = self.embedders.reading.slot
        return required(await self.store.publish(agent, channel, name, uid, now, slot), UNKNOWN)


@dataclass(frozen=True, slots=True)
class UnpublishMemory(TimedUseCase):
    """Remove the copies of an agent's own memory from the channels that are named, or from all.

    Raises
    ------
    InvalidInputError
        If no agent is named.
    NotFoundError
        If the agent has no such memory.
    """

    store: SharingStore

    @watched("unpublish_memory")
    async def __call__(self, caller: Caller, name: str) -> int:
        """Return how many copies went."""
        agent = caller.writable("agent")
        channels = caller.channels or None
        return required(
            await self.store.unpublish(agent, channels, name, self.clock.now()), UNKNOWN
        )


async def end_sharing(
    store: SharingStore, agent: str, channel: str, now: datetime, lease: Lease | None = None
) -> int:
    """End what an agent that left had shared: patterns that too few hold then, and its copies.

    Copies are hidden before the first is removed. Return how many they were.
    """
    # patterns before copies, and the note of the membership last (ADR 34)
    while await store.part(agent, channel, now, _REMOVED_AT_ONCE, lease):
        pass
    after: str | None = ""
    # all are hidden before the first goes: nobody sees half of what was shared
    while after is not None:
        _, after = await store.hide(agent, channel, after, _HIDDEN_AT_ONCE, lease)
    copies = 0
    while gone := await store.withdraw(agent, channel, now, _REMOVED_AT_ONCE, lease):
        copies += gone
    # last: the background resumes from this note (ADR 34)
    await store.end(agent, channel, lease)
    return copies


@dataclass(frozen=True, slots=True)
class EndSharing:
    """Resume interrupted departures from channels."""

    name = "end_sharing"

    store: SharingStore
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        for agent, channel in await self.store.leaving(now, 1):
            return await end_sharing(self.store, agent, channel, now, lease) or 1
        return 0


def _named(caller: Caller) -> tuple[str, tuple[str, ...]]:
    agent = caller.writable("agent")
    if not caller.channels:
        raise InvalidInputError("channel_ids: name the channels", field="channel_ids")
    return agent, caller.channels
