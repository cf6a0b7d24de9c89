"""What identifies a person: written cases, laws, and texts in which nobody is."""

from __future__ import annotations

import string
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.privacy import read_cases, score, strings_under
from graph.kernel.errors import ConfigurationError, InvalidInputError
from graph.model.memories.memory import NewMemory
from graph.model.memories.privacy import PII_TYPES, Finding
from graph.privacy.classes import CLASSES
from graph.privacy.light import LightRecognizer
from graph.privacy.phones import check_regions
from service.use_cases.memories.cleaning import Cleaner

RECOGNIZER = LightRecognizer()
CASES = read_cases()
DATA = Path(__file__).parents[4] / "shared" / "data"


def test_the_table_has_enough_of_every_type() -> None:
    assert len(CASES) >= 700
    written = [kind for case in CASES for kind, _, _ in case.places]
    assert {kind: written.count(kind) >= 15 for kind in PII_TYPES} == dict.fromkeys(PII_TYPES, True)
    assert sum(not case.places for case in CASES) >= 200


def test_the_table_of_classes_is_the_one_of_the_model_and_of_the_docs() -> None:
    assert sorted(each.type for each in CLASSES) == sorted(PII_TYPES)
    page = (Path(__file__).parents[3] / "docs" / "guardrails.md").read_text()
    for each in CLASSES:
        assert f"| `{each.type}` | {each.known_by} |" in page, each.type


@pytest.mark.parametrize("kind", PII_TYPES)
def test_each_type_is_found_and_little_else(kind: str) -> None:
    result = score(RECOGNIZER, CASES)
    assert result.precision(kind) >= 0.97, result.faults
    assert result.recall(kind) >= 0.97, result.faults


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tel:030 1234567", ["PHONE"]),
        ("SSN 078-05-1120", ["NATIONAL_ID"]),
        ("Sozialversicherungsnummer 12 070384 M 001", ["NATIONAL_ID"]),
        ("Serie 12 070384 M 001", []),
        ("Order 4074 7010 0205 was sent", []),
        ("We run 24.3.11.7 in production", []),
        ("Anna Schmidt, born 12 March 1985", ["NAME", "BIRTH_DATE"]),
    ],
)
def test_words_beside_a_number_decide_what_it_is(text: str, found: list[str]) -> None:
    assert [one.type for one in RECOGNIZER.find(text)] == found


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("passport", "X1234567", "PASSPORT"),
        ("license plate", "abc 123", "PLATE"),
        ("birthday", "7 March 1990", "BIRTH_DATE"),
        ("street", "Via Roma 12", "ADDRESS"),
        ("username", "jdoe_42", "HANDLE"),
        ("driving licence", "D1234567", "DRIVING_LICENCE"),
    ],
)
def test_a_key_says_what_its_value_is(key: str, value: str, kind: str) -> None:
    assert list(RECOGNIZER.find(value)) == [] or kind == "ADDRESS"
    assert [one.type for one in RECOGNIZER.find(value, key)] == [kind]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.part.startswith("tuned")], ids=lambda c: c.text
)
def test_a_case_that_the_rules_were_made_for_holds(case: object) -> None:
    result = score(RECOGNIZER, [case])  # pyright: ignore[reportArgumentType] -- ids need a plain type
    assert result.faults == []


@pytest.mark.skipif(not DATA.is_dir(), reason="the benchmark's data are not here")
def test_arithmetic_and_dialogue_stay_as_they_are() -> None:
    found = [
        (one.type, text[one.start : one.end])
        for name in ("gsm8k", "locomo")
        for text in strings_under(DATA / name)
        for one in RECOGNIZER.find(text)
    ]
    assert found == []


@given(
    st.lists(
        st.one_of(
            st.text(max_size=20),
            st.text(string.digits + " -.+()/@:", max_size=24),
            st.sampled_from(["anna@example.org", "4539008982326972", "+14155552671", "fe80::1"]),
        ),
        max_size=6,
    )
)
def test_places_lie_in_the_text_in_order_and_apart(parts: list[str]) -> None:
    text = " ".join(parts)
    last = 0
    for place in RECOGNIZER.find(text):
        assert last <= place.start < place.end <= len(text)
        last = place.end


