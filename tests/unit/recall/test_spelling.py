from __future__ import annotations

import pytest

from graph.questions.spelling import corrected

TEXTS = ("Greta repairs the kettle on Saturdays.", "Die Schlüssel liegen beim Pförtner.")
ENGLISH = frozenset({"where", "repair", "settle", "house", "metal"})


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Who repiars the ketle?", "Who repairs the kettle?"),
        ("Where are the schlussel?", "Where are the schlussel?"),
        ("What does Gretta do?", "What does greta do?"),
        ("Who settles the metal house?", "Who settles the metal house?"),
        ("repairing", "repairing"),
        ("Is Xanthippe there?", "Is Xanthippe there?"),
        ("", ""),
    ],
)
def test_a_slip_is_read_as_the_word_that_memories_use(asked: str, read: str) -> None:
    assert corrected(asked, TEXTS, lambda word: word.rstrip("s") in ENGLISH) == read


def test_words_of_a_few_letters_and_numbers_stay() -> None:
    assert corrected("the cta 12345", ["the cat 12346"], lambda _: False) == "the cta 12345"
