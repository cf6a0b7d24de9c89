"""`stratagraph browser`: files for Neo4j Browser, and its address."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graph.kernel.errors import InvalidInputError
from service.bootstrap.managed import build_server
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from service.bootstrap.browser import SavedQuery

STYLE = "stratagraph.grass"
FAVOURITES = "stratagraph-queries.zip"
DRAWER = "Stratagraph"
FIRST = "Set the parameters (run this first)"


def browser(
    to: Annotated[Path, typer.Option(help="Folder to write the two files to.")] = Path(),
) -> None:
    """Write the style and the saved queries for Neo4j Browser, and say how to use them."""
    from service.bootstrap.browser import browser_style, saved_queries

    queries = saved_queries()
    try:
        to.mkdir(parents=True, exist_ok=True)
        (to / STYLE).write_text(browser_style(), encoding="utf-8")
        write_favourites(to / FAVOURITES, queries)
    except OSError as error:
        raise InvalidInputError(
            f"--to: cannot write to {to} ({error.strerror}); name another folder"
        ) from error
    for line in _where(load_settings()):
        print(line)
    print(
        f"Drag into the open page:\n"
        f"  {to / STYLE}   colours and captions\n"
        f"  {to / FAVOURITES}   {len(queries)} saved queries, in Favorites / {DRAWER}\n"
        f"Run `{FIRST}` among them, then any other."
    )


def write_favourites(file: Path, queries: tuple[SavedQuery, ...]) -> None:
    """Write the queries in the format of Browser: a folder of files titled by their first line."""
    from service.bootstrap.browser import all_presets

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        # `_parameters` comes first, as all other queries need it
        archive.writestr(f"{DRAWER}/_parameters.cypher", f"// {FIRST}\n{all_presets(queries)}\n")
        for query in queries:
            archive.writestr(f"{DRAWER}/{query.name}.cypher", query.source)


def _where(settings: Settings) -> list[str]:
    if settings.neo4j_uri is not None:
        return [f"Neo4j runs at {settings.neo4j_uri}; open its Browser."]
    found = build_server(settings).status()
    if found.pid is None:
        return ["Neo4j does not run on this home. Start it: stratagraph serve"]
    return [
        f"Neo4j Browser  {found.browser_url}",
        f"Connect to     {found.uri}",
        f"Log in with    user neo4j, password in {found.password_file}",
    ]
