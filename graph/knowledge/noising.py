"""Masking and differentially private noise of shared knowledge."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from graph.knowledge.ledger import derive_rates
from graph.knowledge.templates import WILDCARD, write_template
from graph.model.knowledge.executions import Counted, ErrorCounts, ParameterCounts, Share
from graph.scoring.noise import noised_counts

Value = tuple[str, ...]
_MAX_VALUE_WORDS = 6  # words of a value that is looked for
_NO_WORD = re.compile(r"[\W_]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def folded_words(text: str) -> Value:
    """Return the words of a text, without case and punctuation.

    >>> folded_words("Blue-Lamp, x")
    ('blue', 'lamp', 'x')
    """
    return tuple(_NO_WORD.sub(" ", text.lower()).split())


def values_by_tool(
    parameters: Iterable[ParameterCounts], errors: Iterable[ErrorCounts], named: Collection[str]
) -> Mapping[str, set[Value]]:
    """Return the values given to each tool, except those of ``named`` parameters (`tool.parameter`)."""
    values: dict[str, set[Value]] = defaultdict(set)
    for each in parameters:
        if f"{each.tool}.{each.parameter}" not in named:
            values[each.tool].update(v for text in each.values for v in _values_in(text))
    for error in errors:
        for culprit in error.culprits:
            # a culprit is written `name=value`
            name, _, text = culprit.partition("=")
            if f"{error.tool}.{name}" not in named:
                values[error.tool].update(_values_in(text))
    return values


def without_values(text: str, values: Collection[Value], mark: str = " ") -> str:
    """Replace each value in a template by a wildcard; ``mark`` separates words.

    >>> without_values("units imperial are not supported", {("imperial",)})
    'units * are not supported'
    """
    words = text.split(mark)
    bare = [" ".join(folded_words(word)) for word in words]
    kept: list[str] = []
    place = 0
    while place < len(words):
        # the longest value first: *New York* before *York*
        length = next(
            (
                n
                for n in range(_MAX_VALUE_WORDS, 0, -1)
                if _words(bare[place : place + n]) in values
            ),
            0,
        )
        kept.append(WILDCARD if length else words[place])
        place += length or 1
    return write_template(kept) if mark == "_" else mark.join(kept)


def _words(bare: list[str]) -> Value:
    return tuple(" ".join(bare).split())


def _values_in(text: str) -> list[Value]:
    # texts inside a list or object are values too
    texts = [text, *_QUOTED.findall(text)] if text[:1] in "[{" else [text]
    return [words for each in texts if (words := folded_words(each))]


# counts that one call changes besides its parameters: context, next tool, error, its solution, and its task's four
# patterns; the noise protects a task only if all of them are covered
_COUNTS_PER_CALL = 8
_COUNTS_PER_PARAMETER = 3  # shape, value, and the value beside the error


def sensitivity_of(chosen: Mapping[str, Sequence[Any]]) -> int:
    """Return the sensitivity: counts that a task with one call changes, 8, and 3 for each parameter of a tool."""
    parameters = Counter(each.tool for each in chosen["parameters"])
    return _COUNTS_PER_CALL + _COUNTS_PER_PARAMETER * max(parameters.values(), default=0)


def with_noise(
    chosen: Mapping[str, Sequence[Any]], scale: float, rng: np.random.Generator, now: datetime
) -> dict[str, list[Any]]:
    """Add noise to each count, and drop records with none left."""

    def noise(numbers: Sequence[int]) -> list[int]:
        columns = np.array(numbers, dtype=np.float64)
        return [int(each) for each in noised_counts(columns, scale=scale, rng=rng)]

    for name in ("contexts", "patterns"):
        for each in chosen[name]:
            won, lost = noise([each.successes, each.failures])
            # once per count: repeated noise would average out
            _reset_counts(each, won, lost)
    for each in chosen["patterns"]:
        each.contexts, each.ways = {}, {}
        # computed from noised counts, so nothing more is disclosed
        each.steps_total = each.uses * len(each.steps)
    _noise_tools(chosen, noise)
    _noise_errors(chosen, noise)
    for each in chosen["parameters"]:
        each.shapes, each.values = _noised(each.shapes, noise), _noised(each.values, noise)
        shares = list(each.shapes.values())
        _reset_counts(each, sum(won for won, _ in shares), sum(lost for _, lost in shares))
    return {name: _without_zero_counts(rows, now) for name, rows in chosen.items()}


def _noise_tools(
    chosen: Mapping[str, Sequence[Any]], noise: Callable[[Sequence[int]], list[int]]
) -> None:
    calls: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for each in chosen["contexts"]:
        calls[each.tool][0] += each.successes
        calls[each.tool][1] += each.failures
    for tool in chosen["tools"]:
        tool.after = _noised(tool.after, noise)
        # retries and first calls are left out: each would need noise of its own
        tool.retries = tool.starts = 0
        _reset_counts(tool, *calls[tool.tool])


def _noise_errors(
    chosen: Mapping[str, Sequence[Any]], noise: Callable[[Sequence[int]], list[int]]
) -> None:
    """Add noise to errors; those of a tool are no more than its failed calls."""
    remaining = {tool.tool: tool.failures for tool in chosen["tools"]}
    for each in chosen["errors"]:
        [uses] = noise([each.uses])
        each.solutions = _noised(each.solutions, noise)
        each.contexts = {}
        each.culprits = dict(zip(each.culprits, noise(list(each.culprits.values())), strict=True))
        # errors of a tool stay within its failed calls, which were noised before
        uses = min(uses, remaining.get(each.tool, 0))
        remaining[each.tool] = remaining.get(each.tool, 0) - uses
        worked = min(uses, sum(won for won, _ in each.solutions.values()))
        _reset_counts(each, worked, uses - worked)


def _noised(
    shares: Mapping[str, Share], noise: Callable[[Sequence[int]], list[int]]
) -> dict[str, Share]:
    numbers = noise([number for share in shares.values() for number in share])
    pairs = zip(shares, numbers[::2], numbers[1::2], strict=True)
    return {name: (won, lost) for name, won, lost in pairs if won + lost}


def _reset_counts(record: Counted, won: int, lost: int) -> None:
    record.uses, record.successes = won + lost, won
    record.timed, record.duration_mean, record.duration_squares = 0, 0.0, 0.0
    record.buckets = {}


def _without_zero_counts(rows: Sequence[Any], now: datetime) -> list[Any]:
    # the day only: an exact time would identify one task
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    kept = [each for each in rows if each.uses]
    for each in kept:
        each.first_seen = each.last_used = day
    derive_rates(kept)
    return kept
