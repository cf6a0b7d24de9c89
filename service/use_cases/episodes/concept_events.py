"""Events and metrics of concepts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.kernel.events import Event, EventName
from graph.kernel.scope import agent_in
from graph.model.episodes.concepts import Extracted
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.world import Identifiers
from service.use_cases.kernel.watched import UseCase

_MOST_NAMED = 200


@dataclass(frozen=True, slots=True)
class ConceptEvents(UseCase):
    """Emits events and metrics of changed concepts."""

    identifiers: Identifiers
    events: EventLog = NO_EVENTS

    def extracted(self, scope: str, extracted: Extracted, now: datetime) -> None:
        """Emit the event of an extraction."""
        self.telemetry.count("concepts", len(extracted.created), status="created")
        self.telemetry.count("concepts", len(extracted.merged), status="merged")
        self.telemetry.count("concept_problems", extracted.joined)
        if extracted.created or extracted.joined:
            data = {
                "created": list(extracted.created[:_MOST_NAMED]),
                "merged": list(extracted.merged[:_MOST_NAMED]),
                "problems": extracted.joined,
            }
            self._note("concept:extracted", scope, data, now)

    def archived(self, scope: str, concept: str, episodes: int, kept: int, now: datetime) -> None:
        """Emit the event of archived attempts that a concept covers."""
        self.telemetry.count("episodes_archived", episodes)
        if episodes:
            data = {"concept": concept, "episodes": episodes, "kept": kept}
            self._note("concept:archived", scope, data, now)

    def _note(self, name: EventName, scope: str, data: dict[str, Any], now: datetime) -> None:
        uid = self.identifiers.new_uid(now)
        self.events.note(Event(uid, name, scope, agent_in(scope), now, data))
