from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.utility.config import UtilityConfig
from graph.model.utility.rewards import UsedName
from service.bootstrap import Service
from service.use_cases.utility.outcome import SignalReport
from tests.conftest import Run
from tests.fixed_configs import FixedConfigs
from tests.store.teaching import check_history, give, histories, stored, tracks


def told(task: str = "t", signal: Any = "step", **fields: Any) -> SignalReport:
    return SignalReport(task, signal, **fields)


@pytest.mark.parametrize(
    ("scale", "fields", "q_after"),
    [
        ("unit", {"status": "success"}, 0.5 + 0.1 * 0.3 * 0.5),
        ("unit", {"status": "success", "quality": 0.8}, 0.5 + 0.1 * 0.8 * 0.5),
        ("unit", {"status": "failure", "quality": 0.8}, 0.5 - 0.1 * 0.3 * 0.5),
        ("signed", {"status": "success"}, 0.5 + 0.1 * (0.3 - 0.5)),
        ("signed", {"status": "success", "quality": 0.8}, 0.5 + 0.1 * (0.8 - 0.5)),
        ("signed", {"status": "failure"}, 0.5 + 0.1 * (-0.3 - 0.5)),
        ("unit", {"signal": "user_feedback", "value": 1.0}, 0.55),
        ("unit", {"signal": "tool_accuracy", "value": -1.0}, 0.475),
        ("unit", {"signal": "efficiency", "value": 0.5}, 0.5 + 0.1 * 0.25 * 0.25),
        ("signed", {"signal": "efficiency", "value": 1.0}, 0.5 + 0.1 * (0.25 - 0.5)),
    ],
)
async def test_a_signal_moves_q_and_leaves_the_task_open(
    service: Service, cypher: Run, anna: Caller, scale: Any, fields: dict[str, Any], q_after: float
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    configs = FixedConfigs(UtilityConfig(reward_scale=scale))
    done = await replace(service.report_signal, configs=configs)(anna, told(**fields))
    assert done.applied
    assert done.rewarded[0].q_after == pytest.approx(q_after, abs=1e-12)
    memory = await service.get_memory(anna, uid)
    assert (memory.q_count, memory.success_count, memory.failure_count) == (1, 0, 0)
    assert (await service.report_outcome(anna, "t", "success")).applied
    check_history(histories(cypher)[uid], tracks(cypher)[uid])


async def test_a_signal_with_an_id_counts_once(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    report = told(signal="user_feedback", value=1.0, signal_id="thumb")
    first = await service.report_signal(anna, report)
    again = await service.report_signal(anna, report)
    assert (first.applied, again.applied) == (True, False)
    assert (again.rewarded, again.reward_uid) == (first.rewarded, first.reward_uid)
    other = await service.report_signal(anna, replace(report, signal_id="thumb-2"))
    assert other.applied
    without = [await service.report_signal(anna, replace(report, signal_id=None)) for _ in "ab"]
    assert all(done.applied for done in without)
    assert tracks(cypher)[uid].count == 4


async def test_after_its_outcome_a_task_hears_no_signal_but_knows_the_old_ones(
    service: Service, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    early = told(signal="user_feedback", value=1.0, signal_id="early")
    await service.report_signal(anna, early)
    await service.report_outcome(anna, "t", "success")
    assert (await service.report_signal(anna, early)).applied is False
    for late in (told(status="success"), replace(early, signal_id="late")):
        with pytest.raises(ConflictError, match="has ended"):
            await service.report_signal(anna, late)


async def test_a_signal_of_a_phase_is_for_what_was_given_in_it(
    service: Service, anna: Caller
) -> None:
    planned, acted = await stored(service, 2)
    await give(service, anna, "t", [planned], phase="planning")
    await give(service, anna, "t", [acted], phase="action")
    done = await service.report_signal(anna, told(status="success", phase="action"))
    assert [(moved.uid, moved.share) for moved in done.rewarded] == [(acted, 1.0)]
    none = await service.report_signal(anna, told(status="success", phase="reflection"))
    assert (none.applied, none.rewarded) == (True, ())


async def test_a_signal_of_an_unknown_task_needs_what_was_used(
    service: Service, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    with pytest.raises(NotFoundError):
        await service.report_signal(anna, told(status="success"))
    done = await service.report_signal(anna, told(status="success", used=(UsedName(uid),)))
    assert [moved.uid for moved in done.rewarded] == [uid]


async def test_a_skipped_step_and_signals_while_learning_is_off_say_nothing(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    assert not (await service.report_signal(anna, told(status="skipped"))).applied
    off = replace(
        service.report_signal, configs=FixedConfigs(UtilityConfig(utility_learning=False))
    )
    assert not (await off(anna, told(status="success"))).applied
    assert cypher("MATCH (w:Reward) RETURN w") == []
    assert (await service.get_memory(anna, uid)).q_count == 0


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"status": "success", "value": 1.0},
        {"signal": "efficiency"},
        {"signal": "efficiency", "value": 1.0, "status": "success"},
    ],
)
async def test_a_signal_says_what_fits_it(
    service: Service, anna: Caller, fields: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInputError):
        await service.report_signal(anna, told(**fields))


async def test_a_reward_by_hand_moves_one_memory_and_keeps_its_reason(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid, other = await stored(service, 2)
    done = await service.inject_reward(anna, uid, 1.0, "  confirmed  ")
    [moved] = done.rewarded
    assert (moved.uid, moved.q_before, moved.q_after, moved.step) == (uid, 0.5, 0.55, 0.1)
    await service.inject_reward(anna, uid, -0.5, "less so")
    assert (await service.get_memory(anna, other)).q_count == 0
    rows = cypher("MATCH (w:Reward) RETURN w.kind AS k, w.reason AS r, w.actor AS a ORDER BY w.uid")
    assert rows == [
        {"k": "manual", "r": "confirmed", "a": "agent/anna"},
        {"k": "manual", "r": "less so", "a": "agent/anna"},
    ]
    check_history(histories(cypher)[uid], tracks(cypher)[uid])


async def test_a_reward_by_hand_that_cannot_be_used_is_refused(
    service: Service, anna: Caller, bert: Caller
) -> None:
    [uid] = await stored(service, 1)
    for reward, reason in ((1.1, "x"), (float("nan"), "x"), (0.5, " "), (0.5, "x" * 1001)):
        with pytest.raises(InvalidInputError):
            await service.inject_reward(anna, uid, reward, reason)
    for caller, name in ((bert, uid), (anna, "none"), (anna, "external:none")):
        with pytest.raises(NotFoundError):
            await service.inject_reward(caller, name, 1.0, "x")
    off = FixedConfigs(UtilityConfig(utility_learning=False))
    with pytest.raises(ConflictError, match="utility_learning"):
        await replace(service.inject_reward, configs=off)(anna, uid, 1.0, "x")
    with pytest.raises(ConflictError, match="utility_learning"):
        await replace(service.revert_reward, configs=off)(anna, "none")
    assert (await service.get_memory(anna, uid)).q_count == 0
