"""Conditions of an insight, evaluated against a situation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from graph.model.knowledge.executions import Insight

_MISSING = object()


def _contains(have: Any, want: Any) -> bool:
    return isinstance(have, str | list | tuple | dict) and want in cast("Any", have)


def _comparison(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def check(have: Any, want: Any) -> bool:
        try:
            return compare(have, want)
        except TypeError:  # of different types, such as a number and a text
            return False

    return check


OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda have, want: have == want,
    "ne": lambda have, want: have != want,
    "gt": _comparison(lambda have, want: have > want),
    "gte": _comparison(lambda have, want: have >= want),
    "lt": _comparison(lambda have, want: have < want),
    "lte": _comparison(lambda have, want: have <= want),
    "in": _comparison(lambda have, want: have in want),
    "not_in": _comparison(lambda have, want: have not in want),
    "contains": _contains,
}


def unknown_operator(conditions: Mapping[str, Any]) -> str | None:
    """Return an unknown operator; None if all are known.

    >>> unknown_operator({"a": {"eq": 1}, "b": 2, "c": {"almost": 3}})
    'almost'
    """
    # checked when the insight is stored: otherwise `holds` would fail at each later report
    for expected in conditions.values():
        if isinstance(expected, Mapping):
            for name in cast("Mapping[str, Any]", expected):
                if name not in OPERATORS and name != "exists":
                    return name
    return None


def holds(conditions: Mapping[str, Any], situation: Mapping[str, Any]) -> bool:
    """Return whether all conditions hold; a missing value only meets ``exists: false``.

    >>> holds({"parameters.units": {"ne": "metric"}}, {"parameters": {"units": "imperial"}})
    True
    >>> holds({"size": {"gt": 3, "lte": 5}}, {"size": 6})
    False
    """
    return all(_meets(_at(situation, path), expected) for path, expected in conditions.items())


def applies(insight: Insight, agent: str, context: str, situation: Mapping[str, Any]) -> bool:
    """Return whether an insight applies to an agent in a situation; it applies everywhere unless it is restricted."""
    if insight.agents and agent not in insight.agents:
        return False
    if insight.contexts and context not in insight.contexts:
        return False
    return holds(insight.conditions, {"context": context, "agent": agent, **situation})


def _at(situation: Mapping[str, Any], path: str) -> Any:
    value: Any = situation
    # a key with a dot in it takes precedence over a path
    if path in situation:
        return situation[path]
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return _MISSING
        value = cast("Mapping[str, Any]", value)[name]
    return value


def _meets(have: Any, expected: Any) -> bool:
    if not isinstance(expected, Mapping):
        # a missing value equals nothing, not even an expected None
        return have is not _MISSING and have == expected
    operators = cast("Mapping[str, Any]", expected)
    return all(
        (have is not _MISSING) == bool(want)
        if name == "exists"
        else have is not _MISSING and OPERATORS[name](have, want)
        for name, want in operators.items()
    )
