"""What the use cases need from the world, named for the need and not for the technology."""

from __future__ import annotations

from graph.ports.memories import MemoryStore
from graph.ports.tasks import TaskStore
from graph.ports.telemetry import UNWATCHED, Attribute, Span, Telemetry, Unwatched, Work
from graph.ports.transfer import ExportStore, ImportStore
from graph.ports.world import Clock, Embedder, Identifiers

__all__ = [
    "UNWATCHED",
    "Attribute",
    "Clock",
    "Embedder",
    "ExportStore",
    "Identifiers",
    "ImportStore",
    "MemoryStore",
    "Span",
    "TaskStore",
    "Telemetry",
    "Unwatched",
    "Work",
]
