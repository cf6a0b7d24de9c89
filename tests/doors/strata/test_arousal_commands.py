"""`stratagraph arousal` and recalls by arousal, from a shell."""

from __future__ import annotations

import asyncio

import pytest

from tests.doors.operation.test_command_line import home, invoke

__all__ = ["home"]
WHO = ("--agent", "frog")


async def run(url: str, *arguments: str) -> str:
    result = await asyncio.to_thread(invoke, *arguments, *WHO, "--url", url)
    assert result.exit_code == 0, result.output
    return result.output


async def test_a_plugin_is_attached_observes_forgets_and_goes(url: str) -> None:
    assert "No plugin" in await run(url, "arousal", "trace")
    assert "symbolic begins" in await run(url, "arousal", "attach", "symbolic")
    assert "1.00  SYSTEM_2" in await run(url, "arousal", "observe", '{"FLOOD": "HIGH"}')
    assert "0.50  SYSTEM_1" in await run(url, "arousal", "observe", '{"FLOOD": "HIGH"}')
    assert "goes on after 2" in await run(url, "arousal", "attach", "symbolic")
    assert "SYSTEM_1  arousal 0.50" in await run(url, "arousal", "show")
    assert "SYSTEM_2" in await run(url, "arousal", "show", "--arousal", "1", "--profile", "MINIMAL")
    assert "FLOOD:HIGH" in await run(url, "arousal", "trace")
    await run(url, "arousal", "reset")
    assert "symbolic  0 observations" in await run(url, "arousal", "trace")
    await run(url, "arousal", "detach")
    assert "No plugin" in await run(url, "arousal", "trace")
    scaled = await run(url, "arousal", "attach", "ema", "--scales", "depth=2")
    assert "ema begins" in scaled
    assert "0.50" in await run(url, "arousal", "observe", '{"depth": 1}')


@pytest.mark.parametrize(
    "arguments",
    [
        ("observe", "no json"),
        ("observe", "[1]"),
        ("attach", "ema", "--scales", "depth"),
    ],
)
async def test_what_cannot_be_read_is_refused(url: str, arguments: tuple[str, ...]) -> None:
    result = await asyncio.to_thread(invoke, "arousal", *arguments, *WHO, "--url", url)
    assert result.exit_code != 0


async def test_a_recall_gives_as_many_as_its_arousal_asks_for(url: str) -> None:
    for number in range(9):
        await run(url, "remember", f"The river rose in year {number}.")
    calm = await run(url, "recall", "The river", "--arousal", "0", "--profile", "MINIMAL")
    assert calm.count("relevance") == 3 + 2
