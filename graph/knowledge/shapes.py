"""Values of parameters: their shapes, and the best values."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from graph.model.knowledge.executions import LONGEST_VALUE, Share
from graph.scoring.confidence import wilson_lower

_MAX_CHOICES = 4
_LEAST_COMMON = 0.8
_KEPT_SHAPES = 4096
_BETWEEN = re.compile(r"(?<=\d)(?=[Aa9]\d)")
_RUNS = re.compile(r"(?:[A-Z]+|[a-z]+|\d+|[^\W\d_A-Za-z]+)")


def shape_of(value: Any) -> str:
    """Return the shape of a value: its type; of a short text its runs of character classes.

    >>> [shape_of(x) for x in ("HAT136", "2024-05-20", 3, ["a"], "two words of text")]
    ['A3 93', '94-92-92', 'number', 'list', 'a3 a5 a2 a4']
    """
    # before numbers: True is an int in Python
    if isinstance(value, bool) or value is None:
        return "boolean" if isinstance(value, bool) else "null"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        if len(value) > LONGEST_VALUE // 2:
            return "long text"
        return _shape_of_text(value)
    return "list" if isinstance(value, list | tuple) else "object"


@lru_cache(_KEPT_SHAPES)
def _shape_of_text(text: str) -> str:
    return _BETWEEN.sub(" ", _RUNS.sub(_run, text))


def _run(found: re.Match[str]) -> str:
    text = found[0]
    sort = "9" if text.isdigit() else "A" if text.isupper() else "a"
    return f"{sort}{len(text)}"


def best_value(values: Mapping[str, Share], least: int = 2) -> str | None:
    """Return the value with the highest lower bound of success; None if none that succeeded came ``least`` times.

    >>> best_value({"metric": (9, 1), "imperial": (1, 3), "once": (1, 0)})
    'metric'
    """
    repeated = {v: counts for v, counts in values.items() if counts[0] and sum(counts) >= least}
    if not repeated:
        return None
    names = sorted(repeated)
    won = np.array([float(repeated[name][0]) for name in names])
    tried = np.array([float(sum(repeated[name])) for name in names])
    # the lower bound: 9 of 10 goes before 1 of 1
    return names[int(wilson_lower(won, tried).argmax())]


def value_of(text: str, shapes: Collection[str]) -> Any:
    """Return a value in its original type, from its text and the shapes of its parameter.

    >>> value_of("21", {"number"}), value_of("21", {"92"}), value_of("true", {"boolean"})
    (21, '21', True)
    """
    # *21* may be a text, such as a postcode
    if shape_of(text) in shapes:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if shape_of(value) in shapes else text


def value_pattern(values: Mapping[str, Share], shapes: Mapping[str, Share]) -> str:
    """Describe what successful values have in common; empty if nothing.

    >>> value_pattern({"3": (4, 0), "12": (2, 0)}, {"number": (6, 0)})
    'numbers from 3 to 12'
    >>> value_pattern({"HAT136": (1, 0), "HAT039": (1, 0)}, {"A3 93": (2, 0)})
    'like HAT136 (3 capitals, 3 digits)'
    """
    good = {value: won for value, (won, _) in values.items() if won}
    total = sum(won for won, _ in shapes.values())
    if not good or not total:
        return ""
    shape, (won, _) = max(shapes.items(), key=lambda item: (item[1][0], item[0]))
    # mixed shapes have nothing in common
    if won / total < _LEAST_COMMON:
        return ""
    if shape == "number":
        numbers = sorted(float(value) for value in good if _is_number(value))
        return f"numbers from {numbers[0]:g} to {numbers[-1]:g}" if numbers else ""
    # few recurring values are choices; many that occur once are ids
    if len(values) <= _MAX_CHOICES and sum(good.values()) >= 2 * len(good) and len(good) > 1:
        return f"one of {', '.join(sorted(good))}"
    example = next((value for value in sorted(good, reverse=True) if shape_of(value) == shape), "")
    return f"like {example} ({_described(shape)})" if example and shape[:1] in "Aa9" else ""


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _described(shape: str) -> str:
    sorts = {"A": "capitals", "a": "letters", "9": "digits"}
    return ", ".join(f"{n} {sorts[sort]}" for sort, n in re.findall(r"([Aa9])(\d+)", shape))
