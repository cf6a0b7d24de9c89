"""What changes how fast a memory fades leaves what is left of it as it is at that moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from graph.scoring.retention import decay_rates, decay_weight, elapsed_days, slowed
from graph.scoring.strata import POLICIES
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.store.teaching import HOME, give

_DAY_MS = 86_400_000.0


@dataclass(frozen=True)
class Anchored:
    """What a weight is computed from, as it is stored; times in days."""

    initial: float
    at: float
    grace_until: float
    rate: float

    def left(self, day: float) -> float:
        """What is left of it on a day."""
        days = elapsed_days(np.array([self.at]), np.array([self.grace_until]), day)
        return float(decay_weight(np.array([self.initial]), days, np.array([self.rate]))[0])


def anchored(cypher: Run, uid: str) -> Anchored:
    [row] = cypher(
        "MATCH (m:Memory {uid: $uid}) RETURN m.w0 AS w0, m.w_at.epochMillis AS at, "
        "coalesce(m.grace_until.epochMillis, 0) AS grace, m.importance AS importance, "
        "m.access_count AS accesses, m.q_value AS q, m.stratum AS stratum",
        uid=uid,
    )
    policy = POLICIES[row["stratum"]]
    numbers = (policy.base_rate, float(row["importance"]), float(row["accesses"]))
    rate = slowed(
        decay_rates(*(np.array([number]) for number in numbers)),
        np.array([row["q"]]),
        np.array([policy.utility_factor]),
    )
    return Anchored(row["w0"], row["at"] / _DAY_MS, row["grace"] / _DAY_MS, float(rate[0]))


async def old(service: Service, cypher: Run, **fields: object) -> str:
    """Store a fact, ten days ago."""
    fields = {"stratum": "episodic", "importance": 2, "external_id": "fact"} | fields
    [saved] = await service.remember([NewMemory(HOME, "a fact", **fields)])  # pyright: ignore[reportArgumentType] -- whatever a test asks for
    cypher("MATCH (m:Memory) SET m.w_at = m.w_at - duration('P10D'), m.w0 = 0.9")
    return saved.uid or ""


Event = Callable[[Service, Caller, str], Awaitable[object]]


async def access(service: Service, _: Caller, uid: str) -> None:
    await service.remember.store.count_accesses({uid: 20}, datetime.now(UTC))


async def report(service: Service, anna: Caller, uid: str) -> None:
    await give(service, anna, "t", [uid])
    await service.report_outcome(anna, "t", "failure")


async def inject(service: Service, anna: Caller, uid: str) -> None:
    await service.inject_reward(anna, uid, -0.5, "it misled")


async def amend(service: Service, anna: Caller, uid: str) -> None:
    await service.amend_memory(anna, uid, {"importance": 5})


async def rename(service: Service, anna: Caller, uid: str) -> None:
    await service.amend_memory(anna, uid, {"stratum": "semantic"})


async def update(service: Service, _: Caller, __: str) -> None:
    row = NewMemory(HOME, "a fact", stratum="episodic", importance=4, external_id="fact")
    [saved] = await service.remember([row])
    assert saved.status == "updated"


@pytest.mark.parametrize("grace", [None, "P4D", "-P30D"])
@pytest.mark.parametrize("event", [access, report, inject, amend, rename, update])
async def test_an_event_leaves_the_past_its_price_and_counts_from_then_on(
    service: Service, cypher: Run, anna: Caller, event: Event, grace: str | None
) -> None:
    uid = await old(service, cypher)
    if grace is not None:
        cypher("MATCH (m:Memory) SET m.grace_until = m.w_at + duration($grace)", grace=grace)
    before = anchored(cypher, uid)
    await event(service, anna, uid)
    after = anchored(cypher, uid)
    assert after.at - before.at == pytest.approx(10, abs=0.01)
    assert after.rate != before.rate
    assert after.initial < before.initial
    assert after.left(after.at) == pytest.approx(before.left(after.at), abs=1e-9)
    slower = after.rate < before.rate
    assert (after.left(after.at + 30) > before.left(after.at + 30)) == slower


async def test_within_its_grace_nothing_fades_and_an_anchor_ahead_stays(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    cypher("MATCH (m:Memory) SET m.grace_until = datetime() + duration('P1D')")
    await access(service, anna, uid)
    [row] = cypher("MATCH (m:Memory) RETURN m.w0 AS w0, m.w_at <= datetime() AS past")
    assert row == {"w0": 0.9, "past": True}
    cypher("MATCH (m:Memory) SET m.w_at = datetime('2100-01-01'), m.grace_until = NULL")
    await amend(service, anna, uid)
    [row] = cypher("MATCH (m:Memory) RETURN m.w0 AS w0, m.w_at.year AS year")
    assert row == {"w0": 0.9, "year": 2100}


async def test_anchored_often_it_fades_as_if_it_never_was(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    before = anchored(cypher, uid)
    for i in range(6):
        await service.amend_memory(anna, uid, {"text": f"said in other words {i}"})
        cypher("MATCH (m:Memory) SET m.w_at = m.w_at - duration('P5D')")
    after = anchored(cypher, uid)
    assert after.rate == before.rate
    days = after.at - before.at + 6 * 5  # it was set back by that much
    assert after.initial == pytest.approx(before.left(before.at + days), abs=1e-9)


async def test_what_a_tenant_has_set_is_what_its_past_is_priced_with(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    await service.change_strata_config(anna, {"episodic_decay": 0.0})
    try:
        await access(service, anna, uid)
        assert anchored(cypher, uid).initial == 0.9
    finally:
        await service.change_strata_config.reset(anna)


async def test_taking_a_reward_back_leaves_the_past_its_price(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    await report(service, anna, uid)
    [row] = cypher("MATCH (w:Reward) RETURN w.uid AS uid")
    cypher("MATCH (m:Memory) SET m.w_at = m.w_at - duration('P10D')")
    before = anchored(cypher, uid)
    await service.revert_reward(anna, row["uid"])
    after = anchored(cypher, uid)
    assert after.rate < before.rate
    assert after.left(after.at) == pytest.approx(before.left(after.at), abs=1e-9)


async def test_a_success_raises_what_is_left_up_to_the_cap(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    before = anchored(cypher, uid)
    reward = await service.inject_reward(anna, uid, 1.0, "it helped")
    after = anchored(cypher, uid)
    assert after.initial == pytest.approx(1.5 * before.left(after.at), abs=1e-9)
    await service.inject_reward(anna, uid, 1.0, "it helped again")
    cypher("MATCH (m:Memory) SET m.w0 = 1.9")
    await service.inject_reward(anna, uid, 1.0, "and again")
    assert anchored(cypher, uid).initial == 2.0
    cypher("MATCH (m:Memory) SET m.w0 = 2.5")
    await service.inject_reward(anna, uid, 1.0, "and again")
    assert anchored(cypher, uid).initial == pytest.approx(2.5, abs=1e-5)
    await service.revert_reward(anna, reward.reward_uid or "")
    assert anchored(cypher, uid).initial == pytest.approx(2.5, abs=1e-5)


async def test_at_a_factor_of_one_a_success_raises_nothing(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid = await old(service, cypher)
    await service.change_strata_config(anna, {"reward_weight_factor": 1.0})
    try:
        before = anchored(cypher, uid)
        await give(service, anna, "t", [uid])
        await service.report_outcome(anna, "t", "success")
        after = anchored(cypher, uid)
        assert after.initial == pytest.approx(before.left(after.at), abs=1e-9)
    finally:
        await service.change_strata_config.reset(anna)


async def test_a_recall_fades_as_the_tenant_has_set(
    service: Service, cypher: Run, anna: Caller
) -> None:
    """Share of its relevance that a faded memory passes on to its neighbour."""
    uid = await old(service, cypher)
    links = (Link("USED", uid),)
    [far] = await service.remember([NewMemory(HOME, "zebra crossing", links=links)])

    async def passed_on() -> float:
        request = RecallRequest(anna, text="a fact", k=5, hops=1, explain=True)
        [result] = [r for r in (await service.recall(request)).results if r.memory.uid == far.uid]
        assert result.explanation is not None
        return result.explanation.components["neighbours"]

    usual = await passed_on()
    await service.change_strata_config(anna, {"episodic_decay": 100.0})
    try:
        assert usual > 0.01
        assert await passed_on() < 1e-6
    finally:
        await service.change_strata_config.reset(anna)
