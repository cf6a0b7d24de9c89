"""What holds of patterns, whatever happened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.condensing.model import PatternLimits
from graph.condensing.patterns import patterns
from graph.condensing.recounting import Recount
from graph.model.consolidation.patterns import PATTERN_TYPES, Happening
from tests.laws.test_scoring_laws import law

# Chance is let pass, so that few memories make many patterns.
ALL = PatternLimits(
    minimum_support=2, minimum_confidence=0.0, most=10_000, chance=1.0, error_rate=1.0
)
HAPPENINGS = st.lists(
    st.builds(
        Happening,
        st.sampled_from([None, "s1", "s2", "s3", "s4"]),
        st.integers(0, 5),
        st.lists(st.sampled_from(["a", "b", "c", "d", "error"]), max_size=3).map(tuple),
        st.sampled_from([None, True, False]),
        st.sampled_from([(), ("x",), ("x", "y"), ("x", "y", "z")]),
        st.sampled_from(["", "episode", "problem"]),
    ),
    max_size=40,
)


def told(rows: list[Happening], limits: PatternLimits = ALL) -> dict[str, tuple[int, float]]:
    return {one.signature: (one.support, one.confidence) for one in patterns(rows, limits)}


@law
@given(HAPPENINGS)
def test_support_never_exceeds_sessions_and_confidence_is_a_share(rows: list[Happening]) -> None:
    sessions = {row.session for row in rows if row.session is not None}
    found = patterns(rows, ALL)
    for one in found:
        assert 2 <= one.support <= len(sessions)
        assert 0 <= one.confidence <= 1
        assert one.type in PATTERN_TYPES
        assert len(one.evidence) <= ALL.most_evidence
        assert {rows[place].session for place in one.evidence} <= sessions
    assert len({one.signature for one in found}) == len(found)
    assert len({one.text for one in found}) == len(found)


@law
@given(HAPPENINGS)
def test_a_recount_says_of_what_is_found_what_was_found(rows: list[Happening]) -> None:
    recount = Recount(rows)
    for one in patterns(rows, ALL):
        assert recount.of(one.type, one.items) == (one.support, pytest.approx(one.confidence))


@law
@given(HAPPENINGS)
def test_evidence_has_what_it_is_evidence_of(rows: list[Happening]) -> None:
    for one in patterns(rows, ALL):
        memories = [rows[place] for place in one.evidence]
        assert memories
        if one.type in ("sequential", "correlational"):
            assert set(one.items) <= {label for memory in memories for label in memory.labels}
        if one.items[0] == "keys":
            assert {memory.shape for memory in memories} == {one.items[1:]}


@law
@given(HAPPENINGS)
def test_the_same_memories_give_the_same_patterns(rows: list[Happening]) -> None:
    assert patterns(rows, ALL) == patterns(list(rows), ALL)


@law
@given(HAPPENINGS, st.randoms(use_true_random=False))
def test_the_order_in_which_memories_are_given_does_not_matter(
    rows: list[Happening], random: object
) -> None:
    distinct = [replace(row, order=place) for place, row in enumerate(rows)]
    mixed = list(distinct)
    random.shuffle(mixed)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    assert told(mixed) == told(distinct)


@law
@given(HAPPENINGS)
def test_renaming_labels_renames_the_patterns(rows: list[Happening]) -> None:
    names = {"a": "z", "b": "m", "c": "k", "d": "b", "error": "failed"}
    other = [replace(row, labels=tuple(names[label] for label in row.labels)) for row in rows]
    expected = {
        (
            one.type,
            frozenset(names.get(item, item) for item in one.items),
            one.support,
            one.confidence,
        )
        for one in patterns(rows, ALL)
    }
    found = {
        (one.type, frozenset(one.items), one.support, one.confidence)
        for one in patterns(other, ALL)
    }
    assert found == expected


@law
@given(HAPPENINGS, st.integers(1, 4))
def test_an_unrelated_session_lowers_no_support(rows: list[Happening], length: int) -> None:
    before = told(rows)
    more = [Happening("new", place, (f"new{place}",)) for place in range(length)]
    after = told([*rows, *more])
    assert all(after[one][0] >= support for one, (support, _) in before.items() if one in after)
    # At these limits a confidence above 0 that falls stays told, but of a run that is now part of a longer one.
    lost = before.keys() - after.keys()
    assert not lost
