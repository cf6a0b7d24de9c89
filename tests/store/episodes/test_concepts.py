"""Concepts: extracted from what was solved, rated by what came after, once whoever works."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.database.driver import Transaction
from graph.kernel.errors import DatabaseUnavailableError, LeaseLostError
from graph.kernel.scope import Caller
from graph.model.memories.links import Lease
from graph.model.memories.privacy import PiiPolicy
from graph.privacy.light import LightRecognizer
from service.bootstrap import Service
from service.use_cases.memories.amend import AmendMemory
from service.use_cases.memories.guarding import Guard, GuardRules
from tests.conftest import Run
from tests.store.reading import job_of, lease_of, settled
from tests.store.solving import (
    EGGS,
    TRAINS,
    Tried,
    attempt,
    concepts,
    rows_of,
    waiting,
)

HALVES = ("24/2=12", "12-3=9")


async def work(service: Service, name: str = "extract_concepts", steps: int = 30) -> int:
    """Do steps of a job until it finds nothing to do."""
    lease = await lease_of(service)
    done = 0
    for _ in range(steps):
        moved = await job_of(service, name).step(datetime.now(UTC), lease)
        done += moved
        if not moved and await nothing_due(service, name):
            break
    await service.leases.release(lease)
    return done


async def nothing_due(service: Service, name: str) -> bool:
    store = service.extract_concepts.maker.store
    return (await store.changed()) is None if name == "tend_concepts" else True


async def two_kinds(service: Service, caller: Caller, cypher: Run) -> None:
    await attempt(service, caller, *rows_of("egg", EGGS[:6]))
    await attempt(service, caller, *rows_of("train", TRAINS[:6], actions=HALVES))
    await settled(cypher)


async def test_problems_that_were_solved_alike_become_a_concept(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    assert await work(service)
    await work(service, "tend_concepts")
    one, two = concepts(cypher)
    assert (one["problems"], two["problems"]) == (6, 6)
    assert {one["used"], one["evidence"], one["attempts"], one["successes"]} == {6}
    said = [json.loads(row["structured"]) for row in (one, two)]
    assert {each["concept"].partition(":")[0] for each in said} == {
        "multiply twice",
        "divide, then subtract",
    }
    eggs = next(each for each in said if "multiply" in each["concept"])
    assert "egg" in eggs["definition"]
    assert set(eggs) == {
        *("concept_id", "domain", "concept", "definition", "examples", "success_rate"),
        "created_from",
    }
    assert (eggs["domain"], eggs["success_rate"]) == ("math", 1.0)
    assert eggs["created_from"] == [f"egg{n}" for n in range(6)] or set(eggs["created_from"]) == {
        f"egg{n}" for n in range(6)
    }
    assert set(eggs["examples"]) == {f"id-{text}" for text in EGGS[:6]}
    [row] = cypher("MATCH (s:Scope {scope: 'local/agent/anna'}) RETURN s.solved_waiting AS n")
    assert row["n"] == 0


async def test_nine_are_too_few_and_ten_are_enough(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 9)
    assert await work(service) == 0
    assert concepts(cypher) == []
    waiting(cypher, 10)
    assert await work(service) > 0
    assert len(concepts(cypher)) == 2


async def test_a_scope_counts_for_itself(
    service: Service, anna: Caller, bert: Caller, cypher: Run
) -> None:
    await attempt(service, anna, *rows_of("egg", EGGS[:6]))
    await attempt(service, bert, *rows_of("egg", EGGS[:6]))
    await settled(cypher)
    waiting(cypher, 10)
    waiting(cypher, 5, "local/agent/bert")
    await work(service)
    assert {row["scope"] for row in concepts(cypher)} == {"local/agent/anna"}
    crossing = cypher(
        "MATCH (a:Memory)-[r]-(b:Memory) WHERE a.scope <> b.scope RETURN type(r) AS type"
    )
    assert crossing == []


async def test_a_later_problem_joins_the_concept_that_is_there(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    await work(service)
    await attempt(service, anna, *rows_of("late", EGGS[6:12]))
    await attempt(service, anna, Tried("failed", EGGS[12], right=False))
    await settled(cypher)
    waiting(cypher, 10)
    await work(service)
    await work(service, "tend_concepts")
    rows = concepts(cypher)
    assert sorted(row["problems"] for row in rows) == [6, 13]
    grown = next(row for row in rows if row["problems"] == 13)
    assert (grown["attempts"], grown["successes"], grown["evidence"]) == (13, 12, 6)
    assert json.loads(grown["structured"])["success_rate"] == pytest.approx(12 / 13, abs=1e-6)


async def test_the_rate_follows_later_attempts_and_an_outcome_that_contradicts(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    await work(service)
    await work(service, "tend_concepts")
    wrong = [Tried(f"again{n}", EGGS[n], right=False) for n in range(3)]
    await attempt(service, anna, *wrong)
    await work(service, "tend_concepts")
    assert rate_of(cypher, "multiply") == (9, 6, pytest.approx(6 / 9, abs=1e-6))
    await contradict(service, anna, "egg0")
    await work(service, "tend_concepts")
    assert rate_of(cypher, "multiply") == (9, 5, pytest.approx(5 / 9, abs=1e-6))
    await service.delete_memory(anna, "external:egg1")
    assert not any(
        "multiply" in row["text"] for row in concepts(cypher)
    )  # it was drawn from that too
    waiting(cypher, 12)
    await work(service)
    await work(service, "tend_concepts")
    assert rate_of(cypher, "multiply") == (8, 4, 0.5)


async def contradict(service: Service, caller: Caller, name: str) -> None:
    amend: AmendMemory = service.amend_memory
    await amend(caller, f"external:{name}", {"correct": False})


def rate_of(cypher: Run, part: str) -> tuple[int, int, float]:
    row = next(row for row in concepts(cypher) if part in row["text"])
    return row["attempts"], row["successes"], json.loads(row["structured"])["success_rate"]


async def test_the_same_concept_found_again_is_merged(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await attempt(service, anna, *rows_of("egg", EGGS[:4]))
    await settled(cypher)
    waiting(cypher, 10)
    await work(service)
    [first] = concepts(cypher)
    cypher("MATCH (:Problem)-[r:REQUIRES]->(:Concept) DELETE r")  # nothing near has one any more
    cypher("MATCH (p:Problem) REMOVE p.matched_at")
    await attempt(service, anna, *rows_of("more", EGGS[4:6]))
    await settled(cypher)
    waiting(cypher, 10)
    await work(service)
    [row] = concepts(cypher)
    assert (row["uid"], row["problems"], row["evidence"]) == (first["uid"], 6, 6)


async def test_two_who_extract_at_once_do_nothing_twice(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    done = await asyncio.gather(*(service.extract_concepts(anna) for _ in range(4)))
    assert sum(each.joined for each in done) == 12
    assert sum(len(each.created) for each in done) == 2
    assert sum(each.counted for each in done) == 12
    assert [row["problems"] for row in concepts(cypher)] == [6, 6]


async def test_whoever_lost_the_lease_writes_nothing_and_the_next_does_all(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    lease = await lease_of(service, "one")
    stale = Lease(lease.name, lease.holder, lease.token - 1)
    with pytest.raises(LeaseLostError):
        await job_of(service, "extract_concepts").step(datetime.now(UTC), stale)
    await service.leases.release(lease)
    assert concepts(cypher) == []
    assert cypher("MATCH (p:Problem) WHERE p.matched_at IS NOT NULL RETURN p") == []
    await work(service)
    assert len(concepts(cypher)) == 2


async def test_cut_off_halfway_nothing_is_half_written(
    service: Service, anna: Caller, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_kinds(service, anna, cypher)
    waiting(cypher, 12)
    run = Transaction.run

    async def breaking(self: Transaction, query: Any, *args: Any) -> Any:
        if query.name == "episodes.mark_matched":
            raise DatabaseUnavailableError
        return await run(self, query, *args)

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "run", breaking)
        with pytest.raises(DatabaseUnavailableError):
            await service.extract_concepts(anna)
    assert concepts(cypher) == []
    assert cypher("MATCH ()-[r:REQUIRES]->() RETURN r") == []
    [row] = cypher("MATCH (s:Scope {scope: 'local/agent/anna'}) RETURN s.solved_waiting AS n")
    assert row["n"] == 12
    done = await service.extract_concepts(anna)
    assert (len(done.created), done.joined, done.counted) == (2, 12, 12)


class Talkative:
    """A language model that names people."""

    name = "talkative-1"

    async def fill(self, *_asked: Any, **_bounds: Any) -> dict[str, Any]:
        return {"concept": "Ask ada@example.org", "definition": "She knows. Call +49 30 12345678."}


@pytest.mark.parametrize(
    ("policy", "worded", "said"),
    [("mask", "talkative-1", "Ask <EMAIL>: She knows. Call <PHONE>."), ("reject", "rules", None)],
)
async def test_what_a_language_model_says_is_held_to_what_may_be_stored(
    service: Service, anna: Caller, cypher: Run, policy: PiiPolicy, worded: str, said: str | None
) -> None:
    await two_kinds(service, anna, cypher)
    maker = service.extract_concepts.maker
    guard = Guard(LightRecognizer(), NoSecrets(), GuardRules(policy))
    talking = replace(maker, language=Talkative(), guard=guard)
    await replace(service.extract_concepts, maker=talking)(anna)
    rows = cypher("MATCH (c:Concept) RETURN c.text AS text, c.metadata AS metadata")
    assert {json.loads(row["metadata"])["worded_by"] for row in rows} == {worded}
    texts = {row["text"] for row in rows}
    assert texts == {said} if said else not any("ada@" in text for text in texts)


class NoSecrets:
    async def secret(self, tenant: str) -> bytes:
        return b""


async def test_what_is_not_like_anything_stays_without_a_concept(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await two_kinds(service, anna, cypher)
    odd = "Who wrote the longest letter in the archive of the abbey?"
    await attempt(service, anna, Tried("odd", odd, actions=("search(abbey)",)))
    await settled(cypher)
    done = await service.extract_concepts(anna)
    assert done.joined == 12
    [row] = cypher(
        "MATCH (p:Problem) WHERE NOT (p)-[:REQUIRES]->() RETURN p.text AS text, p.matched_at AS at"
    )
    assert row["text"] == odd
    assert row["at"] is not None
