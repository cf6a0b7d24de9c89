"""Checkers of calculations: equations, the origin of their numbers, and the answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import numpy as np

from graph.kernel.words import SMALL_NUMBERS, TENS
from graph.model.cycles.checks import Finding, failed, passed, undecided
from graph.scoring.cycles import answer_shares
from graph.verifying.expressions import agrees, equations, number_of, operands, value_of

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_ANSWER = re.compile(r"(?:####|\bA:|\banswer(?: is)?:?)\s*\$?(-?[\d,]*\.?\d+)", re.IGNORECASE)
_MOST_RETRIES = 20
_FEWEST_RETRIES = 2
_HARDLY, _LIKELY = (
    0.1,
    0.5,
)  # probability of the answer below which it fails, and above which it passes
_MOST = 20_000  # characters of a text that is checked
_WORDS: dict[str, tuple[int, ...]] = {
    **{word: (value,) for word, value in {**SMALL_NUMBERS, **TENS}.items()},
    **{"half": (2, 50), "halves": (2, 50), "twice": (2,), "double": (2,), "doubled": (2,), "couple": (2,), "pair": (2,)},
    **{"triple": (3,), "thrice": (3,), "third": (3,), "thirds": (3,), "quarter": (4, 25), "quarters": (4, 25)},
    **{"fourth": (4,), "fifth": (5,), "fifths": (5,), "sixth": (6,), "eighth": (8,), "tenth": (10,), "dozen": (12,)},
    **{"dozens": (12,), "hundred": (100,), "thousand": (1000,), "once": (1,), "quarterly": (4,), "penny": (1,)},
    **{"nickel": (5,), "dime": (10,), "week": (7, 52), "day": (24, 7), "year": (12, 365, 52), "hour": (60,)},
}  # fmt: skip
# General knowledge: small counts, units of time, and the hundred of per cent.
_KNOWN = frozenset(map(Fraction, (0, 1, 2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 365, 1000, 3600)))


def check_arithmetic(given: Mapping[str, Any]) -> Finding:
    """Check every equation of a ``text``, also those written as ``<<a*b=c>>``."""
    text = _text(given)
    if text is None:
        return undecided("arithmetic", "needs a `text` of at most 20,000 characters")
    held = 0
    for one in equations(text):
        exact = value_of(one.expression)
        if exact is None:
            continue
        if not agrees(exact, one.value):
            said = f"{one.expression.strip()} is {_as_text(exact)}, not {one.value}"
            return failed("arithmetic", said, one.line)
        if one.written is not None and number_of(one.written) != number_of(one.value):
            said = f"{one.value} was computed and {one.written} is written"
            if not _is_rounding(one.value, one.written):
                return failed("arithmetic", said, one.line)
        held += 1
    if not held:
        return undecided("arithmetic", "holds no equation in numbers")
    return passed("arithmetic", f"{held} equations hold")


def check_grounding(given: Mapping[str, Any]) -> Finding:
    """Check that numbers of equations in ``text`` are in ``source``, computed before, or general knowledge."""
    text, source = _text(given), given.get("source")
    if text is None or not isinstance(source, str) or len(source) > _MOST:
        return undecided(
            "grounding", "needs `text` and `source`, of at most 20,000 characters each"
        )
    known = _reachable(_numbers(source) | _KNOWN)
    looked = 0
    for one in equations(text):
        for number in operands(one.expression):
            looked += 1
            if number not in known:
                said = f"{_as_text(number)} is neither given nor computed before"
                return failed("grounding", said, one.line)
        result = number_of(one.value)
        if result is not None:
            known |= _reachable([result])
    if not looked:
        return undecided("grounding", "holds no equation in numbers")
    return passed("grounding", f"{looked} numbers are given or computed")


def check_answer(given: Mapping[str, Any]) -> Finding:
    """Check that the answer of a ``text`` is its last computed value, and not negative."""
    text = _text(given)
    if text is None:
        return undecided("answer", "needs a `text` of at most 20,000 characters")
    found, stated = equations(text), _ANSWER.findall(text)
    last = number_of(found[-1].value) if found else None
    answer = number_of(stated[-1]) if stated else None
    if last is None or answer is None:
        return undecided("answer", "states no answer behind its equations")
    lines = len(text.splitlines()) - 1
    if answer < 0 and "-" not in str(given.get("source", "-")):
        return failed("answer", f"the answer {_as_text(answer)} lies below zero", lines)
    if answer == last or _is_rounding(found[-1].value, stated[-1]):
        return passed("answer", "it is the last value computed")
    if answer == last * 100:
        return undecided("answer", "it is the last value computed, as a percentage")
    if any(answer == number_of(one.value) for one in found):
        return undecided("answer", "it is a value computed before the last one")
    said = f"the answer is {_as_text(answer)}, the last value computed {_as_text(last)}"
    return failed("answer", said, lines)


def check_consistency(given: Mapping[str, Any]) -> Finding:
    """Compare the answer of a ``text`` with those of at least two ``others``, attempts at the same problem.

    With ``accuracies``, the success rates of the authors of the text and of each other, it fails below 0.1 of
    probability and passes above 0.5; without, only a unanimous result decides.
    """
    text, others = _text(given), given.get("others")
    if text is None or not isinstance(others, list | tuple):
        return undecided("consistency", "needs `text` and `others`, a list of texts")
    retries = cast("Sequence[object]", others)
    answers = [
        stated_answer(one) if isinstance(one, str) else None for one in retries[:_MOST_RETRIES]
    ]
    votes = Counter(one for one in answers if one is not None)
    own = stated_answer(text)
    if own is None or votes.total() < _FEWEST_RETRIES:
        return undecided("consistency", "needs an answer, and at least two others with one")
    lines = len(text.splitlines()) - 1
    if "accuracies" in given:
        return _weighed(own, answers, given["accuracies"], len(retries), lines)
    best, most = votes.most_common(1)[0]
    if own == best or votes[own] == most:
        return passed("consistency", f"{votes[own]} of {votes.total()} others answer the same")
    if votes[own] == 0 and most == votes.total():
        said = f"{most} others agree on {_as_text(best)}, this answers {_as_text(own)}"
        return failed("consistency", said, lines)
    return undecided("consistency", "the others do not agree")


def _weighed(
    own: Fraction, answers: Sequence[Fraction | None], accuracies: object, others: int, lines: int
) -> Finding:
    rates = cast("Sequence[object]", accuracies) if isinstance(accuracies, list | tuple) else ()
    known = [one for one in rates if isinstance(one, int | float) and 0 <= one <= 1]
    if len(known) != len(rates) or len(rates) != others + 1:
        said = "`accuracies` needs a number from 0 to 1 for `text`, then one for each of `others`"
        return undecided("consistency", said)
    tries = zip([own, *answers], known, strict=False)  # maximum number of others
    pairs = [(answer, rate) for answer, rate in tries if answer is not None]
    different = list(dict.fromkeys(answer for answer, _ in pairs))
    numbers = np.array([different.index(answer) for answer, _ in pairs])
    shares = answer_shares(numbers, np.array([rate for _, rate in pairs], dtype=np.float64))
    best = different[int(shares.argmax())]
    said = f"{_as_text(own)} is right with probability {shares[0]:.2f}, {_as_text(best)} with {shares.max():.2f}"
    if shares[0] < _HARDLY:
        return failed("consistency", said, lines)
    return (passed if shares[0] > _LIKELY else undecided)("consistency", said)


def stated_answer(text: str) -> Fraction | None:
    """Return the stated answer of a text, else its last computed value; None without either."""
    stated = _ANSWER.findall(text)
    if stated:
        return number_of(stated[-1])
    found = equations(text)
    return number_of(found[-1].value) if found else None


def _text(given: Mapping[str, Any]) -> str | None:
    text = given.get("text")
    return text if isinstance(text, str) and len(text) <= _MOST else None


def _numbers(text: str) -> set[Fraction]:
    found = {number_of(one) for one in _NUMBER.findall(text)}
    words = re.findall(r"[a-z]+", text.casefold())
    said = {Fraction(value) for word in words for value in _WORDS.get(word, ())}
    said |= {
        Fraction(_WORDS[tens][0] + _WORDS[ones][0])
        for tens, ones in pairwise(words)
        if tens in _WORDS and tens.endswith("ty") and _WORDS.get(ones, (0,))[0] in range(1, 10)
    }
    return said | {one for one in found if one is not None}


def _reachable(known: Iterable[Fraction]) -> set[Fraction]:
    """Return numbers with their fractions, differences and reciprocals as people write them."""
    found: set[Fraction] = set()
    for one in known:
        share = one / 100
        found |= {one, share, 1 - share, 1 + share, 100 - one, 100 + one, one + 1, one - 1}
        if one:
            found.add(1 / one)
    return found


def _is_rounding(exact: str, shown: str) -> bool:
    first = number_of(exact)
    return first is not None and agrees(first, shown)


def _as_text(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
