"""Differences, momentum, novelty and types of surprise, by example."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from graph.scoring.differences import (
    Difference,
    DifferenceWeights,
    Spread,
    difference,
    numbers_in,
    words_in,
)
from graph.scoring.momentum import (
    Familiarity,
    Momentum,
    SurpriseWeights,
    Usual,
    measured,
    usual,
)
from graph.scoring.surprise import (
    Comparison,
    Surprise,
    ending,
    initial_q,
    matching,
    novelty,
    raised_importance,
    surprise,
)

WEIGHTS = SurpriseWeights()
LITERAL = SurpriseWeights(literal=True)
KINDS = DifferenceWeights()


def apart(expected: object, actual: object, **options: Any) -> Difference:
    given: dict[str, Any] = {"spreads": {}, "compare": None, "weights": KINDS}
    return difference(expected, actual, **(given | options))


def judged(
    expected: object,
    actual: object,
    *,
    own: Momentum | None = None,
    similarities: tuple[float, ...] | None = None,
    familiar: Familiarity | None = None,
    **options: Any,
) -> Surprise:
    known = usual(own or Momentum(), None, at=0.0, weights=WEIGHTS)
    found = None if expected is None else apart(expected, actual, **options)
    new = None
    if similarities is not None:
        new = measured(novelty(np.array(similarities)), known, weights=WEIGHTS)
    compared = Comparison(
        expected,
        actual,
        violation=None if found is None else measured(found.size, known, weights=WEIGHTS),
        novelty=new,
        difference=found,
    )
    return surprise(compared, familiar=familiar or Familiarity(), at=0.0, weights=WEIGHTS)


def met(*sizes: float) -> Momentum:
    momentum = Momentum()
    for size in sizes:
        momentum = momentum.updated(size, at=0.0, weights=WEIGHTS)
    return momentum


@pytest.mark.parametrize(
    ("expected", "actual", "kind", "size"),
    [
        (True, False, "boolean", 1.0),
        (True, True, "boolean", 0.0),
        ("red", "blue", "category", 1.0),
        ("Red ", "red", "category", 0.0),
        (100, 50, "number", 0.5),
        (0, 0, "number", 0.0),
        (-1, 1, "number", 1.0),
        (1, math.nan, "number", 1.0),
        (1, 10**400, "number", 1.0),
        (1, -(10**400), "number", 1.0),
        ([1, 2, 3], [1, 2, 3], "list", 0.0),
        ([], [], "list", 0.0),
        (["a", "b"], ["c", "d"], "list", 1.0),
        (["a", "b"], ["b", "a"], "list", 0.5),
        (1, "one", "type", 1.0),
        (True, 1, "type", 1.0),
        ("x", None, "missing", 1.0),
        (None, None, "category", 0.0),
    ],
)
def test_each_kind_of_value_differs_in_its_way(
    expected: object, actual: object, kind: str, size: float
) -> None:
    found = apart(expected, actual)
    assert found.size == pytest.approx(size)
    assert [(one.path, one.kind) for one in found.contributions] == [("value", kind)]


def test_texts_differ_by_their_words_or_where_vectors_are_given_by_their_meaning() -> None:
    expected, actual = "the build is green on all machines", "every machine has a passing build"
    assert apart(expected, actual).size > 0.8
    asked: list[tuple[str, str]] = []

    def compare(pairs: Any) -> list[float]:
        asked.extend(pairs)
        return [0.2]

    assert apart(expected, actual, compare=compare).size == pytest.approx(0.2)
    assert asked == [(expected, actual)]


def test_nested_objects_differ_path_by_path_and_shares_add_up() -> None:
    found = apart(
        {"run": {"status": "success", "seconds": 10}, "steps": [{"ok": True}, {"ok": True}]},
        {"run": {"status": "success", "seconds": 20}, "steps": [{"ok": False}]},
    )
    shares = {one.path: one.share for one in found.contributions}
    assert set(shares) == {"run.status", "run.seconds", "steps[0].ok", "steps[1]"}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["run.status"] == 0
    assert shares["steps[0].ok"] == shares["steps[1]"] > shares["run.seconds"] > 0


def test_one_status_among_twenty_fields_does_not_drown() -> None:
    expected = {f"field {place}": "same" for place in range(19)} | {"status": "success"}
    found = judged(expected, expected | {"status": "failure"})
    assert found.surprising
    assert found.type == "unexpected_error"
    assert found.difference is not None
    assert found.difference.contributions[0].path == "status"


def test_what_only_the_outcome_has_says_nothing_unless_it_is_an_error() -> None:
    assert apart({"ok": True}, {"ok": True, "seconds": 3, "error": None}).size == 0
    found = apart({"ok": True}, {"ok": True, "error": "no route"})
    assert found.contributions[0].kind == "error"
    assert found.size > 0.8


def test_a_value_that_is_called_value_is_no_root() -> None:
    found = apart({"value": {"a": 1}, "a": 2}, {"value": {"a": 2}, "a": 2})
    assert {one.path for one in found.contributions} == {"value.a", "a"}


def test_what_lies_too_deep_is_compared_as_one() -> None:
    deep: Any = 1
    for _ in range(12):
        deep = {"a": deep}
    assert apart(deep, deep).contributions[0].kind == "cut"
    assert apart({}, {}).contributions == ()
    assert apart({}, [1]).contributions[0].kind == "type"


def test_a_number_that_always_varies_differs_less_than_one_that_never_did() -> None:
    wild, calm = Spread(), Spread()
    for place in range(40):
        wild = wild.updated(100.0 + 50 * (-1) ** place)
        calm = calm.updated(100.0 + (-1) ** place)
    sizes = [
        apart({"n": 100}, {"n": 140}, spreads=spreads).size
        for spreads in ({"n": wild}, {}, {"n": calm})
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < 0.25
    assert sizes[2] > 0.8


def test_a_spread_is_that_of_its_values() -> None:
    values = [3.0, 5.0, 5.0, 11.0]
    spread = Spread()
    assert spread.deviation == 0
    for value in values:
        spread = spread.updated(value)
    assert (spread.mean, spread.count) == (6, 4)
    assert spread.deviation == pytest.approx(np.std(values, ddof=1))
    assert spread.updated(math.nan) == spread.updated(1e300) == spread


def test_numbers_are_found_by_their_paths() -> None:
    value = {"a": {"b": 2}, "c": [{"d": 1.5}], "e": True, "f": math.inf, "g": [1]}
    assert numbers_in(value) == {"a.b": 2.0, "c[0].d": 1.5}
    assert numbers_in(7) == {"value": 7.0}


def test_no_more_than_200_numbers_or_words_of_a_value_are_found() -> None:
    assert len(numbers_in({f"key {place}": place for place in range(300)})) == 200
    assert len(words_in({f"key {place}": "done" for place in range(300)})) == 200


def test_a_first_prediction_that_fails_is_a_surprise() -> None:
    found = judged({"status": "success", "duration": 100}, {"status": "failure", "duration": 500})
    assert found.surprising
    assert found.score > 0.75
    assert found.violation is not None
    assert found.violation.quotient == pytest.approx(found.violation.size / 0.251)


def test_a_first_event_that_is_really_new_is_a_surprise_and_a_known_one_is_not() -> None:
    """In the code that the strata come from, novelty never exceeded the threshold."""
    assert judged(None, "x", similarities=(0.05, 0.1)).surprising
    assert judged(None, "x", similarities=()).surprising
    assert not judged(None, "x", similarities=(0.05, 0.9)).surprising


def test_what_is_always_new_stops_being_a_surprise_and_what_is_newer_does_not() -> None:
    busy = met(*[0.45, 0.55, 0.4, 0.5] * 5)
    usual_one, new = (judged(None, "x", own=busy, similarities=(near,)) for near in (0.5, 0.05))
    assert not usual_one.surprising
    assert new.surprising
    assert new.novelty is not None
    assert new.novelty.ground == "deviation"


def test_the_same_difference_surprises_whom_it_never_met_more() -> None:
    expected, actual = {"n": 100}, {"n": 45}
    calm, stormy = (judged(expected, actual, own=met(*[size] * 20)) for size in (0.0, 0.6))
    assert calm.surprising
    assert not stormy.surprising


def test_next_to_nothing_is_no_surprise_however_calm_it_was() -> None:
    found = judged({"n": 100}, {"n": 99}, own=met(*[0.0] * 50))
    assert not found.surprising
    assert found.violation is not None
    assert found.violation.usual.mean == 0.1
    assert found.violation.usual.deviation == pytest.approx(0.3 * math.sqrt(1 / 3))


def test_failing_always_is_no_surprise() -> None:
    assert not judged(True, False, own=met(*[0.0, 1.0] * 10)).surprising
    assert not judged(True, False, own=met(*[1.0] * 20)).surprising


def test_the_usual_is_drawn_to_the_channel_and_less_so_with_experience() -> None:
    channel = met(*[0.8] * 50)
    means = [
        usual(met(*[0.1] * count), channel, at=0.0, weights=WEIGHTS).mean for count in (0, 2, 20)
    ]
    assert means == sorted(means, reverse=True)
    assert means[0] == pytest.approx((5 * 0.25 + 10 * 0.8) / 15)
    assert usual(Momentum(), None, at=0.0, weights=WEIGHTS) == Usual(0.25, 0.3)


def test_what_was_long_ago_counts_less() -> None:
    old = met(*[0.8] * 20)
    means = [usual(old, None, at=at, weights=WEIGHTS).mean for at in (-5.0, 0.0, 30.0, 900.0)]
    assert means[0] == means[1] > means[2] > means[3]
    assert means[3] == pytest.approx(0.25)


def test_one_event_after_long_brings_back_no_trust_in_what_was_long_ago() -> None:
    old = met(*[0.8] * 10)
    before = usual(old, None, at=60.0, weights=WEIGHTS).mean
    after = old.updated(0.1, at=60.0, weights=WEIGHTS)
    assert after.trust(at=60.0, weights=WEIGHTS) == pytest.approx(3.5)
    assert after.mean == pytest.approx((2.5 * 0.8 + 0.1) / 3.5)
    assert usual(after, None, at=60.0, weights=WEIGHTS).mean < before


def test_without_a_prior_only_what_was_met_counts() -> None:
    weights = SurpriseWeights(prior_count=0)
    assert usual(met(0.4), None, at=0.0, weights=weights).mean == pytest.approx(0.4)
    assert usual(Momentum(), None, at=0.0, weights=weights).mean == 0.25


def test_momentum_is_the_mean_of_few_and_a_moving_one_of_many() -> None:
    few = met(0.2, 0.4, 0.9)
    assert few.mean == pytest.approx(0.5)
    assert few.variance == pytest.approx(np.var([0.2, 0.4, 0.9]))
    many = met(*[0.0] * 100).updated(1.0, at=2.0, weights=WEIGHTS)
    assert (many.mean, many.variance) == (pytest.approx(0.1), pytest.approx(0.09))
    assert many.updated_at == 2.0
    assert many.updated(0.5, at=1.0, weights=WEIGHTS).updated_at == 2.0


def test_the_literal_form_is_the_quotient_and_1_at_most() -> None:
    known = Usual(mean=0.249, deviation=0.01)
    found = measured(0.125, known, weights=LITERAL)
    assert (found.quotient, found.surprise, found.ground) == (0.5, 0.5, "quotient")
    assert measured(0.75, known, weights=LITERAL).surprise == 1.0


def test_novelty_wears_off_and_comes_back() -> None:
    familiar = Familiarity()
    first = judged(True, False, familiar=familiar)
    for _ in range(3):
        familiar = familiar.updated(at=0.0, weights=WEIGHTS)
    fourth = judged(True, False, familiar=familiar)
    assert first.surprising
    assert not fourth.surprising
    assert fourth.familiarity == pytest.approx(1 / 1.45)
    assert familiar.at(70.0, WEIGHTS) < 0.01
    assert familiar.at(-70.0, WEIGHTS) == 3


@pytest.mark.parametrize("size", [-0.1, 1.1, math.nan])
def test_a_difference_outside_0_and_1_is_refused(size: float) -> None:
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]"):
        measured(size, Usual(0.25, 0.3), weights=WEIGHTS)


def test_a_similarity_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="must be a number"):
        novelty(np.array([0.5, math.nan]))
    assert novelty(np.array([1.0000001])) == 0


def test_nothing_compared_is_no_surprise_but_an_error() -> None:
    with pytest.raises(ValueError, match="neither"):
        judged(None, "x")


@pytest.mark.parametrize(
    ("expected", "actual", "type_"),
    [
        ({"status": "ok"}, {"status": "timeout"}, "unexpected_error"),
        ({"status": "ok"}, {"status": "ok", "error": "late"}, "unexpected_error"),
        ({"status": "failed"}, {"status": "success"}, "unexpected_success"),
        ({"error": "no route"}, {"ok": True}, "unexpected_success"),
        ({"context": {"city": "Rome"}, "n": 1}, {"context": {"city": "Oslo"}, "n": 1}, "context_mismatch"),
        ({"rows": 3}, {"rows": "three"}, "context_mismatch"),
        ({"rows": 3, "at": "noon"}, {"at": "noon"}, "context_mismatch"),
        ({"latency_ms": 10}, {"latency_ms": 900}, "performance_deviation"),
        ({"run": {"cost": 1}}, {"run": {"cost": 90}}, "performance_deviation"),
        ({"guests": 4}, {"guests": 400}, "anomaly"),
        ({"weather": "sunny"}, {"weather": "rainy"}, "prediction_failure"),
        ("sunny", "rainy", "prediction_failure"),
    ],
)  # fmt: skip
def test_a_surprise_has_the_type_of_what_made_it(
    expected: object, actual: object, type_: str
) -> None:
    assert judged(expected, actual).type == type_


def test_what_only_the_deviation_shows_is_an_anomaly() -> None:
    calm = met(*[0.5, 0.55, 0.45] * 20)
    found = judged("sunny", "rainy", own=calm)
    assert (found.ground, found.type) == ("deviation", "anomaly")


def test_what_nobody_expected_and_is_new_is_a_novel_pattern() -> None:
    assert judged(None, "x", similarities=(0.1,)).type == "novel_pattern"
    assert judged({"n": 10}, {"n": 9}, similarities=(0.1,)).type == "novel_pattern"
    found = judged(None, {"error": "boom"}, similarities=(0.1,))
    assert (found.type, found.ground) == ("unexpected_error", "novelty")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"status": "Success"}, "success"),
        ({"ok": True}, "success"),
        ({"ok": False}, "failure"),
        ({"status": "ok", "result": "failed"}, "failure"),
        ({"error": ""}, None),
        ("done", "success"),
        (True, "success"),
        (3, None),
        ({}, None),
    ],
)
def test_it_is_seen_how_something_ended(value: object, told: str | None) -> None:
    assert ending(value) == told


def test_an_outcome_answers_the_surest_prediction_that_still_stands() -> None:
    made, sure = np.array([1.0, 2.0, 2.5, 9.0]), np.array([0.9, 0.5, 0.5, 1.0])
    assert matching(made, sure, at=3.0, within=5.0) == 0
    assert matching(made, sure, at=3.0, within=1.0) == 2
    assert matching(made, sure, at=0.5, within=9.0) == -1
    with pytest.raises(ValueError, match="shapes differ"):
        matching(made, sure[:1], at=0.5, within=9.0)


def test_a_surprise_raises_importance_and_the_first_q() -> None:
    assert [raised_importance(base, 0.75, weights=LITERAL) for base in (1, 2, 3, 5)] == [2, 4, 5, 5]
    assert [
        raised_importance(3, score, weights=SurpriseWeights()) for score in (0.7, 0.71, 0.85, 0.9)
    ] == [3, 4, 4, 5]
    assert raised_importance(5, 0.9, weights=SurpriseWeights()) == 5
    assert initial_q(0.7, weights=WEIGHTS) == 0.5
    assert initial_q(1.0, weights=WEIGHTS) == pytest.approx(0.7)
    assert initial_q(1.0, weights=SurpriseWeights(threshold=1.0)) == 0.5
    with pytest.raises(ValueError, match="out of range"):
        raised_importance(6, 0.5, weights=LITERAL)
    with pytest.raises(ValueError, match="out of range"):
        initial_q(1.5, weights=WEIGHTS)


def test_the_raw_quotient_is_kept_beside_what_it_is_brought_to() -> None:
    found = measured(1.0, Usual(0.1, 0.1), weights=WEIGHTS)
    assert found.quotient == pytest.approx(1 / 0.101)
    assert found.deviations == pytest.approx(9)
    assert found.surprise == pytest.approx(0.9083, abs=1e-4)
    assert found.ground == "quotient"
