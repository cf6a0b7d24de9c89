"""Findings of personal data in a text, and policies of redaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

PiiType = Literal[
    "EMAIL",
    "PHONE",
    "CARD",
    "IBAN",
    "IP",
    "NATIONAL_ID",
    "NAME",
    "BIRTH_DATE",
    "ADDRESS",
    "PASSPORT",
    "DRIVING_LICENCE",
    "PLATE",
    "HANDLE",
]
PII_TYPES: tuple[PiiType, ...] = get_args(PiiType)

PiiPolicy = Literal["mask", "hash", "reject", "off"]
PII_POLICIES: tuple[PiiPolicy, ...] = get_args(PiiPolicy)


@dataclass(frozen=True, slots=True)
class Finding:
    """A place in a text, ``start`` to ``end`` in characters, that identifies a person.

    ``value`` is normalised: digits without separators, addresses in lower case.
    """

    type: PiiType
    start: int
    end: int
    value: str
