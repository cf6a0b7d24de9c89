from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from graph.kernel.values import BEGINNING
from graph.model.recall.candidates import (
    Context,
    Explanation,
    NearMiss,
    Recallable,
    RecallAnswer,
    Recalled,
    Window,
)
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.doors.asking import results_of
from tests.doors.attempts import add, episode
from tests.store.reading import linked
from tests.swapping import app_for, swapped

NOW = datetime(2026, 5, 1, tzinfo=UTC)
RESULT = Recalled(
    memory=Recallable(
        uid="01U",
        external_id=None,
        scope="local/agent/a",
        kind="insight",
        stratum="long_term",
        text="It helps.",
        speaker=None,
        session_id=None,
        tags=("t",),
        metadata=json.dumps({"x": None}),
    ),
    occurred_at=NOW,
    importance=3,
    score=1.5,
    relevance=0.9,
    similarity=0.6,
    q_value=0.5,
    explanation=Explanation({"relevance": 1.5}, ("vector", "01U")),
)


@dataclass
class Recorder:
    """Answers every recall alike, and keeps what was asked."""

    asked: list[RecallRequest] = field(default_factory=list[RecallRequest])

    async def __call__(self, request: RecallRequest) -> RecallAnswer:
        self.asked.append(request)
        return RecallAnswer(
            (RESULT,), 0.7, 12, "t", (NearMiss("01M", "It nearly helps.", 0.1, "6th"),)
        )


async def ask(service: Service, recorder: Recorder, body: dict[str, object]) -> httpx.Response:
    app = app_for(swapped(service, recall=recorder))  # pyright: ignore[reportArgumentType] -- same call
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.post("/v1/recall", json=body)


async def test_everything_asked_reaches_the_use_case(service: Service) -> None:
    recorder = Recorder()
    answer = await ask(
        service,
        recorder,
        {
            "agent_id": "a",
            "channel_ids": ["c"],
            "user_ids": ["u"],
            "text": "what helps?",
            "phase": "plan",
            "lambda": 0.25,
            "k": 7,
            "hops": 2,
            "min_similarity": 0.1,
            "explain": True,
            "task_id": "t",
            "context": {"domain": "tea", "tags": ["green"]},
            "explore": False,
            "filters": {
                "kinds": ["insight"],
                "strata": ["semantic"],
                "states": ["archived"],
                "tags_any": ["x"],
                "tags_all": ["y"],
                "importance_min": 2,
                "importance_max": 4,
                "occurred_to": "2026-05-01T00:00:00Z",
                "valid_at": "2026-05-01T00:00:00Z",
                "session_id": "s",
                "domain": "d",
                "phase": "act",
                "agent_id": "a",
                "correct": True,
                "model": "m",
            },
        },
    )
    assert answer.status_code == 200, answer.text
    [asked] = recorder.asked
    assert asked.caller.readable == (
        "local/agent/a",
        "local/channel/c",
        "local/shared",
        "local/user/u",
    )
    assert (asked.phase, asked.utility_weight, asked.k, asked.hops) == ("planning", 0.25, 7, 2)
    assert (asked.min_similarity, asked.explain, asked.task_id) == (0.1, True, "t")
    assert (asked.context, asked.explore) == (Context("tea", ("green",)), False)
    filters = asked.filters
    assert (filters.kinds, filters.strata, filters.states) == (
        ("insight",),
        ("semantic",),
        ("archived",),
    )
    assert (filters.tags_any, filters.tags_all) == (("x",), ("y",))
    assert (filters.importance_min, filters.importance_max) == (2, 4)
    assert filters.occurred == Window(BEGINNING, NOW)
    assert filters.valid_at == NOW
    assert (filters.session_id, filters.domain, filters.phase) == ("s", "d", "action")
    assert (filters.agent_id, filters.correct, filters.model) == ("a", True, "m")


async def test_what_is_not_asked_is_left_to_the_settings(service: Service) -> None:
    recorder = Recorder()
    await ask(service, recorder, {"agent_id": "a", "text": "what helps?"})
    [asked] = recorder.asked
    assert asked == RecallRequest(caller=asked.caller, text="what helps?")


