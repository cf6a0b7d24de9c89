"""No regular expression of the product uses what CPython 3.11.0 to 3.11.4 compile wrongly."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[3]
_PRODUCT = ("cypher", "graph", "service", "stratagraph")
_PARSER: Any = importlib.import_module("re._parser")  # typeshed knows no types of it
_REFUSED = {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"}


class _Names(dict[str, Any]):
    """The names of a module; a function's own stand for a text, as what they hold is not known."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins).get(name, "a")


def refused(pattern: str | bytes, flags: int = 0) -> set[str]:
    return _REFUSED & set(_opcodes(_PARSER.parse(pattern, flags)))


def _opcodes(parsed: Any) -> Iterator[str]:
    if isinstance(parsed, _PARSER.SubPattern | list | tuple):
        for part in parsed:
            yield from _opcodes(part)
    elif name := getattr(parsed, "name", None):
        yield name


def compiled_in(tree: ast.AST, names: Mapping[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Line, pattern and flags of each call of a function of `re` that takes a pattern."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("re"), attr=called), args=[first, *more]
            ):
                if called == "escape":
                    continue
                keywords = {each.arg: each.value for each in node.keywords}
                given = keywords.get("flags", more[0] if called == "compile" and more else None)
                flags = _value(given, names) if given else 0
                yield node.lineno, _value(first, names), int(flags)
            case _:
                pass


def _value(expression: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(expression, ast.Subscript):
        return "|".join(_value(expression.value, names).values())  # whichever is looked up
    return eval(compile(ast.Expression(expression), "<pattern>", "eval"), {}, names)  # noqa: S307 -- our own source


def _modules() -> list[str]:
    files = (path for folder in _PRODUCT for path in sorted((_ROOT / folder).rglob("*.py")))
    using = (
        path
        for path in files
        if re.search(r"^\s*(import re$|from re )", path.read_text(), re.MULTILINE)
    )
    return [str(path.relative_to(_ROOT)) for path in using]


@pytest.mark.parametrize("file", _modules())
def test_a_module_has_no_possessive_quantifier_and_no_atomic_group(file: str) -> None:
    source = (_ROOT / file).read_text()
    assert "from re " not in source, "import re, so that this test sees its calls"
    dotted = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    names = _Names(vars(importlib.import_module(dotted)))
    found = list(compiled_in(ast.parse(source), names))
    assert found
    assert {line: bad for line, pattern, flags in found if (bad := refused(pattern, flags))} == {}


@pytest.mark.parametrize(
    "pattern", ["a*+", "a++", "a?+", "a{2}+", "(?>a)", "((b|a++))", "(?=x(?>a))", "(?:(?!a*+))?"]
)
def test_such_a_pattern_is_seen_wherever_it_stands(pattern: str) -> None:
    assert refused(pattern)
    assert refused(pattern.encode())
    for source in (
        f"re.compile({pattern!r})",
        f"def f(x):\n return re.sub(x + {pattern!r}, '', x)",
    ):
        [(_, found, flags)] = compiled_in(ast.parse(source), _Names())
        assert refused(found, flags)


@pytest.mark.parametrize("pattern", ["[*+]", r"a\++", "C[+]+", "a+?", r"\*+", "(?:a+)+"])
def test_what_only_looks_like_one_passes(pattern: str) -> None:
    assert not refused(pattern)
