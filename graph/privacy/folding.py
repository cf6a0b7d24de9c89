"""Normal form of digits, spaces and dashes."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_KEPT_AS = {
    "\uff20": "@",
    "\ufe6b": "@",
    "\uff0e": ".",
    "\u3002": ".",
    "\uff0b": "+",
    "\uff1a": ":",
}


def folded(text: str) -> tuple[str, list[int] | None]:
    """Return the text as patterns expect it, and where its characters stood; None for `there`."""
    if text.isascii():
        return text, None
    characters = [_plain(character) for character in text]
    if _UNSEEN.isdisjoint(text):
        return "".join(characters), None
    places = [place for place, character in enumerate(text) if character not in _UNSEEN]
    return "".join(characters[place] for place in places), places


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if character.isascii():
        return character
    if character in _DASHES:
        return "-"
    if character in _KEPT_AS:
        return _KEPT_AS[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs":
        return " "
    wide = unicodedata.normalize("NFKC", character)
    return wide if len(wide) == 1 and wide.isascii() else character
