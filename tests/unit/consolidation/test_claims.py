"""Claims of sentences, and profiles that are made of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.notes_core import CLAIMS, measure_claims
from benchmarks.notes_faithful import measure_faithful
from graph.condensing.claims import Claim, claims
from graph.condensing.model import Source
from graph.condensing.profile import statements
from service.use_cases.consolidation.condensing import replaces

MAY = datetime(2026, 5, 7, 9, tzinfo=UTC)


@pytest.mark.parametrize("name", ["chosen", "held"])
def test_claims_of_labelled_sentences_are_seldom_wrong(name: str) -> None:
    found = measure_claims(CLAIMS / f"{name}.txt")
    assert found[f"claims_{name}_precision"] >= 0.95
    assert found[f"claims_{name}_recall"] >= 0.4


def test_free_summaries_pass_and_none_that_changes_a_fact() -> None:
    found = measure_faithful()
    assert found["faithful_passed"] >= 0.8
    assert found["false_passed"] == 0


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("I live in Ulm.", Claim("Lea", "live in", "Ulm")),
        ("My son Paul doesn't eat eggs.", Claim("Lea's son Paul", "eat", "eggs", negated=True)),
        ("I no longer drive.", Claim("Lea", "drive", "", negated=True)),
        ("The delivery moved to Hall 3 in April.", Claim("the delivery", "move to", "Hall 3", when="in April")),
        ("Luis is my husband.", Claim("Luis", "be", "Lea's husband")),
    ],
)  # fmt: skip
def test_a_claim_has_who_what_and_whether_it_is_denied(sentence: str, claim: Claim) -> None:
    assert claims(sentence, "Lea") == (claim,)


@pytest.mark.parametrize(
    "sentence",
    [
        "Do you live in Ulm?",
        "She lives in Ulm.",
        "I might live in Ulm.",
        "I lived in Ulm.",
        "Carla has one.",
        "Shorter takes, ten minutes, door open.",
        "",
        "…",
        "x" * 500,
    ],
)
def test_what_is_not_stated_is_no_claim(sentence: str) -> None:
    assert claims(sentence, "Lea") == ()


def test_without_a_speaker_the_first_person_claims_nothing() -> None:
    assert claims("I live in Ulm.") == ()
    assert claims("My dog is called Bruno.") == ()


def said(*rows: tuple[str, str | None]) -> list[Source]:
    return [
        Source(text, speaker, MAY + timedelta(days=day)) for day, (text, speaker) in enumerate(rows)
    ]


def test_a_profile_groups_what_holds_with_its_evidence() -> None:
    sources = said(
        ("The standup of Atlas is at 9:15.", "Ben"),
        ("Atlas uses Postgres. It runs in Dublin.", "Ben"),
        ("Does Atlas use Redis?", "Ben"),
        ("Standup of Atlas is at 10:00.", "Ben"),
        ("We decided to freeze Atlas. Thanks, all!", "Ana"),
        ("Atlas uses Postgres.", "Ben"),
        ("The weather is nice.", "Ana"),
    )
    found = statements(["Atlas"], sources, replaces)
    assert [(row.group, row.text, row.sources) for row in found] == [
        ("facts", "Atlas uses Postgres.", (5,)),
        ("facts", "Atlas uses Postgres. It runs in Dublin.", (1,)),
        ("decisions", "We decided to freeze Atlas.", (4,)),
        ("notes", "Standup of Atlas is at 10:00.", (3,)),
    ]


def test_a_sentence_that_says_he_later_on_stays_with_the_one_that_names_him() -> None:
    found = statements(
        ["Luis"],
        said(
            ("Luis called. The digger is broken, he comes on 29 April.", "Ana"),
            ("Luis is late. My brother waits, he has the key.", "Ana"),
        ),
    )
    assert [row.text for row in found] == [
        "Luis is late.",
        "Luis called. The digger is broken, he comes on 29 April.",
    ]


def test_a_profile_keeps_an_answer_with_its_question_and_leaves_out_what_lacks_context() -> None:
    at = datetime(2026, 9, 7, tzinfo=UTC)
    sources = [
        Source(
            "Petra: Should I call Medtron?\nWen: Yes, and tell them to replace the board.", None, at
        ),
        Source("Petra: Also on the door?\nWen: Yes, both.", None, at),
        Source("Wen: It beeps at 6 degrees.\nWen: Then back on the drip for two days.", None, at),
        Source("Samir: Bruno vomited well.\nSamir: He stays on a drip.", None, at),
        Source("Is Wen in today?", "Petra", at),
        Source("No treats for 3 days.", "Wen", at),
    ]
    told = "Petra: Should I call Medtron? Wen: Yes, and tell them to replace the board."
    assert [row.text for row in statements(["Medtron"], sources)] == [told]
    assert [row.text for row in statements(["Wen"], sources)] == ["No treats for 3 days.", told]
    assert [row.text for row in statements(["Bruno"], sources)] == [
        "Bruno vomited well. He stays on a drip."
    ]


def test_a_profile_of_a_speaker_holds_what_she_says_of_herself() -> None:
    sources = said(
        ("Hi there! I am allergic to nuts.", "Lea"),
        ("I like jazz.", "Lea"),
        ("My sister lives in Porto.", "Lea"),
        ("I like jazz.", "Ben"),
        ("Lea hates cilantro.", None),
    )
    found = statements(["lea"], sources)
    assert [(row.group, row.text) for row in found] == [
        ("facts", "I am allergic to nuts."),
        ("preferences", "Lea hates cilantro."),
        ("preferences", "I like jazz."),
        ("relations", "My sister lives in Porto."),
    ]
    assert statements(["Nobody"], sources) == []
