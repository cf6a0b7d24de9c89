"""How surprising events are, what is learned of the usual, what is remembered, and what goes again."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graph.kernel.errors import ConflictError, InvalidInputError, LeaseLostError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.memories.links import Lease
from graph.model.recall.candidates import Filters
from graph.store.strata.surprises import SurpriseStore
from service.bootstrap import Service
from service.use_cases.operation.jobs import Expire
from service.use_cases.strata.surprise import (
    EventReport,
    NewPrediction,
    Predict,
    ReportSurprise,
)
from tests.conftest import Recalls, Run
from tests.standing_clock import At

ANNA = Caller("local", agent_id="anna")
BERT = Caller("local", agent_id="bert")
GOOD, BAD = {"status": "success"}, {"status": "failed"}
DAY = timedelta(days=1)
FIRST = 1 / 0.251 / (1 + 1 / 0.251)  # a whole difference beside the prior: 0.7994


@pytest.fixture
def report(service: Service, clock: At) -> ReportSurprise:
    return replace(service.report_surprise, clock=clock)


@pytest.fixture
def predict(service: Service, clock: At) -> Predict:
    return replace(service.predict, clock=clock)


def momenta(cypher: Run) -> dict[tuple[str, str], int]:
    rows = cypher(
        "MATCH (m:Momentum) WHERE m.count > 0 RETURN m.scope AS scope, m.context AS context, m.count AS n"
    )
    return {(row["scope"], row["context"]): row["n"] for row in rows}


async def test_an_error_where_success_was_expected_surprises_and_says_why(
    report: ReportSurprise,
) -> None:
    expected = {"status": "success", "seconds": 20}
    found = await report(
        ANNA, EventReport({"status": "failed", "seconds": 20}, "deploy", expected=expected)
    )
    # 0.7 of the greatest and 0.3 of the mean of both paths: 0.85.
    quotient = 0.85 / 0.251
    assert found.quotient == pytest.approx(quotient)
    assert found.score == pytest.approx(quotient / (1 + quotient))
    assert (found.surprising, found.type, found.ground) == (True, "unexpected_error", "quotient")
    assert [(one.path, one.share) for one in found.contributions] == [("status", 1), ("seconds", 0)]
    assert (found.novelty, found.memory_uid) == (None, None)


async def test_what_is_as_expected_does_not_surprise(report: ReportSurprise) -> None:
    found = await report(ANNA, EventReport(GOOD, expected=GOOD))
    assert (found.score, found.surprising) == (0, False)


async def test_a_first_novel_event_exceeds_the_threshold_and_is_remembered(
    report: ReportSurprise, recall: Recalls, clock: At, cypher: Run
) -> None:
    said = EventReport("odd", text="The printer speaks Latin now.", importance=2, tags=("office",))
    found = await report(ANNA, said)
    assert found.score == pytest.approx(FIRST)
    assert (found.type, found.ground, found.surprising) == ("novel_pattern", "novelty", True)
    [row] = cypher(
        "MATCH (m:Memory)-[:SURPRISED_BY]->(s:Surprise) RETURN m {.*} AS memory, s.uid AS surprise"
    )
    memory = row["memory"]
    assert (row["surprise"], memory["uid"]) == (found.uid, found.memory_uid)
    assert memory["surprise"] == pytest.approx(FIRST)
    assert memory["grace_until"].to_native() == clock.time + 7 * DAY
    assert (memory["stratum"], memory["importance"]) == ("episodic", 3)  # 2 + 3·(0.8 − 0.7)/0.3
    assert set(memory["tags"]) == {"office", "surprise"}
    assert memory["initialized_from"] == "surprise"
    assert memory["q_value"] == pytest.approx(0.5 + 0.2 * (FIRST - 0.7) / 0.3)
    answer = await recall(ANNA, "printer", filters=Filters(tags_any=("surprise",)))
    assert [one.memory.uid for one in answer.results] == [found.memory_uid]


async def test_what_is_known_is_not_novel(report: ReportSurprise) -> None:
    text = "The printer speaks Latin now."
    await report(ANNA, EventReport("odd", text=text))
    deadline = asyncio.get_running_loop().time() + 10
    while True:  # the index shows it a moment later
        found = await report(ANNA, EventReport("odd", text=text))
        if found.novelty is not None and found.novelty < 0.01:
            break
        assert asyncio.get_running_loop().time() < deadline, found
        await asyncio.sleep(0.05)
    assert not found.surprising


async def test_surprises_of_one_kind_wear_off_and_come_back(
    report: ReportSurprise, clock: At
) -> None:
    async def one() -> float:
        return (await report(ANNA, EventReport(BAD, expected=GOOD))).familiarity

    assert await one() == 1
    assert await one() == pytest.approx(1 / 1.15)
    clock.time += 7 * DAY
    assert await one() == pytest.approx(1 / (1 + 0.15 * 1.0))  # of 2 repeats one is left


async def test_reports_at_once_lose_nothing(service: Service, cypher: Run) -> None:
    report = service.report_surprise
    await asyncio.gather(
        *(report(ANNA, EventReport(BAD, "deploy", expected=GOOD)) for _ in range(8)),
        *(report(ANNA, EventReport(f"event {place}")) for place in range(4)),
    )
    scope = "local/agent/anna"
    known = {(scope, "expected:deploy"): 8, (scope, "novelty"): 4}
    assert momenta(cypher) == pytest.approx(known)
    [row] = cypher("MATCH (s:Surprise) RETURN count(*) AS n")
    assert row["n"] == 12
    [row] = cypher("MATCH (m:Momentum {context: 'expected:deploy'}) RETURN m.mean AS mean")
    assert row["mean"] == pytest.approx(1.0)


async def test_outcomes_at_once_are_each_learned_once(service: Service, cypher: Run) -> None:
    """Writers in one context queue at its lock; what each learned is there in the end."""
    said = {"status": "success", "seconds": 20}
    await asyncio.gather(
        *(
            service.report_surprise(
                ANNA,
                EventReport({"status": "success", "seconds": 15 + place}, "deploy", expected=said),
            )
            for place in range(12)
        ),
        *(service.report_surprise(ANNA, EventReport({"rows": n}, "query")) for n in range(4)),
    )
    rows = cypher(
        "MATCH (m:Momentum) WHERE m.outcomes IS NOT NULL RETURN m.context AS context, m.outcomes AS kept"
    )
    kept = {row["context"]: json.loads(row["kept"]) for row in rows}
    assert {context: one["events"] for context, one in kept.items()} == {
        "expected:deploy": 12,
        "expected:query": 4,
    }
    paths = kept["expected:deploy"]["paths"]
    assert paths["=status"]["="] == pytest.approx(sum(0.98**n for n in range(12)))
    assert paths["=seconds"][2] == pytest.approx(sum(0.95**n for n in range(12)))
    found = sorted(
        one.observations for one in await service.list_surprises(ANNA, contexts=("deploy",))
    )
    assert found == list(range(12))  # each knew all that came before it, and none twice


async def test_a_learned_context_says_what_it_expected(service: Service) -> None:
    said = {"status": "success", "seconds": 20}
    for place in range(8):
        await service.report_surprise(
            ANNA,
            EventReport({"status": "success", "seconds": 18 + place % 4}, "deploy", expected=said),
        )
    found = await service.report_surprise(
        ANNA, EventReport({"status": "failed", "seconds": 95}, "deploy", expected=said)
    )
    assert (found.form, found.observations, found.surprising) == ("learned", 8, True)
    assert [one.path for one in found.forecast[:2]] == ["seconds", "status"]
    [shown] = await service.list_surprises(ANNA, surprising=True)
    assert shown == found  # as it is stored
    other = await service.report_surprise(BERT, EventReport(said, "deploy", expected=said))
    assert (other.form, other.observations) == ("fixed", 0)  # what is learned is an agent's own


async def test_a_tenant_can_keep_the_fixed_form(service: Service, cypher: Run) -> None:
    await service.change_strata_config(ANNA, {"surprise_learning": False})
    try:
        found = await service.report_surprise(ANNA, EventReport(BAD, expected=GOOD))
    finally:
        await service.change_strata_config.reset(ANNA)
    assert (found.form, found.observations, found.forecast) == ("fixed", 0, ())
    assert cypher("MATCH (m:Momentum) WHERE m.outcomes IS NOT NULL RETURN m") == []


async def test_an_event_counts_once_even_at_once(service: Service, cypher: Run) -> None:
    said = EventReport(BAD, expected=GOOD, text="Deploy 42 failed.", event_id="run-42")
    first, *others = await asyncio.gather(*(service.report_surprise(ANNA, said) for _ in range(5)))
    assert {one.uid for one in others} == {first.uid}
    again = await service.report_surprise(ANNA, said)
    assert again.memory_uid == first.memory_uid is not None
    [row] = cypher("MATCH (s:Surprise) RETURN count(*) AS n")
    [kept] = cypher("MATCH (m:Memory) RETURN count(*) AS n")
    assert (row["n"], kept["n"]) == (1, 1)
    assert momenta(cypher)["local/agent/anna", "expected:default"] == 1


async def test_a_report_that_was_cut_off_is_remembered_by_its_repeat(
    service: Service, cypher: Run
) -> None:
    said = EventReport(BAD, expected=GOOD, event_id="run-42")
    cut = await service.report_surprise(ANNA, said)  # as if it ended before the memory
    assert cut.memory_uid is None
    again = await service.report_surprise(ANNA, replace(said, text="Deploy 42 failed."))
    assert again.uid == cut.uid
    [row] = cypher("MATCH (m:Memory)-[:SURPRISED_BY]->(s) RETURN m.uid AS memory, s.uid AS uid")
    assert (row["memory"], row["uid"]) == (again.memory_uid, cut.uid)


async def test_a_prediction_is_answered_once_by_name_or_by_its_context(
    report: ReportSurprise, predict: Predict, clock: At
) -> None:
    sure = NewPrediction(GOOD, "deploy", "sure", 0.9)
    await predict(ANNA, sure)
    assert (await predict(ANNA, sure)).prediction_id == "sure"
    with pytest.raises(ConflictError, match="another prediction"):
        await predict(ANNA, replace(sure, expected=BAD))
    await predict(ANNA, NewPrediction(BAD, "deploy", "unsure", 0.1))
    await predict(ANNA, NewPrediction(BAD, "build", "other", 1.0))

    by_context = await report(ANNA, EventReport(BAD, "deploy"))
    assert (by_context.prediction_id, by_context.type) == ("sure", "unexpected_error")
    by_name = await report(ANNA, EventReport(GOOD, prediction_id="unsure"))
    assert (by_name.context, by_name.type) == ("deploy", "unexpected_success")
    with pytest.raises(ConflictError, match="answered"):
        await report(ANNA, EventReport(GOOD, prediction_id="unsure"))
    with pytest.raises(NotFoundError):
        await report(BERT, EventReport(GOOD, prediction_id="other"))
    none = await report(ANNA, EventReport(GOOD, "build", match=False))
    assert none.prediction_id is None
    clock.time += timedelta(hours=2)  # the other one stood for an hour
    with pytest.raises(NotFoundError):
        await report(ANNA, EventReport(GOOD, prediction_id="other"))


async def test_events_at_once_never_answer_one_prediction_twice(service: Service) -> None:
    for name in ("a", "b"):
        await service.predict(ANNA, NewPrediction(GOOD, "deploy", name))
    found = await asyncio.gather(
        *(service.report_surprise(ANNA, EventReport(BAD, "deploy")) for _ in range(2))
    )
    assert {one.prediction_id for one in found} == {"a", "b"}


async def test_a_channel_lends_what_is_usual_and_nothing_else(
    report: ReportSurprise, cypher: Run
) -> None:
    anna = Caller("local", agent_id="anna", channel_ids=("ops",))
    bert = Caller("local", agent_id="bert", channel_ids=("ops",))
    for _ in range(10):
        await report(anna, EventReport(BAD, "deploy", expected=GOOD))
    alone = await report(BERT, EventReport(BAD, "deploy", expected=GOOD))
    member = await report(bert, EventReport(BAD, "build", expected=GOOD))
    taught = await report(
        Caller("local", agent_id="cleo", channel_ids=("ops",)),
        EventReport(BAD, "deploy", expected=GOOD),
    )
    assert alone.violation == member.violation == pytest.approx(FIRST)
    # Ten whole differences of the channel beside five of the prior: a mean of 0.75.
    assert taught.quotient == pytest.approx(1 / 0.751)
    assert not taught.surprising
    rows = cypher("MATCH (m:Momentum {scope: 'local/channel/ops'}) RETURN m {.*} AS momentum")
    assert {row["momentum"].get("spreads", "{}") for row in rows} == {"{}"}
    [row] = cypher("MATCH (s:Surprise {scope: 'local/channel/ops'}) RETURN count(*) AS n")
    assert row["n"] == 0


async def test_numbers_are_held_against_how_they_vary(report: ReportSurprise) -> None:
    for seconds in (19, 21, 20, 19, 21, 20):
        await report(ANNA, EventReport({"seconds": seconds}, "run", expected={"seconds": 20}))
    found = await report(ANNA, EventReport({"seconds": 30}, "run", expected={"seconds": 20}))
    assert found.surprising
    assert found.type == "performance_deviation"


async def test_the_history_is_a_callers_own_and_can_be_narrowed(
    report: ReportSurprise, service: Service, clock: At
) -> None:
    start = clock.time
    for context in ("a", "b", "a"):
        clock.time += timedelta(seconds=1)
        await report(ANNA, EventReport(BAD, context, expected=GOOD))
    clock.time += timedelta(seconds=1)
    await report(ANNA, EventReport(GOOD, "a", expected=GOOD))
    shown = await service.list_surprises(ANNA)
    assert [one.context for one in shown] == ["a", "a", "b", "a"]
    assert (shown[1].expected, shown[1].actual) == (GOOD, BAD)
    assert await service.list_surprises(BERT) == []
    assert len(await service.list_surprises(ANNA, contexts=("b",))) == 1
    assert len(await service.list_surprises(ANNA, since=start + timedelta(seconds=3))) == 2
    assert (await service.list_surprises(ANNA, limit=2, before=shown[1].uid))[0] == shown[2]
    surprising = await service.list_surprises(ANNA, surprising=True)
    assert all(one.score > 0.7 for one in surprising)
    assert 0 < len(surprising) < 4
    assert await service.list_surprises(ANNA, types=("unexpected_error",)) == surprising


async def test_surprises_and_predictions_go_at_the_end_of_their_time(
    report: ReportSurprise, predict: Predict, service: Service, clock: At, cypher: Run
) -> None:
    old = await report(ANNA, EventReport(BAD, expected=GOOD, text="Deploy 41 failed."))
    await predict(ANNA, NewPrediction(GOOD, prediction_id="gone"))
    clock.time += 30 * DAY
    await report(ANNA, EventReport(BAD, expected=GOOD))
    job = Expire("expire_surprises", SurpriseStore(service.database), batch=100, pause=DAY)
    lease = await service.leases.acquire("worker", "me", 60)
    assert lease is not None
    assert await job.step(old.at + 89 * DAY, lease) == 1  # the prediction
    assert await job.step(old.at + 90 * DAY, lease) == 2  # the surprise, and what is usually novel
    assert await job.step(old.at + 90 * DAY, lease) == 0
    [row] = cypher(
        "MATCH (s:Surprise) RETURN count(*) AS n, min(s.uid) > $old AS later", old=old.uid
    )
    assert (row["n"], row["later"]) == (1, True)
    [row] = cypher("MATCH (m:Memory) RETURN count(*) AS n")
    assert row["n"] == 1  # what is remembered of it stays
    with pytest.raises(LeaseLostError):
        await job.step(old.at + 200 * DAY, Lease("worker", "another", lease.token - 1))


async def test_with_its_memory_goes_all_that_is_told_of_an_event(
    report: ReportSurprise, service: Service, cypher: Run
) -> None:
    found = await report(ANNA, EventReport(BAD, expected=GOOD, text="Deploy 42 failed."))
    assert found.memory_uid is not None
    await service.delete_memory(ANNA, found.memory_uid)
    [row] = cypher("MATCH (s:Surprise) RETURN count(*) AS n")
    assert row["n"] == 0


async def test_nobody_stands_in_a_surprise(report: ReportSurprise, cypher: Run) -> None:
    mail = "ada.lovelace@example.org"
    found = await report(
        ANNA,
        EventReport(
            {"from": mail},
            expected={"from": "nobody"},
            circumstances={"to": mail},
            text=f"A letter by {mail} came.",
        ),
    )
    assert found.actual == {"from": "<EMAIL>"}
    [row] = cypher(
        "MATCH (n) WHERE any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS $mail) "
        "RETURN count(*) AS n",
        mail=mail,
    )
    assert row["n"] == 0
    for field in ("context", "event_id"):
        given: dict[str, Any] = {field: mail}
        with pytest.raises(InvalidInputError, match=field):
            await report(ANNA, EventReport("odd", **given))
    with pytest.raises(InvalidInputError, match="prediction_id"):
        await report(ANNA, EventReport("odd", prediction_id=mail))


async def test_with_strata_off_there_are_no_surprises(service: Service) -> None:
    await service.change_strata_config(ANNA, {"strata": False})
    try:
        with pytest.raises(ConflictError, match="switched off"):
            await service.report_surprise(ANNA, EventReport("odd"))
        with pytest.raises(ConflictError, match="switched off"):
            await service.predict(ANNA, NewPrediction(GOOD))
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_what_a_tenant_set_decides_what_surprises_and_how_long_it_is_kept(
    service: Service,
) -> None:
    await service.change_strata_config(ANNA, {"surprise_threshold": 0.9, "surprise_days": 2.0})
    try:
        said = EventReport(BAD, expected=GOOD, text="Deploy 42 failed.")
        found = await service.report_surprise(ANNA, said)
    finally:
        await service.change_strata_config.reset(ANNA)
    assert (found.surprising, found.threshold, found.memory_uid) == (False, 0.9, None)
    assert found.expires_at - found.at == 2 * DAY


async def test_a_text_without_a_word_is_refused_before_the_event_counts(
    report: ReportSurprise, cypher: Run
) -> None:
    event = EventReport({"status": "failed"}, "deploy", expected=GOOD, text="!!!")
    with pytest.raises(InvalidInputError, match="holds no word"):
        await report(ANNA, event)
    assert cypher("MATCH (s:Surprise) RETURN count(*) AS n") == [{"n": 0}]
    assert momenta(cypher) == {}
    found = await report(ANNA, replace(event, text=None, actual={"status": "?!"}))
    assert found.surprising


async def test_what_is_usual_is_forgotten_where_nothing_happens_for_long(
    service: Service, cypher: Run, report: ReportSurprise, clock: At
) -> None:
    await report(ANNA, EventReport(GOOD, "deploy", expected=GOOD))
    clock.time += 60 * DAY
    await report(ANNA, EventReport(GOOD, "build", expected=GOOD))
    lease = await service.leases.acquire("worker", "test", 60)
    assert lease is not None
    job = Expire("expire_surprises", SurpriseStore(service.database), batch=10, pause=DAY)
    try:
        clock.time += 31 * DAY
        while await job.step(clock.time, lease):
            pass
        assert {context for _, context in momenta(cypher)} == {"expected:build"}
        clock.time += 60 * DAY
        while await job.step(clock.time, lease):
            pass
        [row] = cypher("MATCH (m:Momentum) RETURN count(*) AS n")
        assert row["n"] == 0
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")
