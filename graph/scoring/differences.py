"""Difference between an outcome and an expectation, path by path."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Literal, cast

Value = object
"""A value as JSON has it: null, boolean, number, text, list or object with texts as keys."""

DifferenceKind = Literal[
    "boolean", "number", "category", "text", "list", "missing", "type", "error", "cut"
]
Compare = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Pairs of texts to how far the second lies from the first, each in [0, 1]."""

WHOLE = "value"
"""Path of what is no object."""

_WORD = re.compile(r"\w+")
_LONGEST_CATEGORY = 40
_MOST_PATHS = 200
_DEEPEST = 8
_ERRORS = frozenset({"error", "errors", "exception", "traceback", "stack_trace"})
_GREATEST = 1e150  # its square is a number still


@dataclass(frozen=True, slots=True)
class DifferenceWeights:
    """Weights of the parts of a difference."""

    greatest_share: float = 0.7
    """Share of the greatest difference beside the mean, in [0, 1]: in a mean one status among twenty fields
    would drown."""
    deviations: float = 4.0
    """Standard deviations of a path that make a whole difference, ``> 0``."""

    least_deviation: float = 0.05
    """Of a number, as a share of it, ``> 0``: in a calm context 102 instead of 100 is no event."""
    spread_prior_count: float = 5.0
    """Values' worth of trust in the relative difference beside the spread that a path has shown, ``> 0``."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Running spread of a number at one path: mean, sum of squared distances from it, count."""

    mean: float = 0.0
    squares: float = 0.0
    count: int = 0

    def updated(self, value: float) -> Spread:
        """Return it with one more value (Welford, 1962)."""
        # its square would be infinite, and all after it
        if not abs(value) < _GREATEST:
            return self
        count = self.count + 1
        mean = self.mean + (value - self.mean) / count
        return Spread(mean, self.squares + (value - self.mean) * (value - mean), count)

    @property
    def deviation(self) -> float:
        """Standard deviation; 0 of less than two values."""
        return sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


@dataclass(frozen=True, slots=True)
class Contribution:
    """Contribution of one path to a difference."""

    path: str
    kind: DifferenceKind
    distance: float
    """In [0, 1]."""
    share: float
    """Of the whole difference, in [0, 1]; all shares add up to 1 unless nothing differs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of an outcome from an expectation, in [0, 1], with its paths, greatest share first."""

    size: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class _Leaf:
    path: str
    kind: DifferenceKind
    distance: float
    texts: tuple[str, str] | None = None


def difference(
    expected: Value,
    actual: Value,
    *,
    spreads: Mapping[str, Spread],
    compare: Compare | None,
    weights: DifferenceWeights,
) -> Difference:
    """Measure the difference of an outcome from an expectation.

    Computes ``g·max(d) + (1 − g)·mean(d)`` over the paths that the expectation names: 0 or 1 of
    booleans, what ``compare`` gives of texts and categories, of numbers the distance relative to the greater, and more and more to the spread that the path has shown. What only the outcome has says nothing
    against an expectation, unless it is an error.

    Parameters
    ----------
    expected
        A value as JSON has it.
    actual
        The same of what happened.
    spreads
        What numbers were so far, by path.
    compare
        Pairs of texts to distances; without it, texts are compared by the words they share, categories as equal
        or not.
    weights
        What counts how much.

    Returns
    -------
    Difference
        Its size in [0, 1] and what each path adds; no shape. 0 where the outcome is as expected.

    Raises
    ------
    ValueError
        Never; whatever cannot be compared differs whole.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator"; Gower, "A General Coefficient of
    Similarity and Some of Its Properties", Biometrics 27, 1971 (distances of mixed kinds).

    Examples
    --------
    >>> found = difference({"status": "success", "duration": 100}, {"status": "failure", "duration": 500},
    ...                    spreads={}, compare=None, weights=DifferenceWeights())
    >>> round(found.size, 3), [(one.path, one.kind, round(one.share, 2)) for one in found.contributions]
    (0.97, [('status', 'category', 0.88), ('duration', 'number', 0.12)])
    """
    # bounded: an outcome may hold thousands of fields
    leaves = list(_leaves(expected, actual, spreads, weights, "", 0))[:_MOST_PATHS]
    leaves.extend(_errors(expected, actual))
    return _weighed(_with_texts(leaves, compare), weights.greatest_share)


