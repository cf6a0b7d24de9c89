"""Text prepared for the recognisers, with lazily computed features: lower case, digits, dense digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

# six digits close together, or the one identity number with fewer
_DENSE = re.compile(r"\d(?:(?:[A-Za-z ().\-/+]{0,3}\d){5,}|(?<=[A-Za-z]{5}\d)\d{3}[A-Za-z])")
_REACH = 40  # characters around dense digits in which a number can begin and end


@dataclass(frozen=True)
class ScannedText:
    """A text to scan for personal data; ``context`` is its key in a JSON object, if any."""

    text: str
    context: str
    regions: Sequence[str]

    @cached_property
    def lower(self) -> str:
        """The context and the text in lower case, for a fast search for words."""
        return f"{self.context}\n{self.text}".lower()

    @cached_property
    def has_digits(self) -> bool:
        """Return whether the text has any digit."""
        return any(map(str.isdigit, self.text))

    @cached_property
    def dense(self) -> Sequence[tuple[int, int]]:
        """Starts and ends of spans where digits are dense; touching ones are joined."""
        return list(_dense_places(self.text))

    def near_digits(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in spans of dense digits."""
        for start, end in self.dense:
            yield from pattern.finditer(self.text, start, end)

    def says(self, stems: Sequence[str]) -> bool:
        """Return whether one of some beginnings of words occurs."""
        lower = self.lower
        return any(stem in lower for stem in stems)


def _dense_places(text: str) -> Iterator[tuple[int, int]]:
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