@given(st.text(max_size=80), st.sampled_from(["mask", "hash"]))
def test_what_was_cleaned_is_clean(said: str, policy: str) -> None:
    cleaner = Cleaner("hash" if policy == "hash" else "mask", RECOGNIZER, b"secret")
    once = cleaner.text(f"{said} mail anna@example.org {said} 4539 0089 8232 6972", "text")
    assert cleaner.text(once, "text") == once
    assert "anna@example.org" not in once


@example(UUID("3386043c-d921-1c52-3005-099a437cf8b1"), 0, datetime(2000, 1, 1, tzinfo=UTC), 0.0)
@given(st.uuids(), st.integers(0, 2**63), st.datetimes(), st.floats(0, 1e6))
def test_ids_times_and_measures_are_nobody(
    uuid: object, number: int, at: object, measure: float
) -> None:
    for text in (f"run {uuid}", f"{at}", f"took {measure} s", f"[{measure:.6f}, {measure:.2f}]"):
        assert list(RECOGNIZER.find(text)) == [], text


def test_equal_values_written_otherwise_are_one_value() -> None:
    pairs = [
        ("Anna@Example.org", "mail anna@example.ORG"),
        ("4539 0089 8232 6972", "4539008982326972"),
        ("DE28 8323 8208 2887 1112 55", "de28832382082887111255"),
        ("+49 30 12345678", "+493012345678"),
        ("2001:db8::1", "2001:0db8:0:0:0:0:0:1"),
    ]
    for one, other in pairs:
        [first], [second] = RECOGNIZER.find(one), RECOGNIZER.find(other)
        assert (first.type, first.value) == (second.type, second.value)


def test_a_key_says_what_bare_digits_are() -> None:
    assert list(RECOGNIZER.find("4155552671")) == []
    [phone] = RECOGNIZER.find("4155552671", "phone")
    assert phone.type == "PHONE"


class _OnlyEmail:
    def find(self, text: str, context: str = "") -> list[Finding]:
        return [Finding("EMAIL", 0, len(text), text)] if "@" in text else []


def test_keys_that_become_one_token_stay_apart() -> None:
    cleaner = Cleaner("mask", _OnlyEmail())
    cleaned = cleaner.value({"first@x": 1, "second@x": 2}, "metadata")
    assert cleaned == {"<EMAIL>": 1, "<EMAIL> 2": 2}


def test_what_holds_nobody_is_the_same_object() -> None:
    row = NewMemory("local/agent/a", "a plain text", structured={"a": [1, {"b": "some words"}]})
    assert Cleaner("mask", _OnlyEmail()).row(row) is row


def test_a_refusal_names_field_and_types_and_no_value() -> None:
    row = NewMemory("local/agent/a", "x", metadata={"who": {"mail": "secret@example.org"}})
    with pytest.raises(InvalidInputError) as refused:
        Cleaner("reject", _OnlyEmail()).row(row)
    assert refused.value.field == "metadata.who.mail"
    assert "EMAIL" in refused.value.message
    assert "secret" not in refused.value.message


def test_a_long_text_of_digits_and_signs_is_read_in_time() -> None:
    parts = (
        "1 ",
        "1-",
        "1:",
        "x@",
        "1 Aa ",
        "Calle de la ",
        "passport 12 ",
        "born Aa ",
        "cc @a ",
        "A1 ",
    )
    for text in ("a." * 30_000 + "@", *(part * 20_000 for part in parts)):
        started = time.perf_counter()
        RECOGNIZER.find(text)
        assert time.perf_counter() - started < 5.0, text[:4]


def test_a_region_that_is_no_country_is_refused() -> None:
    check_regions(("DE", "GB"))
    with pytest.raises(ConfigurationError, match=r"PII_REGIONS: UK .*GB"):
        check_regions(("DE", "UK"))
