"""Attempts at large on a store whose answers are known: over HTTP, for people, for models."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest_asyncio

from cypher import QUERIES
from graph.kernel.scope import Caller
from graph.model.episodes.questions import FailedProblem, FailedProblems
from graph.model.memories.memory import Link, NewMemory
from graph.store.operation.browser import saved_queries
from service.bootstrap import Service
from service.mcp.inputs import Who
from service.use_cases.episodes.analytics import connected
from stratagraph import wire
from stratagraph.cli.reasoning import show
from tests.conftest import Run, shared_app
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call
from tests.store.attempting import attempt
from tests.store.operation.test_analytics import Analyst
from tests.swapping import app_for

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
START = datetime(2026, 3, 30, 12, tzinfo=UTC)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tried(shared_service: Service, cypher: Run) -> AsyncGenerator[Service]:
    """Three problems, two of them alike; the first needs a concept."""
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    for owner in (ANNA, BERT):
        home = owner.writable()
        await shared_service.remember(
            [
                NewMemory(home, "multiply x2", kind="strategy", external_id="s-1"),
                NewMemory(home, "speed: distance over time", kind="concept", external_id="c-1"),
            ]
        )
        needs = (Link("REQUIRES", "external:c-1"),)
        await shared_service.remember(
            [
                NewMemory(home, "Problem one.", kind="problem", external_id="p-1", links=needs),
                NewMemory(home, "Problem two.", kind="problem", external_id="p-2"),
                NewMemory(home, "Problem three.", kind="problem", external_id="p-3"),
            ]
        )
    cypher("MATCH (m:Memory) REMOVE m.unlinked_since")
    cypher("MATCH (p:Problem {external_id: 'p-1'}), (q:Problem {external_id: 'p-2'}) "
           "WHERE p.scope = q.scope MERGE (p)-[r:SIMILAR_TO]->(q) SET r.similarity = 0.9")  # fmt: skip
    rows: list[tuple[Caller, str, bool, str, int, tuple[str, ...]]] = [
        (ANNA, "p-1", False, "small-1", 0, ("3*4=12",)),
        (ANNA, "p-1", False, "small-1", 1, ("3*4=12", "12/2=6")),
        (ANNA, "p-1", True, "big-1", 2, ("3*4=12",)),
        (ANNA, "p-2", False, "big-1", 3, ("search(x)",)),
        (ANNA, "p-3", False, "big-1", 4, ()),
        (BERT, "p-1", False, "secret-1", 0, ("search(x)",)),
    ]
    for place, (owner, problem, correct, model, day, actions) in enumerate(rows):
        joins = [Link("SOLVED" if correct else "ATTEMPTED", f"external:{problem}")]
        if actions[:1] == ("3*4=12",):
            joins.append(Link("USED", "external:s-1"))
        made = attempt(owner, f"Attempt {place}.", at=START + timedelta(days=day), name=f"e-{place}",
                       correct=correct, model=model, domain="algebra" if problem != "p-3" else "geometry",
                       actions=actions, tokens_used=100)  # fmt: skip
        object.__setattr__(made, "links", tuple(joins))
        [saved] = await shared_service.remember([made])
        assert saved.status == "created", saved
    yield shared_service
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")


async def told(service: Service, **asked: Any) -> dict[str, Any]:
    transport = httpx.ASGITransport(shared_app(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        answer = await client.get("/v1/analytics/reasoning", params={"agent_id": "anna", **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def rates(groups: list[dict[str, Any]]) -> dict[str, tuple[int, float | None]]:
    return {group["name"]: (group["attempts"], group["success_rate"]) for group in groups}


async def test_attempts_at_large(tried: Service) -> None:
    view = await told(tried)
    assert (view["total"]["attempts"], view["total"]["success_rate"]) == (5, 0.2)
    assert rates(view["groups"]["model"]) == {"big-1": (3, 1 / 3), "small-1": (2, 0.0)}
    assert rates(view["groups"]["domain"]) == {"algebra": (4, 0.25), "geometry": (1, 0.0)}
    assert rates(view["groups"]["strategy"]) == {
        "multiply x2": (3, 1 / 3),
        "multiply": (2, 0.5),
        "multiply, divide": (1, 0.0),
        "search": (1, 0.0),
        "": (1, 0.0),
    }
    assert rates(view["groups"]["concept"]) == {"speed": (3, 1 / 3), "": (2, 0.0)}
    assert list(rates(view["trend"])) == ["2026-04", "2026-03"]
    assert rates((await told(tried, over="day", domain="geometry"))["trend"]) == {
        "2026-04-03": (1, 0.0)
    }
    assert (await told(tried, by="action", clusters=0))["clusters"] == []


async def test_failures_stand_in_clusters(tried: Service) -> None:
    clusters = (await told(tried))["clusters"]
    assert [(one["failures"], one["successes"]) for one in clusters] == [(3, 1), (1, 0)]
    assert [problem["text"] for problem in clusters[0]["problems"]] == [
        "Problem one.",
        "Problem two.",
    ]
    assert clusters[0]["actions"] == {"multiply": 2, "divide": 1, "search": 1}
    assert clusters[0]["models"] == {"small-1": 2, "big-1": 1}
    apart = (await told(tried, similarity=0.95))["clusters"]
    assert [one["failures"] for one in apart] == [2, 1, 1]
    early = (await told(tried, occurred_to="2026-03-31T00:00:00Z"))["clusters"]
    assert [(one["failures"], one["successes"]) for one in early] == [(1, 0)]


async def test_what_cannot_be_asked_names_the_field(tried: Service) -> None:
    for asked, field in (
        ({"by": "mood"}, "by"),
        ({"over": "year"}, "over"),
        ({"clusters": 101}, "clusters"),
        ({"time_zone": "Mars"}, "time_zone"),
        ({"limit": 500}, "limit"),
    ):
        transport = httpx.ASGITransport(app_for(tried))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.get(
                "/v1/analytics/reasoning", params={"agent_id": "anna", **asked}
            )
        assert answer.status_code == 422, answer.text
        assert str(answer.json()["errors"][0]["field"]).startswith(field)


async def test_clients_models_and_terminals_see_the_same(tried: Service) -> None:
    async with speaking(tried, Who(agent_id="anna")) as tools:
        seen = await call(tools, "reasoning_analytics", by=["model"], clusters=1)
    assert rates(seen["groups"]["model"]) == {"big-1": (3, 1 / 3), "small-1": (2, 0.0)}
    assert len(seen["clusters"]) == 1
    view = wire.ReasoningAnalyticsView.model_validate(await told(tried, by="domain"))
    assert view.total.attempts == 5
    shown = show(view)
    assert "algebra" in shown
    assert "3 wrong, 1 right  multiply 2" in shown


def test_clusters_hang_together_by_pairs() -> None:
    problems = tuple(FailedProblem(uid, "", "", 1, 0, (), ()) for uid in "abcde")
    found = connected(FailedProblems(problems, (("a", "c"), ("d", "c"), ("d", "a"))))
    assert [[problem.uid for problem in one] for one in found] == [["a", "c", "d"], ["b"], ["e"]]


async def test_the_questions_for_browser(tried: Service, cypher: Run) -> None:
    analyst = Analyst(cypher)
    assert {"success_by_group", "problem_paths"} <= {query.name for query in saved_queries()}
    for attempts_by, expected in (
        (
            "domain",
            {"algebra": (4, 1, 3, 0.25), "geometry": (1, 0, 1, 0.0)},
        ),
        (
            "model",
            {"big-1": (3, 1, 2, 0.3333), "small-1": (2, 0, 2, 0.0)},
        ),
        (
            "strategy",
            {
                "multiply x2": (3, 1, 2, 0.3333),
                "multiply": (2, 1, 1, 0.5),
                "multiply, divide": (1, 0, 1, 0.0),
                "search": (1, 0, 1, 0.0),
            },
        ),
        (
            "concept",
            {"speed": (3, 1, 2, 0.3333)},
        ),
        (
            "month",
            {"2026-04": (3, 1, 2, 0.3333), "2026-03": (2, 0, 2, 0.0)},
        ),
    ):
        rows = analyst.ask("success_by_group", scope="agent/anna", attempts_by=attempts_by)
        found = {
            row["name"]: (row["attempts"], row["right"], row["wrong"], row["success_rate"])
            for row in rows
        }
        assert found == expected, attempts_by
    assert analyst.ask("success_by_group", scope="agent/anna")[0]["tokens"] == 100.0
    clusters = analyst.ask("failure_clusters", scope="agent/anna")
    assert [(row["wrong"], row["right"], row["similar_failures"]) for row in clusters[:2]] == [
        (2, 1, 1),
        (1, 0, 2),
    ]
    assert clusters[2]["similar"] == []
    [first] = [row for row in clusters if row["problem"] == "Problem one."]
    assert (first["similar"], first["actions"]) == (["Problem two."], ["divide", "multiply"])
    drawn = analyst.ask("problem_paths", scope="agent/anna")
    assert len(drawn) == 5 + 3 + 4  # attempts, and strategies they used: one by hand, and their own
    assert "analytics.problem_paths" in QUERIES
