"""What is read of a uid."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ulid import ULID

from graph.database.uids import before

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def test_before_a_uid_lie_those_made_earlier_and_no_later_ones() -> None:
    uid = str(ULID.from_datetime(NOON))
    since = before(uid, 60_000)
    assert str(ULID.from_datetime(NOON - timedelta(seconds=61))) < since
    assert since < str(ULID.from_datetime(NOON - timedelta(seconds=60)))
    assert before(uid, 0) == uid[:10]


def test_before_what_is_no_ulid_or_the_first_of_all_lies_nothing() -> None:
    assert before("made by hand", 1) == ""
    assert before("", 1) == before("0" * 26, 1) == "0" * 10
