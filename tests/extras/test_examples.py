"""The examples for agent frameworks, with the real packages and a real service."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.bootstrap import Service
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
