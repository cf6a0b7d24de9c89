"""Joining and leaving channels, and publishing memories there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields

_CHANNELS = "/v1/channels"


def join_channels(caller: Caller, identity: IdentityFields) -> Call[wire.ChannelsAnswer]:
    return post(f"{_CHANNELS}/join", caller.fields(identity), wire.ChannelsAnswer)


def leave_channels(caller: Caller, identity: IdentityFields) -> Call[wire.LeftAnswer]:
    return post(f"{_CHANNELS}/leave", caller.fields(identity), wire.LeftAnswer)


def members(caller: Caller, identity: IdentityFields) -> Call[wire.ChannelsAnswer]:
    return Call("GET", _CHANNELS, reader(wire.ChannelsAnswer), query=caller.fields(identity))


def publish(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.PublicationView]:
    path = f"/v1/memories/{segment(name)}/publish"
    return post(path, caller.fields(identity), wire.PublicationView)


def unpublish(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.UnpublishedView]:
    path = f"/v1/memories/{segment(name)}/unpublish"
    return post(path, caller.fields(identity), wire.UnpublishedView)


def share_patterns(caller: Caller, identity: IdentityFields) -> Call[wire.PatternsSharedView]:
    return post(f"{_CHANNELS}/patterns", caller.fields(identity), wire.PatternsSharedView)
