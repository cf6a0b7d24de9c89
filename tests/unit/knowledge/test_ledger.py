"""Sequences of calls counted for a kind of query: what worked, what did not, and what is no part of it."""

from __future__ import annotations

import itertools
from typing import Any

from graph.knowledge.insights import from_patterns
from graph.knowledge.ledger import apply_all, key_of
from graph.model.knowledge.executions import BaseState, Counts, Pattern
from tests.store.knowing import AT, ran, step

QUERY = "Restore supply in zone Z2"
KEY = key_of("query_pattern", "restore_supply_in_zone_*")


def counted(*runs: tuple[bool, tuple[Any, ...]]) -> Counts:
    counts, uids = Counts(BaseState(scope="s")), itertools.count()
    reports = [ran(f"t{i}", *steps, ok=ok, query=QUERY) for i, (ok, steps) in enumerate(runs)]
    apply_all(counts, reports, lambda: str(next(uids)))
    return counts


def pattern_of(*runs: tuple[bool, tuple[Any, ...]]) -> Pattern:
    return counted(*runs).patterns[KEY]


READ, OPEN, GUESS, FLUSH = (step(name) for name in ("read", "open", "guess", "flush"))
READ_OPEN, GUESSED, FLUSHED = (True, (READ, OPEN)), (True, (GUESS,)), (False, (FLUSH,))


def test_what_worked_is_the_surest_sequence_with_its_own_counts() -> None:
    for runs in ([READ_OPEN] * 9 + [GUESSED], [GUESSED] + [READ_OPEN] * 9):
        pattern = pattern_of(*runs)
        assert pattern.steps == ["read", "open"]
        assert pattern.ways == {"read → open": (9, 0), "guess": (1, 0)}
    pattern = pattern_of(*[FLUSHED] * 9, READ_OPEN)
    assert pattern.steps == ["read", "open"]
    assert pattern.ways == {"flush": (0, 9), "read → open": (1, 0)}
    assert pattern_of(*[FLUSHED] * 9).steps == []


def test_a_call_that_failed_and_was_made_up_for_is_no_part_of_what_worked() -> None:
    failed = step("dispatch", "nobody is on duty")
    counts = counted(*[(True, (failed, step("call")))] * 8)
    assert counts.patterns[KEY].ways == {"call": (8, 0)}
    assert not [key for key in counts.patterns if key.startswith("tool_sequence")]
    again = pattern_of((True, (READ, step("open", "stuck"), OPEN)))
    assert again.ways == {"read → open": (1, 0)}
    # the call at which a task failed is a part of what did not work
    assert pattern_of((False, (READ, failed))).ways == {"read → dispatch": (0, 1)}
    assert pattern_of((True, (failed,))).ways == {}


def test_a_best_practice_names_the_surest_sequence() -> None:
    [(insight, _)] = from_patterns([pattern_of(*[READ_OPEN] * 19, GUESSED)], AT, lambda: "i")
    assert insight.insight == (
        'Using pattern "restore_supply_in_zone_*" has 100% success rate: read → open (19 of 19)'
    )
