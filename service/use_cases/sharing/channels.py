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
        """Return the memberships; joining twice has no effect."""
        agent, channels = _agent_and_channels(caller)
        return [await self._join(agent, channel) for channel in channels]

    async def _join(self, agent: str, channel: str) -> Membership:
        # an earlier membership may still be ending: its copies are removed first
        while True:
            joined = await self.store.join(agent, channel, self.clock.now())
            if joined is not None:
                return joined
            await end_sharing(self.store, agent, channel, self.clock.now())


@dataclass(frozen=True, slots=True)
class LeaveChannels(TimedUseCase):
    """End an agent's membership of channels, and remove what it shares there.

    Publishing stops at once; copies are hidden in batches, then removed. The worker finishes an interrupted call.

    Raises
    ------
    InvalidInputError
        If no agent or no channel is named.
    """

    store: SharingStore

    @watched("leave_channels")
    async def __call__(self, caller: Caller) -> Sequence[Left]:
        """Return the ended memberships with their numbers of copies."""
        agent, channels = _agent_and_channels(caller)
        left: list[Left] = []
        for channel in channels:
            now = self.clock.now()
            # the membership ends first, so that nothing new is shared
            member = await self.store.leave(agent, channel, now)
            copies = await end_sharing(self.store, agent, channel, now) if member else 0
            left.append(Left(channel, member, copies))
        return left


@dataclass(frozen=True, slots=True)
class ListMembers(UseCase):
    """List the memberships of an agent, and the members of channels."""

    store: SharingStore

    @watched("list_members")
    async def __call__(self, caller: Caller) -> Sequence[Membership]:
        """Return memberships by channel and agent."""
        agents = [] if caller.agent_id is None else [caller.writable("agent")]
        return await self.store.members(caller.tenant, agents, caller.channels, _MOST_MEMBERS)


@dataclass(frozen=True, slots=True)
class PublishMemory(RecordingUseCase):
    """Publish a copy of an agent's own memory in a channel that it is a member of.

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
        """Return the copy; publishing twice has no effect."""
        # the copy needs the vector of the slot in use, which may change meanwhile
        return await with_embedder_in_use(self.embedders, partial(self._publish, caller, name))

    async def _publish(self, caller: Caller, name: str) -> Publication:
        agent, channel = caller.writable("agent"), caller.writable("channel")
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        slot = self.embedders.reading.slot
        return required(await self.store.publish(agent, channel, name, uid, now, slot), UNKNOWN)


@dataclass(frozen=True, slots=True)
class UnpublishMemory(TimedUseCase):
    """Remove the copies of an agent's own memory from some channels, or from all.

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
        """Return the number of removed copies."""
        agent = caller.writable("agent")
        channels = caller.channels or None
        return required(
            await self.store.unpublish(agent, channels, name, self.clock.now()), UNKNOWN
        )


async def end_sharing(
    store: SharingStore, agent: str, channel: str, now: datetime, lease: Lease | None = None
) -> int:
    """Remove patterns that too few agents hold after an agent left, and its copies; return their number.

    All copies are hidden before the first is removed, so that nobody sees only some of them.
    """
    # patterns before copies (ADR 34)
    while await store.part(agent, channel, now, _REMOVED_AT_ONCE, lease):
        pass
    after: str | None = ""
    while after is not None:
        _, after = await store.hide(agent, channel, after, _HIDDEN_AT_ONCE, lease)
    copies = 0
    while removed := await store.withdraw(agent, channel, now, _REMOVED_AT_ONCE, lease):
        copies += removed
    # last: until then the worker resumes an interrupted departure (ADR 34)
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


def _agent_and_channels(caller: Caller) -> tuple[str, tuple[str, ...]]:
    agent = caller.writable("agent")
    if not caller.channels:
        raise InvalidInputError("channel_ids: name the channels", field="channel_ids")
    return agent, caller.channels
