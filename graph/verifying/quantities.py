"""Checker of quantities: a number with a unit, within a range."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graph.kernel.units import Unit, unit_named
from graph.model.cycles.checks import Finding, failed, passed, undecided

_LONGEST = 60  # characters
_QUANTITY = re.compile(
    r"\s*([$€£]?)\s*(-?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s*(\S.{0,23})?\s*"
)


def check_quantity(given: Mapping[str, Any]) -> Finding:
    """Check that a ``value`` such as ``5 km`` can be converted to a ``unit`` and is from ``min`` to ``max``."""
    value, unit = given.get("value"), given.get("unit", "")
    low, high = given.get("min"), given.get("max")
    wanted = unit_named(unit) if isinstance(unit, str) else None
    found = _quantity(value, wanted)
    if found is None or wanted is None:
        return undecided("unit_range", "needs a `value`, such as `4.2 bar`, and a known `unit`")
    actual, amount = found
    if actual.dimension != wanted.dimension:
        return failed("unit_range", f"is a {actual.dimension}, not a {wanted.dimension}")
    told = wanted.of_base(actual.base(amount))
    if not all(one is None or isinstance(one, int | float) for one in (low, high)):
        return undecided("unit_range", "`min` and `max` are numbers")
    if low is not None and told < low:
        return failed("unit_range", f"{told:g} {unit} lies below {low:g}")
    if high is not None and told > high:
        return failed("unit_range", f"{told:g} {unit} lies above {high:g}")
    if low is None and high is None:
        return undecided("unit_range", "the unit is right, and no range was given")
    return passed("unit_range", f"{told:g} {unit} lies in the range".strip())


def _quantity(value: object, wanted: Unit | None) -> tuple[Unit, float] | None:
    """Return the unit and the number of a value; a bare number has the wanted unit."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (wanted, float(value)) if wanted else None
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) and len(value) < _LONGEST else None
    unit = unit_named(match[1] or match[3] or "") if match else None
    if match is None or unit is None or (match[1] and match[3]):
        return None
    return unit, float(match[2].replace(",", ""))
