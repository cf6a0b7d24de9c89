"""Events and counts of memories that were replaced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph.kernel.events import Event
from graph.model.memories.memory import Saved
from graph.model.memories.superseding import Supersession
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.world import Identifiers
from service.use_cases.kernel.watched import UseCase


@dataclass(frozen=True, slots=True)
class SupersessionNews(UseCase):
    """Tells those who listen, and those who count, which memories were replaced."""

    identifiers: Identifiers
    events: EventLog = NO_EVENTS

    def told(self, scope: str, new: Supersession, now: datetime) -> None:
        """Tell that a memory replaces another by now."""
        self.telemetry.count("supersessions", found_by=new.found_by)
        kind, _, agent = scope.partition("/")[2].partition("/")
        data = {
            "newer": new.newer,
            "older": new.older,
            "confidence": new.confidence,
            "found_by": new.found_by,
        }
        owner = agent if kind == "agent" else ""
        uid = self.identifiers.new_uid(now)
        self.events.note(Event(uid, "memory:superseded", scope, owner, now, data))

    def all_told(self, scope: str, saved: Saved, now: datetime) -> None:
        """Tell what a remembered memory is the first to be said to replace."""
        for older in saved.replaced:
            self.told(scope, Supersession(saved.uid or "", older), now)
