"""What `import stratagraph` gives, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import stratagraph

LOADED = """
import json, sys
import stratagraph
light = sorted(sys.modules)
from stratagraph import AsyncClient, Client
print(json.dumps([light, sorted(sys.modules)]))
"""


def test_the_public_names() -> None:
    assert sorted(stratagraph.__all__) == sorted(set(stratagraph.__all__))
    assert dir(stratagraph) == stratagraph.__all__
    errors = {
        name
        for name, value in vars(stratagraph.errors).items()
        if isinstance(value, type) and issubclass(value, stratagraph.StratagraphError)
    }
    others = {"AsyncClient", "Client", "EpisodicMemory", "Call", "Retries", "errors", "wire"}
    assert set(stratagraph.__all__) == errors | others


@pytest.mark.parametrize("name", stratagraph.__all__)
def test_a_public_name_is_there(name: str) -> None:
    assert getattr(stratagraph, name).__name__.rpartition(".")[2] == name


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="Cleint"):
        _ = stratagraph.Cleint  # pyright: ignore[reportAttributeAccessIssue] -- that is the point


def test_the_import_is_light_and_the_client_stands_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    light, whole = (set(names) for names in json.loads(done.stdout))
    assert not light & {"pydantic", "httpx", "ssl", "asyncio"}
    assert {"pydantic", "httpx"} <= whole
    assert not whole & {"graph", "service", "cypher", "neo4j", "numpy", "fastapi", "typer"}


def test_it_says_that_it_is_typed() -> None:
    assert (Path(stratagraph.__file__).parent / "py.typed").is_file()


def test_every_method_and_exception_is_described() -> None:
    page = (Path(__file__).parents[3] / "docs" / "client.md").read_text()
    methods = {name for name in dir(stratagraph.Client) if not name.startswith("_")}
    told = {name for name in methods if f"`{name}(" in page or f".{name}(" in page}
    assert methods - told == {"caller", "close", "url"}
    errors = {name for name in stratagraph.__all__ if name.endswith("Error")}
    assert not [name for name in errors if f"`{name}`" not in page and f".{name}`" not in page]
