"""What holds of learned utility for every history, asked of the whole service on a real Neo4j."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import RecallAnswer
from graph.model.utility.config import UtilityConfig
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.fixed_configs import FixedConfigs
from tests.store.teaching import give
from tests.swapping import swapped

CALLER = Caller("local", agent_id="anna")
REWARDS = st.floats(-1, 1)
SHARES = st.floats(0, 1)
TRACK = (
    "MATCH (m:Memory {uid: $uid}) RETURN m {.q_value, .q_count, .q_left, .q_m2, .q_init, "
    ".initialized_from, .success_count, .failure_count} AS track"
)
VECTOR = np.eye(1, 384)[0]


def on_the_graph(examples: int) -> settings:
    """Draw few examples, since each asks Neo4j many times."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def under(service: Service, **config: Any) -> Service:
    """Return the service under another configuration."""
    configs: Any = FixedConfigs(UtilityConfig(**config))
    return swapped(
        service,
        recall=replace(service.recall, configs=configs),
        report_outcome=replace(service.report_outcome, configs=configs),
        inject_reward=replace(service.inject_reward, configs=configs),
        revert_reward=replace(service.revert_reward, configs=configs),
        analyse_utility=replace(service.analyse_utility, configs=configs),
    )


async def fresh(service: Service, count: int = 1) -> list[str]:
    """Store memories that no reward has touched."""
    number = next(_NUMBERS)
    rows = [NewMemory(CALLER.writable(), f"fact {number} {place}") for place in range(count)]
    return [saved.uid or "" for saved in await service.remember(rows)]


_NUMBERS = itertools.count()


async def q_of(service: Service, uid: str) -> float:
    return (await service.get_memory(CALLER, uid)).q_value


async def reward(service: Service, uid: str, rewards: Sequence[float]) -> str:
    """Reward a memory by hand; return the last reward's uid."""
    done = [await service.inject_reward(CALLER, uid, value, "a law") for value in rewards]
    return (done[-1].reward_uid if done else None) or ""


# Q moves


@given(
    value=REWARDS,
    rate=st.floats(0.05, 0.5),
    count=st.integers(50, 80),
    scale=st.sampled_from(["unit", "signed"]),
)
@on_the_graph(4)
async def test_q_converges_to_its_mean_reward(
    service: Service, value: float, rate: float, count: int, scale: str
) -> None:
    [uid] = await fresh(service)
    await reward(under(service, learning_rate=rate, reward_scale=scale), uid, [value] * count)
    aim = (value + 1) / 2 if scale == "unit" else max(0.0, value)
    bound = (1 - rate) ** count * abs(0.5 - aim) + 0.01
    assert abs(await q_of(service, uid) - aim) <= bound


@given(
    rewards=st.lists(REWARDS, min_size=1, max_size=12),
    rate=st.floats(0.01, 1),
    scale=st.sampled_from(["unit", "signed"]),
)
@on_the_graph(8)
async def test_q_stays_within_its_range_whatever_the_rewards(
    service: Service, rewards: list[float], rate: float, scale: str
) -> None:
    [uid] = await fresh(service)
    learning = under(service, learning_rate=rate, reward_scale=scale)
    for value in rewards:
        await reward(learning, uid, [value])
        assert 0 <= await q_of(service, uid) <= 1


@given(
    before=st.lists(REWARDS, max_size=4),
    status=st.sampled_from(["success", "failure"]),
    quality=st.none() | SHARES,
    phase=st.sampled_from([None, "observation", "planning", "reflection"]),
)
@on_the_graph(10)
async def test_a_success_never_lowers_and_a_failure_never_raises(
    service: Service,
    before: list[float],
    status: Status,
    quality: float | None,
    phase: str | None,
) -> None:
    uids = await fresh(service, 3)
    await reward(service, uids[1], before)
    first = [await q_of(service, uid) for uid in uids]
    task = f"task {next(_NUMBERS)}"
    await give(service, CALLER, task, uids, phase=phase)
    await service.report_outcome(CALLER, task, status, quality)
    for uid, old in zip(uids, first, strict=True):
        new = await q_of(service, uid)
        assert new >= old if status == "success" else new <= old


