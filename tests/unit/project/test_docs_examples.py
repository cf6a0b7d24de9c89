"""Examples of docs/concepts.md and of docstrings, run as they stand."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("cypher", "graph", "service", "stratagraph")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "    >>> " in path.read_text("utf-8")
]


def test_the_concepts_compute_what_they_say() -> None:
    failed, tried = doctest.testfile(str(DOCS / "concepts.md"), module_relative=False)
    assert tried >= 10
    assert failed == 0


def test_no_other_page_hides_an_example() -> None:
    pages = {page.name for page in DOCS.rglob("*.md") if "\n>>> " in page.read_text("utf-8")}
    assert pages == {"concepts.md"}


@pytest.mark.parametrize("name", MODULES)
def test_a_docstring_computes_what_it_says(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), extraglobs={"np": np})
    assert found.attempted
    assert not found.failed
