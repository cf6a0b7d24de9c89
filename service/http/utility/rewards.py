"""`/v1/rewards` and `/v1/memories/{name}/…`: manual rewards, reverts, and the utility of memories."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.recall.candidates import Context
from graph.model.utility.rewards import HistoryEntry
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, uid_of, view_of
from service.http.memories.browse import UnderName
from service.use_cases.recall.contexts import named_contexts
from service.use_cases.utility.show import MemoryUtility
from stratagraph import wire
from stratagraph.operations.utility import INJECT_REWARD, REVERT_REWARD, UTILITY

router = APIRouter(route_class=UnderName)


@serves(router, INJECT_REWARD)
async def inject_reward(
    caller: Caller, name: MemoryName, body: wire.InjectRequest, service: Bound
) -> wire.InjectView:
    about = Context(body.context.domain, body.context.tags) if body.context else Context()
    contexts = named_contexts(body.phase, about)
    done = await service.inject_reward(caller, name, body.reward, body.reason, contexts)
    [moved] = done.rewarded
    return view_of(wire.InjectView, moved, reward_uid=done.reward_uid or "")


@serves(router, REVERT_REWARD)
async def revert_reward(
    caller: Caller,
    reward_uid: Annotated[str, uid_of("The `reward_uid` of an answer.")],
    body: wire.RevertRequest,
    service: Bound,
) -> wire.RevertView:
    done = await service.revert_reward(caller, reward_uid, body.reason)
    return view_of(wire.RevertView, done)


@serves(router, UTILITY)
async def show_utility(
    name: MemoryName, caller: Caller, asked: wire.UtilityRequest, service: Bound
) -> wire.UtilityView:
    found = await service.show_utility(caller, name, at=asked.at, limit=asked.limit)
    return utility_view(found, caller)


def utility_view(found: MemoryUtility, caller: Caller) -> wire.UtilityView:
    general, history = found.general, found.history
    checkpoint = None
    if history.base_at is not None:
        checkpoint = wire.CheckpointView(
            seq=history.base_seq, at=history.base_at, q_value=history.base.value
        )
    return wire.UtilityView(
        uid=found.memory.uid,
        q_value=general.track.value,
        q_count=general.track.count,
        q_variance=general.track.deviation,
        q_error=general.error,
        evidence=general.evidence,
        utility=general.utility,
        initialized_from=found.memory.initialized_from,
        contexts=tuple(
            wire.ContextUtilityView(
                context=context,
                q_value=each.track.value,
                q_count=each.track.count,
                utility=each.utility,
                evidence=each.evidence,
            )
            for context, each in found.contexts.items()
        ),
        checkpoint=checkpoint,
        q_at=found.q_at,
        history=tuple(_entry_view(entry, caller.home) for entry in found.entries),
    )


def _entry_view(entry: HistoryEntry, home: str) -> wire.HistoryEntryView:
    """Return the view of an entry; task and reason only for their owner."""
    own = entry.scope == home
    return view_of(
        wire.HistoryEntryView,
        entry,
        task_id=entry.task_id if own else None,
        reason=entry.reason if own else None,
    )
