"""Ports of the use cases, named for the need and not for the technology."""

from __future__ import annotations

from graph.ports.analytics import UtilityMeasures
from graph.ports.browsing import MemoryBrowser
from graph.ports.checking import GraphChecks
from graph.ports.collecting import CollectionStore
from graph.ports.concepts import ConceptStore, CoverStore
from graph.ports.consolidating import ConsolidationStore
from graph.ports.credits import CreditStore, Settle
from graph.ports.embedding import EmbeddersInUse, EmbeddingStore, SlotEmbedder
from graph.ports.episode_queries import EpisodeQueries
from graph.ports.episodes import EpisodeStore
from graph.ports.erasures import ErasureStore
from graph.ports.events import NO_EVENTS, EventLog, EventStore, NoEvents
from graph.ports.language import LanguageModel
from graph.ports.links import LeaseStore, LinkStore
from graph.ports.memories import Amend, MemoryStore
from graph.ports.moving import PlaceStore
from graph.ports.privacy import Recognizer, TenantSecrets
from graph.ports.reasoning import ReasoningStore
from graph.ports.relationships import RelationshipStore
from graph.ports.rewards import Fold, Learn, RewardStore, Teaching, Trimming, Undo
from graph.ports.runs import PutsOff, RunStore
from graph.ports.sharing import PatternSharingStore, SharingStore
from graph.ports.strata import StrataStore
from graph.ports.strata_analytics import StrataMeasures
from graph.ports.superseding import SupersessionStore
from graph.ports.surprises import Decide, SurpriseStore
from graph.ports.tasks import TaskStore
from graph.ports.telemetry import UNWATCHED, Attribute, Span, Telemetry, Unwatched, Work
from graph.ports.transfer import ExportStore, ImportStore
from graph.ports.utility import (
    ConfigsInUse,
    ConfigStore,
    DecideConfig,
    EstimateStore,
    StrataConfigs,
    UtilityConfigs,
)
from graph.ports.world import Clock, Embedder, Identifiers

__all__ = [
    "NO_EVENTS",
    "UNWATCHED",
    "Amend",
    "Attribute",
    "Clock",
    "CollectionStore",
    "ConceptStore",
    "ConfigStore",
    "ConfigsInUse",
    "ConsolidationStore",
    "CoverStore",
    "CreditStore",
    "Decide",
    "DecideConfig",
    "Embedder",
    "EmbeddersInUse",
    "EmbeddingStore",
    "EpisodeQueries",
    "EpisodeStore",
    "ErasureStore",
    "EstimateStore",
    "EventLog",
    "EventStore",
    "ExportStore",
    "Fold",
    "GraphChecks",
    "Identifiers",
    "ImportStore",
    "LanguageModel",
    "Learn",
    "LeaseStore",
    "LinkStore",
    "MemoryBrowser",
    "MemoryStore",
    "NoEvents",
    "PatternSharingStore",
    "PlaceStore",
    "PutsOff",
    "ReasoningStore",
    "Recognizer",
    "RelationshipStore",
    "RewardStore",
    "RunStore",
    "Settle",
    "SharingStore",
    "SlotEmbedder",
    "Span",
    "StrataConfigs",
    "StrataMeasures",
    "StrataStore",
    "SupersessionStore",
    "SurpriseStore",
    "TaskStore",
    "Teaching",
    "Telemetry",
    "TenantSecrets",
    "Trimming",
    "Undo",
    "Unwatched",
    "UtilityConfigs",
    "UtilityMeasures",
    "Work",
]
