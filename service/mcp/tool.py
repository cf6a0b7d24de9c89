"""`Tool`: what a language model sees of an operation, and how its input is listed."""

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
    """Tool as a model sees it, and the operation that a call becomes: that of its input, unless it names one.

    ``shows`` names the fields that are listed beside who asks; the others are taken all the same. Empty: all.
    ``hides``: fields of the answer that are of no use to a model. ``renames``: fields of the tool that the operation
    names otherwise. ``asks`` makes the request where it is not the operation's alone.
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
        """Return the request that a call of the tool becomes."""
        if self.asks is not None:
            return self.asks(cast("Given", given))
        operation = self.operation or self.takes.operation
        if operation is None:
            raise TypeError(f"{self.name} names no operation")
        named = {self.renames.get(name, name): value for name, value in given.given().items()}
        return request_of(operation, named)


def request_of(operation: Operation[Any], given: Mapping[str, Any]) -> Call[Any]:
    """Return the request of an operation by whoever ``given`` names."""
    return operation.call(Caller(), given)


_KEPT = ("description", "type", "enum", "const", "minimum", "maximum", "additionalProperties")
_IDENTITY = tuple(str(field.alias) for field in Who.model_fields.values())


def input_schema(
    takes: type[BaseModel], shows: Sequence[str] = (), *, named: bool = False
) -> dict[str, Any]:
    """Return the JSON schema of what a tool takes, of some fields or of all.

    Who asks is among some fields unless the connection is ``named`` for somebody.
    References are written out, what may be null is not said to be, and an object whose fields are all
    optional is an object whose description names them.
    """
    schema = takes.model_json_schema()
    # a named connection does not ask who it is, which a model would read in every conversation
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
    # fields that are not listed are taken all the same
    if not shows:
        listed["additionalProperties"] = False
    return listed


def _flat(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Write one field without references, titles, examples, defaults and lengths."""
    while (inner := _inner(part, definitions)) is not None:
        beside = {name: part[name] for name in ("description",) if name in part}
        # the description of the field goes before that of its type
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
        # the names alone: a model fills them as well, and the listing stays short
        return {"description": f"{description} Fields: {', '.join(fields)}.".strip()}
    properties = {name: _flat(field, definitions) for name, field in fields.items()}
    return {"properties": properties, "required": list(required)}


def _inner(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what a reference or an optional field stands for."""
    if "$ref" in part:
        return cast("Mapping[str, Any]", definitions[part["$ref"].rsplit("/", 1)[-1]])
    choices = [one for one in part.get("anyOf", ()) if one.get("type") != "null"]
    return choices[0] if len(choices) == 1 else None
