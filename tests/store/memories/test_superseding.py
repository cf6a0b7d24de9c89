"""Memories that replace others, found in the background, and until when what is replaced holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from cypher import QUERIES
from graph.embedding.sentence import SentenceEmbedder
from graph.kernel.errors import ConflictError, InvalidInputError
from graph.kernel.scope import Caller
from graph.kernel.values import END, Floats
from graph.replacing.detection import Fact, Replacement
from graph.store.memories.removing import remove_memories
from service.bootstrap import Service
from service.use_cases.memories import replacing
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import linked

MARCH, APRIL, MAY = (datetime(2026, month, 1, 9, tzinfo=UTC) for month in (3, 4, 5))
OLD, NEW = "Lena lives in Hamburg.", "Lena lives in Berlin now."


def _by_cue(newer: Fact, older: Fact, similarity: float) -> Replacement | None:
    """Stand in for what is detected: a text with 'now' replaces the earlier ones of its first word."""
    same = newer.text.split()[0] == older.text.split()[0]
    cue = "now" in newer.text.split() or newer.text.endswith(" now.")
    if not (same and cue) or newer.text == older.text or similarity <= 0:
        return None
    return Replacement(0.5 if "perhaps" in newer.text else 0.9, "says: now")


@pytest.fixture(autouse=True)
def by_cue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacing, "replacement", _by_cue)
    monkeypatch.setattr(SentenceEmbedder, "reader", None)


def edges(cypher: Run) -> list[tuple[str, str, float, bool]]:
    rows = cypher(
        "MATCH (n:Memory)-[r:SUPERSEDES]->(o:Memory) "
        "RETURN n.text AS n, o.text AS o, r.confidence AS c, r.ends AS e ORDER BY n, o"
    )
    return [(row["n"], row["o"], row["c"], row["e"]) for row in rows]


def assert_held(cypher: Run) -> None:
    """Each memory holds until the least of the end that was given and of what ends it, and its key says so."""
    rows = cypher(
        "MATCH (m:Memory) RETURN m.text AS text, m.valid_to AS until, m.held_until AS given, "
        "[key IN m.keys WHERE key STARTS WITH 't'] AS keys, "
        "[(n:Memory)-[r:SUPERSEDES]->(m) WHERE r.ends | r.since] AS sinces, "
        "[(n:Memory)-[r:SUPERSEDES]->(m) WHERE r.decisive AND r.since >= m.occurred_at "
        " AND n.state = 'active' | r.since] AS due"
    )
    for row in rows:
        sinces = [since.to_native() for since in row["sinces"]]
        assert sorted(sinces) == sorted(since.to_native() for since in row["due"]), row["text"]
        until = row["until"].to_native()
        assert (row["given"] is not None) == bool(sinces), row["text"]
        if sinces:
            assert until == min([row["given"].to_native(), *sinces]), row["text"]
        assert bool(row["keys"]) == (until != END), row["text"]


async def test_the_background_finds_what_replaces_what(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    await linked(service)
    new = await remember(anna, NEW, occurred_at=APRIL)
    await remember(anna, "Lena is allergic to peanuts.", occurred_at=MAY)
    await linked(service)
    assert edges(cypher) == [(NEW, OLD, 0.9, True)]
    memory = await service.get_memory(anna, old)
    assert memory.valid_to == APRIL
    [by] = memory.replaced_by
    assert (by.uid, by.evidence, by.found_by) == (new, "says: now", "detected")
    assert_held(cypher)
    await service.events.flush()
    told = cypher("MATCH (e:Event {name: 'memory:superseded'}) RETURN e.data AS data")
    assert len([row for row in told if old in row["data"] and new in row["data"]]) == 1


async def test_a_fact_that_comes_late_is_replaced_too(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    await remember(anna, OLD, occurred_at=MARCH)
    await linked(service)
    assert edges(cypher) == [(NEW, OLD, 0.9, True)]
    assert_held(cypher)


async def test_of_three_all_are_found_and_each_ends_when_the_next_begins(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    first = await remember(anna, OLD, occurred_at=MARCH)
    second = await remember(anna, NEW, occurred_at=APRIL)
    third = await remember(anna, "Lena lives in Oslo now.", occurred_at=MAY)
    await linked(service)
    assert len(edges(cypher)) == 3
    until = [(await service.get_memory(anna, uid)).valid_to for uid in (first, second, third)]
    assert until == [APRIL, MAY, None]
    await service.undo_supersession(anna, second, first)
    assert (await service.get_memory(anna, first)).valid_to == MAY
    assert_held(cypher)


async def test_what_holds_from_a_later_day_on_ends_the_older_only_then(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    first = await remember(anna, OLD, occurred_at=MARCH)
    moving = "Lena now lives in Berlin, starting 1 May."
    second = await remember(anna, moving, occurred_at=APRIL)
    await linked(service)
    until = datetime(2026, 5, 1, tzinfo=UTC)
    assert (await service.get_memory(anna, first)).valid_to == until
    for days, held in ((-1, {first, second}), (1, {second})):
        asked = RecallRequest(
            anna, "Where does Lena live?", as_of=until + timedelta(days=days), min_relevance=0.0
        )
        while {each.memory.uid for each in (await service.recall(asked)).results} != held:
            await asyncio.sleep(0.05)  # until the indexes show both
    # another day of the note leaves the day that it names
    await service.amend_memory(anna, second, {"occurred_at": APRIL + timedelta(days=2)})
    assert (await service.get_memory(anna, first)).valid_to == until
    assert_held(cypher)


async def test_what_is_not_sure_enough_ends_nothing(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    await remember(anna, "Lena perhaps lives in Berlin now.", occurred_at=APRIL)
    await linked(service)
    assert [edge[2:] for edge in edges(cypher)] == [(0.5, False)]
    memory = await service.get_memory(anna, old)
    assert (memory.valid_to, memory.replaced_by[0].ends) == (None, False)
    assert_held(cypher)


class Doubting:
    """Reader to whom every later note may replace every earlier one, and every note answers."""

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        return np.array([(0.3, 0.1)] * len(pairs)).reshape(-1, 2)

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        raise NotImplementedError

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        return np.ones(len(notes))

    def answers_instead(self, question: str, notes: Sequence[tuple[str, str]]) -> Floats:
        return np.full(len(notes), 4.0)


async def test_what_is_suspected_ends_nothing_and_orders_what_answers_one_question(
    service: Service,
    cypher: Run,
    anna: Caller,
    remember: Remembers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suspected = (
        "MATCH (n:Memory)-[r:MAY_SUPERSEDE]->(o:Memory) "
        "RETURN n.text AS n, o.text AS o, r.confidence AS c ORDER BY n, o"
    )
    gus, marit = "Gus mixes front of house for us.", "Marit does front of house."
    old = await remember(anna, gus, occurred_at=MARCH)
    new = await remember(anna, marit, occurred_at=APRIL)
    monkeypatch.setattr(SentenceEmbedder, "reader", Doubting())
    await linked(service)
    assert [tuple(row.values()) for row in cypher(suspected)] == [(marit, gus, 0.4)]
    assert edges(cypher) == []
    assert (await service.get_memory(anna, old)).replaced_by == ()
    answer = await service.recall(RecallRequest(anna, text="Who mixes front of house?"))
    assert [result.memory.text for result in answer.results][:2] == [marit, gus]
    await service.amend_memory(anna, old, {"text": "Gus mixed front of house."})
    assert cypher(suspected) == []
    await linked(service)
    assert len(cypher(suspected)) == 1
    await service.undo_supersession(anna, new, old)
    assert cypher(suspected) == []


async def test_what_was_taken_back_is_never_found_again(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    new = await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    await service.undo_supersession(anna, new, old)
    assert edges(cypher) == []
    for uid in (old, new):
        await service.amend_memory(anna, uid, {"importance": 5})
    await linked(service)
    assert edges(cypher) == []
    assert_held(cypher)


async def test_another_text_is_looked_at_anew(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    new = await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    await service.amend_memory(anna, new, {"text": "Lena likes Berlin."})
    assert edges(cypher) == []
    assert (await service.get_memory(anna, old)).valid_to is None
    await linked(service)
    assert edges(cypher) == []
    await service.amend_memory(anna, new, {"text": "Lena lives in Bonn now."})
    await linked(service)
    assert len(edges(cypher)) == 1
    await service.amend_memory(anna, old, {"text": "Mona lives in Hamburg."})
    assert edges(cypher) == []
    assert_held(cypher)


async def test_nothing_is_replaced_across_scopes_kinds_or_records(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    await remember(bert, OLD, occurred_at=MARCH)
    await remember(anna, OLD, occurred_at=MARCH, kind="episode")
    await remember(anna, "Lena lives in Kiel.", occurred_at=MARCH, structured={"city": "Kiel"})
    await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    assert edges(cypher) == []


async def test_at_one_moment_the_later_in_a_session_replaces_and_else_nothing_does(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "Lena now lives in Kiel.", occurred_at=MARCH, session_id="s", sequence=2)
    await remember(anna, "Lena now lives in Bonn.", occurred_at=MARCH, session_id="s", sequence=1)
    await linked(service)
    assert [edge[:2] for edge in edges(cypher)] == [
        ("Lena now lives in Kiel.", "Lena now lives in Bonn.")
    ]
    assert_held(cypher)


async def test_what_replaced_is_purged_and_what_it_replaced_stays_ended(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, now: datetime
) -> None:
    """Nobody wanted it gone, so what it said still holds for what it replaced."""
    old = await remember(anna, OLD, occurred_at=MARCH)
    new = await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    await service.database.write(lambda tx: remove_memories(tx, {new: None}, now))
    memory = await service.get_memory(anna, old)
    assert (memory.valid_to, memory.replaced_by) == (APRIL, ())
    assert_held(cypher)


async def test_what_replaced_is_erased_and_what_it_replaced_holds_again(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    new = await remember(anna, NEW, occurred_at=APRIL, session_id="s")
    await linked(service)
    await service.delete_memory(anna, new)
    assert (await service.get_memory(anna, old)).valid_to is None
    assert_held(cypher)


async def test_a_copy_holds_as_long_as_what_it_was_published_from(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    channel = Caller("local", "anna", ("desk",))
    await service.join_channels(channel)
    copy = (await service.publish_memory(channel, old)).uid
    new = await remember(anna, NEW, occurred_at=APRIL)
    await service.state_supersession(anna, new, old)
    assert (await service.get_memory(channel, copy)).valid_to == APRIL
    await service.undo_supersession(anna, new, old)
    assert (await service.get_memory(channel, copy)).valid_to is None
    with pytest.raises((ConflictError, InvalidInputError)):
        await service.state_supersession(channel, new, copy)


async def test_whoever_writes_at_once_leaves_each_end_where_its_edges_say(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, OLD, occurred_at=MARCH)
    newer = [
        await remember(anna, f"Lena lives in city {n} now.", occurred_at=APRIL + timedelta(days=n))
        for n in range(3)
    ]
    await asyncio.gather(
        linked(service),
        *(service.state_supersession(anna, uid, old) for uid in newer),
        service.undo_supersession(anna, newer[0], old),
        service.amend_memory(anna, newer[1], {"text": "Lena is away."}),
        service.delete_memory(anna, newer[2]),
        return_exceptions=True,
    )
    assert_held(cypher)


async def test_what_replaced_what_is_told_in_browser(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, OLD, occurred_at=MARCH)
    await remember(anna, NEW, occurred_at=APRIL)
    await linked(service)
    question = QUERIES["analytics.what_replaced_what"]
    [row] = cypher(question.text, scope="agent/anna", limit=10)
    assert (row["newer"], row["older"], row["found_by"], row["ends"]) == (
        NEW,
        OLD,
        "detected",
        True,
    )
    assert cypher(question.text, scope="agent/bert", limit=10) == []
