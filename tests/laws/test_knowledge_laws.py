"""Laws of what executions teach: order, merging, bounds, templates, conditions."""

from __future__ import annotations

from copy import deepcopy
from itertools import count
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graph.knowledge.conditions import holds
from graph.knowledge.foresight import Situation, from_text, learn, to_text
from graph.knowledge.ledger import apply_all
from graph.knowledge.sharing import SORTS, SharedKnowledge, merge_file, own_counts, part_of
from graph.knowledge.templates import fits, generalised, masked
from graph.knowledge.tool_memory import add_counts
from graph.model.knowledge.executions import BaseState, Counts, ExecutionReport, Step
from graph.scoring.confidence import shrunk_share, thompson_sample, wilson_lower
from graph.scoring.dependence import importance
from graph.scoring.running import bucket_of, merged_buckets, percentile
from tests.laws.test_scoring_laws import law
from tests.store.knowing import AT

COUNTS = st.tuples(st.integers(0, 500), st.integers(0, 500)).map(lambda c: (min(c), max(c)))
WORDS = st.lists(
    st.sampled_from(["book", "a", "table", "for", "Ada", "42", "HAN", "x@y.org"]), min_size=1
)
STEPS = st.builds(
    Step,
    tool=st.sampled_from(["find", "book", "pay"]),
    parameters=st.dictionaries(st.sampled_from(["x", "y"]), st.integers(0, 3)),
    ok=st.booleans(),
    error=st.sampled_from(["", "no room 12"]),
    duration_ms=st.one_of(st.none(), st.floats(1, 10_000)),
)
RUNS = st.lists(st.tuples(st.lists(STEPS, max_size=5), st.booleans()), max_size=8)


def counted(runs: list[tuple[list[Step], bool]], first: int = 0) -> Counts:
    """Count runs from nothing."""
    names = count(first)
    counts = Counts(BaseState(scope="local/agent/a"))
    reports = [
        ExecutionReport(f"t{next(names)}", AT, ok=ok, query="book a table", steps=tuple(steps))
        for steps, ok in runs
    ]
    apply_all(counts, reports, lambda: "u")
    return counts


@law
@given(COUNTS)
def test_a_lower_bound_lies_below_the_share(counts: tuple[int, int]) -> None:
    won, tried = (np.array([float(each)]) for each in counts)
    bound = wilson_lower(won, tried)[0]
    assert 0.0 <= bound <= (counts[0] / counts[1] if counts[1] else 0.0) + 1e-12
    more = wilson_lower(10 * won, 10 * tried)[0]
    assert more >= bound - 1e-12
    assert 0.0 <= shrunk_share(won, tried, np.array([0.3]), strength=4.0)[0] <= 1.0
    prior = np.array([0.5])
    drawn = [thompson_sample(won, tried, prior, strength=2.0, seed=3)[0] for _ in range(2)]
    assert drawn[0] == drawn[1]


@law
@given(st.lists(COUNTS, min_size=1, max_size=20))
def test_an_importance_is_a_share_and_no_order_matters(rows: list[tuple[int, int]]) -> None:
    won, lost = (np.array([float(row[i]) for row in rows]) for i in (0, 1))
    assert 0.0 <= importance(won, lost) <= 1.0
    assert abs(importance(won[::-1], lost[::-1]) - importance(won, lost)) < 1e-9


@law
@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=60), st.floats(0, 1))
def test_a_percentile_is_right_to_five_percent(values: list[float], share: float) -> None:
    buckets: dict[int, int] = {}
    for value in values:
        buckets = merged_buckets(buckets, {bucket_of(value): 1})
    true = sorted(values)[int(share * (len(values) - 1))]
    assert abs(percentile(buckets, share) - true) <= 0.051 * true


