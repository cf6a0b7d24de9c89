from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph.questions.periods import Event, periods

NOW = datetime(2026, 6, 10, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What happened in early May?", "2026-05-01", "2026-05-11"),
        ("in mid-March who visited", "2026-03-11", "2026-03-21"),
        ("What did she do at the end of April 2026", "2026-04-21", "2026-05-01"),
        ("in late May", "2026-05-21", "2026-06-01"),
        ("the beginning of last month", "2026-05-01", "2026-05-11"),
        ("What did we decide last week?", "2026-06-01", "2026-06-08"),
        ("What happened in August of last year?", "2025-08-01", "2025-09-01"),
        ("who came on 3 May last year", "2025-05-03", "2025-05-04"),
        ("last year in August", "2025-08-01", "2025-09-01"),
        ("in the summer of last year", "2025-06-01", "2025-09-01"),
        ("in March this year", "2026-03-01", "2026-04-01"),
        ("in the mill last year", "2025-01-01", "2026-01-01"),
        ("plans this month", "2026-06-01", "2026-07-01"),
        ("what was said yesterday", "2026-06-09", "2026-06-10"),
        ("what happened two weeks ago", "2026-05-27", "2026-05-28"),
        ("What's on the 3rd of June?", "2026-06-03", "2026-06-04"),
        ("on 2026-02-14", "2026-02-14", "2026-02-15"),
        ("since March, what changed?", "2026-03-01", "9999-01-01"),
        ("who called before 3 May", "0001-01-02", "2026-05-03"),
        ("What did I eat on Friday", "2026-06-05", "2026-06-06"),
        ("in the first week of May", "2026-05-01", "2026-05-08"),
        ("the last week of May", "2026-05-25", "2026-06-01"),
        ("on the last two days of May", "2026-05-30", "2026-06-01"),
        ("over the weekend of 3 May", "2026-05-02", "2026-05-04"),
        ("in spring who came", "2026-03-01", "2026-06-01"),
        ("last winter", "2025-12-01", "2026-03-01"),
        ("in winter 2025", "2025-12-01", "2026-03-01"),
        ("in December", "2025-12-01", "2026-01-01"),
    ],
)
def test_a_period_is_read(text: str, start: str, end: str) -> None:
    [span] = periods(text, NOW).spans
    assert span.start.date().isoformat() == start
    assert span.end.date().isoformat() == end


@pytest.mark.parametrize(
    "text",
    [
        "May I bring nuts?",
        "summer tires?",
        "When is the standup?",
        "March on",
        "the spring of the lid",
    ],
)
def test_what_names_no_time_has_no_period(text: str) -> None:
    found = periods(text, NOW)
    assert found.spans == ()
    assert found.event is None


def test_the_latest_and_the_former_are_asked_for() -> None:
    assert periods("latest on FerryCo", NOW).latest
    assert periods("Where did she live before?", NOW).former
    assert periods("What did it used to cost", NOW).former
    assert periods("Where did she use to live?", NOW).former
    assert not periods("Where does she live?", NOW).former
    assert not periods("Which knife do we use to cut bread?", NOW).former


def test_an_event_stands_for_its_time() -> None:
    assert periods("anything new since the move?", NOW).event == Event("the move", after=True)
    assert periods("before the flood", NOW).event == Event("the flood", after=False)


@pytest.mark.parametrize(
    "text", ["Until when does the contract run?", "Since when has she worked there?"]
)
def test_who_asks_until_when_names_no_event(text: str) -> None:
    assert periods(text, NOW).event is None
