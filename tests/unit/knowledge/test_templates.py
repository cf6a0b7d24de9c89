"""Values in a request that become a wildcard of its template."""

from __future__ import annotations

import pytest

from graph.knowledge.templates import masked


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Mark 5 orders as read", "mark", "5"),
        ("Decline 3 offers", "decline", "3"),
        ("Move it to May 3rd, 2026", "move", "may"),
        ("Move it to the 4th of September", "move", "september"),
    ],
)
def test_a_verb_that_begins_like_a_month_stays(text: str, kept: str, gone: str) -> None:
    said = str(masked(text)).casefold()
    assert kept in said
    assert gone not in said
