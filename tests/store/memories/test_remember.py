from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graph.database.keys import integer_key
from graph.kernel.scope import Caller, hashed_key
from graph.kernel.values import KINDS
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from tests.conftest import Recalls, Remembers, Run

HOME = "local/agent/anna"
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def count(cypher: Run, label: str = "Memory") -> int:
    return int(cypher(f"MATCH (n:{label}) RETURN count(n) AS n")[0]["n"])


async def test_all_that_is_remembered_is_read_back(service: Service, anna: Caller) -> None:
    new = NewMemory(
        HOME,
        "Café Zürich opens at 8 — 寿司 🍣\nline two",
        kind="insight",
        external_id="e/1",
        agent_id="anna",
        channel_id="dev",
        user_id="uma",
        session_id="s",
        sequence=7,
        task_id="t",
        speaker="Anna",
        content_type="structured",
        structured={"a": [1, None, {"b": "ü"}]},
        stratum="episodic",
        importance=5,
        tags=("x", "y z"),
        domain="food",
        phase="planning",
        source_type="chat",
        event_id="ev",
        correct=False,
        model="m-1",
        occurred_at=NOON,
        valid_from=NOON - timedelta(days=1),
        valid_to=NOON + timedelta(days=9999),
        expires_at=NOON + timedelta(days=99999),
        metadata={"k": "v"},
    )
    [saved] = await service.remember([new])
    assert saved.uid is not None
    memory = await service.get_memory(anna, saved.uid)
    for name in NewMemory.__dataclass_fields__:
        if name not in {"vector", "links", "supersedes", "initial_q", "surprised"}:
            assert getattr(memory, name) == getattr(new, name), name
    assert (memory.state, memory.q_value, memory.q_count, memory.access_count) == (
        "active",
        0.5,
        0,
        0,
    )
    assert await service.get_memory(anna, "external:e/1") == memory


async def test_what_is_not_given_is_absent_or_the_default(service: Service, anna: Caller) -> None:
    [saved] = await service.remember([NewMemory(HOME, "plain")])
    memory = await service.get_memory(anna, saved.uid or "")
    assert memory.occurred_at == memory.recorded_at
    assert (memory.kind, memory.stratum, memory.importance) == ("observation", "long_term", 3)
    for name in ("valid_from", "valid_to", "expires_at", "session_id", "correct", "phase", "model"):
        assert getattr(memory, name) is None, name


@pytest.mark.parametrize("kind", KINDS)
async def test_each_kind_has_its_label(service: Service, cypher: Run, kind: str) -> None:
    await service.remember([NewMemory(HOME, "a thing", kind=kind)])  # pyright: ignore[reportArgumentType] -- all kinds
    [row] = cypher("MATCH (m:Memory) RETURN labels(m) AS labels")
    assert set(row["labels"]) == {"Memory", kind.capitalize()}


async def test_the_same_external_id_with_the_same_content_is_unchanged(
    service: Service, cypher: Run
) -> None:
    new = NewMemory(HOME, "The bridge is closed.", external_id="b")
    [first] = await service.remember([new])
    [second] = await service.remember([new])
    assert (first.status, second.status) == ("created", "unchanged")
    assert first.uid == second.uid
    assert (count(cypher), count(cypher, "Version")) == (1, 0)


async def test_the_same_external_id_with_another_text_is_updated(
    service: Service, cypher: Run
) -> None:
    [first] = await service.remember([NewMemory(HOME, "closed", external_id="b")])
    [second] = await service.remember([NewMemory(HOME, "open", external_id="b")])
    assert (second.status, second.uid) == ("updated", first.uid)
    assert (count(cypher), count(cypher, "Version")) == (1, 1)


async def test_what_another_agent_updates_is_found_as_its_first_writers(
    service: Service, cypher: Run
) -> None:
    shared = "local/shared"
    await service.remember([NewMemory(shared, "closed", external_id="b", agent_id="anna")])
    await service.remember([NewMemory(shared, "open", external_id="b", agent_id="bert")])
    [stored] = cypher(
        "MATCH (m:Memory) RETURN m.agent_id AS agent, m.agent_key AS key, m.keys AS keys"
    )
    assert stored["agent"] == "anna"
    assert stored["key"] == integer_key("anna")
    assert hashed_key("agent:anna") in stored["keys"]
    assert hashed_key("agent:bert") not in stored["keys"]


