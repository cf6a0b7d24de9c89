"""Word-by-word English of German, French and Spanish texts."""

from __future__ import annotations

from importlib.resources import files

import pytest

from graph.languages.english import LANGUAGES, english, english_of, language_of

ENGLISH = [
    "Where does Lena live now?",
    "The boiler man comes on Tuesday, 9ish.",
    "No hat for me, I am in a hurry.",
    "Jonas eats no nuts; die Mutti knows.",
    "Dr. Brandt's number is on the fridge.",
    "k8s dead letter queue",
    "Petra",
    "",
    "42",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_stays_as_it_is(text: str) -> None:
    assert language_of(text) is None
    assert english(text) == text


@pytest.mark.parametrize(
    "text", ["Dove abita Lena?", "Gdzie mieszka Lena?", "レナはどこに住んでいますか"]
)
def test_a_language_without_glossary_stays_as_it_is(text: str) -> None:
    assert english(text) == text


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("de", "Wo wohnt Lena jetzt?", "Where live Lena now?"),
        ("de", "Wann ist der Zahnarzttermin?", "When is the dentist appointment?"),
        ("fr", "Où habite-t-elle maintenant ?", "Where live she now ?"),
        ("es", "¿Dónde vive Marta ahora?", "¿Where live Marta now?"),
    ],
)
def test_a_question_is_read_word_by_word(language: str, text: str, words: str) -> None:
    assert language_of(text) == language
    assert english(text) == words


def test_the_particle_of_a_german_verb_joins_it() -> None:
    assert english("Emre fängt um zwei an, Paula um fünf.").startswith("Emre begin at two, Paula")


def test_a_german_capital_tells_the_noun_from_the_verb() -> None:
    assert "shop" in english("Der Laden ist zu.")
    assert "load" in english("Wir laden die Kisten ein und laden sie aus.")


def test_compounds_fall_apart_into_nouns() -> None:
    assert "spare part" in english("Wer liefert die Ersatzteile?")
    assert "cool room" in english("Der Kühlraum ist kalt.")


def test_a_capital_inside_a_french_sentence_is_a_name() -> None:
    assert "Pierre" in english("La sœur de Pierre habite ici.")
    assert "stone" in english("Le mur est en pierre.")
    # at the beginning the glossary has it as a name
    assert english("Rose travaille la nuit.").startswith("Rose work")


def test_elided_articles_are_words() -> None:
    assert "school" in english("Qui va à l'école ?")
    assert "school" in english("Qui va à l’école ?")


def test_phrases_are_read_as_a_whole() -> None:
    assert english("Qu'est-ce que Paul mange ?").startswith("What Paul")
    assert english("¿A qué hora abre la tienda?").startswith("¿At what time")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_form_stands_once_in_a_glossary(language: str) -> None:
    lines = files("graph.languages").joinpath(f"{language}.tsv").read_text("utf-8").splitlines()
    forms = [form for line in lines for form in line.split("\t")[0].split(",")]
    assert len(lines) > 5_000
    assert all(line.count("\t") == 1 for line in lines)
    assert len(forms) == len(set(forms))
    assert all(form == form.strip() and form for form in forms)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Was war letzte Woche?", "last week"),
        ("Was war vor zwei Wochen?", "two week ago"),
        ("Wo war der Schlüssel Anfang Mai?", "early May"),
        ("Darf Lena im Mai fahren?", "in the May"),
        ("Que faisait-on lundi dernier ?", "last Monday"),
        ("Où habitait-elle il y a trois ans ?", "three years ago"),
        ("¿Qué pasó la semana pasada?", "last week"),
        ("¿Qué falló a principios de abril?", "early April"),
    ],
)
def test_times_are_in_english_order(text: str, words: str) -> None:
    assert words in english(text)


def test_one_word_has_the_language_of_what_stands_beside_it() -> None:
    assert english("fehlgeschlagen") == "fehlgeschlagen"
    assert english_of("Der Test läuft durch", "fehlgeschlagen")[1] == "failed"
    assert english_of("The test passes", "failed") == ("The test passes", "failed")


def test_a_long_text_is_read_as_its_sentences_are() -> None:
    sentence = "Lena wohnt seit Mai in Bremen."
    assert english(" ".join([sentence] * 400)) == " ".join([english(sentence)] * 400)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Herr Fuchs ist krank.", "Mr Fuchs is"),
        ("Das sagt Frau Dr. Stein.", "Mrs Dr. Stein"),
        ("Familie Koch kommt morgen.", "Family Koch come"),
        ("Où habite M. Boulanger ?", "Mr Boulanger"),
        ("Ayer la señora Rey pagó la factura.", "Mrs Rey paid"),
        ("Die Frau ist krank.", "The woman is"),
    ],
)
def test_a_title_marks_a_name(text: str, words: str) -> None:
    assert words in english(text)
