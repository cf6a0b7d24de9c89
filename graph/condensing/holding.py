"""LRU cache of a sentence's tokens and facts; each sentence is read several times."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_T = TypeVar("_T")
_MOST = 4096
_LONGEST = 1000  # characters: a line of a log can be as long as a memory


def held(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Hold what a function of a text returned for the latest texts that are no longer than a sentence."""
    holding = lru_cache(_MOST)(function)

    @wraps(function)
    def found(text: str) -> _T:
        return holding(text) if len(text) <= _LONGEST else function(text)

    return found
