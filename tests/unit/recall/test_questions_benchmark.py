"""The labelled questions of `benchmarks.questions`: none asks for the opposite of what was meant."""

from __future__ import annotations

import pytest

from benchmarks.questions.__main__ import accuracy, comparable, is_inverted

LEAST = 0.75


@pytest.mark.parametrize("name", ["chosen", "held"])
def test_no_question_is_inverted(name: str) -> None:
    found = accuracy(name, show=False)
    assert found[f"{name}_inverted"] == 0
    assert found[f"{name}_exact"] >= LEAST


@pytest.mark.parametrize(
    ("meant", "said"),
    [
        ({"filters": {"correct": [True]}}, {"filters": {"correct": [False]}}),
        ({"filters": {"correct": ["unknown"]}}, {"filters": {"correct": [True, False]}}),
        ({"order": "slowest"}, {"order": "fastest"}),
        ({"order": "most_confident"}, {"order": "least_confident"}),
        ({"measure": "success_rate"}, {"measure": "failure_rate"}),
        ({}, {"filters": {"correct": [True]}}),
    ],
)
def test_an_opposite_is_noticed(meant: dict[str, object], said: dict[str, object]) -> None:
    assert is_inverted({"object": meant}, comparable(said))
    assert not is_inverted({"object": meant}, comparable(meant))
