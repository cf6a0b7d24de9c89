"""Conditions of an insight, evaluated against a situation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from graph.model.knowledge.executions import Insight

_MISSING = object()


def _contains(have: Any, want: Any) -> bool:
    return isinstance(have, str | list | tuple | dict) and want in cast("Any", have)


def _compared(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def check(have: Any, want: Any) -> bool:
        try:
            return compare(have, want)
        # a number and a text, say
        except TypeError:  # of different sorts: neither is more than the other
            return False

    return check


OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda have, want: have == want,
    "ne": lambda have, want: have != want,
    "gt": _compared(lambda have, want: have > want),
    "gte": _compared(lambda have, want: have >= want),
    "lt": _compared(lambda have, want: have < want),
    "lte": _compared(lambda have, want: have <= want),
    "in": _compared(lambda have, want: have in want),
    "not_in": _compared(lambda have, want: have not in want),
    "contains": _contains,
}


def unknown_operator(conditions: Mapping[str, Any]) -> str | None:
    """Return an operator that there is not; None where all are known.

    >>> unknown_operator({"a": {"eq": 1}, "b": 2, "c": {"almost": 3}})
    'almost'
    """
    # found when the insight is written: `holds` would fail at each report otherwise
    for wanted in conditions.values():
        if isinstance(wanted, Mapping):
            for name in cast("Mapping[str, Any]", wanted):
                if name not in OPERATORS and name != "exists":
                    return name
    return None


def holds(conditions: Mapping[str, Any], situation: Mapping[str, Any]) -> bool:
    """Say whether all conditions hold; what a situation does not say meets none but ``exists: false``.

    >>> holds({"parameters.units": {"ne": "metric"}}, {"parameters": {"units": "imperial"}})
    True
    >>> holds({"size": {"gt": 3, "lte": 5}}, {"size": 6})
    False
    """
    return all(_meets(_at(situation, path), wanted) for path, wanted in conditions.items())


def applies(insight: Insight, agent: str, context: str, situation: Mapping[str, Any]) -> bool:
    """Say whether an insight holds for an agent in a situation; what it leaves open asks for nothing."""
    if insight.agents and agent not in insight.agents:
        return False
    if insight.contexts and context not in insight.contexts:
        return False
    return holds(insight.conditions, {"context": context, "agent": agent, **situation})


def _at(situation: Mapping[str, Any], path: str) -> Any:
    found: Any = situation
    # a name with a dot in it goes before a path
    if path in situation:
        return situation[path]
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            return _MISSING
        found = cast("Mapping[str, Any]", found)[name]
    return found


def _meets(have: Any, wanted: Any) -> bool:
    if not isinstance(wanted, Mapping):
        # what is missing equals nothing, not even a wanted None
        return have is not _MISSING and have == wanted
    asked = cast("Mapping[str, Any]", wanted)
    return all(
        (have is not _MISSING) == bool(want)
        if name == "exists"
        else have is not _MISSING and OPERATORS[name](have, want)
        for name, want in asked.items()
    )
