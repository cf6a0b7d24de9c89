"""The adapters of a service on its Neo4j."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from graph.store.browsing import Neo4jBrowser
from graph.store.concepts import Neo4jConcepts
from graph.store.configs import Neo4jConfigs
from graph.store.consolidating import Neo4jConsolidations
from graph.store.covering import Neo4jCovers
from graph.store.credits import Neo4jCredits
from graph.store.cycles import Neo4jCycles
from graph.store.episode_queries import Neo4jEpisodeQueries
from graph.store.episodes import Neo4jEpisodes
from graph.store.erasing import Neo4jErasures
from graph.store.estimates import Neo4jEstimates
from graph.store.events import Neo4jEvents
from graph.store.exports import Neo4jExports
from graph.store.gc import Neo4jCollections
from graph.store.imports import Neo4jImports
from graph.store.knowledge import Neo4jKnowledge
from graph.store.links import Neo4jLinks
from graph.store.loops import Neo4jLoops
from graph.store.memories import Neo4jMemories
from graph.store.moving import Neo4jPlaces
from graph.store.owners import Owners
from graph.store.patches import Neo4jPatches
from graph.store.plugins import Neo4jPlugins
from graph.store.profiles import Neo4jProfiles
from graph.store.reasoning import Neo4jReasoning
from graph.store.relationships import Neo4jRelationships
from graph.store.rewards import Neo4jRewards
from graph.store.shared_knowledge import Neo4jSharedKnowledge
from graph.store.shared_patterns import Neo4jSharedPatterns
from graph.store.sharing import Neo4jSharing
from graph.store.strata import Neo4jStrata
from graph.store.strata_measures import Neo4jStrataMeasures
from graph.store.superseding import Neo4jSupersessions
from graph.store.surprises import Neo4jSurprises
from graph.store.tasks import Neo4jTasks
from graph.store.utility import Neo4jUtility
from service.bootstrap.configs import LiveConfigs, configured, configured_strata
from service.bootstrap.defaults import episode_budget, event_life

if TYPE_CHECKING:
    from graph.store.driver import Database
    from service.settings import Settings


class Stores:
    """Every store of one service, each made when it is first asked for, and kept."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._event_life = event_life(settings)
        self._budget = episode_budget(settings)
        self._owners = Owners(database)
        self.overrides = Neo4jConfigs(database, self._event_life)
        self.configs = LiveConfigs(
            self.overrides, configured(settings), configured_strata(settings)
        )

    @cached_property
    def memories(self) -> Neo4jMemories:
        return Neo4jMemories(self._database, self.configs, self._owners, self._budget)

    @cached_property
    def knowledge(self) -> Neo4jKnowledge:
        return Neo4jKnowledge(self._database)

    @cached_property
    def shared_knowledge(self) -> Neo4jSharedKnowledge:
        return Neo4jSharedKnowledge(self._database)

    @cached_property
    def profiles(self) -> Neo4jProfiles:
        return Neo4jProfiles(self._database)

    @cached_property
    def browser(self) -> Neo4jBrowser:
        return Neo4jBrowser(self._database)

    @cached_property
    def episodes(self) -> Neo4jEpisodes:
        return Neo4jEpisodes(self._database)

    @cached_property
    def episode_queries(self) -> Neo4jEpisodeQueries:
        return Neo4jEpisodeQueries(self._database, self._settings.query_seconds)

    @cached_property
    def reasoning(self) -> Neo4jReasoning:
        return Neo4jReasoning(self._database)

    @cached_property
    def tasks(self) -> Neo4jTasks:
        return Neo4jTasks(self._database, self._event_life)

    @cached_property
    def rewards(self) -> Neo4jRewards:
        return Neo4jRewards(self._database, self.configs, self._event_life)

    @cached_property
    def credits(self) -> Neo4jCredits:
        return Neo4jCredits(self._database, self.configs, self._event_life)

    @cached_property
    def estimates(self) -> Neo4jEstimates:
        return Neo4jEstimates(self._database)

    @cached_property
    def utility(self) -> Neo4jUtility:
        return Neo4jUtility(self._database)

    @cached_property
    def events(self) -> Neo4jEvents:
        return Neo4jEvents(self._database, self._event_life)

    @cached_property
    def links(self) -> Neo4jLinks:
        return Neo4jLinks(self._database, self.configs)

    @cached_property
    def supersessions(self) -> Neo4jSupersessions:
        return Neo4jSupersessions(self._database)

    @cached_property
    def concepts(self) -> Neo4jConcepts:
        return Neo4jConcepts(self._database, self.configs)

    @cached_property
    def covers(self) -> Neo4jCovers:
        return Neo4jCovers(self._database)

    @cached_property
    def collections(self) -> Neo4jCollections:
        return Neo4jCollections(self._database)

    @cached_property
    def strata(self) -> Neo4jStrata:
        return Neo4jStrata(self._database, self.configs)

    @cached_property
    def places(self) -> Neo4jPlaces:
        return Neo4jPlaces(self._database)

    @cached_property
    def strata_measures(self) -> Neo4jStrataMeasures:
        return Neo4jStrataMeasures(self._database)

    @cached_property
    def consolidations(self) -> Neo4jConsolidations:
        return Neo4jConsolidations(self._database, self.configs)

    @cached_property
    def plugins(self) -> Neo4jPlugins:
        return Neo4jPlugins(self._database)

    @cached_property
    def cycles(self) -> Neo4jCycles:
        return Neo4jCycles(self._database)

    @cached_property
    def patches(self) -> Neo4jPatches:
        return Neo4jPatches(self._database)

    @cached_property
    def loops(self) -> Neo4jLoops:
        return Neo4jLoops(self._database)

    @cached_property
    def surprises(self) -> Neo4jSurprises:
        return Neo4jSurprises(self._database)

    @cached_property
    def sharing(self) -> Neo4jSharing:
        return Neo4jSharing(self._database, self.configs)

    @cached_property
    def shared_patterns(self) -> Neo4jSharedPatterns:
        return Neo4jSharedPatterns(self._database, self.configs)

    @cached_property
    def relationships(self) -> Neo4jRelationships:
        return Neo4jRelationships(self._database)

    @cached_property
    def erasures(self) -> Neo4jErasures:
        return Neo4jErasures(self._database, self._owners)

    @cached_property
    def exports(self) -> Neo4jExports:
        return Neo4jExports(self._database)

    @cached_property
    def imports(self) -> Neo4jImports:
        return Neo4jImports(self._database, self.configs, self._owners, self._budget)
