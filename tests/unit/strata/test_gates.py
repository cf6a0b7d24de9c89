"""What a run of the gates decides, by example."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graph.scoring.gates import (
    Action,
    Reason,
    StratumColumns,
    Verdicts,
    displaced,
    making_room,
    verdicts,
)
from graph.scoring.strata import POLICIES

DEFAULTS: dict[str, float | bool] = {
    "owner": 0,
    "initial": 1.0,
    "anchored_at": 0.0,
    "grace_until": -math.inf,
    "counted_from": 0.0,
    "entered_at": 0.0,
    "importance": 3.0,
    "accesses": 0.0,
    "utility": 0.5,
    "surprise": 0.0,
    "evidence": False,
    "asked": True,
}


def columns(*rows: dict[str, Any]) -> StratumColumns:
    made = {name: [row.get(name, value) for row in rows] for name, value in DEFAULTS.items()}
    return StratumColumns(
        **{  # pyright: ignore[reportArgumentType] -- each has the type of its default
            name: np.array(values, dtype=type(DEFAULTS[name])) for name, values in made.items()
        }
    )


def decided(found: Verdicts) -> list[tuple[Action, Reason]]:
    return [
        (Action(action), Reason(reason))
        for action, reason in zip(found.action, found.reason, strict=True)
    ]


def judged(stratum: str, now: float, *rows: dict[str, Any], **changed: Any) -> Verdicts:
    return verdicts(columns(*rows), replace(POLICIES[stratum], **changed), now=now)


def test_a_newborn_is_not_raised_for_being_new() -> None:
    found = judged("episodic", 0.0, {"importance": 3.0}, {"importance": 5.0})
    assert decided(found) == [
        (Action.KEEP, Reason.WITHIN_TIME),
        (Action.KEEP, Reason.DWELLS_TOO_SHORT),
    ]
    assert found.weight.tolist() == [1, 1]
    assert (found.measured[1], found.limit[1]) == (0, 7)


def test_what_matters_surprises_or_was_rewarded_rises_after_its_dwell() -> None:
    found = judged(
        "episodic",
        8.0,
        {"importance": 5.0},
        {"importance": 4.0},
        {"importance": 4.0, "surprise": 0.4},
        {"importance": 3.0, "initial": 1.5},
    )
    assert [action for action, _ in decided(found)] == [
        Action.PROMOTE,
        Action.KEEP,
        Action.PROMOTE,
        Action.KEEP,
    ]
    assert found.limit.tolist() == [0.8] * 4
    assert found.measured.tolist() == found.score.tolist()
    twice = judged("episodic", 8.0, {"importance": 3.0, "initial": 2.0})
    assert decided(twice) == [(Action.PROMOTE, Reason.SCORE_REACHED)]


def test_at_the_end_of_its_time_it_is_condensed_or_archived() -> None:
    found = judged(
        "short_term", 1.0, {"importance": 3.0}, {"importance": 1.0}, {"counted_from": 0.5}
    )
    assert decided(found) == [
        (Action.CONDENSE, Reason.TIME_OVER),
        (Action.ARCHIVE, Reason.TIME_OVER_FADED),
        (Action.KEEP, Reason.WITHIN_TIME),
    ]


def test_time_is_counted_from_the_recording_and_not_from_the_anchor() -> None:
    found = judged("working", 30.5 / 1440, {"anchored_at": 30 / 1440})
    assert decided(found)[0][0] is Action.CONDENSE


def test_what_hardly_counts_sinks_after_its_dwell_and_never_out_of_semantic() -> None:
    faded = {"importance": 1.0, "utility": 0.0}
    found = judged("episodic", 15.0, faded, faded | {"entered_at": 10.0})
    assert decided(found) == [
        (Action.DEMOTE, Reason.SCORE_TOO_LOW),
        (Action.KEEP, Reason.DWELLS_TOO_SHORT),
    ]
    assert judged("long_term", 100.0, faded).action.tolist() == [Action.DEMOTE]
    assert judged("semantic", 9999.0, faded).action.tolist() == [Action.KEEP]


def test_what_was_stored_without_a_stratum_is_never_touched() -> None:
    rows = [{"asked": False, "importance": importance} for importance in (1.0, 5.0)]
    found = judged("long_term", 9999.0, *rows, capacity=0, retention=1.0)
    assert decided(found) == [(Action.KEEP, Reason.NOT_ASKED)] * 2
    assert not found.flagged.any()


def test_over_capacity_the_lowest_scores_of_an_agent_go_and_evidence_last() -> None:
    found = judged(
        "episodic",
        1.0,
        {"initial": 0.9},
        {"initial": 0.1, "evidence": True},
        {"initial": 0.3},
        {"initial": 0.2},
        {"initial": 0.01, "owner": 1},
        capacity=2,
    )
    assert [action is Action.PURGE for action, _ in decided(found)] == [
        False, False, True, True, False,
    ]  # fmt: skip
    assert found.measured[[3, 2]].tolist() == [1, 2]
    assert found.limit[[3, 2]].tolist() == [2, 2]
    none_left = judged("episodic", 1.0, {"evidence": True}, {"initial": 0.5}, capacity=0)
    assert decided(none_left) == [
        (Action.PURGE, Reason.OVER_CAPACITY_EVIDENCE),
        (Action.PURGE, Reason.OVER_CAPACITY),
    ]
    assert none_left.flagged.tolist() == [True, False]


def test_importance_outweighs_a_few_seconds_of_age() -> None:
    minute = 1 / 1440
    older = {"importance": 3.0}
    newer = {"importance": 2.0, "anchored_at": 0.5 * minute}
    found = judged("working", minute, older, newer, capacity=1)
    assert decided(found) == [
        (Action.KEEP, Reason.WITHIN_TIME),
        (Action.PURGE, Reason.OVER_CAPACITY),
    ]
    assert found.weight[0] < found.weight[1]
    assert found.score.round(3).tolist() == [0.6, 0.4]


def test_smart_eviction_of_working_takes_what_is_kept_elsewhere_then_the_oldest() -> None:
    found = judged(
        "working",
        0.001,
        {"counted_from": 0.0003, "importance": 1.0},
        {"counted_from": 0.0001, "importance": 5.0},
        {"counted_from": 0.0002, "importance": 5.0, "evidence": True},
        {"counted_from": 0.0002, "importance": 3.0},
        capacity=2,
        eviction="consolidated",
    )
    assert decided(found) == [
        (Action.KEEP, Reason.WITHIN_TIME),
        (Action.PURGE, Reason.OVER_CAPACITY),
        (Action.PURGE, Reason.OVER_CAPACITY_EVIDENCE),
        (Action.KEEP, Reason.WITHIN_TIME),
    ]


def test_smart_eviction_of_long_term_takes_the_least_important() -> None:
    found = judged(
        "long_term",
        1.0,
        {"importance": 4.0, "initial": 0.5},
        {"importance": 3.0, "initial": 2.0},
        {"importance": 5.0, "initial": 0.2, "evidence": True},
        capacity=2,
        eviction="importance",
        promote_at=math.inf,
    )
    assert found.action.tolist() == [Action.KEEP, Action.PURGE, Action.KEEP]


def test_smart_eviction_counts_what_was_put_there_and_moves_it_for_nothing_else() -> None:
    rows = [{"asked": False, "importance": each, "initial": 0.0} for each in (4.0, 1.0)]
    of = {"capacity": 1, "eviction": "importance", "retention": 1.0}
    found = judged("long_term", 9999.0, *rows, **of)
    assert decided(found) == [
        (Action.KEEP, Reason.NOT_ASKED),
        (Action.PURGE, Reason.OVER_CAPACITY),
    ]
    assert judged("long_term", 9999.0, *rows, **of | {"capacity": 2}).action.tolist() == [0, 0]


def test_what_does_not_pass_the_gate_stays_and_goes_when_its_time_is_over() -> None:
    rows = replace(columns(*[{"importance": 5.0}] * 2), passes=np.array([True, False]))
    policy = POLICIES["working"]
    for now, actions in (
        (0.01, [Action.PROMOTE, Action.KEEP]),
        (0.03, [Action.PROMOTE, Action.ARCHIVE]),
    ):
        assert verdicts(rows, policy, now=now).action.tolist() == actions


def test_what_just_came_in_is_spared_until_something_else_comes() -> None:
    minute, policy = 1 / 1440, replace(POLICIES["working"], capacity=2)
    new = {"importance": 1.0, "entered_at": minute, "counted_from": minute, "anchored_at": minute}
    keep, purge = Action.KEEP, Action.PURGE

    def leaving(now: float, *rows: dict[str, float]) -> list[Action]:
        return [Action(action) for action in making_room(columns(*rows), policy, now=now).action]

    assert leaving(minute, {"importance": 3.0}, {"importance": 4.0}, new) == [purge, keep, keep]
    newer = new | {"entered_at": 2 * minute}
    assert leaving(2 * minute, {"importance": 4.0}, new, newer) == [keep, purge, keep]
    assert leaving(minute, new, new, new) == [purge, keep, keep]


def test_what_leaves_anyway_makes_room() -> None:
    rows = [{"counted_from": -40.0}, {"initial": 0.5}, {"initial": 0.9}]
    found = judged("episodic", 1.0, *rows, capacity=2)
    assert Action.PURGE not in found.action


def test_for_something_new_what_is_due_goes_first_and_no_more_than_has_to() -> None:
    hour = 1 / 24
    expired = {"importance": 1.0, "counted_from": -hour, "anchored_at": -hour}
    rising = {"importance": 5.0, "initial": 2.0}
    faded = {"initial": 0.2, "entered_at": hour}
    rows = columns(expired, rising, faded, {"entered_at": hour}, {"entered_at": hour})

    def leaving(capacity: int) -> list[Action]:
        policy = replace(POLICIES["working"], capacity=capacity, retention=1.5 * hour)
        return [Action(action) for action in making_room(rows, policy, now=hour).action]

    keep = Action.KEEP
    assert leaving(5) == [keep] * 5
    assert leaving(4) == [Action.ARCHIVE, keep, keep, keep, keep]
    assert leaving(3) == [Action.ARCHIVE, Action.PROMOTE, keep, keep, keep]
    assert leaving(2) == [Action.ARCHIVE, Action.PROMOTE, Action.PURGE, keep, keep]


def test_a_working_memory_can_be_kept() -> None:
    """The code that the strata come from dropped every working memory at its first gate."""
    assert judged("working", 5 / 1440, {}).action.tolist() == [Action.KEEP]


def test_room_is_made_for_those_who_come() -> None:
    owner, weight = np.array([0, 0, 1]), np.array([0.5, 0.5, 0.1])
    none = np.zeros(3, bool)
    leaves, place, surplus = displaced(owner, weight, none, capacity=2, arriving=1)
    assert leaves.tolist() == [True, False, False]
    assert place.tolist() == [1, 2, 1]
    assert surplus.tolist() == [1, 1, 0]
    assert displaced(owner, weight, none, capacity=1, arriving=9)[0].all()
    assert not displaced(owner, weight, none, capacity=math.inf, arriving=9)[0].any()
    assert displaced(owner[:0], weight[:0], none[:0], capacity=1)[0].tolist() == []


@pytest.mark.parametrize(("capacity", "arriving", "rows"), [(-1, 0, 3), (1, -1, 3), (1, 0, 2)])
def test_no_room_below_none(capacity: float, arriving: int, rows: int) -> None:
    owner, weight = np.zeros(rows, int), np.zeros(3)
    with pytest.raises(ValueError, match="columns differ"):
        displaced(owner, weight, np.zeros(3, bool), capacity=capacity, arriving=arriving)


def test_an_empty_stratum_has_nothing_to_decide() -> None:
    assert judged("episodic", 1.0).action.tolist() == []
