"""Units of measurement by symbol and by name, with sizes in the first unit of their dimension."""

from __future__ import annotations

import re
from dataclasses import dataclass

DIMENSIONS: dict[str, dict[str, float]] = {
    "length": {"m": 1, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
    "area": {"m2": 1, "cm2": 1e-4, "km2": 1e6, "ha": 1e4, "ft2": 0.09290304, "ac": 4046.8564224},
    "mass": {"kg": 1, "g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": 0.45359237, "oz": 0.028349523125},
    "time": {"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400, "week": 604800},
    "volume": {"l": 1, "ml": 1e-3, "cl": 1e-2, "m3": 1e3, "gal": 3.785411784},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600},
    "flow": {"l/s": 1, "l/min": 1 / 60, "l/h": 1 / 3600, "m3/s": 1e3, "m3/h": 1 / 3.6, "m3/d": 1 / 86.4},
    "concentration": {"g/l": 1, "mg/l": 1e-3, "kg/m3": 1},
    "pressure": {"bar": 1, "mbar": 1e-3, "Pa": 1e-5, "hPa": 1e-3, "kPa": 1e-2, "MPa": 10, "psi": 0.06894757293168},
    "temperature": {"K": 1, "°C": 1, "°F": 5 / 9},
    "power": {"W": 1, "kW": 1e3, "MW": 1e6, "hp": 745.6998715822702},
    "energy": {"J": 1, "kJ": 1e3, "Wh": 3600, "kWh": 3.6e6, "MWh": 3.6e9, "kcal": 4184},
    "voltage": {"V": 1, "mV": 1e-3, "kV": 1e3},
    "current": {"A": 1, "mA": 1e-3},
    "frequency": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "rpm": 1 / 60},
    "data": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    "share": {"": 1, "%": 0.01},
    "USD": {"USD": 1, "$": 1},
    "EUR": {"EUR": 1, "€": 1},
    "GBP": {"GBP": 1, "£": 1},
    "CHF": {"CHF": 1},
}  # fmt: skip
"""Symbols of the units of each dimension, and their sizes in its first one."""
_ZEROS = {"°C": 273.15, "°F": 459.67 * 5 / 9}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: ``size · value + zero`` is a value in the first unit of its dimension."""

    dimension: str
    size: float
    zero: float = 0.0

    def base(self, value: float) -> float:
        """Return a value of this unit in the first unit of its dimension."""
        return self.size * value + self.zero

    def of_base(self, value: float) -> float:
        """Return a value in the first unit of its dimension in this unit."""
        return (value - self.zero) / self.size


UNITS = {
    symbol: Unit(dimension, size, _ZEROS.get(symbol, 0.0))
    for dimension, units in DIMENSIONS.items()
    for symbol, size in units.items()
}
"""Units by symbol."""

_NAMED = """
m meter metre|mm millimeter millimetre|cm centimeter centimetre|km kilometer kilometre|in inch inche|ft foot feet|yd yard|mi mile
ha hectare|ac acre|kg kilo kilogram|g gram|t ton tonne|oz ounce|s sec second|ms millisecond|min minute|h hour|d day
l liter litre|ml milliliter millilitre|kn knot|kW kilowatt|W watt|kWh kwh|V volt|A amp ampere|Hz hertz|% percent
°C celsius degree|°F fahrenheit|GB gb gigabyte|MB mb megabyte|TB tb terabyte|km/h kph|bar bars|Pa pascal|EUR euro eur
USD dollar usd|CHF franc chf
"""
_SYMBOLS = {
    name: symbol
    for line in _NAMED.split("\n")
    for symbol, *names in (group.split() for group in line.split("|") if group.strip())
    for name in names
}
_POWERS = (
    (re.compile(r"^(?:square\s|sq\.?\s)(?P<unit>.+)$|^(?P<other>.+)²$"), "2"),
    (re.compile(r"^(?:cubic\s|cu\.?\s)(?P<unit>.+)$|^(?P<other>.+)³$"), "3"),
)
_PER = re.compile(r"\s*/\s*|\s+(?:per|an?|each)\s+")


def unit_named(text: str) -> Unit | None:
    """Return the unit of a symbol or an English name; None if it is not known.

    Examples
    --------
    >>> unit_named("cubic metres per hour") == UNITS["m3/h"], unit_named("sheep")
    (True, None)
    """
    if text in UNITS:
        return UNITS[text]
    return UNITS.get("/".join(_symbol(part) for part in _PER.split(text.strip())))


def _symbol(name: str) -> str:
    for pattern, power in _POWERS:
        if match := pattern.match(name):
            return _symbol(match["unit"] or match["other"]) + power
    single = name.rstrip("s") if len(name) > 2 else name
    return _SYMBOLS.get(name) or _SYMBOLS.get(single) or name
