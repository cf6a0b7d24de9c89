"""What holds of a condensed text, whatever it was made of."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graph.condensing.groups import Turn, groups
from graph.condensing.model import LEVELS, Level, Source, Standing, inherited
from graph.condensing.sentences import repeats
from graph.condensing.text import condense
from graph.condensing.turns import is_fact, kinds, read
from tests.laws.test_scoring_laws import SHARES, law

VOCABULARY = """I we the of was not never don't isn't without fish tea support group Ana Bob Lisbon NASA U.S.
May 3 4.5 $20 7:30 2023-05-07 yesterday last week Monday went likes, but however, (maybe) red; blue:"""
WORDS = st.sampled_from(VOCABULARY.split())


@st.composite
def sentence(draw: st.DrawFn) -> str:
    words = draw(st.lists(WORDS, min_size=1, max_size=14))
    return " ".join(words) + draw(st.sampled_from([".", "!", "?", ""]))


TEXTS = st.lists(sentence(), max_size=6).map(" ".join)
SOURCES = st.lists(
    st.builds(Source, TEXTS | st.text(max_size=200), st.sampled_from([None, "Ana", "Bob"])),
    max_size=4,
)

LASTING = st.sampled_from([LEVELS["short_term"], LEVELS["episodic"]])


@law
@given(SOURCES, LASTING, SHARES)
def test_every_sentence_with_a_fact_stays_or_was_said_or_answered(
    sources: list[Source], level: Level, share: float
) -> None:
    rows = read(sources)
    speakers = frozenset(row.speaker.casefold() for row in rows if row.speaker)
    kept = {(piece.source, piece.text) for piece in condense(sources, level, share=share).pieces}
    gone = (
        kinds(rows).dropped
        | repeats([row.text for row in rows], [row.whose for row in rows]).keys()
    )
    if len(sources) == 1 and (0, sources[0].text) in kept:
        return
    for place, row in enumerate(rows):
        if place not in gone and is_fact(row, speakers):
            assert (row.source, row.text) in kept


@law
@given(SOURCES, st.sampled_from(sorted(LEVELS)), SHARES)
def test_what_is_kept_is_a_whole_sentence_of_its_source(
    sources: list[Source], stratum: str, share: float
) -> None:
    said = {(row.source, row.text) for row in read(sources)}
    for piece in condense(sources, LEVELS[stratum], share=share).pieces:
        assert (piece.source, piece.text) in said or piece.text == sources[piece.source].text


BEFORE = ["+", "-", "−", "–", "<", ">", "<=", ">=", "≤", "≥", "~", "±", "$", "€", "-$", "#"]
AFTER = ["%", "‰", "°", "°C", "€", "th", "km", "pm", "mg", "GB", " %", " ‰", " °C", " €", " km"]
WRITTEN = [".5", "0.75", "1,234.5", "7:30", "3/4", "10-15", "10–15", "2023-05-07"]
SIGNS, UNITS = st.just("") | st.sampled_from(BEFORE), st.just("") | st.sampled_from(AFTER)
DIGITS = st.integers(0, 99999).map(str) | st.sampled_from(WRITTEN)
MEASURES = st.builds("{}{}{}".format, SIGNS, DIGITS, UNITS)
PLACES = st.sampled_from(
    ["a@b.com", "https://x.y/z_(1)?a=b", "/etc/hosts", "docs/a.md", "~/b/c", "../d/e.py"]
)


@st.composite
def measured(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a sentence and what of it must be read in its text, as it was written."""
    found = draw(MEASURES | PLACES)
    before, after = draw(st.lists(WORDS, max_size=5)), draw(st.lists(WORDS, max_size=5))
    if found[0] in "+-−–<>≤≥~±$€#." and before and before[-1][-1:].isdigit():
        before.append("of")  # between two numbers it would not be this one's sign
    if after and (after[0][0] in "$(" or after[0][0].isdigit()):
        after.insert(0, "of")
    return found, " ".join([*before, found, *after]) + draw(st.sampled_from([".", "!", ""]))


@law
@given(st.lists(measured(), min_size=1, max_size=5), SHARES)
def test_every_number_stands_as_it_was_written_and_every_place_too(
    drawn: list[tuple[str, str]], share: float
) -> None:
    sources = [Source(text, f"Speaker {place}") for place, (_, text) in enumerate(drawn)]
    found = condense(sources, LEVELS["episodic"], share=share)
    told = {piece.source: "" for piece in found.pieces}
    for piece in found.pieces:
        told[piece.source] += f" {piece.text} "
    for place, (written, text) in enumerate(drawn):
        if any(char.isdigit() for char in written):
            assert written in told[place], text


@law
@given(SOURCES, SHARES)
def test_the_same_sources_give_the_same_text_and_every_piece_has_a_source(
    sources: list[Source], share: float
) -> None:
    found = condense(sources, LEVELS["episodic"], share=share)
    assert condense(sources, LEVELS["episodic"], share=share) == found
    for piece in found.pieces:
        assert 0 <= piece.source < len(sources)
        assert piece.source not in piece.also
        assert piece.text in found.text


@law
@given(st.builds(Source, TEXTS | st.text(max_size=300)), SHARES)
def test_no_text_becomes_longer(source: Source, share: float) -> None:
    assert len(condense([source], LEVELS["semantic"], share=share).text) <= len(source.text)


@law
@given(st.data(), st.integers(0, 20), st.integers(1, 5))
def test_every_memory_is_in_one_group_and_none_is_too_large(
    data: st.DataObject, count: int, largest: int
) -> None:
    turn = st.builds(
        Turn, st.sampled_from([None, "a", "b"]), st.floats(0, 1e5), st.booleans(), st.booleans()
    )
    turns = sorted(
        data.draw(st.lists(turn, min_size=count, max_size=count)), key=lambda one: one.seconds
    )
    places = st.integers(0, max(count - 1, 0))
    drawn = data.draw(st.lists(st.tuples(places, places), max_size=15)) if count else []
    pairs = np.array(drawn, dtype=np.int64).reshape(-1, 2)
    seed = data.draw(st.integers(0, 2**32 - 1))
    vectors = np.random.default_rng(seed).normal(size=(count, 4))
    found = groups(turns, vectors, pairs, largest=largest)
    assert sorted(place for group in found for place in group) == list(range(count))
    assert all(len(group) <= largest for group in found)
    assert found == groups(turns, vectors, pairs, largest=largest)


@law
@given(
    st.lists(
        st.builds(Standing, SHARES, st.integers(0, 50), st.integers(1, 5), st.floats(0, 2)),
        min_size=1,
        max_size=6,
    )
)
def test_q_stays_between_those_it_is_made_of_and_evidence_is_conserved(
    sources: list[Standing],
) -> None:
    found = inherited(sources)
    values = [source.q_value for source in sources]
    assert min(values) - 1e-12 <= found.q_value <= max(values) + 1e-12
    assert found.q_count == sum(source.q_count for source in sources)
    for count in (found.importance, found.weight):
        assert count in [*(s.importance for s in sources), *(s.weight for s in sources)]
