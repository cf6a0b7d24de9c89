from __future__ import annotations

import re

import pytest

from graph.database.keys import folded
from graph.kernel.words import CHARACTER, without_accents
from service.use_cases.recall.question import understand


@pytest.mark.parametrize("word", ["गोदाम", "مُغْلَق", "naïve", "deja\u0300", "仓库", "x86_64"])
def test_marks_belong_to_their_word(word: str) -> None:
    assert re.findall(rf"\w{CHARACTER}*", f"a {word}, b") == ["a", word, "b"]
    assert understand(f"{word} z", ()).terms == (word.lower(), "z")


@pytest.mark.parametrize(
    ("text", "bare"),
    [("Łódź", "lodz"), ("Straße", "strasse"), ("İstanbul", "istanbul"), ("kapalı", "kapali"),
     ("smørrebrød", "smorrebrod"), ("Đà Nẵng", "da nang"), ("æon", "aeon")],
)  # fmt: skip
def test_letters_lose_their_accents(text: str, bare: str) -> None:
    assert without_accents(text) == bare
    assert folded(text) == bare


def test_a_text_that_would_not_change_is_not_folded() -> None:
    assert folded("Plain text") is None
