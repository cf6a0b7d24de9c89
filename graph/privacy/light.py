"""The recogniser that is always on: every class of the table, and of what overlaps the longest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from graph.model.memories.privacy import Finding
from graph.privacy.classes import CLASSES
from graph.privacy.look import Look

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


REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "IN", "AU", "BR")

_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_ORDER = {each.type: place for place, each in enumerate(CLASSES)}


class LightRecognizer:
    """The ``Recognizer`` of the core: offline, some microseconds for a text with nothing in it."""

    def __init__(self, regions: Sequence[str] = REGIONS) -> None:
        self._regions = tuple(regions)

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """See ``Recognizer.find``."""
        if text.isalpha() or (_TIME.fullmatch(text) and not context):  # as names of fields are
            return ()
        plain, places = folded(text)
        look = Look(plain, context, self._regions)
        found = [one for each in CLASSES if each.find for one in each.find(look)]
        if not found:
            return ()
        alone = apart(found)
        if places is None:
            return alone
        return [
            Finding(one.type, places[one.start], places[one.end - 1] + 1, one.value)
            for one in alone
        ]


def apart(found: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order of the text; of two that overlap the one that covers more."""
    best = sorted(found, key=lambda one: (one.start - one.end, _ORDER[one.type], one.start))
    kept: list[Finding] = []
    for one in best:
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
