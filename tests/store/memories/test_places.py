"""Places in sessions: one that was given once is never given again, whatever went since or stands archived."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Erasure
from graph.model.memories.memory import NewMemory
from graph.store.memories.removing import remove_memories
from service.bootstrap import Service
from service.use_cases.consolidation.consolidate import CLUSTERS_AT_ONCE, UNKNOWN_CONSOLIDATION
from service.use_cases.kernel.runs import UndoRun
from tests.conftest import Run
from tests.store.erasure.test_checking import checked
from tests.store.reading import aged, assert_whole

HOME = "local/agent/anna"
SAID = [
    "Ada asked for the report of the Turin office on 3 May.",
    "The report of the Turin office was sent to Ada on 4 May.",
]


async def say(service: Service, *texts: str, sequence: int | None = None) -> list[str]:
    rows = [
        NewMemory(HOME, text, agent_id="anna", session_id="s", sequence=sequence, stratum="episodic")
        for text in texts
    ]  # fmt: skip
    return [answer.uid or answer.error or "" for answer in await service.remember(rows)]


async def condense(service: Service, cypher: Run) -> tuple[str, str]:
    """Condense the session; return the run and what it made."""
    done = await service.consolidate(Caller("local", "anna"), dry_run=False, everything=True)
    assert done.run is not None
    [made] = cypher("MATCH (m:Memory)-[:PROMOTED_FROM]->() RETURN DISTINCT m.uid AS uid")
    return done.run.uid, made["uid"]


async def erase(service: Service, anna: Caller, uid: str) -> Erasure:
    whole = replace(service.erase, most=timedelta(minutes=5))
    return await replace(service.delete_memory, erase=whole)(anna, uid)


async def lose(service: Service, uid: str) -> None:
    """Remove a memory and leave what it was made of, as what is over or does not fit goes."""
    now = datetime.now(UTC)
    await service.database.write(lambda tx: remove_memories(tx, {uid: None}, now))


def places(cypher: Run) -> list[tuple[int, str]]:
    rows = cypher(
        "MATCH (m:Memory {session_id: 's'}) WHERE m.sequence IS NOT NULL "
        "RETURN m.sequence AS place, m.text AS text ORDER BY place, text"
    )
    return [(row["place"], row["text"]) for row in rows]


async def test_who_comes_after_a_deleted_end_takes_no_place_of_an_archived_source(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await say(service, *SAID)
    run, _ = await condense(service, cypher)
    [last] = await say(service, "Thank you.")
    await erase(service, anna, last)
    await say(service, "One more thing.")
    await UndoRun(
        service.consolidate.consolidation.store,
        clock=service.clock,
        at_once=CLUSTERS_AT_ONCE,
        unknown=UNKNOWN_CONSOLIDATION,
    )(anna, run)
    assert places(cypher) == [*enumerate(SAID), (3, "One more thing.")]
    assert_whole(cypher, HOME, "s")


async def test_a_place_between_the_last_memory_and_the_last_place_is_at_the_end(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await say(service, *SAID, "Thank you.", "Good bye.")
    for uid in [
        row["uid"] for row in cypher("MATCH (m:Memory) WHERE m.sequence > 1 RETURN m.uid AS uid")
    ]:
        await erase(service, anna, uid)  # fmt: skip
    await say(service, "Said by its place.", sequence=2)
    assert_whole(cypher, HOME, "s")
    await say(service, "Said at the end.")
    assert [place for place, _ in places(cypher)] == [0, 1, 2, 4]
    assert_whole(cypher, HOME, "s")


async def test_the_place_of_an_archived_source_cannot_be_asked_for(
    service: Service, cypher: Run
) -> None:
    await say(service, *SAID)
    await condense(service, cypher)
    for place in (0, 1):
        [answer] = await say(service, "Me too.", sequence=place)
        assert answer == "sequence: this place in the session is taken"


async def test_a_session_of_archived_sources_alone_keeps_their_places(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await say(service, *SAID)
    _, made = await condense(service, cypher)
    await lose(service, made)
    assert places(cypher) == []
    [ends] = cypher("MATCH (s:Session) RETURN s.last_sequence AS last, s.tail_uid AS tail")
    assert ends == {"last": 1, "tail": None}
    assert set(await checked(service)) == {"stranded"}
    await say(service, "One more thing.")
    aged(cypher)
    assert set(await checked(service, repair=True)) == {"stranded"}
    assert places(cypher) == [*enumerate(SAID), (2, "One more thing.")]
    assert_whole(cypher, HOME, "s")
    assert await checked(service) == {}


async def test_an_erased_session_takes_stranded_sources_along_and_begins_anew(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await say(service, *SAID)
    _, made = await condense(service, cypher)
    await lose(service, made)
    await replace(service.erase, most=timedelta(minutes=5)).session(anna, "s")
    assert cypher("MATCH (n) WHERE n:Memory OR n:Session RETURN n") == []
    await say(service, "From the beginning.")
    assert places(cypher) == [(0, "From the beginning.")]
