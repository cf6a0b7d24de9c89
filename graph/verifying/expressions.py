"""Arithmetic in texts: exact values of expressions, and the equations of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_TOKEN = re.compile(r"\s*(?:\$?(\d[\d,]*\.?\d*|\.\d+)\s*(%?)|([-+*/()x×÷−]))")
_SIGNS = {"x": "*", "×": "*", "÷": "/", "−": "-"}
_MARKED = re.compile(r"<<([^<>=]{1,200})=([^<>=]{1,60})>>\$?(-?\d[\d,]*\.?\d*)?")
_PART = re.compile(r"\$?(?:\d[\d,]*(?:\.\d+)?|\.\d+)%?|[-+*/()x×÷−=]|[^\s\d$]")
_NUMBER = re.compile(r"\$?[\d.]")
_OPERATORS = frozenset("-+*/()x×÷−")
_MOST_DIGITS = 30
_MOST_TOKENS = 200
_FLOATING = Fraction(1, 10**12)  # rounding error of binary floating point


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation in a text: expression, stated value, and the number as it is written."""

    line: int
    expression: str
    value: str
    written: str | None = None


def value_of(expression: str) -> Fraction | None:
    """Return the exact value of a numeric expression, or None."""
    tokens = _tokens(expression)
    if not tokens or len(tokens) > _MOST_TOKENS:
        return None
    try:
        value, rest = _sum(tokens, 0)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if rest == len(tokens) else None


def number_of(text: str) -> Fraction | None:
    """Return the number in a text, with or without a dollar sign, or None."""
    plain = text.strip().rstrip(".").replace(",", "").replace("$", "")
    if len(plain) > _MOST_DIGITS or not re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)%?", plain):
        return None
    number = Fraction(plain.rstrip("%"))
    return number / 100 if plain.endswith("%") else number


def agrees(exact: Fraction, shown: str) -> bool:
    """Return whether a written number is the exact one, rounded or truncated to its digits."""
    number = number_of(shown)
    if number is None:
        return False
    if abs(exact - number) <= abs(exact) * _FLOATING:
        return True
    decimals = len(shown.strip().rstrip(".%").partition(".")[2])
    is_rounded = exact.denominator != 1 and (exact * 10**decimals).denominator != 1
    return is_rounded and abs(exact - number) < Fraction(1, 10**decimals)


def equations(text: str) -> list[Equation]:
    """Return the equations of a text: ``<<a*b=c>>``, and ``a * b = c`` in plain text."""
    found: list[Equation] = []
    for place, line in enumerate(text.splitlines()):
        found += _plain(place, _MARKED.sub(lambda one: one[3] or one[2], line))
        found += [Equation(place, one[1], one[2].strip(), one[3]) for one in _MARKED.finditer(line)]
    return found


def _plain(place: int, line: str) -> Iterator[Equation]:
    """Yield the equations of a line with numbers only on the left side, and one number on the right."""
    parts = _PART.findall(line)
    for at in (at for at, part in enumerate(parts) if part == "="):
        first = at
        while first and (parts[first - 1] in _OPERATORS or _NUMBER.match(parts[first - 1])):
            first -= 1
        left, right = parts[first:at], parts[at + 1 : at + 4]
        negative = right[:1] == ["-"]
        value = right[1:2] if negative else right[:1]
        behind = right[len(value) + negative :][:1]
        if (
            not value
            or not _NUMBER.match(value[0])
            or behind in (["="], *([one] for one in _OPERATORS))
        ):
            continue
        if left and left[0] not in "+*/)x×÷" and any(part in _OPERATORS for part in left[1:]):
            yield Equation(place, " ".join(left), "-" * negative + value[0])


def operands(expression: str) -> list[Fraction]:
    """Return the numbers of an expression, in order."""
    return [token for token in _tokens(expression) or () if isinstance(token, Fraction)]


def _tokens(expression: str) -> list[Fraction | str] | None:
    tokens: list[Fraction | str] = []
    place, text = 0, expression.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or len(match[1] or "") > _MOST_DIGITS:
            return None
        if match[1]:
            number = Fraction(match[1].replace(",", "").rstrip("."))
            tokens.append(number / 100 if match[2] else number)
        else:
            tokens.append(_SIGNS.get(match[3], match[3]))
        place = match.end()
    return tokens


def _sum(tokens: list[Fraction | str], at: int) -> tuple[Fraction, int]:
    value, at = _product(tokens, at)
    while at < len(tokens) and tokens[at] in ("+", "-"):
        other, after = _product(tokens, at + 1)
        value = value + other if tokens[at] == "+" else value - other
        at = after
    return value, at


def _product(tokens: list[Fraction | str], at: int) -> tuple[Fraction, int]:
    value, at = _factor(tokens, at)
    while at < len(tokens) and tokens[at] in ("*", "/"):
        other, after = _factor(tokens, at + 1)
        value = value * other if tokens[at] == "*" else value / other
        at = after
    return value, at


def _factor(tokens: list[Fraction | str], at: int) -> tuple[Fraction, int]:
    sign = tokens[at]
    if isinstance(sign, Fraction):
        return sign, at + 1
    if sign == "-":
        value, at = _factor(tokens, at + 1)
        return -value, at
    if sign != "(":
        raise ValueError(sign)
    value, at = _sum(tokens, at + 1)
    if tokens[at] != ")":
        raise ValueError(sign)
    return value, at + 1
