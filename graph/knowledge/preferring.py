"""Preferences in a situation: those that hold, and how well they fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from graph.knowledge.ledger import name_words
from graph.knowledge.lessons import WORDING
from graph.model.knowledge.executions import Preference
from graph.questions.content import text_stems

_GENERAL_FIT = 0.5


def holding(preferences: Sequence[Preference], context: str) -> list[Preference]:
    """Return the preferences that hold in a context, in their order; without one, in any context.

    Of several for one thing that of a session holds first, then a stated or corrected one before a habit, one of a context
    before a general one, and the latest.
    """
    here = [each for each in preferences if not context or each.context in {"", context}]
    rivals: dict[tuple[str, ...], list[Preference]] = defaultdict(list)
    for each in here:
        rivals[_thing(each)].append(each)
    return [
        each
        for each in here
        if not any(
            other.context in {"", each.context, context} and _rank(other) > _rank(each)
            for other in rivals[_thing(each)]
        )
    ]


def _thing(preference: Preference) -> tuple[str, ...]:
    return preference.scope, preference.user_context, preference.kind, preference.name


def _rank(preference: Preference) -> tuple[bool, bool, bool, str]:
    by_word = preference.source != "behaviour"
    since = preference.valid_from.isoformat()
    return bool(preference.session_id), by_word, bool(preference.context), since


class Concern(NamedTuple):
    """A situation: query and context, the tools likely to be called, and their parameters."""

    query: str
    context: str
    tools: Collection[str]
    parameters: Collection[str]

    def fit(self, preference: Preference) -> float:
        """Return how well a preference fits: 1 if it concerns the situation, 0 if it names another tool."""
        name = preference.name
        if preference.context and preference.context == self.context:
            return 1.0
        if name in self.parameters or concerns(preference, self.tools):
            return 1.0
        if text_stems(name_words(name)) & text_stems(self.query):
            return 1.0
        return 0.0 if names_tool(preference) else _GENERAL_FIT


def names_tool(preference: Preference) -> bool:
    """Return whether a preference is about one tool."""
    dotted = "." in preference.name and not preference.name.startswith(WORDING)
    return preference.kind == "tool" or (preference.kind == "parameter" and dotted)


def concerns(preference: Preference, tools: Collection[str]) -> bool:
    """Return whether a preference is about one of some tools."""
    return any(f"{preference.name}.".startswith(f"{tool}.") for tool in tools)
