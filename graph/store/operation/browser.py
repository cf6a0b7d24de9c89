"""Queries and a style sheet for people in Neo4j Browser; the service does not run them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

FOLDER = "analytics"
_PRESETS = re.compile(r"^// :params \{(.*)\}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A query about the graph; ``presets`` are the initial values of its parameters."""

    name: str
    title: str
    presets: dict[str, str]
    source: str


def saved_queries() -> tuple[SavedQuery, ...]:
    """Read every query of ``cypher/analytics``, by name."""
    folder = resources.files("cypher").joinpath(FOLDER)
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".cypher"))
    return tuple(_read(name, folder.joinpath(name).read_text("utf-8")) for name in files)


def browser_style() -> str:
    """Return the style sheet that colours nodes by kind and captions them."""
    return resources.files("cypher").joinpath(FOLDER, "stratagraph.grass").read_text("utf-8")


def all_presets(queries: tuple[SavedQuery, ...]) -> str:
    """Return the command that sets every parameter of all queries at once."""
    presets = {name: value for query in queries for name, value in query.presets.items()}
    return ":params {" + ", ".join(f"{name}: {presets[name]}" for name in sorted(presets)) + "}"


def _read(name: str, source: str) -> SavedQuery:
    found = _PRESETS.search(source)
    pairs = found[1].split(", ") if found else []
    presets = dict(pair.split(": ", 1) for pair in pairs)
    title = source.partition("\n")[0].removeprefix("// ")
    return SavedQuery(name.removesuffix(".cypher"), title, presets, source)
