"""Questions in German, French and Spanish: read in English by the grammar, never turned."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.model.episodes.questions import EpisodeQuestion, Vocabulary
from graph.questions.objects import object_of
from graph.questions.translation import question_in_english, read_in_english

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
KNOWN = Vocabulary(
    domains=("Fahrradwerkstatt", "sql"),
    models=("gpt-4o", "llama-3"),
    agents=("tove",),
    actions=("query",),
    tags=("eilig", "urgent"),
)
WRONG, RIGHT = {"correct": [False]}, {"correct": [True]}
YESTERDAY = {
    "occurred_from": "2026-11-22T00:00:00+00:00",
    "occurred_to": "2026-11-23T00:00:00+00:00",
}


def said(text: str) -> dict[str, Any]:
    fields = object_of(read_in_english(text, KNOWN, NOW).question)
    del fields["time_zone"]
    return fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Welche Versuche in der Fahrradwerkstatt sind gestern gescheitert?",
            {"filters": {"domain": "Fahrradwerkstatt", **WRONG, **YESTERDAY}},
        ),
        ("Alle Läufe, die nicht geklappt haben", {"filters": WRONG}),
        ("Versuche, die nicht gescheitert sind", {"filters": RIGHT}),
        ("Eilige Aufträge", {"filters": {"tags_all": ["eilig"]}}),
        ("alles außer sql", {"filters": {"domain_not": ["sql"]}}),
        ("nicht von tove", {"filters": {"agent_id_not": ["tove"]}}),
        (
            "Die fünf langsamsten Läufe von gpt-4o",
            {"filters": {"model": "gpt-4o"}, "order": "slowest", "limit": 5},
        ),
        (
            "Warum scheitern die Versuche zur Bremse?",
            {"filters": {}, "similar_to": "brake", "divergence": True},
        ),
        ("höchstens 10 Sekunden", {"filters": {"latency_ms_max": 10_000}}),
        ("Les essais qui n'ont pas marché hier", {"filters": {**WRONG, **YESTERDAY}}),
        ("Les tâches urgentes", {"filters": {"tags_all": ["urgent"]}}),
        (
            "L'essai réussi le moins cher",
            {"filters": RIGHT, "order": "fewest_tokens", "limit": 1},
        ),
        ("Aucun essai n'a réussi", {"filters": WRONG}),
        ("ni gpt-4o ni llama-3", {"filters": {"model_not": ["gpt-4o", "llama-3"]}}),
        ("¿Qué intentos fallaron ayer?", {"filters": {**WRONG, **YESTERDAY}}),
        ("Intentos que no son de tove", {"filters": {"agent_id_not": ["tove"]}}),
        ("Tasa de éxito por modelo", {"filters": {}, "measure": "success_rate", "by": "model"}),
    ],
)
def test_a_question_in_another_language_is_read(text: str, expected: dict[str, Any]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Welche Aufgaben löste gpt-4o nicht?",
        "Nicht nur sql",
        "pas les échecs",
        "no quiero ver los fallos",
        "tentativi falliti ieri",
        "tentativas que não funcionaram",
    ],
)
def test_what_may_be_turned_is_unread(text: str) -> None:
    reading = read_in_english(text, KNOWN, NOW)
    assert (reading.question, reading.unread) == (EpisodeQuestion(), (text,))
    assert reading.is_unread


@pytest.mark.parametrize(
    "text",
    [
        "gpt-4o vs llama-3 on sql",
        "failed attempts",
        "attempts about die casting",
        "sql",
        "was ist \ue000 gescheitert?",
        "welche Versuche sind gescheitert? " * 200,
    ],
    ids=lambda text: text[:30],
)
def test_english_and_what_is_too_long_are_not_translated(text: str) -> None:
    assert question_in_english(text, KNOWN) is None
