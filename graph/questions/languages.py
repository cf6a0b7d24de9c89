"""Recognition of questions in other languages than English: the grammar reads none of them."""

from __future__ import annotations

import re

from graph.kernel.words import without_accents
from graph.questions.function_words import ENGLISH_WORDS, OTHER_WORDS
from graph.questions.words import DANGLING, FILLERS

# What the grammar's own nouns and measures are called elsewhere, and function words that a recall has no need of.
_OTHERS = """
versuch versuche versuchen versuchs lauf läufe läufen antwort antworten aufgabe aufgaben episoden lösung lösungen fehler fehlern
fehlschlag fehlschläge erfolg erfolge erfolgsquote erfolgsrate fehlerquote dauer schritte schritten modell modelle modellen ergebnis ergebnisse
seit ohne gegen während wenn weil zwischen viel viele vielen weniger mehr gab gibt letzte letzten letzter letztes gestern heute woche monat
essai essais tentative tentatives réponse réponses problème problèmes erreur erreurs échec échecs succès sans depuis hier semaine mois modèle modèles
intento intentos respuesta respuestas tarea tareas fallo fallos errores éxito éxitos sin desde ayer semana mes modelo modelos
tentativo tentativi risposta risposte errori successo successi senza ieri settimana mese modelli
tentativa tentativas resposta respostas tarefa tarefas erro erros falha falhas sucesso sucessos sem ontem mês
"""
# words of both speak for neither
_SHARED = """
in an so am also was will is on as so no die agent agents domain problem problems episode session model models token tokens
"""
_WORD = re.compile(r"[^\W\d_]+")
_ELSEWHERE = OTHER_WORDS | {without_accents(word) for word in _OTHERS.split()}
_HERE = ENGLISH_WORDS | FILLERS | DANGLING
_SHARED_WORDS = frozenset(_SHARED.split())


def is_foreign(text: str) -> bool:
    """Tell whether more words are of other languages alone than of English alone.

    Examples
    --------
    >>> is_foreign("alle falschen Antworten in gardening"), is_foreign("wrong answers in gardening")
    (True, False)
    """
    words = [without_accents(match[0]) for match in _WORD.finditer(text)]
    foreign = sum(word in _ELSEWHERE and word not in _HERE for word in words)
    english = sum(
        word in _HERE and word not in OTHER_WORDS and word not in _SHARED_WORDS for word in words
    )
    return foreign > english
