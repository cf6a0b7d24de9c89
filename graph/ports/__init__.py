"""What the use cases need from the world, named for the need and not for the technology."""

from __future__ import annotations

from graph.ports.analytics import UtilityMeasures
from graph.ports.browsing import MemoryBrowser
from graph.ports.credits import CreditStore, Settle
from graph.ports.embedding import EmbeddersInUse, EmbeddingStore, SlotEmbedder
from graph.ports.events import NO_EVENTS, EventLog, EventStore, NoEvents
from graph.ports.links import LeaseStore, LinkStore
from graph.ports.memories import Amend, MemoryStore
from graph.ports.rewards import Fold, Learn, RewardStore, Teaching, Trimming, Undo
from graph.ports.tasks import TaskStore
from graph.ports.telemetry import UNWATCHED, Attribute, Span, Telemetry, Unwatched, Work
from graph.ports.transfer import ExportStore, ImportStore
from graph.ports.utility import (
    ConfigsInUse,
    ConfigStore,
    DecideConfig,
    EstimateStore,
    UtilityConfigs,
)
from graph.ports.world import Clock, Embedder, Identifiers

__all__ = [
    "NO_EVENTS",
    "UNWATCHED",
    "Amend",
    "Attribute",
    "Clock",
    "ConfigStore",
    "ConfigsInUse",
    "CreditStore",
    "DecideConfig",
    "Embedder",
    "EmbeddersInUse",
    "EmbeddingStore",
    "EstimateStore",
    "EventLog",
    "EventStore",
    "ExportStore",
    "Fold",
    "Identifiers",
    "ImportStore",
    "Learn",
    "LeaseStore",
    "LinkStore",
    "MemoryBrowser",
    "MemoryStore",
    "NoEvents",
    "RewardStore",
    "Settle",
    "SlotEmbedder",
    "Span",
    "TaskStore",
    "Teaching",
    "Telemetry",
    "Trimming",
    "Undo",
    "Unwatched",
    "UtilityConfigs",
    "UtilityMeasures",
    "Work",
]
