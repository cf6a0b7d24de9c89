"""Words, in any script."""

from __future__ import annotations

import unicodedata

# Vowel signs and accents that stand as characters of their own; `\w` leaves them out.
_MARKS = "".join(
    chr(point) for point in range(0x300, 0x10000) if unicodedata.category(chr(point))[0] == "M"
)

CHARACTER = rf"[\w{_MARKS}]"
"""Pattern of one character of a word; begin a word with ``\\w``."""

_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)


def without_accents(text: str) -> str:
    """Return a text in lower case without accents and points."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return bare.translate(_UNDECOMPOSED)
