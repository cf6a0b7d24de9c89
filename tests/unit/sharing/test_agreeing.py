"""How statements stand to each other, what is gathered of them, and who holds what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from graph.model.sharing.agreements import Saying, Vote, stances
from graph.replacing.agreeing import Nearness, can_be_compared, group_agreeing, relation_of
from graph.scoring.confidence import agreement_bounds

NEAR = Nearness(0.92, 0.75, 0.8)
OTHER_NOTATION = Nearness(0.87, 0.71, 0.69)
DAY = timedelta(days=1)
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other", "near", "expected"),
    [
        ("Logs are kept for 14 days.", "We keep logs for 14 days.", NEAR, "same"),
        ("Logs are kept for 14 days.", "Logs are kept for 60 days.", NEAR, "contradicts"),
        ("The gate closes at 18:00.", "The gate closes at 6 pm.", OTHER_NOTATION, "same"),
        ("It holds 2,000 metres.", "It holds 2 km.", OTHER_NOTATION, "same"),
        ("Tea costs £1.50.", "Tea costs 1.5 pounds.", OTHER_NOTATION, "same"),
        ("Tea costs £1.50.", "Tea costs $1.50.", OTHER_NOTATION, "contradicts"),
        ("It delivers 96 cubic metres per hour.", "It delivers 48 m3/h.", NEAR, "contradicts"),
        ("We pay on the 15th.", "We pay on the 30th of the month.", NEAR, "contradicts"),
        ("Anna can walk alone.", "Anna cannot walk alone.", NEAR, "contradicts"),
        ("The order is paid.", "The order is unpaid.", NEAR, "contradicts"),
        ("It is in the lower fridge.", "It is in the upper fridge.", NEAR, "contradicts"),
        ("Room 12 is locked.", "Room 13 is locked.", NEAR, None),
        ("Mr. Oduya is asleep.", "Mrs. Oduya is asleep.", NEAR, None),
        ("Is the shop open?", "The shop is open.", NEAR, None),
        ("The shop is open.", "The shop is open today.", Nearness(0.92, None, 0.1), None),
        ("The shop is open.", "The shop is open today.", Nearness(0.6, None, 0.9), None),
        ("The shop is open.", "The shop is open now.", Nearness(0.95, None, None), "same"),
    ],
)
def test_statements_are_compared(
    one: str, other: str, near: Nearness, expected: str | None
) -> None:
    assert relation_of(one, other, near) == expected
    assert relation_of(other, one, near) == expected


def test_things_of_other_numbers_are_not_compared() -> None:
    assert not can_be_compared("Bed 4 is free.", "Bed 7 is free.")


def test_what_contradicts_each_other_is_never_gathered() -> None:
    same = [(0, 1, 0.9), (1, 2, 0.95), (2, 3, 0.9)]
    groups = group_agreeing(5, same, [(0, 3)])
    assert sorted(place for group in groups for place in group) == [0, 1, 2, 3, 4]
    assert not any({0, 3} <= set(group) for group in groups)


def _saying(agent: str, day: int) -> Saying:
    return Saying(f"{agent}-{day}", agent, "text", FIRST + day * DAY)


def test_an_agent_counts_once_by_what_it_said_or_voted_last() -> None:
    held, against = (
        [_saying("anna", 1), _saying("bert", 2)],
        [_saying("carl", 1), _saying("anna", 3)],
    )
    votes = [
        Vote("carl", "anna-1", agrees=True, at=FIRST + 5 * DAY),
        Vote("dora", "carl-1", agrees=True, at=FIRST),
        Vote("emil", "carl-1", agrees=False, at=FIRST),
        Vote("bert", "bert-2", agrees=False, at=FIRST + 2 * DAY),
    ]
    told = stances(held, against, votes)
    assert told == [("anna", False), ("bert", False), ("carl", True), ("dora", False)]


def test_bounds_tighten_with_more_agents() -> None:
    few, many = agreement_bounds(np.array([2.0, 20.0]), np.array([1.0, 10.0]))
    assert few[0] < many[0] < 2 / 3 < many[1] < few[1]
    assert agreement_bounds(np.array([0.0]), np.array([0.0])).tolist() == [[0.0, 1.0]]
    with pytest.raises(ValueError, match="count"):
        agreement_bounds(np.array([-1.0]), np.array([0.0]))
