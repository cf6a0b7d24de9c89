"""`POST /v1/episodes/query`, `/v1/episodes/ask`, their tool and their command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from graph.kernel.errors import LanguageModelError
from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.mcp.inputs import Who
from stratagraph import wire
from stratagraph.cli.ask import show
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call, refused
from tests.store.attempting import attempt

ANNA = {"agent_id": "anna"}


async def tried(service: Service) -> None:
    """Anna's three attempts, the last one ten days old."""
    anna, now = Caller("local", "anna"), datetime.now(UTC)
    for place, (name, correct, domain, model) in enumerate(
        [
            ("new", False, "algebra", "gpt-4o"),
            ("mid", True, "geometry", "gpt-4o"),
            ("old", True, "algebra", "small-1"),
        ]
    ):
        row = attempt(
            anna,
            f"The {name} problem of trains.",
            at=now - timedelta(days=5 * place, minutes=1),
            name=name,
            correct=correct,
            domain=domain,
            model=model,
            tokens_used=100 * (place + 1),
        )
        [saved] = await service.remember([row])
        assert saved.status == "created"


async def ask(client: httpx.AsyncClient, question: str, **more: Any) -> dict[str, Any]:
    answer = await client.post("/v1/episodes/ask", json={**ANNA, "question": question, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_question_in_words(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    told = await ask(client, "failed attempts on algebra problems from the past week")
    assert [episode["episode_id"] for episode in told["episodes"]] == ["new"]
    assert told["source"] == "grammar"
    assert (told["unread"], told["model"], told["fallback"]) == ([], None, None)
    assert told["object"]["filters"]["correct"] == [False]
    assert told["object"]["filters"]["domain"] == "algebra"
    assert told["object"]["order"] == "newest"
    assert told["statement"]["name"] == "episodes.find_episodes.all"
    assert "m.correct IN $verdicts" in told["statement"]["text"]
    assert told["statement"]["parameters"]["scopes"] == ["agent/anna", "shared"]
    assert told["statement"]["parameters"]["verdicts"] == ["false", "false"]
    assert told["episodes"][0]["episode"]["metadata"]["model"] == "gpt-4o"
    assert told["groups"] is told["total"] is None
    assert "local" not in str(told["statement"]["parameters"]["scopes"])


async def test_numbers(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    told = await ask(client, "my success rate by model", time_zone="Europe/Berlin")
    assert told["total"]["success_rate"] == pytest.approx(2 / 3)
    assert [(group["name"], group["success_rate"]) for group in told["groups"]] == [
        ("small-1", 1.0),
        ("gpt-4o", 0.5),
    ]
    assert told["episodes"] is None
    assert told["object"] == {
        "filters": {},
        "measure": "success_rate",
        "by": "model",
        "own": True,
        "limit": 200,
        "time_zone": "Europe/Berlin",
    }
    assert told["now"].endswith(("+01:00", "+02:00"))


@pytest.mark.parametrize(
    ("zone", "first"), [("UTC", "T00:00:00Z"), ("Europe/Berlin", "T00:00:00+01:00")]
)
async def test_a_day_begins_at_its_first_moment_in_every_zone(
    client: httpx.AsyncClient, zone: str, first: str
) -> None:
    for day in (19, 20, 21):
        body = {"input": {"problem": f"Noted on {day}."}, "timestamp": f"2025-11-{day}{first}"}
        stored = await client.post("/v1/episodes", json={**ANNA, **body, "episode_id": f"d{day}"})
        assert stored.status_code == 201, stored.text
    for question, days in (
        ("attempts on 20 November 2025", ["d20"]),
        ("attempts before 20 November 2025", ["d19"]),
        ("attempts since 20 November 2025", ["d21", "d20"]),
    ):
        told = await ask(client, question, time_zone=zone)
        assert [each["episode"]["episode_id"] for each in told["episodes"]] == days, question


async def test_the_object_that_is_shown_can_be_sent(
    client: httpx.AsyncClient, service: Service
) -> None:
    await tried(service)
    for question in (
        "slowest 2 correct or unjudged attempts about trains with fewer than 1000 tokens this year",
        "success rate by month",
        "attempts with 0 steps since yesterday",
        "wrong attempts between 0.5 and 0.9 confidence",
        "geometry or algebra attempts, not by small-1",
        "everything except algebra",
    ):
        told = await ask(client, question)
        again = await client.post("/v1/episodes/query", json={**ANNA, **told["object"]})
        assert again.status_code == 200, again.text
        for name in ("object", "episodes", "total", "groups"):
            assert again.json()[name] == told[name], question


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"domain": ["algebra", "geometry"]}, {"new", "mid", "old"}),
        ({"domain": ["algebra"], "model": "gpt-4o"}, {"new"}),
        ({"domain_not": ["algebra"]}, {"mid"}),
        ({"model_not": ["gpt-4o"], "agent_id": ["anna", "bert"]}, {"old"}),
        ({"tags_none": ["exam"], "actions_none": ["search"]}, {"new", "mid", "old"}),
        ({"session_id_not": ["s-1"], "problem_id_not": ["p-1"]}, {"new", "mid", "old"}),
    ],
)
async def test_filters_take_several_names_and_leave_some_out(
    client: httpx.AsyncClient, service: Service, filters: dict[str, Any], expected: set[str]
) -> None:
    await tried(service)
    for ways in ({}, {"similar_to": "trains", "min_similarity": -1}):
        answer = await client.post("/v1/episodes/query", json={**ANNA, "filters": filters, **ways})
        assert answer.status_code == 200, answer.text
        assert {episode["episode_id"] for episode in answer.json()["episodes"]} == expected


