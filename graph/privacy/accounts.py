"""Numbers of cards and bank accounts, by their check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import iban, luhn

from graph.model.memories.privacy import Finding
from graph.privacy.look import Look

_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_GAP = re.compile(r"[ -]")
_CARD = re.compile(r"(?<!\w)(?<![\d][.,])(?<!\w-)\d(?:[ -]?\d){12,18}(?!\w|-\w|[.,]\d)", re.ASCII)
# Beginnings of the schemes that are in use, with the lengths of their numbers.
_SCHEMES = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|62\d{14,17}|(?:50|5[6-8])\d{14,17}"
)
_GROUPS = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d+")


def ibans(look: Look) -> Iterator[Finding]:
    """Find account numbers whose country, length and check digits are right."""
    for match in look.near_digits(_IBAN):
        # Words that follow may look like more of it: the longest that holds is meant.
        ends = [*(gap.start() for gap in _GAP.finditer(match[0])), len(match[0])]
        for last in reversed(ends):
            value = _GAP.sub("", match[0][:last]).upper()
            if iban.is_valid(value):
                yield Finding("IBAN", match.start(), match.start() + last, value)
                break


def cards(look: Look) -> Iterator[Finding]:
    """Find numbers of payment cards: by scheme, length, grouping and check digit."""
    for match in look.near_digits(_CARD):
        value = re.sub(r"\D", "", match[0])
        if _SCHEMES.fullmatch(value) and _GROUPS.fullmatch(match[0]) and luhn.is_valid(value):
            yield Finding("CARD", *match.span(), value)
