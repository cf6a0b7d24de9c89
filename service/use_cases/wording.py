"""What a language model is asked that words a condensed memory, and what its words are held to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.condensing.facts import dates, names, negated, numbers
from graph.condensing.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model import SourceMemory

INSTRUCTIONS = (
    "You shorten notes of an agent's memory. Write one text in place of the notes, in their language, shorter than "
    "the draft. Keep every name, number, date and every denial that the draft has, and who said what. Add nothing."
)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def asked(sources: Sequence[SourceMemory], draft: str) -> str:
    """Return the question: the notes as they are, and what the rules made of them."""
    notes = [f"{each.speaker}: {each.text}" if each.speaker else each.text for each in sources]
    return "\n".join(["Notes:", *notes, "", "Draft:", draft])


def keeps_the_facts(text: str, draft: str) -> bool:
    """Say whether a text still has the names, numbers, dates and denials of a draft."""
    rows = sentences(draft)
    facts = {name for row in rows for name in names(row)} | numbers(draft)
    said = text.casefold()
    kept = all(fact in text for fact in facts) and all(date in said for date in dates(draft))
    return kept and _denials(text) >= _denials(draft)


def _denials(text: str) -> int:
    return sum(len(negated(row)) for row in sentences(text))
