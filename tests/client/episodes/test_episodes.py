"""Episodes and concepts by both clients, and by the interface of the document."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator

import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from stratagraph import (
    AsyncClient,
    Client,
    EpisodicMemory,
    InvalidRequestError,
    NotFoundError,
    wire,
)
from tests.conftest import Run
from tests.doors.attempts import EPISODE, episode
from tests.store.reading import settled
from tests.store.solving import EGGS, attempt, rows_of

PENS = EPISODE["input"]["problem"]


async def retrieved(
    client: AsyncClient, query: str, expect: int, **more: object
) -> wire.RetrievalAnswerView:
    """Retrieve until the indexes show as many results as expected; they lag a moment."""
    deadline = time.monotonic() + 10
    while True:
        answer = await client.retrieve(query, **more)  # pyright: ignore[reportArgumentType] -- any of them
        if len(answer.results) >= expect:
            return answer
        assert time.monotonic() < deadline, answer
        await asyncio.sleep(0.05)


async def test_an_episode_is_added_read_counted_and_removed(anna: AsyncClient) -> None:
    saved = await anna.add_episode(episode("a"), run="run-1")
    assert (saved.status, saved.episode_id) == ("created", "a")
    assert (await anna.add_episode(episode("a"), run="run-1")).status == "unchanged"
    view = await anna.get_episode("a")
    assert (view.uid, view.run, view.episode) == (saved.uid, "run-1", episode("a"))
    assert [each.edge for each in view.hangs_on] == ["SOLVED", "USED"]
    await anna.add_episode(wire.EpisodeRecord(**episode("b", output__correct=False)))
    counted = await anna.count_episodes()
    assert (counted.episodes, counted.correct, counted.wrong) == (2, 1, 1)
    assert counted.runs == {"run-1": 1}
    await anna.delete_episode("a")
    with pytest.raises(NotFoundError):
        await anna.get_episode("a")
    assert await anna.size() == 1
    assert await anna.size(agent_id="bert") == 0
    would = await anna.clear(dry_run=True, domain="math")
    assert (would.matched, would.deleted) == (1, 0)
    assert (await anna.clear(run="run-1")).deleted == 0
    gone = await anna.clear()
    assert (gone.deleted, gone.problems, gone.strategies) == (1, 1, 1)


async def test_the_blocking_client_does_the_same(sync: Client) -> None:
    def story() -> None:
        assert sync.add_episode(episode("a"), run="run-1").status == "created"
        assert sync.get_episode("a").run == "run-1"
        assert sync.count_episodes().runs == {"run-1": 1}
        assert sync.clear(dry_run=True).matched == sync.size() == 1
        sync.delete_episode("a")
        with pytest.raises(NotFoundError):
            sync.delete_episode("a")
        assert sync.clear().deleted == 0

    await asyncio.to_thread(story)


async def test_many_episodes_keep_their_numbers(
    anna: AsyncClient, sync: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_BATCH", 2)
    rows = [episode(name) for name in "abcde"]
    rows[3] = episode("d", output__confidence=3)
    answer = await anna.add_episodes(iter(rows), run="run-1")
    assert answer.counts == wire.CountsView(created=4, rejected=1)
    assert [row.index for row in answer.results] == list(range(5))
    assert [row.index for row in answer.results if row.error] == [3]
    again = await asyncio.to_thread(sync.add_episodes, rows, run="run-1")
    assert again.counts == wire.CountsView(unchanged=4, rejected=1)


async def test_a_file_is_imported_and_exported(anna: AsyncClient, sync: Client) -> None:
    lines = [json.dumps(episode(name)).encode() for name in "abc"]
    [tried] = [part async for part in anna.import_episodes(lines, run="run-1", dry_run=True)]
    assert tried.counts.rejected == 0
    assert await anna.size() == 0
    broken = [lines[0], b"no json", *lines[1:]]
    [part] = [part async for part in anna.import_episodes(broken, run="run-1", first_line=11)]
    assert (part.counts.created, part.counts.rejected) == (3, 1)
    assert [report.line for report in part.reports] == [12]
    assert await joined(anna.export_episodes(run="run-1")) == [json.loads(line) for line in lines]
    assert await joined(anna.export_episodes(run="run-2")) == []

    def story() -> None:
        [part] = sync.import_episodes([json.dumps(episode("d")).encode()])
        assert part.counts.created == 1
        told = b"".join(sync.export_episodes(run="")).splitlines()
        assert [json.loads(line)["episode_id"] for line in told] == ["d"]

    await asyncio.to_thread(story)


async def joined(parts: AsyncIterator[bytes]) -> list[object]:
    return [json.loads(line) for line in b"".join([part async for part in parts]).splitlines()]


async def test_attempts_are_retrieved_by_both_clients(
    anna: AsyncClient, sync: Client, cypher: Run
) -> None:
    await anna.add_episodes([episode("right"), episode("wrong", output__correct=False)])
    await settled(cypher)
    answer = await retrieved(
        anna, PENS, 2, k=3, domain="math", max_tokens=400, utility_weight=0.25, task_id="t"
    )
    assert [result.role for result in answer.results] == ["success", "failure"]
    assert (answer.utility_weight, answer.task_id) == (0.25, "t")
    assert answer.prompt is not None
    assert answer.tokens <= 400
    [wrong] = (await anna.retrieve(PENS, filters={"correct": False, "model": None})).results
    assert wrong.episode_id == "wrong"
    typed = wire.EpisodeFiltersRequest(correct=(True,), tokens_used_max=200)
    told = await asyncio.to_thread(sync.retrieve, PENS, 1, filters=typed, mode="structured")
    assert [result.episode_id for result in told.results] == ["right"]
    assert told.mode == "structured"
    assert (await anna.retrieve(PENS, domain="code")).results == ()
    with pytest.raises(InvalidRequestError, match="k"):
        await anna.retrieve(PENS, 51)
    assert (await anna.report_outcome("t", "success")).rewarded


async def test_questions_by_the_blocking_client(anna: AsyncClient, sync: Client) -> None:
    await anna.add_episodes([episode("right"), episode("wrong", output__correct=False)])

    def story() -> None:
        asked = sync.ask_episodes("failed attempts on math", use_model=False)
        assert [found.episode_id for found in asked.episodes or ()] == ["wrong"]
        again = sync.query_episodes(**asked.object)
        assert again.episodes == asked.episodes
        rate = sync.query_episodes(measure="success_rate", by="domain").total
        assert rate is not None
        assert rate.success_rate == 0.5
        seen = sync.reasoning_analytics(by=["model"])
        assert [group.name for group in seen.groups["model"]] == ["small-1"]

    await asyncio.to_thread(story)


async def test_concepts_are_extracted_archived_and_restored(
    anna: AsyncClient, sync: Client, service: Service, cypher: Run
) -> None:
    await attempt(service, Caller("local", "anna"), *rows_of("egg", EGGS[:8]))
    await settled(cypher)
    made = await anna.extract_concepts()
    [concept] = made.created
    look = await anna.archive_covered()
    assert (look.dry_run, look.concepts, look.kept) == (True, 1, 3)
    done = await anna.archive_covered(dry_run=False, concept=concept)
    assert done.archived == look.archived
    assert (await anna.restore_covered(concept=concept)).kept == ()
    with pytest.raises(NotFoundError):
        await anna.archive_covered(concept="external:nobody")

    def story() -> None:
        assert sync.extract_concepts().created == ()
        assert sync.archive_covered(concept=concept, dry_run=False).archived == look.archived
        assert sync.restore_covered().restored == 2 * len(look.archived)  # with their problems

    await asyncio.to_thread(story)


async def test_the_interface_of_the_document(
    anna: AsyncClient, url: str, sync: Client, cypher: Run
) -> None:
    memory = EpisodicMemory(sync, run="run-1")
    right, wrong = episode("right"), episode("wrong", output__correct=False)

    def filled() -> None:
        for one in (right, wrong, right):
            memory.add_episode(one)
        assert memory.size() == 2

    await asyncio.to_thread(filled)
    await settled(cypher)
    await retrieved(anna, PENS, 2)

    def used() -> None:
        assert memory.retrieve("How much are 4 pens at 3?", k=2, domain="math") == [right, wrong]
        assert memory.retrieve(PENS, domain="code") == []
        assert sync.get_episode("right").run == "run-1"
        with EpisodicMemory(url=url, agent_id="bert") as other:
            assert (other.size(), other.retrieve(PENS)) == (0, [])
            other.clear()
        assert memory.size() == 2
        memory.clear()
        assert (memory.size(), memory.retrieve(PENS)) == (0, [])
        memory.close()
        assert sync.size() == 0

    await asyncio.to_thread(used)
