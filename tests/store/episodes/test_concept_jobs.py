"""Concepts as the worker makes them: worded by a language model or without it, told, and looked for again."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.events import Event, EventFilter
from graph.kernel.scope import Caller
from graph.llm.openai import Endpoint, open_model
from service.bootstrap import Service
from service.use_cases.episodes.extract_concepts import ExtractConcepts
from service.use_cases.utility.events import ReadEvents
from service.worker.worker import Worker
from tests.conftest import Run
from tests.scripted_model import said, scripted_model
from tests.store.episodes.test_concepts import two_kinds, work
from tests.store.reading import lease_of, settled
from tests.store.solving import EGGS, attempt, concepts, rows_of, waiting

GOOD = {"concept": "Unit price", "definition": "Multiply what one costs by how many there are."}
PAUSE = timedelta(seconds=1)


async def heard(service: Service, caller: Caller) -> list[Event]:
    """Read what was told of concepts."""
    await service.events.flush()
    read = ReadEvents(service.read_events.store, clock=service.clock)
    names = ("concept:extracted", "concept:archived")
    page = await read(caller.tenant, EventFilter(caller.readable, names), 0)
    return [each.event for each in page.events]


async def worked(service: Service, url: str, cypher: Run, **options: Any) -> Worker:
    """Tick a worker whose concepts a model words, until nothing waits; others see it work meanwhile."""
    await service.leases.release(await lease_of(service))
    async with open_model(Endpoint(url, "tiny", **options)) as model:
        by_hand = service.extract_concepts
        job = ExtractConcepts(
            replace(by_hand.maker, language=model), pause=PAUSE, emitter=by_hand.emitter
        )
        worker = Worker(service.leases, (job,), "tests")
        now = datetime.now(UTC)
        async with asyncio.timeout(60):
            while cypher("MATCH (s:Scope) WHERE s.solved_waiting > 0 RETURN s"):
                now += PAUSE
                await worker.tick(now)
        await worker.release()
    return worker


def worded(cypher: Run) -> list[tuple[str, str]]:
    rows = cypher("MATCH (c:Concept) RETURN c.structured AS said, c.metadata AS metadata")
    said_of = [(json.loads(row["said"]), json.loads(row["metadata"])) for row in rows]
    return sorted((each["concept"], by["worded_by"]) for each, by in said_of)


async def test_a_model_words_what_the_worker_found(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    other = {"concept": "Taking half", "definition": "Divide by two, then take off."}
    with scripted_model(said(GOOD), said(other)) as script:
        worker = await worked(service, script.url, cypher)
    assert worded(cypher) == [("Taking half", "tiny"), ("Unit price", "tiny")]
    assert len(script.asked) == 2
    assert "A hen lays" in str(script.asked)
    assert worker.states["extract_concepts"].failures == 0
    assert sum(row["problems"] for row in concepts(cypher)) == 12


@pytest.mark.parametrize(
    "reply",
    [said("I cannot say."), said({"concept": 7}), (500, "out of order")],
    ids=["no JSON", "does not fit", "a broken server"],
)
async def test_a_broken_reply_is_logged_and_the_rules_word_it(
    service: Service,
    anna: Caller,
    cypher: Run,
    caplog: pytest.LogCaptureFixture,
    reply: tuple[int, object],
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    with scripted_model(reply) as script, caplog.at_level(logging.WARNING, "stratagraph.llm"):
        caplog.clear()
        worker = await worked(service, script.url, cypher, retries=0)
    assert {by for _, by in worded(cypher)} == {"rules"}
    assert sum(row["problems"] for row in concepts(cypher)) == 12
    assert worker.states["extract_concepts"].failures == 0
    told = [vars(record) for record in caplog.records if record.name == "stratagraph.llm"]
    assert len(told) == 2
    assert all(record["action"] == "llm" and record["why"] for record in told)
    assert "hen" not in str(told) + caplog.text


async def test_the_worker_goes_on_while_a_model_is_silent_and_after_its_time_the_rules_word_it(
    service: Service, anna: Caller, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    over = threading.Event()

    def silent(_asked: dict[str, Any]) -> tuple[int, object]:
        over.wait(60)
        return said(GOOD)

    with scripted_model(silent) as script, caplog.at_level(logging.WARNING, "stratagraph.llm"):
        caplog.clear()
        try:
            worker = await worked(service, script.url, cypher, retries=0, timeout_seconds=0.7)
        finally:
            over.set()
    state = worker.states["extract_concepts"]
    assert state.failures == 0
    assert worker.ticks > 1  # no step waited for the model
    assert {by for _, by in worded(cypher)} == {"rules"}
    assert "of no use" in caplog.text


async def test_what_became_of_concepts_is_told(service: Service, anna: Caller, cypher: Run) -> None:
    before = len(await heard(service, anna))  # what tests before this one gathered
    await attempt(service, anna, *rows_of("egg", EGGS[:10]))
    await settled(cypher)
    waiting(cypher, 10)
    await work(service)
    await work(service, "tend_concepts")
    [event] = (await heard(service, anna))[before:]
    [row] = concepts(cypher)
    assert (event.name, event.scope, event.agent_id) == ("concept:extracted", row["scope"], "anna")
    assert event.data == {"created": [row["uid"]], "merged": [], "problems": 10}
    await service.archive_covered(anna, dry_run=True)
    assert len(await heard(service, anna)) == before + 1
    done = await service.archive_covered(anna)
    await service.archive_covered(anna)  # changes nothing, and says nothing
    await service.extract_concepts(anna)
    [_, told] = (await heard(service, anna))[before:]
    assert told.name == "concept:archived"
    assert told.data == {
        "concept": row["uid"],
        "episodes": len(done.archived),
        "kept": done.kept,
    }
    assert await heard(service, Caller("local", "bert")) == []


async def test_who_was_refused_before_a_concept_was_there_is_looked_at_again(
    service: Service, anna: Caller, cypher: Run
) -> None:
    """Nobody solved some of them: they found nothing, but they belong to what others found."""
    await attempt(service, anna, *rows_of("egg", EGGS[:4]))
    await attempt(service, anna, *rows_of("wrong", EGGS[4:8], right=False))
    await settled(cypher)
    by_hand, maker = service.extract_concepts, service.extract_concepts.maker
    alone = replace(maker, defaults=replace(maker.defaults, nearest=0))  # as if nobody were near
    done = await replace(by_hand, maker=alone)(anna)
    assert (done.joined, done.done) == (0, True)
    cypher(
        "MATCH (p:Problem)<-[:SOLVED]-() WITH p LIMIT 1 SET p.matched_at = datetime({year: 2001})"
    )
    one = replace(maker, defaults=replace(maker.defaults, batch=1))
    done = await replace(by_hand, maker=one)(anna)
    assert (len(done.created), done.joined) == (1, 8)
    assert [row["problems"] for row in concepts(cypher)] == [8]
