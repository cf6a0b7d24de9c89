"""What the use cases need from the world, named for the need and not for the technology."""

from __future__ import annotations

from graph.ports.browsing import MemoryBrowser
from graph.ports.embedding import EmbeddersInUse, EmbeddingStore, SlotEmbedder
from graph.ports.links import LeaseStore, LinkStore
from graph.ports.memories import Amend, MemoryStore
from graph.ports.tasks import TaskStore
from graph.ports.telemetry import UNWATCHED, Attribute, Span, Telemetry, Unwatched, Work
from graph.ports.transfer import ExportStore, ImportStore
from graph.ports.world import Clock, Embedder, Identifiers

__all__ = [
    "UNWATCHED",
    "Amend",
    "Attribute",
    "Clock",
    "Embedder",
    "EmbeddersInUse",
    "EmbeddingStore",
    "ExportStore",
    "Identifiers",
    "ImportStore",
    "LeaseStore",
    "LinkStore",
    "MemoryBrowser",
    "MemoryStore",
    "SlotEmbedder",
    "Span",
    "TaskStore",
    "Telemetry",
    "Unwatched",
    "Work",
]
