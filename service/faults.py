"""Error messages of a request that do not repeat its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from graph.kernel.errors import InvalidInputError
from stratagraph.wire import FaultView
from stratagraph.wire.kernel.values import TIME_FORM

Model = TypeVar("Model", bound=BaseModel)

_MAX_FAULTS = 100
_BATCHES = {("memories",), ("episodes",), ("executions",), ("rows",), ("resourceSpans",)}
_MISSPELT = 0.8  # similarity of names with a typo
_NUMBER, _WHOLE, _FLAG = "must be a number", "must be a whole number", "must be true or false"
_PLAIN_WORDS = {
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "string_type": "must be text",
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "must be a finite number",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "string_too_long": "must have at most {max_length:,} characters",
    "string_pattern_mismatch": "must have the form {pattern}",
    "missing": "is needed",
    "datetime_parsing": TIME_FORM,
    "datetime_from_date_parsing": TIME_FORM,
    "datetime_type": TIME_FORM,
    "string_unicode": "must not hold lone surrogates",
}
_FIELD_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_OWN_FIELD = re.compile(r"(?P<field>[a-z_]+(?:\.[a-z0-9_]+)*): (?P<message>.+)", re.DOTALL)


class FaultyRequestError(InvalidInputError):
    """The request cannot be used."""

    def __init__(self, faults: Sequence[FaultView], message: str | None = None) -> None:
        count = f"{len(faults)} fields" if len(faults) != 1 else "1 field"
        super().__init__(message or f"{count} cannot be used")
        self.faults = tuple(faults[:_MAX_FAULTS])


class MalformedBodyError(InvalidInputError):
    """The body is not JSON."""


class MediaTypeError(InvalidInputError):
    """Send JSON, with the header `Content-Type: application/json`."""


def read_as(model: type[Model], value: object, *, by_name: bool = False) -> Model:
    """Validate decoded JSON, whose fields are named by their aliases, or also ``by_name``.

    Raises
    ------
    FaultyRequestError
        If it is not such a request; the faults name fields and never quote values.
    """
    try:
        return model.model_validate(value, by_alias=True, by_name=by_name)
    except ValidationError as error:
        known = _field_names(model)
        details = error.errors(include_url=False, include_input=False)
        raise FaultyRequestError([_fault(detail, known) for detail in _causes(details)]) from None


def query_faults(details: Iterable[ErrorDetails], known: Iterable[str]) -> list[FaultView]:
    """Return the errors of query or path, which is named before the field."""
    names = {name: name for name in sorted(known)}
    return [_fault({**detail, "loc": detail["loc"][1:]}, names) for detail in details]


def fault_of(error: InvalidInputError) -> FaultView:
    """Split a use case's `field: message`, so that the field is not repeated."""
    prefix = f"{error.field}: "
    return FaultView(field=error.field, message=error.message.removeprefix(prefix))


def _causes(details: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Leave out errors of a list's length that follow from rejected entries."""
    return [
        detail
        for detail in details
        if detail["type"] != "too_short"
        or not any(
            len(other["loc"]) > len(detail["loc"])
            and other["loc"][: len(detail["loc"])] == detail["loc"]
            for other in details
        )
    ]


def _fault(detail: ErrorDetails, known: Mapping[str, str]) -> FaultView:
    place = detail["loc"]
    if detail["type"] == "extra_forbidden":
        return FaultView(field=_path(place), message=_unknown_field(place, known))
    own = _OWN_FIELD.fullmatch(detail["msg"]) if detail["type"] == "request" else None
    if own:
        named = own["field"].split(".")
        return FaultView(field=_path((*place, *named)), message=own["message"])
    return FaultView(field=_path(place) or None, message=_message(detail))


def _message(detail: ErrorDetails) -> str:
    limits = detail.get("ctx", {})
    match detail["type"]:
        case "too_short" | "string_too_short":
            least = limits.get("min_length", 1)
            return "must not be empty" if least == 1 else f"must hold at least {least}"
        case "too_long":
            further = "; send the rest in another request" if detail["loc"] in _BATCHES else ""
            return f"must hold at most {limits['max_length']:,}{further}"
        case kind if kind in _PLAIN_WORDS:
            return _PLAIN_WORDS[kind].format_map(limits)
        case _:
            return detail["msg"]


def _unknown_field(place: Sequence[str | int], known: Mapping[str, str]) -> str:
    """Suggest a field: a similar one beside the unknown one, or the path of one elsewhere; else name all beside."""
    name, parent = str(place[-1]), _path(place[:-1])
    beside = [each for each, path in known.items() if path.rpartition(".")[0] == parent]
    close = get_close_matches(name, beside, 1)
    far = get_close_matches(name, known, 1, _MISSPELT)
    meant = close[0] if close else known[far[0]] if far else None
    told = "is not a field here"
    if parent and meant == name:
        return f"{told}; did you mean {meant} of the request itself?"
    if meant:
        return f"{told}; did you mean {meant}?"
    return f"{told}; fields are {', '.join(beside)}" if beside else told


def _path(place: Sequence[str | int]) -> str:
    return ".".join(_step(step) for step in place)


def _step(step: str | int) -> str:
    # A misspelt field is repeated; another key could be a secret.
    if isinstance(step, int) or step.isdecimal() or _FIELD_NAME.fullmatch(step):
        return str(step)
    return "(unknown)"


def _field_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the path of each field, by its name; of several with one name, of the outermost."""
    paths: dict[str, str] = {}
    _add_paths(model, "", paths)
    return paths


def _add_paths(model: type[BaseModel], before: str, paths: dict[str, str]) -> None:
    names = _wire_names(model)
    for name in names:
        paths.setdefault(name, before + name)
    for name, info in zip(names, model.model_fields.values(), strict=True):
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            _add_paths(info.annotation, f"{before}{name}.", paths)


def _wire_names(model: type[BaseModel]) -> list[str]:
    return [
        info.validation_alias if isinstance(info.validation_alias, str) else name
        for name, info in model.model_fields.items()
    ]
