"""Features of a text's form: words with masked numbers, pairs of words, and its size.

Texts about the same subject may need different steps, and vice versa: "twice as many" and "how much is left" indicate
the solution better than apples or bees.
"""

from __future__ import annotations

import itertools
import re

MAX_TOKENS = 200

_TOKEN = re.compile(
    r"(?P<money>[$€£]\s?\d[\d,]*(?:\.\d+)?)|(?P<percent>\d[\d,]*(?:\.\d+)?\s?%)"
    r"|(?P<fraction>\d+/\d+)|(?P<number>\d[\d,]*(?:\.\d+)?)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
)
_NUMBERS = ("money", "percent", "fraction", "number")
_NUMBER_WORDS = frozenset(
    [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "dozen",
        "half",
        "twice",
        "double",
        "triple",
        "third",
        "quarter",
    ]
)
_SENTENCE = re.compile(r"(?<=[.?!。？！])\s*")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


def cues(text: str) -> frozenset[str]:
    """Return what the shape of a text is told by; of a long one its beginning and its end.

    Examples
    --------
    >>> sorted(cue for cue in cues("She paid $4 for 2/3 of it.") if "=" not in cue)[:4]
    ['<fraction>', '<fraction> of', '<money>', '<money> for']
    """
    tokens = _tokens(text)
    if len(tokens) > MAX_TOKENS:
        # the beginning has the subject, the end the question
        tokens = [*tokens[: MAX_TOKENS // 2], *tokens[-MAX_TOKENS // 2 :]]
    # abbreviations count as ends too; only rough sizes are compared
    sentences = sum(1 for sentence in _SENTENCE.split(text.strip()) if sentence)
    return frozenset({*tokens, *_pairs(tokens), *_shape(tokens, sentences)})


def same_but_for_numbers(text: str) -> str:
    """Return a text that is equal for problems that differ in numbers only."""
    return _DIGITS.sub("#", same_words(text))


def same_words(text: str) -> str:
    """Return a text that is equal for problems that differ in case and spacing only."""
    return " ".join(text.casefold().split())


def _tokens(text: str) -> list[str]:
    return [
        match[0] if match.lastgroup == "word" else f"<{match.lastgroup}>"
        for match in _TOKEN.finditer(text.casefold())
    ]


def _pairs(tokens: list[str]) -> list[str]:
    return [f"{one} {other}" for one, other in itertools.pairwise(tokens)]


def _shape(tokens: list[str], sentences: int) -> set[str]:
    """Count quantities, sums of money, fractions, sentences and words."""
    kinds = {name: tokens.count(f"<{name}>") for name in _NUMBERS}
    numbers = sum(kinds.values())
    spelt = sum(token in _NUMBER_WORDS for token in tokens)
    return {
        # limited: counts beyond ten do not differ
        f"quantities={min(numbers + spelt, 10)}",
        f"numbers={min(numbers, 10)}",
        f"money={min(kinds['money'], 4)}",
        f"percent={min(kinds['percent'], 3)}",
        f"sentences={min(sentences, 8)}",
        f"length={min(len(tokens) // 10, 12)}",
    }