def numbers_in(value: Value) -> dict[str, float]:
    """Find the numbers of a value by the path that `difference` gives them.

    Walks objects and lists of objects, depth ``<= 8``.

    Parameters
    ----------
    value
        A value as JSON has it.

    Returns
    -------
    dict
        Finite numbers by path, no shape; what a spread is to be updated with.

    Raises
    ------
    ValueError
        Never; what is no number is left out.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator".

    Examples
    --------
    >>> numbers_in({"run": {"seconds": 3, "ok": True}, "steps": [{"cost": 0.5}]})
    {'run.seconds': 3.0, 'steps[0].cost': 0.5}
    """
    found: dict[str, float] = {}
    for path, one in _walked(value):
        number = _number(one)  # NaN and infinity are no spread
        if number is not None and isfinite(number):
            found[path] = number
        if len(found) >= _MOST_PATHS:
            break
    return found


def words_in(value: Value) -> dict[str, str]:
    """Find the truth values and short words of a value by the path that `difference` gives them.

    Walks objects and lists of objects, depth ``<= 8``.

    Parameters
    ----------
    value
        A value as JSON has it.

    Returns
    -------
    dict
        Words in lower case by path, no shape; truth values as ``true`` and ``false``.

    Raises
    ------
    ValueError
        Never; a longer text is left out.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator".

    Examples
    --------
    >>> words_in({"status": "OK", "run": {"final": True, "told": "It went well in the end."}})
    {'status': 'ok', 'run.final': 'true'}
    """
    found: dict[str, str] = {}
    for path, one in _walked(value):
        if isinstance(one, bool) or (isinstance(one, str) and _is_category(one)):
            found[path] = str(one).strip().casefold()
        if len(found) >= _MOST_PATHS:
            break
    return found


def texts_in(value: Value) -> dict[str, str]:
    """Find the texts of a value by the path that `difference` gives them, short words too.

    Walks objects and lists of objects, depth ``<= 8``.

    Parameters
    ----------
    value
        A value as JSON has it.

    Returns
    -------
    dict
        Texts as they are by path, no shape.

    Raises
    ------
    ValueError
        Never; what is no text is left out.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator".

    Examples
    --------
    >>> texts_in({"status": "OK", "seconds": 3, "told": "It went well in the end."})
    {'status': 'OK', 'told': 'It went well in the end.'}
    """
    return {path: one for path, one in _walked(value) if isinstance(one, str)}


# with a list of what waits: a deep value must not end the stack of calls
def _walked(value: Value) -> Iterator[tuple[str, Value]]:
    """Yield what is inside a value by its path, the outer ones first."""
    waiting: list[tuple[Value, str, int]] = [(value, "", 0)]
    while waiting:
        one, path, depth = waiting.pop(0)
        # as deep as differences are compared
        held = _objects(one) if depth <= _DEEPEST else None
        waiting.extend((inner, _below(path, key), depth + 1) for key, inner in (held or {}).items())
        yield path or WHOLE, one


def _weighed(leaves: Sequence[_Leaf], share: float) -> Difference:
    """Join the distances of all paths, the greatest with its share and their mean with the rest."""
    distances = [leaf.distance for leaf in leaves]
    greatest = max(distances, default=0.0)
    if not greatest:
        none = (Contribution(leaf.path or WHOLE, leaf.kind, 0.0, 0.0) for leaf in leaves)
        return Difference(0.0, tuple(none))
    # equals share it: which of them came first says nothing
    peak = share * greatest / distances.count(greatest)
    rest = (1.0 - share) / len(distances)
    parts = [rest * one + (peak if one == greatest else 0.0) for one in distances]
    size = sum(parts)
    found = [
        Contribution(leaf.path or WHOLE, leaf.kind, leaf.distance, part / size)
        for leaf, part in zip(leaves, parts, strict=True)
    ]
    return Difference(min(size, 1.0), tuple(sorted(found, key=lambda one: (-one.share, one.path))))


def _leaves(
    expected: Value,
    actual: Value,
    spreads: Mapping[str, Spread],
    weights: DifferenceWeights,
    path: str,
    depth: int,
) -> list[_Leaf]:
    if expected is None and actual is None:
        return [_Leaf(path, "category", 0.0)]
    if expected is None or actual is None:
        return [_Leaf(path, "missing", 1.0)]
    if depth >= _DEEPEST:
        return [_Leaf(path, "cut", float(expected != actual))]
    held, other = _objects(expected), _objects(actual)
    if held is not None and other is not None:
        return [
            leaf
            for key, value in list(held.items())[:_MOST_PATHS]
            for leaf in (
                _leaves(value, other[key], spreads, weights, _below(path, key), depth + 1)
                if key in other
                else [_Leaf(_below(path, key), "missing", 1.0)]
            )
        ]
    return [_leaf(expected, actual, spreads.get(path or WHOLE), weights, path)]


