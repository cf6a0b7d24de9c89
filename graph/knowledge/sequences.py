"""Frequent sequences of tool calls."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from graph.knowledge.ledger import collapsed
from graph.scoring.confidence import wilson_lower
from graph.scoring.dependence import lift_bound

Tools = tuple[str, ...]

LONGEST = 5
_FEWEST_RUNS = 3
_LEAST_SHARE = 0.02
_LEAST_FOLLOWING = 0.2  # of the calls after the first tool, as a lower bound
_SURE = 4.0  # standard deviations: some thousands of pairs are looked at


def frequent_sequences(runs: Sequence[Sequence[str]]) -> dict[Tools, int]:
    """Return contiguous sequences of two to five tools with their support in runs.

    Each tool follows the one before significantly more often than by chance, and in at least a fifth of the calls. The
    support is at least 3 runs and 2 % of them. Only closed sequences are kept.

    >>> frequent_sequences([["a", "b", "x"], ["y", "a", "b"], ["a", "b"], ["x", "y"], ["y", "z"]] * 3)
    {('a', 'b'): 9}
    """
    collapsed_runs = [collapsed(run) for run in runs]
    grams: Counter[Tools] = Counter()
    for tools in collapsed_runs:
        for length in range(2, LONGEST + 1):
            # a set: a run counts once, however often it repeats a sequence
            grams.update({tuple(tools[i : i + length]) for i in range(len(tools) - length + 1)})
    significant = _significant_pairs(collapsed_runs)
    min_support = max(_FEWEST_RUNS, round(_LEAST_SHARE * len(runs)))
    kept = {
        gram: support
        for gram, support in grams.items()
        if support >= min_support and all(pair in significant for pair in itertools.pairwise(gram))
    }
    return {gram: n for gram, n in sorted(kept.items()) if not _is_within(gram, n, kept)}


def _significant_pairs(runs: Sequence[Sequence[str]]) -> set[Tools]:
    """Return the pairs of tools that follow each other significantly more often than by chance."""
    pairs = Counter(pair for run in runs for pair in itertools.pairwise(run))
    if not pairs:
        return set()
    firsts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for (first, second), n in pairs.items():
        firsts[first] += n
        seconds[second] += n
    names = sorted(pairs)
    counted = [(pairs[name], firsts[name[0]], seconds[name[1]]) for name in names]
    together, first, second = np.array(counted, dtype=np.float64).T
    sure = lift_bound(together, first, second, float(pairs.total()))
    # few pairs cannot reach four deviations: half the root of their number
    needed = min(_SURE, 0.5 * float(pairs.total()) ** 0.5)
    # tools of one kind of task co-occur anyway, so a share of the calls is required too
    follows = wilson_lower(together, first)
    return {
        name
        for name, bound, share in zip(names, sure, follows, strict=True)
        if bound >= needed and share >= _LEAST_FOLLOWING
    }


def _is_within(gram: Tools, support: int, kept: dict[Tools, int]) -> bool:
    longer = (other for other, n in kept.items() if len(other) > len(gram) and n >= support)
    return any(
        gram == other[i : i + len(gram)]
        for other in longer
        for i in range(len(other) - len(gram) + 1)
    )
