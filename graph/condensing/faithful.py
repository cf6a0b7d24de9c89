"""Check that a rewritten text keeps the facts of its source."""

from __future__ import annotations

from graph.condensing.facts import (
    capitalised,
    content_words,
    dates,
    denials,
    form,
    names,
    numbers,
)
from graph.condensing.sentences import sentences


def is_faithful(text: str, draft: str, notes: str) -> bool:
    """Say whether a text has the facts of a draft, and none that the notes have not.

    Facts are names (a word with a capital that begins a sentence may be one), numbers as they are written,
    words that say when, and denials: a clause that denies has to deny the same.

    Parameters
    ----------
    text
        What is looked at.
    draft
        What it stands for.
    notes
        All that it may speak of.
    """
    kept = (
        capitalised(draft) <= capitalised(text)
        and numbers(draft) <= numbers(text)
        and dates(draft) <= dates(text)
    )
    true = (
        _named(text) <= content_words(notes)
        and numbers(text) <= numbers(notes)
        and dates(text) <= dates(notes)
    )
    return kept and true and _denies_the_same(text, draft)


def _named(text: str) -> frozenset[str]:
    inside = {form(name) for row in _rows(text) for name in names(row)}
    return capitalised(text) & inside


def _denies_the_same(text: str, draft: str) -> bool:
    wanted = [clause for row in _rows(draft) for clause in denials(row)]
    found = [clause for row in _rows(text) for clause in denials(row)]
    lost = any(not any(clause <= other for other in found) for clause in wanted)
    added = any(not any(clause <= other for clause in wanted) for other in found)
    return len(found) >= len(wanted) and not lost and not added


def _rows(text: str) -> list[str]:
    return [row for line in text.splitlines() for row in sentences(line)]
