"""Checker of quantities: a number with a unit, within a range."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graph.model.cycles.checks import Finding, failed, passed, undecided

# Units with dimension and size in the first unit of that dimension.
_UNITS: dict[str, tuple[str, float]] = {
    unit: (dimension, size)
    for dimension, units in {
        "length": {"m": 1, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
        "mass": {"kg": 1, "g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": 0.45359237, "oz": 0.028349523125},
        "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400, "week": 604800},
        "volume": {"l": 1, "ml": 1e-3, "m3": 1e3, "gal": 3.785411784},
        "speed": {"m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704},
        "data": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
        "share": {"": 1, "%": 0.01},
        "USD": {"USD": 1, "$": 1},
        "EUR": {"EUR": 1, "€": 1},
    }.items()
    for unit, size in units.items()
}  # fmt: skip
_QUANTITY = re.compile(
    r"\s*([$€]?)\s*(-?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s*(\S{0,6})\s*"
)


def check_quantity(given: Mapping[str, Any]) -> Finding:
    """Check that a ``value`` such as ``5 km`` can be converted to a ``unit`` and is from ``min`` to ``max``."""
    value, unit = given.get("value"), given.get("unit", "")
    low, high = given.get("min"), given.get("max")
    found = _quantity(value)
    if found is None or unit not in _UNITS:
        return undecided("unit_range", "needs a `value` with a unit, and a `unit`, that are known")
    dimension, amount = found
    wanted, size = _UNITS[unit]
    if dimension != wanted:
        return failed("unit_range", f"is a {dimension}, not a {wanted}")
    told = amount / size
    if not all(one is None or isinstance(one, int | float) for one in (low, high)):
        return undecided("unit_range", "`min` and `max` are numbers")
    if low is not None and told < low:
        return failed("unit_range", f"{told:g} {unit} lies below {low:g}")
    if high is not None and told > high:
        return failed("unit_range", f"{told:g} {unit} lies above {high:g}")
    if low is None and high is None:
        return undecided("unit_range", "the unit is right, and no range was given")
    return passed("unit_range", f"{told:g} {unit} lies in the range".strip())


def _quantity(value: object) -> tuple[str, float] | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return "share", float(value)
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) and len(value) < 60 else None
    unit = (match[1] or match[3]) if match else None
    if match is None or unit is None or unit not in _UNITS or (match[1] and match[3]):
        return None
    dimension, size = _UNITS[unit]
    return dimension, float(match[2].replace(",", "")) * size
