"""Facts that a later fact replaces, as a whole or in part."""

from __future__ import annotations

import pytest

from graph.replacing.detection import PARTLY, Fact, replacement


def found(newer: str, older: str) -> float | None:
    """Return the confidence that one note replaces another."""
    answer = replacement(Fact(newer, "Nora", 2), Fact(older, "Nora", 1), 0.7)
    return answer and answer.confidence


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Nora works at Bosch since this week.", "Nora works at Siemens."),
        ("Holzmann wrote, the delivery is moved to 31 March.", "Delivery is on 24 March."),
    ],
)
def test_when_it_began_is_no_other_fact(newer: str, older: str) -> None:
    confidence = found(newer, older)
    assert confidence is not None
    assert confidence > PARTLY


def test_one_sentence_of_several_is_replaced_in_part_alone() -> None:
    newer = "Holzmann wrote, the delivery is moved to 31 March."
    older = "The cabinets come from Holzmann in Leipzig. Delivery is on 24 March."
    assert found(newer, older) == PARTLY


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Ida is allergic to nuts.", "Ida is allergic to milk."),
        ("The delivery of Brandt is moved to 31 March.", "The delivery of Falk is on 24 March."),
    ],
)
def test_facts_that_merely_resemble_each_other_stay(newer: str, older: str) -> None:
    assert found(newer, older) is None
