"""Condensed chats in each stratum, for reading."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.everyday.__main__ import consolidate, load, wait_linked
from benchmarks.runner import running_service
from graph.kernel.values import STRATA

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx

    from benchmarks.everyday.__main__ import Fact

CHATS = Path(__file__).parent / "chats"
_SERVICE = {"STRATAGRAPH_CONSOLIDATION": "false", "STRATAGRAPH_RETENTION_CHECK_SECONDS": "86400"}


def print_chats(folder: Path) -> None:
    """Print each chat of a folder in each stratum, as Markdown; condensed memories begin with a star."""
    chats, _ = load(folder)
    with running_service(_SERVICE) as running:
        for file in sorted(folder.glob("*.txt")):
            title, rows = _read(file, chats[file.stem])
            print(f"\n{title}")
            _say(running.client, file.stem, rows)
            for stratum, following in pairwise(STRATA):
                wait_linked(running.client, [file.stem])
                consolidate(running.client, file.stem, stratum)
                _move_up(running.client, file.stem, stratum)
                print(f"\nInto `{following}`:\n")
                for memory in _memories(running.client, file.stem, following):
                    print(shown(memory))


def shown(memory: dict[str, Any]) -> str:
    """Return a memory as a list item in a code block."""
    condensed = memory["source_type"] == "consolidation"
    spoken = memory["speaker"] and not condensed
    text = f"{memory['speaker']}: {memory['text']}" if spoken else memory["text"]
    mark = "*" if condensed else "-"
    return f"    {mark} " + text.replace("\n", "\n      ")


def _read(file: Path, messages: Sequence[Fact]) -> tuple[str, list[dict[str, Any]]]:
    """Return the title in the first line of a chat, and its messages as memories."""
    title, _, _ = file.read_text(encoding="utf-8").partition("\n")
    rows = [
        {
            "text": message.text,
            "speaker": message.speaker,
            "session_id": message.session,
            "stratum": "working",
            "occurred_at": message.day.isoformat(),
        }
        for message in messages
    ]
    return title.removeprefix("# "), rows


def _say(client: httpx.Client, agent: str, rows: Sequence[dict[str, Any]]) -> None:
    asked = {"agent_id": agent, "memories": rows}
    client.post("/v1/memories", json=asked).raise_for_status()


def _move_up(client: httpx.Client, agent: str, stratum: str) -> None:
    """Promote single memories, as the gates would in time."""
    left = [memory["uid"] for memory in _memories(client, agent, stratum)]
    if left:
        asked = {"agent_id": agent, "memories": left, "to": "up"}
        client.post("/v1/strata/moves", json=asked).raise_for_status()


def _memories(client: httpx.Client, agent: str, stratum: str) -> list[dict[str, Any]]:
    asked: dict[str, str | int] = {"agent_id": agent, "strata": stratum, "limit": 200}
    answer = client.get("/v1/memories", params=asked).raise_for_status().json()
    return sorted(answer["items"], key=lambda row: (row["occurred_at"], row["uid"]))
