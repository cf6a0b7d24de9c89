"""Words that a question may hold without adding to it, and those that mean nothing alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from graph.kernel.words import CHARACTER, without_accents
from graph.questions.content import ENGLISH_WORDS, OTHER_WORDS

_FILLERS = """
a all also an and any are at attempt attempted attempts be been both can could did do does done entries
episode episodes every find for from get give had has have having how i in is it its kindly let list
look made make many me model times models my of on only or our out please problem problems question questions
records run runs see show some solution solutions task tasks tell that the their them there these
they this those to trace traces tried tries try up us want was we were what when where which who
whose will with would you your uses using exercises exercise puzzles puzzle domain topic subject used use using
everything anything something ever take takes taken need needs needed spend spent answers answer ones one
cases case work worked go went display domains topics subjects agent agents by
took came come comes back turn turned turns carry carried carries happen happened happens pull fetch print return
returned dealt deal got keep kept put brought bring say said please thanks thank hi hello hey cheers pls just really
actually still there's here past thing things stuff response responses result results out down up
bit lot lots kind means break split ate answered against through via towards typical seen sessions
session conversations conversation we've i've they've you've it's that's what's where's who's let's
already anyway together so far though instead once soon maybe perhaps probably finally basically mostly mainly overall only even
kinda sorta but gets getting wise roughly match matches similar burn burned ended end ends times time close closed know finished finish completed complete done doing being having
given approach approaches way ways method methods idea ideas technique techniques
myself yourself ourselves itself themselves yourselves oneself
"""
_DANGLING = """
above after again around average before below best between compare compared each earlier either else except
exceeding excluding fewer few greater highest late later latest least less lowest mean median
minimum maximum more most much neither never newer no none nor not now often older other over per
rate ratio recently same since than then till top total trend under unless until versus vs without worst
yet why nobody nothing none hardly barely scarcely percent compare comparing comparison order ordered sort sorted sum group grouped
faster slower quicker longer shorter cheaper better worse usual usually lately twice rarely seldom always
"""
_REFUSALS = """
except excluding neither never no none nor not nobody nothing unless versus vs without why compare compared comparing comparison
hardly barely scarcely rarely seldom either else than
"""
FILLERS = frozenset(_FILLERS.split())
"""Words without information for the search."""

ORDINAL = (
    r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d*(?:2nd|3rd|1st|[04-9]th|1\dth)"
)
"""Places in an order; `first` is an order of its own."""
PLACES = frozenset(
    ["last", "previous", "next", "final", "former", "first", "second", "third", "other"]
)
"""Words that select one of several, and are no topic."""

_MEASURED = """
token tokens cost costs price latency duration speed confidence temperature step steps similarity
high low higher lower sure certain confident half third quarter
"""
MEASURED = frozenset(_MEASURED.split())
"""Measures of an attempt: alone these words ask for a number, and are no topic."""

DANGLING = frozenset(_DANGLING.split())
"""Words that need a clause: without one they are unread, and never searched."""
LEADING = frozenset(
    {"slow", "fast", "quick", "expensive", "cheap", "long", "short", "random", "typical"}
    | {"good", "bad", "fine", "ok", "okay", "great", "nice", "poor"}
)
"""Words that may precede search words, and are unread without them: `slow dashboard query`."""
SOMEBODY = frozenset(["he", "she", "him", "her", "his", "hers", "himself", "herself"])
"""Pronouns of persons."""
_WORK = """
job jobs repair repairs fix fixes request requests assignment assignments
"""
WORK = frozenset(_WORK.split())
"""Synonyms of attempts in some domains: alone they are no topic."""
JOINING = (DANGLING - frozenset(_REFUSALS.split())) | LEADING
"""Words that may join search words: `deadlock after a deploy`."""

_ONE_NOUN = r"attempt|episode|try|run|trace|solution|answer|problem|task|question|exercise|response|case|result|ticket|match|example|instance|approach|way|method|idea|technique|one|job|repair|fix|request|assignment"
NOUN = rf"(?:(?:{_ONE_NOUN})s?|tries|approaches|fixes)"
ONE = rf"(?:{_ONE_NOUN}|failure|success)(?![\w-])"
WORD = re.compile(rf"[\w$€£#]{CHARACTER}*(?:['’.,:/_+*=-]*{CHARACTER}+)*%?")
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|(?<!\w)'([^']+)'(?!\w)")
_SPLIT = re.compile(r"[\s_-]+")
_ADVERB = re.compile(r"[a-z]{3,}ly")
# words in -ly that name something, or are no adverbs
_OTHERS_IN_LY = """
family reply supply assembly anomaly jelly belly butterfly monopoly ally lily rally bully tally holly poly multiply
apply comply rely imply july italy friendly daily weekly monthly yearly elderly costly ugly doily trolly
"""
_NO_ADVERBS = frozenset(_OTHERS_IN_LY.split())
_SHORT = 3


def named_pattern(
    names: Iterable[str], *, plural: bool = False
) -> tuple[re.Pattern[str], Mapping[str, str]] | None:
    """Return a pattern of names, the longest first, and the name of each form.

    With ``plural`` also with an s added or removed.
    """
    forms: dict[str, str] = {}
    for name in names:
        for form in _forms(name, plural=plural):
            forms.setdefault(form, name)
    if not forms:
        return None
    ordered = sorted(forms, key=len, reverse=True)
    pattern = "|".join(r"[\s_-]+".join(map(re.escape, form.split())) for form in ordered)
    # not in *sql-heavy*, but in *sql-tagged*
    return re.compile(rf"(?P<name>{pattern})(?:['’]s)?(?!\w|-(?!tagged))", re.IGNORECASE), forms


def is_adverb(word: str) -> bool:
    """Return whether a word is an adverb in -ly, which is no topic alone.

    Examples
    --------
    >>> is_adverb("quickly"), is_adverb("supply"), is_adverb("Emily")
    (True, False, False)
    """
    return _ADVERB.fullmatch(word) is not None and word not in _NO_ADVERBS


def is_singular(noun: str) -> bool:
    """Return whether a noun names one thing, by its ending.

    Examples
    --------
    >>> is_singular("translation"), is_singular("repairs"), is_singular("analysis")
    (True, False, True)
    """
    word = noun.lower()
    ends_plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word.isalpha() and not ends_plural and word not in FILLERS | DANGLING | LEADING


def form_of(text: str) -> str:
    """Return the normal form of a name, for comparisons."""
    return " ".join(part for part in _SPLIT.split(text.lower()) if part)


def _forms(name: str, *, plural: bool) -> tuple[str, ...]:
    form, bare = form_of(name), form_of(without_accents(name))
    found = [form, bare]
    if plural and form:
        found.append(form[:-1] if form.endswith("s") and len(form) > _SHORT else f"{form}s")
    return tuple(one for one in found if one)


# nouns and measures of the grammar in other languages, and more function words
_OTHERS = """
versuch versuche versuchen versuchs lauf läufe läufen antwort antworten aufgabe aufgaben episoden lösung lösungen fehler fehlern
fehlschlag fehlschläge erfolg erfolge erfolgsquote erfolgsrate fehlerquote dauer schritte schritten modell modelle modellen ergebnis ergebnisse
gescheitert gescheiterte gescheiterten scheitert scheiterte scheitern fehlgeschlagen fehlgeschlagene fehlgeschlagenen falsch falsche falschen
richtig richtige richtigen erfolgreich erfolgreiche erfolgreichen gelöst gelöste gelösten ungelöst ungelöste bewertet unbewertet unbewertete schief
langsamste langsamsten schnellste schnellsten neueste neuesten älteste ältesten teuerste teuersten günstigste günstigsten längste längsten kürzeste
kürzesten zuerst zuletzt beste besten schlechteste schlechtesten meiste meisten wenigsten durchschnitt durchschnittlich durchschnittliche
zeig zeige vergleich vergleiche anzahl werkzeug werkzeuge aktion aktionen sitzung sitzungen sicher unsicher sekunden minuten stunden tage tagen
wochen monats monate jahr jahre heute vorgestern montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober
dezember bis vor
seit ohne gegen während wenn weil zwischen viel viele vielen weniger mehr gab gibt letzte letzten letzter letztes gestern heute woche monat
essai essais tentative tentatives réponse réponses problème problèmes erreur erreurs échec échecs succès sans depuis hier semaine mois modèle modèles
intento intentos respuesta respuestas tarea tareas fallo fallos errores éxito éxitos sin desde ayer semana mes modelo modelos
tentativo tentativi risposta risposte errori successo successi senza ieri settimana mese modelli
tentativa tentativas resposta respostas tarefa tarefas erro erros falha falhas sucesso sucessos sem ontem mês
"""
# without words that English has too: *sin*, *pas*, *ni*, *sans*
_TURNING = """
nicht kein keine keinen keinem keiner keines ohne außer weder nie niemals niemand nichts statt anstatt höchstens mindestens wenigstens
sauf jamais aucun aucune hormis excepté excepto ningún ninguno ninguna nunca tampoco senza tranne nessun nessuno nessuna eccetto almeno
exceto nenhum nenhuma nem
"""
TURNING = frozenset(without_accents(word) for word in _TURNING.split())
"""Words of other languages that exclude or bound what follows; without accents."""
# words of English and another language
_SHARED = """
in an so am also was will is on as so no die agent agents domain problem problems episode session model models token tokens
"""
_WORD = re.compile(r"[^\W\d_]+")
_WHOLE_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_ELSEWHERE = OTHER_WORDS | TURNING | {without_accents(word) for word in _OTHERS.split()}
_HERE = ENGLISH_WORDS | FILLERS | DANGLING
_SHARED_WORDS = frozenset(_SHARED.split())


def has_foreign_word(text: str) -> bool:
    """Return whether a text has a word of other languages that English lacks.

    Examples
    --------
    >>> has_foreign_word("alles außer sql"), has_foreign_word("gpt-4o vs llama-3")
    (True, False)
    """
    return not _ELSEWHERE.isdisjoint(_whole_words(text) - _HERE)


def has_english_word(text: str) -> bool:
    """Return whether a text has a word of the grammar that other languages lack."""
    return not _HERE.isdisjoint(_whole_words(text) - _SHARED_WORDS - OTHER_WORDS)


def _whole_words(text: str) -> set[str]:
    return {without_accents(match[0]) for match in _WHOLE_WORD.finditer(text)}


def is_foreign(text: str) -> bool:
    """Return whether a text has more words of other languages only than of English only.

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
