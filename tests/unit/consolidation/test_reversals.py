"""Choices that are taken back later: not under *Decided:*, and no statements."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph.condensing.model import LEVELS, Source
from graph.condensing.reversals import reversed_choices
from graph.condensing.text import condense, outdated
from graph.condensing.turns import Sentence

JUNE = datetime(2026, 6, 1, 9, tzinfo=UTC)
EPISODIC, LONG_TERM = LEVELS["episodic"], LEVELS["long_term"]


def told(*rows: str, at: datetime = JUNE) -> list[Source]:
    """Make one source of each `Speaker: text`."""
    pairs = (row.split(": ", 1) for row in rows)
    return [Source(text, speaker, at) for speaker, text in pairs]


def never(later: Sentence, earlier: Sentence) -> bool:
    """Say of no sentence that it replaces another."""
    del later, earlier
    return False


@pytest.mark.parametrize(
    ("choice", "later"),
    [
        ("Good, we take the parish hall then.", "The parish hall has a leak and is closed."),
        ("Then the kitchen it is.", "The kitchen didn't work, she cried for an hour."),
        ("ok, we buy the Kessel.", "then the Kessel is out"),
        ("I'd go for the Kessel, I don't like tight", "I'll order it and cancel the Kessel."),
        ("I think we go to Dr. Lee.", "We go to Dr. Mulisch instead, on Friday."),
        ("We take Maison Galet", "let us take Fern Gloss after all"),
        ("OK, the 21st then.", "The movers called: the 21st is gone."),
        ("Agreed, we keep Geolux.", "Geolux is taken, sorry."),
        ("1 September is good.", "I'm not comfortable with 1 September any more."),
    ],
)
def test_a_choice_is_taken_back_in_words(choice: str, later: str) -> None:
    rows = [Sentence(place, "Ann", None, text) for place, text in enumerate((choice, later))]
    assert reversed_choices(rows) == {0}
    assert reversed_choices([rows[1], rows[0]]) == set()


@pytest.mark.parametrize(
    ("choice", "later"),
    [
        ("Let's take two tents.", "Let's take the train after all."),
        ("We take Anna.", "We take Ben too."),
        ("Let's meet at the bar then.", "The bar is closed on Mondays."),
        ("Let's meet at the bar on 12 May.", "The bar is closed until 3 May."),
        ("We take the bus instead of the train.", "The train is cancelled."),
        ("We take the Kessel, not the Brotmann.", "The Brotmann is out."),
        ("We go to Rome.", "If Rome is cancelled, we stay."),
        ("We go to Rome.", "Is Rome cancelled?"),
        ("We buy the Kessel.", "It is out."),
        ("The Kessel costs 900.", "The Kessel is out."),
    ],
)
def test_what_may_still_hold_is_left_alone(choice: str, later: str) -> None:
    rows = [Sentence(place, "Ann", None, text) for place, text in enumerate((choice, later))]
    assert reversed_choices(rows) == set()


def test_a_choice_that_is_taken_back_is_not_under_decided() -> None:
    chat = told(
        "Ann: We'll take the Kessel from Ulm.",
        "Ben: Zeynep works mornings.",
        "Ann: The bank lends us 40,000. The Kessel from Ulm is out.",
        "Ben: Let's order the Brotmann.",
    )
    decided, _, said = condense(chat, EPISODIC).text.partition("Said:")
    assert "Decided:\nBen: Let's order the Brotmann.\n" in decided
    assert said.index("We'll take the Kessel") < said.index("is out")
    assert "We'll take the Kessel" not in condense(chat, LONG_TERM).text


def test_what_goes_on_from_such_a_choice_goes_with_it() -> None:
    chat = told(
        "Ann: The stairs, right. Then the kitchen it is. Her basket goes beside the stove of Ida.",
        "Ben: Ida fetches the gate on 3 June.",
        "Ann: The kitchen didn't work, we put Biscuit in the study.",
    )
    text = condense(chat, LONG_TERM).text
    assert "Her basket" not in text
    assert "the study" in text


def test_a_choice_is_taken_back_across_texts_by_another_speaker() -> None:
    first = told("Ann: Ok, we buy the Kessel.", "Ben: Ida paints the shop.")
    second = told("Ben: Bad news, the Kessel is out.", at=JUNE + timedelta(hours=4))
    found = outdated([first, second], never, 0.45)
    assert found == [{(0, "Ok, we buy the Kessel.")}, set()]
    assert outdated([second, first], never, 0.45)[1] == found[0]
    assert "Decided:" not in condense(first, EPISODIC, outdated=found[0]).text
