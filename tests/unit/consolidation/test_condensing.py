"""Groups, shorter texts and what is inherited, by example."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from graph.condensing.facts import (
    capitalised,
    content_words,
    dates,
    names,
    negated,
    numbers,
)
from graph.condensing.faithful import is_faithful
from graph.condensing.groups import GAP_SECONDS, Turn, groups
from graph.condensing.layout import topics
from graph.condensing.model import LEVELS, Piece, Source, Standing, inherited, kept_share
from graph.condensing.sentences import centrality, repeats, sentences, spoken
from graph.condensing.text import condense
from graph.condensing.topics import borders
from graph.condensing.turns import Sentence, without_heads
from graph.expecting.polarity import opposed
from graph.scoring.strata import STRATA

if TYPE_CHECKING:
    from graph.condensing.model import Level

MAY, JUNE = datetime(2023, 5, 7, 13, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)
NO_PAIRS = np.zeros((0, 2), dtype=np.int64)
SHORT_TERM, EPISODIC, LONG_TERM, SEMANTIC = (LEVELS[name] for name in STRATA[1:])
LONG = (
    "I went to a support group in Berlin yesterday and it was so powerful. The stories were really "
    "inspiring. Ana has 3 children, but she does not eat fish. Wow, that is so cool!"
)


def test_how_much_is_kept_follows_the_ratio() -> None:
    assert [kept_share(name) for name in STRATA[1:]] == [1.0, 0.7, 1.0, 0.15]
    assert kept_share("episodic", 0.25) == pytest.approx(0.35)
    assert kept_share("short_term", 1.0) == 1
    assert kept_share("semantic", 0.0) == 0
    assert set(LEVELS) == set(STRATA[1:])


@pytest.mark.parametrize(("stratum", "ratio"), [("working", 0.5), ("semantic", -1.0)])
def test_nothing_is_condensed_into_the_first_stratum_or_to_less_than_nothing(
    stratum: str, ratio: float
) -> None:
    with pytest.raises(ValueError, match="nothing becomes"):
        kept_share(stratum, ratio)


def test_names_numbers_dates_and_denials_are_found() -> None:
    sentence = "Yesterday Ana paid $20.50 at 7:30 to Bob, but she didn't get 5% off in May"
    assert names(sentence) == {"Ana", "Bob", "May"}
    assert numbers(sentence) == {"$20.50", "7:30", "5%"}
    assert dates(sentence) == {"yesterday", "may"}
    assert negated(sentence) == {"but she didn't get 5% off in May"}
    assert names("I think I'm late") == frozenset()


NOTES = """Ann: I sold the old boat for 4,300 euros to a man from Porto, whom Clara knows well.
Ann: He did not ask for the papers, and he came back in May.
Ben: Oskar owns the boat house. Oskar paid Priya on Friday."""


@pytest.mark.parametrize(
    ("text", "faithful"),
    [
        (NOTES, True),
        ("Ann sold the old boat to a man from Porto for 4,300 euros. Clara knows him well. He did not ask for the papers. "
         "He came back in May. Oskar owns the boat house, and Oskar paid Priya on Friday.", True),
        ("Understood: 4,300 euros for the old boat, to a man from Porto whom Clara knows well. In May he came back. He didn't "
         "ask for the papers. On Friday Oskar paid Priya. Oskar owns the boat house.", True),
        ("Ann sold the old boat to a man from Porto for 3,400 euros. Clara knows him well. He did not ask for the papers. "
         "He came back in May. Oskar owns the boat house, and Oskar paid Priya on Friday.", False),
        ("Ben sold the old boat to a man from Porto for 4,300 euros. Clara knows him well. He did not ask for the papers. "
         "He came back in May. Oskar owns the boat house, and Oskar paid Priya on Friday.", False),
        ("Ann sold the old boat to a man from Porto for 4,300 euros. Clara knows him well. He asked for the papers. "
         "He came back in May. Oskar owns the boat house, and Oskar paid Priya on Friday.", False),
        ("Ann sold the old boat to a man from Porto for 4,300 euros. Clara knows him well. He did not ask for the papers. "
         "He came back in June. Oskar owns the boat house, and Oskar paid Priya on Friday.", False),
        ("Ann sold the old boat to a man from Porto for 4,300 euros. Clara knows him well. He did not ask for the papers. "
         "He came back in May. Oskar owns the boat house, and Priya paid Oskar on Friday.", False),
        ("Ann sold the old boat to a man from Porto for 4,300 euros. He did not ask for the papers. "
         "He came back in May. Oskar owns the boat house, and Oskar paid Priya on Friday.", False),
        ("The weather was lovely.", False),
        ("", False),
    ],
)  # fmt: skip
def test_other_words_are_held_to_the_same_facts(text: str, faithful: bool) -> None:
    assert is_faithful(text, NOTES, NOTES, opposed) == faithful


@pytest.mark.parametrize("text", ["", "Bye!", "Ana likes tea and does not drink coffee."])
def test_what_is_empty_or_short_stays_as_it_is(text: str) -> None:
    found = condense([Source(text)], SEMANTIC)
    assert found.text == text
    assert found.pieces == (Piece(0, text),)


def test_nothing_of_nothing() -> None:
    assert condense([], EPISODIC).text == ""
    assert condense([Source(""), Source(" ")], EPISODIC).pieces == ()


def test_only_what_tells_nothing_goes_first() -> None:
    found = condense([Source(LONG)], SHORT_TERM)
    assert found.text == LONG.removesuffix(" Wow, that is so cool!")


@pytest.mark.parametrize("level", [SHORT_TERM, EPISODIC, LONG_TERM])
def test_below_semantic_every_sentence_with_a_fact_stays_whole(level: Level) -> None:
    text = condense([Source(LONG)], level, share=0.0).text
    assert "Ana has 3 children, but she does not eat fish." in text
    assert "I went to a support group in Berlin yesterday and it was so powerful." in text
    assert "cool" not in text


def test_the_less_is_kept_the_shorter_it_gets() -> None:
    lengths = [len(condense([Source(LONG)], EPISODIC, share=share).text) for share in (0.0, 0.9)]
    assert lengths == sorted(lengths)


def test_a_share_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="must lie in"):
        condense([Source("x")], EPISODIC, share=1.2)


def test_turns_keep_who_said_them_and_the_day_where_there_are_several() -> None:
    turns = [
        Source("Caroline: I went to the LGBTQ support group.", "Caroline", MAY),
        Source("My brother lives in Rome.", "Melanie", MAY),
    ]
    same_day = condense(turns, SHORT_TERM).text
    assert same_day == (
        "Caroline: I went to the LGBTQ support group.\nMelanie: My brother lives in Rome."
    )
    later = condense([*turns, Source("It rained.", None, JUNE)], SHORT_TERM).text
    assert later.splitlines() == [
        "Caroline (7 May 2023): I went to the LGBTQ support group.",
        "Melanie (7 May 2023): My brother lives in Rome.",
        "1 June 2023: It rained.",
    ]


def test_what_was_condensed_can_be_condensed_again_and_keeps_its_speakers() -> None:
    text = "Caroline (7 May 2023): I went to Berlin with Bob.\nMelanie: I painted the lake for Ana."
    again = condense([Source(text), Source("Bob left on 3 June.")], LONG_TERM).text
    assert [line.partition(": ")[0] for line in again.splitlines()] == [
        "Caroline (7 May 2023)",
        "Melanie",
        "Bob left on 3 June.",
    ]
    assert spoken("Ana: hello\n\nthere", "Ana") == [
        ("Ana", "hello", None),
        ("Ana", "there", None),
    ]
    assert spoken("Note: hello", "Ana") == [("Ana", "Note: hello", None)]


def test_days_of_lines_are_read_and_a_colon_makes_no_speaker() -> None:
    day = date(2026, 9, 4)
    assert spoken("4 September 2026: It rains.", None) == [(None, "It rains.", day)]
    assert spoken("Nora (4 September 2026): It rains.", None) == [("Nora", "It rains.", day)]
    assert spoken("Mr. Kessler: I come.", None) == [("Mr. Kessler", "I come.", None)]
    assert spoken("user: hello", None) == [("user", "hello", None)]
    said = "The import of Acme failed: the file has semicolons."
    assert spoken(said, None) == [(None, said, None)]


def test_what_is_said_twice_stands_once_and_names_both() -> None:
    sources = [
        Source("The build fails on machine 9. Restart the agent."),
        Source("Restart the agent! The build fails on machine 8."),
    ]
    found = condense(sources, SHORT_TERM)
    assert found.text.count("estart the agent") == 1
    assert [piece.also for piece in found.pieces if "estart" in piece.text] == [(1,)]
    assert "machine 9" in found.text
    assert "machine 8" in found.text


PARTY = [
    ("Nora", "Hi! I want to plan Emil's seventh birthday party."),
    ("Bot", "Great! When should it be?"),
    ("Nora", "On 6 December, a Sunday."),
    ("Bot", "Does anybody have an allergy?"),
    ("Nora", "Ida is allergic to nuts."),
    ("Bot", "Shall I move the party to 13 December?"),
    ("Nora", "Yes, please."),
    ("Nora", "The centre called. Mr. Weber said the room is taken on the 12th."),
    ("Bot", "That sounds like a lot of work!"),
    ("Nora", "Who could lend us a speaker?"),
]


def party() -> list[Source]:
    return [Source(text, speaker, MAY) for speaker, text in PARTY]


def test_questions_stay_questions_or_go_where_the_answer_says_it_all() -> None:
    text = condense(party(), SHORT_TERM).text
    assert "Bot: When should it be?\nNora: On 6 December, a Sunday." in text
    assert "Bot: Shall I move the party to 13 December?\nNora: Yes, please." in text
    assert "Does anybody have an allergy?" not in text
    assert "Ida is allergic to nuts." in text
    assert text.endswith("Nora: Who could lend us a speaker?")
    assert "Hi!" not in text
    assert "Great!" not in text


def test_an_episode_says_when_who_what_was_decided_and_what_is_open() -> None:
    lines = condense(party(), EPISODIC).text.splitlines()
    assert lines[0].startswith("Episode of 7 May 2023 (Nora, Bot): ")
    decided, open_, told = (lines.index(head) for head in ("Decided:", "Open:", "Said:"))
    assert decided == 1
    assert lines[decided + 1 : open_] == [
        "Bot: Shall I move the party to 13 December?",
        "Nora: Yes, please.",
    ]
    assert lines[open_ + 1 : told] == ["Nora: Who could lend us a speaker?"]
    assert "Nora: Mr. Weber said the room is taken on the 12th." in lines[told + 1 :]


def test_an_episode_keeps_what_it_takes_up_and_what_he_is_said_to_do() -> None:
    turns = [
        ("Ottilie", "I'm with Yusra. It stays in one piece."),
        ("Assistant", "Then the roof might be the way in: the depot has a skylight."),
        ("Ottilie", "Oh clever! It's 3 metres square I think."),
        ("Ottilie", "And Bertrand does the lists. He hates spreadsheets."),
    ]
    text = condense([Source(said, speaker) for speaker, said in turns], LEVELS["episodic"]).text
    assert "the depot has a skylight.\nOttilie: Oh clever! It's 3 metres square" in text
    assert "Bertrand does the lists. He hates spreadsheets." in text


def test_turns_lose_nothing_that_another_sentence_only_resembles() -> None:
    told = "I want to lose the bath and have a shower. Four nights. We keep a bath, with a shower over."
    sources = [Source(told, "Nora"), Source("A noble defeat.", "Bot")]
    assert "We keep a bath, with a shower over." in condense(sources, SHORT_TERM).text


def test_no_verb_stands_in_a_title() -> None:
    turns = [
        "The hall allows the children on Sunday.",
        "Then we take the hall, the hall allows us a cake.",
        "Karl pays the hall 40 euros.",
        "Ida told the hall that 12 children come.",
    ]
    head = condense([Source(said, "Nora") for said in turns], EPISODIC).text.partition("\n")[0]
    assert "hall" in head
    assert "allows" not in head


def test_a_title_has_no_past_form_no_verb_behind_a_number_and_no_set_phrase() -> None:
    turns = [
        "What budget do you have in mind for the kitchen?",
        "The charter company wrote to us on Monday.",
        "The printer on floor 2 smears since Monday.",
        "Karl pays the hospital bill of 40 euros.",
    ]
    head = condense([Source(said, "Nora") for said in turns], EPISODIC).text.partition("\n")[0]
    rows = [Sentence(place, "Nora", None, said) for place, said in enumerate(turns)]
    assert not {"mind", "wrote", "smears"}.intersection(head.replace(",", "").split())
    assert topics(rows[:1]) == ["kitchen"]
    assert topics(rows[1:2]) == ["charter company"]
    assert topics(rows[2:3]) == ["floor 2", "printer"]
    assert topics([Sentence(0, "Nora", None, "What do you have in mind?")]) == ["mind"]


def test_statements_drop_open_questions_comments_and_what_was_replaced() -> None:
    turns = [
        Source("The delivery is on 24 March.", "Nora", MAY),
        Source("The delivery moved to 31 March.", "Nora", JUNE),
        Source("That sounds good to me, I like it!", "Ben", JUNE),
        Source("That is so wonderful for you!", "Ben", JUNE),
        Source("Who calls the plumber?", "Nora", JUNE),
    ]
    asked: list[tuple[str, str]] = []

    def replaces(later: Sentence, earlier: Sentence) -> bool:
        asked.append((later.text, earlier.text))
        return "moved" in later.text and "delivery" in earlier.text

    text = condense(turns, LONG_TERM, replaces=replaces).text
    assert text.splitlines() == [
        "Nora (1 June 2023): The delivery moved to 31 March.",
        "Ben (1 June 2023): That sounds good to me, I like it!",
    ]
    assert ("The delivery moved to 31 March.", "The delivery is on 24 March.") in asked
    assert "24 March" in condense(turns, EPISODIC, replaces=replaces).text


def test_a_profile_keeps_claims_under_what_they_are_about() -> None:
    turns = [
        Source("I live in Ulm. The bus was late today. Paul has asthma.", "Lea", MAY),
        Source(
            "Paul's teacher is Mrs. Brandt. We met at the lake and talked for hours.", "Lea", MAY
        ),
    ]
    assert condense(turns, SEMANTIC).text.splitlines() == [
        "About Lea:",
        "Lea: I live in Ulm.",
        "About Paul:",
        "Lea: Paul has asthma.",
        "Lea: Paul's teacher is Mrs. Brandt.",
    ]


def test_opposites_are_no_repeats() -> None:
    rows = [
        "Ana eats fish often",
        "Ana eats no fish often",
        "ana eats fish, often",
        "Bob eats fish often",
    ]
    assert repeats(rows) == {2: 0}


def test_what_another_says_or_on_another_day_is_no_repeat() -> None:
    vote = "I vote for the blue option."
    votes = [Source(vote, "Ann", MAY), Source(vote, "Bob", MAY), Source(vote, "Ann", MAY)]
    found = condense(votes, SHORT_TERM)
    assert found.text == f"Ann: {vote}\nBob: {vote}"
    assert [piece.also for piece in found.pieces] == [(2,), ()]
    assert condense([Source(f"Ann: {vote}\nBob: {vote}")], SHORT_TERM).text.count(vote) == 2
    walks = [Source("I walked to the lake.", "Ann", day) for day in (MAY, JUNE, MAY)]
    assert condense(walks, SHORT_TERM).text.splitlines() == [
        "Ann (7 May 2023): I walked to the lake.",
        "Ann (1 June 2023): I walked to the lake.",
    ]


@pytest.mark.parametrize(
    ("later", "repeated"),
    [
        ("The parser calls the lexer.", True),
        ("the parser calls lexer", True),
        ("The lexer calls the parser.", False),
        ("The parser calls the lexer twice.", False),
        ("The parser calls you.", False),
    ],
)
def test_a_repeat_says_the_same_words_in_their_order(later: str, repeated: bool) -> None:
    assert (1 in repeats(["The parser calls the lexer.", later])) == repeated


def test_a_new_word_among_many_is_no_repeat_and_one_less_is() -> None:
    said = "alpha bravo charlie delta echo foxtrot golf hotel india juliett"
    assert repeats([said, f"{said} kilo"]) == {}
    assert repeats([f"{said} kilo", said]) == {1: 0}
    assert repeats([f"{said} kilo", said], [("Ann", None), ("Bob", None)]) == {}
    assert repeats([said, "alpha bravo charlie"]) == {}


def test_a_long_text_is_not_held() -> None:
    short, long = "Bob " * 10, "Bob " * 300
    for found in (content_words, numbers, names, capitalised, dates, negated):
        for text in (f"{short}is not 5, yesterday", f"{long}is not 5, yesterday"):
            held = found(text) is found(text)
            assert found(text)
            assert held == text.startswith(f"{short}is"), found


def test_each_piece_is_a_whole_sentence_of_its_source() -> None:
    sources = [Source(LONG), Source("Bob moved to Rome in 2021. He is happy.")]
    for level in LEVELS.values():
        for piece in condense(sources, level).pieces:
            assert piece.text in sentences(sources[piece.source].text)


def test_sentences_end_where_they_end() -> None:
    text = "It cost 3.50 at the U.S. shop! Really?\nYes… 「好。」好。次"
    assert sentences(text)[:2] == ["It cost 3.50 at the U.S. shop!", "Really?"]
    assert sentences("Mr. Weber came on the 3. Mai. Dr. J. Holm left.") == [
        "Mr. Weber came on the 3. Mai.",
        "Dr. J. Holm left.",
    ]
    whole = [
        "The van costs 90 pounds a day excl. VAT and fuel.",
        "They want 18,500 for everything incl. insurance.",
        "We need approx. 40 sandwiches, no. 7 on the menu.",
        "We meet at St. Anne's church at 6 a.m. sharp.",
        "Own van, reg. KX12 ABC.",
    ]
    assert [sentences(text) for text in whole] == [[text] for text in whole]
    assert sentences("No. We leave at 6 a.m. Bring boots.") == [
        "No.",
        "We leave at 6 a.m.",
        "Bring boots.",
    ]
    assert sentences("Ok. the plumber comes. bring tea") == [
        "Ok.",
        "the plumber comes.",
        "bring tea",
    ]
    assert sentences("一。二。") == ["一。", "二。"]
    assert sentences("") == []


def test_a_sentence_that_others_turn_on_is_central() -> None:
    rows = ["red fox jumps", "red fox runs", "fox sleeps", "blue sky"]
    rank = centrality(rows)
    assert rank.sum() == pytest.approx(1)
    assert rank.argmin() == 3
    assert centrality([]).tolist() == []


def test_weighty_sources_are_kept_first() -> None:
    light = [
        Source("Tea was served by the nice people there."),
        Source("Rain fell on all of the green hills."),
    ]
    for place, begins in enumerate(("Tea", "Rain")):
        heavy = [*light[:place], replace(light[place], weight=9.0), *light[place + 1 :]]
        assert condense(heavy, SEMANTIC, share=0.6).text.startswith(begins)


NORTH, EAST = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]


def turns(count: int, session: str | None = "a", **more: bool) -> list[Turn]:
    return [Turn(session, float(place), **more) for place in range(count)]


def test_a_session_is_cut_where_its_meaning_turns() -> None:
    vectors = np.array([NORTH, NORTH, NORTH, EAST, EAST])
    assert groups(turns(5), vectors, NO_PAIRS, largest=6) == ((0, 1, 2), (3, 4))
    assert groups(turns(5), vectors, NO_PAIRS, largest=2) in {
        ((0, 1), (2,), (3, 4)),
        ((0,), (1, 2), (3, 4)),
    }
    assert borders(vectors, longest=6, penalty=100.0) == ()
    assert borders(np.zeros((0, 3)), longest=6) == ()


def test_condensed_memories_of_many_turns_part_where_few_turns_stay_together() -> None:
    common, own = np.eye(6)[0], np.eye(6)[1:5]
    told = 2 * common + own
    told /= np.linalg.norm(told, axis=1, keepdims=True)
    assert borders(told, longest=6) == ()
    assert borders(told, longest=6, turns=20) == (1, 2, 3)
    rows = [replace(turn, lines=5) for turn in turns(4)]
    assert groups(rows, told, NO_PAIRS, largest=6) == ((0,), (1,), (2,), (3,))


def test_a_question_stays_with_its_answer_and_thanks_with_what_they_are_for() -> None:
    vectors = np.array([NORTH, NORTH, NORTH, EAST, EAST])
    told = turns(5)
    asking = [*told[:2], replace(told[2], asks=True), *told[3:]]
    assert groups(asking, vectors, NO_PAIRS, largest=6) in {((0, 1), (2, 3, 4)), ((0, 1, 2, 3, 4),)}
    thanking = [*told[:3], replace(told[3], goes_on=True), told[4]]
    found = groups(thanking, vectors, NO_PAIRS, largest=6)
    assert all({2, 3} <= set(group) or not {2, 3} & set(group) for group in found)


def test_a_border_that_has_to_come_leaves_a_bare_yes_with_its_question() -> None:
    asking = [replace(turn, asks=place < 3) for place, turn in enumerate(turns(4))]
    vectors = np.array([NORTH, NORTH, NORTH, EAST])
    assert groups(asking, vectors, NO_PAIRS, largest=3) == ((0, 1, 2), (3,))
    bare = [*asking[:3], replace(asking[3], goes_on=True)]
    assert {2, 3} <= set(groups(bare, vectors, NO_PAIRS, largest=3)[-1])


def test_silence_and_other_sessions_part() -> None:
    same = np.array([NORTH] * 4)
    late = [*turns(2), Turn("a", GAP_SECONDS + 2), Turn("a", GAP_SECONDS + 3)]
    assert groups(late, same, NO_PAIRS, largest=6) == ((0, 1), (2, 3))
    mixed = [Turn("a", 0), Turn("b", 1), Turn("a", 2), Turn(None, 3)]
    assert groups(mixed, same, NO_PAIRS, largest=6) == ((0, 2), (1,), (3,))


def test_a_topic_that_comes_back_is_joined_and_never_too_large() -> None:
    vectors = np.array([NORTH, EAST, NORTH, NORTH])
    pairs = np.array([[0, 2], [0, 1], [1, 1]])
    alone = turns(4, None)
    assert groups(alone, vectors, pairs, largest=4) == ((0, 2), (1,), (3,))
    assert groups(alone, vectors, np.array([[0, 2], [2, 3]]), largest=2) == ((0, 2), (1,), (3,))
    assert groups(alone, np.zeros((4, 3)), pairs, largest=4) == ((0,), (1,), (2,), (3,))
    assert groups([], np.zeros((0, 3)), NO_PAIRS, largest=2) == ()


def test_topics_of_one_chat_are_not_joined_by_what_all_of_it_has_in_common() -> None:
    rng = np.random.default_rng(7)
    own = rng.standard_normal((20, 64)) / 8
    own[1] = own[0]
    chat = own + 2 * np.ones(64) / 8
    chat /= np.linalg.norm(chat, axis=1, keepdims=True)
    assert chat[2] @ chat[3] > 0.7
    pairs = np.array([[0, 1], [2, 3]])
    found = groups(turns(20, None), chat, pairs, largest=4)
    assert (0, 1) in found
    assert (2,) in found


def test_a_pair_that_is_not_there_or_a_group_of_none_is_refused() -> None:
    one = np.array([NORTH])
    with pytest.raises(ValueError, match="beyond 1 memories"):
        groups(turns(1), one, np.array([[0, 1]]), largest=2)
    with pytest.raises(ValueError, match="groups of 0"):
        groups(turns(1), one, NO_PAIRS, largest=0)
    with pytest.raises(ValueError, match="vectors of 2"):
        groups(turns(2), one, NO_PAIRS, largest=2)
    with pytest.raises(ValueError, match="segments of 2"):
        borders(one, longest=2, penalty=-1.0)


def test_a_condensed_memory_inherits() -> None:
    sources = [
        Standing(0.9, 3, 2, 0.4, 5, 0.1, 10.0, ("b", "a")),
        Standing(0.5, 1, 4, 0.7, 2, 0.6, tags=("a",)),
    ]
    assert inherited(sources) == Standing((0.9 * 3 + 0.5) / 4, 4, 4, 0.7, 7, 0.6, 10.0, ("a", "b"))
    untaught = inherited([Standing(0.4, 0, 1, 1.0), Standing(0.6, 0, 1, 1.0)])
    assert (untaught.q_value, untaught.q_count) == (0.5, 0)
    with pytest.raises(ValueError, match="nobody"):
        inherited([])


SEMICOLONS = [
    "The CSV import of Acme failed: the file uses semicolons instead of commas.",
    "Import of Bolt's customer list failed again, semicolons as separator.",
    "Third import this week that fails over semicolons: Cargo's price list.",
    "Delta's CSV import failed because of semicolon separators; converting it to commas fixed it.",
    "Echo's import failed on semicolons, fixed by setting the delimiter to ;.",
]


def test_a_profile_tells_what_happens_again_and_again_by_one_of_its_sentences() -> None:
    sources = [
        Source(text, None, MAY + timedelta(days=place)) for place, text in enumerate(SEMICOLONS)
    ]
    lines = condense(sources, SEMANTIC).text.splitlines()
    assert lines[0] == "Told on 5 days from 7 May 2023 to 11 May 2023, for example:"
    assert lines[1] in SEMICOLONS
    assert not set(SEMICOLONS) & set(lines[2:])


def test_days_of_condensed_lines_count_and_the_head_is_no_sentence() -> None:
    first = [Source(text, None, MAY + timedelta(days=at)) for at, text in enumerate(SEMICOLONS[:3])]
    joined = Source(condense(first, LONG_TERM).text, None, MAY)
    text = condense([joined, Source("Ana lives in Oslo.", "Ana", JUNE)], SEMANTIC).text
    assert text.startswith("Told on 3 days from 7 May 2023 to 9 May 2023, for example:\n")
    assert without_heads(text).splitlines()[0] in SEMICOLONS


def test_what_was_told_on_two_days_or_of_other_things_is_no_rule() -> None:
    twice = [Source(text, None, MAY + timedelta(days=at % 2)) for at, text in enumerate(SEMICOLONS)]
    assert "Told on" not in condense(twice, SEMANTIC).text
    others = ["Ana bought oak boards.", "Ben sails to Oslo in June.", "The lamp on the desk broke."]
    apart = [Source(text, None, MAY + timedelta(days=at)) for at, text in enumerate(others)]
    assert "Told on" not in condense(apart, SEMANTIC).text


def test_turns_of_one_speaker_keep_their_days_and_lines_when_condensed_again() -> None:
    twice = [
        Source("Mr. Kessler comes on Tuesday.", "Nora", MAY),
        Source("The hob is from Bosch.", "Nora", JUNE),
    ]
    lines = [
        "Nora (7 May 2023): Mr. Kessler comes on Tuesday.",
        "Nora (1 June 2023): The hob is from Bosch.",
    ]
    once = condense(twice, SHORT_TERM).text
    assert once.splitlines() == lines
    more = Source("The sink is blue.", "Jonas", JUNE)
    again = condense([Source(once, "Nora", MAY), more], LONG_TERM).text
    assert again.splitlines()[:2] == lines


def test_a_profile_leaves_out_what_lacks_its_subject_and_heads_no_denial_with_its_speaker() -> None:
    turns = [
        Source("He must not climb the stairs. I can't, I faint.", "Ruth", MAY),
        Source("Minka is a cat. She has diabetes.", "Ruth", MAY),
        Source("My brother Paul never carries it down.", "Ruth", MAY),
        Source("No ibuprofen in this house!", "Ruth", MAY),
        Source("The order was never written.", "Ruth", MAY),
    ]
    assert condense(turns, SEMANTIC).text.splitlines() == [
        "About Minka:",
        "Ruth: Minka is a cat.",
        "Ruth: She has diabetes.",
        "Said:",
        "Ruth: No ibuprofen in this house!",
    ]


def test_a_profile_keeps_whom_it_names_and_an_answer_that_may_hold_with_its_question() -> None:
    turns = [
        Source("Which medicines does he take?", "Assistant", MAY),
        Source("Metformin twice a day, heparin every evening.", "Ruth", MAY),
        Source("Shall I find a shop?", "Assistant", MAY),
        Source("Yes, please do.", "Ruth", MAY),
        Source("The company wrote to Kofi about the rudder.", "Ruth", MAY),
        Source("They offer the Dufour in its place.", "Ruth", MAY),
        Source("The weather was nice and we talked for a while.", "Ruth", MAY),
    ]
    assert condense(turns, SEMANTIC, share=0.0).text.splitlines() == [
        "Assistant: Which medicines does he take?",
        "Ruth: Metformin twice a day, heparin every evening.",
        "Ruth: The company wrote to Kofi about the rudder.",
        "Ruth: They offer the Dufour in its place.",
    ]


def test_a_profile_parts_no_answer_from_its_question_and_no_she_from_its_name() -> None:
    turns = [
        Source("Kofi has the licence, right?", "Iris", MAY),
        Source("I do, but Croatia wants a certificate.", "Kofi", MAY),
        Source("Minka is a cat. She has diabetes.", "Ruth", MAY),
    ]
    assert condense(turns, SEMANTIC).text.splitlines() == [
        "About Minka:",
        "Ruth: Minka is a cat.",
        "Ruth: She has diabetes.",
        "Said:",
        "Iris: Kofi has the licence, right?",
        "Kofi: I do, but Croatia wants a certificate.",
    ]


def test_a_profile_keeps_the_new_day_beside_the_old_one() -> None:
    rows = ["We open the museum on 4 December.", "Tom was ill.", "We open on the 11th instead."]
    text = condense([Source(row, "Ada") for row in rows], LEVELS["semantic"]).text
    assert "instead" in text
    assert "ill" not in text


def test_a_name_that_is_known_counts_where_it_begins_a_sentence() -> None:
    rows = ["His name is Goran.", "It was a nice walk.", "Goran measured the window."]
    text = condense([Source(row, "Ada") for row in rows], LEVELS["semantic"]).text
    assert "Goran measured the window." in text
    assert "walk" not in text


def test_a_denial_stays_in_a_profile() -> None:
    said = "The server rack must not be tilted more than 15 degrees."
    text = condense(
        [Source(f"{said} We talked about the lift for a while.", "Ana", MAY)], SEMANTIC
    ).text
    assert said in text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Please print the list of bookings every Friday.", True),
        ("The boiler is bled each spring.", True),
        ("The bins go out on Tuesdays.", True),
        ("The bins stand in the yard today.", False),
    ],
)
def test_what_is_done_again_and_again_stays_in_a_profile(said: str, kept: bool) -> None:
    text = condense(
        [Source(f"{said} I like tea. The old lift was replaced by a new one at last.", "Ana", MAY)],
        SEMANTIC,
        share=0,
    ).text
    assert (said in text) is kept


def test_a_profile_keeps_the_new_value_of_whom_the_turn_before_names() -> None:
    turns = [
        Source("Biscuit weighs 14 kilos, that's two too many!", "Ren", MAY),
        Source("So now she gets 240 grams a day instead of 300.", "Ren", MAY),
    ]
    assert "240 grams a day" in condense(turns, SEMANTIC).text
