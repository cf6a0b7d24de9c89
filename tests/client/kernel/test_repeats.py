"""What is repeated, when, how often; and that a repeat does nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count

import httpx
import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from stratagraph import (
    AsyncClient,
    Call,
    Client,
    ConflictError,
    ConnectionFailedError,
    RateLimitedError,
    RequestTimeoutError,
    Retries,
    UnavailableError,
    wire,
)
from stratagraph.call import Caller
from stratagraph.exchange import Came, Send, Wait, exchange
from stratagraph.operations.operation import HEALTH
from tests.client.lossy import Fault, LossyWay, lossy_way, said
from tests.conftest import Run

QUICK = Retries(attempts=4, first_pause=0.01, longest_pause=0.05, deadline=20)
BUSY = said("503 Service Unavailable", Retry_After="0")


@pytest_asyncio.fixture(loop_scope="session")
async def way(url: str) -> AsyncGenerator[LossyWay]:
    async with lossy_way(url) as way:
        yield way


@pytest_asyncio.fixture(loop_scope="session")
async def memory(way: LossyWay) -> AsyncGenerator[AsyncClient]:
    async with AsyncClient(way.url, agent_id="anna", timeout=60, retries=QUICK) as client:
        yield client


async def fresh(client: AsyncClient) -> AsyncClient:
    """Drop what is kept open, so that the next call meets the next planned fault."""
    return AsyncClient(client.url, agent_id="anna", timeout=60, retries=QUICK)


FAULTS: list[list[Fault]] = [
    ["refuse"],
    ["lose"],
    ["cut"],
    [BUSY],
    ["lose", "refuse", "cut"],
    [said("502 Bad Gateway", b"<html>"), "lose", said("429 Too Many Requests")],
]


@pytest.mark.parametrize("faults", FAULTS, ids=str)
async def test_one_memory_whatever_was_lost(
    way: LossyWay, memory: AsyncClient, cypher: Run, faults: list[Fault]
) -> None:
    way.faults.extend(faults)
    answer = await memory.remember("Said once.", session_id="s", speaker="Ada")
    applied = any(fault in {"lose", "cut"} for fault in faults)
    assert answer.status == ("duplicate" if applied else "created")
    assert way.connections == len(faults) + 1
    rows = cypher("MATCH (m:Memory) RETURN m.uid AS uid, m.sequence AS sequence")
    assert rows == [{"uid": answer.uid, "sequence": 0}]


async def test_a_session_stays_one_chain(way: LossyWay, memory: AsyncClient, cypher: Run) -> None:
    for number in range(6):
        way.faults.append("lose" if number % 2 else "cut")
        async with await fresh(memory) as client:
            await client.remember(f"Turn {number}.", session_id="s")
    rows = cypher(
        "MATCH (m:Memory) OPTIONAL MATCH (m)-[n:NEXT]->(o) "
        "RETURN m.sequence AS place, m.text AS text, o.text AS next ORDER BY place"
    )
    texts = [f"Turn {number}." for number in range(6)]
    assert [row["text"] for row in rows] == texts
    assert [row["place"] for row in rows] == list(range(6))
    assert [row["next"] for row in rows] == [*texts[1:], None]


async def test_a_name_keeps_one_version(way: LossyWay, memory: AsyncClient, cypher: Run) -> None:
    await memory.remember("First.", external_id="e")
    way.faults.append("lose")
    async with await fresh(memory) as client:
        assert (await client.remember("Second.", external_id="e")).status == "unchanged"
    assert cypher("MATCH (v:Version) RETURN count(v) AS n") == [{"n": 1}]


async def test_an_outcome_moves_once(way: LossyWay, memory: AsyncClient) -> None:
    uid = (await memory.remember("Pinning the compiler helped.")).uid
    for _ in range(200):
        if (await memory.recall("compiler", task_id="t")).results:
            break
        await asyncio.sleep(0.05)
    way.faults.extend(["lose", "cut"])
    async with await fresh(memory) as client:
        outcome = await client.report_outcome("t", "success")
    assert not outcome.applied
    assert [(moved.q_before, moved.q_after) for moved in outcome.rewarded] == [(0.5, 0.55)]
    assert (await memory.get(uid)).q_count == 1


async def test_a_race_with_another_writer_is_run_again(way: LossyWay, memory: AsyncClient) -> None:
    problem = wire.Problem(type="urn:stratagraph:error:conflict", title="", status=409, detail="")
    race = said("409 Conflict", problem.model_dump_json().encode())
    way.faults.extend([race, "close", race])
    assert (await memory.remember("Raced for.")).status == "created"
    async with await fresh(memory) as client:
        assert (await client.remember_all(["Raced for."])).counts.duplicate == 1
    way.faults.append(race)
    async with await fresh(memory) as client:
        with pytest.raises(ConflictError):
            await client.report_outcome("t", "success")


async def test_what_is_gone_stays_gone(way: LossyWay, memory: AsyncClient, cypher: Run) -> None:
    uid = (await memory.remember("To be removed.")).uid
    way.faults.append("lose")
    async with await fresh(memory) as client:
        await client.delete(uid)
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_a_lost_part_of_many_is_sent_again(
    way: LossyWay, memory: AsyncClient, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "MAX_BATCH", 40)
    way.faults.extend(["close", "lose"])
    answer = await memory.remember_all([f"Row {number}." for number in range(60)])
    assert answer.counts == wire.CountsView(created=40, duplicate=20)
    assert len({row.uid for row in answer.results}) == 60
    assert cypher("MATCH (m:Memory) RETURN count(m) AS n") == [{"n": 60}]


async def test_no_answer_in_time_is_tried_again(way: LossyWay) -> None:
    way.faults.append("stall")
    async with AsyncClient(way.url, agent_id="a", timeout=0.3, retries=QUICK) as client:
        for _ in range(20):
            try:
                assert (await client.remember("Patience.")).uid
                break
            except RequestTimeoutError:
                continue
    assert way.connections >= 2


async def test_never_an_answer_is_an_error_that_says_so(way: LossyWay) -> None:
    way.faults.extend(["stall", "stall"])
    async with AsyncClient(way.url, agent_id="a", timeout=0.1, retries=1) as client:
        with pytest.raises(RequestTimeoutError, match=r"in time.*\(tried 2 times\)") as told:
            await client.recall("x")
    assert told.value.sent
    assert told.value.request_id


async def test_what_cannot_be_repeated_is_sent_once(way: LossyWay) -> None:
    way.faults.append("lose")
    risky = Call("GET", "/healthz", wire.HealthView.model_validate_json, repeatable=False)
    async with AsyncClient(way.url, retries=QUICK) as client:
        with pytest.raises(ConnectionFailedError) as told:
            await client.send(risky)
    assert told.value.sent
    assert way.connections == 1


async def test_what_never_arrived_is_repeated_even_so(way: LossyWay) -> None:
    way.faults.append(said("429 Too Many Requests", Retry_After="0"))
    risky = Call("GET", "/healthz", wire.HealthView.model_validate_json, repeatable=False)
    async with AsyncClient(way.url, retries=QUICK) as client:
        assert (await client.send(risky)).status == "ok"


async def test_the_blocking_client_repeats_too(way: LossyWay) -> None:
    way.faults.extend(["lose", BUSY])
    slept: list[float] = []
    with Client(way.url, agent_id="a", retries=QUICK, sleep=slept.append) as client:
        answer = await asyncio.to_thread(client.remember, "From a thread.")
    assert answer.status == "duplicate"
    assert len(slept) == 2


async def test_a_service_that_asks_for_time_gets_it(way: LossyWay) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=9))
    way.faults.extend(
        [
            said("503 Service Unavailable", Retry_After="3"),
            said("429 Too Many Requests", Retry_After=soon),
            said("503 Service Unavailable", Retry_After="soon"),
        ]
    )
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async with AsyncClient(way.url, agent_id="a", retries=QUICK, sleep=sleep) as client:
        await client.remember("At last.")
    assert slept[0] == 3
    assert 5 < slept[1] <= 9
    assert slept[2] <= 0.05


async def test_more_time_than_there_is_ends_it(way: LossyWay) -> None:
    way.faults.append(said("429 Too Many Requests", Retry_After="30"))
    async with AsyncClient(way.url, agent_id="a", retries=QUICK) as client:
        with pytest.raises(RateLimitedError):
            await client.recall("x")
    assert way.connections == 1


async def test_after_the_last_attempt_the_reason_is_told(way: LossyWay) -> None:
    way.faults.extend([BUSY] * 4)
    async with AsyncClient(way.url, agent_id="a", retries=QUICK) as client:
        with pytest.raises(UnavailableError, match=r"\(503\).*\(tried 4 times\)") as told:
            await client.recall("x")
    assert told.value.status == 503


async def test_all_attempts_carry_one_request_id(way: LossyWay) -> None:
    seen: list[str] = []
    talk = exchange(HEALTH.call(Caller(), {}), "there", 1, Retries(random=lambda: 0))
    step = next(talk)
    for _ in range(3):
        assert isinstance(step, Send)
        seen.append(step.headers["X-Request-ID"])
        assert isinstance(talk.send(httpx.ReadError("lost")), Wait)
        step = talk.send(None)
    assert len(set(seen)) == 1


def drive(retries: Retries, outcomes: Iterable[Came]) -> tuple[list[float], BaseException | None]:
    """Play one call through, and return the pauses and what was raised."""
    talk = exchange(HEALTH.call(Caller(), {}), "there", 1.0, retries)
    pauses: list[float] = []
    came: Came = None
    results = iter(outcomes)
    try:
        while True:
            step = talk.send(came)
            came = None
            if isinstance(step, Wait):
                pauses.append(step.seconds)
            else:
                came = next(results)
    except StopIteration:
        return pauses, None
    except ConnectionFailedError as error:
        return pauses, error


@given(
    attempts=st.integers(1, 12),
    first=st.floats(0, 10),
    longest=st.floats(0, 10),
    share=st.floats(0, 1, exclude_max=True),
)
def test_pauses_grow_within_their_limits(
    attempts: int, first: float, longest: float, share: float
) -> None:
    retries = Retries(attempts, first, longest, 1e9, random=lambda: share, clock=lambda: 0.0)
    pauses, error = drive(retries, (httpx.ReadError("lost") for _ in count()))
    assert isinstance(error, ConnectionFailedError)
    assert len(pauses) == attempts - 1
    assert pauses == sorted(pauses)
    for repeat, pause in enumerate(pauses, 1):
        assert pause <= min(longest, first * 2 ** (repeat - 1))


@given(deadline=st.floats(0.1, 100), step=st.floats(0.01, 50))
def test_nothing_is_tried_past_the_deadline(deadline: float, step: float) -> None:
    ticks = count()
    retries = Retries(1000, 0.2, 5, deadline, lambda: 1.0, lambda: next(ticks) * step)
    pauses, error = drive(retries, (httpx.ReadError("lost") for _ in count()))
    assert isinstance(error, ConnectionFailedError)
    assert len(pauses) <= deadline / step + 1
