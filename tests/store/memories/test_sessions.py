from __future__ import annotations

import asyncio
import random
from itertools import count, pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.store.reading import assert_whole, chain

HOME = "local/agent/anna"
SEQUENCES = (-3, 0, 1, 2, 5, 8, 13, 2_000_000_000)
names = count()


def turn(text: str, sequence: int | None = None, session_id: str = "s") -> NewMemory:
    return NewMemory(HOME, text, session_id=session_id, sequence=sequence)


async def test_turns_follow_each_other_as_they_come(service: Service, cypher: Run) -> None:
    await service.remember([turn("one"), turn("two")])
    await service.remember([turn("three")])
    assert [m["text"] for m in assert_whole(cypher, HOME, "s")] == ["one", "two", "three"]
    assert [m["sequence"] for m in chain(cypher, HOME, "s")] == [0, 1, 2]


async def test_a_turn_between_others_goes_between_them(service: Service, cypher: Run) -> None:
    await service.remember([turn("first", 10), turn("last", 20)])
    await service.remember([turn("middle", 15)])
    await service.remember([turn("before all", 1)])
    said = [m["text"] for m in assert_whole(cypher, HOME, "s")]
    assert said == ["before all", "first", "middle", "last"]


async def test_several_turns_into_one_gap_at_once(service: Service, cypher: Run) -> None:
    await service.remember([turn("0", 0), turn("10", 10)])
    await service.remember([turn("5", 5), turn("3", 3), turn("7", 7)])
    assert [m["text"] for m in assert_whole(cypher, HOME, "s")] == ["0", "3", "5", "7", "10"]


async def test_without_a_sequence_a_turn_comes_after_the_last(
    service: Service, cypher: Run
) -> None:
    await service.remember([turn("a", 41), turn("b")])
    assert [m["sequence"] for m in assert_whole(cypher, HOME, "s")] == [41, 42]


@settings(
    derandomize=True,
    max_examples=25,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    order=st.permutations(SEQUENCES),
    cuts=st.sets(st.integers(1, len(SEQUENCES) - 1)),
)
@example(order=list(SEQUENCES), cuts=set())
@example(order=list(reversed(SEQUENCES)), cuts=set())
@example(order=[0, 13, 2, 5, 8, 1, -3, 2_000_000_000], cuts={2})
async def test_any_order_of_arrival_and_any_batches_make_one_chain_in_order(
    service: Service, cypher: Run, order: list[int], cuts: set[int]
) -> None:
    session_id = f"session {next(names)}"
    edges = [0, *sorted(cuts), len(order)]
    for start, end in pairwise(edges):
        rows = [turn(f"turn {s}", s, session_id) for s in order[start:end]]
        saved = await service.remember(rows)
        assert {answer.status for answer in saved} == {"created"}
        assert_whole(cypher, HOME, session_id)
    ordered = assert_whole(cypher, HOME, session_id)
    assert [m["sequence"] for m in ordered] == sorted(SEQUENCES)


async def test_a_taken_sequence_is_refused(service: Service, cypher: Run) -> None:
    await service.remember([turn("a", 1)])
    saved = await service.remember([turn("b", 1), turn("c", 2), turn("d", 2)])
    assert [answer.status for answer in saved] == ["rejected", "created", "rejected"]
    assert {answer.field for answer in saved} == {None, "sequence"}
    assert [m["text"] for m in assert_whole(cypher, HOME, "s")] == ["a", "c"]


async def test_the_same_turn_sent_again_keeps_its_place(service: Service, cypher: Run) -> None:
    rows = [turn("a", 1), turn("b", 2)]
    await service.remember(rows)
    saved = await service.remember(rows)
    assert {answer.status for answer in saved} == {"duplicate"}
    assert len(assert_whole(cypher, HOME, "s")) == 2


async def test_a_stored_memory_keeps_its_session(service: Service, cypher: Run) -> None:
    await service.remember([NewMemory(HOME, "a", external_id="e", session_id="s")])
    [saved] = await service.remember([NewMemory(HOME, "b", external_id="e", session_id="t")])
    assert (saved.status, saved.field) == ("rejected", "session_id")
    assert cypher("MATCH (m:Memory) RETURN m.text AS text") == [{"text": "a"}]


async def test_an_update_renews_what_its_neighbours_are_found_by(
    service: Service, cypher: Run
) -> None:
    rows = [
        NewMemory(HOME, f"turn {i}", external_id=f"e{i}", session_id="s", sequence=i)
        for i in range(4)
    ]
    await service.remember(rows)
    await service.remember([NewMemory(HOME, "changed", external_id="e1", session_id="s")])
    said = [m["text"] for m in assert_whole(cypher, HOME, "s")]
    assert said == ["turn 0", "changed", "turn 2", "turn 3"]


