"""`If-Match` and `If-None-Match` (RFC 9110): revisions as entity tags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.kernel.errors import InvalidInputError

# quoted tags may contain commas
_TAG = re.compile(r'(?P<weak>W/)?"(?P<tag>[\x21\x23-\x7e\x80-\xff]*)"')
_BARE_TAG = r'\s*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"\s*'
_TAGS = re.compile(f"{_BARE_TAG}(?:,{_BARE_TAG})*")
_OWN = re.compile(r"(?P<uid>[0-9A-Z]{26})-(?P<revision>[1-9][0-9]{0,17})")


@dataclass(frozen=True, slots=True)
class Tags:
    """Tags of one header; ``any`` is its ``*``."""

    any: bool
    pairs: frozenset[tuple[str, int]]


def tags_of(header: str, value: str | None, *, weak: bool) -> Tags | None:
    """Parse a header; foreign tags match nothing.

    Raises
    ------
    InvalidInputError
        If it is neither ``*`` nor a list of quoted tags.
    """
    if value is None:
        return None
    if value.strip() == "*":
        return Tags(any=True, pairs=frozenset())
    if not _TAGS.fullmatch(value):
        raise InvalidInputError(
            f'{header}: must be * or ETags in double quotes, such as "01J…-3"', field=header
        )
    # weak tags compare for `If-None-Match` only (RFC 9110)
    strong = [match["tag"] for match in _TAG.finditer(value) if weak or not match["weak"]]
    # foreign tags are no error: they match nothing
    own = [_OWN.fullmatch(tag) for tag in strong]
    pairs = frozenset((match["uid"], int(match["revision"])) for match in own if match)
    return Tags(any=False, pairs=pairs)
