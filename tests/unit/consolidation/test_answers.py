"""Questions, requests and their answers: neither half says something else, or nothing, without the other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph.condensing.acts import is_idle
from graph.condensing.answering import accepts, is_bare, presupposed, requests
from graph.condensing.model import LEVELS, Level, Source
from graph.condensing.profile import statements
from graph.condensing.references import asks_something, goes_on
from graph.condensing.text import condense
from graph.condensing.turns import read
from graph.scoring.strata import STRATA

MAY = datetime(2026, 5, 4, 18, tzinfo=UTC)
SHORT_TERM, EPISODIC, LONG_TERM, SEMANTIC = (LEVELS[name] for name in STRATA[1:])


def told(*rows: str) -> list[Source]:
    """Make one source of each `Speaker: text`."""
    pairs = (row.split(": ", 1) for row in rows)
    return [Source(text, speaker, MAY) for speaker, text in pairs]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has the landlord heard that Rufus bites the postman?", "I wrote to him last night."),
        ("Did you remember that the gate sticks in winter?", "I oiled both hinges."),
        ("When does the train to Utrecht leave?", "It is too early for me, we leave at 9."),
        ("Which of the 14 crates are broken?", "I looked at the ones near the door."),
        ("Who fetches Marlene from school?", "My neighbour goes there at noon."),
        ("Is he still on the blood thinner?", "Yes, but Dr. Stein halved the dose."),
        ("Does Dad even want the piano?", "He does. His left hand is weak."),
        ("Who steers the Dufour?", "I do, but Croatia also wants a certificate for the radio."),
        ("Can they deliver the oak on a Saturday?", "They can't, the driver is alone then."),
    ],
)
def test_a_question_stays_that_tells_what_its_answer_does_not(question: str, answer: str) -> None:
    text = condense(told(f"Ole: {question}", f"Ines: {answer}"), SHORT_TERM).text
    assert text == f"Ole: {question}\nInes: {answer}"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the train to Utrecht leave?", "Our train to Utrecht is at 9."),
        ("Where do we meet, Ines?", "I wait at the north gate."),
        ("Is the hall heated?", "The hall has two stoves."),
        ("Did you order the oak boards?", "Yes, I ordered the oak boards for 2 June."),
    ],
)
def test_a_question_goes_whose_answer_carries_it(question: str, answer: str) -> None:
    assert condense(told(f"Ole: {question}", f"Ines: {answer}"), SHORT_TERM).text == (
        f"Ines: {answer}"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "folded up and under the stairs, she'll mind",
        "was sold last spring",
        "Yes, moved it upstairs",
    ],
)
def test_an_answer_without_a_subject_keeps_its_question_behind_an_acknowledgement(
    answer: str,
) -> None:
    rows = told(
        "Ines: fetched the walker. it was 12 not 10",
        "Ole: Okay. What about the pram in the hall?",
        f"Ines: {answer}",
    )
    for level in (SHORT_TERM, EPISODIC, LONG_TERM):
        text = condense(rows, level).text
        assert "What about the pram in the hall?" in text, level.form
        assert text.index("pram") < text.index(answer), level.form


@pytest.mark.parametrize(
    "question",
    [
        "what if the ferry is full again",
        "and what if the ferry is full again?",
        "where do we sleep if the ferry is full?",
    ],
)
@pytest.mark.parametrize("level", [SHORT_TERM, EPISODIC, LONG_TERM])
def test_an_answer_to_a_case_stays_with_the_case(question: str, level: Level) -> None:
    rows = told(
        "Ines: The ferry leaves on 4 May from pier 12, tickets cost 48 euros for two.",
        f"Ole: {question}",
        "Ines: we take the coach then, the night one, and sleep on the way to the coast",
    )
    text = condense(rows, level).text
    assert question in text
    assert "we take the coach then" in text


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("who's bringing the stove", True),
        ("when is the boat back", True),
        ("can they give her something else", True),
        ("have you called the harbour", True),
        ("What's important is the stove.", False),
        ("what's more, the stove leaks", False),
        ("Have it ready by noon.", False),
        ("Do it on Monday.", False),
        ("Was there yesterday.", False),
        ("Did the dishes.", False),
        ("Who cooks has to wash up.", False),
    ],
)
def test_a_question_needs_no_mark(text: str, asks: bool) -> None:
    assert asks_something(text) is asks
    assert read(told(f"Ole: {text}"))[0].asks is asks


def test_an_answer_that_names_its_subject_needs_no_question() -> None:
    rows = told("Ole: Did anybody call?", "Ines: Ahmed called about the pram.")
    assert condense(rows, SHORT_TERM).text == "Ines: Ahmed called about the pram."


def test_somebody_called_by_a_name_needs_the_question() -> None:
    rows = told(
        "Ole: Who does the work?", "Ines: A plumber called Denzil, he did the neighbours' too."
    )
    assert condense(rows, SHORT_TERM).text.startswith("Ole: Who does the work?")


def test_what_a_question_takes_to_be_so_stays_up_to_the_last_stratum() -> None:
    sources = told(
        "Ole: Did you tell the nurse that Greta has asthma?",
        "Ines: I wrote it down. No cats, no feathers.",
        "Ines: We talked about the weather for a while.",
    )
    for level in LEVELS.values():
        assert "that Greta has asthma?" in condense(sources, level).text, level.form
    assert condense(sources, SEMANTIC, share=0).text.splitlines() == [
        "Ole: Did you tell the nurse that Greta has asthma?",
        "Ines: I wrote it down.",
        "Ines: No cats, no feathers.",
    ]


def test_an_open_question_that_tells_something_stays_a_statement() -> None:
    rows = told(
        "Ines: The cabin is booked.",
        "Ole: Who mentions to Per that Greta has asthma?",
        "Ole: Who buys the bread?",
    )
    text = condense(rows, LONG_TERM).text
    assert "that Greta has asthma?" in text
    assert "bread" not in text


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Do you know that the key is bent?", "the key is bent"),
        ("Have you told him that the lift is out of order?", "the lift is out of order"),
        ("Did you know Greta has asthma?", "Greta has asthma"),
        ("You heard that Per lives in Oslo, right?", "Per lives in Oslo"),
        ("Do you think that the key is bent?", ""),
        ("Is it true that the key is bent?", ""),
        ("Do you remember that bend?", ""),
        ("Do you know Greta?", ""),
    ],
)
def test_only_what_somebody_knows_is_taken_to_be_so(question: str, clause: str) -> None:
    assert presupposed(question) == clause


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("Good, then Tuesday.", False),
        ("Ok, at the Albertina.", False),
        ("Fine, seven then.", False),
        ("Agreed, tomorrow.", False),
        ("Great, thanks!", True),
        ("Thanks, Ole!", True),
        ("See you on Tuesday!", True),
    ],
)
def test_an_acknowledgement_with_a_value_tells_something(text: str, idle: bool) -> None:
    assert is_idle(text) is idle


def test_a_new_day_that_is_agreed_on_stays() -> None:
    rows = told(
        "Ole: The hall is free on Tuesday, for 80 euros.",
        "Ines: Good, then Tuesday. Who opens it?",
        "Ole: The caretaker opens it at noon.",
    )
    for level in (SHORT_TERM, EPISODIC, LONG_TERM):
        assert "Good, then Tuesday." in condense(rows, level).text, level.form


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("I order the wood and you give me 45.", "Done."),
        ("Call the caretaker before noon.", "Will do!"),
        ("Please water the plants on Friday.", "Sure."),
        ("You have to sign the lease.", "Ok, done."),
    ],
)
def test_an_acknowledgement_of_a_request_stays_with_it(request_: str, answer: str) -> None:
    rows = told(f"Ole: {request_}", f"Ines: {answer}")
    assert condense(rows, SHORT_TERM).text == f"Ole: {request_}\nInes: {answer}"


def test_an_acknowledgement_of_news_and_thanks_for_a_request_go() -> None:
    assert condense(told("Ole: The wood came on Friday.", "Ines: Ok."), SHORT_TERM).text == (
        "Ole: The wood came on Friday."
    )
    assert not requests("They gave him the keys.")
    assert not requests("Thank you for the flowers.")
    assert not accepts("Thanks!")


def test_a_question_under_decided_says_what_and_has_its_own_answer() -> None:
    rows = told(
        "Ole: Who returns the van?",
        "Ines: Could you? Before 8 on Monday, near the harbour.",
        "Ole: Yes",
        "Ines: The deposit was 200 euros.",
    )
    lines = condense(rows, EPISODIC).text.splitlines()
    assert lines[1:] == [f"{row.speaker}: {row.text}" for row in rows]


@pytest.mark.parametrize(
    ("question", "decides"),
    [
        ("Is the boiler of the cabin broken?", False),
        ("Does Jule eat the lemon cake?", False),
        ("Is the lemon cake for Jule fine?", True),
        ("Do we bake a lemon cake for Jule?", True),
    ],
)
def test_a_yes_decides_what_was_proposed_not_what_is_so(question: str, decides: bool) -> None:
    rows = told(
        "Ines: The deposit was 200 euros.",
        f"Ole: {question}",
        "Ines: Yes.",
        "Ines: The lake is 2 km away.",
    )
    assert ("Decided:" in condense(rows, EPISODIC).text) is decides


def test_an_agreed_question_moves_with_the_rest_of_its_turn() -> None:
    rows = told(
        "Ines: The deposit was 200 euros.",
        "Ole: Shall I ask the scouts? They have a tent for 30.",
        "Ines: Yes, ask Per, he leads them.",
        "Ines: The lake is 2 km away.",
    )
    lines = condense(rows, EPISODIC).text.splitlines()
    assert lines[1:4] == ["Decided:", "Ole: Shall I ask the scouts? They have a tent for 30.",
                          "Ines: Yes, ask Per, he leads them."]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Better not.", True),
        ("Green, with a white stripe.", True),
        ("Much nicer for the guests.", True),
        ("Per drives the van.", False),
        ("The harbour freezes early.", False),
        ("Went home early.", False),
        ("Painted the door.", False),
        ("A walker from Ahmed.", True),
        ("Mohammed then.", True),
        ("Wilfred and Ida.", True),
        ("Mohammed painted it.", False),
        ("Bring blankets and the tent.", False),
    ],
)
def test_a_phrase_has_neither_subject_nor_verb(text: str, bare: bool) -> None:
    assert is_bare(text) is bare


def test_a_phrase_stays_with_the_turn_before_it_or_goes() -> None:
    assert goes_on("Better not. The neighbours complain.")
    rows = told(
        "Ole: Green, with a white stripe", "Ines: The tent of Per leaks.", "Ole: Per called."
    )
    assert "stripe" not in condense(rows, LONG_TERM).text
    assert "stripe" in condense(rows, SHORT_TERM).text
    asked = [*told("Ines: Which one did you buy?"), *rows]
    for level in (LONG_TERM, SEMANTIC):
        text = condense(asked, level).text
        assert ("stripe" in text) is ("Which one did you buy?" in text)


def test_a_phrase_that_denies_or_counts_or_is_nobodys_answer_stays() -> None:
    rows = told("Ole: No shoes in the tent!", "Ines: Room 14", "Ole: Per called.")
    assert condense(rows, LONG_TERM).text.splitlines() == [
        f"{row.speaker}: {row.text}" for row in rows
    ]
    notes = [Source("Green, white stripe.", None, MAY), Source("Per called.", None, MAY)]
    assert "stripe" in condense(notes, LONG_TERM).text


def test_a_question_without_its_mark_stays_with_its_answer() -> None:
    rows = told(
        "Ines: btw where do we sleep all that time", "Ole: in the van. or at Per's, he offered"
    )
    for level in (SHORT_TERM, LONG_TERM):
        assert condense(rows, level).text == "\n".join(f"{row.speaker}: {row.text}" for row in rows)
    assert "all that time" in condense(rows, EPISODIC, share=0).text


def test_a_profile_says_who_asked() -> None:
    rows = [
        Source("Ole: Did cousin Ruben write?\nInes: He stays in Turin, he has exams.", None, MAY)
    ]
    [line] = statements(["Ruben"], rows)
    assert line.text == "Ole: Did cousin Ruben write? Ines: He stays in Turin, he has exams."
    assert line.speaker == "Ines"
    alone = [Source("Ole: Where does Ruben live?\nInes: Ruben lives in Turin.", None, MAY)]
    assert [row.text for row in statements(["Ruben"], alone)] == ["Ruben lives in Turin."]


def test_a_profile_of_a_speaker_has_no_answer_without_its_question() -> None:
    alone = told(
        "Ole: Forty, if nobody sits.", "Ole: Two, both green.", "Ole: No shoes in the tent!"
    )
    assert [row.text for row in statements(["Ole"], alone)] == ["No shoes in the tent!"]
    asked = [Source("Ines: How many tents do we need?\nOle: Two, both green.", None, MAY)]
    [line] = statements(["Ole"], asked)
    assert line.text == "Ines: How many tents do we need? Ole: Two, both green."


def test_a_profile_holds_what_a_question_takes_to_be_so() -> None:
    asked = told("Ole: Does the nurse know that Greta has asthma?")
    [line] = statements(["Greta"], asked)
    assert (line.group, line.text) == ("facts", asked[0].text)
    assert line.claim is not None
    assert (line.claim.relation, line.claim.value) == ("have", "asthma")
    answered = Source(f"Ole: {asked[0].text}\nInes: I wrote it down. No cats.", None, MAY)
    [line] = statements(["Greta"], [answered])
    assert line.text == f"Ole: {asked[0].text} Ines: I wrote it down. No cats."
    assert statements(["Greta"], told("Ole: Is Greta in?")) == []


@pytest.mark.parametrize("subject", ["Nobody", "everyone", "she", "no one", "what about"])
def test_nobody_has_no_profile(subject: str) -> None:
    rows = told("Ole: Forty, if nobody sits, and what about everyone else she knows, no one asks.")
    assert statements([subject], rows) == []


def test_a_number_with_a_word_is_no_line_of_a_profile() -> None:
    said = ["2.40. The clock is 2.35!!", "1,100 packed.", "I'm 34.", "We open on the 11th instead."]
    found = statements(["Ottilie"], [Source(text, "Ottilie") for text in said])
    shown = {"The clock is 2.35!!", "I'm 34.", "We open on the 11th instead."}
    assert {row.text for row in found} == shown


def test_an_answer_about_somebody_else_is_not_of_who_gives_it() -> None:
    orla = Source("Tomasz: does she eat meat?\nSiobhan: No, she's vegan.", None, MAY)
    assert statements(["Siobhan"], [orla]) == []
    visit = Source("Bot: Will you visit him?\nSiobhan: Yes, in July, ten days.", None, MAY)
    [line] = statements(["Siobhan"], [visit])
    assert line.text.endswith("Yes, in July, ten days.")
