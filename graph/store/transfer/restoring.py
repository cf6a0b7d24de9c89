"""Plan of an import of memories with their own uids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph.database.keys import STATE_KEYS
from graph.kernel.errors import BudgetExceededError
from graph.model.memories.memory import Saved
from graph.model.transfer.records import Restored
from graph.store.memories.properties import new_properties

Place = tuple[str, str, int]
ELSEWHERE = "erase that first, or import into another service"


@dataclass(slots=True)
class RestorePlan:
    """The answer of each row; ``created`` are positions of rows to write.

    ``no_room`` are positions of episodes beyond the budget of their scope.
    """

    found: Mapping[int, Mapping[str, str | None]]
    no_room: frozenset[int] = frozenset()
    answers: list[Saved] = field(default_factory=list[Saved])
    created: list[int] = field(default_factory=list[int])
    _uids: dict[str, str] = field(default_factory=dict[str, str])
    _names: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    _places: set[Place] = field(default_factory=set[Place])

    def decide(self, place: int, row: Restored) -> None:
        """Decide a row after all rows before it."""
        answer = self._known(place, row) or self._refusal(place, row)
        if answer is None:
            self._claim(row)
            self.created.append(place)
            answer = Saved("created", row.memory.uid)
        self.answers.append(answer)

    def refuse_taken(self, places: Sequence[int]) -> None:
        """Refuse the rows whose place in their session is taken."""
        for place in places:
            self.created.remove(place)
            self.answers[place] = _rejected("sequence", "this place in the session is taken")

    def _known(self, place: int, row: Restored) -> Saved | None:
        uid = row.memory.uid
        scope = self.found.get(place, {}).get("scope") or self._uids.get(uid)
        if scope is None:
            return None
        if scope != row.memory.new.scope:
            return _rejected("uid", f"is that of a memory in another scope here; {ELSEWHERE}")
        return Saved("unchanged", uid)

    def _refusal(self, place: int, row: Restored) -> Saved | None:
        found, memory = self.found.get(place, {}), row.memory
        scope = memory.new.scope
        if place in self.no_room:
            return _rejected("budget", str(BudgetExceededError.__doc__))
        if found.get("named") or (scope, f"name {memory.new.external_id}") in self._names:
            return _rejected("external_id", "is that of another memory in this scope")
        if found.get("alike") or (scope, memory.content_hash) in self._names:
            return _rejected("uid", "the same memory stands in this scope under another uid")
        if (spot := session_place(row)) and spot in self._places:
            return _rejected("sequence", "this place in the session is taken")
        return None

    def _claim(self, row: Restored) -> None:
        memory = row.memory
        scope = memory.new.scope
        self._uids[memory.uid] = scope
        self._names.add((scope, memory.content_hash))
        if memory.new.external_id is not None:
            self._names.add((scope, f"name {memory.new.external_id}"))
        if spot := session_place(row):
            self._places.add(spot)


def session_place(row: Restored) -> Place | None:
    """Return scope, session and place of a row in a session."""
    new = row.memory.new
    if new.session_id is None or new.sequence is None:
        return None
    return (new.scope, new.session_id, new.sequence)


def restored_properties(row: Restored, q_default: float) -> dict[str, Any]:
    """Return all properties of a memory: those of a new one, overridden by the imported ones."""
    new = row.memory.new
    properties = {**new_properties(row.memory, q_default, new.sequence), **row.life}
    if "q_value" in row.life:
        properties["q_init"] = row.life.get("q_init")  # absent means FIRST_Q
    if properties["state"] != "active":
        state = {STATE_KEYS["active"]: STATE_KEYS[properties["state"]]}
        properties["keys"] = [state.get(key, key) for key in properties["keys"]]
    return properties


def _rejected(name: str, error: str) -> Saved:
    return Saved("rejected", error=f"{name}: {error}", field=name)
