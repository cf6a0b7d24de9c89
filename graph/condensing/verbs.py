"""Verbs of claims: lasting facts, changes, abilities, and their prepositions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_HABITS_WORDS = """live work love like prefer hate dislike enjoy have own use speak study teach play drive take wear eat drink cost charge
    pay run lead maintain manage chair support handle go come get sing sleep weigh measure contain belong depend require cover
    include cook smoke collect write ride wear sell produce offer serve rent share report favour avoid adore detest"""
HABITS = frozenset(_HABITS_WORDS.split())
"""Verbs whose present tense states a lasting or usual fact."""
THIRD_ONLY = frozenset({"need", "want"})
"""Verbs that state facts of others; in the first person they are wishes."""
_ABILITIES_WORDS = """speak swim drive play cook ride read write sing juggle dance ski sew knit fly code type draw paint stand eat drink smoke
    walk see hear"""
ABILITIES = frozenset(_ABILITIES_WORDS.split())
PREPOSITIONAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "live": frozenset({"in", "at", "near", "with", "on"}),
        "work": frozenset({"at", "as", "for", "in", "with", "from", "on"}),
        "run": frozenset({"on", "in"}),
        "study": frozenset({"in", "at"}),
        "go": frozenset({"to"}),
        "come": frozenset({"from"}),
        "get": frozenset({"at"}),
        "sing": frozenset({"in"}),
        "sleep": frozenset({"in", "on", "with"}),
        "belong": frozenset({"to"}),
        "depend": frozenset({"on"}),
        "report": frozenset({"to"}),
        "grow up": frozenset({"in"}),
    }
)
"""Verbs that need a preposition for a claim, with those prepositions."""
PAST_CHANGES: Mapping[str, str] = MappingProxyType(
    {
        "moved": "move",
        "switched": "switch",
        "changed": "change",
        "stopped": "stop",
        "quit": "stop",
        "grew": "grow up",
    }
)
"""Past forms of changes, whose result holds."""
DURABLE = ("born in", "born on", "built in", "promoted to", "founded in")
COMPLEMENTS = (
    "allergic to",
    "married to",
    "afraid of",
    "responsible for",
    "called",
    "named",
    "written in",
    "based in",
    "located in",
    "planned for",
    "scheduled for",
    "due on",
    "closed on",
    "made of",
    "owned by",
    "from",
    "born in",
)
"""Complements of *to be* that state lasting facts."""
_IRREGULAR = {"has": "have", "goes": "go", "does": "do"}


def base_form(word: str) -> str:
    """Return the base form of a known verb in the third person; other words unchanged."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    known = HABITS | THIRD_ONLY
    if word in known:
        return word
    candidates = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((each for each in candidates if each in known), word)
