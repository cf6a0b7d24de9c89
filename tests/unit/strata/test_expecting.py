"""Signs that an outcome in words is another than was expected."""

from __future__ import annotations

import pytest

from graph.expecting.texts import TextScale, apart, contradicts


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
        ("The parcel comes within three weeks.", "It came after twelve days.", False),
        ("The parcel comes within three weeks.", "It came after forty days.", True),
        ("The club orders 45 shirts.", "They asked for forty-five shirts.", False),
        ("The walk takes at most forty minutes.", "It took us eighty minutes.", True),
        ("The oven reaches 250 degrees.", "It got up to 252.", False),
        ("The oven reaches 250 degrees.", "It stopped at 230.", True),
        ("There are no more than 5 errors.", "3 errors", False),
        ("There are no more than 5 errors.", "9 errors", True),
        ("There are no fewer than 5 guests.", "3 guests", True),
    ],
)
def test_numbers_are_compared_in_order_and_by_their_bounds(
    expected: str, actual: str, other: bool
) -> None:
    assert contradicts(expected, actual) is other


@pytest.mark.parametrize(
    ("expected", "actual", "other"),
    [
        ("Bea works on Saturday.", "Jonny stood in for Bea on Saturday.", True),
        ("Bea works on Saturday.", "Jonny came instead of Bea.", True),
        ("Bea stands in for Jonny.", "Bea stood in for Jonny.", False),
        ("Bea works on Saturday.", "Bea stood in for Jonny on Saturday.", False),
        ("Bea works on Saturday.", "Bea came in at half past seven on Saturday.", False),
        ("The flour arrives on Tuesday.", "The flour was dropped off Tuesday at 8.", False),
        ("The heater is on.", "The heater is off.", True),
        ("The lift is repaired by Friday.", "It was running again on Thursday.", False),
        ("The lift is repaired by Friday.", "It was running again on Saturday.", True),
        ("They sing on Saturday evening.", "They sang on Saturday morning.", True),
    ],
)
def test_substitutes_and_times_are_told_apart(expected: str, actual: str, other: bool) -> None:
    assert contradicts(expected, actual) is other


def test_a_bound_that_is_kept_speaks_for_the_outcome() -> None:
    scale, hoped = TextScale(unlike=0.4, alike=0.8), "The kiln reaches 1200 degrees."
    near, read = 0.56, -0.3
    assert apart(hoped, "It got up to 1215 by midnight.", near, scale, read=read) <= 0.05
    assert apart(hoped, "It was hot by midnight.", near, scale, read=read) > 0.5
