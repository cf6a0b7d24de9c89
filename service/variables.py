"""Environment variables of settings: names, conflicts and error messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import AliasChoices, SecretStr, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from graph.kernel.errors import ConfigurationError

Fields = Mapping[str, FieldInfo]

PREFIX = "STRATAGRAPH_"
_SHOWN = 60  # characters of a value that a message repeats
_BOUNDS = frozenset({"greater_than", "greater_than_equal", "less_than", "less_than_equal"})
_NUMBERS = {
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_type": "must be a whole number",
}


def seed_name(name: str, field: str) -> AliasChoices:
    """Accept our own variable, else that of the source documents."""
    return AliasChoices(f"{PREFIX}{field}".lower(), name.lower())


def variables(fields: Fields) -> dict[str, tuple[str, ...]]:
    """Return the variables of each field, our own first."""
    names: dict[str, tuple[str, ...]] = {}
    for field, info in fields.items():
        alias = info.validation_alias
        if isinstance(alias, AliasChoices):
            names[field] = tuple(str(choice).upper() for choice in alias.choices)
        else:
            names[field] = (alias if isinstance(alias, str) else f"{PREFIX}{field.upper()}",)
    return names


def refuse_unknown(
    fields: Fields,
    environ: Mapping[str, str],
    besides: Collection[str] = (),
    removed: Collection[str] = (),
) -> None:
    """Refuse unknown variables with our prefix.

    ``removed`` are variables of earlier releases, ``besides`` those read elsewhere.

    Raises
    ------
    ConfigurationError
        With the variable that was probably meant, or that this one was removed.
    """
    known = {name for names in variables(fields).values() for name in names} | set(besides)
    for name in sorted(environ):
        if name in removed:
            raise ConfigurationError(f"{name} sets nothing since it was removed; unset it")
        if name.startswith(PREFIX) and name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise ConfigurationError(f"{name} is not a setting{hint}")


def refuse_contradictions(fields: Fields, environ: Mapping[str, str]) -> None:
    """Refuse two variables that set one field to different values; `0.5` and `0.50` are equal.

    Raises
    ------
    ConfigurationError
        With both variables, and their values where these are no secret.
    """
    for field, names in variables(fields).items():
        given = {name: environ[name] for name in names if name in environ}
        meant = [_parsed(fields[field], value) for value in given.values()]
        if any(other != meant[0] for other in meant[1:]):
            said = " and ".join(_said(fields[field], name, given[name]) for name in given)
            raise ConfigurationError(f"{said} set one thing to two values; keep one of them")


def describe(error: ValidationError, fields: Fields, environ: Mapping[str, str]) -> str:
    """Describe each error: variable, value, and allowed values."""
    details = error.errors(include_input=False, include_url=False)
    return "; ".join(_describe(detail, fields, environ) for detail in details)


def range_of(info: FieldInfo) -> str | None:
    """Return the range of a field, as `(0, 1]` or `0 or more`; None for any."""
    bounds = {
        name: getattr(part, name)
        for part in info.metadata
        for name in ("ge", "gt", "le", "lt")
        if getattr(part, name, None) is not None
    }
    low, high = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
    if low is not None and high is not None:
        start, end = "[" if "ge" in bounds else "(", "]" if "le" in bounds else ")"
        return f"{start}{_number(low)}, {_number(high)}{end}"
    if low is not None:
        return f"{_number(low)} or more" if "ge" in bounds else f"more than {_number(low)}"
    if high is not None:
        return f"{_number(high)} or less" if "le" in bounds else f"less than {_number(high)}"
    return None


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:g}"


def _describe(detail: ErrorDetails, fields: Fields, environ: Mapping[str, str]) -> str:
    message = str(detail["msg"]).removeprefix("Value error, ")
    field = _field_of(detail["loc"], fields)
    if field is None:
        return message
    needed = _needed(detail, fields[field]) or message
    given = [name for name in variables(fields)[field] if name in environ]
    if not given:
        return f"{field}: {needed}"
    return f"{_said(fields[field], given[0], environ[given[0]])}: {needed}"


def _field_of(place: Sequence[str | int], fields: Fields) -> str | None:
    name = str(place[0]) if place else ""
    for field, names in variables(fields).items():
        if name == field or name.upper() in names:
            return field
    return None


def _needed(detail: ErrorDetails, info: FieldInfo) -> str | None:
    kind, numbers = detail["type"], range_of(info)
    if kind in _BOUNDS and numbers:
        return f"must lie in {numbers}" if numbers[0] in "[(" else f"must be {numbers}"
    if kind in _NUMBERS:
        joined = " in" if numbers and numbers[0] in "[(" else ","
        return f"{_NUMBERS[kind]}{joined} {numbers}" if numbers else _NUMBERS[kind]
    if kind in {"bool_parsing", "bool_type"}:
        return "must be true or false"
    if kind == "literal_error":
        return f"must be one of {_choices(info.annotation)}"
    return None


def _choices(annotation: Any) -> str:
    return ", ".join(str(choice) for choice in get_args(annotation))


def _parsed(info: FieldInfo, value: str) -> object:
    """Convert a value as its field would; an invalid one is returned unchanged."""
    if _is_secret(info):
        return value
    try:
        annotation: Any = info.annotation
        read: object = TypeAdapter[Any](annotation).validate_python(value)
    except ValidationError:
        return value
    return read


def _said(info: FieldInfo, name: str, value: str) -> str:
    if _is_secret(info):
        return name
    shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    return f"{name}={shown if shown.isprintable() else ascii(shown)}"


def _is_secret(info: FieldInfo) -> bool:
    return "SecretStr" in repr(info.annotation) or info.annotation is SecretStr
