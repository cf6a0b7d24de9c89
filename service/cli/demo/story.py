"""The story of the demo: sixty memories of a small shop, and two questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Chapter:
    """Memories that are stored together; ``rows`` are bodies of the API."""

    title: str
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """A question repeated each day; only the strategy ``works`` answers it."""

    name: str
    question: str
    works: str
    fails: str
    why: str
    rounds: int


@dataclass(frozen=True, slots=True)
class Story:
    shop: str
    chapters: tuple[Chapter, ...]
    question: str
    trials: tuple[Trial, ...]

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        return tuple(row for chapter in self.chapters for row in chapter.rows)

    def text(self, name: str) -> str:
        return next(str(row["text"]) for row in self.rows if row["external_id"] == name)

    def session(self, name: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row.get("session_id") == name]


def load_story() -> Story:
    """Load the packaged story."""
    source = resources.files(__package__ or __name__).joinpath("story.json")
    data = json.loads(source.read_text(encoding="utf-8"))
    chapters = tuple(
        Chapter(chapter["title"], tuple(_row(row) for row in chapter["memories"]))
        for chapter in data["chapters"]
    )
    trials = tuple(Trial(**trial) for trial in data["trials"])
    return Story(data["shop"], chapters, data["question"], trials)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Expand ``USED thing`` to a link of the API."""
    pairs = (link.split() for link in row.get("links", ()))
    links = [{"type": kind, "to": f"external:{target}"} for kind, target in pairs]
    return {**row, "links": links} if links else row
