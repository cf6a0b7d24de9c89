"""Reading of YAML as plain objects, with the line of each entry."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import yaml

from graph.kernel.errors import InvalidInputError
from graph.model.engines.files import EngineFileError, read_engines

Place = tuple[str, ...]
_DEEPEST = 20
_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")


class YamlText(NamedTuple):
    """Objects of a YAML text, and the line of each key, from 1."""

    data: dict[str, Any]
    lines: dict[Place, int]


def read_yaml(text: str) -> YamlText:
    """Parse and validate a configuration.

    Raises
    ------
    InvalidInputError
        With the line of what cannot be used.
    """
    found = _parsed(text)
    try:
        read_engines(found.data)
    except EngineFileError as error:
        raise _fault(_line_of(error.place, found.lines), str(error)) from error
    return found


def _line_of(place: Place, lines: dict[Place, int]) -> int:
    known = (lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines)
    return next(known, 1)


def _parsed(text: str) -> YamlText:
    lines: dict[Place, int] = {}
    try:
        node = yaml.SafeLoader(text).get_single_node()
        _walk(node, (), lines, set())
        data: object = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _fault(mark.line + 1 if mark else 1, "this is no YAML") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _fault(1, "this is no YAML") from error
    if not isinstance(data, dict):
        raise _fault(1, "must be an object with memory_config or agent_types")
    return YamlText(cast("dict[str, Any]", data), lines)


def _walk(node: yaml.Node | None, place: Place, lines: dict[Place, int], seen: set[int]) -> None:
    """Record the line of each key; limited, as a few lines of aliases can expand to millions of entries."""
    if node is None:
        return
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise _fault(line, "references (*name) are not read")
    seen.add(id(node))
    if len(place) > _DEEPEST or _tag(node) not in _TAGS:
        raise _fault(line, "must be plain text, numbers, lists and objects")
    if isinstance(node, yaml.SequenceNode):
        for number, each in enumerate(cast("list[yaml.Node]", node.value)):
            _walk(each, (*place, str(number)), lines, seen)
    if isinstance(node, yaml.MappingNode):
        for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            name = (*place, _name(key, lines, place))
            lines[name] = key.start_mark.line + 1
            _walk(value, name, lines, seen)


def _name(key: yaml.Node, lines: dict[Place, int], place: Place) -> str:
    line = key.start_mark.line + 1
    if _tag(key) != "str" or not isinstance(key.value, str):
        raise _fault(line, "a name must be text; put quotes around it")
    if (*place, key.value) in lines:
        raise _fault(line, "is said twice")
    return key.value


def _tag(node: yaml.Node) -> str:
    return str(node.tag).rpartition(":")[2]


def _fault(line: int, text: str) -> InvalidInputError:
    return InvalidInputError(f"yaml: line {line}: {text}", field="yaml")
