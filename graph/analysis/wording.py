"""Name of a group of problems, from the actions that solved them and their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from math import log

_WORD = re.compile(r"[^\W_]+")
_LEAST_SHARED = 0.25
_TIMES = {1: "", 2: " twice", 3: " three times"}


def telling_words(
    inside: Sequence[Sequence[str]], outside: Sequence[Sequence[str]], *, most: int
) -> tuple[str, ...]:
    """Words that texts of a group share and others lack, best first.

    The score of a word is ``d·log(1 + (d/n)/((D + 1)/(N + 2)))``, with ``d`` of the group's ``n`` texts and ``D`` of
    the other ``N`` that contain it; words of a single text of the group are left out.

    Parameters
    ----------
    inside
        Words of each text of the group.
    outside
        Words of each text beside it.
    most
        How many are wanted, ``>= 0``.

    Returns
    -------
    tuple
        Words, the most telling first, ties by name; no shape.

    Raises
    ------
    ValueError
        If fewer than none are wanted.

    References
    ----------
    Spärck Jones, "A statistical interpretation of term specificity and its application in retrieval", 1972.

    Examples
    --------
    >>> telling_words([["egg", "price"], ["egg", "hen"]], [["price"], ["car"]], most=2)
    ('egg',)
    """
    if most < 0:
        raise ValueError(f"{most} words cannot be wanted")
    within = Counter(word for words in inside for word in set(words))
    beyond = Counter(word for words in outside for word in set(words))

    def score(word: str) -> float:
        share = within[word] / len(inside)
        return within[word] * log(1 + share * (len(outside) + 2) / (beyond[word] + 1))

    shared = [word for word, times in within.items() if times > 1]
    return tuple(sorted(shared, key=lambda word: (-score(word), word))[:most])


def shared_insight(told: Sequence[Collection[str]]) -> str:
    """Most representative sentence of several solutions.

    Takes the sentence with the greatest sum over the other problems of the largest overlap ``|A ∩ B|/|A ∪ B|`` of
    words.

    Parameters
    ----------
    told
        Insights of each problem's solutions, in their agents' words; empty ones do not count.

    Returns
    -------
    str
        One of them, no shape; empty where no other problem tells at least a quarter of the same.

    Raises
    ------
    ValueError
        Never; without insights it is empty.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant A: Dual Memory (Episodic + Semantic)"; Kaufman
    and Rousseeuw, "Clustering by Means of Medoids", 1987.

    Examples
    --------
    >>> shared_insight([["Sum before joining."], ["Sum the rows before joining."], ["Buy milk."]])
    'Sum before joining.'
    """
    words = [{text: frozenset(_WORD.findall(text.lower())) for text in one} for one in told]
    best, found = 0.0, ""
    for place, one in enumerate(words):
        for text in sorted(one, key=lambda text: (len(text), text)):
            likes = [
                max((_overlap(one[text], other) for other in rest.values()), default=0.0)
                for at, rest in enumerate(words)
                if at != place
            ]
            if sum(likes) > best and max(likes) >= _LEAST_SHARED:
                best, found = sum(likes), text
    return found


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def usual_actions(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Most frequent sequence of actions.

    Counts whole sequences, ``argmax_r |{i : r_i = r}|``.

    Parameters
    ----------
    rows
        Names of actions in their order, of each solution; empty rows do not count.

    Returns
    -------
    tuple
        One of them; of equally frequent ones the shortest, then the first by name. No shape.

    Raises
    ------
    ValueError
        Never; without rows it is empty.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant A: Dual Memory (Episodic + Semantic)".

    Examples
    --------
    >>> usual_actions([["add"], ["multiply", "add"], ["multiply", "add"]])
    ('multiply', 'add')
    """
    counts = Counter(tuple(row) for row in rows if row)
    return min(counts, key=lambda row: (-counts[row], len(row), row), default=())


def worded_actions(actions: Sequence[str]) -> str:
    """Actions as words, consecutive repetitions once.

    Joins the runs by ``, then``.

    Parameters
    ----------
    actions
        Names of actions in their order.

    Returns
    -------
    str
        A phrase, no shape; empty for none.

    Raises
    ------
    ValueError
        Never; whatever is given is told.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant A: Dual Memory (Episodic + Semantic)".

    Examples
    --------
    >>> worded_actions(["multiply", "multiply", "add"])
    'multiply twice, then add'
    """
    runs = [(name, len(list(run))) for name, run in groupby(actions)]
    return ", then ".join(f"{name}{_TIMES.get(times, f' {times} times')}" for name, times in runs)
