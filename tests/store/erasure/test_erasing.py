"""Erasing: nothing names who was erased, nothing of others is touched, and whoever is cut off goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph.kernel.errors import DatabaseError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Erasure, Subject
from graph.model.memories.links import Lease
from graph.model.utility.rewards import UsedName
from graph.store.erasure.store import ErasureStore
from graph.store.operation.embedding import EmbeddingStore
from service.bootstrap import Service
from service.use_cases.erasure.erase import Erase
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Recalls, Remembers, Run
from tests.store.erasing import (
    CHANNEL,
    SECRET,
    WHO,
    condensed,
    labels,
    left_by,
    naming,
    published,
    standing,
    state_of,
)
from tests.store.erasure.test_checking import checked
from tests.store.keeping import kept
from tests.store.reading import job_of, lease_of, linked

ZOE = Caller("local", WHO)


def patient(service: Service) -> Erase:
    """Return what erases to the end, however slow the machine is."""
    return replace(service.erase, most=timedelta(minutes=5))


async def two_agents(service: Service, cypher: Run) -> dict[str, str]:
    await left_by(service, cypher, "bert", "mundane")
    uids = await left_by(service, cypher, WHO, SECRET)
    await linked(service)
    return uids


async def test_nothing_names_an_erased_agent_and_nothing_of_others_changes(
    service: Service, cypher: Run
) -> None:
    await two_agents(service, cypher)
    assert naming(cypher, WHO, SECRET)
    before = standing(cypher, WHO, SECRET)
    erasure = await patient(service).owner(ZOE)
    assert (erasure.state, erasure.kind, erasure.stage, erasure.subject) == (
        "done", "agent", None, None,
    )  # fmt: skip
    assert naming(cypher, WHO, SECRET) == []
    after = standing(cypher, WHO, SECRET)
    assert [line for line in before if line not in after] == []
    assert labels(cypher)["Agent"] == 1


async def test_the_receipt_counts_what_went_by_label(service: Service, cypher: Run) -> None:
    await left_by(service, cypher, WHO, SECRET)
    await linked(service)
    await service.events.flush()
    before = labels(cypher)
    erasure = await patient(service).owner(ZOE)
    after = labels(cypher)
    for label in ("Memory", "Version", "Term", "Reward", "Task", "Surprise", "Prediction",
                  "Momentum", "SurprisePlugin", "Cycle", "CycleLearning", "Session", "Event",
                  "Execution", "MemoryPattern", "LearnedInsight", "UserPreference", "Correction"):  # fmt: skip
        went = before[label] - after.get(label, 0)
        assert went > 0, label
        assert erasure.counts.get(label, 0) == went, label
    assert erasure.hidden == before["Memory"]
    assert erasure == await service.show_erasure("local", erasure.uid)
    with pytest.raises(NotFoundError):
        await service.show_erasure("other", erasure.uid)
    assert erasure.digest == Subject("agent", f"local/agent/{WHO}", WHO).digest(erasure.uid)


async def test_an_agent_of_another_tenant_stays(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await remember(ZOE, "here")
    await remember(Caller("other", WHO), "there", agent_id=WHO)
    await patient(service).owner(ZOE)
    assert cypher("MATCH (m:Memory) RETURN m.text AS text") == [{"text": "there"}]
    assert cypher("MATCH (s:Scope) RETURN s.scope AS scope") == [{"scope": f"other/agent/{WHO}"}]


async def test_what_is_not_there_cannot_be_erased(service: Service, anna: Caller) -> None:
    with pytest.raises(NotFoundError, match="no such agent"):
        await patient(service).owner(anna)
    with pytest.raises(NotFoundError, match="no such user"):
        await patient(service).owner(Caller("local", user_ids=("u",)))
    with pytest.raises(NotFoundError, match="no such session"):
        await patient(service).session(anna, "s")


async def test_a_user_goes_from_the_memories_of_agents_too(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    ursula = Caller("local", user_ids=("ursula",))
    await remember(ursula, "her own")
    await remember(anna, "of ursula", user_id="ursula", agent_id="anna")
    await remember(anna, "of vera", user_id="vera", agent_id="anna")
    erasure = await patient(service).owner(ursula)
    assert erasure.counts["Memory"] == 2
    assert cypher("MATCH (m:Memory) RETURN m.text AS text") == [{"text": "of vera"}]
    assert naming(cypher, "ursula") == []


async def test_a_session_goes_in_one_scope(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    await remember(anna, "first", session_id="s")
    await remember(anna, "second", session_id="s")
    await remember(anna, "other", session_id="t")
    await remember(bert, "same name", session_id="s")
    erasure = await patient(service).session(anna, "s")
    assert (erasure.counts["Memory"], erasure.counts["Session"]) == (2, 1)
    rows = cypher("MATCH (m:Memory) RETURN m.text AS text ORDER BY text")
    assert [row["text"] for row in rows] == ["other", "same name"]
    assert labels(cypher)["Session"] == 2


async def test_a_copy_goes_with_its_original_and_what_was_made_of_the_copy(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    original = await remember(anna, f"{SECRET} idea")
    public = await remember(Caller("local", "bert", ("ops",)), "of bert")
    published(cypher, "copy", original, CHANNEL)
    condensed(cypher, "made", f"{SECRET} and bert", ["copy", public])
    erasure = await replace(service.delete_memory, erase=patient(service))(anna, original)
    assert erasure.counts == {"Memory": 3, "copies": 1, "derived": 1, "restored": 1}
    assert naming(cypher, SECRET) == []
    assert state_of(cypher, public) == "active"


async def test_sources_come_back_when_what_stood_for_them_goes(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, recall: Recalls
) -> None:
    goes = await remember(anna, "the goose flew over the harbour")
    stays = await remember(anna, "the gander flew over the harbour")
    twice = await remember(anna, "the duck flew over the harbour")
    changed = await remember(anna, "the swan flew over the harbour")
    condensed(cypher, "other", "the duck", [twice], run="r2")
    condensed(cypher, "made", "birds over the harbour", [goes, stays, twice, changed])
    cypher("MATCH (m:Memory {uid: $uid}) SET m.condensed_by = 'r9'", uid=changed)
    erasure = await replace(service.delete_memory, erase=patient(service))(anna, goes)
    assert (erasure.counts["derived"], erasure.counts["restored"]) == (1, 1)
    states = [state_of(cypher, uid) for uid in (goes, "made", stays, twice, changed)]
    assert states == [None, None, "active", "archived", "archived"]
    answer = await recall(anna, "gander harbour")
    assert stays in {result.memory.uid for result in answer.results}
    assert cypher("MATCH (m:Memory {uid: $uid}) RETURN m.condensed_by AS by", uid=stays) == [
        {"by": None}
    ]


async def condensed_start(cypher: Run, remember: Remembers, anna: Caller) -> list[str]:
    """Let a condensed memory stand in a session for the first two of three, as a consolidation does."""
    uids = [await remember(anna, text, session_id="s") for text in ("one", "two", "three")]
    condensed(cypher, "made", "one and two", uids[:2])
    cypher(
        "MATCH (made:Memory {uid: 'made'}), (last:Memory {uid: $last}) UNWIND $sources AS uid "
        "MATCH (m:Memory {uid: uid}) OPTIONAL MATCH (m)-[r:NEXT]->() DELETE r "
        "SET m.stood_at = m.sequence REMOVE m.sequence WITH DISTINCT made, last "
        "SET made.session_id = 's', made.sequence = 0 MERGE (made)-[:NEXT]->(last)",
        last=uids[2],
        sources=uids[:2],
    )
    return uids


async def test_sources_stand_in_their_session_again(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uids = await condensed_start(cypher, remember, anna)
    await replace(service.delete_memory, erase=patient(service))(anna, uids[1])
    rows = cypher("MATCH (a:Memory)-[:NEXT]->(b:Memory) RETURN a.text AS a, b.text AS b")
    assert rows == [{"a": "one", "b": "three"}]
    rows = cypher(
        "MATCH (m:Memory) RETURN m.sequence AS at, m.stood_at AS stood, m.context_text AS text ORDER BY at"
    )
    assert [tuple(row.values()) for row in rows] == [
        (0, None, "one\nthree"),
        (2, None, "one\nthree"),
    ]


async def test_a_session_goes_with_what_left_its_places(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await condensed_start(cypher, remember, anna)
    erasure = await patient(service).session(anna, "s")
    assert (erasure.counts["Memory"], erasure.counts["Session"]) == (4, 1)
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_a_reward_that_others_keep_loses_only_the_names(
    service: Service, cypher: Run, bert: Caller, remember: Remembers
) -> None:
    both = Caller("local", WHO, ("ops",))
    theirs = await remember(
        Caller("local", channel_ids=("ops",)), "of the channel", agent_id="bert"
    )
    await service.recall(RecallRequest(both, text="of the channel", task_id="t"))
    await service.report_outcome(both, "t", "success", 1.0, used=[UsedName(theirs)])
    cypher("MATCH (w:Reward) SET w.reason = 'hers', w.actor = $actor", actor=f"agent/{WHO}")
    cypher("CREATE (:Reward {uid: 'of bert', tenant: 'local', scope: 'local/agent/bert', "
           "reason: 'as ' + $who + ' said', actor: 'agent/bert'}) "
           "CREATE (:Reward {uid: 'unlike', tenant: 'local', scope: 'local/agent/bert', "
           "reason: 'as ' + $who + 'a said', actor: 'agent/bert'})", who=WHO)  # fmt: skip
    q = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.q_value AS q", uid=theirs)
    await patient(service).owner(Caller("local", WHO))
    rewards = cypher("MATCH (w:Reward) RETURN w.uid AS uid, w.scope AS scope, w.reason AS reason, "
                     "w.task_id AS task, w.actor AS actor, COUNT {(w)-[:REWARDED]->()} AS n ORDER BY scope, reason")  # fmt: skip
    kept = [(row["scope"], row["reason"], row["task"], row["actor"], row["n"]) for row in rewards]
    assert kept == [
        ("local/agent/bert", f"as {WHO}a said", None, "agent/bert", 0),
        ("local/agent/bert", None, None, "agent/bert", 0),
        (CHANNEL, None, None, None, 1),
    ]
    assert cypher("MATCH (m:Memory {uid: $uid}) RETURN m.q_value AS q", uid=theirs) == q


async def test_events_that_name_an_erased_memory_go(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    goes, stays = await remember(anna, "goes"), await remember(anna, "stays")
    for uid, seq in ((goes, 1), (stays, 2)):
        cypher("CREATE (:Event {uid: 'event-number-' + $seq, tenant: 'local', scope: 'local/agent/bert', agent_id: 'bert', "
               "name: 'memory:superseded', seq: $seq, at: datetime(), expires_at: datetime('9999-01-01T00:00:00Z'), "
               "data: '{\"uid\":\"' + $uid + '\"}'})", uid=uid, seq=seq)  # fmt: skip
    erasure = await replace(service.delete_memory, erase=patient(service))(anna, goes)
    assert erasure.counts["Event"] == 1
    # Others may come from the buffer of events, which an erasure empties first.
    left = cypher("MATCH (e:Event) WHERE e.uid STARTS WITH 'event-number-' RETURN e.seq AS seq")
    assert [row["seq"] for row in left] == [2]


async def test_the_context_of_neighbours_and_speakers_are_told_anew(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    channel = Caller("local", channel_ids=("ops",))
    await remember(channel, "before", agent_id="bert", session_id="s", speaker="Bert")
    await remember(channel, SECRET, agent_id=WHO, session_id="s", speaker="Zoe")
    await remember(channel, "after", agent_id="bert", session_id="s", speaker="Bert")
    await patient(service).owner(Caller("local", WHO))
    rows = cypher("MATCH (m:Memory) RETURN m.context_text AS text ORDER BY m.sequence")
    assert [row["text"] for row in rows] == ["before\nafter", "before\nafter"]
    [scope] = cypher("MATCH (s:Scope) RETURN s.speakers AS speakers")
    assert scope["speakers"] == ["Bert"]
    assert len(cypher("MATCH (:Memory {text: 'before'})-[:NEXT]->(n) RETURN n")) == 1


async def test_a_scope_of_others_in_which_nothing_is_left_goes_too(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await remember(Caller("local", channel_ids=("ops",)), "alone here", agent_id=WHO)
    erasure = await patient(service).owner(Caller("local", WHO))
    assert cypher("MATCH (s:Scope) RETURN s.scope") == []
    assert erasure.counts["Scope"] == 1


class Stopping(ErasureStore):
    """Raises instead of the step after so many."""

    left = 0

    async def step(
        self, uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> Erasure | None:
        if not self.left:
            raise DatabaseError("stopped")
        self.left -= 1
        return await super().step(uid, now, limit, lease)


async def test_cut_off_after_any_step_the_worker_goes_on_and_the_subject_stays_hidden(
    service: Service, cypher: Run
) -> None:
    await two_agents(service, cypher)
    before, give_back = standing(cypher, WHO, SECRET), kept(cypher)
    steps = 0
    while True:
        give_back()
        store = Stopping(service.database)
        store.left = steps
        erase = replace(patient(service), store=store)
        try:
            await erase.owner(ZOE)
        except DatabaseError:
            pass
        else:
            break
        [run] = cypher("MATCH (r:Run) RETURN r.uid AS uid, r.state AS state")
        assert run["state"] == "running"
        if steps > 1:
            answer = await service.recall(RecallRequest(ZOE, text=f"{SECRET} plan"))
            assert answer.results == ()
        job, lease = job_of(service, "erase"), await lease_of(service)
        now = datetime.now(UTC)
        while (await service.show_erasure("local", run["uid"])).state == "running":
            assert await job.step(now, lease) == 1
        assert await job.step(now, lease) == 0
        await service.leases.release(lease)
        assert naming(cypher, WHO, SECRET) == []
        after = standing(cypher, WHO, SECRET)
        assert [line for line in before if line not in after] == []
        steps += 1
    assert steps > 4


async def test_in_small_batches_it_comes_to_the_same(service: Service, cypher: Run) -> None:
    uids = await two_agents(service, cypher)
    condensed(cypher, "made", SECRET, [uids["channel"], uids["ferrars"]])
    store = ErasureStore(service.database)
    now = datetime.now(UTC)
    begun = await store.begin("run", Subject("agent", ZOE.home, WHO), now)
    assert begun is not None
    again = await store.begin("run2", Subject("agent", ZOE.home, WHO), now)
    assert again is not None
    assert again.uid == "run"
    steps = 0
    while (erasure := await store.step("run", now, 1, None)) and erasure.state == "running":
        steps += 1
    assert steps > 20
    assert naming(cypher, WHO, SECRET) == []
    assert erasure is not None
    assert erasure.counts["derived"] == 1


async def test_what_is_written_meanwhile_goes_too_and_what_comes_after_stays(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await remember(ZOE, "before", agent_id=WHO, external_id="x")
    store, now = ErasureStore(service.database), datetime.now(UTC)
    await store.begin("run", Subject("agent", ZOE.home, WHO), now)
    await store.step("run", now, 1000, None)
    meanwhile = await remember(ZOE, "meanwhile", agent_id=WHO, external_id="x")
    erasure = await store.step("run", now, 1000, None)
    while erasure and erasure.state == "running":
        erasure = await store.step("run", now, 1000, None)
    assert state_of(cypher, meanwhile) is None
    assert erasure is not None
    assert erasure.counts["Memory"] == 2
    after = await remember(ZOE, "after", agent_id=WHO, external_id="x")
    assert (await store.step("run", now, 1000, None)) == erasure
    assert state_of(cypher, after) == "active"


async def test_the_door_stops_after_its_time_and_the_subject_is_hidden(
    service: Service, remember: Remembers
) -> None:
    await remember(ZOE, f"{SECRET} plan", agent_id=WHO)
    erase = replace(service.erase, most=timedelta(0))
    erasure = await erase.owner(ZOE)
    assert (erasure.state, erasure.hidden) == ("running", 1)
    answer = await service.recall(RecallRequest(ZOE, text=f"{SECRET} plan"))
    assert answer.results == ()
    with pytest.raises(NotFoundError):
        await service.get_memory(ZOE, "x")


async def test_what_is_hidden_says_nothing_and_asks_for_nothing_until_it_is_gone(
    service: Service, cypher: Run
) -> None:
    uids = await two_agents(service, cypher)
    sound = await checked(service)
    await replace(service.erase, most=timedelta(0)).owner(ZOE)
    left = cypher(
        "MATCH (m:Memory) WHERE m.erased_by IS NOT NULL RETURN m.uid AS uid, m.state AS state, m.text AS text, "
        "m.context_text AS context, m.keys AS keys, m.embedding_a IS NULL AS bare"
    )
    assert {*uids.values()} <= {row["uid"] for row in left}
    for row in left:
        said = {name: row[name] for name in ("state", "text", "context", "keys", "bare")}
        assert said == {
            "state": "hidden",
            "text": None,
            "context": None,
            "keys": None,
            "bare": True,
        }
    assert set(await checked(service)) - set(sound) <= {"terms", "sessions"}
    embeddings = EmbeddingStore(service.database, service.clock)
    page = await embeddings.page("b", "another", "", 1000)
    assert not {uid for uid, _ in page.lacking} & {row["uid"] for row in left}


async def test_old_receipts_are_forgotten(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await remember(ZOE, "x", agent_id=WHO)
    await patient(service).owner(ZOE)
    job, lease = job_of(service, "erase"), await lease_of(service)
    now = datetime.now(UTC)
    assert await job.step(now + timedelta(days=364), lease) == 0
    assert await job.step(now + timedelta(days=366), lease) == 1
    await service.leases.release(lease)
    assert cypher("MATCH (r:Run) RETURN r") == []