async def test_what_words_leave_out(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    told = await ask(client, "attempts except geometry")
    assert {episode["episode_id"] for episode in told["episodes"]} == {"new", "old"}
    assert (told["object"]["filters"], told["unread"]) == ({"domain_not": ["geometry"]}, [])
    told = await ask(client, "success rate on geometry or algebra by model")
    assert told["object"]["filters"] == {"domain": ["geometry", "algebra"]}
    assert told["total"]["attempts"] == 3


async def test_pages(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    body = {**ANNA, "limit": 2, "order": "fewest_tokens"}
    first = (await client.post("/v1/episodes/query", json=body)).json()
    assert [episode["episode_id"] for episode in first["episodes"]] == ["new", "mid"]
    body["cursor"] = first["next_cursor"]
    second = (await client.post("/v1/episodes/query", json=body)).json()
    assert [episode["episode_id"] for episode in second["episodes"]] == ["old"]
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"filters": {"confidence_min": 2}}, "filters.confidence_min"),
        ({"filters": {"tokens_used_min": 5, "tokens_used_max": 4}}, "filters"),
        ({"filters": {"correct": "maybe"}}, "filters.correct"),
        ({"filters": {"correct": []}}, "filters.correct"),
        ({"filters": {"scope": "x"}}, "filters.scope"),
        ({"filters": {"domain": [7]}}, "filters.domain"),
        ({"filters": {"domain": [f"d{number}" for number in range(65)]}}, "domain"),
        (
            {
                "filters": {
                    "domain_not": [f"d{number}" for number in range(8)],
                    "model_not": [f"m{number}" for number in range(8)],
                }
            },
            "model",
        ),
        ({"order": "sideways"}, "order"),
        ({"order": "most_similar"}, "order"),
        ({"order": "newest", "by": "model"}, "order"),
        ({"limit": 1001}, "limit"),
        ({"limit": 500}, "limit"),
        ({"min_similarity": 0.5}, "min_similarity"),
        ({"time_zone": "Mars"}, "time_zone"),
        ({"cursor": "x"}, "cursor"),
        ({"cypher": "MATCH (n) RETURN n"}, "cypher"),
    ],
)
async def test_what_cannot_be_asked(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/episodes/query", json={**ANNA, **body})
    assert answer.status_code == 422, answer.text
    assert str(answer.json()["errors"][0]["field"]).startswith(field), answer.text


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"question": "attempts with confidence above 80"}, "confidence_min"),
        ({"question": "most similar attempts"}, "order"),
        ({"question": "  "}, "question"),
        ({"question": "attempts", "time_zone": "Mars"}, "time_zone"),
        ({}, "question"),
    ],
)
async def test_what_words_cannot_ask(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/episodes/ask", json={**ANNA, **body})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["field"] == field


class Scripted:
    """A language model that says what a test wants, and remembers what it was told."""

    name = "scripted-1"

    def __init__(self, says: Mapping[str, Any] | LanguageModelError) -> None:
        self._says = says
        self.told: list[str] = []

    async def fill(
        self, instructions: str, question: str, schema: Mapping[str, Any], *, most_tokens: int = 512
    ) -> Mapping[str, Any]:
        self.told += [instructions, question]
        assert "filters" in schema["properties"]
        if isinstance(self._says, LanguageModelError):
            raise self._says
        return self._says


async def test_a_model_fills_the_same_object(service: Service) -> None:
    await tried(service)
    await service.remember(
        [attempt(Caller("local", "bert"), "x", at=datetime.now(UTC), domain="secret domain")]
    )
    model = Scripted({"filters": {"correct": [True], "domain": "algebra"}, "limit": 3})
    asks = replace(service.ask_episodes, language=model)
    asked = await asks(Caller("local", "anna"), "what went well with x and y?")
    assert (asked.source, asked.model, asked.fallback) == ("model", "scripted-1", None)
    assert [episode.episode_id for episode in asked.answer.episodes] == ["old"]
    assert model.told[1] == "what went well with x and y?"
    assert "algebra" in model.told[0]
    assert "secret" not in model.told[0]
    without = await asks(Caller("local", "anna"), "wrong attempts", by_model=False)
    assert (without.source, without.model) == ("grammar", None)


async def test_a_model_tells_what_it_left_unread(service: Service) -> None:
    await tried(service)
    model = Scripted({"filters": {"correct": [True]}, "unread": ["without retries"]})
    asks = replace(service.ask_episodes, language=model)
    asked = await asks(Caller("local", "anna"), "right attempts without retries")
    assert (asked.source, asked.unread) == ("model", ("without retries",))


async def test_a_domain_stands_beside_the_question(
    client: httpx.AsyncClient, service: Service
) -> None:
    await tried(service)
    who = {"agent_id": "anna", "domain": "algebra"}

    async def told(path: str, **body: Any) -> dict[str, Any]:
        return (await client.post(f"/v1/episodes/{path}", json={**who, **body})).json()

    said = await told("ask", question="failed attempts")
    assert said["object"]["filters"] == {"correct": [False], "domain": "algebra"}
    assert said["unread"] == []
    other = await told("ask", question="domain: chess failures")
    assert other["object"]["filters"]["domain"] == "algebra"
    assert other["unread"] == ["chess"]
    queried = await told("query", filters={"domain": "chess"})
    assert queried["object"]["filters"]["domain"] == "algebra"
    inside = await told("query", domain=None, filters={"domain": "algebra"})
    assert inside["episodes"] == queried["episodes"]


async def test_a_word_that_is_left_over_empties_no_answer(
    client: httpx.AsyncClient, service: Service
) -> None:
    await tried(service)
    left = await ask(client, "algebra zebras that failed")
    assert [episode["episode_id"] for episode in left["episodes"]] == ["new"]
    assert (left["unread"], "similar_to" in left["object"]) == (["zebras"], False)
    counted = await ask(client, "how many algebra zebras failed?")
    assert (counted["total"]["attempts"], counted["unread"]) == (1, ["zebras"])
    topic = await ask(client, "failures about zebras in algebra")
    assert (topic["episodes"], topic["unread"]) == ([], [])


async def test_a_topic_finds_the_problems_that_name_it(
    client: httpx.AsyncClient, service: Service
) -> None:
    anna, now = Caller("local", "anna"), datetime.now(UTC)
    for tokens, problem in (
        (900, "Estimate for mowing the lawn weekly"),
        (
            100,
            "Tell the Miller family in a friendly letter what our crew of four needs for raking all the wet leaves "
            "under the old oaks by Friday, with an estimate",
        ),
        (50, "Answer an angry customer about a broken gate"),
    ):
        row = attempt(anna, problem, at=now, name=f"n{tokens}", correct=True, tokens_used=tokens)
        await service.remember([row])
    told = await ask(client, "cheapest successful estimate")
    assert [found["tokens_used"] for found in told["episodes"]] == [100]
    assert (told["object"]["limit"], told["unread"]) == (1, [])
    counted = await ask(client, "how often do we get estimates right?")
    assert counted["total"]["attempts"] == 2
    strict = {**ANNA, "similar_to": "estimate", "min_similarity": 0.95}
    answer = await client.post("/v1/episodes/query", json=strict)
    assert answer.json()["episodes"] == []


async def test_questions_in_other_languages(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    told = await ask(client, "Welche algebra-Versuche sind gescheitert?")
    assert [episode["episode_id"] for episode in told["episodes"]] == ["new"]
    assert told["object"]["filters"] == {"correct": [False], "domain": "algebra"}
    assert (told["unread"], told["question"]) == ([], "Welche algebra-Versuche sind gescheitert?")


async def test_a_question_of_which_nothing_is_understood_finds_nothing(
    client: httpx.AsyncClient, service: Service
) -> None:
    await tried(service)
    for question in ("tentativi falliti ieri", "not only algebra"):
        told = await ask(client, question)
        assert (told["episodes"], told["next_cursor"]) == ([], None)
        assert told["unread"][0] == question
        assert told["unread"][1].startswith("nothing was understood, so no attempts are shown")
        assert told["statement"]["name"] == "episodes.find_episodes.all"
    everything = await ask(client, "show me all attempts")
    assert (len(everything["episodes"]), everything["unread"]) == (3, [])
    partly = await ask(client, "failed attempts, not only algebra")
    assert len(partly["episodes"]) == 1


async def test_a_model_hears_nobody(service: Service) -> None:
    await tried(service)
    model = Scripted({"similar_to": "who wrote"})
    asks = replace(service.ask_episodes, language=model)
    await asks(Caller("local", "anna"), "attempts about anna.schmidt@example.org")
    assert model.told[1] == "attempts about <EMAIL>"


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (LanguageModelError("it said nothing"), "it said nothing"),
        ({"cypher": "MATCH (n) DETACH DELETE n"}, "cypher"),
        ({"filters": {"scope": "local/agent/bert"}}, "scope"),
        ({"filters": {"confidence_min": 7}}, "confidence_min"),
        ({"order": "most_similar"}, "order"),
        ({"limit": 10**9}, "limit"),
        ({"measure": "joy"}, "measure"),
    ],
)
async def test_a_broken_reply_falls_back_and_says_so(
    service: Service, says: Mapping[str, Any] | LanguageModelError, why: str
) -> None:
    await tried(service)
    asks = replace(service.ask_episodes, language=Scripted(says))
    asked = await asks(Caller("local", "anna"), "failed attempts")
    assert (asked.source, asked.model) == ("grammar", "scripted-1")
    assert asked.fallback is not None
    assert why in asked.fallback
    assert [episode.episode_id for episode in asked.answer.episodes] == ["new"]


