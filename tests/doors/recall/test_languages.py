"""The table of docs/languages.md, row by row, on the real server."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.doors.asking import results_of

PAGE = Path(__file__).parents[3] / "docs" / "languages.md"
ROW = re.compile(r"^\| (\w+) \| (.+?) \| (.+?) \| (yes|no) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_the_table_is_there() -> None:
    assert len(ROWS) >= 20
    assert {found for *_, found in ROWS} == {"yes", "no"}


@pytest.mark.parametrize(
    ("language", "text", "asked", "found"), ROWS, ids=[f"{row[0]}-{row[2]}" for row in ROWS]
)
async def test_words_find_what_the_page_says(
    client: httpx.AsyncClient, language: str, text: str, asked: str, found: str
) -> None:
    saved = await client.post("/v1/memories", json={"agent_id": language, "text": text})
    assert saved.status_code == 201
    question = {"agent_id": language, "text": asked, "explain": True}
    [result] = await results_of(client, question, expect=1)
    lexical = result["explanation"]["components"]["lexical"]
    assert (lexical > 0) == (found == "yes"), lexical


NOTES = {
    "de": [
        "Mein Bruder verträgt keine Milch.",
        "Der Wagen muss im Herbst zum TÜV.",
        "Unsere Katze bekommt abends eine halbe Tablette.",
        "Die Miete überweisen wir immer am Monatsersten.",
    ],
    "fr": [
        "Mon frère ne supporte pas le lait.",
        "La voiture doit passer le contrôle technique en automne.",
        "Notre chat prend un demi-comprimé le soir.",
        "Nous virons le loyer le premier du mois.",
    ],
    "es": [
        "Mi hermano no tolera la leche.",
        "El coche tiene que pasar la ITV en otoño.",
        "Nuestra gata toma media pastilla por la noche.",
        "Pagamos el alquiler el primer día del mes.",
    ],
    "en": [
        "My brother cannot drink milk.",
        "The car is due for its inspection in autumn.",
        "Our cat gets half a tablet in the evening.",
        "We transfer the rent on the first of the month.",
    ],
}
ASKED = {
    "de": ["Darf ihm jemand Joghurt geben?", "Wann hat das Auto seine Prüfung?", "Welches Medikament nimmt das Tier?", "Wann ist die Wohnung zu bezahlen?"],
    "fr": ["Qui ne peut pas manger de yaourt ?", "Quand faut-il faire contrôler l'auto ?", "Quel médicament prend l'animal ?", "Quand paie-t-on l'appartement ?"],
    "es": ["¿Quién no puede tomar yogur?", "¿Cuándo hay que revisar el automóvil?", "¿Qué medicina toma el animal?", "¿Cuándo se paga el piso?"],
    "en": ["Who may not eat yoghurt?", "When must the vehicle be checked?", "Which medicine does the animal take?", "When is the flat to be paid?"],
}  # fmt: skip


@pytest.mark.parametrize("told", NOTES)
@pytest.mark.parametrize("asked", ASKED)
async def test_a_question_in_other_words_meets_a_note_of_another_language(
    client: httpx.AsyncClient, told: str, asked: str
) -> None:
    agent = f"{told}-{asked}"
    memories = [{"text": text} for text in NOTES[told]]
    saved = await client.post("/v1/memories", json={"agent_id": agent, "memories": memories})
    assert saved.status_code == 200
    met = 0
    for question, note in zip(ASKED[asked], NOTES[told], strict=True):
        body = {"agent_id": agent, "text": question, "min_relevance": 0}
        first, *_ = await results_of(client, body, expect=len(memories))
        met += first["text"] == note
    assert met >= 3, met
