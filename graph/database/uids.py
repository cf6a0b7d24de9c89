"""Time in a uid: its first ten letters are milliseconds since 1970, base 32."""

from __future__ import annotations

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_TIME = 10


def before(uid: str, milliseconds: int) -> str:
    """Return the beginning of uids made a duration before this one; the lowest one if it is no ULID."""
    time = 0
    for letter in uid[:_TIME]:
        place = _LETTERS.find(letter)
        if place < 0:
            return ""
        time = 32 * time + place
    time = max(0, time - milliseconds)
    return "".join(_LETTERS[time >> 5 * place & 31] for place in reversed(range(_TIME)))