async def test_the_same_external_id_in_another_scope_is_another_memory(
    service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory(HOME, "mine", external_id="b")])
    [other] = await service.remember([NewMemory("local/agent/bert", "his", external_id="b")])
    assert other.status == "created"
    assert count(cypher) == 2


async def test_the_same_content_is_a_duplicate(service: Service, cypher: Run) -> None:
    new = NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON)
    [first] = await service.remember([new])
    [second] = await service.remember([new])
    assert (second.status, second.uid) == ("duplicate", first.uid)
    assert count(cypher) == 1


async def test_a_memory_without_time_that_is_sent_again_is_one(
    service: Service, cypher: Run
) -> None:
    statuses = [(await service.remember([NewMemory(HOME, "Bye!")]))[0].status for _ in range(3)]
    assert statuses == ["created", "duplicate", "duplicate"]
    assert count(cypher) == 1


@pytest.mark.parametrize(
    "other",
    [
        NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON + timedelta(seconds=1)),
        NewMemory(HOME, "Bye!", session_id="t", occurred_at=NOON),
        NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON, kind="insight"),
        NewMemory(HOME, "Bye.", session_id="s", occurred_at=NOON),
        NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON, external_id="x"),
        NewMemory("local/agent/bert", "Bye!", session_id="s", occurred_at=NOON),
        NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON, structured={"a": 1}),
    ],
)
async def test_another_time_session_kind_text_name_or_scope_is_another_memory(
    service: Service, cypher: Run, other: NewMemory
) -> None:
    await service.remember([NewMemory(HOME, "Bye!", session_id="s", occurred_at=NOON)])
    [saved] = await service.remember([other])
    assert saved.status == "created"
    assert count(cypher) == 2


async def test_the_same_moment_in_another_zone_is_the_same_memory(
    service: Service, cypher: Run
) -> None:
    east = NOON.astimezone(datetime.fromisoformat("2025-01-01T00:00:00+05:00").tzinfo)
    await service.remember([NewMemory(HOME, "Bye!", occurred_at=NOON)])
    [saved] = await service.remember([NewMemory(HOME, "Bye!", occurred_at=east)])
    assert (saved.status, count(cypher)) == ("duplicate", 1)


async def test_a_deleted_memory_can_be_remembered_again(service: Service, anna: Caller) -> None:
    new = NewMemory(HOME, "Bye!", external_id="b")
    [first] = await service.remember([new])
    await service.delete_memory(anna, first.uid or "")
    [second] = await service.remember([new])
    assert second.status == "created"
    assert second.uid != first.uid


async def test_the_same_row_twice_in_one_batch_is_one(service: Service, cypher: Run) -> None:
    named = NewMemory(HOME, "named", external_id="n")
    plain = NewMemory(HOME, "plain", session_id="s")
    saved = await service.remember([named, plain, named, plain])
    assert [answer.status for answer in saved] == ["created", "created", "duplicate", "duplicate"]
    assert [answer.uid for answer in saved[2:]] == [answer.uid for answer in saved[:2]]
    assert count(cypher) == 2


async def test_one_external_id_with_two_contents_in_one_batch_is_refused(
    service: Service, cypher: Run
) -> None:
    saved = await service.remember(
        [NewMemory(HOME, "one", external_id="n"), NewMemory(HOME, "two", external_id="n")]
    )
    assert [answer.status for answer in saved] == ["created", "rejected"]
    assert saved[1].field == "external_id"
    assert cypher("MATCH (m:Memory) RETURN m.text AS text") == [{"text": "one"}]


async def test_faulty_rows_are_reported_and_the_others_land_in_order(
    service: Service, anna: Caller
) -> None:
    rows = [
        NewMemory(HOME, "first"),
        NewMemory(HOME, "  "),
        NewMemory(HOME, "third"),
        NewMemory(HOME, "!?"),
        NewMemory(HOME, "fifth", links=(Link("USED", "nobody"),)),
        NewMemory(HOME, "sixth", valid_from=NOON, valid_to=NOON),
        NewMemory(HOME, "seventh", vector=(1.0, 2.0)),
        NewMemory(HOME, "eighth", vector=(0.0,) * 384),
        NewMemory(HOME, "ninth"),
    ]
    saved = await service.remember(rows)
    assert [answer.status for answer in saved] == [
        "created",
        "rejected",
        "created",
        "rejected",
        "rejected",
        "rejected",
        "rejected",
        "rejected",
        "created",
    ]
    assert [answer.field for answer in saved if answer.field] == [
        "text",
        "vector",
        "links",
        "valid_to",
        "vector",
        "vector",
    ]
    for place in (0, 2, 8):
        memory = await service.get_memory(anna, saved[place].uid or "")
        assert memory.text == rows[place].text


