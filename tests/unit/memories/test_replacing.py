"""Replacements among near facts, as a reader of pairs and the words of the texts judge them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from graph.kernel.values import Floats
from graph.model.utility.config import UtilityConfig
from graph.ports.world import Embedder
from graph.replacing.detection import PARTLY, WITHOUT_CHANGE, Fact
from graph.scoring.replaced import replaced_probability
from service.use_cases.memories.replacing import FactPair, replacements

HIDES = UtilityConfig().supersede_confidence


@dataclass
class Reader:
    """Gives every pair the same answer, and notes what it was asked."""

    answer: tuple[float, float]
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        self.asked += pairs
        return np.array([self.answer] * len(pairs)).reshape(-1, 2)

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        raise NotImplementedError

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        raise NotImplementedError

    def answers_instead(self, question: str, notes: Sequence[tuple[str, str]]) -> Floats:
        raise NotImplementedError


def pair(older: str, newer: str, similarity: float = 0.7) -> FactPair:
    return FactPair(Fact(newer, None, 2.0), Fact(older, None, 1.0), similarity)


HOME = pair("Lena has a flat in Hamburg.", "Lena has moved to Berlin.")


def test_the_reader_says_how_sure_it_is() -> None:
    [found] = replacements([HOME], Reader((0.8, 0.1)))
    assert found is not None
    assert HIDES < found.confidence == pytest.approx(0.856, abs=0.001)
    assert replacements([HOME], Reader((0.2, 0.1))) == [None]


def test_notes_that_hardly_resemble_each_other_only_may_replace() -> None:
    far = pair(
        "At night we refer emergencies to the animal hospital in Norderfeld.",
        "We are open Monday to Friday from 8 to 18 and closed on Saturdays.",
        0.55,
    )
    [found] = replacements([far], Reader((0.24, 0.39)), least=0.35)
    assert found is not None
    assert found.suspected
    near = replace(far, similarity=0.8)
    [found] = replacements([near], Reader((0.24, 0.39)), least=0.35)
    assert found is not None
    assert not found.suspected


def test_what_the_words_tell_needs_less_of_the_reader() -> None:
    booster = pair(
        "The yearly booster for dogs costs 62 euros.",
        "From 1 July the yearly booster for dogs is 68 euros.",
        0.82,
    )
    [found] = replacements([booster], Reader((0.23, 0.11)))
    assert found is not None
    assert found.confidence == 0.8


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ivan has been to Peru.", "Ivan has been to Chile."),
        ("The soup needs salt.", "The soup needs pepper."),
        ("Tests run with make test.", "Tests of the client run with make test-client."),
        ("If the printer jams, open the rear door.", "If the printer jams, switch it off."),
        ("The surgery opens at 8 on weekdays.", "Dr Adeyemi operates on Mondays now."),
    ],
)
def test_no_fact_is_hidden_by_one_that_tells_no_change_of_it(older: str, newer: str) -> None:
    [found] = replacements([pair(older, newer)], Reader((0.9, 0.05)))
    assert found is not None
    assert found.confidence == WITHOUT_CHANGE < HIDES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ida works on Mondays.", "Ida also works on Saturdays."),
        ("Kim plays the cello.", "Kim plays the piano too."),
        ("The clinic is open on Saturdays.", "The clinic is open on Sundays as well."),
    ],
)
def test_what_says_that_it_adds_replaces_nothing(older: str, newer: str) -> None:
    assert replacements([pair(older, newer, 0.9)], Reader((0.9, 0.05))) == [None]
    assert replacements([pair(older, newer, 0.9)], None) == [None]


def test_what_is_replaced_in_part_is_never_hidden() -> None:
    [found] = replacements([replace(HOME, similarity=0.9)], Reader((0.4, 0.5)))
    assert found is not None
    assert found.confidence == PARTLY < HIDES


def test_what_the_words_tell_counts_where_the_reader_agrees() -> None:
    moved = pair("The archive is kept in Bari.", "We moved the archive from Bari to Cork.")
    [agreed] = replacements([moved], Reader((0.6, 0.1)))
    assert agreed is not None
    assert agreed.confidence == 0.95
    assert "Bari" in agreed.evidence
    assert replacements([moved], Reader((0.1, 0.1))) == [None]


def test_only_near_facts_that_can_replace_each_other_are_read() -> None:
    reader = Reader((0.9, 0.0))
    far = pair("Lena has a cat.", "The ferry is late.", 0.2)
    asks = pair("Where does Lena live?", "Lena is at home in Berlin.")
    rooms = pair("Room 12 has a desk.", "Room 13 has a desk.")
    assert replacements([far, asks, rooms], reader) == [None, None, None]
    assert reader.asked == []


def test_what_is_not_sure_is_suspected_where_that_is_asked_for() -> None:
    [found] = replacements([HOME], Reader((0.2, 0.2)), least=0.35)
    assert found is not None
    assert (found.confidence, found.suspected) == (0.4, True)
    assert replacements([HOME], Reader((0.2, 0.1)), least=0.35) == [None]
    [sure] = replacements([HOME], Reader((0.8, 0.1)), least=0.35)
    assert sure is not None
    assert not sure.suspected


def test_facts_with_different_numbers_are_suspected_at_most() -> None:
    rooms = pair("Mrs. Abernathy gets room 7.", "Mrs. Abernathy has moved to room 2.")
    reader = Reader((0.9, 0.0))
    assert replacements([rooms], reader) == [None]
    [found] = replacements([rooms], reader, least=0.35)
    assert found is not None
    assert found.suspected


def test_only_the_nearest_are_read() -> None:
    reader = Reader((0.9, 0.0))
    found = replacements([HOME] * 20, reader)
    assert len(reader.asked) == 8
    assert [one is not None for one in found] == [True] * 8 + [False] * 12


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Lena lives in Hamburg.", "Lena has settled in Berlin."),
        ("Standup at 10.", "Standup is at half past nine, before Priya's call."),
        ("The Okafor family lives in the flat above the bakery.", "The Okafors have a house out by the reservoir."),
        ("Deploys on Fridays.", "Deploy window is Tuesday mornings."),
    ],
)  # fmt: skip
def test_the_default_reader_needs_no_cue(embedder: Embedder, older: str, newer: str) -> None:
    [found] = replacements([pair(older, newer)], embedder.reader)
    assert found is not None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ida is allergic to nuts.", "Ida is allergic to milk."),
        ("Lena lives in Hamburg.", "Lena visited Berlin in May."),
        ("The printer is on the second floor.", "The printer costs 240 euros a year."),
    ],
)
def test_the_default_reader_lets_facts_stand_beside_each_other(
    embedder: Embedder, older: str, newer: str
) -> None:
    assert replacements([pair(older, newer)], embedder.reader) == [None]


def test_what_is_read_and_resembles_replaces_more_likely() -> None:
    whole, cosine = np.array([0.2, 0.7, 0.7, 1.0]), np.array([0.8, 0.8, 0.9, 1.0])
    chances = replaced_probability(whole, cosine)
    assert (np.diff(chances) > 0.0).all()
    assert chances[-1] < 1.0


@pytest.mark.parametrize(
    ("whole", "cosine", "message"),
    [
        ([0.5, 0.5], [0.5], r"whole and cosine: \(2,\) is not \(1,\)"),
        ([1.5], [0.5], "whole: must be in"),
        ([math.nan], [0.5], "whole: must be in"),
        ([0.5], [-1.5], "cosine: must be in"),
    ],
)
def test_values_that_are_no_probabilities_or_cosines_are_refused(
    whole: list[float], cosine: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        replaced_probability(np.array(whole), np.array(cosine))
