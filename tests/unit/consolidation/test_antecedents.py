"""Names from the memories before a condensed text, and texts that nobody would understand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from graph.condensing.antecedents import named_before, people
from graph.condensing.model import LEVELS, Source
from graph.condensing.references import goes_on
from graph.condensing.text import condense
from graph.condensing.turns import without_heads
from graph.model.consolidation.clusters import (
    Cluster,
    NearbyMemory,
    Outlined,
    PlannedCluster,
    SourceMemory,
)
from graph.model.strata.config import StrataConfig
from service.use_cases.consolidation.condensing import Condenser, contexts

if TYPE_CHECKING:
    from graph.ports.embedding import EmbeddersInUse

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
SHORT_TERM, EPISODIC, LONG_TERM = (LEVELS[name] for name in ("short_term", "episodic", "long_term"))


def chat(*rows: str, cut: int) -> list[Source]:
    """Make the turns of a chat after a cut, each with those before it, the nearest first."""
    turns = [Source(text, speaker, MAY) for speaker, text in (row.split(": ", 1) for row in rows)]
    return [
        replace(turn, before=tuple(reversed(turns[:place]))) for place, turn in enumerate(turns)
    ][cut:]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mrs Winter rang, Leo is ill", ["Mrs Winter", "Leo"]),
        ("My brother Paul has the Passat in Ulm", ["Paul"]),
        ("Kamil from the firm was here", ["Kamil"]),
        ("Rob went home", ["Rob"]),
        ("The inspector comes on Monday", ["the inspector"]),
        ("dad sleeps", ["dad"]),
        ("Water is fine", []),
        ("No treats", []),
        ("Windows 11 and IPv6 on my Polo", []),
        ("On Tuesdays Two of them", []),
    ],
)
def test_people_are_told_from_things_and_places(text: str, names: list[str]) -> None:
    assert [each.name for each in people([text])[0]] == names


def test_whom_a_turn_addresses_it_does_not_name() -> None:
    assert people(["Ida, can you come?"], frozenset({"ida"}))[0] == []
    assert [each.name for each in people(["Ida could come."], frozenset({"ida"}))[0]] == ["Ida"]


@pytest.mark.parametrize(
    ("rows", "lacks"),
    [
        (["Bring him in today."], (0, "he")),
        (["Nero limps.", "Bring him in today."], None),
        (["Mrs Winter called.", "She asks if he can stay."], (1, "he")),
        (["My husband has her key."], (0, "she")),
    ],
)
def test_a_pronoun_needs_somebody_before_it(rows: list[str], lacks: tuple[int, str] | None) -> None:
    assert people(rows)[1] == lacks


def test_whom_a_pronoun_may_mean_is_the_nearest_of_its_gender() -> None:
    before = [["Aunt Gerda came, she saw Rob."], ["Luis rang."], ["Uncle Rob has the key."]]
    assert named_before(before, "he", frozenset()) == ("Uncle Rob", "Luis")
    assert named_before(before, "she", frozenset()) == ("Rob", "Aunt Gerda", "Luis")
    assert named_before([], "he", frozenset()) == ()


CASE = [
    "Dilek: Mr Brandl brought the Passat",
    "Jonas: Thanks! It's the pump.",
    "Dilek: What does it cost him?",
    "Jonas: 420 with the belt",
]


def test_who_was_named_before_stands_first_also_when_condensed_again() -> None:
    text = condense(chat(*CASE, cut=2), SHORT_TERM).text
    assert text.startswith("Named before: Mr Brandl\nDilek: What does it cost him?")
    again = condense(
        [Source(text, None, MAY, before=()), *chat("Ida: The bill is MX-7.", cut=0)], LONG_TERM
    )
    assert again.text.startswith("Named before: Mr Brandl\n")
    assert without_heads(text).startswith("Dilek:")


def test_an_episode_has_the_names_below_its_title() -> None:
    rows = chat(*CASE, "Dilek: I told Mirko on 3 May", "Jonas: The lift is free at 9", cut=2)
    assert condense(rows, EPISODIC).text.split("\n")[1] == "Named before: Mr Brandl"


def test_a_name_that_the_text_has_needs_no_heading() -> None:
    assert "Named before" not in condense(chat(*CASE, cut=0), SHORT_TERM).text


@pytest.mark.parametrize(
    ("first", "clear"),
    [
        ("The heating stays cold", False),
        ("Mirko mounts them", True),
        ("It rains", False),
    ],
)
def test_a_pronoun_of_nobody_is_not_clear(first: str, clear: bool) -> None:
    rows = chat(f"Ida: {first}", "Ida: He comes at 9", "Jonas: The lift is free", cut=1)
    assert condense(rows, SHORT_TERM).clear is clear


def test_a_noun_of_the_text_may_be_whom_a_pronoun_means() -> None:
    rows = chat("Ida: I sold it to a man from Porto", "Ida: He comes at 9", cut=0)
    assert condense(rows, SHORT_TERM).clear


@pytest.mark.parametrize("first", ["Nele would.", "Ordered on 4 May.", "Not for 4b."])
def test_what_begins_without_verb_or_subject_is_not_clear(first: str) -> None:
    assert not condense(
        chat(f"Ida: {first}", "Jonas: The lift is free at 9", cut=0), SHORT_TERM
    ).clear


def test_without_its_session_nobody_can_say_who_is_missing() -> None:
    rows = [Source("He comes at 9", "Ida", MAY), Source("The lift is free", "Jonas", MAY)]
    assert condense(rows, SHORT_TERM).clear


def test_characters_are_counted_as_they_are_written() -> None:
    rows = chat("Ida: Thanks! The lift is free.", "Jonas: Room 4.", cut=0)
    found = condense(rows, SHORT_TERM)
    assert found.text == "Ida: The lift is free.\nJonas: Room 4."
    assert found.told == len("Ida: Thanks! The lift is free.\nJonas: Room 4.")
    titled = Source("Episode of 4 May 2026: lift\nIda: It is free.", None, MAY)
    assert condense([titled, rows[1]], SHORT_TERM).told == len(f"{titled.text}\nJonas: Room 4.")


def test_a_turn_about_somebody_goes_on_also_behind_an_opening() -> None:
    assert goes_on("I'm sorry to hear that. Is she eating?")
    assert not goes_on("The Winters called. Is she eating?")


def test_the_context_of_a_cluster_names_whom_its_pronouns_may_mean() -> None:
    texts = ["Mr Brandl came", "Frau Sommer is here", "ok", "He waits", "The lift is free"]
    rows = [
        Outlined(
            str(place), 1, len(text), 1, text, False, np.eye(5, dtype=np.float32)[place], "s", place,
            MAY + timedelta(minutes=place), ("ida",),
        )
        for place, text in enumerate(texts)
    ]  # fmt: skip
    assert contexts(rows, [rows[3:], rows[:2]]) == [("0",), ()]
    alone = [replace(row, session_id=None) for row in rows]
    assert contexts(alone, [alone[3:]]) == [()]


def planned(*rows: str, context: tuple[NearbyMemory, ...] = ()) -> PlannedCluster:
    """Make a cluster of turns that rise to episodes, and the memories before it."""
    sources = tuple(
        SourceMemory(
            str(place), text, "anna", None, None, "s", place, speaker, None, None, None,
            MAY + timedelta(minutes=place), (), {}, 3, 0.5, 0.0,
        )
        for place, (speaker, text) in enumerate(row.split(": ", 1) for row in rows)
    )  # fmt: skip
    uids = tuple(each.uid for each in sources)
    cluster = Cluster("c", 0, "new", "short_term", "episodic", uids, (1,) * len(uids))
    return PlannedCluster(cluster, sources, context)


async def previewed(cluster: PlannedCluster) -> Cluster:
    condenser = Condenser(cast("EmbeddersInUse", None))
    [found] = await condenser.preview([cluster], StrataConfig())
    return found


@pytest.mark.parametrize(
    "rows",
    [
        ["Ida: Thanks! He comes at 9.", "Jonas: The lift is free at 9."],
        ["Ida: Ordered on 4 May.", "Jonas: The lift is free at 9."],
    ],
    ids=["nobody is named", "nothing says what was ordered"],
)
async def test_what_gains_nothing_stays_as_it_was_said(rows: list[str]) -> None:
    assert (await previewed(planned(*rows))).state == "skipped"


async def test_a_name_that_takes_more_room_than_was_left_is_not_written() -> None:
    early = NearbyMemory("0", "Mr Brandl came.", "Ida", "s", 0, MAY - timedelta(minutes=1))
    rows = "Ida: Thanks! He comes at 9.", "Jonas: The lift is free."
    assert (await previewed(planned(*rows, context=(early,)))).state == "skipped"


async def test_the_name_comes_from_a_memory_of_the_context() -> None:
    early = NearbyMemory("0", "Mr Brandl came.", "Ida", "s", 0, MAY - timedelta(minutes=1))
    rows = "Ida: Thanks so much for that! See you soon! He comes at 9.", "Jonas: The lift is free."
    found = await previewed(planned(*rows, context=(early,)))
    assert found.text == "Named before: Mr Brandl\nIda: He comes at 9.\nJonas: The lift is free."
    assert found.chars_after == len(found.text)
    assert found.chars_before == len("\n".join(rows))


async def test_an_episode_whose_heads_take_more_than_went_has_none() -> None:
    rows = [f"Ida: Lift {n} is free on {n} May." for n in (1, 2, 3)]
    rows.append("Ida: Thanks! Lift 4 is free on 4 May.")
    text = (await previewed(planned(*rows))).text
    assert text == "\n".join(row.replace("Thanks! ", "") for row in rows)
