"""Cursors of pages, bound to their query."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from graph.kernel.errors import InvalidInputError
from graph.model.episodes.questions import RankPosition
from graph.model.erasure.checking import CheckPlace
from graph.model.memories.browsing import Page, PagePosition

Item = TypeVar("Item")

_CHECK = "check"
_FOREIGN = "cursor: is not one that a page of this question gave; start again without it"


def encode(position: PagePosition, question: object) -> str:
    """Encode a cursor, valid for the same query only."""
    return _sealed([position.at.isoformat(), position.uid], question)


def encode_rank(position: RankPosition, question: object) -> str:
    """Encode a cursor of an order by a number."""
    return _sealed([position.rank, position.uid], question)


def encode_check(place: CheckPlace) -> str:
    """Encode the position of a check."""
    return _sealed([place.walk, list(place.after or ())], _CHECK)


def decode_check(cursor: str) -> CheckPlace:
    """Decode the position of a check.

    Raises
    ------
    InvalidInputError
        If it was changed.
    """
    walk, after = _opened(cursor, _CHECK)
    return CheckPlace(walk, tuple(after) or None)


def _sealed(place: list[Any], question: object) -> str:
    text = json.dumps([*place, _seal(place, question)], separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(cursor: str, question: object) -> PagePosition:
    """Decode a cursor.

    Raises
    ------
    InvalidInputError
        If it was changed, or made for another caller, filter or order.
    """
    at, uid = _opened(cursor, question)
    try:
        return PagePosition(datetime.fromisoformat(at), str(uid))
    except (ValueError, TypeError):
        raise InvalidInputError(_FOREIGN, field="cursor") from None


def decode_rank(cursor: str, question: object) -> RankPosition:
    """Decode a cursor of an order by a number.

    Raises
    ------
    InvalidInputError
        If it was changed, or made for another caller or question.
    """
    rank, uid = _opened(cursor, question)
    if isinstance(rank, bool) or not isinstance(rank, int | float):
        raise InvalidInputError(_FOREIGN, field="cursor")
    return RankPosition(rank, str(uid))


def _opened(cursor: str, question: object) -> tuple[Any, Any]:
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place, uid, seal = json.loads(text)
        if seal == _seal([place, uid], question):
            return place, uid
    except (ValueError, TypeError, RecursionError):
        pass
    raise InvalidInputError(_FOREIGN, field="cursor")


def page_of(
    found: Sequence[Item], limit: int, question: object, position: Callable[[Item], PagePosition]
) -> Page[Item]:
    """Return the first ``limit`` items as a page, with a cursor if there are more."""
    items = tuple(found[:limit])
    more = len(found) > limit
    # the last that is shown: the next page begins behind it
    return Page(items, encode(position(items[-1]), question) if more else None)


def _seal(place: list[Any], question: object) -> str:
    """Return a checksum of a position and its query; access is checked anew for each page."""
    # no secret: it keeps a cursor from being used for another question, nothing more
    return hashlib.sha256(repr((place, question)).encode()).hexdigest()[:24]
