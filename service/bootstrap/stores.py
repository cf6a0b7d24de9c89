"""Stores of a service."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from graph.database.driver import Database
from graph.database.events import EventStore
from graph.store.consolidation.profiles import ProfileStore
from graph.store.consolidation.store import ConsolidationStore
from graph.store.cycles.loops import LoopStore
from graph.store.cycles.patches import PatchStore
from graph.store.cycles.store import CycleStore
from graph.store.episodes.concepts import ConceptStore
from graph.store.episodes.covering import CoverStore
from graph.store.episodes.gc import CollectionStore
from graph.store.episodes.queries import EpisodeQueries
from graph.store.episodes.retrieval import ReasoningStore
from graph.store.episodes.store import EpisodeStore
from graph.store.erasure.store import ErasureStore
from graph.store.knowledge.sharing import KnowledgeSharing
from graph.store.knowledge.store import KnowledgeStore
from graph.store.memories.browsing import MemoryBrowser
from graph.store.memories.links import LinkStore
from graph.store.memories.owners import Owners
from graph.store.memories.store import MemoryStore
from graph.store.memories.superseding import SupersessionStore
from graph.store.sharing.agreements import AgreementStore
from graph.store.sharing.patterns import PatternSharingStore
from graph.store.sharing.relationships import RelationshipStore
from graph.store.sharing.store import SharingStore
from graph.store.strata.measures import StrataMeasures
from graph.store.strata.moves import PlaceStore
from graph.store.strata.plugins import PluginStore
from graph.store.strata.store import StrataStore
from graph.store.strata.surprises import SurpriseStore
from graph.store.transfer.exports import ExportStore
from graph.store.transfer.imports import ImportStore
from graph.store.utility.analytics import UtilityMeasures
from graph.store.utility.configs import ConfigStore
from graph.store.utility.credits import CreditStore
from graph.store.utility.estimates import EstimateStore
from graph.store.utility.rewards import RewardStore
from graph.store.utility.tasks import TaskStore
from service.bootstrap.configs import LiveConfigs, configured, configured_strata
from service.bootstrap.defaults import episode_budget, event_life
from service.settings import Settings

T = TypeVar("T")


def _on_database(make: Callable[[Database], T]) -> cached_property[T]:
    def made(stores: Stores) -> T:
        return make(stores.database)

    return cached_property(made)


def _with_configs(make: Callable[[Database, LiveConfigs], T]) -> cached_property[T]:
    def made(stores: Stores) -> T:
        return make(stores.database, stores.configs)

    return cached_property(made)


class Stores:
    """All stores of one service, each created at first use."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self._settings = settings
        self._event_life = event_life(settings)
        self._budget = episode_budget(settings)
        self._owners = Owners(database)
        self.configs = LiveConfigs(
            self.overrides, configured(settings), configured_strata(settings)
        )

    knowledge = _on_database(KnowledgeStore)
    shared_knowledge = _on_database(KnowledgeSharing)
    profiles = _on_database(ProfileStore)
    browser = _with_configs(MemoryBrowser)
    episodes = _on_database(EpisodeStore)
    reasoning = _on_database(ReasoningStore)
    estimates = _on_database(EstimateStore)
    utility = _on_database(UtilityMeasures)
    supersessions = _on_database(SupersessionStore)
    agreements = _on_database(AgreementStore)
    covers = _on_database(CoverStore)
    collections = _on_database(CollectionStore)
    places = _on_database(PlaceStore)
    strata_measures = _on_database(StrataMeasures)
    plugins = _on_database(PluginStore)
    cycles = _on_database(CycleStore)
    patches = _on_database(PatchStore)
    loops = _on_database(LoopStore)
    surprises = _on_database(SurpriseStore)
    relationships = _on_database(RelationshipStore)
    exports = _on_database(ExportStore)

    links = _with_configs(LinkStore)
    concepts = _with_configs(ConceptStore)
    strata = _with_configs(StrataStore)
    consolidations = _with_configs(ConsolidationStore)
    sharing = _with_configs(SharingStore)
    shared_patterns = _with_configs(PatternSharingStore)

    @cached_property
    def overrides(self) -> ConfigStore:
        return ConfigStore(self.database, self._event_life)

    @cached_property
    def memories(self) -> MemoryStore:
        return MemoryStore(self.database, self.configs, self._owners, self._budget)

    @cached_property
    def episode_queries(self) -> EpisodeQueries:
        return EpisodeQueries(self.database, self._settings.query_seconds)

    @cached_property
    def tasks(self) -> TaskStore:
        return TaskStore(self.database, self._event_life)

    @cached_property
    def rewards(self) -> RewardStore:
        return RewardStore(self.database, self.configs, self._event_life)

    @cached_property
    def credits(self) -> CreditStore:
        return CreditStore(self.database, self.configs, self._event_life)

    @cached_property
    def events(self) -> EventStore:
        return EventStore(self.database, self._event_life)

    @cached_property
    def erasures(self) -> ErasureStore:
        return ErasureStore(self.database, self._owners)

    @cached_property
    def imports(self) -> ImportStore:
        return ImportStore(self.database, self.configs, self._owners, self._budget)
