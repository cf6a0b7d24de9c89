"""Built-in recogniser: the findings of all classes, the longest of those that overlap."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from graph.model.memories.privacy import Finding
from graph.privacy.classes import CLASSES
from graph.privacy.scanned import ScannedText

_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_EQUIVALENTS = {
    "\uff20": "@",
    "\ufe6b": "@",
    "\uff0e": ".",
    "\u3002": ".",
    "\uff0b": "+",
    "\uff1a": ":",
}


def folded(text: str) -> tuple[str, list[int] | None]:
    """Normalise a text for the patterns; return it with the original index of each character, None if unchanged."""
    if text.isascii():
        return text, None
    characters = [_normalized(character) for character in text]
    if _INVISIBLE.isdisjoint(text):
        return "".join(characters), None
    places = [place for place, character in enumerate(text) if character not in _INVISIBLE]
    return "".join(characters[place] for place in places), places


@lru_cache(maxsize=4096)
def _normalized(character: str) -> str:
    if character.isascii():
        return character
    if character in _DASHES:
        return "-"
    if character in _EQUIVALENTS:
        return _EQUIVALENTS[character]
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
_PRIORITY = {each.type: place for place, each in enumerate(CLASSES)}


class LightRecognizer:
    """The built-in ``Recognizer``: offline, some microseconds for a text without personal data."""

    def __init__(self, regions: Sequence[str] = REGIONS) -> None:
        self._regions = tuple(regions)

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """See ``Recognizer.find``."""
        if text.isalpha() or (_TIME.fullmatch(text) and not context):  # fast path: names of fields
            return ()
        plain, places = folded(text)
        scanned = ScannedText(plain, context, self._regions)
        findings = [finding for each in CLASSES if each.find for finding in each.find(scanned)]
        if not findings:
            return ()
        kept = without_overlaps(findings)
        if places is None:
            return kept
        return [
            Finding(finding.type, places[finding.start], places[finding.end - 1] + 1, finding.value)
            for finding in kept
        ]


def without_overlaps(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order of the text; of two that overlap only the longer one."""
    best = sorted(findings, key=lambda one: (one.start - one.end, _PRIORITY[one.type], one.start))
    kept: list[Finding] = []
    for one in best:
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
