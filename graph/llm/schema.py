"""Does a value fit a JSON schema? Of schemas only what ours say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def misfit(value: object, schema: Mapping[str, Any], place: str = "the answer") -> str | None:
    """Say where a value does not fit, without repeating it; None where it does."""
    types = schema.get("type")
    names = [types] if isinstance(types, str) else list(types or ())
    if names and not any(_is(value, name) for name in names):
        return f"{place} is no {' or '.join(names)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{place} is none of the values it may be"
    if "anyOf" in schema and all(misfit(value, one, place) for one in schema["anyOf"]):
        return f"{place} is nothing that it may be"
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        return f"{place} is too long"
    if isinstance(value, list):
        return _items(cast("list[object]", value), schema, place)
    if isinstance(value, dict):
        return _properties(cast("dict[str, object]", value), schema, place)
    return None


def _is(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES.get(name, object))


def _items(values: list[object], schema: Mapping[str, Any], place: str) -> str | None:
    if len(values) > schema.get("maxItems", len(values)):
        return f"{place} has too many items"
    found = (misfit(value, schema.get("items", {}), f"an item of {place}") for value in values)
    return next(filter(None, found), None)


def _properties(values: dict[str, object], schema: Mapping[str, Any], place: str) -> str | None:
    known: Mapping[str, Any] = schema.get("properties", {})
    lacking = [name for name in schema.get("required", ()) if name not in values]
    if lacking:
        return f"{place} lacks {', '.join(lacking)}"
    if schema.get("additionalProperties") is False and not set(values) <= set(known):
        return f"{place} has a field that nobody asked for"
    found = (
        misfit(values[name], one, f"{name} of {place}")
        for name, one in known.items()
        if name in values
    )
    return next(filter(None, found), None)
