"""The recogniser that is always on: a cheap first look, then patterns and check digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.model import Finding
from graph.privacy.accounts import cards, ibans
from graph.privacy.addresses import addresses, emails
from graph.privacy.folding import folded
from graph.privacy.national import national_ids
from graph.privacy.phones import phones

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "IN", "AU", "BR")

# Six digits that stand close together, or the one identity number with fewer.
_DENSE = re.compile(r"\d(?:(?:[A-Za-z ().\-/+]{0,3}\d){5,}|(?<=[A-Za-z]{5}\d)\d{3}[A-Za-z])")
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_REACH = 40  # characters around dense digits in which a number can begin and end
# Of two that overlap the one that covers more is meant; of equal ones the first of these.
_ORDER = {kind: place for place, kind in enumerate(("IBAN", "CARD", "NATIONAL_ID", "EMAIL", "IP", "PHONE"))}  # fmt: skip


class LightRecognizer:
    """The ``Recognizer`` of the core: offline, some microseconds for a text with nothing in it."""

    def __init__(self, regions: Sequence[str] = REGIONS) -> None:
        self._regions = tuple(regions)

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """See ``Recognizer.find``."""
        if text.isalpha() or _TIME.fullmatch(text):  # as names of fields are, and what they name
            return ()
        plain, places = folded(text)
        found = list(self._all(plain, context))
        if not found:
            return ()
        alone = apart(found)
        if places is None:
            return alone
        return [
            Finding(one.type, places[one.start], places[one.end - 1] + 1, one.value)
            for one in alone
        ]

    def _all(self, text: str, context: str) -> Iterator[Finding]:
        yield from emails(text)
        yield from addresses(text, context)
        for start, end in _dense_places(text):
            yield from ibans(text, start, end)
            yield from cards(text, start, end)
            yield from national_ids(text, start, end, context)
            yield from phones(text, start, end, self._regions, context)


def _dense_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where to look closer, joined where two places touch."""
    start = end = -1
    for match in _DENSE.finditer(text):
        first, last = max(0, match.start() - _REACH), min(len(text), match.end() + _REACH)
        if first > end:
            if end > 0:
                yield start, end
            start = first
        end = last
    if end > 0:
        yield start, end


def apart(found: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order of the text; of two that overlap the one that covers more."""
    best = sorted(found, key=lambda one: (one.start - one.end, _ORDER[one.type], one.start))
    kept: list[Finding] = []
    for one in best:
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