async def test_the_tool_asks_in_words_and_by_object(service: Service) -> None:
    await tried(service)
    async with speaking(service, Who(agent_id="anna")) as tools:
        told = await call(tools, "query_episodes", question="failed attempts on algebra")
        assert "statement" not in told
        assert [episode["episode_id"] for episode in told["episodes"]] == ["new"]
        told = await call(
            tools,
            "query_episodes",
            filters={"correct": True, "tokensUsedMin": 250},
            similarTo="trains",
        )
        assert [episode["episode_id"] for episode in told["episodes"]] == ["old"]
        told = await call(tools, "query_episodes", measure="success_rate", by="domain")
        assert {group["name"] for group in told["groups"]} == {"algebra", "geometry"}
        said = await refused(tools, "query_episodes", filters={"confidenceMin": 3})
        assert "confidence" in said


async def test_what_a_terminal_shows(client: httpx.AsyncClient, service: Service) -> None:
    await tried(service)
    listed = show(
        wire.EpisodeAskView.model_validate(await ask(client, "failures, not only algebra")),
        statement=True,
    )
    assert "Not understood: `not only algebra`" in listed
    assert "The new problem of trains." in listed
    assert "// episodes.find_episodes.all" in listed
    numbers = show(wire.EpisodeAskView.model_validate(await ask(client, "success rate by model")))
    assert "100.0% of 1" in numbers
    nothing = show(wire.EpisodeAskView.model_validate(await ask(client, "unjudged attempts")))
    assert "No such attempts." in nothing


