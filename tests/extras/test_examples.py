"""The examples for agent frameworks, with the real packages and a real service."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.bootstrap import Service
from stratagraph import Client
from tests.conftest import Run
from tests.served import served

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, url: str) -> subprocess.CompletedProcess[str]:
    offline = {"LANGSMITH_TRACING": "false", "OPENAI_API_KEY": "", "STRATAGRAPH_URL": url}
    return subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", name],
        env={**os.environ, **offline},
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def loaded(name: str) -> Any:
    place = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    sys.modules[name] = module  # LangGraph reads the state's types there
    place.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["langgraph_agent.py", "openai_agents.py"])
async def test_an_agent_remembers_recalls_and_reports(service: Service, name: str) -> None:
    async with served(service) as url:
        done = await asyncio.to_thread(example, name, url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "you    Remember: Ada prefers answers with a worked example.",
        "agent  Done: created.",
        "you    How does Ada like her answers?",
        "agent  From memory: Ada prefers answers with a worked example.",
        "you    Thanks, that helped.",
        "agent  Done: 1 memories learned from it.",
        "Q is now 0.55: Ada prefers answers with a worked example.",
    ]


@pytest.mark.parametrize(
    "name", ["langgraph_cycles.py", "openai_agents_cycles.py", "pydantic_ai_cycles.py"]
)
async def test_an_agent_goes_through_cycles(service: Service, cypher: Run, name: str) -> None:
    async with served(service) as url:
        done = await asyncio.to_thread(example, name, url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "first: 0 lessons, fare failure success, 13 euros",
        "second: 1 lessons, fare success, 13 euros",
    ]
    kept = cypher(
        "MATCH (c:Cycle) RETURN c.status AS status, COLLECT { MATCH (c)-[:HAS_STEP]->(s)"
        " WITH s ORDER BY s.position RETURN s.outcome } AS steps ORDER BY c.started_at"
    )
    assert kept == [
        {"status": "success", "steps": ["failure", "success", "undecided"]},
        {"status": "success", "steps": ["success"]},
    ]


async def test_a_graph_that_goes_on_from_a_checkpoint_counts_its_phases_once(
    service: Service,
) -> None:
    module = loaded("langgraph_cycles")
    killed: list[bool] = []

    def act(state: Any, known: Any) -> Any:
        if not killed:
            killed.append(True)
            raise KeyboardInterrupt
        return module.act(state, known)

    def use(memory: Client) -> Any:
        graph = module.build(memory, act)
        config: Any = {"configurable": {"thread_id": "t"}}
        with pytest.raises(KeyboardInterrupt):
            graph.invoke({"goal": "Tell the fare of a train to Milan"}, config)
        graph.invoke(None, config)
        return memory.get_cycle("t")

    async with served(service) as url:
        with Client(url, agent_id="desk") as memory:
            story = await asyncio.to_thread(use, memory)
    assert [visit.phase for visit in story.visits] == ["planning", "action", "action", "reflection"]
    assert [len(step.calls) for step in story.steps] == [1, 1, 0]
    assert story.status == "success"


async def test_a_graph_uses_the_store(service: Service) -> None:
    async with served(service) as url:
        done = await asyncio.to_thread(example, "langgraph_store.py", url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Noted: Ada likes worked examples.",
        "read    {'text': 'Ada drinks green tea.', 'n': 2}",
        "filter  ['style', 'style']",
        "spaces  [('users', 'ada'), ('users', 'bert')]",
        "gone    None",
    ]


async def test_the_store_keeps_its_contract(service: Service) -> None:
    from langgraph.store.base import BaseStore

    module = loaded("langgraph_store")

    def use(store: BaseStore) -> None:
        store.put(("a", "b"), "x/y", {"n": 1})
        store.put(("a", "b"), "x/y", {"n": 2, "nested": {"deep": [1, None]}})
        item = store.get(("a", "b"), "x/y")
        assert item is not None
        assert item.value == {"n": 2, "nested": {"deep": [1, None]}}
        assert (item.namespace, item.key) == (("a", "b"), "x/y")
        assert store.get(("a",), "x/y") is None
        store.put(("a", "c"), "z", {"n": 3})
        assert len(store.search(("a",), limit=1)) == 1
        assert len(store.search(("a",), limit=10, offset=1)) == 1
        assert store.search(("b",)) == []
        assert store.list_namespaces(suffix=("*",), max_depth=1) == [("a",)]
        assert store.list_namespaces(suffix=("c",)) == [("a", "c")]
        store.delete(("a", "b"), "x/y")
        store.delete(("a", "b"), "x/y")
        assert [found.key for found in store.search(("a",))] == ["z"]

    async with served(service) as url:
        with Client(url, agent_id="store") as memory:
            store = module.StratagraphStore(memory)
            await asyncio.to_thread(use, store)
            found = await store.aget(("a", "c"), "z")
    assert found is not None
    assert found.value == {"n": 3}