@given(
    histories=st.lists(st.lists(REWARDS, min_size=1, max_size=4), min_size=2, max_size=3),
    data=st.data(),
)
@on_the_graph(6)
async def test_the_order_of_rewards_to_unrelated_memories_does_not_matter(
    service: Service, cypher: Run, histories: list[list[float]], data: st.DataObject
) -> None:
    turns = [place for place, rewards in enumerate(histories) for _ in rewards]
    seen: list[list[Any]] = []
    for order in (turns, data.draw(st.permutations(turns))):
        uids, waiting = await fresh(service, len(histories)), [iter(row) for row in histories]
        for place in order:
            await reward(service, uids[place], [next(waiting[place])])
        seen.append([cypher(TRACK, uid=uid) for uid in uids])
    assert seen[0] == seen[1]


@given(
    before=st.lists(REWARDS, max_size=4),
    value=REWARDS,
    scale=st.sampled_from(["unit", "signed"]),
)
@on_the_graph(8)
async def test_a_reward_and_its_revert_leave_everything_as_it_was(
    service: Service, cypher: Run, before: list[float], value: float, scale: str
) -> None:
    [uid] = await fresh(service)
    learning = under(service, reward_scale=scale)
    await reward(learning, uid, before)
    track = cypher(TRACK, uid=uid)
    given_ = await reward(learning, uid, [value])
    await learning.revert_reward(CALLER, given_)
    # A memory that was never rewarded had no share that is left; now it says that all of it is.
    assert _known(cypher(TRACK, uid=uid)) == _known(track)


