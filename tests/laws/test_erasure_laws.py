"""Whatever an agent left: after it was erased nothing names it or says what it said, and the rest is as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.utility.rewards import UsedName
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.strata.surprise import EventReport, NewPrediction
from tests.conftest import Run
from tests.store.erasing import condensed, naming, published, standing
from tests.store.reading import linked

WHO, SECRET = "zoe-7f3a", "quixotic"
WIPE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n"
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "hers": st.booleans(),
            "place": st.sampled_from(["agent", "channel", "user", "shared"]),
            "kind": st.sampled_from(["observation", "problem", "insight", "pattern"]),
            "session": st.sampled_from([None, "s", "t"]),
            "speaker": st.booleans(),
            "words": st.sampled_from(["in Turin", "about Ada Lovelace", "café noir", "of 1984"]),
            "again": st.booleans(),
        }
    ),
    min_size=1,
    max_size=7,
)
DEEDS = st.sets(
    st.sampled_from(["task", "manual", "surprise", "predict", "gates", "config", "amend"])
)
MADE = st.lists(st.tuples(st.sampled_from(["copy", "condense"]), st.integers(0, 6), st.integers(0, 6)), max_size=3)  # fmt: skip


def caller(name: str) -> Caller:
    return Caller("local", name, ("ops",), ("ursula",))


async def written(service: Service, rows: list[dict[str, Any]]) -> list[str]:
    new: list[NewMemory] = []
    for place, row in enumerate(rows):
        name, word = (WHO, SECRET) if row["hers"] else ("bert", "mundane")
        scope = caller(name).writable(row["place"])
        memory = NewMemory(
            scope, f"{word} thing {place} {row['words']}", agent_id=name, kind=row["kind"],
            session_id=row["session"], speaker=name if row["speaker"] else None,
            external_id=f"{word}-{place}" if row["again"] else None,
        )  # fmt: skip
        new.append(memory)
    saved = await service.remember(new)
    again = [replace(each, text=f"{each.text}, later") for each in new if each.external_id]
    await service.remember(again)
    await linked(service)
    return [answer.uid or "" for answer in saved]


async def done_by(service: Service, name: str, word: str, deeds: set[str], uid: str | None) -> None:
    who, alone = caller(name), Caller("local", name)
    if "task" in deeds:
        await service.recall(RecallRequest(who, text=f"{word} thing", task_id=f"task {name}"))
        used = [UsedName(uid)] if uid else None
        await service.report_outcome(who, f"task {name}", "success", 1.0, used=used)
    if "manual" in deeds and uid:
        await service.inject_reward(who, uid, 0.5, reason=f"{name} says {word}")
    if "surprise" in deeds:
        for status in (word, "other"):
            report = EventReport(
                {"status": status}, "c", {"status": "good"}, text=f"{word} {status}"
            )
            await service.report_surprise(alone, report)
    if "predict" in deeds:
        await service.predict(alone, NewPrediction({"status": word}, "c", f"p {name}"))
    if "gates" in deeds:
        await service.run_gates(alone, dry_run=False)
    if "config" in deeds:
        await service.change_config(alone, {"learning_rate": 0.2})
        await service.change_config.reset(alone)
    if "amend" in deeds and uid:
        await service.amend_memory(who, uid, {"text": f"{word} amended"})


@settings(
    max_examples=10,
    phases=[Phase.generate],  # to shrink a failure would take minutes
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rows=ROWS, deeds=DEEDS, made=MADE)
async def test_an_erased_agent_is_named_nowhere_and_others_are_as_they_were(
    service: Service,
    cypher: Run,
    rows: list[dict[str, Any]],
    deeds: set[str],
    made: list[tuple[str, int, int]],
) -> None:
    cypher(WIPE)
    uids = await written(service, [*rows, {**rows[0], "hers": True, "place": "agent"}])
    own = {hers: [u for u, row in zip(uids, rows, strict=False) if row["hers"] is hers] for hers in (True, False)}  # fmt: skip
    await done_by(service, "bert", "mundane", deeds, next(iter(own[False]), None))
    await done_by(service, WHO, SECRET, deeds, next(iter(own[True]), None))
    for number, (how, one, other) in enumerate(made):
        first, second = uids[one % len(uids)], uids[other % len(uids)]
        if how == "copy" and first in own[True]:
            published(cypher, f"copy {number}", first, "local/channel/ops")
        elif first in own[True] or second in own[True]:
            sources = sorted({first, second}, key=lambda uid: uid in own[True])
            condensed(cypher, f"made {number}", f"{SECRET} and more", sources, run=f"r{number}")
    await service.events.flush()
    cypher("MATCH (m:Memory) REMOVE m.unlinked_since")
    left = standing(cypher, WHO, SECRET)
    # What comes back, and what she may have filled alone.
    passing = ('"archived"', '"Scope"', '"Session"', '"Term"')
    before = [line for line in left if not any(word in line for word in passing)]
    erasure = await replace(service.erase, most=timedelta(minutes=5)).owner(Caller("local", WHO))
    assert erasure.state == "done"
    assert naming(cypher, WHO, SECRET) == []
    after = standing(cypher, WHO, SECRET)
    assert [line for line in before if line not in after] == []
    assert cypher("MATCH (t:Term) WHERE NOT (t)<-[:MENTIONS]-() RETURN t") == []
    assert cypher("MATCH (s:Session) WHERE s.tail_uid IS NULL RETURN s") == []
    assert (
        cypher("MATCH (m:Memory) WHERE m.state <> 'active' AND m.condensed_by IS NOT NULL RETURN m")
        == []
    )
    await service.change_config.reset(Caller("local", "bert"))
