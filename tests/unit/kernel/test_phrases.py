from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.phrases.extraction import MAX_CHARACTERS, MAX_PHRASES, key_phrases, normal_form


def names(text: str, limit: int = MAX_PHRASES) -> list[str]:
    return [phrase.name for phrase in key_phrases(text, limit)]


def test_names_come_first_and_phrases_by_their_score() -> None:
    text = "Yesterday Ada Lovelace showed the analytical engine to guests from Paris."
    assert names(text) == ["ada lovelace", "paris", "analytical engine", "showed", "guest"]


def test_a_capital_at_the_start_of_a_sentence_alone_is_no_name() -> None:
    assert names("Pottery calms the mind. Boats float.") == ["pottery calm", "boat float", "mind"]
    lead = "Gardens need water. In spring Rome has gardens."
    assert names(lead)[0] == "rome"


def test_what_is_a_name_elsewhere_is_one_at_the_start_too() -> None:
    counted = names("Biscuit sleeps. The cat Biscuit purrs.")
    assert counted[0] == "biscuit"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("NASA answered", "nasa"),
        ("They saw the Museum of Modern Art there", "museum of modern art"),
        ("We met at Café Müller", "cafe muller"),
        ("We met at CAFE MULLER and ate very well there", "cafe muller"),
        ("She rode to São Paulo's centre", "sao paulo"),
        ("Сегодня мы видели Ивана Петрова в городе", "ивана петрова"),
    ],
)
def test_a_name_is_found_in_its_folded_form(text: str, name: str) -> None:
    assert name in names(text)


def test_the_form_it_was_found_in_is_kept_for_display() -> None:
    [phrase] = [p for p in key_phrases("We met at Café Müller's") if p.name == "cafe muller"]
    assert phrase.display == "Café Müller"


def test_a_title_or_shouting_names_nothing_but_keeps_its_phrases() -> None:
    assert names("THE BROWN DOG SLEEPS") == ["brown dog sleep"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Strategies", "strategy"),
        ("movies", "movie"),
        ("dogs", "Dog"),
        ("Café's", "cafe"),
        ("Straße", "STRASSE"),
        ("Anna’s", "Anna's"),
    ],
)
def test_forms_of_a_word_meet(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize("word", ["bus", "glass", "analysis", "yes"[1:]])
def test_what_only_looks_like_a_plural_stays(word: str) -> None:
    assert normal_form(word) == word


def test_syllables_that_differ_by_a_mark_are_two() -> None:
    assert normal_form("は") != normal_form("ば")


@pytest.mark.parametrize(
    "text", ["", " \n", "12345 2024-01-02", "the of and", "?!…", "a b c", "😀"]
)
def test_numbers_signs_and_stop_words_are_no_terms(text: str) -> None:
    assert key_phrases(text) == ()


def test_a_long_run_of_words_keeps_its_end() -> None:
    assert names("cold rainy windy autumn morning") == ["windy autumn morning"]


def test_the_same_term_comes_once() -> None:
    assert names("brown dog, brown dogs; the brown dog's") == ["brown dog"]


def test_no_more_than_asked_for() -> None:
    text = ", ".join(f"thing{letter}" for letter in "abcdefghijkl")
    assert len(names(text)) == MAX_PHRASES
    assert len(names(text, 3)) == 3
    assert names(text, 0) == []


def test_a_term_that_is_too_long_is_left_out() -> None:
    assert names("x" * (MAX_CHARACTERS + 1) + ", short word") == ["short word"]


@given(st.text(max_size=2000))
def test_any_text_gives_few_short_distinct_terms_and_always_the_same(text: str) -> None:
    found = key_phrases(text)
    assert found == key_phrases(text)
    assert len(found) <= MAX_PHRASES
    assert len({phrase.name for phrase in found}) == len(found)
    for phrase in found:
        assert 2 <= len(phrase.name) <= MAX_CHARACTERS
        assert len(phrase.display) <= MAX_CHARACTERS
        assert any(char.isalpha() for char in phrase.name)
