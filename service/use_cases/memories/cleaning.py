"""Redaction: personal data in a text becomes a token, or the row is rejected."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from graph.kernel.errors import InvalidInputError
from graph.model.episodes.episode import repeated_of
from graph.model.memories.memory import LISTS_AND_OBJECTS, NAMES, TEXTS, NewMemory
from graph.model.memories.privacy import Finding, PiiPolicy
from graph.ports.privacy import Recognizer

_ID_KEYS = frozenset({"episode_id", "problem_id"})
_SHORT = 6  # shorter texts identify nobody: "a@b.io" has six characters
_LEAST_NUMBER = 10_000_000  # smaller ones are too short for a phone
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")  # digits could look like a number
_TOKEN_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Redaction policy of one tenant; ``found`` counts the redactions by type."""

    policy: PiiPolicy
    recognizer: Recognizer
    secret: bytes = b""
    found: Counter[str] = field(default_factory=Counter[str])

    def row(self, row: NewMemory, ids: Collection[str] = NAMES) -> NewMemory:
        """Return a memory with personal data redacted; ``ids`` are those of its names that are new.

        Raises
        ------
        InvalidInputError
            If the policy rejects it, or a name identifies a person: names are references, and cannot be redacted.
        """
        if self.policy == "off":
            return row
        # refused, not redacted: names are references
        for name in ids:
            self._check_id(getattr(row, name), name)
        changes: dict[str, Any] = {}
        # fields that repeat an episode's object count once
        repeated, uncounted = repeated_of(row), replace(self, found=Counter())
        for name in (*TEXTS, *LISTS_AND_OBJECTS):
            value = getattr(row, name)
            cleaned = (uncounted if name in repeated else self).value(value, name)
            if cleaned is not value:
                changes[name] = cleaned
        return replace(row, **changes) if changes else row

    def value(self, value: Any, name: str, context: str = "") -> Any:
        """Return a JSON value with personal data redacted; the same object if there is none.

        ``context`` is its key: under `phone` a bare number is a phone number.
        """
        # True is an int; floats are measurements
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, str):
            return self.text(value, name, context)
        if isinstance(value, int):
            return self._number(value, name, context)
        if isinstance(value, Mapping):
            return self._object(cast("Mapping[str, Any]", value), name)
        return self._list(cast("Sequence[Any]", value), name, context)

    def text(self, text: str, name: str, context: str = "") -> str:
        """Return a text with personal data replaced by tokens.

        Raises
        ------
        InvalidInputError
            If the policy rejects it; the message has the field and the types, never a value.
        """
        if len(text) < _SHORT or self.policy == "off":
            return text
        places = self.recognizer.find(text, context)
        if not places:
            return text
        if self.policy == "reject":
            raise _refused(name, places, "which this service does not store")
        self.found.update(place.type for place in places)
        parts: list[str] = []
        last = 0
        for place in places:
            parts += (text[last : place.start], self.token(place))
            last = place.end
        return "".join([*parts, text[last:]])

    def token(self, place: Finding) -> str:
        """Return the token of a finding; under `hash` equal values have equal tokens."""
        if self.policy != "hash":
            return f"<{place.type}>"
        # with the type: a name and a place of equal spelling get different tokens
        typed_value = f"{place.type}:{place.value}".encode()
        digest = hmac.new(self.secret, typed_value, hashlib.sha256).hexdigest()
        return f"<{place.type}_{digest[:_TOKEN_LETTERS].translate(_LETTERS)}>"

    def _check_id(self, value: Any, name: str) -> None:
        if isinstance(value, str) and len(value) >= _SHORT:
            places = self.recognizer.find(value)
            if places:
                raise _refused(name, places, "and names are kept as they are; give it another")

    def _number(self, value: int, name: str, context: str) -> int | str:
        if abs(value) < _LEAST_NUMBER:
            return value
        written = str(value)
        cleaned = self.text(written, name, context)
        return value if cleaned == written else cleaned

    def _object(self, value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        cleaned: dict[str, Any] = {}
        changed = False
        # keys may be names too
        for key, inner in value.items():
            inside = f"{name}.{key}" if key.isidentifier() else name
            if key in _ID_KEYS:
                self._check_id(inner, inside)
            cleaned_key = self.text(key, name)
            # *phone: 5551234* is a number to call; the same digits under *count* are not
            new = self.value(inner, inside if cleaned_key == key else name, key.replace("_", " "))
            changed = changed or cleaned_key != key or new is not inner
            cleaned[_unique_key(cleaned_key, cleaned)] = new
        return cleaned if changed else value

    def _list(self, value: Sequence[Any], name: str, context: str) -> Sequence[Any]:
        cleaned = [self.value(each, name, context) for each in value]
        # the same object if nothing changed, so that callers can test with `is`
        if all(new is old for new, old in zip(cleaned, value, strict=True)):
            return value
        return tuple(cleaned) if isinstance(value, tuple) else cleaned


def _unique_key(key: str, taken: Collection[str]) -> str:
    """Return a key made unique by a number: two keys may become the same token."""
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key} {number}"
    return free


def _refused(name: str, places: Sequence[Finding], why: str) -> InvalidInputError:
    types = " and ".join(sorted({place.type for place in places}))
    return InvalidInputError(f"{name}: identifies a person ({types}), {why}", field=name)
