"""Patterns of words in any script, and of English numbers, weekdays and months."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

# Vowel signs and accents that are separate characters; `\w` does not match them.
_MARKS = "".join(
    chr(point) for point in range(0x300, 0x10000) if unicodedata.category(chr(point))[0] == "M"
)

CHARACTER = rf"[\w{_MARKS}]"
"""Pattern of one character of a word; begin a word with ``\\w``."""

_UP_TO_NINETEEN = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
SMALL_NUMBERS: Mapping[str, int] = MappingProxyType(
    {word: number for number, word in enumerate(_UP_TO_NINETEEN.split())}
)
"""Numbers in words from zero to nineteen, in order."""
TENS: Mapping[str, int] = MappingProxyType(
    {
        word: 10 * number
        for number, word in enumerate(
            ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
        )
    }
)
"""Multiples of ten in words from twenty to ninety, in order."""
_MONTH_WORDS = """
january february march april may june july august september october november december
"""
MONTHS = tuple(_MONTH_WORDS.split())
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)


def without_accents(text: str) -> str:
    """Return a text in lower case without diacritics."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return bare.translate(_UNDECOMPOSED)
