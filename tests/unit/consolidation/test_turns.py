"""Turns that go on from others, questions that stay, and sentences that a later text replaces."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from graph.condensing.acts import is_decision, is_idle, is_reaction
from graph.condensing.model import LEVELS, Level, Source
from graph.condensing.references import (
    asks_something,
    continues,
    goes_on,
    names_others,
    points_back,
)
from graph.condensing.text import condense, outdated
from graph.model.consolidation.clusters import Outlined
from graph.replacing.detection import LEAST_SIMILARITY
from service.use_cases.consolidation.condensing import cluster_memories, replaces

MARCH = datetime(2026, 3, 2, 18, tzinfo=UTC)
LATER = datetime(2026, 3, 5, 18, tzinfo=UTC)
SHORT_TERM, LONG_TERM = LEVELS["short_term"], LEVELS["long_term"]
EPISODIC = LEVELS["episodic"]


def told(*rows: str, at: datetime = MARCH) -> list[Source]:
    """Make one source of each `Speaker: text`."""
    pairs = (row.split(": ", 1) for row in rows)
    return [Source(text, speaker, at) for speaker, text in pairs]


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, good to know.",
        "Nice choice!",
        "Then a gas hob may be better.",
        "In that case I'd wait.",
        "Which colour are they?",
        "And production?",
        "He can come on Tuesday.",
        "I'll talk to him, no problem",
        "use the XL size for it",
        "Great, I'll pick up the keys tomorrow.",
        "Agreed. And no deploys before ten.",
        "Works for me",
        "Again? Tell them it's the last time.",
    ],
)
def test_a_turn_that_says_nothing_alone_goes_on(text: str) -> None:
    assert goes_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "I called Mr. Kessler.",
        "Yesterday Anna paid.",
        "How many children will come to the party?",
        "Does Ida eat nuts?",
    ],
)
def test_a_turn_with_a_subject_of_its_own_begins_anew(text: str) -> None:
    assert not goes_on(text)


def test_a_question_that_asks_for_nothing_needs_no_answer() -> None:
    assert not asks_something("Done. Anything else?")
    assert not asks_something("The room is booked.")
    assert asks_something("Noted. Indoors or outdoors?")
    assert asks_something("In every room? We'd live in a cave")
    assert not asks_something("In every room? Only here. We'd live in a cave")
    assert not asks_something("Ole: Why so early?\nIda: The sun.")
    assert goes_on("when is he gone exactly")


def test_a_duty_is_no_decision() -> None:
    assert is_decision("We decided on oak.")
    assert not is_decision("He must keep 60 cm distance.")
    assert is_idle("Thanks, good to know.")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who bakes the cake?", "My mother does."),
        ("When does the shop open?", "I'd say 1 September."),
        ("Shall I look up the price?", "No need, it's 80 euros."),
        ("A radiant hob then?", "Yes, let's take the radiant one by Bosch."),
        ("How was Rome?", "It was too hot for Ida."),
        ("Does he need any equipment?", "A raised toilet seat and a walker."),
        ("Shall I find a shop?", "Please. The seat must not cost more than 60 euros."),
        ("Shall I look for another one?", "Not this year. Print the list on paper."),
        ("Is that per person?", "No, for the whole boat and week, without fuel."),
        ("Can we kill the export?", "I'd rather not, the accountants need the file."),
        ("Does the car have a vignette?", "Not yet, I'll buy one online before we go."),
    ],
)
def test_an_answer_that_leaves_words_out_keeps_its_question(question: str, answer: str) -> None:
    text = condense(told(f"Bot: {question}", f"Nora: {answer}"), SHORT_TERM).text
    assert text == f"Bot: {question}\nNora: {answer}"


def test_a_question_that_nobody_could_answer_stays_open_without_the_excuse() -> None:
    sources = told(
        "Nora: White tiles cost 45 euros.", "Bot: From which shop?", "Nora: I don't know yet."
    )
    text = condense(sources, SHORT_TERM).text
    assert text == "Nora: White tiles cost 45 euros.\nBot: From which shop?"


def test_me_keeps_the_question_who_and_a_number_in_words_is_a_fact() -> None:
    turns = told(
        "Wen: Who ordered the alarm?",
        "Samir: Me, sorry. I'll set it to 8.",
        "Wen: Then back on the drip for two days.",
    )
    assert condense(turns, LEVELS["episodic"], share=0.0).text.splitlines()[-3:] == [
        "Wen: Who ordered the alarm?",
        "Samir: Me, sorry. I'll set it to 8.",
        "Wen: Then back on the drip for two days.",
    ]


def test_an_excuse_stays_before_what_would_be_read_as_the_answer() -> None:
    sources = told("Bot: Who drives him?", "Ruth: I don't know yet. Paul has to work.")
    text = condense(sources, SHORT_TERM).text
    assert text == "Bot: Who drives him?\nRuth: I don't know yet. Paul has to work."
    episode = condense([*sources, *told("Ruth: Bring 12 chairs.")], LEVELS["episodic"]).text
    assert "Open:\nBot: Who drives him?\nRuth: I don't know yet.\nSaid:" in episode


def test_an_answered_question_stays_that_a_kept_sentence_goes_on_from() -> None:
    sources = told(
        "Tomas: Could Jule do it? She knows the refund tool of Adyen.",
        "Mira: Jule is on holiday until Monday.",
    )
    text = condense(sources, SHORT_TERM).text
    assert "Tomas: Could Jule do it? She knows the refund tool of Adyen." in text


def test_nobody_agrees_to_a_question_how_or_decides_what_leans_on_another_sentence() -> None:
    sources = told(
        "Bot: How is he doing?",
        "Ruth: Ok, but he is stubborn.",
        "Ruth: Sanivita has a seat for 49 euros.",
        "Ruth: Great, I'll pick it up tomorrow.",
        "Bot: Shall I tell Paul?",
        "Ruth: Yes please. He wanted to come on Friday.",
    )
    lines = condense(sources, LEVELS["episodic"]).text.splitlines()
    assert lines[1:5] == [
        "Decided:",
        "Bot: Shall I tell Paul?",
        "Ruth: Yes please. He wanted to come on Friday.",
        "Said:",
    ]
    assert lines[5:] == [f"{row.speaker}: {row.text}" for row in sources[:4]]


def test_an_answer_that_decides_stays_with_its_question_in_an_episode() -> None:
    sources = told(
        "Iris: What about the car of Lena, does it have a vignette?",
        "Lena: Not yet, I'll buy one online before we go.",
        "Kofi: I'll confirm the Dufour today.",
        "Kofi: The harbour of Biograd opens at 17:00.",
        "Iris: Good, I'll confirm today.",
    )
    lines = condense(sources, LEVELS["episodic"]).text.splitlines()
    assert lines[1:] == [
        "Decided:",
        "Kofi: I'll confirm the Dufour today.",
        "Said:",
        *(f"{sources[place].speaker}: {sources[place].text}" for place in (0, 1, 3, 4)),
    ]


def test_a_name_behind_an_article_is_no_greeting_and_an_outcry_tells_nothing() -> None:
    assert not is_idle("So the Bavaria.")
    assert is_idle("Hey Mel!")
    assert is_idle("Oh no! Phew.")
    assert is_idle("Poor Ben.")


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("See you tomorrow!", True),
        ("Talk to you on Thursday!", True),
        ("Sorry, I've got to run.", True),
        ("Talk soon.", True),
        ("Sure, go ahead.", True),
        ("Go ahead with the blue tiles.", False),
        ("Until 9 June.", False),
        ("See you at the station with Lena and the children.", False),
        ("I have to go to the dentist.", False),
    ],
)
def test_a_farewell_tells_nothing_and_an_appointment_does(text: str, idle: bool) -> None:
    assert is_idle(text) is idle


def test_an_apology_for_a_change_is_no_comment_on_what_the_other_said() -> None:
    assert is_reaction("Sorry to hear that.")
    text = condense(
        told("Bot: I booked tomorrow at two.", "Omar: Sorry, tomorrow does not work after all."),
        LONG_TERM,
    ).text
    assert "tomorrow does not work" in text


def test_a_reaction_with_a_name_and_a_duty_stay() -> None:
    sources = told("Bot: How many are we?", "Kofi: Five. You two, me, Ben and his sister Carla.")
    assert "You two, me, Ben and his sister Carla." in condense(sources, LONG_TERM).text
    cat = told("Ruth: Oh and Minka, his cat. Someone has to feed her until he is back.")
    kept = condense(
        [*cat, *told("Ruth: It rained all day long here.")], LEVELS["episodic"], share=0
    )
    assert "Someone has to feed her until he is back." in kept.text


def test_a_sentence_that_points_back_keeps_the_one_before_it() -> None:
    sources = told(
        "Nora: My mother is really quite wonderful. She makes a cake for 9 children.",
        "Nora: Bring 12 chairs.",
    )
    assert points_back("She makes a cake.")
    text = condense(sources, LEVELS["episodic"], share=0.0).text
    assert "My mother is really quite wonderful. She makes a cake for 9 children." in text


def test_he_behind_the_first_words_keeps_the_sentence_that_names_him() -> None:
    sources = told(
        "Nora: Hmm, Luis called me a moment ago. The digger is broken, he comes on 29 April.",
        "Nora: Bring 12 chairs.",
    )
    assert not continues("My brother is ill, he comes on 29 April.")
    text = condense(sources, LEVELS["episodic"], share=0.0).text
    assert sources[0].text in text


def test_a_sentence_of_another_text_is_outdated_by_a_later_one() -> None:
    old = told("Nora: The cabinets come from Holzmann in Leipzig. Delivery is on 24 March.")
    new = told("Nora: Holzmann wrote, the delivery is moved to 31 March.", at=LATER)
    other = told("Jonas: Holzmann wrote, the delivery is moved to 28 March.", at=LATER)
    assert outdated([old, new], replaces, LEAST_SIMILARITY) == [
        frozenset({(0, "Delivery is on 24 March.")}),
        frozenset(),
    ]
    assert outdated([old, other], replaces, LEAST_SIMILARITY) == [frozenset(), frozenset()]
    assert outdated([], replaces, LEAST_SIMILARITY) == []
    gone = outdated([old, new], replaces, LEAST_SIMILARITY)[0]
    text = condense([*old, *told("Nora: We want oak.")], LONG_TERM, outdated=gone).text
    assert "24 March" not in text
    assert "The cabinets come from Holzmann in Leipzig." in text


@pytest.mark.parametrize(
    ("name", "speaker", "other"),
    [
        ("Ann", "anna", True),
        ("Paul", "paula lee", True),
        ("Anna", "anna", False),
        ("Mel", "melanie", False),
        ("Ann", "ann lee", False),
        ("Mel", "melanie lee", False),
    ],
)
def test_a_short_form_or_first_name_of_a_speaker_names_nobody_else(
    name: str, speaker: str, other: bool
) -> None:
    assert names_others(f"We saw {name} today.", frozenset({speaker})) == (
        {name} if other else set()
    )


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("we could tie a rope to it", "a rope on a mast that bends in harbour wind, lovely"),
        ("the ferry leaves in the morning, they wrote us", "eight."),
        ("the ferry company rang about the crossing", "Not Monday."),
    ],
)
def test_a_reply_without_a_verb_stays_with_what_it_is_about(said: str, reply: str) -> None:
    rows = told(
        "Ole: The boat costs 900 euros for 7 days, 200 of them as a deposit.",
        "Ines: Per pays 450 of it on 2 June, the rest on 9 June.",
        f"Ole: {said}",
        f"Ines: {reply}",
    )
    for share in (0.0, 0.5, 0.8, 0.9):
        text = condense(rows, EPISODIC, share=share).text
        assert reply not in text or said in text, share


@pytest.mark.parametrize("reply", ["Book it.", "Ok, book them then!"])
def test_telling_somebody_to_do_what_was_said_is_a_decision(reply: str) -> None:
    rows = told(
        "Ole: The hall is free on 4 May.",
        "Ines: Hiring the two stoves costs 90 a day",
        f"Ole: {reply}",
    )
    text = condense(rows, EPISODIC, share=0).text
    assert f"Ines: Hiring the two stoves costs 90 a day\nOle: {reply}" in text


@pytest.mark.parametrize(
    "said",
    [
        "she was feverish after the jab",
        "Good news, the rash is fading",
        "Grandma's check went fine, her doctor just rang",
        "I've sprained my ankle",
        "the engine died on the way",
        "my neighbour lends us her ladder until then",
        "Odile feeds the goats",
        "they need towels every day",
        "she'd lend us the big tent for free",
        "the tickets: the scouts' parents will sell these at the door",
        "map opens but the contour lines are missing",
        "both lorries are in the workshop",
        "Cleaned the second filter too",
        "he's home",
        "done, the till works again",
    ],
)
def test_what_became_of_somebody_or_somebody_else_does_stays_in_an_episode(said: str) -> None:
    rows = told("Ole: The ferry leaves at 8:10 from pier 12, on 4 May.", f"Ines: {said}")
    assert said in condense(rows, EPISODIC, share=0).text


@pytest.mark.parametrize(
    "said",
    [
        "pancakes then, everybody stirs",
        "then goulash in the big pot",
        "blue it is",
        "then you get the goulash stuff",
        "Please keep the shed readable for visitors",
        "and cancel the old boat",
        "we can do it at ours",
    ],
)
def test_what_was_chosen_or_asked_for_stays_in_an_episode(said: str) -> None:
    rows = told("Ole: The ferry leaves at 8:10 from pier 12, on 4 May.", f"Ole: {said}")
    assert said in condense(rows, EPISODIC, share=0).text


@pytest.mark.parametrize("said", ["he was here until then", "how nice it is", "then it is fine"])
def test_what_only_ends_like_a_choice_decides_nothing(said: str) -> None:
    assert not is_decision(said)


def test_a_short_choice_stays_among_statements() -> None:
    rows = told("Ole: Kamil from the firm wants 5,900 for pipes.", "Ines: Kamil then.")
    assert "Kamil then." in condense(rows, LONG_TERM).text


@pytest.mark.parametrize(
    "said",
    [
        "it was lovely",
        "both are fine",
        "we were so happy",
        "what a day it was",
        "was the engine dying",
        "thanks",
    ],
)
def test_small_talk_is_no_fact_of_an_episode(said: str) -> None:
    rows = told("Ole: The ferry leaves at 8:10 from pier 12, on 4 May.", f"Ole: {said}")
    assert said not in condense(rows, EPISODIC, share=0).text


@pytest.mark.parametrize("said", ["Grandma snores like a walrus", "My aunt loves the attic"])
def test_who_she_is_stays_where_another_is_named_between(said: str) -> None:
    rows = told(
        f"Ole: {said}",
        "Bot: So Ines sleeps there on 4 May, and Ole on 5 May.",
        "Ole: She's not allowed to lift more than 2 kg",
    )
    for share in (0.0, 0.5):
        text = condense(rows, EPISODIC, share=share).text
        assert text.index(said) < text.index("She's not allowed"), share


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "A cousin of mine would like to join us, ok?",
            "Sure, as long as she doesn't sing on deck",
        ),
        ("how many could we fit in there", "about 80 he says, but the galley is tiny"),
        ("lamps?", "i'm bringing two from the boathouse on Friday"),
        ("who relieves Tjark on Sunday?", "not me, I'm on call till five."),
    ],
)
def test_an_answer_that_takes_up_somebody_keeps_the_question(asked: str, answer: str) -> None:
    rows = told(f"Ole: {asked}", f"Ines: {answer}")
    assert condense(rows, SHORT_TERM).text == f"Ole: {asked}\nInes: {answer}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Cello player rehearses with the window shut", "Let's ask him and the baker on 9 May"),
        ("even better, a lantern", "which I lent to Tjark on Friday. I'll ask him"),
        ("we need a tow bar for small boats", "Not for the long one"),
    ],
)
def test_what_a_reply_takes_up_stays_in_an_episode(before: str, after: str) -> None:
    rows = told("Bot: The ferry leaves at 8:10 on 4 May.", f"Ole: {before}", f"Rosa: {after}")
    text = condense(rows, EPISODIC, share=0).text
    assert before in text
    assert after in text


def test_what_an_answer_goes_on_with_about_another_stays_with_it() -> None:
    rows = told("Bot: Shall I note that Ole brings the tent?", "Ole: yes. and Rosa the lantern")
    assert "yes. and Rosa the lantern" in condense(rows, EPISODIC, share=0).text


def outlined(place: int, text: str) -> Outlined:
    """Make a memory of a session as clustering sees it, each with a direction of its own."""
    vector = np.eye(2, dtype=np.float32)[place]
    at = MARCH + timedelta(minutes=place)
    asks = text.endswith("?")
    return Outlined(str(place), 1, len(text), 1, text, asks, vector, "s", place, at, ("ole",))


@pytest.mark.parametrize("asked", ["who's bringing the stove", "The stove? It weighs a ton"])
def test_an_answer_is_condensed_with_its_question_that_lacks_a_mark_or_does_not_end(
    asked: str,
) -> None:
    rows = [outlined(0, asked), outlined(1, "Jonas from the harbour office has an old one.")]
    assert [len(group) for group in cluster_memories(rows, [], "short_term")] == [2]


def test_a_sentence_about_those_keeps_what_they_are() -> None:
    rows = told(
        "Bot: The fair is on 4 May.", "Ida: Terracotta tiles. I ordered those from Castellan."
    )
    assert "Terracotta tiles. I ordered" in condense(rows, EPISODIC, share=0).text
    assert "Terracotta tiles" in condense(rows, LEVELS["semantic"], share=0).text


@pytest.mark.parametrize("said", ["more or less", "a day or two", "we stay or we go"])
def test_an_or_that_leaves_no_choice_asks_nothing(said: str) -> None:
    assert not asks_something(said)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("which ones", "Frieda and the grey one"), ("is one enough", "for the small tent")],
)
def test_a_short_question_without_a_mark_stays_with_its_answer(asked: str, answer: str) -> None:
    rows = told("Bot: Two goats are ill since 4 May.", f"Ole: {asked}", f"Ida: {answer}")
    assert f"Ole: {asked}\nIda: {answer}" in condense(rows, EPISODIC, share=0).text


@pytest.mark.parametrize("said", ["what a day", "when I can", "where possible"])
def test_what_only_begins_like_a_question_asks_nothing(said: str) -> None:
    assert not asks_something(said)


def test_an_either_without_a_mark_stays_with_what_was_chosen() -> None:
    rows = told("Bot: The fair is on 4 May.", "Ole: bunks or hammocks", "Ida: hammocks, always")
    assert "Ole: bunks or hammocks\nIda: hammocks" in condense(rows, EPISODIC, share=0).text


def test_a_reply_that_ends_a_kept_sentence_stays() -> None:
    rows = told("Bot: The fair is on 4 May.", "Ole: Ida is allergic", "Ida: to rabbits.")
    assert "Ole: Ida is allergic\nIda: to rabbits." in condense(rows, EPISODIC, share=0).text


def test_a_profile_leaves_out_what_is_not_so_without_what_it_is_about() -> None:
    rows = told(
        "Bot: The fair is at the old harbour, and Ida sells soap there.",
        "Ole: Where do the lamps go?",
        "Ole: Not above the stove though, we light it",
    )
    assert "Not above the stove" not in condense(rows, LEVELS["semantic"]).text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Then we take that one", True),
        ("Then take all the blue wool off the shelf", True),
        ("And the swatch did bleed.", True),
        ("ha, noted", False),
        ("Morning all", False),
    ],
)
def test_decisions_with_then_requests_and_what_did_happen_are_facts(text: str, kept: bool) -> None:
    rows = told("Ole: The bus goes by the coast, the train by the pass.", f"Ines: {text}")
    assert (text in condense(rows, EPISODIC, share=0).text) == kept


@pytest.mark.parametrize("level", [EPISODIC, LONG_TERM])
def test_one_keeps_the_sentence_that_names_its_noun(level: Level) -> None:
    turns = told(
        "Fred: We need a second oven. Kessel has one for 18,000, Brotmann wants 14,500.",
        "Mia: I called Stoyanov.",
    )
    assert "We need a second oven. Kessel has one" in condense(turns, level).text


def test_a_sentence_with_one_or_that_stays_with_its_question_and_is_not_moved() -> None:
    turns = told(
        "Bot: Shall I tell Dr. Mulisch on Monday?",
        "Ren: Yes, on Monday.",
        "Bot: Do you have a gate for the stairs?",
        "Ren: Not yet. My colleague Omar has one that he doesn't use, I'll fetch it on Friday.",
        "Ida: The shop wants a deposit of 200. Does the club pay that?",
        "Ren: Yes, send me the bill.",
    )
    decided, _, said = condense(turns, EPISODIC).text.partition("Said:")
    assert "Shall I tell Dr. Mulisch" in decided
    assert "Not yet. My colleague Omar has one" in said
    assert "a deposit of 200. Does the club pay that?" in said


@pytest.mark.parametrize(
    ("reply", "decided"),
    [
        ("Agreed, we stay with Geolux.", True),
        ("Okay, the 22nd it is.", True),
        ("Okay, we take it.", False),
    ],
)
def test_a_choice_behind_an_answer_stands_under_decided(reply: str, decided: bool) -> None:
    rows = told(
        "Tom: The tiles of the new provider are 40 euros dearer.",
        "Mia: The new one has no offline package.",
        f"Tom: {reply}",
        "Mia: The ticket is MAP-212.",
    )
    text = condense(rows, EPISODIC).text
    assert (f"Decided:\nTom: {reply}" in text) is decided


@pytest.mark.parametrize(
    ("text", "decides"),
    [
        ("So the school gym after all.", True),
        ("Velopost instead, they are cheaper.", True),
        ("Okay, the 22nd it is.", True),
        ("OK, the 21st then.", True),
        ("Right, that is how it is.", False),
        ("No, not then.", False),
        ("Not after all.", False),
        ("So nice after all!", False),
        ("Why so late after all", False),
        ("Tomorrow does not work after all.", False),
    ],
)
def test_a_choice_needs_no_verb(text: str, decides: bool) -> None:
    assert is_decision(text) is decides
    sources = told(f"Win: {text}", "Ahmed: I painted the door for the hall in Ludlow.")
    assert not decides or text in condense(sources, EPISODIC, share=0.0).text


def test_a_proposal_without_a_verb_keeps_what_it_is_for() -> None:
    rows = told("Ida: I need you for the move. Monday the 16th at 8:30?", "Ole: Monday works.")
    assert "I need you for the move. Monday" in condense(rows, EPISODIC, share=0).text


@pytest.mark.parametrize("answer", ["Only if his dog can come", "Not until the 20th is over"])
def test_a_condition_keeps_its_question(answer: str) -> None:
    rows = told("Bot: Will Rob bring the tent?", f"Ole: {answer}")
    assert "Bot: Will Rob bring the tent?" in condense(rows, SHORT_TERM).text


@pytest.mark.parametrize(
    ("said", "decides"),
    [
        ("11:40 is free, the dentist cancelled", False),
        ("Nina confirmed on Friday", False),
        ("I cancelled the hall", True),
        ("We booked the hotel", True),
        ("Both are ordered", True),
    ],
)
def test_what_others_did_is_no_decision(said: str, decides: bool) -> None:
    assert is_decision(said) is decides
