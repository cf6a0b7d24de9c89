"""Declaration and validation of run-time settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

from graph.kernel.errors import InvalidInputError
from graph.model.utility.configs import ConfigValue

_Value = TypeVar("_Value", bound="ConfigValue")


class Range(NamedTuple):
    """Range of a number; ``above`` excludes the lower end."""

    low: float
    high: float
    above: bool = False

    def __contains__(self, value: object) -> bool:
        """Return whether a number is in the range; NaN never is."""
        if not isinstance(value, int | float):
            return False
        return (self.low < value if self.above else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        """Return the range as an interval."""
        return f"{'(' if self.above else '['}{_number(self.low)}, {_number(self.high)}]"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, from the field that declares it.

    A number has a ``range``, a choice has ``choices``, a text has a ``form`` (a regular expression), a switch has none
    of these. ``reads`` parses a text beyond its form; it raises ``ValueError``. ``variable`` is the environment
    variable of the source documents that also sets it.
    """

    name: str
    type: type[bool] | type[int] | type[float] | type[str]
    default: ConfigValue
    range: Range | None
    choices: tuple[str, ...]
    text: str
    variable: str | None
    form: str | None = None
    reads: Callable[[str], object] | None = None

    def check(self, value: object) -> None:
        """Refuse a value of another type, out of the range or not among the choices.

        Raises
        ------
        InvalidInputError
            With the name of the setting and what it must be.
        """
        if self.range is not None:
            needed, fits = self._number_fits(self.range, value)
        elif self.choices:
            needed, fits = f"one of {', '.join(self.choices)}", value in self.choices
        elif (form := self.form) is not None:
            needed = f"a text of the form {form}"
            fits = isinstance(value, str) and re.fullmatch(form, value) is not None
        else:
            needed, fits = "true or false", isinstance(value, bool)
        if not fits:
            raise InvalidInputError(f"{self.name}: must be {needed}", field=self.name)
        if self.reads is not None and isinstance(value, str):
            try:
                self.reads(value)
            except ValueError as error:
                raise InvalidInputError(f"{self.name}: {error}", field=self.name) from None

    def _number_fits(self, span: Range, value: object) -> tuple[str, bool]:
        fits = value in span and not isinstance(value, bool)
        if self.type is int:
            return f"a whole number in {span}", fits and isinstance(value, int)
        return f"in {span}", fits


def setting(
    default: _Value,
    text: str,
    within: Range | None = None,
    *,
    variable: str | None = None,
    form: str | None = None,
    reads: Callable[[str], object] | None = None,
) -> _Value:
    """Declare a setting as a field of a dataclass, which gives its name and type.

    ``text`` is its documentation, ``within`` the range of a number, ``form`` that of a text, which ``reads`` can check
    further.
    """
    metadata = {"text": text, "within": within, "variable": variable, "form": form, "reads": reads}
    return field(default=default, metadata=metadata)


def settings_of(config: type[Any]) -> Mapping[str, Setting]:
    """Return the settings that a dataclass declares, by name, in order."""
    types = get_type_hints(config)
    declared: dict[str, Setting] = {}
    for each in fields(config):
        choices = get_args(types[each.name])
        declared[each.name] = Setting(
            name=each.name,
            type=str if choices else types[each.name],
            default=cast("ConfigValue", each.default),
            range=each.metadata["within"],
            choices=choices,
            text=each.metadata["text"],
            variable=each.metadata["variable"],
            form=each.metadata["form"],
            reads=each.metadata["reads"],
        )
    return declared


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:g}"
