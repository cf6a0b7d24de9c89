"""Retrieval of attempts on a real graph: what each mode walks over, and what it never shows."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.episodes.attempts import Bound, EpisodeFilters, Names
from graph.model.episodes.retrieval import RetrievalMode
from graph.model.memories.memory import Link, NewMemory
from graph.model.utility.rewards import UsedName
from service.bootstrap import Service
from service.use_cases.episodes.rendering import tokens_of
from service.use_cases.episodes.retrieve import RetrieveRequest
from tests.conftest import Run
from tests.store.reading import settled
from tests.store.trying import AT, attempt, names, problem, retrieve, store

DUCKS = "Ten ducks swim on a pond. Four fly off. How many ducks are left?"
GEESE = "Twelve geese swim on a lake. Five fly off. How many geese are left?"
ATTEMPTS_SET = Path(__file__).parents[3] / "benchmarks" / "attempts_set"
RENT = "A flat costs $900 a month. How much is the rent of a year?"
QUERY = "Nine ducks swim on a pond. Three fly off. How many ducks are left?"
MODES: tuple[RetrievalMode, ...] = ("episodic", "dual", "structured", "graph", "all")


async def pond(service: Service, owner: Caller, cypher: Run) -> dict[str, str]:
    """Store three problems with right and wrong attempts, one strategy and one concept."""
    uids = await store(
        service,
        [
            problem(DUCKS, "p-ducks", owner),
            problem(GEESE, "p-geese", owner),
            problem(RENT, "p-rent", owner),
            NewMemory(owner.writable(), "subtract", kind="strategy", external_id="s-subtract"),
        ],
    )
    used = Link("USED", "external:s-subtract")
    uids |= await store(
        service,
        [
            attempt(DUCKS, "10-4", name="ducks-right", at="p-ducks", owner=owner, links=(used,)),
            attempt(DUCKS, "10+4", correct=False, name="ducks-wrong", at="p-ducks", owner=owner),
            attempt(GEESE, "12-5", name="geese-right", at="p-geese", owner=owner, links=(used,)),
            attempt(RENT, "900*12", name="rent-right", at="p-rent", owner=owner),
        ],
    )
    uids |= await store(
        service,
        [
            NewMemory(
                owner.writable(),
                "taking away: what flies off is subtracted",
                kind="concept",
                external_id="c-away",
                domain="math",
                links=(Link("DERIVED_FROM", "external:geese-right"),),
            )
        ],
    )
    await settled(cypher)
    return uids


async def test_the_most_similar_attempts_come_as_they_are_with_the_seed_s_context(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await pond(service, anna, cypher)
    answer = await retrieve(service, anna, QUERY, k=3, mode="episodic", expect=3)
    assert set(names(answer)[:2]) == {"ducks-right", "ducks-wrong"}
    found = {result.content.external_id: result for result in answer.results}
    right, wrong = found["ducks-right"], found["ducks-wrong"]
    assert (right.problem, right.answer, right.role) == (DUCKS, "answer of ducks-right", "success")
    assert [step.action for step in right.steps] == ["10-4"]
    assert right.insight == "Strategy: subtract."
    assert (wrong.role, wrong.insight) == ("failure", None)
    assert (right.hops, right.path[-1]) == (0, f"episode:{right.content.uid}")
    assert answer.nodes["problems"] == 0


async def test_only_the_first_three_steps_are_shown(service: Service, anna: Caller) -> None:
    await store(service, [attempt(DUCKS, *["1+1"] * 5, name="long", owner=anna)])
    answer = await retrieve(service, anna, QUERY, mode="episodic")
    assert [len(answer.results[0].steps), answer.results[0].step_count] == [3, 5]


async def test_a_walk_goes_through_problems_and_says_which_way_it_went(
    service: Service, anna: Caller, cypher: Run
) -> None:
    uids = await pond(service, anna, cypher)
    answer = await retrieve(service, anna, QUERY, k=3, mode="graph", failures=0, expect=3)
    assert names(answer)[0] == "ducks-right"
    first = answer.results[0]
    assert first.hops == 1
    assert first.path == (
        *("query", "NEAR", f"problem:{uids['p-ducks']}", "SOLVED"),
        f"episode:{uids['ducks-right']}",
    )
    assert [known.text for known in answer.strategies] == ["subtract"]
    assert answer.concepts[0].uid == uids["c-away"]


async def test_a_second_hop_leads_to_a_similar_problem(
    service: Service, anna: Caller, cypher: Run
) -> None:
    far = "Completely other words, zygotes and quarks"
    uids = await store(
        service, [problem(DUCKS, "near", anna), problem(far, "far", anna, domain="other")]
    )
    await store(service, [attempt(far, "9-3", name="reached", at="far", owner=anna)])
    cypher(
        "MATCH (a:Problem {external_id: 'near'}), (b:Problem {external_id: 'far'}) "
        "CREATE (b)-[:SIMILAR_TO {similarity: 0.8}]->(a)"
    )
    await settled(cypher)
    asked: dict[str, Any] = {"mode": "graph", "filters": EpisodeFilters(domain=Names.of("math"))}
    assert names(await retrieve(service, anna, DUCKS, hops=1, expect=0, **asked)) == []
    answer = await retrieve(service, anna, DUCKS, hops=2, **asked)
    assert names(answer) == ["reached"]
    assert answer.results[0].hops == 2
    assert answer.results[0].path == (
        *("query", "NEAR", f"problem:{uids['near']}", "SIMILAR_TO", f"problem:{uids['far']}"),
        *("SOLVED", f"episode:{answer.results[0].content.uid}"),
    )


async def test_a_concept_brings_the_attempts_it_was_drawn_from(
    service: Service, anna: Caller, cypher: Run
) -> None:
    uids = await pond(service, anna, cypher)
    answer = await retrieve(service, anna, "what flies off is subtracted", k=4, mode="dual")
    assert [known.uid for known in answer.concepts] == [uids["c-away"]]
    found = {result.content.external_id: result for result in answer.results}
    assert found["geese-right"].components["concept"] > 0
    assert found["rent-right"].components["concept"] == 0


async def test_a_failure_that_teaches_has_the_last_place_and_says_what_it_teaches(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await pond(service, anna, cypher)
    answer = await retrieve(service, anna, QUERY, k=3, failures=1, expect=3)
    assert [result.role for result in answer.results].count("failure") == 1
    found = {result.content.external_id: result for result in answer.results}
    assert found["ducks-wrong"].lesson == (
        "At step 1 it chose add; a right attempt at this problem chose subtract."
    )


@pytest.mark.parametrize("mode", MODES)
async def test_failures_are_a_minimum_in_every_mode(
    service: Service, anna: Caller, cypher: Run, mode: RetrievalMode
) -> None:
    await store(service, [problem(DUCKS, "p-ducks", anna), problem(RENT, "p-rent", anna)])
    rows = [
        attempt(DUCKS, "1+1", correct=False, name=f"f{i}", at="p-ducks", owner=anna)
        for i in range(2)
    ]
    rows += [
        attempt(RENT, *["2*3"] * i, name=f"r{i}", at="p-rent", owner=anna) for i in range(1, 5)
    ]
    await store(service, rows)
    await settled(cypher)
    plain = await retrieve(service, anna, DUCKS, mode=mode, k=4, failures=0, expect=4)
    for least in (1, 2):
        asked = await retrieve(service, anna, DUCKS, mode=mode, k=4, failures=least, expect=4)
        roles = [result.role for result in asked.results].count("failure")
        assert roles >= max(least, [result.role for result in plain.results].count("failure"))


async def test_the_nearest_failure_is_not_pushed_out_by_right_attempts_at_other_problems(
    service: Service, anna: Caller
) -> None:
    query = "The join of baskets and coupons doubles the totals"
    failed = "The join of carts and coupons doubles the totals"
    rows = [
        attempt(failed, "add DISTINCT", correct=False, name="failed", owner=anna),
        *(
            attempt(
                f"Listing {what} sorted by date is slow",
                "explain the query", f"index {what}", name=what, owner=anna,
            )
            for what in ("orders", "invoices", "tickets", "users", "parcels", "messages")
        ),
    ]  # fmt: skip
    await service.remember(rows)
    for options in ({}, {"failures": 1}, {"failures": 2}):
        answer = await retrieve(service, anna, query, **options)
        assert names(answer)[0] == "failed"


async def test_the_very_text_of_a_problem_brings_its_attempt_first(
    service: Service, anna: Caller
) -> None:
    texts = [
        row["attempts"][0]["problem"]
        for file in sorted(ATTEMPTS_SET.glob("*.jsonl"))
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
    ]
    rows = [
        attempt(text, "read it", "change it", correct=place % 3 > 0, name=str(place), owner=anna)
        for place, text in enumerate(texts)
    ]
    await service.remember(rows)
    for place, text in enumerate(texts):
        answer = await retrieve(service, anna, f"  {text.upper()} ", k=3)
        assert names(answer)[0] == str(place)


async def test_what_a_problem_is_about_decides_and_the_right_attempt_comes_before_the_failed(
    service: Service, anna: Caller
) -> None:
    text = "SQL query returns duplicates after join"
    rows = [
        attempt(text, "add DISTINCT", correct=False, name="failed", owner=anna),
        attempt(text, "aggregate first", name="repaired", owner=anna),
        attempt("Memory leak in worker", "take a heap snapshot", name="leak", owner=anna),
        *(
            attempt(f"Flaky test of {what}", "rerun", "freeze the clock", name=what, owner=anna)
            for what in ("tokens", "imports", "exports")
        ),
    ]
    await service.remember(rows)
    answer = await retrieve(service, anna, "A join gives the same row twice")
    assert names(answer)[0] == "repaired"
    assert "failed" in names(answer)


PULLS = ("describe the pod", "get the secrets", "create the secret")
WARMING = ("measure the temperature", "warm the fermenter", "rouse the yeast")
MIXED = (
    ("The frontend pods show ErrImagePull since we moved to the new registry.", PULLS),
    ("The image of the report service cannot be pulled in the staging namespace.", PULLS),
    ("Pulling the image from our private registry fails with access denied.", PULLS),
    ("Deployment web cannot pull its image, ImagePullBackOff.", PULLS),
    ("The saison sits at 1.022 for five days and the yeast does nothing.", WARMING),
    ("My porter stopped at 1.026, fermentation is stuck.", WARMING),
    ("My pale ale stopped fermenting at 1.024 and does not go on.", WARMING),
    ("The wheat beer tastes of butter.", ("taste the beer", "rest it")),
    ("The bottles gush over when I open them.", ("open a bottle", "compute sugar", "vent all")),
    (
        "A namespace will not go away, it is Terminating since yesterday.",
        ("inspect the namespace", "list resources", "delete the apiservice"),
    ),
)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("beer smells like popcorn", MIXED[7][0]),
        ("The wheat beer tastes of butter and popcorn.", MIXED[7][0]),
        ("The bottles gush over when I uncork them.", MIXED[8][0]),
        ("foam sprays out of every bottle I uncork", MIXED[8][0]),
        ("can't remove a namespace, it's stuck being deleted", MIXED[9][0]),
        ("The namespace test will not go away, it is Terminating for an hour.", MIXED[9][0]),
    ],
)
async def test_strategies_that_recur_in_other_domains_do_not_pass_the_nearest_problem(
    service: Service, anna: Caller, query: str, text: str
) -> None:
    rows = [attempt(what, *how, name=what, owner=anna) for what, how in MIXED]
    await service.remember(rows)
    answer = await retrieve(service, anna, query, k=3)
    assert names(answer)[0] == text


async def test_the_failures_that_are_asked_for_are_the_nearest(
    service: Service, anna: Caller
) -> None:
    stuck = "Fermentation of the stout has stuck since Tuesday, the yeast sleeps."
    timeout = "Requests to the ingress time out after sixty seconds."
    rows = [attempt(what, *how, name=what, owner=anna) for what, how in MIXED]
    rows += [
        attempt(stuck, "add sugar", "wait", correct=False, name="stuck", owner=anna),
        attempt(timeout, "restart it", "reboot", correct=False, name="timeout", owner=anna),
        attempt("Our container is killed", *PULLS, correct=False, name="killed", owner=anna),
    ]
    await service.remember(rows)
    query = "gravity of my IPA no longer drops, it halted at 1.022"
    for k in (3, 5):
        answer = await retrieve(service, anna, query, k=k, failures=1)
        failed = [one.content.external_id for one in answer.results if one.role == "failure"]
        assert failed[0] == "stuck"


async def test_failures_fill_what_nothing_right_is_there_for(
    service: Service, anna: Caller
) -> None:
    await store(service, [problem(DUCKS, "p", anna)])
    await store(
        service,
        [attempt(DUCKS, "1+1", correct=False, name=f"f{i}", at="p", owner=anna) for i in range(2)],
    )
    answer = await retrieve(service, anna, QUERY, k=3, expect=2)
    assert sorted(names(answer)) == ["f0", "f1"]


async def test_one_attempt_of_each_problem_comes_before_a_second(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await store(service, [problem(DUCKS, "p-ducks", anna), problem(RENT, "p-rent", anna)])
    rows = [attempt(DUCKS, "10-4", name=f"d{i}", at="p-ducks", owner=anna) for i in range(3)]
    rows.append(attempt(RENT, "900*12", name="rent", at="p-rent", owner=anna))
    await store(service, rows)
    await settled(cypher)
    answer = await retrieve(service, anna, DUCKS, k=2, expect=2)
    assert "rent" in names(answer)


@pytest.mark.parametrize("mode", MODES)
async def test_filters_hold_however_an_attempt_is_reached(
    service: Service, anna: Caller, cypher: Run, mode: RetrievalMode
) -> None:
    await store(service, [problem(DUCKS, "p", anna)])
    cheap = {"metadata": {"tokens_used": 10, "model": "small"}}
    rows = [
        attempt(DUCKS, "10-4", name="cheap", at="p", owner=anna, structured=cheap, tags=("exam",)),
        attempt(DUCKS, "10-4", name="dear", at="p", owner=anna, tags=("exam",)),
        attempt(DUCKS, "10-4", "6*1", name="other", at="p", owner=anna, structured=cheap),
        attempt(DUCKS, "10-4", name="wrong", at="p", owner=anna, correct=False, structured=cheap),
    ]
    await store(service, rows)
    await settled(cypher)

    async def found(**filters: object) -> set[str]:
        chosen = EpisodeFilters(**filters)  # pyright: ignore[reportArgumentType] -- by name
        return set(names(await retrieve(service, anna, DUCKS, mode=mode, filters=chosen, k=5)))

    assert await found(tokens_used=Bound(most=50), verdicts=(True,)) == {"cheap", "other"}
    assert await found(tags_all=("exam",)) == {"cheap", "dear"}
    assert await found(actions_any=("multiply",)) == {"other"}
    assert await found(verdicts=(False,)) == {"wrong"}
    assert await found(domain=Names(("math",)), step_count=Bound(least=2)) == {"other"}


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_of_others_and_nothing_that_no_longer_holds_is_shown(
    service: Service, anna: Caller, bert: Caller, cypher: Run, mode: RetrievalMode
) -> None:
    ducks = {owner: f"p-{owner.agent_id}" for owner in (anna, bert)}
    for owner, name in ducks.items():
        await store(service, [problem(DUCKS, name, owner)])
    await store(service, [attempt(DUCKS, "10-4", name="bert-right", at=ducks[bert], owner=bert)])
    late, early = AT - timedelta(days=1), AT + timedelta(days=36_500)
    await store(
        service,
        [
            attempt(DUCKS, "10-4", name="seen", at=ducks[anna], owner=anna),
            attempt(DUCKS, "1-1", name="past", at=ducks[anna], owner=anna, valid_to=late),
            attempt(DUCKS, "2-1", name="future", at=ducks[anna], owner=anna, valid_from=early),
            attempt(DUCKS, "3-1", name="archived", at=ducks[anna], owner=anna),
            attempt(DUCKS, "4-1", name="expired", at=ducks[anna], owner=anna),
        ],
    )
    cypher("MATCH (e:Episode {external_id: 'archived'}) SET e.state = 'archived'")
    cypher(
        "MATCH (e:Episode {external_id: 'expired'}) SET e.expires_at = datetime('2001-01-01T00:00Z')"
    )
    # An edge across scopes, as only a fault could make it.
    cypher(
        "MATCH (e:Episode {external_id: 'bert-right'}), (p:Problem {external_id: 'p-anna'}) "
        "CREATE (e)-[:SOLVED]->(p)"
    )
    await settled(cypher)
    assert names(await retrieve(service, anna, DUCKS, mode=mode)) == ["seen"]
    assert names(await retrieve(service, bert, DUCKS, mode=mode)) == ["bert-right"]


async def test_a_problem_that_thousands_tried_is_looked_at_no_further_than_it_may(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await store(service, [problem(DUCKS, "p", anna)])
    await store(service, [attempt(DUCKS, "10-4", name="one", at="p", owner=anna)])
    cypher(
        "MATCH (p:Problem {external_id: 'p'}), (e:Episode {external_id: 'one'}) "
        "UNWIND range(1, 3000) AS i WITH p, e, 'copy' + toString(i) AS uid "
        "CREATE (c:Memory:Episode) SET c = e {.*, uid: uid, content_hash: uid, "
        "external_id: NULL, embedding_a: NULL} CREATE (c)-[:SOLVED]->(p)"
    )
    await settled(cypher)
    first = await retrieve(service, anna, DUCKS, mode="graph", k=5)
    assert first.candidates == 4
    assert names(first) == names(await retrieve(service, anna, DUCKS, mode="graph", k=5))


async def test_what_a_task_was_given_is_taught_by_its_outcome(
    service: Service, anna: Caller, cypher: Run
) -> None:
    uids = await pond(service, anna, cypher)
    asked: dict[str, Any] = {"k": 2, "failures": 0, "mode": "graph", "balance": 1.0, "expect": 2}
    before = await retrieve(service, anna, QUERY, **asked)
    assert names(before) == ["ducks-right", "geese-right"]
    for number in range(8):
        task = f"t{number}"
        await retrieve(service, anna, QUERY, task_id=task, **asked)
        await service.report_outcome(
            anna, task, "success", 1.0, used=[UsedName(uids["geese-right"])]
        )
    plain = await retrieve(service, anna, QUERY, utility_weight=0.0, **asked)
    taught = await retrieve(service, anna, QUERY, utility_weight=0.9, **asked)
    assert names(plain) == names(before)
    assert names(taught) == ["geese-right", "ducks-right"]
    assert taught.results[0].components["utility"] > 0.7
    [row] = cypher("MATCH (:Task {task_id: 't0'})-[r:RETRIEVED]->(e) RETURN count(r) AS n")
    assert row["n"] == 2


async def test_a_prompt_stays_within_its_budget(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await pond(service, anna, cypher)
    whole = await retrieve(service, anna, QUERY, k=3, failures=1, prompt_tokens=5000, expect=3)
    assert whole.prompt is not None
    assert DUCKS in whole.prompt
    assert "Key insight: Strategy: subtract." in whole.prompt
    assert "A failed attempt to learn from (2):" in whole.prompt
    for budget in (1, 20, 60, 120):
        answer = await retrieve(service, anna, QUERY, k=3, prompt_tokens=budget, expect=3)
        assert answer.prompt is not None
        assert tokens_of(answer.prompt) == answer.tokens <= budget


@pytest.mark.parametrize("mode", MODES)
async def test_an_empty_graph_answers_with_nothing(
    service: Service, anna: Caller, mode: RetrievalMode
) -> None:
    answer = await service.retrieve_episodes(RetrieveRequest(anna, QUERY, mode=mode))
    assert (answer.results, answer.strategies, answer.concepts) == ((), (), ())


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "graph"])
async def test_raw_episodes_without_an_object_are_found_too(
    service: Service, anna: Caller, mode: RetrievalMode
) -> None:
    await service.remember([NewMemory(anna.writable(), DUCKS, kind="episode")])
    answer = await retrieve(service, anna, QUERY, mode=mode)
    assert [(result.problem, result.role) for result in answer.results] == [(DUCKS, "unjudged")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query": " "}, "query: must not be empty"),
        ({"k": 0}, "k: must lie in 1–50"),
        ({"hops": 3}, "hops: must lie in 1–2"),
        ({"failures": 6}, "failures: must lie in 0–5"),
        ({"balance": 1.5}, "diversity: must lie in 0–1"),
        ({"prompt_tokens": 0}, "max_tokens: must lie in 1–100,000"),
        ({"mode": "best"}, "mode: must be one of episodic, dual, structured, graph, all"),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    service: Service, anna: Caller, options: dict[str, object], message: str
) -> None:
    values = {"query": QUERY, **options}
    with pytest.raises(InvalidInputError, match=message):
        await service.retrieve_episodes(RetrieveRequest(anna, **values))  # pyright: ignore[reportArgumentType] -- by name