async def test_an_answer_shows_results_and_says_why(service: Service) -> None:
    answer = await ask(service, Recorder(), {"agent_id": "a", "like": "01X", "explain": True})
    body = answer.json()
    assert (body["lambda"], body["candidates"], body["task_id"]) == (0.7, 12, "t")
    [result] = body["results"]
    assert result["scope"] == "agent/a"
    assert result["metadata"] == {"x": None}
    assert result["explanation"] == {"components": {"relevance": 1.5}, "path": ["vector", "01U"]}
    assert [miss["uid"] for miss in body["explanation"]["near_misses"]] == ["01M"]


async def test_without_explain_nothing_is_explained(service: Service) -> None:
    answer = await ask(service, Recorder(), {"agent_id": "a", "text": "x"})
    assert answer.json()["explanation"] is None


async def test_what_was_remembered_is_recalled(client: httpx.AsyncClient) -> None:
    await client.post("/v1/memories", json={"agent_id": "a", "text": "The build broke again."})
    [result] = await results_of(client, {"agent_id": "a", "text": "broken build"}, expect=1)
    assert result["text"] == "The build broke again."
    assert result["session_id"] is None
    other = await client.post("/v1/recall", json={"agent_id": "b", "text": "broken build"})
    assert other.json()["results"] == []


async def test_an_answer_says_how_many_memories_wait_for_their_links(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    for agent, texts in (("lag-a", ("one", "two")), ("lag-b", ("three",))):
        rows = [{"text": text} for text in texts]
        await client.post("/v1/memories", json={"agent_id": agent, "memories": rows})

    async def pending() -> int:
        answer = await client.post("/v1/recall", json={"agent_id": "lag-a", "text": "one"})
        return int(answer.json()["links_pending"])

    async with asyncio.timeout(10):
        while await pending() != 2:  # as of two seconds ago
            await asyncio.sleep(0.1)
    await linked(service)
    async with asyncio.timeout(10):
        while await pending():
            await asyncio.sleep(0.1)


async def test_a_time_alone_is_answered_with_all_of_it(client: httpx.AsyncClient) -> None:
    noted = [
        ("2026-11-24", "The floor of the gym is wet."),
        ("2026-11-25", "Vera cancelled her visits."),
        ("2026-11-27", "Kurt ordered green paint."),
        *((f"2026-10-{day:02}", f"Something happened on machine {day}.") for day in range(1, 29)),
    ]
    for day, text in noted:
        saved = await client.post(
            "/v1/memories",
            json={"agent_id": "timed", "text": text, "occurred_at": f"{day}T10:00:00Z"},
        )
        assert saved.status_code == 201
    question = {
        "agent_id": "timed",
        "text": "What happened last week?",
        "now": "2026-11-30T09:00:00Z",
    }
    results = await results_of(client, question, expect=3)
    assert {result["text"] for result in results} == {text for _, text in noted[:3]}


async def test_an_attempt_is_one_result_with_its_outcome(client: httpx.AsyncClient) -> None:
    problem = "Estimate the hours to rake the leaves of week 48"
    await add(
        client,
        episode(
            "right", input__problem=problem, output__answer="9 hours", insight="Count the trees."
        ),
        episode("wrong", input__problem=problem, output__answer="4 hours", output__correct=False),
    )
    question = {"agent_id": "anna", "text": "How many hours to rake leaves in week 48?"}
    both = {**question, "filters": {"kinds": ["episode", "problem"]}}
    results = await results_of(client, both, expect=2)
    assert {each["attempt"]["answer"]: each["attempt"] for each in results} == {
        "9 hours": {"answer": "9 hours", "correct": True, "insight": "Count the trees."},
        "4 hours": {"answer": "4 hours", "correct": False, "insight": None},
    }
    alone = {**question, "filters": {"kinds": ["problem"]}}
    [found] = await results_of(client, alone, expect=1)
    assert (found["kind"], found["attempt"]) == ("problem", None)
