"""A numeric function is documented in seven parts, and its example runs (STYLE 4.7)."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from numpydoc.docscrape import (  # pyright: ignore[reportMissingTypeStubs] -- it ships none
    FunctionDoc,
)

import graph.analysis
import graph.scoring

SECTIONS = ("Summary", "Parameters", "Returns", "Raises", "References", "Examples")
ARRAYS = ("Floats", "Ints", "Flags", "NDArray")


def modules() -> list[ModuleType]:
    return [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for package in (graph.analysis, graph.scoring)
        for module in pkgutil.iter_modules(package.__path__)
    ]


def public_functions() -> list[Callable[..., Any]]:
    return [
        function
        for module in modules()
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and function.__module__ == module.__name__
    ]


def parsed(function: Callable[..., Any]) -> dict[str, Any]:
    document = FunctionDoc(function)
    return {section: document[section] for section in SECTIONS}


def parameters(function: Callable[..., Any]) -> dict[str, str]:
    """Documented parameters, each with its text; ``*name`` counts as ``name``."""
    found: dict[str, str] = {}
    for entry in parsed(function)["Parameters"]:
        found[str(entry.name).lstrip("*")] = " ".join(entry.desc)
    return found


def named(function: Callable[..., Any]) -> str:
    return function.__name__


def test_there_are_numeric_functions() -> None:
    assert len(public_functions()) >= 10


@pytest.mark.parametrize("function", public_functions(), ids=named)
def test_all_sections_are_there(function: Callable[..., Any]) -> None:
    assert inspect.getdoc(function), f"{function.__name__} has no docstring"
    missing = [section for section, content in parsed(function).items() if not content]
    assert not missing, f"{function.__name__} lacks {missing}"


@pytest.mark.parametrize("function", public_functions(), ids=named)
def test_what_is_documented_is_the_signature(function: Callable[..., Any]) -> None:
    assert list(parameters(function)) == list(inspect.signature(function).parameters)


@pytest.mark.parametrize("function", public_functions(), ids=named)
def test_every_array_says_its_shape(function: Callable[..., Any]) -> None:
    documented = parameters(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if any(kind in str(parameter.annotation) for kind in ARRAYS):
            assert "shape" in documented[name], f"{function.__name__}: {name}"
    returns = " ".join(line for entry in parsed(function)["Returns"] for line in entry.desc)
    assert "shape" in returns.lower(), (
        f"{function.__name__} does not say the shape of what it returns"
    )


@pytest.mark.parametrize("function", public_functions(), ids=named)
def test_every_function_says_its_formula(function: Callable[..., Any]) -> None:
    assert "``" in (inspect.getdoc(function) or "").partition("Parameters")[0]
