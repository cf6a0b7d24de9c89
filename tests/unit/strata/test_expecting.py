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
