"""Comparison of statements of several agents: same, contradicting, or neither.

Statements are compared if they are about the same topic: by the cross-encoder (reader of pairs), or because they differ in
one name or value only. Then the words decide. Statements contradict each other if they give different values, one negates or
opposes the other, or they differ in one word. They are the same only if none of this holds, and the words that differ are
missing in one of them or mean the same. Unclear pairs are neither: a wrong merge is worse than a missed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from graph.questions.content import content_words, stem
from graph.replacing.detection import Fact, replacement
from graph.replacing.notation import canonical
from graph.replacing.statements import Statement, statement

StatementRelation = Literal["same", "contradicts"]

LEAST_SIMILARITY = 0.7
"""Cosine below which two statements are not compared."""
_LEAST_TOPIC = 0.55  # mean probability of the reader, in both orders
_LEAST_TOPIC_COSINE = 0.85  # cosine without a reader
_PARAPHRASE = 0.89  # cosine of two that differ in words on both sides
_SAME_WORDS = 0.7  # cosine of what each says beside the other
_OTHER_WORDS = 0.66
_ALMOST = 0.95  # cosine of two that differ in one word of one meaning
_FEW_WORDS = 2  # differing words beside a negation
# *unavailable* and *unpaid* are negations; *until*, *uncle*, *uniform* and *unless* are not
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|\w+n['’]t|un(?!der|it|til|ion|iv|iq|if|cle|less)\w{4,}|dropped)\b",
    re.IGNORECASE,
)
_TITLES = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof)\b\.?(?=\s)")
# verbs and adverbs of little meaning of their own
_LIGHT_WORDS = """
about alway always approximately around at be become been begin belong belongs came come comes do does done each
end every file find get gets given go goes got had happen happens has have held hold holds in is keep keeps kept
lie lies like likes located made make makes must need needed needs our own owned owns place prefer prefers put
roughly run runs say says since stand stands start starts stay stays still store stored stores take taken takes
there up use used uses want wants we will with would
"""
_LIGHT = frozenset(map(stem, _LIGHT_WORDS.split()))


@dataclass(frozen=True, slots=True)
class DifferingWords:
    """Words that only one of two statements has, sorted, without light verbs."""

    one: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def phrases(self) -> tuple[str, str] | None:
        """Both as texts; None if either is empty."""
        return (" ".join(self.one), " ".join(self.other)) if self.one and self.other else None


@dataclass(frozen=True, slots=True)
class Nearness:
    """Similarity of two statements: cosines of their texts and of their differing words, and probability of one topic.

    ``rest`` is None if only one has differing words, ``topic`` without a reader of pairs. ``opposed``: one is about a success,
    the other about a failure.
    """

    text: float
    rest: float | None
    topic: float | None
    opposed: bool = False


def differing_words(one: str, other: str) -> DifferingWords:
    """Return the words that only one of two statements has.

    Examples
    --------
    >>> differing_words("Insulin is kept in the lower fridge.", "The insulin is in the upper fridge.")
    DifferingWords(one=('lower',), other=('upper',))
    """
    first, second = frozenset(content_words(one)), frozenset(content_words(other))
    return DifferingWords(
        _significant_words(first - second, second), _significant_words(second - first, first)
    )


def _significant_words(words: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = {stem(word) for word in others}
    return tuple(sorted(word for word in words if stem(word) not in known | _LIGHT))


def can_be_compared(one: str, other: str) -> bool:
    """Return whether two texts may be about the same: no questions, and the same identifiers and titles.

    Examples
    --------
    >>> can_be_compared("Room 12 is free.", "Room 13 is free."), can_be_compared("It costs 3 euros.", "It costs 4 euros.")
    (False, True)
    """
    first, second = statement(one), statement(other)
    if first.asks or second.asks or _titles(one) != _titles(other):
        return False
    return not (
        first.identifiers and second.identifiers and first.identifiers != second.identifiers
    )


def _titles(text: str) -> frozenset[str]:
    return frozenset(_TITLES.findall(text))


def relation_of(one: str, other: str, near: Nearness) -> StatementRelation | None:
    """Return whether two statements are the same or contradict each other; None for neither, or if unclear.

    Examples
    --------
    >>> near = Nearness(0.9, 0.6, 0.8)
    >>> relation_of("Deploys happen on Tuesdays.", "Deploys happen on Thursdays.", near)
    'contradicts'
    >>> relation_of("Mara owns the billing service.", "The billing service belongs to Mara.", Nearness(0.96, None, 0.8))
    'same'
    """
    if near.text < LEAST_SIMILARITY or not can_be_compared(one, other):
        return None
    rest = differing_words(one, other)
    first, second = statement(one), statement(other)
    if not _about_the_same(first, second, near, rest):
        return None
    if _contradict(first, second, near, rest):
        return "contradicts"
    return "same" if _mean_the_same(first, second, near) else None


def _about_the_same(one: Statement, other: Statement, near: Nearness, rest: DifferingWords) -> bool:
    if near.topic is not None:
        return near.topic >= _LEAST_TOPIC
    if _replaces(one, other, near) or _replaces(other, one, near):
        return True
    return near.text >= _LEAST_TOPIC_COSINE and not (rest.one and rest.other)


def _replaces(one: Statement, other: Statement, near: Nearness) -> bool:
    newer, older = Fact(one.text, None, 1), Fact(other.text, None, 0)
    return replacement(newer, older, near.text) is not None


def _contradict(one: Statement, other: Statement, near: Nearness, rest: DifferingWords) -> bool:
    if _give_another_value(one, other):
        return True
    if _negation_parity(one.text) != _negation_parity(other.text):
        # with many differing words the negation is of something else
        return len(rest.one) <= _FEW_WORDS and len(rest.other) <= _FEW_WORDS
    if near.rest is None or near.text >= _PARAPHRASE:
        return near.text < _ALMOST and _one_word_apart(one.text, other.text)
    return near.opposed or near.rest < _OTHER_WORDS


def _one_word_apart(one: str, other: str) -> bool:
    """Return whether two texts differ in one word in the same place."""
    first, second = one.split(), other.split()
    differ = [
        pair
        for pair in zip(first, second, strict=False)
        if pair[0].casefold() != pair[1].casefold()
    ]
    return len(first) == len(second) and len(differ) == 1


def _mean_the_same(one: Statement, other: Statement, near: Nearness) -> bool:
    if _values(one) != _values(other) or _negation_parity(one.text) != _negation_parity(other.text):
        return False
    if near.rest is None or _only_values_differ(one, other):
        return True
    return near.text >= _PARAPHRASE and (bool(one.values) or near.rest >= _SAME_WORDS)


def _only_values_differ(one: Statement, other: Statement) -> bool:
    """Return whether two texts with values have the same words and names beside them."""
    same_words = frozenset(one.words) == frozenset(other.words)
    return bool(one.values) and same_words and frozenset(one.names) == frozenset(other.names)


def _give_another_value(one: Statement, other: Statement) -> bool:
    first, second = _values(one), _values(other)
    return any(first[kind] != second[kind] for kind in first.keys() & second.keys())


def _values(one: Statement) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, value in one.values:
        found.setdefault(kind, set()).add(canonical(kind, value))
    return {kind: frozenset(values) for kind, values in found.items()}


def _negation_parity(text: str) -> int:
    # two negations cancel out: *never without*
    return len(_NEGATION.findall(text)) % 2


def group_agreeing(
    size: int, same: Sequence[tuple[int, int, float]], apart: Iterable[tuple[int, int]]
) -> list[list[int]]:
    """Group statements that are the same, the most similar pairs first; contradicting ones never share a group.

    Parameters
    ----------
    size
        Number of statements.
    same
        Pairs of the same statement, with their similarity.
    apart
        Pairs that contradict each other.

    Examples
    --------
    >>> group_agreeing(4, [(0, 1, 0.9), (1, 2, 0.8)], [(0, 2)])
    [[0, 1], [2], [3]]
    """
    group = list(range(size))
    members = {place: [place] for place in range(size)}
    against: dict[int, set[int]] = {}
    for one, other in apart:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    for one, other, _ in sorted(same, key=lambda pair: (-pair[2], pair[0], pair[1])):
        first, second = sorted((group[one], group[other]))
        opposed = any(
            not against.get(each, set()).isdisjoint(members[second]) for each in members[first]
        )
        if first == second or opposed:
            continue
        for place in members[second]:
            group[place] = first
        members[first] = sorted(members[first] + members.pop(second))
    return list(members.values())
