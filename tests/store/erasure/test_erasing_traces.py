"""Whoever left something in scopes of others alone is found too, also where that came while the erasure went on."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from ulid import ULID

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Subject
from graph.store.erasure.store import ErasureStore
from service.bootstrap import Service
from service.use_cases.strata.surprise import EventReport, NewPrediction
from tests.conftest import Remembers, Run
from tests.store.erasing import WHO, naming
from tests.store.erasure.test_erasing import patient
from tests.store.knowing import CONTEXT, ran, step

AGENT, USER = Caller("local", WHO, ("ops",)), Caller("local", user_ids=(WHO,))
CHANNEL = Caller("local", channel_ids=("ops",))
REPORT = EventReport({"status": "bad"}, "c", {"status": "good"}, scope_kind="channel")
Deed = Callable[[Service, Caller, str], Awaitable[object]]
DEEDS: dict[str, tuple[Caller, Deed]] = {
    "surprise": (AGENT, lambda service, who, _: service.report_surprise(who, REPORT)),
    "reward": (AGENT, lambda service, who, uid: service.inject_reward(who, uid, 0.5, "because")),
    "config": (AGENT, lambda service, who, _: service.change_config(who, {"learning_rate": 0.2})),
    "surprise of a user": (
        Caller("local", "bert", user_ids=(WHO,)),
        lambda service, who, _: service.report_surprise(who, EventReport(1, "c", 2, scope_kind="agent")),
    ),
    "prediction of a user": (
        Caller("local", "bert", user_ids=(WHO,)),
        lambda service, who, _: service.predict(who, NewPrediction(1, "c", scope_kind="agent")),
    ),
    "config of a user": (
        USER,
        lambda service, who, _: service.change_config(who, {"learning_rate": 0.3}),
    ),
}  # fmt: skip


def subject_of(who: Caller) -> Caller:
    return USER if WHO in who.user_ids else Caller("local", WHO)


@pytest.mark.parametrize("deed", DEEDS)
async def test_one_trace_outside_its_own_scope_is_enough(
    service: Service, cypher: Run, remember: Remembers, deed: str
) -> None:
    theirs = await remember(CHANNEL, "of the channel", agent_id="bert")
    who, does = DEEDS[deed]
    subject = subject_of(who)
    with pytest.raises(NotFoundError):
        await patient(service).owner(subject)
    await does(service, who, theirs)
    await service.events.flush()
    cypher("MATCH (s:Scope {scope: $scope}) DETACH DELETE s", scope=subject.home)
    assert naming(cypher, WHO)
    erasure = await patient(service).owner(subject)
    assert (erasure.state, naming(cypher, WHO)) == ("done", [])
    with pytest.raises(NotFoundError):
        await patient(service).owner(subject)
    await service.change_config.reset(Caller("local", "bert"))


@pytest.mark.parametrize("deed", ["surprise", "reward", "config"])
async def test_a_trace_that_comes_at_the_end_goes_too(
    service: Service, cypher: Run, remember: Remembers, deed: str
) -> None:
    """It comes behind the walk over rewards: the clock of whoever wrote it is a minute late."""
    theirs = await remember(CHANNEL, "of the channel", agent_id="bert")
    await service.inject_reward(CHANNEL, theirs, 0.1, "by the channel")
    await remember(Caller("local", WHO), "hers", agent_id=WHO)
    store, now = ErasureStore(service.database), datetime.now(UTC)
    uid = service.erase.identifiers.new_uid(now)
    await store.begin(uid, Subject("agent", f"local/agent/{WHO}", WHO), now)
    erasure, late = await store.step(uid, now, 1000, None), False
    while erasure and erasure.state == "running":
        if erasure.stage == "rewards" and not late:
            who, does = DEEDS[deed]
            await does(service, who, theirs)
            await service.events.flush()
            cypher("MATCH (w:Reward {actor: $actor}) SET w.uid = $uid", actor=f"agent/{WHO}",
                   uid=str(ULID.from_datetime(now - timedelta(minutes=1))))  # fmt: skip
            cypher("MATCH (e:Event) DETACH DELETE e")
            late = True
        erasure = await store.step(uid, now, 1000, None)
    assert late
    assert naming(cypher, WHO) == []
    q = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.q_count AS n", uid=theirs)
    assert q == [{"n": 2 if deed == "reward" else 1}]
    await service.change_config.reset(Caller("local", "bert"))


async def test_an_error_keeps_the_contexts_of_others(service: Service, cypher: Run) -> None:
    ops = [Caller("local", agent, ("ops",)) for agent in ("bert", WHO)]
    for caller in ops:
        # the agent that goes made three more runs, in which nothing failed
        more = [ran(f"fine {i}", step("look up")) for i in range(3)] if caller is ops[1] else []
        failing = ran(f"task of {caller.agent_id}", step("look up", "nothing found"))
        await service.observe_executions(caller, [failing, *more], "channel")
    await patient(service).owner(Caller("local", WHO))
    [row] = cypher("MATCH (e:ToolError) RETURN e.contexts AS contexts")
    assert json.loads(row["contexts"]) == {CONTEXT: 1}
