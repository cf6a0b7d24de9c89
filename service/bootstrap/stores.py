"""The adapters of a service on its Neo4j."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from graph.database.driver import Database
    from service.settings import Settings


class Stores:
    """Every store of one service, each made when it is first asked for, and kept."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._event_life = event_life(settings)
        self._budget = episode_budget(settings)
        self._owners = Owners(database)
        self.overrides = ConfigStore(database, self._event_life)
        self.configs = LiveConfigs(
            self.overrides, configured(settings), configured_strata(settings)
        )

    @cached_property
    def memories(self) -> MemoryStore:
        return MemoryStore(self._database, self.configs, self._owners, self._budget)

    @cached_property
    def knowledge(self) -> KnowledgeStore:
        return KnowledgeStore(self._database)

    @cached_property
    def shared_knowledge(self) -> KnowledgeSharing:
        return KnowledgeSharing(self._database)

    @cached_property
    def profiles(self) -> ProfileStore:
        return ProfileStore(self._database)

    @cached_property
    def browser(self) -> MemoryBrowser:
        return MemoryBrowser(self._database)

    @cached_property
    def episodes(self) -> EpisodeStore:
        return EpisodeStore(self._database)

    @cached_property
    def episode_queries(self) -> EpisodeQueries:
        return EpisodeQueries(self._database, self._settings.query_seconds)

    @cached_property
    def reasoning(self) -> ReasoningStore:
        return ReasoningStore(self._database)

    @cached_property
    def tasks(self) -> TaskStore:
        return TaskStore(self._database, self._event_life)

    @cached_property
    def rewards(self) -> RewardStore:
        return RewardStore(self._database, self.configs, self._event_life)

    @cached_property
    def credits(self) -> CreditStore:
        return CreditStore(self._database, self.configs, self._event_life)

    @cached_property
    def estimates(self) -> EstimateStore:
        return EstimateStore(self._database)

    @cached_property
    def utility(self) -> UtilityMeasures:
        return UtilityMeasures(self._database)

    @cached_property
    def events(self) -> EventStore:
        return EventStore(self._database, self._event_life)

    @cached_property
    def links(self) -> LinkStore:
        return LinkStore(self._database, self.configs)

    @cached_property
    def supersessions(self) -> SupersessionStore:
        return SupersessionStore(self._database)

    @cached_property
    def concepts(self) -> ConceptStore:
        return ConceptStore(self._database, self.configs)

    @cached_property
    def covers(self) -> CoverStore:
        return CoverStore(self._database)

    @cached_property
    def collections(self) -> CollectionStore:
        return CollectionStore(self._database)

    @cached_property
    def strata(self) -> StrataStore:
        return StrataStore(self._database, self.configs)

    @cached_property
    def places(self) -> PlaceStore:
        return PlaceStore(self._database)

    @cached_property
    def strata_measures(self) -> StrataMeasures:
        return StrataMeasures(self._database)

    @cached_property
    def consolidations(self) -> ConsolidationStore:
        return ConsolidationStore(self._database, self.configs)

    @cached_property
    def plugins(self) -> PluginStore:
        return PluginStore(self._database)

    @cached_property
    def cycles(self) -> CycleStore:
        return CycleStore(self._database)

    @cached_property
    def patches(self) -> PatchStore:
        return PatchStore(self._database)

    @cached_property
    def loops(self) -> LoopStore:
        return LoopStore(self._database)

    @cached_property
    def surprises(self) -> SurpriseStore:
        return SurpriseStore(self._database)

    @cached_property
    def sharing(self) -> SharingStore:
        return SharingStore(self._database, self.configs)

    @cached_property
    def shared_patterns(self) -> PatternSharingStore:
        return PatternSharingStore(self._database, self.configs)

    @cached_property
    def relationships(self) -> RelationshipStore:
        return RelationshipStore(self._database)

    @cached_property
    def erasures(self) -> ErasureStore:
        return ErasureStore(self._database, self._owners)

    @cached_property
    def exports(self) -> ExportStore:
        return ExportStore(self._database)

    @cached_property
    def imports(self) -> ImportStore:
        return ImportStore(self._database, self.configs, self._owners, self._budget)
