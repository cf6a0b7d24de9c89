"""What the use cases need from the world, named for the need and not for the technology."""

from __future__ import annotations

from graph.ports.memories import MemoryStore
from graph.ports.tasks import TaskStore
from graph.ports.transfer import ExportStore
from graph.ports.world import Clock, Embedder, Identifiers

__all__ = ["Clock", "Embedder", "ExportStore", "Identifiers", "MemoryStore", "TaskStore"]
