"""`stratagraph fsck`: consistency checks and repairs of the graph."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from graph.model.erasure.checking import Flaw
from service.bootstrap.managed import read_service
from service.cli.data import connected
from service.cli.database import home_of
from service.cli.neo4j import ensure_all_installed
from service.settings import Settings, load_settings
from stratagraph.cli.asking import connected as connected_service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.model.erasure.checking import FlawKind

_SHOWN = 5
# Kinds of flaws, and what --repair does.
SAYS: Mapping[FlawKind, tuple[str, str]] = {
    "versions": ("versions of no memory", "removes them"),
    "estimates": ("estimates of no memory", "removes them"),
    "credits": ("credits whose memory or reward is gone", "removes them"),
    "transitions": ("moves between strata of no memory", "removes them"),
    "surprises": ("surprises whose memory is gone", "removes them"),
    "rewards": ("rewards that no memory, credit or task knows of", "removes them"),
    "visits": ("phases of no cycle", "removes them"),
    "steps": ("steps of no cycle", "removes them"),
    "patches": ("patches of no cycle", "removes them"),
    "parts": ("contexts, errors and parameters of no tool", "removes them"),
    "counts": ("counts of what executions taught that cannot be", "puts them right"),
    "bases": ("scopes with knowledge and without its node", "makes the node"),
    "copies": ("published copies of nothing", "removes them"),
    "marked": ("memories hidden by an erasure that is not under way", "removes them"),
    "stranded": ("memories archived behind a condensed one that is gone", "brings them back"),
    "homeless": ("memories in a scope without an owner's node", "makes the node"),
    "sessions": ("sessions that do not end at their last memory", "notes where they end"),
    "terms": ("terms whose mentions are miscounted", "counts them; removes what nothing mentions"),
    "degrees": ("memories whose links are miscounted", "counts them"),
    "validity": ("memories that end otherwise than what replaces them says", "sets their end anew"),
    "vectors": (
        "memories without a vector, or with one of another length",
        "makes one of the text",
    ),
}


def fsck(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what is found.")] = False,
    url: Annotated[
        str | None, typer.Option(help="Ask the service there; unset: the one on this home, if any.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Its admin key; unset: STRATAGRAPH_ADMIN_KEY.")
    ] = None,
    raw: Annotated[bool, typer.Option("--json", help="Print one JSON object a flaw.")] = False,
) -> None:
    """Look for nodes that hang on nothing, evidence that is gone, missing vectors and wrong counts.

    A service that works on the managed Neo4j does it itself, and goes on meanwhile. Ends with 1 if something is
    found and not mended.
    """
    settings = load_settings()
    if url is None and settings.neo4j_uri is None:
        running = read_service(home_of(settings))
        # a running service has the connection, and its embedder loaded
        url = running and running.api_url
    if url is not None:
        flaws = _ask(url, key or _admin_key(settings), repair=repair)
    else:
        ensure_all_installed(settings)
        flaws = asyncio.run(_check(settings, repair=repair))
    for flaw in flaws:
        print(_as_json(flaw) if raw else _line(flaw, repair=repair))
    left = sum(flaw.count - flaw.mended for flaw in flaws)
    if left:
        if not raw:
            print(f"{left} to mend." + ("" if repair else " stratagraph fsck --repair does it."))
        raise typer.Exit(1)
    if not raw:
        print("All is well." if not flaws else "All is mended.")


# no service: use the running Neo4j, or start one
async def _check(settings: Settings, *, repair: bool) -> tuple[Flaw, ...]:
    from service.bootstrap.checking import check_graph

    async with connected(settings) as connection:
        return await check_graph(settings, connection, _tell, repair=repair)


def _admin_key(settings: Settings) -> str | None:
    return settings.admin_key.get_secret_value() if settings.admin_key else None


def _ask(url: str, key: str | None, *, repair: bool) -> tuple[Flaw, ...]:
    """Let a service check, part by part."""
    found: dict[FlawKind, Flaw] = {}
    seen = Counter[str]()
    with connected_service(url, key, {}) as client:
        cursor: str | None = None
        while True:
            part = client.check_graph(cursor, repair=repair)
            for flaw in part.flaws:
                before = found.get(flaw.kind, Flaw(flaw.kind, 0, ()))
                found[flaw.kind] = Flaw(
                    flaw.kind,
                    before.count + flaw.count,
                    (*before.examples, *flaw.examples)[:_SHOWN],
                    before.mended + flaw.mended,
                )
            seen.update(part.seen)
            for walk, number in part.seen.items():
                _tell(walk, seen[walk] if number else 0)
            cursor = part.next_cursor
            if cursor is None:
                # in the order of the table, not of the walks
                return tuple(found[kind] for kind in SAYS if kind in found)


def _tell(walk: str, seen: int) -> None:
    if seen:
        print(f"{walk}: {seen} looked at", file=sys.stderr, flush=True)


def _line(flaw: Flaw, *, repair: bool) -> str:
    what, mends = SAYS[flaw.kind]
    shown = ", ".join(" ".join(key) for key in flaw.examples)
    done = f"{flaw.mended} mended" if repair else f"--repair {mends}"
    return f"!! {flaw.kind:<12} {flaw.count} {what} ({done})\n     {shown}"


def _as_json(flaw: Flaw) -> str:
    return json.dumps(
        {
            "kind": flaw.kind,
            "count": flaw.count,
            "mended": flaw.mended,
            "examples": [list(key) for key in flaw.examples],
        }
    )
