"""What is learned of the outcomes of a context, and how it judges the next one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from graph.kernel.values import Vector
from graph.model.strata.surprises import MomentumKey, MomentumState, SurpriseRecord
from graph.scoring.forecasts import Observed, Outcomes, SwitchWeights
from graph.scoring.momentum import SurpriseWeights
from graph.scoring.outcomes import (
    MET,
    Numbers,
    OutcomeWeights,
    Words,
    student_loss,
    student_tail,
    tail_of_ratio,
    tail_surprise,
)
from service.use_cases.strata.surprising import Event

WEIGHTS = OutcomeWeights()
SAID = {"status": "success", "duration": 100}
FAILED = {"status": "failure", "duration": 500}
START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS: tuple[str, ...] = ("success", "failure", "rome", "oslo")
BASIS: dict[str, Vector] = dict(zip(WORDS, np.eye(4, dtype=np.float32), strict=True))

TEXTS: dict[str, Vector] = {
    "rome it is": np.eye(4, dtype=np.float32)[0],
    "oslo it is": np.eye(4, dtype=np.float32)[1],
}

States = dict[MomentumKey, MomentumState]


def event(expected: Any, actual: Any, place: int = 0, **changes: Any) -> Event:
    at = START + timedelta(minutes=place)
    made = Event(
        uid=f"event-{place}",
        scope="local/agent/anna",
        context="api-call",
        expected=expected,
        actual=actual,
        at=at,
        expires_at=at + timedelta(days=90),
        weights=SurpriseWeights(),
        vectors=BASIS,
    )
    return replace(made, **changes)


def told(states: States, pairs: list[tuple[Any, Any]], **changes: Any) -> list[SurpriseRecord]:
    found: list[SurpriseRecord] = []
    for place, (expected, actual) in enumerate(pairs):
        record, moved = event(expected, actual, place, **changes).decide(states)
        states |= moved
        found.append(record)
    return found


def rising() -> list[tuple[Any, Any]]:
    return [(SAID, {"status": "success", "duration": 100 + n}) for n in range(10)]


def test_routine_stays_routine_and_a_failure_surprises() -> None:
    """Durations of 100 to 109 where 100 was said are next to a failure in the literal formula."""
    states: States = {}
    scores = [record.score for record in told(states, rising())]
    [failure] = told(states, [(SAID, FAILED)])
    assert max(scores) < 0.2
    assert failure.score > 0.7
    assert failure.surprising
    assert (failure.form, failure.observations, failure.ground) == ("learned", 10, "learned")
    assert failure.type == "unexpected_error"
    literal = told({}, [*rising(), (SAID, FAILED)], weights=SurpriseWeights(literal=True))
    assert max(record.score for record in literal[:-1]) > 0.2
    assert {record.form for record in literal} == {"fixed"}


def test_the_answer_says_what_was_expected() -> None:
    states: States = {}
    told(states, rising())
    [found] = told(states, [(SAID, FAILED)])
    by_path = {one.path: one for one in found.forecast}
    duration, status = by_path["duration"], by_path["status"]
    assert duration.low is not None
    assert duration.high is not None
    assert isinstance(duration.value, float)
    assert 100 < duration.value < 110
    assert duration.low < duration.value < duration.high < 500
    assert status.value == "success"
    assert status.probability is not None
    assert status.probability > 0.9
    assert max(duration.tail, status.tail) < 0.01
    assert found.lead > 0
    assert sum(one.share for one in found.contributions) == pytest.approx(1)


def test_what_fails_often_surprises_no_more_and_a_rare_failure_still_does() -> None:
    often: States = {}
    told(often, [(SAID, SAID if n % 2 else FAILED) for n in range(40)])
    rarely: States = {}
    told(rarely, [(SAID, SAID if n % 20 else FAILED) for n in range(40)])
    [usual], [odd] = (told(states, [(SAID, FAILED)]) for states in (often, rarely))
    assert usual.form == odd.form == "learned"
    assert usual.score < 0.2
    assert odd.score > 0.7 > 0.2 > usual.score


def test_a_context_that_the_fixed_form_predicts_better_keeps_it() -> None:
    """Numbers that come exactly as said, of every size, and then one that does not say anything new."""
    state = Outcomes(events=50, lead=-0.5)
    assert state.form((), SwitchWeights()) == "fixed"
    assert replace(state, lead=0.5).form((), SwitchWeights()) == "learned"
    assert replace(state, lead=0.5, events=2).form((), SwitchWeights()) == "fixed"
    fixed = told({}, [*rising(), (SAID, FAILED)], learning=False)
    assert {(one.form, one.observations, one.forecast) for one in fixed} == {("fixed", 0, ())}


def test_a_single_outcome_wins_or_loses_no_more_than_its_share() -> None:
    after = Outcomes().updated((), (1e6, -1.0), WEIGHTS, SwitchWeights())
    assert after.lead == pytest.approx((2.0 - 1.0) / 2)
    assert Outcomes(lead=1.0).updated((), (), WEIGHTS, SwitchWeights()).lead == pytest.approx(0.98)


def test_a_number_follows_what_was_said() -> None:
    """A job that takes 1.3 times what was said is usual at any size."""
    rng = np.random.default_rng(1)
    states: States = {}
    pairs = [
        ({"duration": float(said)}, {"duration": 1.3 * float(said)})
        for said in rng.integers(50, 500, 30)
    ]
    told(states, pairs)
    [usual] = told(states, [({"duration": 1000.0}, {"duration": 1310.0})])
    assert (usual.form, usual.score < 0.2) == ("learned", True)
    [odd] = told(states, [({"duration": 1000.0}, {"duration": 400.0})])
    assert odd.surprising


def test_without_an_expectation_the_context_expects() -> None:
    states: States = {}
    pairs = [(None, {"duration": 100.0 + n % 7, "status": "success"}) for n in range(30)]
    seen = told(states, pairs, similarities=np.array([0.9]))
    assert seen[0].form == "fixed"
    assert seen[-1].form == "learned"
    assert seen[-1].score < 0.2
    [found] = told(
        states, [(None, {"duration": 900.0, "status": "success"})], similarities=np.array([0.9])
    )
    assert found.surprising
    assert found.type == "performance_deviation"
    assert found.violation == found.score


def test_a_missing_field_and_a_new_error_surprise_once_all_was_there() -> None:
    states: States = {}
    told(states, [(SAID, SAID)] * 20)
    [gone] = told(dict(states), [(SAID, {"status": "success"})])
    [broken] = told(dict(states), [(SAID, {**SAID, "error": "no route"})])
    assert gone.surprising
    assert broken.surprising
    told(states, [(SAID, {"status": "success"})] * 20)
    [usual] = told(states, [(SAID, {"status": "success"})])
    assert not usual.surprising


def test_words_are_kept_as_hashes_but_for_those_of_an_ending() -> None:
    states: States = {}
    told(states, [(None, {"city": "Rome", "status": "success"})] * 5, similarities=np.zeros(0))
    [found] = [state for (_, name), state in states.items() if name.startswith("expected:")]
    kept = found.outcomes["paths"]
    assert list(kept[":status"]) == ["success"]
    assert "rome" not in repr(kept).casefold()
    [seen] = told(states, [(None, {"city": "Rome"})], similarities=np.zeros(0))
    [other] = told(states, [(None, {"city": "Oslo"})], similarities=np.zeros(0))
    assert seen.forecast[0].value == "rome"  # what came says what the hash stands for
    assert other.forecast[0].value is None


def test_memory_is_constant_whatever_comes() -> None:
    states: States = {}
    told(states, [(None, {f"key {n}": f"word {n}", "id": f"x{n}"}) for n in range(300)],
         similarities=np.zeros(0))  # fmt: skip
    [found] = [state for (_, name), state in states.items() if name.startswith("expected:")]
    kept = Outcomes.read(found.outcomes)
    assert len(kept.paths) <= WEIGHTS.most_paths
    ids = kept.paths[":id"]
    assert isinstance(ids, Words)
    assert len(ids.counts) <= WEIGHTS.most_words
    assert kept.events == 300
    [new] = told(states, [(None, {"id": "never seen"})], similarities=np.array([0.9]))
    assert not new.surprising  # what is always another is no surprise


def test_what_is_stored_is_what_was_learned() -> None:
    kept = Outcomes({"=a": Numbers(1.0, 2.0, 3.0, 4.0), ":b": Words({MET: 2.0})}, 7, -0.25)
    assert Outcomes.read(kept.stored) == kept
    assert Outcomes.read({}) == Outcomes()


def test_one_outlier_does_not_widen_what_is_usual() -> None:
    calm = Numbers()
    for n in range(20):
        calm = calm.updated(100.0 + n % 3, 100.0, WEIGHTS)
    after = calm.updated(1e9, 100.0, WEIGHTS)
    forecast = after.forecast(100.0, WEIGHTS)
    assert forecast is not None
    assert forecast.value() < 120
    assert forecast.judge(1e6).tail < 0.01


def test_a_shift_becomes_usual() -> None:
    numbers = Numbers()
    for value in [100.0] * 30 + [180.0] * 30:
        numbers = numbers.updated(value, 100.0, WEIGHTS)
    forecast = numbers.forecast(100.0, WEIGHTS)
    assert forecast is not None
    assert tail_surprise(forecast.judge(180.0).tail) < 0.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: student_loss(0.0, 0.0, 1.0), "must be positive"),
        (lambda: student_tail(0.0, 0.5), "at least 1"),
        (lambda: tail_of_ratio(0.0), "must lie in"),
        (lambda: tail_surprise(1.5), "must lie in"),
    ],
)
def test_what_is_out_of_range_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def sentences(count: int, state: Outcomes, met: bool = True) -> Outcomes:
    """A context after as many expectations in words, each another."""
    for number in range(count):
        one = Observed("value", f"~value#{number}", "text", MET if met else "unmet", MET)
        state = state.updated((one,), (1.0,), WEIGHTS, SwitchWeights())
    return state


def test_how_often_other_sentences_came_true_tells_nothing_of_a_new_one() -> None:
    switch, state = SwitchWeights(), sentences(6, Outcomes())
    known = Observed("value", "~value#0", "text", MET, MET)
    number = Observed("seconds", "=seconds", "number", 3.0, 3.0)
    assert state.has_new_sentence((number, known), switch)
    assert state.form((known,), switch) == "fixed"
    assert state.form((number,), switch) == "learned"
    for _ in range(2):
        state = state.updated((known,), (1.0,), WEIGHTS, switch)
    assert state.form((known,), switch) == "learned"


def test_sentences_make_way_for_what_else_is_learned() -> None:
    switch, most = SwitchWeights(), WEIGHTS.most_paths
    state = sentences(most + 5, Outcomes())
    assert len(state.paths) == most
    number = Observed("seconds", "=seconds", "number", 3.0, 3.0)
    state = state.updated((number,), (), WEIGHTS, switch)
    assert len(state.paths) == most
    assert "=seconds" in state.paths
    numbers = [Observed(f"n{n}", f"=n{n}", "number", 1.0, 1.0) for n in range(most)]
    state = state.updated(numbers, (), WEIGHTS, switch).updated((number,), (), WEIGHTS, switch)
    late = Observed("late", "=late", "number", 1.0, 1.0)
    assert "=late" not in state.updated((late,), (), WEIGHTS, switch).paths


def test_the_same_sentence_again_and_again_is_learned() -> None:
    states: States = {}
    told(states, [("rome it is", "oslo it is")] * 4, vectors=TEXTS)
    [again] = told(states, [("rome it is", "oslo it is")], vectors=TEXTS)
    assert again.form == "learned"
    assert again.score < 0.2
