"""A question as a JSON object, filled by a language model and shown in answers.

It only has the fields of a request: no statement, no scope.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from graph.kernel.values import BEGINNING, END
from graph.model.episodes.attempts import ALWAYS, LISTS, NAMED, Bound, EpisodeFilters, Names
from graph.model.episodes.questions import (
    EPISODE_GROUPINGS,
    EPISODE_MEASURES,
    EPISODE_ORDERS,
    EpisodeQuestion,
)
from graph.model.recall.candidates import Window
from graph.questions.checks import BOUNDS, field_error

_UNKNOWN = "unknown"
_INTEGERS = frozenset({"tokens_used", "step_count"})
_TOP = ("similar_to", "min_similarity", "order", "limit", "measure", "by", "divergence", "own")


def _nullable(**schema: Any) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _number_schemas() -> dict[str, Any]:
    return {
        f"{name}_{end}": _nullable(
            type="integer" if name in _INTEGERS else "number", minimum=0, maximum=most
        )
        for name, most in BOUNDS.items()
        for end in ("min", "max")
    }


_STRINGS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_ONE_OF: Mapping[str, Any] = {"anyOf": [{"type": "string"}, _STRINGS, {"type": "null"}]}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "filters": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "correct": {"type": "array", "items": {"enum": [True, False, _UNKNOWN]}},
                **{name: _ONE_OF for name in NAMED},
                **{f"{name}_not": _STRINGS for name in NAMED},
                "occurred_from": _nullable(type="string", format="date-time"),
                "occurred_to": _nullable(type="string", format="date-time"),
                **_number_schemas(),
                **{name: _STRINGS for name in LISTS},
            },
        },
        "similar_to": _nullable(type="string"),
        "min_similarity": _nullable(type="number", minimum=-1, maximum=1),
        "order": _nullable(enum=list(EPISODE_ORDERS)),
        "limit": _nullable(type="integer", minimum=1),
        "measure": _nullable(enum=list(EPISODE_MEASURES)),
        "by": _nullable(enum=list(EPISODE_GROUPINGS)),
        "divergence": {"type": "boolean"},
        "own": {"type": "boolean"},
    },
}
"""The JSON schema of the object."""


def question_of(fields: Mapping[str, Any], time_zone: str) -> EpisodeQuestion:
    """Parse an unvalidated object.

    Raises
    ------
    InvalidInputError
        If a field is unknown or of another type; ``field`` names it.
    """
    filters = _object(fields.get("filters") or {}, "filters")
    _refuse_unknown(fields, {"filters", *_TOP})
    return EpisodeQuestion(
        filters=_filters(filters),
        similar_to=_text(fields, "similar_to"),
        min_similarity=_number(fields, "min_similarity"),
        order=cast("Any", _text(fields, "order")),
        limit=_integer(fields, "limit"),
        measure=cast("Any", _text(fields, "measure")),
        by=cast("Any", _text(fields, "by")),
        divergence=_flag(fields, "divergence"),
        own=_flag(fields, "own"),
        time_zone=time_zone,
    )


def object_of(question: EpisodeQuestion) -> dict[str, Any]:
    """Return a question as the object of a request, without fields at their defaults."""
    filters = question.filters
    fields: dict[str, Any] = {}
    if {*filters.verdicts} != {True, False, None}:
        fields["correct"] = [_UNKNOWN if known is None else known for known in filters.verdicts]
    for name in NAMED:
        fields |= _names_said(name, getattr(filters, name))
    if filters.occurred.start != BEGINNING:
        fields["occurred_from"] = filters.occurred.start.isoformat()
    if filters.occurred.end != END:
        fields["occurred_to"] = filters.occurred.end.isoformat()
    for name in BOUNDS:
        bound: Bound = getattr(filters, name)
        for end, value in (("min", bound.least), ("max", bound.most)):
            if value is not None:
                fields[f"{name}_{end}"] = _rounded(name, end, value)
    fields |= {name: list(values) for name in LISTS if (values := getattr(filters, name))}
    top = {name: value for name in _TOP if (value := getattr(question, name)) not in (None, False)}
    return {"filters": fields, **top, "time_zone": question.time_zone}


def _names_said(field: str, names: Names) -> dict[str, Any]:
    """Return the fields of names: a single one as a string, several as a list."""
    fields: dict[str, Any] = {}
    if names.any:
        fields[field] = names.any[0] if len(names.any) == 1 else list(names.any)
    if names.none:
        fields[f"{field}_not"] = list(names.none)
    return fields


def _rounded(name: str, end: str, value: float) -> float:
    """Round a bound of an integer field inwards."""
    if name not in _INTEGERS:
        return value
    return math.ceil(value) if end == "min" else math.floor(value)


def _filters(fields: Mapping[str, Any]) -> EpisodeFilters:
    known = {"correct", "occurred_from", "occurred_to", *NAMED, *LISTS}
    known |= {f"{name}_not" for name in NAMED}
    _refuse_unknown(fields, known | {f"{name}_{end}" for name in BOUNDS for end in ("min", "max")})
    verdicts = tuple(None if one == _UNKNOWN else one for one in _list(fields, "correct"))
    if not all(verdict is None or isinstance(verdict, bool) for verdict in verdicts):
        raise field_error("correct", "holds true, false and unknown")
    values: dict[str, Any] = {
        **{
            name: Names(_one_or_more(fields, name), _names(fields, f"{name}_not")) for name in NAMED
        },
        **{name: _names(fields, name) for name in LISTS},
    }
    for name in BOUNDS:
        values[name] = Bound(_number(fields, f"{name}_min"), _number(fields, f"{name}_max"))
    return EpisodeFilters(
        verdicts=tuple(dict.fromkeys(verdicts)) or EpisodeFilters().verdicts,
        **values,
        occurred=Window(
            _time(fields, "occurred_from") or ALWAYS.start,
            _time(fields, "occurred_to") or ALWAYS.end,
        ),
    )


def _object(value: object, field: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise field_error(field, "must be an object")
    return cast("Mapping[str, Any]", value)


def _refuse_unknown(fields: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(fields) - known):
        raise field_error(str(unknown[0])[:64], "is not a field of a question")


def _text(fields: Mapping[str, Any], field: str) -> str | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, str):
        raise field_error(field, "must be a string")
    return value or None


def _number(fields: Mapping[str, Any], field: str) -> float | None:
    value = fields.get(field)
    if value is None:
        return None
    # True is an int to Python
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise field_error(field, "must be a finite number")
    return value


def _integer(fields: Mapping[str, Any], field: str) -> int | None:
    value = _number(fields, field)
    if value is not None and value != int(value):
        raise field_error(field, "must be a whole number")
    return None if value is None else int(value)


def _flag(fields: Mapping[str, Any], field: str) -> bool:
    value = fields.get(field) or False
    if not isinstance(value, bool):
        raise field_error(field, "must be true or false")
    return value


def _list(fields: Mapping[str, Any], field: str) -> list[Any]:
    value = fields.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise field_error(field, "must be a list")
    return cast("list[Any]", value)


def _one_or_more(fields: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = fields.get(field)
    if value is not None and not isinstance(value, str | list):
        raise field_error(field, "must be a string or a list of strings")
    return (value,) if isinstance(value, str) and value else _names(fields, field) if value else ()


def _names(fields: Mapping[str, Any], field: str) -> tuple[str, ...]:
    values = _list(fields, field)
    if not all(isinstance(value, str) for value in values):
        raise field_error(field, "must hold strings")
    return tuple(dict.fromkeys(values))


def _time(fields: Mapping[str, Any], field: str) -> datetime | None:
    value = _text(fields, field)
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value)
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        if not BEGINNING <= at <= END:
            raise ValueError
    except (ValueError, OverflowError):
        raise field_error(field, "must be a time such as 2026-05-01T09:30:00Z") from None
    return at