@pytest.mark.parametrize("place", range(4))
async def test_a_deleted_turn_is_closed_over(
    service: Service, cypher: Run, anna: Caller, place: int
) -> None:
    saved = await service.remember([turn(f"turn {i}") for i in range(4)])
    await service.delete_memory(anna, saved[place].uid or "")
    said = [m["text"] for m in assert_whole(cypher, HOME, "s")]
    assert said == [f"turn {i}" for i in range(4) if i != place]
    await service.remember([turn("next")])
    assert assert_whole(cypher, HOME, "s")[-1]["text"] == "next"


async def test_an_emptied_session_leaves_nothing_and_can_begin_again(
    service: Service, cypher: Run, anna: Caller
) -> None:
    saved = await service.remember([turn("a"), turn("b")])
    for answer in saved:
        await service.delete_memory(anna, answer.uid or "")
    assert assert_whole(cypher, HOME, "s") == []
    await service.remember([turn("again")])
    assert [m["sequence"] for m in assert_whole(cypher, HOME, "s")] == [0]


async def test_inserts_updates_and_deletes_in_any_order_keep_the_chain(
    service: Service, cypher: Run, anna: Caller
) -> None:
    rng = random.Random(7)  # noqa: S311 -- a fixed mix of steps
    free, stored = list(range(40)), list[int]()
    for step in range(40):
        choice = rng.random()
        if choice < 0.55 or not stored:
            place = free.pop(rng.randrange(len(free)))
            stored.append(place)
            text = f"turn {place}"
        elif choice < 0.8:
            place = stored.pop(rng.randrange(len(stored)))
            await service.delete_memory(anna, f"external:{place}")
            continue
        else:
            place = rng.choice(stored)
            text = f"turn {place} at {step}"
        row = NewMemory(HOME, text, external_id=str(place), session_id="s", sequence=place)
        [saved] = await service.remember([row])
        assert saved.status in {"created", "updated"}, saved
    assert [m["sequence"] for m in assert_whole(cypher, HOME, "s")] == sorted(stored)


async def test_concurrent_appends_to_one_session_make_one_unbroken_chain(
    service: Service, cypher: Run
) -> None:
    await asyncio.gather(
        *(service.remember([turn(f"{i}a"), turn(f"{i}b")]) for i in range(12))
    )  # fmt: skip
    ordered = assert_whole(cypher, HOME, "s")
    assert len(ordered) == 24
    said = [m["text"] for m in ordered]
    assert all(said.index(f"{i}b") == said.index(f"{i}a") + 1 for i in range(12))


async def test_concurrent_writers_of_one_place_give_it_to_one(
    service: Service, cypher: Run
) -> None:
    answers = await asyncio.gather(*(service.remember([turn(f"w{i}", 5)]) for i in range(8)))
    statuses = sorted(saved.status for (saved,) in answers)
    assert statuses == ["created", *["rejected"] * 7]
    assert len(assert_whole(cypher, HOME, "s")) == 1


async def test_concurrent_batches_over_several_sessions_do_not_lock_each_other_out(
    service: Service, cypher: Run
) -> None:
    order = [["s1", "s2", "s3"], ["s3", "s2", "s1"], ["s2", "s3", "s1"]] * 4
    await asyncio.gather(
        *(
            service.remember([turn(f"{i} in {name}", None, name) for name in batch])
            for i, batch in enumerate(order)
        )
    )
    for name in ("s1", "s2", "s3"):
        assert len(assert_whole(cypher, HOME, name)) == 12


async def test_two_deletes_of_one_turn_leave_one_chain_and_no_empty_session(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [saved] = await service.remember([turn("only")])
    await asyncio.gather(
        *(service.delete_memory(anna, saved.uid or "") for _ in range(4)), return_exceptions=True
    )
    assert assert_whole(cypher, HOME, "s") == []


async def test_deletes_and_appends_at_once_keep_the_chain(
    service: Service, cypher: Run, anna: Caller
) -> None:
    saved = await service.remember([turn(f"turn {i}") for i in range(10)])
    await asyncio.gather(
        *(service.delete_memory(anna, answer.uid or "") for answer in saved[::2]),
        *(service.remember([turn(f"late {i}")]) for i in range(5)),
    )
    assert len(assert_whole(cypher, HOME, "s")) == 10


async def test_a_session_of_the_same_name_in_another_scope_is_untouched(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    mine = [await remember(anna, f"mine {i}", session_id="s") for i in range(3)]
    his = [await remember(bert, f"his {i}", session_id="s") for i in range(3)]
    before = assert_whole(cypher, bert.home, "s")
    assert [m["sequence"] for m in before] == [0, 1, 2]
    await service.delete_memory(anna, mine[2])
    await service.remember([NewMemory(HOME, "mine between", session_id="s", sequence=-1)])
    assert assert_whole(cypher, bert.home, "s") == before
    assert [m["uid"] for m in before] == his
    assert len(assert_whole(cypher, HOME, "s")) == 3