@law
@given(RUNS, RUNS)
def test_counts_of_parts_add_up_to_those_of_the_whole(
    some: list[tuple[list[Step], bool]], more: list[tuple[list[Step], bool]]
) -> None:
    whole, part, rest = counted(some + more), counted(some), counted(more, len(some))
    for name, tool in whole.tools.items():
        pieces = [each.tools[name] for each in (part, rest) if name in each.tools]
        into = pieces[0]
        for other in pieces[1:]:
            add_counts(into, other)
        assert (into.uses, into.successes, into.retries) == (
            tool.uses,
            tool.successes,
            tool.retries,
        )
        assert into.after == tool.after
        assert into.buckets == tool.buckets
        assert abs(into.duration_mean - tool.duration_mean) < 1e-6 * max(1.0, tool.duration_mean)
    assert whole.state.executions == len(some) + len(more)


def shared(source: str, counts: Counts) -> SharedKnowledge:
    rows: dict[str, Any] = {name: list(getattr(counts, name).values()) for name in SORTS}
    return SharedKnowledge(source, AT, 1, **rows)


def sums(counts: Counts) -> dict[str, object]:
    return {
        f"{name}:{key}": {n: v for n, v in part_of(each).items() if n != "moments"}
        for name in SORTS
        for key, each in getattr(counts, name).items()
        if each.uses
    }


@law
@given(RUNS, RUNS, RUNS)
def test_shared_counts_add_up_are_replaced_and_taken_back(
    mine: list[tuple[list[Step], bool]],
    theirs: list[tuple[list[Step], bool]],
    later: list[tuple[list[Step], bool]],
) -> None:
    here, old, new = counted(mine), counted(theirs), counted(theirs + later)
    before = sums(here)
    for file in (old, new, new):
        merge_file(here, shared("them", deepcopy(file)), lambda: "u", AT)
    for name in SORTS:
        for key, each in getattr(here, name).items():
            parts = [getattr(counts, name).get(key) for counts in (counted(mine), new)]
            known = [part for part in parts if part is not None]
            assert each.uses == sum(part.uses for part in known)
            assert each.timed == sum(part.timed for part in known) == sum(each.buckets.values())
            total = sum(part.timed * part.duration_mean for part in known)
            assert abs(each.timed * each.duration_mean - total) <= 1e-6 * max(1.0, total)
            alone = getattr(counted(mine), name).get(key)
            assert own_counts(each).uses == (alone.uses if alone else 0)
    again = merge_file(here, shared("them", deepcopy(new)), lambda: "u", AT)
    assert (again.added, again.changed, again.removed) == (0, 0, 0)
    merge_file(here, SharedKnowledge("them", AT, 1), lambda: "u", AT)
    assert sums(here) == before


@law
@given(WORDS)
def test_masking_a_template_again_changes_nothing(words: list[str]) -> None:
    template = masked(" ".join(words))
    assert masked(template.replace("_", " ")) == template
    assert fits(template, template)


@law
@given(st.lists(WORDS.map(lambda words: masked(" ".join(words))), min_size=1, max_size=30))
def test_a_general_template_fits_what_it_was_made_of(templates: list[str]) -> None:
    for old, new in generalised(dict.fromkeys(templates, 1)).items():
        assert fits(old, new)


@law
@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=4))
def test_a_situation_meets_itself_and_nothing_that_it_does_not_say(
    situation: dict[str, int],
) -> None:
    assert holds(situation, situation)
    assert not holds({"never said": {"ne": 1}}, situation)
    assert holds({"never said": {"exists": False}}, situation)


@law
@given(st.lists(st.lists(STEPS, min_size=1, max_size=5), min_size=8, max_size=12))
def test_a_model_is_the_same_after_it_was_kept(runs: list[list[Step]]) -> None:
    model = learn(runs)
    kept = from_text(to_text(model))
    assert kept.rows == model.rows
    for steps in runs[:3]:
        before, after = (each.rank(Situation(steps)) for each in (model, kept))
        assert {name for name, _ in before} == {name for name, _ in after}
        for (_, one), (_, other) in zip(before, after, strict=True):
            assert abs(one - other) < 0.01
