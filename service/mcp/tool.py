"""`Tool`: an operation as a language model sees it, and the listing of its input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel

from service.mcp.inputs import Who
from service.mcp.toolsets import Toolset
from stratagraph.call import Call, Caller
from stratagraph.operations.declaration import Operation

Given = TypeVar("Given", bound=Who)


@dataclass(frozen=True, slots=True)
class Tool(Generic[Given]):
    """Tool as a model sees it, and its operation: that of its input, unless it names one.

    ``shows`` names the fields that are listed beside the caller's; others are accepted too. Empty: all. ``hides``:
    fields of the answer that are of no use to a model. ``renames``: fields with another name in the operation. ``asks``
    builds the request if it is not the operation's alone.
    """

    name: str
    title: str
    description: str
    takes: type[Given]
    operation: Operation[Any] | None = None
    toolset: Toolset = "core"
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict[str, str])
    asks: Callable[[Given], Call[Any]] | None = None
    reads: bool = False
    repeats: bool = False
    removes: bool = False

    def call(self, given: Who) -> Call[Any]:
        """Return the request of a call."""
        if self.asks is not None:
            return self.asks(cast("Given", given))
        operation = self.operation or self.takes.operation
        if operation is None:
            raise TypeError(f"{self.name} names no operation")
        named = {self.renames.get(name, name): value for name, value in given.given().items()}
        return request_of(operation, named)


def request_of(operation: Operation[Any], given: Mapping[str, Any]) -> Call[Any]:
    """Return the request of an operation for the caller in ``given``."""
    return operation.call(Caller(), given)


_KEPT = ("description", "type", "enum", "const", "minimum", "maximum", "additionalProperties")
_IDENTITY = tuple(str(field.alias) for field in Who.model_fields.values())


def input_schema(
    takes: type[BaseModel], shows: Sequence[str] = (), *, named: bool = False
) -> dict[str, Any]:
    """Return the JSON schema of a tool's input, of some fields or of all.

    The caller's fields are included unless the connection is ``named``. References are resolved, null is omitted, and
    an object with optional fields only is described by their names.
    """
    schema = takes.model_json_schema()
    # identity fields cost tokens in every conversation
    definitions = schema.get("$defs", {})
    identity = () if named else _IDENTITY
    wanted = {*shows, *identity} if shows else set(schema["properties"])
    listed: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: _flat(part, definitions)
            for name, part in schema["properties"].items()
            if name in wanted
        },
    }
    if required := schema.get("required"):
        listed["required"] = required
    # unlisted fields are accepted too
    if not shows:
        listed["additionalProperties"] = False
    return listed


def _flat(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field without references, titles, examples, defaults and lengths."""
    while (inner := _inner(part, definitions)) is not None:
        beside = {name: part[name] for name in ("description",) if name in part}
        # the description of the field has priority over that of its type
        part = {**inner, **beside}
    out = {name: part[name] for name in _KEPT if name in part and name != "additionalProperties"}
    if choices := part.get("anyOf"):
        out["anyOf"] = [_flat(one, definitions) for one in choices]
    if "items" in part:
        out["items"] = _flat(part["items"], definitions)
    if fields := cast("Mapping[str, Any] | None", part.get("properties")):
        out |= _fields(fields, part.get("required", ()), out.get("description", ""), definitions)
    return out


def _fields(
    fields: Mapping[str, Any],
    required: Sequence[str],
    description: str,
    definitions: Mapping[str, Any],
) -> dict[str, Any]:
    if not required:
        # names only: models fill them in as well, and the listing stays short
        return {"description": f"{description} Fields: {', '.join(fields)}.".strip()}
    properties = {name: _flat(field, definitions) for name, field in fields.items()}
    return {"properties": properties, "required": list(required)}


def _inner(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the target of a reference, or the type of an optional field."""
    if "$ref" in part:
        return cast("Mapping[str, Any]", definitions[part["$ref"].rsplit("/", 1)[-1]])
    choices = [one for one in part.get("anyOf", ()) if one.get("type") != "null"]
    return choices[0] if len(choices) == 1 else None
