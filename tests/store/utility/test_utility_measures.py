"""Measures of Q over scopes, on a graph whose numbers are known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Run

QS = (0.1, 0.3, 0.5, 0.5, 0.5, 0.9, 1.0)
NOW = datetime.now(UTC)


async def taught(
    service: Service, cypher: Run, caller: Caller, *qs: float, **more: Any
) -> list[str]:
    """Store memories, and give them Qs by hand; 0.5 means that nothing has taught it."""
    said: dict[str, Any] = {"agent_id": caller.agent_id, **more}
    rows = [
        NewMemory(caller.writable(), f"thing {q} {place}", **said) for place, q in enumerate(qs)
    ]
    uids = [saved.uid or "" for saved in await service.remember(rows)]
    cypher(
        "UNWIND $rows AS row MATCH (m:Memory {uid: row.uid}) "
        "SET m.q_value = row.q, m.q_count = CASE WHEN row.q = 0.5 THEN 0 ELSE 3 END, "
        "m.q_left = CASE WHEN row.q = 0.5 THEN 1.0 ELSE 0.729 END, m.q_m2 = 0.04, "
        "m.last_reward_at = datetime()",
        rows=[{"uid": uid, "q": q} for uid, q in zip(uids, qs, strict=True)],
    )
    return uids


def rewarded(cypher: Run, uid: str, qs: list[float], *, scope: str, days_ago: int = 0) -> None:
    """Leave a history: from each Q to the next."""
    moves = [
        {"seq": seq, "before": before, "after": after}
        for seq, (before, after) in enumerate(pairwise(qs), 1)
    ]
    cypher(
        "MATCH (m:Memory {uid: $uid}) SET m.q_count = size($moves), m.q_value = $last, "
        "m.last_reward_at = $at WITH m UNWIND $moves AS move "
        "CREATE (w:Reward {uid: $uid + move.seq, tenant: 'local', scope: $scope, "
        "task_id: 't' + move.seq, status: 'success', recorded_at: $at}) "
        "CREATE (w)-[:REWARDED {seq: move.seq, q_before: move.before, q_after: move.after, "
        "reward: CASE WHEN move.after > move.before THEN 1.0 ELSE -1.0 END, step: 0.1, share: 1.0}]"
        "->(m)",
        uid=uid,
        moves=moves,
        last=qs[-1],
        scope=scope,
        at=NOW - timedelta(days=days_ago),
    )


async def test_the_distribution_and_its_histogram(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await taught(service, cypher, anna, *QS)
    found = await service.analyse_utility(anna)
    spread = found.distribution
    assert (spread.memories, spread.learned) == (7, 4)
    assert spread.mean == pytest.approx(sum(QS) / 7)
    variance = sum((q - sum(QS) / 7) ** 2 for q in QS) / 7
    assert spread.deviation == pytest.approx(variance**0.5)
    assert (spread.least, spread.most) == (0.1, 1.0)
    assert spread.percentiles == pytest.approx((0.22, 0.4, 0.5, 0.7, 0.94, 0.994))
    assert {place: n for place, n in enumerate(found.histogram) if n} == {
        2: 1, 6: 1, 10: 3, 18: 1, 19: 1,
    }  # fmt: skip
    assert len(found.histogram) == 20
    assert found.groups is None


async def test_without_memories_there_is_nothing_to_measure(service: Service, anna: Caller) -> None:
    found = await service.analyse_utility(anna, by="kind", include_history=True)
    assert (found.distribution.memories, found.distribution.mean) == (0, None)
    assert found.distribution.percentiles is None
    assert sum(found.histogram) == 0
    assert (found.top, found.bottom, found.trend, found.groups) == ((), (), (), ())
    assert found.convergence.judged == 0


async def test_the_top_and_the_bottom_are_learned_ones(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await taught(service, cypher, anna, *QS)
    found = await service.analyse_utility(anna, top_n=3)
    assert [ranked.memory.q_value for ranked in found.top] == [1.0, 0.9, 0.3]
    assert [ranked.memory.q_value for ranked in found.bottom] == [0.1, 0.3, 0.9]
    best = found.top[0]
    assert best.evidence == pytest.approx(2.71)
    # (E·m2 + n0/4)/(E + n0) is the variance, and E + n0 rewards are known.
    known = 2.71 + 2.0
    assert best.error == pytest.approx(((2.71 * 0.04 + 0.5) / known / known) ** 0.5)
    assert best.moves is None
    assert (await service.analyse_utility(anna, top_n=0)).top == ()


async def test_hidden_memories_and_those_of_others_are_left_out(
    service: Service, cypher: Run, anna: Caller, bert: Caller
) -> None:
    mine = await taught(service, cypher, anna, 0.9, 0.2)
    await taught(service, cypher, bert, 1.0, 0.0)
    cypher("MATCH (m:Memory {uid: $uid}) SET m.state = 'hidden'", uid=mine[1])
    found = await service.analyse_utility(anna, by="agent")
    assert found.distribution.memories == 1
    assert [ranked.memory.uid for ranked in (*found.top, *found.bottom)] == [mine[0], mine[0]]
    assert found.groups is not None
    assert [group.name for group in found.groups] == ["anna"]


GROUPED: Mapping[str, Mapping[str, Any]] = {
    "agent": {},
    "phase": {"phase": "planning"},
    "stratum": {"stratum": "semantic"},
    "kind": {"kind": "strategy"},
}


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("agent", ["anna"]),
        ("channel", ["", "support"]),
        ("phase", ["", "planning"]),
        ("stratum", ["long_term", "semantic"]),
        ("kind", ["observation", "strategy"]),
    ],
)
async def test_groups_of_each_sort(
    service: Service, cypher: Run, anna: Caller, by: Any, names: list[str]
) -> None:
    await taught(service, cypher, anna, 0.5, 0.5, 0.9)
    more = {"channel_id": "support"} if by == "channel" else GROUPED[by]
    await taught(service, cypher, anna, 0.2, 0.4, **more)
    found = await service.analyse_utility(anna, by=by)
    assert found.groups is not None
    assert [group.name for group in found.groups] == names
    last = found.groups[-1]
    if by != "agent":
        assert (last.memories, last.learned, last.least, last.most) == (2, 2, 0.2, 0.4)
        assert last.mean == pytest.approx(0.3)
        assert last.deviation == pytest.approx(0.1)


async def test_what_is_at_rest(service: Service, cypher: Run, anna: Caller) -> None:
    still, moving, young = await taught(service, cypher, anna, 0.5, 0.5, 0.5)
    home = anna.writable()
    # It moved much before its last ten rewards, which is long ago.
    at_rest = [0.5, 0.1, 0.9, *([0.85, 0.8] * 5)]
    rewarded(cypher, still, at_rest, scope=home, days_ago=1)
    rewarded(cypher, moving, [0.5 + 0.03 * step for step in range(12)], scope=home)
    rewarded(cypher, young, [0.5, 0.55, 0.55], scope=home)
    found = await service.analyse_utility(anna)
    assert (found.convergence.learned, found.convergence.judged) == (3, 2)
    assert found.convergence.stable == 1


async def test_the_trend_by_day(service: Service, cypher: Run, anna: Caller) -> None:
    old, new = await taught(service, cypher, anna, 0.5, 0.5)
    rewarded(cypher, old, [0.5, 0.6, 0.4], scope=anna.writable(), days_ago=2)
    rewarded(cypher, new, [0.5, 0.55], scope=anna.writable())
    found = await service.analyse_utility(anna, days=30)
    first, last = found.trend
    assert first.day == f"{NOW - timedelta(days=2):%Y-%m-%d}"
    assert (first.rewards, first.mean) == (2, 0.0)
    assert first.gained == pytest.approx(-0.1)
    assert first.moved == pytest.approx(0.3)
    assert last.day == f"{NOW:%Y-%m-%d}"
    assert last.gained == pytest.approx(0.05)
    assert [day.day for day in (await service.analyse_utility(anna, days=1)).trend] == [last.day]


async def test_a_history_names_no_task_of_somebody_else(
    service: Service, cypher: Run, bert: Caller
) -> None:
    support = Caller("local", "anna", ("support",))
    [shared] = await taught(service, cypher, Caller("local", None, ("support",)), 0.5)
    rewarded(cypher, shared, [0.5, 0.6], scope=support.writable())
    for caller, task in ((support, "t1"), (Caller("local", "bert", ("support",)), None)):
        found = await service.analyse_utility(caller, include_history=True)
        [ranked] = found.top
        assert ranked.moves is not None
        [move] = ranked.moves
        assert (move.seq, move.q_before, move.q_after, move.reward) == (1, 0.5, 0.6, 1.0)
        assert (move.status, move.task_id) == ("success", task)
    assert (await service.analyse_utility(bert, include_history=True)).top == ()


async def test_a_history_is_cut_to_the_newest(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await taught(service, cypher, anna, 0.5)
    rewarded(cypher, uid, [0.5 + 0.01 * step for step in range(26)], scope=anna.writable())
    [ranked] = (await service.analyse_utility(anna, include_history=True)).top
    assert ranked.moves is not None
    assert [move.seq for move in ranked.moves] == list(range(25, 5, -1))
