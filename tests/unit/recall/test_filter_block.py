"""What a filter means stands in several statements, and reads the same in each."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from graph.database.filters import filter_parameters
from graph.model.episodes.attempts import EpisodeFilters
from graph.model.recall.candidates import Filters
from graph.store.episodes.filters import episode_parameters, one_name
from tests.statements import STATEMENTS

PARAMETERS = frozenset(filter_parameters(Filters(), datetime(2025, 1, 1, tzinfo=UTC)))
BLOCK = re.compile(r"m\.kind IN \$kinds .*?(?= (?:RETURN|WITH|LIMIT) )")
PARAMETER = re.compile(r"\$(\w+)")
RECALL = "recall.recall_candidates"
PAGES_AND_COUNTS = {
    "memories.list_memories.newest",
    "memories.list_memories.oldest",
    "memories.list_memories.session_newest",
    "memories.list_memories.session_oldest",
    "memories.list_memories.counted",
    "memories.list_memories.session_counted",
}
PROFILE = "consolidation.find_about"
"""Filters by kind and validity alone; its index query filters by the rest."""
STATED = "consolidation.find_statements"
"""Filters by kind alone what agents of a channel say, as a consolidation reads it: nobody asks for it by name."""


def blocks(name: str) -> list[list[str]]:
    """Return the conditions of each block, whatever their lines and margins."""
    text = " ".join(STATEMENTS[name].text.split())
    return [found[0].split(" AND ") for found in BLOCK.finditer(text)]


def test_no_statement_that_filters_is_left_out() -> None:
    filtering = {
        name
        for name, query in STATEMENTS.items()
        if {"kinds", "valid_at"} & query.params and "verdicts" not in query.params
    }
    assert filtering == {RECALL, PROFILE, STATED, *PAGES_AND_COUNTS}
    [block] = blocks("memories.list_memories.newest")
    assert set(PARAMETER.findall(" ".join(block))) == PARAMETERS


@pytest.mark.parametrize("name", sorted(PAGES_AND_COUNTS))
def test_pages_and_counts_filter_as_the_neighbours_of_a_recall(name: str) -> None:
    *_, neighbours = blocks(RECALL)
    assert blocks(name) == [neighbours]


def test_what_is_found_by_age_and_importance_is_filtered_as_neighbours_are() -> None:
    _, memorable, neighbours = blocks(RECALL)
    assert memorable == neighbours


def test_the_vector_index_filters_by_all_but_tags() -> None:
    in_index, _, neighbours = blocks(RECALL)
    assert in_index == [each for each in neighbours if "$tags_" not in each]
    assert len(in_index) == len(neighbours) - 2


def test_attempts_are_filtered_alike_however_they_are_reached() -> None:
    """Inside the index, behind the keys, and at whatever problems and concepts lead to."""
    source = STATEMENTS["episodes.retrieve_episodes"].text
    text = " ".join(re.sub(r"//.*", "", source).split())
    found = re.findall(
        r"\b([am])\.state = 'active' AND [am]\.correct IN (.*?) (?:WITH|RETURN|LIMIT) ", text
    )
    conditions = [
        {re.sub(r"\ba\.", "m.", each) for each in f"m.correct IN {block}".split(" AND ")}
        for _, block in found
    ]
    in_index, *others = conditions
    assert len(others) == 2
    assert all(other == others[0] for other in others)
    lists = {each for each in others[0] if "$tags_" in each or "$actions_" in each}
    assert in_index == others[0] - lists
    named = set(PARAMETER.findall(" ".join(others[0])))
    filters, now = EpisodeFilters(), datetime(2025, 1, 1, tzinfo=UTC)
    assert named == {*episode_parameters(filters, now), *one_name(filters)}
