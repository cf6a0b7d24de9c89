"""Time from which a note says that it holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph.replacing.onset import onset

WEDNESDAY = datetime(2026, 6, 17, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 1 July the booster is 68 euros.", "2026-07-01"),
        ("The booster costs 68 euros from the coming September on.", "2026-09-01"),
        ("Starting tomorrow the gate is closed.", "2026-06-18"),
        ("From Monday the standup is at 10.", "2026-06-22"),
        ("As of next week Ann leads the team.", "2026-06-22"),
        ("The visa fee is 90 dollars from 2027 onwards.", "2027-01-01"),
        ("From next March the fee is 3 euros.", "2027-03-01"),
        ("From mid July the pool is closed.", "2026-07-11"),
        ("Effective 2026-08-01 the quota is 50.", "2026-08-01"),
    ],
)
def test_a_later_time_is_read(text: str, day: str) -> None:
    assert onset(text, WEDNESDAY) == datetime.fromisoformat(day).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "The booster is 68 euros.",
        "As of March the choir meets in room 7.",
        "Starting in June the book club meets on Fridays.",
        "From last week on he works at Bosch.",
        "From Monday to Friday we open at 8.",
        "As of now it is 5.",
        "As of this week Ann leads the team.",
        "Starting next term the class is in room 4.",
        "From 31 February the fee is 3 euros.",
    ],
)
def test_what_began_or_is_not_known_is_no_later_time(text: str) -> None:
    assert onset(text, WEDNESDAY) is None
