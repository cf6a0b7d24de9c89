"""The lists that a recall reads by place: statement, its header and Python name the same columns."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from cypher import QUERIES
from graph.store.recall.candidates import COLUMNS

RECALL = "recall.recall_candidates"
PARTS = QUERIES[RECALL].parts
COMPUTED = {
    "id": "elementId(m)",
    "lexical": "lexical",
    "hop": "hop",
    "cosine": "CASE WHEN size(vector) = $dimension "
    "THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END",
}


def collected(text: str, name: str) -> list[str]:
    """Return the expressions of `collect([…]) AS name`, in their order."""
    before, found, _ = text.partition(f"]) AS {name}")
    assert found, name
    words = " ".join(before[before.rindex("collect([") + len("collect([") :].split())
    parts, depth = [""], 0
    for letter in words:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def named(header: str, name: str) -> tuple[str, ...]:
    """Return the names that a header gives to the places of a list."""
    found = re.search(rf"{name} LIST of \[([^\]]*)\]", re.sub(r"\n//\s*", " ", header))
    assert found
    return tuple(found[1].split(", "))


@pytest.mark.parametrize("left_out", [(), *((part,) for part in PARTS), tuple(PARTS)], ids=str)
def test_a_candidate_says_at_each_place_what_is_read_there(left_out: tuple[str, ...]) -> None:
    expressions = collected(QUERIES[RECALL].without(*left_out).text, "candidates")
    assert len(expressions) == len(COLUMNS)
    for column, expression in zip(COLUMNS, expressions, strict=True):
        if column in COMPUTED:
            assert expression == COMPUTED[column]
        else:
            assert column in re.findall(r"\bp\.(\w+)", expression), (column, expression)


def test_the_header_names_the_columns() -> None:
    source = (resources.files("cypher") / "recall" / "recall_candidates.cypher").read_text("utf-8")
    assert named(source, "candidates") == COLUMNS
