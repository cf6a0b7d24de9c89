"""Repeated Python code: sequences of logical lines that are equal but for names and values.

The shape of a logical line is its tokens, with every name that is no keyword, every string and every number replaced by
a placeholder. Comments, docstrings and imports have no shape.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LEAST_LINES = 6
_MOST_PLACES = 8  # more repetitions are a form of the language, such as a row of fields

_LAYOUT = frozenset({"COMMENT", "NL", "INDENT", "DEDENT", "ENCODING", "ENDMARKER"})
_TEXT, _NUMBER, _NAME = "''", "0", "_"


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line of code: its position and its shape."""

    path: str
    number: int
    shape: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two positions whose following lines have equal shapes."""

    one: Line
    other: Line
    length: int


def tokens(text: str) -> list[tokenize.TokenInfo]:
    """Read the tokens of a Python source."""
    return list(tokenize.generate_tokens(io.StringIO(text).readline))


def shaped_lines(path: str, read: Iterable[tokenize.TokenInfo]) -> list[Line]:
    """Return the logical lines of a source that have a shape."""
    found: list[Line] = []
    waiting: list[tokenize.TokenInfo] = []
    for token in read:
        name = tokenize.tok_name[token.type]
        if name != "NEWLINE":
            if name not in _LAYOUT:
                waiting.append(token)
            continue
        shape = " ".join(_shapes(waiting))
        if shape != _TEXT and waiting[0].string not in ("import", "from"):
            found.append(Line(path, waiting[0].start[0], shape))
        waiting = []
    return found


def _shapes(line: Iterable[tokenize.TokenInfo]) -> Iterator[str]:
    inside = 0  # f-strings: from Python 3.12 on they have their own tokens, and nest
    for token in line:
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            if not inside:
                yield _TEXT
            inside += 1
        elif name.endswith("STRING_END"):
            inside -= 1
        elif not inside:
            yield _shape(name, token.string)


def _shape(name: str, text: str) -> str:
    if name == "NAME":
        return text if keyword.iskeyword(text) else _NAME
    return {"STRING": _TEXT, "NUMBER": _NUMBER}.get(name, text)


def repeated(files: Iterable[Sequence[Line]], least: int = LEAST_LINES) -> list[Pair]:
    """Find pairs of positions with a minimum number of lines of equal shape, longest first.

    A pair extends as far as the shapes are equal. Shapes in more than eight places are ignored; a pair does not overlap
    with itself.
    """
    lines: list[Line | None] = []
    for file in files:
        lines.extend(file)
        lines.append(None)  # no sequence crosses files
    starts = {
        _start(lines, one, other)
        for places in _windows(lines, least).values()
        if 2 <= len(places) <= _MOST_PLACES
        for one, other in combinations(places, 2)
        if other - one >= least
    }
    pairs = [_pair(lines, one, other) for one, other in sorted(starts)]
    return sorted(pairs, key=lambda pair: -pair.length)


def _windows(lines: Sequence[Line | None], least: int) -> Mapping[tuple[str, ...], list[int]]:
    """Return the positions of each sequence of a number of shapes."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(lines) - least + 1):
        shapes = tuple(line.shape for line in lines[place : place + least] if line is not None)
        if len(shapes) == least:
            found[shapes].append(place)
    return found


def _start(lines: Sequence[Line | None], one: int, other: int) -> tuple[int, int]:
    """Go back from two equal positions to the start of their sequence."""
    while one and _equal(lines[one - 1], lines[other - 1]):
        one, other = one - 1, other - 1
    return one, other


def _pair(lines: Sequence[Line | None], one: int, other: int) -> Pair:
    first, second = lines[one], lines[other]
    if first is None or second is None:
        raise ValueError("no line stands there")
    length = 0
    while one + length < other and _equal(lines[one + length], lines[other + length]):
        length += 1
    return Pair(first, second, length)


def _equal(one: Line | None, other: Line | None) -> bool:
    return one is not None and other is not None and one.shape == other.shape