def _leaf(
    expected: Value, actual: Value, spread: Spread | None, weights: DifferenceWeights, path: str
) -> _Leaf:
    # before numbers: True is an int in Python
    if isinstance(expected, bool) and isinstance(actual, bool):
        return _Leaf(path, "boolean", float(expected != actual))
    hoped, found = _number(expected), _number(actual)
    if hoped is not None and found is not None:
        return _Leaf(path, "number", _between(hoped, found, spread or Spread(), weights))
    # case and spaces at the ends do not make a difference
    if isinstance(expected, str) and isinstance(actual, str):
        return _words_apart(expected, actual, path)
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        rows = cast("Sequence[Value]", expected), cast("Sequence[Value]", actual)
        return _Leaf(path, "list", _rows_apart(*rows))
    return _Leaf(path, "type", 1.0)


def _between(expected: float, actual: float, spread: Spread, weights: DifferenceWeights) -> float:
    if expected == actual:
        return 0.0
    if not (isfinite(expected) and isfinite(actual)):
        return 1.0
    greater = max(abs(expected), abs(actual))
    apart = abs(expected / greater - actual / greater)  # no overflow, whatever they are
    relative = min(apart, 1.0)
    scale = weights.deviations * max(spread.deviation / greater, weights.least_deviation)
    # beside the spread that the path has shown: 102 instead of 100 is no event where it varies
    usual = min(apart / scale, 1.0)
    # few values show no spread: the relative difference counts until then
    trust = spread.count / (spread.count + weights.spread_prior_count)
    return relative + (usual - relative) * (trust if spread.count > 1 else 0.0)


def _words_apart(expected: str, actual: str, path: str) -> _Leaf:
    if expected.strip().casefold() == actual.strip().casefold():
        return _Leaf(path, "category", 0.0)
    if _is_category(expected) and _is_category(actual):
        return _Leaf(path, "category", 1.0, (expected, actual))
    return _Leaf(path, "text", _words_unshared(expected, actual), (expected, actual))


def _words_unshared(expected: str, actual: str) -> float:
    one, two = (set(_WORD.findall(text.casefold())) for text in (expected, actual))
    return 1.0 - len(one & two) / max(len(one | two), 1)


def _rows_apart(expected: Sequence[Value], actual: Sequence[Value]) -> float:
    """Half of what they do not share, half of what does not stand where it was expected."""
    longest = max(len(expected), len(actual))
    if not longest:
        return 0.0
    one, two = (Counter(map(_frozen, row)) for row in (expected, actual))
    unshared = 1.0 - (one & two).total() / (one | two).total()
    in_place = sum(first == second for first, second in zip(expected, actual, strict=False))
    return 0.5 * unshared + 0.5 * (1.0 - in_place / longest)


def _with_texts(leaves: Sequence[_Leaf], compare: Compare | None) -> list[_Leaf]:
    """Replace what texts do not share in words by how far apart they are in meaning."""
    pairs = [leaf.texts for leaf in leaves if leaf.texts]
    if compare is None or not pairs:
        return list(leaves)
    distances = iter(compare(pairs))
    return [_Leaf(leaf.path, leaf.kind, next(distances)) if leaf.texts else leaf for leaf in leaves]


def _errors(expected: Value, actual: Value) -> list[_Leaf]:
    held, other = _objects(expected) or {}, _objects(actual) or {}
    return [
        _Leaf(key, "error", 1.0)
        for key, value in other.items()
        # an error that was expected surprises nobody
        if key.casefold() in _ERRORS and value and not held.get(key) and key not in held
    ]


def _objects(value: Value) -> dict[str, Value] | None:
    """Read a value as an object; a list that holds objects is one, by place."""
    if not isinstance(value, dict | list | tuple):
        return None
    held = _held(cast("Value", value))
    return dict(held) if held or value == {} else None


def _held(value: Value) -> list[tuple[str, Value]]:
    if isinstance(value, dict):
        return [(str(key), one) for key, one in cast("dict[object, Value]", value).items()]
    rows = cast("Sequence[Value]", value)
    if any(isinstance(one, dict) for one in rows):
        return [(f"[{place}]", one) for place, one in enumerate(rows)]
    return []


def _below(path: str, key: str) -> str:
    return f"{path}{key}" if not path or key.startswith("[") else f"{path}.{key}"


def _number(value: Value) -> float | None:
    if type(value) is float:
        return value
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _is_category(text: str) -> bool:
    # *in progress* is a state, *in a few days* a text
    return len(text) <= _LONGEST_CATEGORY and text.count(" ") <= 1


def _frozen(value: Value) -> str:
    # with the type: 1 and True are equal in Python
    return f"{type(value).__name__}:{value!r}"