def _known(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    track = dict(rows[0]["track"])
    return track | {"q_left": 1.0 if track["q_left"] is None else track["q_left"]}


# A pool is ranked


async def pool(service: Service, cypher: Run, cosines: list[float], values: list[float]) -> None:
    """Store memories of these cosines to one vector and of these Qs, as learned from much."""
    cypher("MATCH (n:Memory) DETACH DELETE n")
    rows = [
        NewMemory(
            CALLER.writable(),
            f"row {place}",
            external_id=str(place),
            content_type="embedding",
            vector=tuple((c * VECTOR + (1 - c * c) ** 0.5 * np.roll(VECTOR, 1 + place)).tolist()),
        )
        for place, c in enumerate(cosines)
    ]
    await service.remember(rows)
    cypher(
        "UNWIND range(0, size($values) - 1) AS place "
        "MATCH (m:Memory {external_id: toString(place)}) "
        "SET m.q_value = $values[place], m.q_count = 100, m.q_left = 0.0",
        values=values,
    )


async def asked(service: Service, cypher: Run, **request: Any) -> RecallAnswer:
    """Recall the whole pool, as soon as all of it can be found."""
    [stored] = cypher("MATCH (m:Memory) RETURN count(m) AS n")
    deadline = asyncio.get_running_loop().time() + 10
    while True:
        answer = await service.recall(
            RecallRequest(
                CALLER, vector=tuple(VECTOR.tolist()), k=30, hops=0, explain=True, **request
            )
        )
        if answer.candidates == stored["n"]:
            return answer
        assert asyncio.get_running_loop().time() < deadline, "the index never had them all"
        await asyncio.sleep(0.02)


def column(answer: RecallAnswer, name: str) -> list[float]:
    return [result.explanation.components[name] for result in answer.results if result.explanation]


VALUES = st.lists(SHARES, min_size=3, max_size=20, unique_by=lambda q: round(q, 3))
LITERAL: dict[str, Any] = {"z_deviation_floor": 0.0, "z_limit": float("inf"), "q_prior_count": 0.0}


def spaced(count: int) -> list[float]:
    return [0.95 - 0.5 * place / count for place in range(count)]


@given(values=VALUES)
@on_the_graph(5)
async def test_z_scores_of_a_pool_have_mean_0_and_deviation_1(
    service: Service, cypher: Run, values: list[float]
) -> None:
    await pool(service, cypher, spaced(len(values)), values)
    answer = await asked(under(service, **LITERAL), cypher)
    for name in ("relevance_z", "utility_z"):
        scores = np.array(column(answer, name))
        assert abs(scores.mean()) < 0.01
        assert abs(scores.std() - 1) < 0.01


@given(count=st.integers(1, 10), value=SHARES, literal=st.booleans())
@on_the_graph(5)
async def test_equal_values_give_no_nan(
    service: Service, cypher: Run, count: int, value: float, *, literal: bool
) -> None:
    await pool(service, cypher, spaced(count), [value] * count)
    answer = await asked(under(service, **(LITERAL if literal else {})), cypher)
    assert column(answer, "utility_z") == [0.0] * count
    assert np.isfinite([result.score for result in answer.results]).all()


@given(values=VALUES, weight=SHARES)
@on_the_graph(6)
async def test_scores_grow_with_relevance_and_with_q_and_are_bounded(
    service: Service, cypher: Run, values: list[float], weight: float
) -> None:
    await pool(service, cypher, spaced(len(values)), values)
    answer = await asked(service, cypher, utility_weight=weight)
    scores = np.array([result.score for result in answer.results])
    parts = [np.array(column(answer, name)) for name in ("relevance_z", "utility_z")]
    np.testing.assert_allclose(scores, (1 - weight) * parts[0] + weight * parts[1], atol=1e-5)
    assert (np.abs(scores) <= 3 + 1e-9).all()
    for part, source in zip(parts, ("relevance", "q_value"), strict=True):
        by_source = np.argsort(
            [getattr(result, source) for result in answer.results], kind="stable"
        )
        assert (np.diff(part[by_source]) >= -1e-6).all()


@given(values=VALUES)
@on_the_graph(5)
async def test_without_weight_or_without_learning_the_order_is_that_of_relevance(
    service: Service, cypher: Run, values: list[float]
) -> None:
    await pool(service, cypher, spaced(len(values)), values)
    in_order = [f"row {place}" for place in range(len(values))]
    for answer in (
        await asked(service, cypher, utility_weight=0.0),
        await asked(under(service, utility_learning=False), cypher),
    ):
        assert [result.memory.text for result in answer.results] == in_order


@given(values=VALUES)
@on_the_graph(4)
async def test_min_max_lies_between_0_and_1(
    service: Service, cypher: Run, values: list[float]
) -> None:
    await pool(service, cypher, spaced(len(values)), values)
    answer = await asked(under(service, utility_normalization="min-max"), cypher)
    for name in ("relevance_z", "utility_z"):
        assert all(0 <= score <= 1 for score in column(answer, name))


async def test_what_was_learned_outranks_what_is_nearer(service: Service, cypher: Run) -> None:
    await pool(service, cypher, [0.90, 0.70, 0.20], [0.5, 0.95, 0.5])
    answer = await asked(service, cypher)
    assert [result.memory.text for result in answer.results][:2] == ["row 1", "row 0"]


# Utility at large


@given(values=st.lists(SHARES, min_size=1, max_size=12))
@on_the_graph(5)
async def test_the_mean_lies_within_the_range_and_the_deviation_is_not_negative(
    service: Service, cypher: Run, values: list[float]
) -> None:
    await pool(service, cypher, spaced(len(values)), values)
    found = (await service.analyse_utility(CALLER)).distribution
    assert found.memories == len(values)
    assert found.mean is not None
    assert found.deviation is not None
    assert min(values) - 1e-9 <= found.mean <= max(values) + 1e-9
    assert found.deviation >= 0
