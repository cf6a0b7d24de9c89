"""What is done of an erasure before its answer, and what it leaves alone."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ulid import ULID

from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Subject
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.erasing import CHANNEL, WHO, condensed, published, state_of
from tests.store.erasure.test_erasing import patient


async def test_what_was_made_of_the_subject_is_hidden_before_the_answer_too(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    told = await remember(Caller("local", WHO), "Ada left.", agent_id=WHO, user_id="ada")
    condensed(cypher, "made", "Ada left.", [told])
    published(cypher, "copy", "made", CHANNEL)
    hasty = replace(service.erase, most=timedelta(0))
    erasure = await hasty.owner(Caller("local", user_ids=("ada",)))
    assert erasure.state == "running"
    assert {state_of(cypher, uid) for uid in (told, "made", "copy")} <= {"hidden", None}


NUMBERED = "MATCH (e:Event) WHERE e.seq IS NOT NULL RETURN count(e) AS n"


async def test_one_memory_takes_its_events_along_and_touches_no_other(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    """What is older than the memory is not even read: it may be any number."""
    anna = Caller("local", "anna")
    told = await remember(anna, "Ada left.")
    kept = await remember(anna, "Bert came.")
    await service.recall(RecallRequest(anna, text="Bert came", task_id="t"))
    await service.events.flush()
    cypher("MATCH (e:Event) DETACH DELETE e")
    rows = [
        (str(ULID.from_datetime(datetime.now(UTC) - timedelta(minutes=20))), told),
        (str(ULID.from_datetime(datetime.now(UTC))), told),
        (str(ULID.from_datetime(datetime.now(UTC))), kept),
    ]
    for uid, named in rows:
        cypher("CREATE (:Event {uid: $uid, tenant: 'local', waiting: 'local', scope: 'local/agent/anna', "
               "name: 'memory:superseded', at: datetime(), data: $data})",
               uid=uid, data=json.dumps({"memory": named}))  # fmt: skip
    erasure = await patient(service)(Subject("memory", anna.home, told))
    assert (erasure.state, erasure.counts["Event"]) == ("done", 1)
    left = {row["uid"] for row in cypher("MATCH (e:Event) RETURN e.uid AS uid")}
    assert left == {rows[0][0], rows[2][0]}
    cypher("MATCH (e:Event) REMOVE e.seq SET e.waiting = 'local'")
    await patient(service)(Subject("memory", anna.home, kept))
    more = await remember(anna, "Nobody speaks of this.")
    cypher("MATCH (e:Event) REMOVE e.seq SET e.waiting = 'local'")
    await patient(service)(Subject("memory", anna.home, more))
    assert cypher(NUMBERED) == [{"n": 0}]  # where none names it, the log is not locked