async def puzzled(service: Service) -> None:
    """Attempts at joins: three problems, two right ways, one wrong one, and a slow index that is no join."""
    anna, now = Caller("local", "anna"), datetime.now(UTC)
    rows = (
        (
            "The join of carts and coupons doubles the totals",
            False,
            ("explain(query)", "distinct(query)"),
        ),
        (
            "The join of carts and coupons doubles the totals",
            True,
            ("explain(query)", "aggregate(carts)"),
        ),
        (
            "The join of baskets and coupons doubles the totals",
            False,
            ("explain(query)", "distinct(sum)"),
        ),
        ("Listing of tickets sorted by date is slow", True, ("create_index(date)",)),
        ("Sourdough stays flat", False, ("bake(hotter)",)),
    )
    for place, (problem, correct, actions) in enumerate(rows):
        at = now - timedelta(minutes=10 - place)
        row = attempt(
            anna, problem, at=at, name=f"j{place}", correct=correct, domain="sql", actions=actions
        )
        [saved] = await service.remember([row])
        assert saved.status == "created"


async def test_why_is_answered_by_where_right_and_wrong_attempts_part(
    client: httpx.AsyncClient, service: Service
) -> None:
    await puzzled(service)
    told = await ask(client, "why do attempts at joins fail?", domain="sql")
    assert (told["object"]["divergence"], told["unread"]) == (True, [])
    assert told["episodes"] is told["groups"] is told["total"] is None
    [point] = told["divergence"]["points"]
    assert (point["shared"], point["place"]) == (["explain"], 2)
    assert [(one["step"], one["attempts"]) for one in point["wrong"]] == [("distinct", 2)]
    assert [(one["step"], one["attempts"]) for one in point["right"]] == [("aggregate", 1)]
    assert point["right"][0]["said"]["action"] == "aggregate(carts)"
    again = await client.post("/v1/episodes/query", json={**ANNA, **told["object"]})
    assert again.json()["divergence"] == told["divergence"]


