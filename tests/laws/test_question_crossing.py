"""Whatever is asked about episodes, nobody is shown another's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.episodes.attempts import EpisodeFilters, Names
from graph.model.episodes.questions import EpisodeQuestion
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.attempting import attempt

ATTEMPTED = datetime(2026, 4, 1, tzinfo=UTC)
OWNERS = [
    Caller("local", "anna"),
    Caller("local", "bert"),
    Caller("other", "anna"),
    Caller("other", "bert"),
    Caller("local", channel_ids=("bert",)),
    Caller("local", user_ids=("anna",)),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def attempts(shared_service: Service, cypher: Run) -> AsyncGenerator[Service]:
    """One attempt of every owner, the same but for whose it is."""
    await asyncio.to_thread(cypher, "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    for owner in OWNERS:
        row = attempt(
            owner,
            "A grey train meets a blue train.",
            at=ATTEMPTED,
            name="the-same",
            correct=False,
            domain="algebra",
            model="gpt-4o",
            actions=("search(x)",),
            tags=("exam",),
            session_id="s",
            problem_id="p-1",
            tokens_used=100,
            latency_ms=10.0,
            confidence=0.5,
            temperature=0.5,
        )
        [saved] = await shared_service.remember([row])
        assert saved.status == "created"
    yield shared_service
    await asyncio.to_thread(cypher, "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")


WORDS = st.lists(
    st.sampled_from(
        [
            "my",
            "all",
            "everyone's",
            "attempts",
            "by",
            "bert",
            "agent:bert",
            "agent:anna",
            "failed",
            "algebra",
            "about",
            "trains",
            "since",
            "2020",
            "using",
            "search",
            "tagged",
            "exam",
            "by",
            "model",
            "per",
            "domain",
            "success",
            "rate",
            "slowest",
            "5",
            "scope:",
            "other/agent/bert",
            "local/agent/bert",
            "#exam",
            "session",
            "s",
            "problem",
            "p-1",
            "shared",
            "or",
            "and",
            "not",
            "*",
            '"',
            ")",
            "OR",
        ]
    ),
    max_size=10,
).map(" ".join)
NAMED = st.sampled_from(
    [None, "algebra", "gpt-4o", "anna", "bert", "s", "p-1", "*", "local/shared"]
)
LISTS = st.lists(st.sampled_from(["exam", "search", "*", "scope_key:0", ") OR (*:*"]), max_size=2)


@given(
    caller=st.sampled_from(OWNERS),
    words=WORDS,
    similar=st.sampled_from([None, "trains", "grey"]),
    names=st.tuples(NAMED, NAMED, NAMED, NAMED, NAMED),
    lists=st.tuples(LISTS, LISTS, LISTS, LISTS),
    own=st.booleans(),
    by=st.sampled_from([None, "domain", "action", "agent", "strategy", "problem"]),
)
@settings(
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_no_question_crosses_a_scope(
    attempts: Service,
    caller: Caller,
    words: str,
    similar: str | None,
    names: tuple[str | None, ...],
    lists: tuple[list[str], ...],
    own: bool,
    by: Any,
) -> None:
    """Whatever is asked, and whoever fills it, nothing of somebody else comes out."""
    domain, model, agent, session, problem = names
    filters = EpisodeFilters(
        domain=Names.of(domain),
        model=Names(none=tuple(lists[0])),
        agent_id=Names.of(agent, model),
        session_id=Names.of(session),
        problem_id=Names.of(problem),
        tags_any=tuple(lists[0]),
        tags_all=tuple(lists[1]),
        actions_any=tuple(lists[2]),
        actions_all=tuple(lists[3]),
    )
    question = EpisodeQuestion(filters=filters, similar_to=similar, own=own)
    answers = [await attempts.query_episodes(caller, question)]
    answers.append(await attempts.query_episodes(caller, replace(question, by=by or "model")))
    if words.strip():
        with suppress(InvalidInputError):
            answers.append((await attempts.ask_episodes(caller, words)).answer)
    for answer in answers:
        assert {episode.scope for episode in answer.episodes} <= set(caller.readable)
        if answer.total is not None:
            assert answer.total.attempts <= sum(o.writable() in caller.readable for o in OWNERS)
    told = await attempts.ask_episodes.store.vocabulary(caller.readable)
    assert set(told.agents) <= {caller.agent_id}
