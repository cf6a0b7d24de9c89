from __future__ import annotations

import pytest

from graph.questions.content import FUNCTION_WORDS, content_words, stem, text_stems


def test_content_words_leave_out_function_words_and_repeat_none() -> None:
    assert content_words("She says the boat, her boat, is blue.") == ("boat", "blue")


@pytest.mark.parametrize(
    "word", ["she", "it", "wogegen", "nicht", "où", "qué", "perché", "você".replace("você", "quem")]
)
def test_function_words_of_six_languages_carry_nothing(word: str) -> None:
    assert content_words(word) == ()


def test_inflections_meet_in_their_stem() -> None:
    assert stem("invoices") == stem("invoice")
    assert stem("living") == stem("lives")


def test_tags_count_as_words_of_a_text() -> None:
    assert {"kubernet", "cluster"} <= text_stems("The cluster runs.", ("Kubernetes",))


def test_function_words_are_folded() -> None:
    assert all(word == word.lower() for word in FUNCTION_WORDS)
