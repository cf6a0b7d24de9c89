"""Every call against the real service, from both clients."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from stratagraph import (
    AsyncClient,
    Client,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    UsageError,
    fields,
    rows,
    wire,
)
from stratagraph.fields import IdentityFields

WHEN = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)


async def recalled(
    client: AsyncClient, text: str | None, expect: int = 1, **more: object
) -> wire.RecallAnswerView:
    deadline = time.monotonic() + 10
    while True:
        answer = await client.recall(text, **more)  # pyright: ignore[reportArgumentType] -- any of them
        if len(answer.results) >= expect:
            return answer
        assert time.monotonic() < deadline, answer
        await asyncio.sleep(0.05)


async def test_remember_recall_outcome(anna: AsyncClient) -> None:
    saved = await anna.remember(
        "The build broke.", tags=["ci"], importance=4, occurred_at=WHEN, metadata={"run": 7}
    )
    assert saved.status == "created"
    answer = await recalled(
        anna,
        "broken build",
        task_id="a/b c%2F?#ü",
        utility_weight=0.25,
        filters={"tags_any": ["ci"], "importance_min": None},
        explain=True,
    )
    assert [result.uid for result in answer.results] == [saved.uid]
    assert answer.utility_weight == 0.25
    assert answer.results[0].occurred_at == WHEN
    assert answer.results[0].explanation is not None
    outcome = await anna.report_outcome("a/b c%2F?#ü", "success", 0.5)
    assert outcome.applied
    assert [moved.uid for moved in outcome.rewarded] == [saved.uid]
    assert not (await anna.report_outcome("a/b c%2F?#ü", "success", 0.5)).applied
    with pytest.raises(ConflictError):
        await anna.report_outcome("a/b c%2F?#ü", "failure")


async def test_the_same_from_the_blocking_client(sync: Client) -> None:
    def story() -> wire.MemoryView:
        saved = sync.remember("Ada likes tea.", kind="preference", external_id="tea")
        assert sync.remember("Ada likes tea.", kind="preference", external_id="tea").status == (
            "unchanged"
        )
        sync.recall("tea", task_id="t", k=1)
        sync.report_outcome("t", "success")
        assert sync.health().status == "ok"
        assert sync.ready().status == "ready"
        found = sync.get("external:tea")
        sync.delete(saved.uid)
        with pytest.raises(NotFoundError):
            sync.get("external:tea")
        return found

    found = await asyncio.to_thread(story)
    assert (found.text, found.kind, found.scope) == ("Ada likes tea.", "preference", "agent/anna")


@pytest.mark.parametrize("task", [".", "..", "a/../b", "%2e%2e", "a b", "ä", "a?b#c"])
async def test_any_name_of_a_task_reaches_the_service(anna: AsyncClient, task: str) -> None:
    with pytest.raises(NotFoundError, match="recall with its task_id first"):
        await anna.report_outcome(task, "success")


async def test_whom_a_client_stands_for(anna: AsyncClient) -> None:
    bert = anna.as_agent("bert", channel_ids=["support"])
    hers = await anna.remember("Mine alone.")
    shared = await bert.remember("For all in support.", scope_kind="channel")
    assert bert.url == anna.url
    with pytest.raises(NotFoundError):
        await bert.get(hers.uid)
    assert (await bert.get(hers.uid, agent_id="anna")).uid == hers.uid
    assert (await anna.get(shared.uid, channel_ids=["support"])).scope == "channel/support"
    with pytest.raises(InvalidRequestError):
        await anna.as_agent(None).get(hers.uid)


async def test_a_question_by_vector_and_by_likeness(anna: AsyncClient) -> None:
    one = await anna.remember("One.", vector=np.eye(384)[0])  # pyright: ignore[reportArgumentType] -- an array does too
    two = await anna.remember("Two.", vector=[0.9, 0.1, *[0.0] * 382])
    filters = wire.FiltersRequest(kinds=("observation",))
    by_vector = await recalled(anna, None, vector=[1.0, *[0.0] * 383], k=1, filters=filters)
    assert by_vector.results[0].uid == one.uid
    by_likeness = await recalled(anna, None, expect=2, like=one.uid, k=2)
    assert two.uid in {result.uid for result in by_likeness.results}


async def test_many_rows_keep_their_numbers(
    anna: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_BATCH", 40)
    rows: list[str | fields.RowFields] = [f"Row {number}." for number in range(110)]
    rows[7] = ""
    rows[105] = {"text": "Named.", "importance": 9}
    answer = await anna.remember_all(rows)
    assert answer.counts == wire.CountsView(created=108, rejected=2)
    assert [row.index for row in answer.results] == list(range(110))
    refused = [row for row in answer.results if row.error]
    assert [(row.index, row.error and row.error.field) for row in refused] == [
        (7, "text"),
        (105, "importance"),
    ]


async def test_a_row_that_is_no_mapping_is_refused_in_its_place(anna: AsyncClient) -> None:
    mixed: list[Any] = ["First.", 7, None, {"text": "Last."}]
    answer = await anna.remember_all(mixed)
    assert answer.counts == wire.CountsView(created=2, rejected=2)
    assert [row.index for row in answer.results if row.error] == [1, 2]


def test_a_part_of_many_fits_into_one_request() -> None:
    assert [len(part) for part in rows.batches([b"x"] * 2001)] == [1000, 1000, 1]
    long = b"x" * (rows.MAX_BATCH_BYTES // 4)
    assert [len(part) for part in rows.batches([long] * 9)] == [4, 4, 1]
    assert [len(part) for part in rows.batches([b"x" * (rows.MAX_BATCH_BYTES + 1)] * 2)] == [1, 1]
    assert list(rows.batches([])) == []


async def test_a_batch_takes_models_and_another_identity(anna: AsyncClient) -> None:
    answer = await anna.remember_all(
        [wire.MemoryRequest(text="By model.", tags=("x",), phase="planning")], agent_id="bert"
    )
    found = await anna.get(answer.results[0].uid or "", agent_id="bert")
    assert (found.text, found.tags, found.phase) == ("By model.", ("x",), "planning")


async def test_an_atomic_batch_is_all_or_nothing(anna: AsyncClient) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        await anna.remember_all(["Good.", ""], atomic=True)
    assert [fault.field for fault in refused.value.errors] == ["memories.1.text"]
    assert (await anna.remember("Good.")).status == "created"
    with pytest.raises(UsageError, match="1,000"):
        await anna.remember_all(["x"] * 1001, atomic=True)


async def test_no_rows_are_no_request() -> None:
    async with AsyncClient("http://127.0.0.1:9", agent_id="a", retries=0) as nobody:
        assert await nobody.remember_all([]) == wire.BatchAnswer(
            counts=wire.CountsView(), results=()
        )


async def test_what_is_no_json_is_told_before_it_is_sent(anna: AsyncClient) -> None:
    with pytest.raises(UsageError, match="object"):
        await anna.remember("x", metadata={"y": object()})
    with pytest.raises(UsageError):
        await anna.remember("half a pair: \ud800")


async def test_episodes_are_asked_about(anna: AsyncClient) -> None:
    record = {
        "input": {"problem": "A train meets a train.", "domain": "algebra"},
        "output": {"answer": "2", "correct": False},
        "metadata": {"tokens_used": 90, "model": "small-1"},
    }
    await anna.remember("A train meets a train.", kind="episode", structured=record,
                        correct=False, domain="algebra", model="small-1", occurred_at=WHEN)  # fmt: skip
    view = await anna.ask_episodes("my failed attempts on algebra with fewer than 100 tokens")
    assert [episode.episode for episode in view.episodes or ()] == [record]
    assert (view.source, view.unread) == ("grammar", ())
    again = await anna.query_episodes(**view.object)
    assert again.episodes == view.episodes
    rates = await anna.query_episodes(
        filters={"correct": [False, "unknown"], "occurred_from": WHEN},
        measure="failure_rate",
        by="model",
    )
    assert [(group.name, group.success_rate) for group in rates.groups or ()] == [("small-1", 0.0)]
    seen = await anna.reasoning_analytics(by=["domain"], over="day", occurred_from=WHEN)
    assert [group.name for group in seen.groups["domain"]] == ["algebra"]
    assert [group.name for group in seen.trend] == ["2026-05-01"]
    typed = wire.EpisodeFiltersRequest(correct=True)
    assert (await anna.query_episodes(filters=typed)).episodes == ()
    with pytest.raises(InvalidRequestError) as refused:
        await anna.ask_episodes("attempts with confidence above 80")
    assert refused.value.errors[0].field == "confidence_min"


async def test_what_is_expected_and_what_surprises(anna: AsyncClient) -> None:
    good, bad = {"status": "success"}, {"status": "failed"}
    made = await anna.predict(good, context="deploy", prediction_id="p", confidence=0.9)
    found = await anna.report_surprise(bad, prediction_id=made.prediction_id)
    assert (found.surprising, found.context) == (True, "deploy")
    assert (await anna.surprises(type=["unexpected_error"], limit=1)).items == (found,)
    assert (await anna.surprises(context=["other"])).items == ()


async def test_what_is_shared_in_a_channel(anna: AsyncClient) -> None:
    team: IdentityFields = {"channel_ids": ["team"]}
    [made] = (await anna.join_channels(**team)).items
    assert (made.agent_id, made.channel_id, made.copies) == ("anna", "team", 0)
    kept = await anna.remember("Backups run at two.")
    assert kept.uid is not None
    copy = await anna.publish(kept.uid, **team)
    assert (copy.status, copy.published_by) == ("created", "anna")
    assert (await anna.publish(kept.uid, **team)).uid == copy.uid
    [member] = (await anna.members(channel_ids=["team"], agent_id=None)).items
    assert member.copies == 1
    assert (await anna.get(copy.uid, **team)).published_at == copy.published_at
    assert (await anna.unpublish(kept.uid)).removed == 1
    await anna.publish(kept.uid, **team)
    [left] = (await anna.leave_channels(**team)).items
    assert (left.was_member, left.copies) == (True, 1)


async def test_how_agents_stand_to_each_other(anna: AsyncClient) -> None:
    first = await anna.record_interaction("bert", 1.0)
    assert (first.other_agent_id, first.trust, first.interactions) == ("bert", 0.55, 1)
    assert (await anna.relationships(limit=5)).items == (first,)
    looked = await anna.share_patterns(channel_ids=["team"])
    assert (looked.channel_id, looked.shared) == ("team", 0)
