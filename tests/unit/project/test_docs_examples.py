"""The worked example of docs/concepts.md, run as it stands."""

from __future__ import annotations

import doctest
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_concepts_compute_what_they_say() -> None:
    failed, tried = doctest.testfile(str(DOCS / "concepts.md"), module_relative=False)
    assert tried >= 10
    assert failed == 0


def test_no_other_page_hides_an_example() -> None:
    pages = {page.name for page in DOCS.rglob("*.md") if "\n>>> " in page.read_text("utf-8")}
    assert pages == {"concepts.md"}
