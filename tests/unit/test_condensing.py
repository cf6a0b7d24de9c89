"""Groups, shorter texts and what is inherited, by example."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from graph.condensing.facts import (
    capitalised,
    content_words,
    dates,
    names,
    negated,
    numbers,
    only_facts,
)
from graph.condensing.faithful import is_faithful
from graph.condensing.groups import groups
from graph.condensing.levels import LEVELS, kept_share
from graph.condensing.model import Piece, Source, Standing
from graph.condensing.sentences import centrality, repeats, sentences, spoken
from graph.condensing.standing import abstraction, inherited
from graph.condensing.text import condense
from graph.scoring.strata import STRATA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.condensing.sentences import Floats

MAY, JUNE = datetime(2023, 5, 7, 13, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)
NO_PAIRS, NO_WEIGHTS = np.zeros((0, 2), dtype=np.int64), np.zeros(0)
LONG = (
    "I went to a support group in Berlin yesterday and it was so powerful. The stories were really "
    "inspiring. Ana has 3 children, but she does not eat fish. Wow, that is so cool!"
)


def test_how_much_is_kept_falls_from_stratum_to_stratum_and_follows_the_ratio() -> None:
    assert [kept_share(name) for name in STRATA[1:]] == [0.8, 0.5, 0.3, 0.15]
    assert kept_share("long_term", 0.25) == pytest.approx(0.15)
    assert kept_share("short_term", 1.0) == 1
    assert kept_share("semantic", 0.0) == 0
    assert set(LEVELS) == set(STRATA[1:])


@pytest.mark.parametrize(("stratum", "ratio"), [("working", 0.5), ("semantic", -1.0)])
def test_nothing_is_condensed_into_the_first_stratum_or_to_less_than_nothing(
    stratum: str, ratio: float
) -> None:
    with pytest.raises(ValueError, match="nothing becomes"):
        kept_share(stratum, ratio)


def test_names_numbers_dates_and_denials_are_found() -> None:
    sentence = "Yesterday Ana paid $20.50 at 7:30 to Bob, but she didn't get 5% off in May"
    assert names(sentence) == {"Ana", "Bob", "May"}
    assert numbers(sentence) == {"$20.50", "7:30", "5%"}
    assert dates(sentence) == {"yesterday", "may"}
    assert negated(sentence) == {"but she didn't get 5% off in May"}
    assert names("I think I'm late") == frozenset()


NOTES = "Ana did not sell the boat to Bob in May. Clara paid $20 yesterday, and never came back."


@pytest.mark.parametrize(
    ("text", "faithful"),
    [
        (NOTES, True),
        ("Clara never came back, paid $20 yesterday; Ana did not sell Bob the boat in May.", True),
        ("Clara came back, paid $20 yesterday; Ana did not sell Bob the boat in May.", False),
        ("Clara never came back, paid $20 yesterday; Ana sold Bob the boat in May.", False),
        ("Clara never came back, paid $200 yesterday; Ana did not sell Bob the boat in May.", False),
        ("Clara never came back, paid $20 yesterday; Ana did not sell Bobby the boat in May.", False),
        ("Clara never came back, paid $20; Ana did not sell Bob the boat in May.", False),
        ("Clara never came back, paid $20 yesterday, in Rome; Ana did not sell Bob the boat in May.", False),
        ("Clara never came back, paid $20 yesterday, not today; Ana did not sell Bob the boat in May.", False),
        ("She never came back, paid $20 yesterday; Ana did not sell Bob the boat in May.", False),
        ("", False),
    ],
)  # fmt: skip
def test_other_words_are_held_to_the_same_facts(text: str, faithful: bool) -> None:
    assert is_faithful(text, NOTES, NOTES) == faithful


def test_what_only_joins_goes_and_what_is_denied_stays_as_it_stands() -> None:
    said: set[str] = set()
    assert only_facts("I went to the support group with Ana yesterday.", said) == (
        "went support group Ana yesterday"
    )
    assert only_facts("The support group is for Ana, and she does not eat fish.", said) == (
        "Ana, and she does not eat fish"
    )
    assert only_facts("Oh, it is about that!", said) == ""
    assert only_facts("The price went up.", said) == "price up"
    assert only_facts("The price went down.", said) == "down"


@pytest.mark.parametrize("text", ["", "Bye!", "Ana likes tea and does not drink coffee."])
def test_what_is_empty_or_short_stays_as_it_is(text: str) -> None:
    found = condense([Source(text)], share=0.15)
    assert found.text == text
    assert found.pieces == (Piece(0, text, whole=True),)


def test_nothing_of_nothing() -> None:
    assert condense([], share=0.5).text == ""
    assert condense([Source(""), Source(" ")], share=0.5).pieces == ()


def test_a_whole_share_keeps_the_text() -> None:
    assert condense([Source(LONG)], share=1).text == LONG


@pytest.mark.parametrize("share", [0.0, 0.15, 0.3, 0.5, 0.8])
def test_a_shorter_text_holds_what_must_not_get_lost(share: float) -> None:
    text = condense([Source(LONG)], share=share).text
    assert len(text) < len(LONG)
    for fact in ("Berlin", "yesterday", "Ana", "3", "she does not eat fish", "support group"):
        assert fact in text


def test_the_less_is_kept_the_shorter_it_gets() -> None:
    lengths = [len(condense([Source(LONG)], share=share).text) for share in (0.0, 0.3, 0.8)]
    assert lengths == sorted(lengths)


def test_a_share_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="must lie in"):
        condense([Source("x")], share=1.2)


def test_turns_keep_who_said_them_and_the_day_where_there_are_several() -> None:
    turns = [
        Source("Caroline: I went to the LGBTQ support group.", "Caroline", MAY),
        Source("How was the support group?", "Melanie", MAY),
    ]
    same_day = condense(turns, share=1).text
    assert same_day == (
        "Caroline: I went to the LGBTQ support group.\nMelanie: How was the support group?"
    )
    later = condense([*turns, Source("It rained.", None, JUNE)], share=1).text
    assert later.splitlines() == [
        "Caroline (7 May 2023): I went to the LGBTQ support group.",
        "Melanie (7 May 2023): How was the support group?",
        "1 June 2023: It rained.",
    ]


def test_what_was_condensed_can_be_condensed_again_and_keeps_its_speakers() -> None:
    text = "Caroline (7 May 2023): I went to Berlin with Bob.\nMelanie: I painted the lake sunrise."
    again = condense([Source(text)], share=0.3).text
    assert [line.partition(": ")[0] for line in again.splitlines()] == [
        "Caroline (7 May 2023)",
        "Melanie",
    ]
    assert spoken("Ana: hello\n\nthere", "Ana") == [("Ana", "hello"), ("Ana", "there")]
    assert spoken("Note: hello", "Ana") == [("Ana", "Note: hello")]


def test_what_is_said_twice_stands_once_and_names_both() -> None:
    sources = [
        Source("The build fails on machine 9. Restart the agent."),
        Source("Restart the agent! The build fails on machine 8."),
    ]
    found = condense(sources, share=1)
    assert found.text.count("estart the agent") == 1
    assert [piece.also for piece in found.pieces if "estart" in piece.text] == [(1,)]
    assert "machine 9" in found.text
    assert "machine 8" in found.text


def test_opposites_are_no_repeats() -> None:
    rows = [
        "Ana eats fish often",
        "Ana eats no fish often",
        "ana eats fish, often",
        "Bob eats fish often",
    ]
    assert repeats(rows) == {2: 0}


def test_what_another_says_or_on_another_day_is_no_repeat() -> None:
    vote = "I vote for the blue option."
    votes = [Source(vote, "Ann", MAY), Source(vote, "Bob", MAY), Source(vote, "Ann", MAY)]
    found = condense(votes, share=1)
    assert found.text == f"Ann: {vote}\nBob: {vote}"
    assert [piece.also for piece in found.pieces] == [(2,), ()]
    assert condense([Source(f"Ann: {vote}\nBob: {vote}")], share=1).text.count(vote) == 2
    walks = [Source("I walked to the lake.", "Ann", day) for day in (MAY, JUNE, MAY)]
    assert condense(walks, share=1).text.splitlines() == [
        "Ann (7 May 2023): I walked to the lake.",
        "Ann (1 June 2023): I walked to the lake.",
    ]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
def test_who_said_it_stays_where_only_facts_do(share: float) -> None:
    vote = "I vote for the blue option, it is so nice."
    text = condense([Source(vote, "Ann"), Source(vote, "Bob")], share=share).text
    for line, who in zip(text.splitlines(), ("Ann", "Bob"), strict=True):
        assert line.startswith(f"{who}: ")
        assert "vote" in line
        assert "blue option" in line
    days = [Source(vote, "Ann", MAY), Source(vote, "Ann", JUNE)]
    assert condense(days, share=share).text.count("blue option") == 2


@pytest.mark.parametrize(
    ("later", "repeated"),
    [
        ("The parser calls the lexer.", True),
        ("the parser calls lexer", True),
        ("The lexer calls the parser.", False),
        ("The parser calls the lexer twice.", False),
        ("The parser calls you.", False),
    ],
)
def test_a_repeat_says_the_same_words_in_their_order(later: str, repeated: bool) -> None:
    assert (1 in repeats(["The parser calls the lexer.", later])) == repeated


def test_a_new_word_among_many_is_no_repeat_and_one_less_is() -> None:
    said = "alpha bravo charlie delta echo foxtrot golf hotel india juliett"
    assert repeats([said, f"{said} kilo"]) == {}
    assert repeats([f"{said} kilo", said]) == {1: 0}
    assert repeats([f"{said} kilo", said], [("Ann", None), ("Bob", None)]) == {}
    assert repeats([said, "alpha bravo charlie"]) == {}


def test_a_long_text_is_not_held() -> None:
    short, long = "Bob " * 10, "Bob " * 300
    for found in (content_words, numbers, names, capitalised, dates, negated):
        for text in (f"{short}is not 5, yesterday", f"{long}is not 5, yesterday"):
            held = found(text) is found(text)
            assert found(text)
            assert held == text.startswith(f"{short}is"), found


def test_each_piece_says_where_it_is_from() -> None:
    sources = [Source(LONG), Source("Bob moved to Rome in 2021. He is happy.")]
    for piece in condense(sources, share=0.3).pieces:
        held = sources[piece.source].text
        assert all(word.strip(".,!") in held for word in piece.text.split())
        assert not piece.whole or piece.text in held


def test_sentences_end_where_they_end() -> None:
    text = "It cost 3.50 at the U.S. shop! Really?\nYes… 「好。」好。次"
    assert sentences(text)[:3] == ["It cost 3.50 at the U.S.", "shop!", "Really?"]
    assert sentences("一。二。") == ["一。", "二。"]
    assert sentences("") == []


def test_a_sentence_that_others_turn_on_is_central_by_words_or_by_vectors() -> None:
    rows = ["red fox jumps", "red fox runs", "fox sleeps", "blue sky"]
    rank = centrality(rows, None)
    assert rank.sum() == pytest.approx(1)
    assert rank.argmin() == 3
    vectors = np.eye(4)
    vectors[:3] = np.array([1.0, 0, 0, 0])
    assert centrality(rows, vectors).argmin() == 3
    assert centrality([], None).tolist() == []


def test_vectors_may_say_which_sentences_stay() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Floats:
        asked.extend(texts)
        return np.eye(len(texts))

    condense([Source(LONG)], share=0.5, embed=embed)
    assert asked == sentences(LONG)


def test_neighbours_of_a_session_become_one_and_never_too_many() -> None:
    sessions = ["a"] * 5 + ["b"] * 3 + [None]
    found = groups(sessions, NO_PAIRS, NO_WEIGHTS, largest=2)
    assert sorted(place for group in found for place in group) == list(range(9))
    assert all(len(group) <= 2 for group in found)
    assert len(found) == 6
    assert all(len({sessions[place] for place in group}) == 1 for group in found)


def test_what_is_similar_becomes_one_across_sessions() -> None:
    pairs = np.array([[0, 3], [1, 2]])
    found = groups(["a", None, None, "b"], pairs, np.array([0.9, 0.8]), largest=4)
    assert found == ((0, 3), (1, 2))
    alone = groups(["a", None, None, "b"], NO_PAIRS, NO_WEIGHTS, largest=4)
    assert alone == ((0,), (1,), (2,), (3,))


def test_communities_stay_together_and_who_is_left_alone_finds_company() -> None:
    sessions = ["a"] * 6
    pairs = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [1, 1]])
    found = groups(sessions, pairs, np.full(7, 0.9), largest=3, neighbour_weight=0.1)
    assert found == ((0, 1, 2), (3, 4, 5))
    two = groups(sessions, pairs, np.full(7, 0.9), largest=2, neighbour_weight=0.0)
    assert two == ((0, 1), (2, 5), (3, 4))
    assert groups(sessions, NO_PAIRS, NO_WEIGHTS, largest=1) == tuple((i,) for i in range(6))
    assert groups([], NO_PAIRS, NO_WEIGHTS, largest=2) == ()


def test_a_pair_that_is_not_there_or_a_group_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="beyond 1 memories"):
        groups(["a"], np.array([[0, 1]]), np.ones(1), largest=2)
    with pytest.raises(ValueError, match="groups of 0"):
        groups(["a"], NO_PAIRS, NO_WEIGHTS, largest=0)


def test_a_condensed_memory_inherits() -> None:
    sources = [
        Standing(0.9, 3, 2, 0.4, 5, 0.1, 10.0, ("b", "a")),
        Standing(0.5, 1, 4, 0.7, 2, 0.6, tags=("a",)),
    ]
    assert inherited(sources) == Standing((0.9 * 3 + 0.5) / 4, 4, 4, 0.7, 7, 0.6, 10.0, ("a", "b"))
    untaught = inherited([Standing(0.4, 0, 1, 1.0), Standing(0.6, 0, 1, 1.0)])
    assert (untaught.q_value, untaught.q_count) == (0.5, 0)
    with pytest.raises(ValueError, match="nobody"):
        inherited([])


def test_what_memories_share_is_abstracted() -> None:
    found = abstraction(
        ["The flight to Lisbon was late.", "Ana missed the flight to Lisbon.", "Tea is nice."],
        actions=[["search", "book", "pay"], ["search", "book", "pay", "mail"], ["mail"]],
        concepts=[["travel", "delay"], ["travel", "travel"]],
    )
    assert ("Lisbon", 2) in found.phrases
    assert ("flight", 2) in found.phrases
    assert found.actions == ((("search", "book", "pay"), 2),)
    assert found.concepts == (("travel", 2),)
    assert abstraction([]).phrases == ()
