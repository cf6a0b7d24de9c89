"""The recogniser that is always on: every class of the table, and of what overlaps the longest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.model.memories.privacy import Finding
from graph.privacy.classes import CLASSES
from graph.privacy.folding import folded
from graph.privacy.look import Look

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
