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
from tests.client.conftest import served

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

    place = importlib.util.spec_from_file_location("store", EXAMPLES / "langgraph_store.py")
    assert place is not None
    assert place.loader is not None
    module: Any = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)

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
