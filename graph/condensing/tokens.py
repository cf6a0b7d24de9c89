"""Tokens: words, numbers with sign and unit, and whole addresses, links and paths."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from graph.kernel.words import CHARACTER

_T = TypeVar("_T")
_CACHE_SIZE = 4096
_LONGEST_CACHED = 1000  # characters: a line of a log can be as long as a memory


def cached(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Add an LRU cache to a function of a text; texts longer than a sentence are computed anew."""
    lookup = lru_cache(_CACHE_SIZE)(function)

    @wraps(function)
    def cached_function(text: str) -> _T:
        return lookup(text) if len(text) <= _LONGEST_CACHED else function(text)

    return cached_function


_GAP = "[ \u00a0\u202f]?"  # never a line's end: a unit stands on its number's line
_MONEY = "[$€£¥₹₽₩₺]"

_INSIDE = rf"{CHARACTER[:-1]}@+~-]"
_PART = rf"\.?{_INSIDE}+(?:\.{_INSIDE}+)*"
_LINKED = r"[^\s<>\"“”()。，、！？（）「」]"
# The lookbehind keeps a long run of such characters from being tried at each of them: quadratic time.
WHOLE = rf"""
    (?<![./{_INSIDE[1:]})(?:
        [A-Za-z][A-Za-z0-9+.-]{{0,30}}://(?={_LINKED})
            {_LINKED}*(?:\({_LINKED}*\){_LINKED}*)*(?<![.,;:!?'’…*\]}}])
      | [\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+
      | ~?(?:/{_PART}){{2,}}/?
      | (?:\.{{1,2}}/)*(?:{_PART}/)*(?!{_PART}/)(?<=/)(?=(?:{_INSIDE}|\.)*\.[A-Za-z]){_PART}
    )"""

# a minus between two numbers is a range or a difference: *5-3*
_SIGN = r"(?<![\w.%‰°$€£¥₹₽₩₺)\]+-])[+−–-]"  # none between two numbers: 5-3, 5%-3%
_BEFORE = rf"""
    (?:(?<![<>=-])(?:[<>]=?|[≤≥≈≠~±]){_GAP})?
    (?:(?:{_SIGN})?{_MONEY}(?:[+−-]|{_GAP})|{_SIGN}|\#|§{_GAP})?"""
_DIGITS = r"(?:\d+|(?<![\w.])\.\d+)(?:[.,:/+×^*'’–−-]\d+)*"
_UNIT = rf"""
    (?: [eE][+−-]\d+(?!{CHARACTER})
      | (?:st|nd|rd|th|am|pm|k|m|km|kg)(?!{CHARACTER})
      | {_GAP}°(?:[CFKNESW](?!{CHARACTER}))?
      | [%‰] | {_GAP}[%‰](?!{CHARACTER})
      | {_MONEY}(?!\d) | {_GAP}{_MONEY}(?!{_GAP}[.+−–-]?\d)
      | {CHARACTER}+(?:['’&.-]{CHARACTER}+|[:,/+]\d{CHARACTER}*)*
    )?(?:\+(?!\w))?"""
_RANGE = rf"(?:[–−-]|[ ]–[ ]){_MONEY}?{_DIGITS}{_UNIT}"
NUMBER = rf"{_BEFORE}{_DIGITS}{_UNIT}(?:{_RANGE})*"

TOKEN = rf"{WHOLE}|{NUMBER}|{CHARACTER}+(?:['’&.-]{CHARACTER}+)*"
_TOKEN = re.compile(TOKEN, re.VERBOSE)


@cached
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are written."""
    return tuple(_TOKEN.findall(text))
