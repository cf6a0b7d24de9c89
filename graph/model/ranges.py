"""What a setting may be: a number in a range, one of some names, or a switch."""

from __future__ import annotations

from typing import NamedTuple

from graph.errors import InvalidInputError


class Range(NamedTuple):
    """The values a number may have; ``above`` leaves the lower end out."""

    low: float
    high: float
    above: bool = False

    def __contains__(self, value: object) -> bool:
        """Tell whether a number lies inside; NaN never does."""
        if not isinstance(value, int | float):
            return False
        return (self.low < value if self.above else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        """Write it as an interval."""
        return f"{'(' if self.above else '['}{_number(self.low)}, {_number(self.high)}]"


def check_value(
    name: str, value: object, allowed: Range | tuple[str, ...] | None, *, whole: bool = False
) -> None:
    """Refuse a value that a setting cannot have; one that nothing is said of is a switch.

    Raises
    ------
    InvalidInputError
        If the value has another type, is none of the names, or lies out of the range.
    """
    if allowed is None:
        said, fine = "true or false", isinstance(value, bool)
    elif isinstance(allowed, Range):
        said, fine = f"in {allowed}", value in allowed and not isinstance(value, bool)
        if whole:
            said, fine = f"a whole number {said}", fine and isinstance(value, int)
    else:
        said, fine = f"one of {', '.join(allowed)}", value in allowed
    if not fine:
        raise InvalidInputError(f"{name}: must be {said}", field=name)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:g}"
