"""Masking of values in templates that are shared: what a call was given may stand in its error, and in what was asked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from graph.knowledge.templates import WILDCARD, joined
from graph.model.knowledge.executions import ErrorCounts, ParameterCounts

Value = tuple[str, ...]
_LONGEST = 6  # words of a value that is looked for
_NO_WORD = re.compile(r"[\W_]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def plain(text: str) -> Value:
    """Return the words of a text, without case and marks.

    >>> plain("Blue-Lamp, x")
    ('blue', 'lamp', 'x')
    """
    return tuple(_NO_WORD.sub(" ", text.lower()).split())


def values_by_tool(
    parameters: Iterable[ParameterCounts], errors: Iterable[ErrorCounts], named: Collection[str]
) -> Mapping[str, set[Value]]:
    """Return the values that were given to each tool, but those of ``named`` parameters (`tool.parameter`)."""
    found: dict[str, set[Value]] = defaultdict(set)
    for each in parameters:
        if f"{each.tool}.{each.parameter}" not in named:
            found[each.tool].update(v for text in each.values for v in _values_in(text))
    for error in errors:
        for culprit in error.culprits:
            name, _, text = culprit.partition("=")
            if f"{error.tool}.{name}" not in named:
                found[error.tool].update(_values_in(text))
    return found


def without_values(text: str, values: Collection[Value], mark: str = " ") -> str:
    """Return a template with a wildcard for each value in it; ``mark`` parts its words.

    >>> without_values("units imperial are not supported", {("imperial",)})
    'units * are not supported'
    """
    words = text.split(mark)
    bare = [" ".join(plain(word)) for word in words]
    kept: list[str] = []
    place = 0
    while place < len(words):
        length = next(
            (n for n in range(_LONGEST, 0, -1) if _words(bare[place : place + n]) in values), 0
        )
        kept.append(WILDCARD if length else words[place])
        place += length or 1
    return joined(kept) if mark == "_" else mark.join(kept)


def _words(bare: list[str]) -> Value:
    return tuple(" ".join(bare).split())


def _values_in(text: str) -> list[Value]:
    texts = [text, *_QUOTED.findall(text)] if text[:1] in "[{" else [text]
    return [found for each in texts if (found := plain(each))]
