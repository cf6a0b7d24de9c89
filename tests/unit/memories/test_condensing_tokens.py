"""What stays in one piece when a text is condensed: numbers with sign and unit, addresses, links, paths."""

from __future__ import annotations

import time

import pytest

from graph.condensing.facts import content_words, negated, numbers
from graph.condensing.faithful import is_faithful
from graph.condensing.model import LEVELS, Source
from graph.condensing.text import condense
from graph.condensing.tokens import tokens
from graph.expecting.polarity import opposed

_NUMBERS = """50€ 5% .5 −5 -5 <5 ≥5 <=7 ~3 ±2 10–15 5–6pm 5-3 5%-3% $5-$10 5€–10€ $20.50 -$5 $-5 $.50 -.5 5°C 45°N 5‰
7:30 7:30pm 3rd 1.234,56 1'000 50+ 1e-5 3.2E+10 -20C <5mg $5M #5 2023-05-07T10:00:00.123+02:00 1/2 24/7
10.0.0.1:8080 10.0.0.0/8 1920×1080 4x-large 550e8400-e29b-41d4-a716-446655440000"""
_SPACED = ["5 %", "5 ‰", "5 °C", "5 €", "5 $", "$ 5", "€ 10", "< 5", ">= 8", "10 – 15", "§ 5"]
_LONG = 100_000
_RUNS = """a 1 /a a. a@ a- 1- 1. 1a - + $ < a/ ./ ../ x:// ( x://( x://. ~/ ° 1% 1e- 1:a () a@b. .a a/. aa. 1, " , – but
.a/ a.b/ ../a/ a/../ 1e-1 1'a 1–1 \u0300 \u0300@ \u0300/ a\u0300. a\u0300~"""


@pytest.mark.parametrize("number", [*_NUMBERS.split(), *_SPACED])
def test_a_number_keeps_its_sign_its_point_and_its_unit(number: str) -> None:
    assert tokens(number) == (number,)
    sentence = f"It was at {number} of it all, and the rest was gone by then, so she said to us"
    for text in (sentence, f"{number} is what it was about, for all of us", f"so it is {number}."):
        assert numbers(text) == {number}
        assert number in condense([Source(text)], LEVELS["episodic"], share=0).text
    assert f"{number} is not enough" in negated(f"{number} is not enough, (or {number})")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5 $10", ["5", "$10"]),
        ("5 of 10", ["5", "of", "10"]),
        ("x<5 a->5 =>5", ["x", "<5", "a", "5", "5"]),
        ("10 -5 (-5) --5", ["10", "-5", "-5", "5"]),
        ("a-5 C++11 5-year-old 5th-grade", ["a-5", "C", "11", "5", "year-old", "5th", "grade"]),
        ("5 %d 50%off ..5 5.", ["5", "d", "50%", "off", "5", "5"]),
        ("5\n% 5\n€", ["5", "5"]),
        ("and/or n/a he/she. and/or. /tmp 5/x", ["and", "or", "n", "a", "he", "she", "and", "or", "tmp", "5", "x"]),
        ("@home a@b x @ y", ["home", "a", "b", "x", "y"]),
        ("http:// see://", ["http", "see"]),
        ("a.b/c.d/e x/y.z/e", ["a.b", "c.d", "e", "x", "y.z", "e"]),
        ("é/b/c e\u0301/b/c", ["é", "b", "c", "e\u0301", "b", "c"]),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_taken_apart(text: str, found: list[str]) -> None:
    assert list(tokens(text)) == found


@pytest.mark.parametrize(
    "whole",
    [
        "a@b.com",
        "x.y+z@b-c.co.uk",
        "https://en.wikipedia.org/wiki/Foo_(bar)",
        "git+ssh://x.y/z?a=1&b=2#c",
        "/etc/hosts",
        "~/.ssh/config",
        "/usr/lib/python3.11/",
        "docs/strata.md",
        "./a/b.tar.gz",
        "../run.sh",
    ],
)
def test_an_address_a_link_or_a_path_is_one_word(whole: str) -> None:
    for text in (whole, f"{whole}.", f"({whole})", f"{whole}, {whole}!", f"see:{whole}; or", f'"{whole}"?'):  # fmt: skip
        assert whole in tokens(text)
    assert content_words(f"it is at {whole}.") & {whole, whole.casefold()}
    assert negated(f"It is not (see {whole})") == {"It is not"}
    assert negated(f"It is not {whole}.") == {f"It is not {whole}"}


@pytest.mark.parametrize(
    ("text", "faithful"),
    [
        ("Rent rose 5 % to €900, −5 outside", True),
        ("Rent rose 5 to €900, −5 outside", False),
        ("Rent rose 5 % to 900, −5 outside", False),
        ("Rent rose 5 % to €900, 5 outside", False),
        ("Rent rose 5 ‰ to €900, −5 outside", False),
    ],
)
def test_other_words_are_held_to_sign_and_unit(text: str, faithful: bool) -> None:
    assert is_faithful("It is in Docs/A.md", "It is in Docs/A.md", "It is in Docs/A.md", opposed)
    notes = "Rent rose by 5 % to €900, and it was −5 outside."
    assert is_faithful(text, notes, notes, opposed) == faithful


@pytest.mark.parametrize("end", ["", "!", "x://"])
def test_a_long_run_of_anything_is_read_in_a_moment(end: str) -> None:
    started = time.thread_time()
    for run in [*_RUNS.split(), " ", "1 – ", "1 %", "5 €", ", "]:
        text = (run * _LONG)[:_LONG] + end
        negated(text)
    assert time.thread_time() - started < 20
