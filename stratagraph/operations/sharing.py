"""Operations on sharing."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    never,
    unless_done,
)

_WHO = {"agent_id": "planner", "channel_ids": ["support"]}

JOIN_CHANNELS = Operation(
    name="join_channels",
    method="POST",
    path="/v1/channels/join",
    room="sharing",
    summary="Make the agent a member of the channels",
    takes=wire.ChannelsRequest,
    gives=wire.ChannelsAnswer,
    examples={"join": ("One channel", _WHO)},
)
LEAVE_CHANNELS = Operation(
    name="leave_channels",
    method="POST",
    path="/v1/channels/leave",
    room="sharing",
    summary="End the agent's membership of the channels, and what it shares there",
    takes=wire.ChannelsRequest,
    gives=wire.LeftAnswer,
    examples={"leave": ("One channel", _WHO)},
)
MEMBERS = Operation(
    name="members",
    method="GET",
    path="/v1/channels",
    room="sharing",
    summary="List the channels of the agent, and the members of the channels",
    takes=wire.Identity,
    gives=wire.ChannelsAnswer,
)
SHARE_PATTERNS = Operation(
    name="share_patterns",
    method="POST",
    path="/v1/channels/patterns",
    room="sharing",
    summary="Look at the patterns of a channel's members, and share what enough of them hold",
    takes=wire.PatternsRequest,
    gives=wire.PatternsSharedView,
    fails=(409,),
    examples={"look": ("One channel", {"channel_ids": ["support"]})},
)
PUBLISH = Operation(
    name="publish",
    method="POST",
    path="/v1/memories/{name:path}/publish",
    room="sharing",
    summary="Share a copy of one of the agent's memories in the channel",
    takes=wire.PublishRequest,
    gives=wire.PublicationView,
    fails=(
        404,
        409,
    ),
    examples={"publish": ("In one channel", _WHO)},
)
UNPUBLISH = Operation(
    name="unpublish",
    method="POST",
    path="/v1/memories/{name:path}/unpublish",
    room="sharing",
    summary="Take the copies of a memory out of the channels, or with none named out of all",
    takes=wire.PublishRequest,
    gives=wire.UnpublishedView,
    fails=(404,),
    examples={
        "one": ("From one channel", _WHO),
        "all": ("From all", {"agent_id": "planner"}),
    },
)
RECORD_INTERACTION = Operation(
    name="record_interaction",
    method="POST",
    path="/v1/relationships",
    room="sharing",
    summary="Tell how something that the agent had to do with another went: 0 badly, 1 well",
    takes=wire.InteractionRequest,
    gives=wire.RelationshipView,
    lead=(
        "other_agent_id",
        "outcome",
    ),
    repeatable=never,
    examples={
        "well": (
            "It went well",
            {"agent_id": "planner", "other_agent_id": "critic", "outcome": 1.0},
        )
    },
)
RELATIONSHIPS = Operation(
    name="relationships",
    method="GET",
    path="/v1/relationships",
    room="sharing",
    summary="List what the agent had to do with others, the latest first",
    takes=wire.RelationshipsRequest,
    gives=wire.RelationshipsAnswer,
    lead=("limit",),
)
AGREEMENTS = Operation(
    name="agreements",
    method="GET",
    path="/v1/channels/agreements",
    room="sharing",
    summary="List what the channels agree on and dispute: who says so, who says otherwise, how sure that is",
    takes=wire.AgreementsRequest,
    gives=wire.AgreementsAnswer,
    lead=("limit",),
)
AGREEMENT = Operation(
    name="agreement",
    method="GET",
    path="/v1/channels/agreements/{name:path}",
    room="sharing",
    summary="Show how one memory of a channel stands: who says so, who says otherwise, the votes",
    takes=wire.Identity,
    gives=wire.AgreementView,
    fails=(404,),
)
AGREE = Operation(
    name="agree",
    method="POST",
    path="/v1/channels/agreements",
    room="sharing",
    summary="Say what agents of a channel agree on; with ``dry_run=False`` gather it, as a consolidation",
    takes=wire.AgreeRequest,
    gives=wire.AgreeAnswer,
    repeatable=unless_done,
    fails=(
        404,
        409,
    ),
    examples={
        "dry": ("A try", {"channel_ids": ["support"]}),
        "run": ("Do it", {"channel_ids": ["support"], "dry_run": False}),
    },
)
VOTE = Operation(
    name="vote",
    method="POST",
    path="/v1/memories/{name:path}/vote",
    room="sharing",
    summary="Agree or disagree with a memory of the channel, or with null withdraw the vote",
    takes=wire.VoteRequest,
    gives=wire.AgreementView,
    lead=("agrees",),
    fails=(404,),
    examples={"agree": ("Agree", {**_WHO, "agrees": True})},
)
