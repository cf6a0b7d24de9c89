"""The documents say what the code does (the parts of it that a machine can compare)."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import pytest
import typer

from cypher import MIGRATIONS, QUERIES
from docs.generate import pages
from graph.kernel.scope import SCOPE_KINDS
from graph.kernel.values import KINDS, LINK_TYPES
from service.app import create_app
from service.bootstrap import Service
from service.cli import app
from service.http.kernel.errors import STATUSES
from service.settings import Settings, variables

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
SECTIONS = ["Context", "Decision", "Rejected", "Consequences"]

LABEL = re.compile(r"[(a-z]:([A-Z][a-z][A-Za-z]*(?::[A-Z][a-z][A-Za-z]*)*)")
TYPE = re.compile(r"\[[a-z]*:([A-Z_]+(?:\|[A-Z_]+)*)")
PROPERTY = re.compile(r"\b[a-z]\.([a-z][a-z_0-9]+)\b(?!\()")
STORED = re.compile(r'^ {8}"([a-z_0-9]+)":', re.MULTILINE)
SCHEMA_NAME = re.compile(r"CREATE (?:\w+ )?(?:INDEX|CONSTRAINT) (\w+)")
SCHEMA_GONE = re.compile(r"DROP (?:INDEX|CONSTRAINT) (\w+)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# What names a variable's part or an alias in a statement, and no property of a node.
NOT_STORED = {"epochMillis", "new", "embedding_other", "embedding_other_by"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def prose() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def statements() -> str:
    texts = [query.text for query in QUERIES.values()]
    texts += [text for step in MIGRATIONS for text in step.up]
    code = "\n".join([*texts, read("graph/store/operation/migrate.py")])
    return "\n".join(line for line in code.splitlines() if not line.startswith("//"))


def commands(program: typer.Typer, name: str) -> Iterator[str]:
    for command in program.registered_commands:
        if command.callback is not None:
            yield f"{name} {command.name or command.callback.__name__}"
    for group in program.registered_groups:
        if group.typer_instance is not None:
            yield from commands(group.typer_instance, f"{name} {group.name}")


def routes() -> list[str]:
    @asynccontextmanager
    async def never() -> AsyncGenerator[Service]:
        raise AssertionError("nothing is opened to read the routes")
        yield

    paths = create_app(never).openapi()["paths"]
    return sorted(f"{method.upper()} {path}" for path, way in paths.items() for method in way)


def anchors(text: str) -> set[str]:
    slugs = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(text))
    return {slug.strip().replace(" ", "-") for slug in slugs}


@pytest.mark.parametrize(("page", "text"), pages().items(), ids=[page.name for page in pages()])
def test_a_generated_page_is_current(page: Path, text: str) -> None:
    current = page.read_text(encoding="utf-8") == text
    assert current, f"{page.name} is stale; run .venv/bin/python docs/generate.py"


def test_every_setting_is_described() -> None:
    page = read("docs/settings.md")
    for field, info in Settings.model_fields.items():
        assert f"| `{field}` |" in page
        assert info.description, field
    missing = [name for names in variables().values() for name in names if f"`{name}`" not in page]
    assert not missing


def test_every_query_is_described() -> None:
    page = read("docs/queries.md")
    assert not [name for name in QUERIES if f"### {name}\n" not in page]


def model_names() -> dict[str, set[str]]:
    code = statements()
    gone: set[str] = set()
    for text in (text for step in MIGRATIONS for text in step.up):
        gone = (gone | set(SCHEMA_GONE.findall(text))) - set(SCHEMA_NAME.findall(text))
    labels = {label for found in LABEL.findall(code) for label in found.split(":")}
    types = {name for found in TYPE.findall(code) for name in found.split("|")}
    properties = set(PROPERTY.findall(code)) | set(
        STORED.findall(read("graph/store/memories/properties.py"))
    )
    return {
        "labels": labels | {kind.capitalize() for kind in (*KINDS, *SCOPE_KINDS)},
        "types": types | set(LINK_TYPES),
        "properties": properties - NOT_STORED,
        "schema": set(SCHEMA_NAME.findall(code)) - gone,
    }


@pytest.mark.parametrize("sort", ["labels", "types", "properties", "schema"])
def test_the_data_model_names(sort: str) -> None:
    page, names = read("docs/data_model.md"), model_names()[sort]
    assert len(names) > 5
    assert sorted(name for name in names if f"`{name}`" not in page) == []


def test_the_data_model_names_no_index_that_is_not_there() -> None:
    _, _, page = read("docs/data_model.md").partition("## Constraints")
    rows = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert rows == model_names()["schema"]


def test_every_command_is_described() -> None:
    found = list(commands(app, "stratagraph"))
    assert "stratagraph neo4j start" in found
    page = read("docs/operations.md")
    assert not [command for command in found if f"`{command}`" not in page]


def test_every_route_is_described() -> None:
    found = routes()
    assert len(found) >= 7
    page = read("docs/routes.md")
    assert not [route for route in found if f"`{route}`" not in page]


def test_every_error_is_described() -> None:
    page = read("docs/api.md")
    assert not [slug for _, slug in STATUSES.values() if f"`{slug}`" not in page]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in LINK.findall(text):
        if link.startswith(("http://", "https://")):
            continue
        place, _, anchor = link.partition("#")
        target = page.parent / place if place else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_every_page_is_in_the_index() -> None:
    index = read("docs/README.md")
    pages = [page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md"]
    missing = [name for name in pages if f"]({name})" not in index]
    assert not missing, f"link {missing} from docs/README.md"


def test_every_question_for_browser_is_in_its_guide() -> None:
    page = read("docs/browser.md")
    names = [name.partition(".")[2] for name in QUERIES if name.startswith("analytics.")]
    assert not [name for name in names if f"`{name}`" not in page]


def test_every_picture_is_shown_and_small() -> None:
    pictures = list((ROOT / "docs" / "images").iterdir())
    assert len(pictures) >= 4
    for picture in pictures:
        assert f"images/{picture.name})" in prose(), picture.name
        assert picture.stat().st_size <= 200_000, picture.name


def test_make_commands_exist() -> None:
    recipes = set(re.findall(r"^([a-z][a-z-]*):", read("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^ {4}|`|; )make ([a-z-]+)", prose(), re.MULTILINE))
    assert {"serve", "test", "check"} <= named
    assert named <= recipes


def test_stratagraph_commands_exist() -> None:
    known = set(commands(app, "stratagraph"))
    groups = "|".join({name.split()[1] for name in known if name.count(" ") == 2})
    shown = re.findall(
        rf"^(?:\.venv/bin/)?(stratagraph (?:(?:{groups}) )?[a-z]+)", prose(), re.MULTILINE
    )
    assert shown
    assert set(shown) <= known


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_path_of_a_machine(page: Path) -> None:
    found = re.findall(r"(?<![\w.])/(?:work|root|home|tmp|Users)/\S*", page.read_text("utf-8"))
    assert not found


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_page_says_one_thing_where_two_were_merged(page: Path) -> None:
    assert not re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", page.read_text("utf-8"), re.MULTILINE)


def test_the_architecture_stays_short() -> None:
    assert len(read("docs/architecture.md").splitlines()) < 200


@pytest.mark.parametrize("place", range(len(ADRS)), ids=[page.name for page in ADRS])
def test_a_decision_has_its_sections(place: int) -> None:
    text = ADRS[place].read_text(encoding="utf-8")
    assert ADRS[place].name.startswith(f"{place + 1:04d}-")
    assert text.startswith(f"# {place + 1}. ")
    assert re.search(r"^\*\*Status:\*\* \w+", text, re.MULTILINE)
    headings = [
        title for title in re.findall(r"^## (.+)$", text, re.MULTILINE) if title in SECTIONS
    ]
    assert headings == SECTIONS