async def test_a_divergence_has_no_verdict_order_measure_or_pages(
    client: httpx.AsyncClient, service: Service
) -> None:
    await puzzled(service)
    for more, field in (
        ({"filters": {"correct": False}}, "correct"),
        ({"order": "slowest"}, "order"),
        ({"measure": "attempts"}, "measure"),
        ({"by": "model"}, "by"),
        ({"cursor": "WzE3NjM"}, "cursor"),
    ):
        asked = {**ANNA, "divergence": True, **more}
        answer = await client.post("/v1/episodes/query", json=asked)
        assert answer.status_code == 422, more
        assert answer.json()["errors"][0]["field"].endswith(field)


async def test_wrong_attempts_that_nobody_got_right_are_counted(
    client: httpx.AsyncClient, service: Service
) -> None:
    await puzzled(service)
    answer = await client.post("/v1/episodes/query", json={**ANNA, "divergence": True})
    found = answer.json()["divergence"]
    assert (found["right"], found["wrong"], found["unmatched"]) == (2, 3, 1)
    other = await client.post("/v1/episodes/query", json={"agent_id": "bert", "divergence": True})
    assert other.json()["divergence"] == {"right": 0, "wrong": 0, "unmatched": 0, "points": []}


async def test_a_terminal_shows_where_attempts_part(
    client: httpx.AsyncClient, service: Service
) -> None:
    await puzzled(service)
    answer = await client.post("/v1/episodes/query", json={**ANNA, "divergence": True})
    shown = show(wire.EpisodeQueryView(**answer.json()))
    assert "3 wrong and 2 right attempts; 1 wrong ones" in shown
    assert "At step 2, after explain:" in shown
    assert "wrong     2 × distinct" in shown
