"""Strata that a tenant adds: the format of the setting, and the order of all strata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from graph.kernel.values import STATES, STRATA, Stratum
from graph.model.utility.settings import Range

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "capacity": Range(0, 10_000_000),
        "retention_hours": Range(0, 876_000),
        "decay": Range(0, 100),
        "every": Range(1, 10_000),
    }
)
"""Range of each number of a stratum, built-in or not."""
FORM = ".{0,4000}"
"""Form of the setting as far as a pattern can say it; `own_strata` checks the rest."""
MOST = 16
_WHOLE = frozenset({"capacity", "every"})
_NAME = "[a-z][a-z0-9_]{0,31}"
_ENTRY = re.compile(rf"({_NAME}) after ({_NAME})((?: [a-z_]+=[0-9.]{{1,20}})*)")
_NUMBER = re.compile(r"[0-9]+(?:[.][0-9]+)?")
_RESERVED = frozenset({*STRATA, *STATES, "up", "down"})


@dataclass(frozen=True, slots=True)
class OwnStratum:
    """One stratum of a tenant; missing numbers are those of the stratum below it."""

    after: Stratum
    numbers: Mapping[str, float]


@lru_cache(maxsize=256)
def own_strata(text: str) -> Mapping[Stratum, OwnStratum]:
    """Parse the strata of a tenant from its setting, such as ``daily after short_term decay=0.2; …``.

    Raises
    ------
    ValueError
        If an entry has another form, a name is taken or unknown, or a number is out of its range.
    """
    found: dict[Stratum, OwnStratum] = {}
    for place, entry in enumerate(filter(None, text.strip().split(";")), start=1):
        said = _ENTRY.fullmatch(entry.strip())
        if said is None:
            raise ValueError(
                f"entry {place} must be `name after stratum`, then any of "
                f"{', '.join(f'{name}=number' for name in RANGES)}; names are lower-case letters, digits and _"
            )
        name, after, numbers = said.groups()
        if name in _RESERVED or name in found:
            raise ValueError(f"{name}: the name is taken")
        if after not in found and after not in STRATA:
            known = ", ".join((*STRATA, *found))
            raise ValueError(f"{name}: {after} is no stratum; before it there are {known}")
        if after == STRATA[-1]:
            raise ValueError(f"{name}: {after} stays the last stratum")
        found[name] = OwnStratum(after, _numbers(name, numbers))
    if len(found) > MOST:
        raise ValueError(f"at most {MOST} strata of your own")
    return MappingProxyType(found)


def _numbers(name: str, said: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for term in said.split():
        key, _, digits = term.partition("=")
        if key not in RANGES or key in found:
            raise ValueError(f"{name}: give each of {', '.join(RANGES)} once at most")
        value = float(digits) if _NUMBER.fullmatch(digits) else -1.0
        whole = key in _WHOLE
        if value not in RANGES[key] or (whole and not value.is_integer()):
            kind = "a whole number in" if whole else "in"
            raise ValueError(f"{name}: {key} must be {kind} {RANGES[key]}")
        found[key] = int(value) if whole else value
    return MappingProxyType(found)


@lru_cache(maxsize=256)
def order_of(text: str) -> tuple[Stratum, ...]:
    """Return all strata of a tenant in order, each own one directly after the one it names."""
    order: list[Stratum] = [*STRATA]
    for name, own in own_strata(text).items():
        order.insert(order.index(own.after) + 1, name)
    return tuple(order)
