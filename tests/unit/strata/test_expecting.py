"""Signs that an outcome in words is another than was expected."""

from __future__ import annotations

import pytest

from graph.expecting.texts import contradicts


@pytest.mark.parametrize(
    ("expected", "actual", "other"),
    [
        ("Anna wins the match.", "Bea won the match.", True),
        ("Marcus signs the lease.", "Julia signed the lease yesterday.", True),
        ("Anna wins the match.", "Anna won the match.", False),
        ("Anna wins the match.", "She won the match.", False),
        ("Anna wins the match.", "Match won in three sets.", False),
        ("Bea gives the talk.", "Great talk by Bea.", False),
        ("Anna wins.", "Victory.", False),
        ("Anna is elected chair.", "Bea was elected chair.", True),
        ("Opens the door.", "Opened the door.", False),
        ("Deletes the old files.", "Removed the old files.", False),
        ("Sends two mails to Bea.", "Sent two mails to Bea.", False),
        ("deploys twice on staging", "deployed twice on staging", False),
    ],
)
def test_another_name_in_the_same_role_is_another_outcome(
    expected: str, actual: str, other: bool
) -> None:
    assert contradicts(expected, actual) is other


@pytest.mark.parametrize(
    ("expected", "actual", "other"),
    [
        ("The export has 1,000 rows.", "The export had 1000 rows.", False),
        ("The export has 1,000 rows.", "The export had 1200 rows.", True),
        ("Her pressure stays under 140 over 90.", "The cuff said 171 over 99.", True),
        ("Her pressure stays under 140 over 90.", "The cuff said 128 over 82.", False),
        ("It takes at least two hours.", "It took three hours.", False),
        ("It takes at least two hours.", "It took one hour.", True),
        ("The parcel comes within 5 days.", "It came on day 3.", False),
    ],
)
def test_numbers_are_compared_in_order_and_by_their_bounds(
    expected: str, actual: str, other: bool
) -> None:
    assert contradicts(expected, actual) is other