@pytest.mark.parametrize(
    "faulty", [NewMemory(HOME, " "), NewMemory(HOME, "linked", links=(Link("USED", "nobody"),))]
)
async def test_an_atomic_batch_with_a_faulty_row_stores_nothing(
    service: Service, cypher: Run, faulty: NewMemory
) -> None:
    good = NewMemory(HOME, "good", session_id="s", speaker="Ada")
    saved = await service.remember([good, faulty], atomic=True)
    assert saved[1].status == "rejected"
    assert cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease RETURN labels(n) AS l") == []


async def test_an_atomic_batch_without_fault_is_stored(service: Service, cypher: Run) -> None:
    saved = await service.remember([NewMemory(HOME, "a"), NewMemory(HOME, "b")], atomic=True)
    assert {answer.status for answer in saved} == {"created"}
    assert count(cypher) == 2


async def test_an_empty_batch_is_nothing(service: Service) -> None:
    assert await service.remember([]) == ()


async def test_eight_writers_of_one_memory_make_one(service: Service, cypher: Run) -> None:
    for new in (
        NewMemory(HOME, "named", external_id="n"),
        NewMemory(HOME, "plain"),
        NewMemory(HOME, "in a session", session_id="s"),
    ):
        answers = await asyncio.gather(*(service.remember([new]) for _ in range(8)))
        assert len({saved.uid for (saved,) in answers}) == 1
        assert [saved.status for (saved,) in answers].count("created") == 1
    assert count(cypher) == 3


async def test_eight_writers_of_overlapping_batches_lose_nothing(
    service: Service, cypher: Run
) -> None:
    rows = [NewMemory(HOME, f"fact {i}", external_id=f"f{i}") for i in range(20)]
    batches = [rows[i:] + rows[:i] for i in range(0, 16, 2)]
    await asyncio.gather(*(service.remember(batch) for batch in batches))
    assert count(cypher) == 20


async def test_a_batch_of_a_thousand_lands(service: Service, cypher: Run) -> None:
    saved = await service.remember(
        [NewMemory(HOME, f"fact number {i}", session_id=f"s{i % 7}") for i in range(1000)]
    )
    assert {answer.status for answer in saved} == {"created"}
    assert count(cypher) == 1000


async def test_a_vector_of_the_callers_own_is_kept_at_length_1(
    service: Service, cypher: Run
) -> None:
    vector = (3.0, 4.0) + (0.0,) * 382
    await service.remember([NewMemory(HOME, "own", vector=vector)])
    [row] = cypher("MATCH (m:Memory) RETURN m.embedding_a AS v")
    assert row["v"][:3] == pytest.approx([0.6, 0.8, 0.0])


async def test_who_owns_a_scope_is_noted_with_its_speakers(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    caller = Caller("local", "anna", ("dev",), ("uma",))
    for kind in ("agent", "channel", "user"):
        await service.remember([NewMemory(caller.writable(kind), "x", speaker=f"S-{kind}")])  # pyright: ignore[reportArgumentType] -- three kinds
    rows = cypher("MATCH (s:Scope) RETURN s.name AS name, labels(s) AS l, s.speakers AS speakers")
    assert {row["name"]: set(row["l"]) - {"Scope"} for row in rows} == {
        "anna": {"Agent"},
        "dev": {"Channel"},
        "uma": {"User"},
    }
    assert {row["name"]: row["speakers"] for row in rows}["uma"] == ["S-user"]


async def test_an_owner_is_noted_also_where_a_recall_came_first(
    recall: Recalls, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    await recall(anna, "anything", expect=0)
    await remember(anna, "the first memory")
    assert cypher("MATCH (a:Agent) RETURN a.name AS name") == [{"name": "anna"}]
