from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from stratagraph import AsyncClient, Client
from stratagraph.call import Caller
from stratagraph.errors import InvalidRequestError, NotFoundError
from stratagraph.operations.utility import INJECT_REWARD, REPORT_SIGNAL, REVERT_REWARD


async def test_signals_rewards_and_what_they_made(anna: AsyncClient) -> None:
    saved = await anna.remember("The build broke.")
    done = await anna.report_signal("t", "step", status="success", quality=1.0, used=[saved.uid])
    assert done.rewarded[0].q_after == 0.55
    given = await anna.inject_reward(saved.uid, -1.0, "it did not")
    outcome = await anna.report_outcome("t", "success", used={saved.uid: 0.5})
    assert (outcome.rewarded[0].share, outcome.ignored) == (1.0, 0)
    back = await anna.revert_reward(given.reward_uid, "it did")
    assert (back.applied, len(back.restored)) == (True, 1)
    shown = await anna.utility(saved.uid, at=datetime.now(UTC), limit=2)
    assert [entry.kind for entry in shown.history] == ["outcome", "revert"]
    assert shown.q_count == 2
    assert shown.q_at == shown.q_value
    with pytest.raises(NotFoundError):
        await anna.revert_reward("none")
    with pytest.raises(InvalidRequestError):
        await anna.inject_reward(saved.uid, 2.0, "too much")


async def test_the_same_from_the_blocking_client(sync: Client) -> None:
    def story() -> None:
        saved = sync.remember("Ada likes tea.", external_id="tea")
        sync.report_signal("t", "user_feedback", value=1.0, id="x", used=["external:tea"])
        given = sync.inject_reward("external:tea", 1.0, "she said so")
        assert sync.revert_reward(given.reward_uid).applied
        assert sync.utility(saved.uid, at="2100-01-01T00:00:00Z").q_at == 0.55

    await asyncio.to_thread(story)


def test_what_counts_each_time_is_not_repeated() -> None:
    caller = Caller("a")
    signal = {"task_id": "t", "signal": "step", "status": "success"}
    assert not INJECT_REWARD.call(caller, {"name": "x", "reward": 1.0}).repeatable
    assert not REPORT_SIGNAL.call(caller, signal).repeatable
    assert REPORT_SIGNAL.call(caller, {**signal, "id": "1"}).repeatable
    assert REVERT_REWARD.call(caller, {"reward_uid": "x"}).repeatable
