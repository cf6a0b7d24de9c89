"""`stratagraph browser`: the files that Neo4j Browser takes in."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import tenant_of
from graph.store.operation.browser import saved_queries
from service.cli import app


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["browser", *arguments])
    if result.exception:
        raise result.exception
    return result.output


def test_it_writes_a_style_and_the_queries_in_one_folder(home: Path) -> None:
    told = said("--to", str(home / "files"))
    assert "stratagraph serve" in told
    assert str(home / "files" / "stratagraph.grass") in told
    assert "node.Strategy {" in (home / "files" / "stratagraph.grass").read_text()
    with zipfile.ZipFile(home / "files" / "stratagraph-queries.zip") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert {tenant_of(name) for name in texts} == {"Stratagraph"}
    assert all(name.endswith(".cypher") for name in texts)
    assert len(texts) == len(saved_queries()) + 1
    first = texts["Stratagraph/_parameters.cypher"].splitlines()
    assert first[0] == "// Set the parameters (run this first)"
    assert first[1].startswith(":params {")
    titles = [text.partition("\n")[0] for text in texts.values()]
    assert all(title.startswith("// ") for title in titles)
    assert len(set(titles)) == len(titles), "Browser lists favourites by their titles"


def test_a_neo4j_of_ones_own_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://graph.example:7687")
    assert "neo4j://graph.example:7687" in said("--to", str(home))


def test_a_folder_that_cannot_be_written_is_told(home: Path) -> None:
    (home / "file").touch()
    with pytest.raises(InvalidInputError, match="--to: cannot write to"):
        said("--to", str(home / "file"))
