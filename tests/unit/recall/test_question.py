from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np
import pytest

from service.use_cases.recall.question import NamedDate, understand


def day(year: int, month: int, day: int) -> float:
    return float((date(year, month, day) - date(1970, 1, 1)).days)


NOW = datetime(2026, 6, 10, 9, tzinfo=UTC)


def test_the_whole_question_is_embedded_and_function_words_give_no_term() -> None:
    asked = understand("What did the committee decide about the bridge?", ())
    assert asked.text == "What did the committee decide about the bridge?"
    assert asked.terms == ("committee", "decide", "bridge")


def test_pronouns_and_function_words_alone_give_no_term() -> None:
    asked = understand("What is it, and who are they to her?", ())
    assert asked.terms == ()
    assert asked.words == ()


def test_relative_times_become_windows_and_leave_the_words() -> None:
    asked = understand("What did the committee decide last week?", (), NOW)
    [(start, end)] = asked.windows
    assert (start, end) == (day(2026, 6, 1), day(2026, 6, 8))
    assert asked.words == ("committee", "decide")
    assert asked.former


def test_a_question_about_a_time_alone_is_told() -> None:
    assert understand("What happened in early May?", (), NOW).about_time
    assert not understand("What broke in early May?", (), NOW).about_time


@pytest.mark.parametrize("text", ["", "   ", "?!", "( * ~"])
def test_a_query_without_words_is_kept_as_it_is(text: str) -> None:
    asked = understand(text, ())
    assert (asked.text, asked.terms, asked.dates) == (text, (), ())


def test_a_speaker_stays_among_the_words() -> None:
    asked = understand("Where did Caroline's dog run?", ("Caroline", "Melanie"))
    assert asked.terms == ("caroline", "dog", "run")
    assert asked.speakers == {"Caroline"}


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("where is the key", True),
        ("The key is where? ", True),
        ("鍵はどこですか？", True),
        ("أين المفتاح؟", True),
        ("the key? It is lost.", False),
        ("key of the shed", False),
        ("", False),
    ],
)
def test_a_question_is_told_by_its_mark_or_its_first_word(text: str, asking: bool) -> None:
    assert understand(text, ()).asks == asking


def test_one_word_of_a_longer_name_names_the_speaker() -> None:
    asked = understand("what did Ada paint", ("Ada Lovelace", "Alan Turing"))
    assert asked.speakers == {"Ada Lovelace"}


def test_single_letters_and_stop_words_are_no_names() -> None:
    asked = understand("a plan for the B team", ("A", "The B", "Carl"))
    assert asked.speakers == set()


def test_where_all_who_speak_are_named_nobody_stands_out() -> None:
    asked = understand("Did Caroline call Melanie?", ("Caroline", "Melanie"))
    assert asked.speakers == set()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on 2023-05-07 we met", NamedDate(5, 7, 2023)),
        ("on 7 May 2023", NamedDate(5, 7, 2023)),
        ("on the 7th of May, 2023", NamedDate(5, 7, 2023)),
        ("on May 7th", NamedDate(5, 7, None)),
        ("on May 7, 2023", NamedDate(5, 7, 2023)),
        ("in September 2023", NamedDate(9, None, 2023)),
        ("in October of 2022", NamedDate(10, None, 2022)),
        ("in december", NamedDate(12, None, None)),
        ("in March", NamedDate(3, None, None)),
        ("on 3rd Dec.", NamedDate(12, 3, None)),
    ],
)
def test_a_date_is_read(text: str, named: NamedDate) -> None:
    assert understand(text, ()).dates == (named,)


@pytest.mark.parametrize(
    "text",
    [
        "may I march home",
        "May we go?",
        "March on",
        "2023-13-07",
        "2023-05-32",
        "32 dogs",
        "version 3.11.2024",
        "marching decently",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert understand(text, ()).dates == ()


def test_a_date_leaves_the_words() -> None:
    asked = understand("What happened to the boat on 7 May 2023?", ())
    assert asked.terms == ("boat",)


def test_several_dates_are_read() -> None:
    asked = understand("between 2023-05-07 and June 1", ())
    assert set(asked.dates) == {NamedDate(5, 7, 2023), NamedDate(6, 1, None)}


def test_a_day_spans_itself_and_a_month_its_days() -> None:
    assert NamedDate(5, 7, None).span(2023) == (day(2023, 5, 7), day(2023, 5, 8))
    assert NamedDate(2, None, None).span(2024) == (day(2024, 2, 1), day(2024, 3, 1))


def test_a_day_that_a_year_lacks_has_no_span() -> None:
    assert NamedDate(2, 29, None).span(2023) is None
    assert NamedDate(4, 31, 2023).span(2023) is None


def test_without_a_year_every_year_of_the_pool_counts() -> None:
    days = np.array([day(2021, 3, 1), day(2023, 1, 1)])
    spans = understand("on May 7", ()).spans(days)
    assert spans.tolist() == [
        [day(year, 5, 7), day(year, 5, 8)] for year in (2021, 2022, 2023)
    ]  # fmt: skip


def test_with_a_year_only_that_one_counts() -> None:
    spans = understand("on 7 May 2023", ()).spans(np.array([day(2020, 1, 1)]))
    assert spans.tolist() == [[day(2023, 5, 7), day(2023, 5, 8)]]


@pytest.mark.parametrize("year", ["0000", "9999"])
def test_a_year_at_the_edge_of_the_calendar_breaks_nothing(year: str) -> None:
    understand(f"on 7 May {year}", ()).spans(np.array([0.0]))


def test_no_date_or_no_memory_means_no_span() -> None:
    assert understand("boats", ()).spans(np.array([1.0])).shape == (0, 2)
    assert understand("in June", ()).spans(np.array([])).shape == (0, 2)
    assert understand("on 31 April 2023", ()).spans(np.array([1.0])).shape == (0, 2)


def test_words_of_other_languages_stay_whole() -> None:
    asked = understand("Où est le café? 寿司はどこ", ())
    assert "café" in asked.terms
    assert any("寿司" in term for term in asked.terms)


@pytest.mark.parametrize(
    ("text", "meant", "asked_now"),
    [
        ("Where does Lena live now?", "Where does Lena live?", "Where does Lena live now?"),
        ("Who is now the captain?", "Who is the captain?", "Who is the captain now?"),
        ("Which car do we currently use?", "Which car do we use?", "Which car do we use now?"),
        ("What was done until now?", "What was done until now?", None),
        ("What happens from now on?", "What happens from now on?", None),
    ],
)
def test_now_is_left_out_of_what_is_read(text: str, meant: str, asked_now: str | None) -> None:
    asked = understand(text, (), NOW)
    assert (asked.text, asked.asking_now) == (meant, asked_now)


@pytest.mark.parametrize(
    ("text", "is_event"),
    [
        ("What happened at the mill in May?", True),
        ("Where did the accident happen in May?", True),
        ("What happens at the mill in May?", False),
        ("Who runs the mill in May?", False),
    ],
)
def test_who_asks_what_happened_means_an_event(text: str, is_event: bool) -> None:
    assert understand(text, (), NOW).about_event is is_event
