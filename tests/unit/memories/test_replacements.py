"""Facts that a later fact replaces, as a whole or in part."""

from __future__ import annotations

import pytest

from graph.replacing.detection import CHANGED, FROM_TO, PARTLY, Fact, replacement


def found(newer: str, older: str) -> float | None:
    """Return the confidence that one note replaces another."""
    answer = replacement(Fact(newer, "Nora", 2), Fact(older, "Nora", 1), 0.7)
    return answer and answer.confidence


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Nora works at Bosch since this week.", "Nora works at Siemens."),
        ("Holzmann wrote, the delivery is moved to 31 March.", "Delivery is on 24 March."),
        ("From July the rent is 950 euros.", "The rent is 900 euros."),
        ("Starting in June the book club meets on Fridays.", "The book club meets on Mondays."),
        ("The visa fee is 90 dollars from 2027 onwards.", "The visa fee is 80 dollars."),
        ("From 1 September school begins at 8:15.", "School begins at 8:00."),
    ],
)
def test_when_it_began_is_no_other_fact(newer: str, older: str) -> None:
    confidence = found(newer, older)
    assert confidence is not None
    assert confidence > PARTLY


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The standup is now at 10.", "The standup is at 9:30."),
        ("As of March the choir rehearses in room 7.", "The choir rehearses in room 4."),
        ("From May on the call is on Thursdays at 10.", "The call is on Tuesday at 14:00."),
    ],
)
def test_a_bare_number_and_two_values_at_once_may_change(newer: str, older: str) -> None:
    assert found(newer, older) == CHANGED


def test_who_replaced_whom_is_read_in_the_active_voice_too() -> None:
    assert found("Jonas replaced Mira as team lead.", "Mira is the team lead.") == FROM_TO
    assert found("A tabby replaced the greyhound.", "The pet is a greyhound.") is None
    assert found("Ben replaced the filter.", "The filter is from Bosch.") is None


def test_one_sentence_of_several_is_replaced_in_part_alone() -> None:
    newer = "Holzmann wrote, the delivery is moved to 31 March."
    older = "The cabinets come from Holzmann in Leipzig. Delivery is on 24 March."
    assert found(newer, older) == PARTLY


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Rent rises by £120 from March on.", "Rent is £2,080 together, due on the 1st."),
        ("From May on the dose is 2 mg less.", "The dose is 8 mg."),
        ("Ida is allergic to nuts.", "Ida is allergic to milk."),
        ("The delivery of Brandt is moved to 31 March.", "The delivery of Falk is on 24 March."),
        ("From May on Ben plays chess on Mondays.", "Ben plays tennis on Tuesdays."),
        ("The shop is open from Monday to Friday.", "The shop is open from Tuesday to Saturday."),
        ("The bus from May Street leaves at 9:00.", "The bus from Park Street leaves at 8:00."),
        ("Room 12 has a new projector.", "Room 13 has a projector."),
    ],
)
def test_facts_that_merely_resemble_each_other_stay(newer: str, older: str) -> None:
    assert found(newer, older) is None
