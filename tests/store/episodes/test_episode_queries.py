"""Questions about episodes on a store whose answers are known."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from cypher import parse
from graph.kernel.errors import InvalidInputError, QueryTimeoutError
from graph.kernel.scope import Caller
from graph.model.episodes.attempts import Bound, EpisodeFilters, Names
from graph.model.episodes.questions import EpisodeQuestion
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Window
from service.bootstrap import Service
from service.use_cases.episodes.query import EpisodeAnswer
from tests.conftest import Run
from tests.store.attempting import attempt

ANNA, BERT = Caller("local", "anna", ("lab",)), Caller("local", "bert")
DAY = timedelta(days=1)
START = datetime(2026, 3, 30, 12, tzinfo=UTC)  # a Monday


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def asked(shared_service: Service, cypher: Run) -> AsyncGenerator[Service]:
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    home = ANNA.writable()
    links = (
        NewMemory(home, "multiply, subtract", kind="strategy", external_id="strategy"),
        NewMemory(home, "speed: distance over time", kind="concept", external_id="concept"),
    )
    await shared_service.remember(list(links))
    used = (Link("USED", "external:strategy"), Link("USED", "external:concept"))
    rows = [
        attempt(ANNA, "A train leaves the station at noon.", at=START, name="train-1", correct=True,
                domain="algebra", model="gpt-4o", actions=("3*4=12", "12-2=10"), tokens_used=400,
                latency_ms=900.5, confidence=0.9, temperature=0.0, problem_id="p-1",
                tags=("warm", "exam")),
        attempt(ANNA, "Two trains meet halfway.", at=START + DAY, name="train-2", correct=False,
                domain="algebra", model="gpt-4o", actions=("search(trains)", "3*4=12"),
                tokens_used=600, latency_ms=3000, confidence=0.4, temperature=0.7, tags=("exam",)),
        attempt(ANNA, "The angles of a triangle sum to what?", at=START + 2 * DAY, name="angle",
                correct=True, domain="geometry", model="small-1", tokens_used=120, latency_ms=50,
                temperature=0.7, session_id="monday"),
        attempt(ANNA, "How many eggs are in three dozen?", at=START + 9 * DAY, name="eggs",
                domain="arithmetic", model="small-1"),
        attempt(BERT, "A train of Bert's.", at=START, name="secret", correct=True, domain="algebra",
                model="gpt-4o", tokens_used=1, actions=("search(x)",), tags=("exam",)),
    ]  # fmt: skip
    rows[0] = replace(rows[0], links=used)
    lab = attempt(Caller("local", channel_ids=("lab",)), "A circle has radius two.", at=START + 3 * DAY,
                  name="circle", correct=False, domain="geometry", model="gpt-4o", tokens_used=300,
                  latency_ms=700, confidence=0.8)  # fmt: skip
    for row in (*rows, lab):
        [saved] = await shared_service.remember([row])
        assert saved.status == "created", saved
    yield shared_service
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")


async def ask(service: Service, caller: Caller = ANNA, **asked: Any) -> EpisodeAnswer:
    ways = {name: asked.pop(name) for name in list(asked) if name in EpisodeQuestion.__slots__}
    given: dict[str, Any] = {
        name: Names.of(said) if isinstance(said, str) else said for name, said in asked.items()
    }
    return await service.query_episodes(
        caller, EpisodeQuestion(filters=EpisodeFilters(**given), **ways)
    )


async def names(service: Service, caller: Caller = ANNA, **asked: Any) -> list[str | None]:
    answer = await ask(service, caller, **asked)
    return [episode.episode_id for episode in answer.episodes]


NEWEST = ["eggs", "circle", "angle", "train-2", "train-1"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, NEWEST),
        ({"verdicts": (True,)}, ["angle", "train-1"]),
        ({"verdicts": (False,)}, ["circle", "train-2"]),
        ({"verdicts": (None,)}, ["eggs"]),
        ({"verdicts": (None, False)}, ["eggs", "circle", "train-2"]),
        ({"domain": "algebra"}, ["train-2", "train-1"]),
        ({"model": "small-1"}, ["eggs", "angle"]),
        ({"agent_id": "anna"}, ["eggs", "angle", "train-2", "train-1"]),
        ({"agent_id": "bert"}, []),
        ({"session_id": "monday"}, ["angle"]),
        ({"problem_id": "p-1"}, ["train-1"]),
        ({"tokens_used": Bound(None, 400)}, ["circle", "angle", "train-1"]),
        ({"tokens_used": Bound(401, None)}, ["train-2"]),
        ({"latency_ms": Bound(700, 901)}, ["circle", "train-1"]),
        ({"confidence": Bound(0.8, None)}, ["circle", "train-1"]),
        ({"temperature": Bound(0, 0)}, ["train-1"]),
        ({"step_count": Bound(2, None)}, ["train-2", "train-1"]),
        ({"step_count": Bound(0, 0)}, ["eggs", "circle", "angle"]),
        ({"occurred": Window(START + DAY, START + 3 * DAY)}, ["angle", "train-2"]),
        ({"tags_any": ("warm", "cold")}, ["train-1"]),
        ({"tags_all": ("exam",)}, ["train-2", "train-1"]),
        ({"tags_all": ("exam", "warm")}, ["train-1"]),
        ({"actions_any": ("search", "subtract")}, ["train-2", "train-1"]),
        ({"actions_all": ("search", "multiply")}, ["train-2"]),
        ({"actions_all": ("multiply",), "tokens_used": Bound(500, None)}, ["train-2"]),
        ({"tags_all": ("exam",), "verdicts": (True,), "temperature": Bound(0, 0.5)}, ["train-1"]),
    ],
)
async def test_each_filter_lets_through_what_it_says(
    asked: Service, filters: dict[str, Any], found: list[str]
) -> None:
    assert await names(asked, **filters) == found
    near = await ask(asked, similar_to="a train at noon", min_similarity=-1.0, **filters)
    assert sorted(e.episode_id or "" for e in near.episodes) == sorted(found)
    similarities = [episode.similarity or 0 for episode in near.episodes]
    assert similarities == sorted(similarities, reverse=True)
    counted = await ask(asked, measure="attempts", **filters)
    assert counted.total is not None
    assert counted.total.attempts == len(found)


async def test_what_is_about_something_else_is_left_out(asked: Service) -> None:
    assert "eggs" not in await names(asked, similar_to="a train leaves the station")
    assert await names(asked, similar_to="repainting a rusty bicycle") == []


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("oldest", NEWEST[::-1]),
        ("slowest", ["train-2", "train-1", "circle", "angle", "eggs"]),
        ("fastest", ["angle", "circle", "train-1", "train-2", "eggs"]),
        ("most_tokens", ["train-2", "train-1", "circle", "angle", "eggs"]),
        ("fewest_tokens", ["angle", "circle", "train-1", "train-2", "eggs"]),
        ("most_confident", ["train-1", "circle", "train-2"]),
        ("least_confident", ["train-2", "circle", "train-1"]),
        ("most_steps", None),
        ("lowest_temperature", ["train-1"]),
        ("highest_temperature", None),
        ("fewest_steps", None),
    ],
)
async def test_orders_put_what_is_unknown_last(
    asked: Service, order: Any, found: list[str] | None
) -> None:
    ordered = await names(asked, order=order)
    assert ordered[: len(found or ())] == (found or [])
    assert sorted(map(str, ordered)) == sorted(NEWEST)
    if order in ("most_confident", "least_confident"):
        assert set(ordered[3:]) == {"angle", "eggs"}


@pytest.mark.parametrize("order", ["newest", "oldest", "slowest", "fewest_tokens", "most_steps"])
@pytest.mark.parametrize("by_keys", [False, True])
async def test_pages_hold_everything_once(asked: Service, order: Any, by_keys: bool) -> None:
    filters = EpisodeFilters(tags_any=("exam", "warm")) if by_keys else EpisodeFilters()
    question = EpisodeQuestion(filters=filters, order=order)
    whole = await asked.query_episodes(ANNA, question)
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        page = await asked.query_episodes(ANNA, replace(question, limit=1), cursor)
        assert len(page.episodes) <= 1
        seen += [episode.uid for episode in page.episodes]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [episode.uid for episode in whole.episodes]
    assert len(seen) == (2 if by_keys else 5)


async def test_a_cursor_opens_only_its_own_question(asked: Service) -> None:
    first = await asked.query_episodes(ANNA, EpisodeQuestion(limit=1))
    for caller, question in (
        (ANNA, EpisodeQuestion(limit=1, order="oldest")),
        (BERT, EpisodeQuestion(limit=1)),
        (ANNA, EpisodeQuestion(similar_to="x")),
        (ANNA, EpisodeQuestion(measure="attempts")),
    ):
        with pytest.raises(InvalidInputError, match="cursor"):
            await asked.query_episodes(caller, question, first.cursor)
    for broken in ("x", "W10", "é"):
        with pytest.raises(InvalidInputError, match="cursor"):
            await asked.query_episodes(ANNA, EpisodeQuestion(limit=1), broken)


async def test_what_is_similar_can_be_ordered_by_something_else(asked: Service) -> None:
    found = await names(
        asked, similar_to="trains that leave a station", order="slowest", min_similarity=0.55
    )
    assert found == ["train-2", "train-1"]


async def test_own_is_the_agents_scope_alone(asked: Service) -> None:
    assert "circle" not in await names(asked, own=True)
    assert len(await names(asked, own=True)) == 4
    lab = Caller("local", channel_ids=("lab",))
    assert await names(asked, lab, own=True) == ["circle"]


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("domain", {"algebra": (2, 1), "geometry": (2, 1), "arithmetic": (1, 0)}),
        ("model", {"gpt-4o": (3, 1), "small-1": (2, 1)}),
        ("action", {"multiply": (2, 1), "subtract": (1, 1), "search": (1, 0), "": (3, 1)}),
        ("strategy", {"multiply, subtract": (1, 1), "search, multiply": (1, 0), "": (3, 1)}),
        ("concept", {"speed": (1, 1), "": (4, 1)}),
        ("month", {"2026-04": (3, 1), "2026-03": (2, 1)}),
        ("week", {"2026-W15": (1, 0), "2026-W14": (4, 2)}),
        ("day", {"2026-04-08": (1, 0), "2026-04-02": (1, 0), "2026-04-01": (1, 1),
                 "2026-03-31": (1, 0), "2026-03-30": (1, 1)}),
        ("agent", {"anna": (4, 2), "": (1, 0)}),
        ("session", {"monday": (1, 1), "": (4, 1)}),
    ],
)  # fmt: skip
async def test_groups(asked: Service, by: Any, groups: dict[str, tuple[int, int]]) -> None:
    answer = await ask(asked, by=by)
    assert answer.groups is not None
    found = {group.name: (group.attempts, group.successes) for group in answer.groups}
    assert found == groups
    if by in ("day", "week", "month"):
        assert list(found) == list(groups)
    assert answer.total is not None
    assert (answer.total.attempts, answer.total.judged, answer.total.successes) == (5, 4, 2)


async def test_numbers_leave_out_what_nobody_told(asked: Service) -> None:
    answer = await ask(asked, measure="mean_latency", domain="algebra")
    total = answer.total
    assert total is not None
    assert (total.success_rate, total.total_tokens, total.mean_tokens) == (0.5, 1000, 500)
    assert total.mean_latency == pytest.approx(1950.25)
    assert total.mean_confidence == pytest.approx(0.65)
    assert total.mean_steps == 2
    nothing = (await ask(asked, measure="success_rate", domain="arithmetic")).total
    assert nothing is not None
    assert (nothing.attempts, nothing.judged, nothing.success_rate) == (1, 0, None)
    assert (nothing.total_tokens, nothing.mean_tokens, nothing.mean_latency) == (None, None, None)


async def test_groups_are_ordered_by_what_is_measured(asked: Service) -> None:
    slowest = await ask(asked, measure="mean_latency", by="model", limit=1)
    assert [group.name for group in slowest.groups or ()] == ["gpt-4o"]
    best = await ask(asked, measure="success_rate", by="model")
    assert [group.name for group in best.groups or ()] == ["small-1", "gpt-4o"]


async def test_what_is_about_a_text_is_measured(asked: Service) -> None:
    answer = await ask(asked, measure="success_rate", similar_to="trains", min_similarity=0.55)
    assert answer.total is not None
    assert (answer.total.attempts, answer.total.success_rate) == (2, 0.5)
    by_key = await ask(
        asked, measure="attempts", similar_to="trains", min_similarity=0.55, tags_all=("warm",)
    )
    assert by_key.total is not None
    assert by_key.total.attempts == 1


async def test_days_begin_where_the_caller_is(asked: Service) -> None:
    answer = await ask(asked, by="day", time_zone="Pacific/Kiritimati")  # 14 hours ahead
    assert "2026-03-31" in {group.name for group in answer.groups or ()}
    assert "2026-03-30" not in {group.name for group in answer.groups or ()}


SEVERAL: list[tuple[dict[str, Any], set[str]]] = [
    ({"domain": Names(("algebra", "arithmetic"))}, {"train-1", "train-2", "eggs"}),
    ({"domain": Names(none=("algebra",))}, {"angle", "eggs", "circle"}),
    ({"domain": Names(none=("algebra", "geometry"))}, {"eggs"}),
    ({"domain": Names(("algebra", "geometry"), ("algebra",))}, {"angle", "circle"}),
    ({"domain": Names(("algebra",), ("algebra",))}, set()),
    ({"model": Names(none=("small-1",)), "domain": Names(("geometry", "algebra"))},
     {"train-1", "train-2", "circle"}),
    ({"session_id": Names(none=("monday",))}, {"train-1", "train-2", "eggs", "circle"}),
    ({"problem_id": Names(none=("p-1",))}, {"train-2", "angle", "eggs", "circle"}),
    ({"tags_none": ("warm",)}, {"train-2", "angle", "eggs", "circle"}),
    ({"tags_all": ("exam",), "actions_none": ("search",)}, {"train-1"}),
    ({"actions_none": ("search",), "domain": Names(("algebra", "geometry"))}, {"train-1", "angle", "circle"}),
]  # fmt: skip


@pytest.mark.parametrize(("asked_for", "expected"), SEVERAL)
@pytest.mark.parametrize("similar", [None, "A train in a triangle"])
async def test_several_names_and_all_but_some_filter_in_every_way(
    asked: Service, asked_for: dict[str, Any], expected: set[str], similar: str | None
) -> None:
    ways: dict[str, Any] = {"similar_to": similar, "min_similarity": -1.0} if similar else {}
    assert set(await names(asked, **asked_for, **ways)) == expected
    measured = await ask(asked, measure="attempts", **asked_for, **ways)
    assert measured.total is not None
    assert measured.total.attempts == len(expected)


async def test_the_nearest_of_several_names_are_the_nearest_of_all(asked: Service) -> None:
    both = Names(("algebra", "geometry"))
    every = await names(asked, similar_to="two trains", min_similarity=-1.0)
    some = await names(asked, similar_to="two trains", min_similarity=-1.0, domain=both, limit=3)
    assert some == [name for name in every if name != "eggs"][:3]


async def test_attempts_that_are_archived_still_count_and_hidden_ones_do_not(
    asked: Service, cypher: Run
) -> None:
    cypher("MATCH (m:Episode {external_id: 'eggs'}) SET m.state = 'archived'")
    assert "eggs" in await names(asked)
    cypher("MATCH (m:Episode {external_id: 'eggs'}) SET m.state = 'hidden'")
    assert "eggs" not in await names(asked)
    assert "eggs" not in await names(asked, similar_to="eggs")
    assert "arithmetic" not in (await asked.ask_episodes.store.vocabulary(ANNA.readable)).domains
    cypher("MATCH (m:Episode {external_id: 'eggs'}) SET m.state = 'active'")


async def test_the_statement_is_shown_without_vectors_and_tenants(asked: Service) -> None:
    answer = await ask(asked, similar_to="trains", domain="algebra")
    shown = answer.statement
    assert shown.name == "episodes.find_episodes.nearest"
    assert "VECTOR INDEX episode_embedding_a" in shown.text
    assert shown.parameters["embedding"] == "<384 numbers>"
    assert shown.parameters["scopes"] == ["agent/anna", "channel/lab", "shared"]
    assert "m.domain_key >= span.domain_from" in shown.text
    plain = (await ask(asked)).statement
    assert "domain_from" not in plain.text
    assert "spans" not in plain.parameters
    assert "embedding" not in plain.parameters


async def test_an_episode_comes_back_whole(asked: Service) -> None:
    [found] = (await ask(asked, problem_id="p-1")).episodes
    assert found.structured is not None
    assert [step["action"] for step in found.structured["trace"]] == ["3*4=12", "12-2=10"]
    assert (found.actions, found.answer) == (("multiply", "subtract"), "42")
    assert (found.tokens_used, found.latency_ms, found.step_count) == (400, 900.5, 2)
    [eggs] = (await ask(asked, verdicts=(None,))).episodes
    assert (eggs.tokens_used, eggs.latency_ms, eggs.confidence, eggs.correct) == (None,) * 4


async def test_the_words_that_occur(asked: Service) -> None:
    words = await asked.ask_episodes.store.vocabulary(BERT.readable)
    assert (words.domains, words.models, words.agents) == (("algebra",), ("gpt-4o",), ("bert",))
    assert (words.actions, words.tags) == (("search",), ("exam",))


async def test_a_statement_that_takes_too_long_is_ended(asked: Service) -> None:
    slow = parse(
        "test.slow",
        "// Slow.\n//\n// params:  most INTEGER\n// returns: c INTEGER\n// mode:    read\n"
        "UNWIND range(1, $most) AS n\nWITH n WHERE sin(n) > 2\nRETURN count(n) AS c",
    )
    with pytest.raises(QueryTimeoutError, match="took longer"):
        await asked.database.read(slow, {"most": 10**10}, most_seconds=0.5)
    assert await asked.database.read(slow, {"most": 10}, most_seconds=0.5) == [{"c": 0}]


async def test_nothing_there_is_no_error(asked: Service) -> None:
    nobody = Caller("local", "nobody")
    assert await names(asked, nobody) == []
    assert await names(asked, nobody, similar_to="trains") == []
    assert await names(asked, nobody, similar_to="trains", tags_all=("exam",)) == []
    empty = await ask(asked, nobody, measure="success_rate", by="domain", similar_to="trains")
    assert empty.total is not None
    assert (empty.total.attempts, empty.groups) == (0, ())
