"""Wires settings, adapters and use cases."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ulid import ULID

from graph.database.driver import Connection, Database, open_database
from graph.database.leases import LeaseStore
from graph.kernel.errors import StratagraphError
from graph.model.knowledge.executions import LEARN_JOBS
from graph.server.disk import DiskReserve
from graph.store.erasure.checking import GraphChecks
from graph.store.operation.api_keys import save_api_keys
from graph.store.operation.embedding import EmbeddingStore
from graph.store.operation.migrate import (
    LATEST,
    check_server,
    check_version,
    index_problems,
    migrate,
    schema_state,
)
from service.bootstrap.callbacks import open_callback
from service.bootstrap.concepts import concept_defaults, concept_jobs, cover_defaults
from service.bootstrap.configs import configured_values
from service.bootstrap.defaults import (
    collection_rules,
    episode_budget,
    link_defaults,
    query_limits,
    ranking_weights,
    recall_defaults,
    retrieve_defaults,
)
from service.bootstrap.embedders import GraphEmbedders, Loader, identity_of, load_embedder
from service.bootstrap.language import open_language_model
from service.bootstrap.loops import repeat
from service.bootstrap.privacy import open_guard
from service.bootstrap.probe import Probe
from service.bootstrap.stores import Stores
from service.bootstrap.telemetry import open_telemetry
from service.events import EventBuffer
from service.metrics import Metrics
from service.use_cases.consolidation.condensing import Condenser
from service.use_cases.consolidation.consolidate import (
    CLUSTERS_AT_ONCE,
    UNKNOWN_CONSOLIDATION,
    Consolidate,
    Consolidation,
    with_progress,
)
from service.use_cases.consolidation.find_agreements import AgreementFinder
from service.use_cases.consolidation.find_patterns import PatternFinder
from service.use_cases.consolidation.profiles import ShowProfile
from service.use_cases.consolidation.tend_strata import TendStrata
from service.use_cases.cycles.complete import CompleteCycle
from service.use_cases.cycles.executions import ToolLessons
from service.use_cases.cycles.outer_loop import OuterLoop, RunLoop, TendLoops
from service.use_cases.cycles.patches import (
    ApplyPatch,
    GeneratePatch,
    ReadPatches,
    VerifyPatch,
)
from service.use_cases.cycles.phases import (
    AbandonCycle,
    EnterPhase,
    OpenCycle,
    ReadCycles,
    TendCycles,
)
from service.use_cases.cycles.steps import CheckSteps, ReportStep
from service.use_cases.engines.configure import SECTION, ConfigureEngines
from service.use_cases.episodes.analytics import AnalyseReasoning
from service.use_cases.episodes.ask import AskEpisodes
from service.use_cases.episodes.browsing import (
    ClearEpisodes,
    CountEpisodes,
    DeleteEpisode,
    ExportEpisodes,
    GetEpisode,
)
from service.use_cases.episodes.concept_events import ConceptNews
from service.use_cases.episodes.extract_concepts import ConceptMaker, ExtractNow
from service.use_cases.episodes.gc import (
    COLLECTED_AT_ONCE,
    UNKNOWN_COLLECTION,
    CollectEpisodes,
    CollectRegularly,
)
from service.use_cases.episodes.query import QueryEpisodes
from service.use_cases.episodes.retrieve import RetrieveEpisodes
from service.use_cases.episodes.tend_concepts import ArchiveCovered, RestoreCovered
from service.use_cases.erasure.check_graph import CheckGraph
from service.use_cases.erasure.erase import Erase, GoOnErasing, ShowErasure
from service.use_cases.kernel.embedding import QuestionVectors
from service.use_cases.kernel.runs import ListRuns, UndoRun
from service.use_cases.knowledge.advise import Advise
from service.use_cases.knowledge.analytics import AnalyseKnowledge, ResponseTimes
from service.use_cases.knowledge.foresight import Models
from service.use_cases.knowledge.learn import ExpireKnowledge, Learn, LearnRegularly
from service.use_cases.knowledge.observe import ObserveExecutions
from service.use_cases.knowledge.preferences import Correct, SetPreference
from service.use_cases.knowledge.query import GetPattern, QueryKnowledge, StoreInsight
from service.use_cases.knowledge.share import ExportKnowledge, ImportKnowledge
from service.use_cases.knowledge.tool_calls import CheckToolCall, PredictNextTool, RecommendTool
from service.use_cases.knowledge.validate import ValidateInsight
from service.use_cases.memories.amend import AmendMemory
from service.use_cases.memories.browsing import (
    CountMemories,
    ListMemories,
    ListVersions,
    ShowNeighbourhood,
)
from service.use_cases.memories.link import LinkMemories
from service.use_cases.memories.remember import Remember
from service.use_cases.memories.removing import RemoveMemories
from service.use_cases.memories.single import DeleteMemory, GetMemory
from service.use_cases.memories.supersede import StateSupersession, UndoSupersession
from service.use_cases.memories.superseded_events import SupersessionNews
from service.use_cases.operation.jobs import ExpireTasks, Job
from service.use_cases.recall.accesses import AccessCounter
from service.use_cases.recall.attention import Attention
from service.use_cases.recall.meaning import Meanings
from service.use_cases.recall.recall import Recall
from service.use_cases.sharing.agreements import CastVote, ListAgreements
from service.use_cases.sharing.channels import (
    EndSharing,
    JoinChannels,
    LeaveChannels,
    ListMembers,
    PublishMemory,
    UnpublishMemory,
)
from service.use_cases.sharing.patterns import SharePatterns, SharePatternsRegularly
from service.use_cases.sharing.relationships import ListRelationships, RecordInteraction
from service.use_cases.strata.analytics import AnalyseStrata, ShowProvenance
from service.use_cases.strata.gates import (
    MOVED_AT_ONCE,
    UNKNOWN_GATE_RUN,
    Gates,
    MakeRoom,
    RunGates,
)
from service.use_cases.strata.moves import MoveMemories, Mover, PromoteProven
from service.use_cases.strata.plugins import AttachPlugin, Observe, ReadMind, ResetPlugin
from service.use_cases.strata.surprise import (
    ExpireSurprises,
    ListSurprises,
    Predict,
    ReportSurprise,
)
from service.use_cases.transfer.export import Export
from service.use_cases.transfer.importing import Import
from service.use_cases.utility.analytics import AnalyseUtility
from service.use_cases.utility.configure import (
    STRATA,
    UTILITY,
    ChangeConfig,
    ListConfigChanges,
    ShowConfig,
)
from service.use_cases.utility.credit import ApplyCredits
from service.use_cases.utility.events import ReadEvents, TendEvents
from service.use_cases.utility.inject import InjectReward
from service.use_cases.utility.outcome import ReportOutcome
from service.use_cases.utility.revert import RevertReward
from service.use_cases.utility.show import ShowUtility
from service.use_cases.utility.signals import ReportSignal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping

    from graph.database.leases import LeaseStore
    from graph.model.consolidation.clusters import Cluster, ConsolidationRun
    from graph.model.episodes.gc import Collectable, CollectionRun
    from graph.model.strata.gates import GateRun, Transition
    from graph.ports.language import LanguageModel
    from graph.ports.telemetry import Telemetry
    from graph.ports.world import Embedder
    from graph.store.memories.links import LinkStore
    from service.settings import Settings

_SWITCH_SECONDS = 0.0005  # a thread that words notes holds up each answer of the database for so long; 0.005 by default
_EXPIRY_PAUSE = timedelta(hours=1)
_EXPIRY_BATCH = 1000
_COLLECTION_PAUSE = timedelta(minutes=5)
_SHARING_PAUSE = timedelta(seconds=30)
_EVENTS_PAUSE = timedelta(seconds=30)
_CREDIT_BATCH = 500
_CYCLES_PAUSE = timedelta(seconds=30)
_CYCLES_AT_ONCE = 200
_LEARN_PAUSE = timedelta(minutes=1)


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the present in UTC."""
        return datetime.now(UTC)


class Ulids:
    """ULIDs: sortable by time, unique without asking anybody."""

    def new_uid(self, now: datetime) -> str:
        """Return a ULID of that moment."""
        return str(ULID.from_datetime(now))


class Service:
    """An open service: its use cases, ready to be called by any door.

    A property declares each use case once, with what it is made of. It is made when it is first
    asked for, and kept; ``make_all`` makes every one.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        embedders: GraphEmbedders,
        metrics: Metrics,
        telemetry: Telemetry,
        language: LanguageModel | None,
    ) -> None:
        self.settings = settings
        self.database = database
        self.embedders = embedders
        self.metrics = metrics
        self.telemetry = telemetry
        self.language = language
        self.clock = SystemClock()
        self.identifiers = Ulids()
        self.stores = Stores(database, settings)
        self.configs = self.stores.configs
        self.guard = open_guard(settings, database, telemetry)

    def make_all(self) -> None:
        """Make every use case, so that a fault of the wiring shows at the start."""
        for name, declared in vars(type(self)).items():
            if isinstance(declared, cached_property):
                getattr(self, name)

    async def exposition(self) -> bytes:
        """Look at Neo4j and the disk, and write every metric."""
        await self.probe.look()
        return self.metrics.exposition()

    async def readiness(self) -> Mapping[str, str]:
        """Return what is not ready and why; empty means ready."""
        try:
            state = await schema_state(self.database)
            check_version(state)
            await self.embedders.refresh()
            problems = await index_problems(self.database)
        except StratagraphError as error:
            return {"neo4j": error.message}
        found: dict[str, str] = {}
        if state.version < LATEST:
            found["schema"] = f"the graph has schema {state.version}, {LATEST} is needed"
        if self.embedders.trouble:
            found["embedder"] = self.embedders.trouble
        if problems:
            found["indexes"] = ", ".join(problems)
        return found

    @cached_property
    def events(self) -> EventBuffer:
        return EventBuffer(self.stores.events, self.telemetry)

    @cached_property
    def accesses(self) -> AccessCounter:
        return AccessCounter(self.stores.memories, self.clock)

    @cached_property
    def _question_vectors(self) -> QuestionVectors:
        return QuestionVectors(self.settings.embedding_cache)

    @cached_property
    def _meanings(self) -> Meanings:
        return Meanings(self._question_vectors)

    @cached_property
    def remember(self) -> Remember:
        return Remember(
            self.stores.memories,
            self.embedders,
            self.clock,
            self.identifiers,
            self.guard,
            self._capacity,
            self.telemetry,
            self.events,
        )

    @cached_property
    def amend_memory(self) -> AmendMemory:
        return AmendMemory(
            self.stores.memories,
            self.embedders,
            self.clock,
            self.identifiers,
            self.guard,
            self._capacity,
            self.telemetry,
        )

    @cached_property
    def get_memory(self) -> GetMemory:
        return GetMemory(self.stores.memories, self.telemetry)

    @cached_property
    def delete_memory(self) -> DeleteMemory:
        return DeleteMemory(self.stores.memories, self.erase, self.telemetry)

    @cached_property
    def remove_memories(self) -> RemoveMemories:
        return RemoveMemories(
            self.stores.memories, self.stores.browser, self.erase, self.clock, self.telemetry
        )

    @cached_property
    def list_memories(self) -> ListMemories:
        return ListMemories(self.stores.browser, self.clock, self.telemetry)

    @cached_property
    def count_memories(self) -> CountMemories:
        return CountMemories(self.stores.browser, self.clock, self.telemetry)

    @cached_property
    def list_versions(self) -> ListVersions:
        return ListVersions(self.stores.memories, self.stores.browser, self.telemetry)

    @cached_property
    def show_neighbourhood(self) -> ShowNeighbourhood:
        return ShowNeighbourhood(
            self.stores.browser, self.settings.term_frequency_max, self.telemetry
        )

    @cached_property
    def supersession_news(self) -> SupersessionNews:
        return SupersessionNews(self.identifiers, self.telemetry, self.events)

    @cached_property
    def state_supersession(self) -> StateSupersession:
        return StateSupersession(
            self.stores.supersessions, self.clock, self.supersession_news, self.telemetry
        )

    @cached_property
    def undo_supersession(self) -> UndoSupersession:
        return UndoSupersession(self.stores.supersessions, self.clock, self.telemetry)

    @cached_property
    def show_profile(self) -> ShowProfile:
        return ShowProfile(self.stores.profiles, self.clock, self.telemetry)

    @cached_property
    def recall(self) -> Recall:
        return Recall(
            store=self.stores.memories,
            links=self.stores.links,
            tasks=self.stores.tasks,
            embedders=self.embedders,
            meanings=self._meanings,
            clock=self.clock,
            accesses=self.accesses,
            configs=self.configs,
            strata=self.configs,
            weights=ranking_weights(self.settings),
            defaults=recall_defaults(self.settings),
            estimates=self.stores.estimates,
            identifiers=self.identifiers,
            guard=self.guard,
            engines=self.configs,
            attention=Attention(self.read_mind, self.configs),
            events=self.events,
            telemetry=self.telemetry,
        )

    @cached_property
    def retrieve_episodes(self) -> RetrieveEpisodes:
        return RetrieveEpisodes(
            store=self.stores.reasoning,
            tasks=self.stores.tasks,
            embedders=self.embedders,
            questions=self._question_vectors,
            clock=self.clock,
            accesses=self.accesses,
            configs=self.configs,
            estimates=self.stores.estimates,
            guard=self.guard,
            defaults=retrieve_defaults(self.settings),
            telemetry=self.telemetry,
        )

    @cached_property
    def _task_life(self) -> timedelta:
        return timedelta(days=self.settings.task_days)

    @cached_property
    def report_outcome(self) -> ReportOutcome:
        return ReportOutcome(
            self.stores.rewards,
            self.clock,
            self.identifiers,
            self.configs,
            self._task_life,
            self.telemetry,
            self.events,
        )

    @cached_property
    def report_signal(self) -> ReportSignal:
        return ReportSignal(
            self.stores.rewards,
            self.clock,
            self.identifiers,
            self.configs,
            self._task_life,
            self.telemetry,
            self.events,
        )

    @cached_property
    def inject_reward(self) -> InjectReward:
        return InjectReward(
            self.stores.rewards,
            self.clock,
            self.identifiers,
            self.configs,
            self.guard,
            self.telemetry,
            self.events,
        )

    @cached_property
    def revert_reward(self) -> RevertReward:
        return RevertReward(
            self.stores.rewards,
            self.clock,
            self.identifiers,
            self.configs,
            self.guard,
            self.telemetry,
            self.events,
        )

    @cached_property
    def show_utility(self) -> ShowUtility:
        return ShowUtility(self.stores.memories, self.stores.rewards, self.configs, self.telemetry)

    @cached_property
    def analyse_utility(self) -> AnalyseUtility:
        return AnalyseUtility(self.stores.utility, self.configs, self.clock, self.telemetry)

    @cached_property
    def show_config(self) -> ShowConfig:
        return ShowConfig(
            self.stores.overrides,
            UTILITY,
            configured_values(self.settings, UTILITY),
            self.telemetry,
        )

    @cached_property
    def change_config(self) -> ChangeConfig:
        return ChangeConfig(
            self.stores.overrides,
            self.show_config,
            self.configs,
            self.clock,
            self.identifiers,
            self.events,
            self.telemetry,
        )

    @cached_property
    def list_config_changes(self) -> ListConfigChanges:
        return ListConfigChanges(self.stores.overrides, UTILITY, self.telemetry)

    @cached_property
    def show_strata_config(self) -> ShowConfig:
        return ShowConfig(
            self.stores.overrides, STRATA, configured_values(self.settings, STRATA), self.telemetry
        )

    @cached_property
    def change_strata_config(self) -> ChangeConfig:
        return ChangeConfig(
            self.stores.overrides,
            self.show_strata_config,
            self.configs,
            self.clock,
            self.identifiers,
            self.events,
            self.telemetry,
        )

    @cached_property
    def list_strata_config_changes(self) -> ListConfigChanges:
        return ListConfigChanges(self.stores.overrides, STRATA, self.telemetry)

    @cached_property
    def configure_engines(self) -> ConfigureEngines:
        return ConfigureEngines(
            self.stores.overrides,
            self.configs,
            self.clock,
            self.identifiers,
            self.events,
            self.telemetry,
        )

    @cached_property
    def list_engine_changes(self) -> ListConfigChanges:
        return ListConfigChanges(self.stores.overrides, SECTION, self.telemetry)

    @cached_property
    def read_events(self) -> ReadEvents:
        return ReadEvents(self.stores.events, self.clock, self.telemetry)

    @cached_property
    def get_episode(self) -> GetEpisode:
        return GetEpisode(self.stores.memories, self.stores.episodes, self.telemetry)

    @cached_property
    def delete_episode(self) -> DeleteEpisode:
        return DeleteEpisode(self.stores.memories, self.erase, self.telemetry)

    @cached_property
    def count_episodes(self) -> CountEpisodes:
        return CountEpisodes(self.stores.episodes, episode_budget(self.settings), self.telemetry)

    @cached_property
    def export_episodes(self) -> ExportEpisodes:
        return ExportEpisodes(self.stores.episodes, self.clock)

    @cached_property
    def clear_episodes(self) -> ClearEpisodes:
        return ClearEpisodes(self.stores.episodes, self.erase, self.clock, self.telemetry)

    @cached_property
    def query_episodes(self) -> QueryEpisodes:
        return QueryEpisodes(
            self.stores.episode_queries,
            self.embedders,
            self._question_vectors,
            self.clock,
            query_limits(self.settings),
            self.telemetry,
        )

    @cached_property
    def ask_episodes(self) -> AskEpisodes:
        return AskEpisodes(
            self.query_episodes,
            self.stores.episode_queries,
            self.clock,
            self.guard,
            self.language,
            self.telemetry,
        )

    @cached_property
    def analyse_reasoning(self) -> AnalyseReasoning:
        return AnalyseReasoning(
            self.stores.episode_queries, self.clock, self.settings.query_rows, self.telemetry
        )

    @cached_property
    def collect_episodes(self) -> CollectEpisodes:
        return CollectEpisodes(
            self.stores.collections,
            collection_rules(self.settings),
            self.configs,
            self.clock,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def list_collections(self) -> ListRuns[CollectionRun, Collectable]:
        return ListRuns(
            self.stores.collections,
            self.stores.collections.hidden_by,
            UNKNOWN_COLLECTION,
            telemetry=self.telemetry,
        )

    @cached_property
    def undo_collection(self) -> UndoRun[CollectionRun]:
        return UndoRun(
            self.stores.collections,
            self.clock,
            COLLECTED_AT_ONCE,
            UNKNOWN_COLLECTION,
            self.telemetry,
        )

    @cached_property
    def _concept_maker(self) -> ConceptMaker:
        return ConceptMaker(
            self.stores.concepts,
            self.embedders,
            self.identifiers,
            concept_defaults(self.settings),
            self.guard,
            self.language,
        )

    @cached_property
    def _concept_news(self) -> ConceptNews:
        return ConceptNews(self.identifiers, self.telemetry, self.events)

    @cached_property
    def extract_concepts(self) -> ExtractNow:
        return ExtractNow(self._concept_maker, self.clock, self._concept_news, self.telemetry)

    @cached_property
    def archive_covered(self) -> ArchiveCovered:
        return ArchiveCovered(
            self.stores.concepts,
            self.stores.covers,
            self.stores.memories,
            cover_defaults(self.settings),
            self.clock,
            self._concept_news,
            self.telemetry,
        )

    @cached_property
    def restore_covered(self) -> RestoreCovered:
        return RestoreCovered(self.stores.covers, self.stores.memories, self.clock, self.telemetry)

    @cached_property
    def _gates(self) -> Gates:
        return Gates(self.stores.strata, self.configs, self.identifiers)

    @cached_property
    def _capacity(self) -> MakeRoom:
        return MakeRoom(self.stores.strata, self._gates, self.telemetry)

    @cached_property
    def _mover(self) -> Mover:
        return Mover(
            self.stores.strata,
            self.stores.places,
            self._capacity,
            self.configs,
            self.clock,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def run_gates(self) -> RunGates:
        return RunGates(
            self.stores.strata, self._gates, self.clock, self.identifiers, self.telemetry
        )

    @cached_property
    def list_gate_runs(self) -> ListRuns[GateRun, Transition]:
        return ListRuns(
            self.stores.strata,
            self.stores.strata.moves,
            UNKNOWN_GATE_RUN,
            telemetry=self.telemetry,
        )

    @cached_property
    def undo_gate_run(self) -> UndoRun[GateRun]:
        return UndoRun(
            self.stores.strata, self.clock, MOVED_AT_ONCE, UNKNOWN_GATE_RUN, self.telemetry
        )

    @cached_property
    def move_memories(self) -> MoveMemories:
        return MoveMemories(self._mover, self.telemetry)

    @cached_property
    def promote_proven(self) -> PromoteProven:
        return PromoteProven(self._mover, self.telemetry)

    @cached_property
    def analyse_strata(self) -> AnalyseStrata:
        return AnalyseStrata(self.stores.strata_measures, self.configs, self.clock, self.telemetry)

    @cached_property
    def show_provenance(self) -> ShowProvenance:
        return ShowProvenance(self.stores.memories, self.stores.strata_measures, self.telemetry)

    @cached_property
    def predict(self) -> Predict:
        return Predict(
            self.stores.surprises,
            self.configs,
            self.clock,
            self.identifiers,
            self.guard,
            self.telemetry,
        )

    @cached_property
    def report_surprise(self) -> ReportSurprise:
        return ReportSurprise(
            store=self.stores.surprises,
            remember=self.remember,
            embedders=self.embedders,
            meanings=self._meanings,
            configs=self.configs,
            clock=self.clock,
            identifiers=self.identifiers,
            guard=self.guard,
            publish=self.publish_memory,
            telemetry=self.telemetry,
            events=self.events,
        )

    @cached_property
    def list_surprises(self) -> ListSurprises:
        return ListSurprises(self.stores.surprises, self.telemetry)

    @cached_property
    def observe_executions(self) -> ObserveExecutions:
        return ObserveExecutions(
            self.stores.knowledge,
            self.clock,
            self.identifiers,
            self.guard,
            timedelta(days=self.settings.knowledge_days),
            self.telemetry,
        )

    @cached_property
    def query_knowledge(self) -> QueryKnowledge:
        return QueryKnowledge(self.stores.knowledge, self.clock, self.guard, self.telemetry)

    @cached_property
    def get_pattern(self) -> GetPattern:
        return GetPattern(self.stores.knowledge, self.guard, self.telemetry)

    @cached_property
    def store_insight(self) -> StoreInsight:
        return StoreInsight(
            self.stores.knowledge, self.clock, self.identifiers, self.guard, self.telemetry
        )

    @cached_property
    def advise(self) -> Advise:
        return Advise(self.query_knowledge, self.telemetry)

    @cached_property
    def _foresight(self) -> Models:
        return Models(self.stores.knowledge)

    @cached_property
    def check_tool_call(self) -> CheckToolCall:
        return CheckToolCall(self.stores.knowledge, self._foresight, self.clock, self.telemetry)

    @cached_property
    def recommend_tool(self) -> RecommendTool:
        return RecommendTool(self.stores.knowledge, self.telemetry)

    @cached_property
    def predict_next_tool(self) -> PredictNextTool:
        return PredictNextTool(self.stores.knowledge, self._foresight, self.telemetry)

    @cached_property
    def set_preference(self) -> SetPreference:
        return SetPreference(
            self.stores.knowledge, self.clock, self.identifiers, self.guard, self.telemetry
        )

    @cached_property
    def correct(self) -> Correct:
        return Correct(
            self.stores.knowledge, self.clock, self.identifiers, self.guard, self.telemetry
        )

    @cached_property
    def learn(self) -> Learn:
        return Learn(self.stores.knowledge, self.clock, self.identifiers, self.telemetry)

    @cached_property
    def validate_insight(self) -> ValidateInsight:
        return ValidateInsight(self.stores.knowledge, self.clock, self.guard, self.telemetry)

    @cached_property
    def export_knowledge(self) -> ExportKnowledge:
        return ExportKnowledge(
            self.stores.shared_knowledge,
            self.clock,
            self.identifiers,
            self.guard,
            telemetry=self.telemetry,
        )

    @cached_property
    def import_knowledge(self) -> ImportKnowledge:
        return ImportKnowledge(
            self.stores.shared_knowledge, self.clock, self.identifiers, self.guard, self.telemetry
        )

    @cached_property
    def knowledge_times(self) -> ResponseTimes:
        return ResponseTimes()

    @cached_property
    def analyse_knowledge(self) -> AnalyseKnowledge:
        return AnalyseKnowledge(self.stores.knowledge, self.knowledge_times, self.telemetry)

    @cached_property
    def attach_plugin(self) -> AttachPlugin:
        return AttachPlugin(self.stores.plugins, self.clock, self.guard, self.telemetry)

    @cached_property
    def observe(self) -> Observe:
        return Observe(
            self.stores.plugins,
            self.configs,
            self.clock,
            self.guard,
            self.identifiers,
            self.events,
            self.telemetry,
        )

    @cached_property
    def read_mind(self) -> ReadMind:
        return ReadMind(self.stores.plugins, self.configs, self.telemetry)

    @cached_property
    def reset_plugin(self) -> ResetPlugin:
        return ResetPlugin(self.stores.plugins, self.clock, self.telemetry)

    @cached_property
    def open_cycle(self) -> OpenCycle:
        return OpenCycle(
            self.stores.cycles,
            self.embedders,
            self._meanings,
            self.configs,
            self.clock,
            self.identifiers,
            self.guard,
            self.telemetry,
        )

    @cached_property
    def enter_phase(self) -> EnterPhase:
        return EnterPhase(
            self.stores.cycles,
            self.recall,
            self.stores.memories,
            self.configs,
            self.clock,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def check_steps(self) -> CheckSteps:
        return CheckSteps(open_callback(self.settings, self.clock.now), self.telemetry)

    @cached_property
    def report_step(self) -> ReportStep:
        return ReportStep(
            self.stores.cycles,
            self.check_steps,
            self.remember,
            self.report_surprise,
            self.configs,
            self.clock,
            self.identifiers,
            self.guard,
            self.telemetry,
        )

    @cached_property
    def complete_cycle(self) -> CompleteCycle:
        return CompleteCycle(
            self.stores.cycles,
            self.report_outcome,
            self.report_signal,
            self.remember,
            self.observe_executions,
            self.move_memories,
            self.promote_proven,
            self.configs,
            self.clock,
            self.telemetry,
        )

    @cached_property
    def abandon_cycle(self) -> AbandonCycle:
        return AbandonCycle(self.stores.cycles, self.clock, self.telemetry)

    @cached_property
    def read_cycles(self) -> ReadCycles:
        return ReadCycles(self.stores.cycles, self.telemetry)

    @cached_property
    def generate_patch(self) -> GeneratePatch:
        return GeneratePatch(
            self.stores.cycles,
            self.stores.patches,
            self.retrieve_episodes,
            self.recall,
            ToolLessons(self.stores.knowledge),
            self.configs,
            self.clock,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def apply_patch(self) -> ApplyPatch:
        return ApplyPatch(self.stores.patches, self.configs, self.clock, self.telemetry)

    @cached_property
    def verify_patch(self) -> VerifyPatch:
        return VerifyPatch(
            self.stores.cycles,
            self.stores.patches,
            self.check_steps,
            self.remember,
            self.report_outcome,
            self.configs,
            self.clock,
            self.telemetry,
        )

    @cached_property
    def read_patches(self) -> ReadPatches:
        return ReadPatches(self.stores.cycles, self.stores.patches, self.telemetry)

    @cached_property
    def _outer_loop(self) -> OuterLoop:
        return OuterLoop(
            self.stores.loops,
            self.stores.cycles,
            self.stores.strata,
            self.stores.places,
            self.configs,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def run_loop(self) -> RunLoop:
        return RunLoop(self._outer_loop, self.undo_gate_run, self.clock, self.telemetry)

    @cached_property
    def _consolidation(self) -> Consolidation:
        return Consolidation(
            self.stores.consolidations,
            self.stores.strata,
            self._gates,
            Condenser(self.embedders, self.language),
            self.configs,
            self.embedders,
            self.identifiers,
            PatternFinder(self.stores.consolidations, self.embedders, self.identifiers),
            AgreementFinder(
                self.stores.consolidations, self.embedders, self.configs, self.identifiers
            ),
            self.telemetry,
        )

    @cached_property
    def consolidate(self) -> Consolidate:
        return Consolidate(self._consolidation, self.clock, self.telemetry)

    @cached_property
    def list_consolidations(self) -> ListRuns[ConsolidationRun, Cluster]:
        return ListRuns(
            self.stores.consolidations,
            self.stores.consolidations.clusters,
            UNKNOWN_CONSOLIDATION,
            partial(with_progress, self.stores.consolidations),
            self.telemetry,
        )

    @cached_property
    def undo_consolidation(self) -> UndoRun[ConsolidationRun]:
        return UndoRun(
            self.stores.consolidations,
            self.clock,
            CLUSTERS_AT_ONCE,
            UNKNOWN_CONSOLIDATION,
            self.telemetry,
        )

    @cached_property
    def join_channels(self) -> JoinChannels:
        return JoinChannels(self.stores.sharing, self.clock, self.telemetry)

    @cached_property
    def leave_channels(self) -> LeaveChannels:
        return LeaveChannels(self.stores.sharing, self.clock, self.telemetry)

    @cached_property
    def list_members(self) -> ListMembers:
        return ListMembers(self.stores.sharing, self.telemetry)

    @cached_property
    def publish_memory(self) -> PublishMemory:
        return PublishMemory(
            self.stores.sharing, self.embedders, self.clock, self.identifiers, self.telemetry
        )

    @cached_property
    def unpublish_memory(self) -> UnpublishMemory:
        return UnpublishMemory(self.stores.sharing, self.clock, self.telemetry)

    @cached_property
    def share_patterns(self) -> SharePatterns:
        return SharePatterns(
            self.stores.shared_patterns,
            self.embedders,
            self.configs,
            self.clock,
            self.identifiers,
            self.telemetry,
        )

    @cached_property
    def list_agreements(self) -> ListAgreements:
        return ListAgreements(self.stores.agreements, self.telemetry)

    @cached_property
    def vote(self) -> CastVote:
        return CastVote(self.stores.agreements, self.clock, self.telemetry)

    @cached_property
    def record_interaction(self) -> RecordInteraction:
        return RecordInteraction(self.stores.relationships, self.clock, self.telemetry)

    @cached_property
    def list_relationships(self) -> ListRelationships:
        return ListRelationships(self.stores.relationships, self.telemetry)

    @cached_property
    def erase(self) -> Erase:
        return Erase(
            self.stores.erasures,
            self.clock,
            self.identifiers,
            (self.events,),
            telemetry=self.telemetry,
        )

    @cached_property
    def show_erasure(self) -> ShowErasure:
        return ShowErasure(self.stores.erasures, self.telemetry)

    @cached_property
    def check_graph(self) -> CheckGraph:
        return CheckGraph(
            GraphChecks(self.database),
            EmbeddingStore(self.database, self.clock),
            self._embedder,
            self.clock,
            telemetry=self.telemetry,
        )

    async def _embedder(self) -> Embedder:
        await self.embedders.refresh()
        return self.embedders.reading.embedder

    @cached_property
    def export(self) -> Export:
        return Export(self.stores.exports, self.clock, self.embedders)

    @cached_property
    def import_lines(self) -> Import:
        return Import(self.stores.imports, self.remember, self.embedders, self.clock, self.guard)

    @cached_property
    def links(self) -> LinkStore:
        return self.stores.links

    @cached_property
    def leases(self) -> LeaseStore:
        return LeaseStore(self.database)

    @cached_property
    def probe(self) -> Probe:
        return Probe(
            self.telemetry, self.database, self.stores.links, self.stores.credits, self.settings
        )

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        return (
            *self._data_jobs,
            *concept_jobs(
                self.settings, self._concept_maker, self.stores.covers, self._concept_news
            ),
            *self._strata_jobs,
            *self._knowledge_jobs,
        )

    @cached_property
    def _knowledge_jobs(self) -> tuple[Job, ...]:
        return (
            *(LearnRegularly(self.learn, job, pause=_LEARN_PAUSE) for job in LEARN_JOBS),
            ExpireKnowledge(
                self.stores.knowledge,
                keep=timedelta(days=self.settings.knowledge_days),
                batch=_EXPIRY_BATCH,
                pause=_EXPIRY_PAUSE,
            ),
        )

    @cached_property
    def _data_jobs(self) -> tuple[Job, ...]:
        tick = timedelta(seconds=self.settings.worker_tick_seconds)
        return (
            GoOnErasing(
                self.stores.erasures, keep=timedelta(days=self.settings.erasure_days), pause=tick
            ),
            ApplyCredits(
                self.stores.credits,
                self.configs,
                self.identifiers,
                batch=_CREDIT_BATCH,
                pause=tick,
                events=self.events,
            ),
            LinkMemories(
                self.stores.links,
                self.embedders,
                link_defaults(self.settings),
                self.configs,
                self.supersession_news,
                pause=tick,
            ),
            TendEvents(self.stores.events, batch=_EXPIRY_BATCH, pause=_EVENTS_PAUSE),
            ExpireTasks(self.stores.tasks, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE),
        )

    @cached_property
    def _strata_jobs(self) -> tuple[Job, ...]:
        return (
            EndSharing(self.stores.sharing, pause=_SHARING_PAUSE),
            TendStrata(
                self.stores.strata,
                self._gates,
                self.identifiers,
                self._consolidation,
                self.telemetry,
            ),
            SharePatternsRegularly(self.share_patterns),
            TendCycles(
                self.stores.cycles, self.configs, batch=_CYCLES_AT_ONCE, pause=_CYCLES_PAUSE
            ),
            TendLoops(self._outer_loop, pause=_CYCLES_PAUSE),
            ExpireSurprises(self.stores.surprises, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE),
            CollectRegularly(
                self.stores.collections,
                collection_rules(self.settings),
                self.configs,
                self.identifiers,
                active=self.settings.gc,
                pause=_COLLECTION_PAUSE,
                telemetry=self.telemetry,
            ),
        )


@asynccontextmanager
async def open_service(
    settings: Settings,
    connection: Connection,
    embedder: Embedder | None = None,
    loader: Loader | None = None,
) -> AsyncGenerator[Service]:
    """Open the database, migrate it, wire the use cases, and flush at the end.

    ``embedder`` is one that is loaded already; the graph may ask for another.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    clock = SystemClock()
    loader = loader or Loader(settings)
    async with (
        open_telemetry(settings) as (metrics, telemetry),
        open_database(connection, telemetry, _disk_check(settings)) as database,
        open_language_model(settings, telemetry) as language,
    ):
        await check_server(database)
        embedders = GraphEmbedders(database, loader, settings.embedder, embedder)
        await migrate(database, identity_of(await embedders.choose()), clock.now())
        await embedders.refresh()
        await _note_api_keys(database, settings, clock.now())
        service = Service(settings, database, embedders, metrics, telemetry, language)
        service.make_all()
        await service.configs.refresh()
        service.probe.describe(connection.pool_size, service.accesses)
        telemetry.watch("event_queue_length", lambda: service.events.waiting)
        background = [asyncio.create_task(each) for each in _loops(service, embedders, settings)]
        try:
            yield service
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await service.events.flush()
            await service.accesses.flush()


def _disk_check(settings: Settings) -> Callable[[], None]:
    """Check the disk of the managed Neo4j; that of another one is out of sight."""
    if settings.neo4j_uri is not None:
        return lambda: None
    home = settings.home.expanduser().absolute()
    return DiskReserve(home, settings.disk_reserve_mb * 2**20).check


async def migrate_schema(
    connection: Connection, target: int = LATEST, settings: Settings | None = None
) -> int:
    """Bring a graph's schema to a version; return the one it has then."""
    async with open_database(connection) as database:
        await check_server(database)
        state = await schema_state(database)
        if state.embedding is not None:
            identity = state.embedding.embedder
        else:
            identity = identity_of(await asyncio.to_thread(load_embedder, settings))
        return (await migrate(database, identity, SystemClock().now(), target)).version


async def _note_api_keys(database: Database, settings: Settings, now: datetime) -> None:
    keys = [(tenant, key.get_secret_value()) for tenant, key in settings.api_keys]
    if keys and database.why_no_writes() is None:
        await save_api_keys(database, keys, now)


def _loops(
    service: Service, embedders: GraphEmbedders, settings: Settings
) -> Iterator[Coroutine[Any, Any, None]]:
    """Yield what goes on beside the requests for as long as the service is open."""
    yield repeat("watch_embedders", embedders.refresh, settings.embedder_watch_seconds)
    yield repeat("watch_configs", service.configs.refresh, settings.config_watch_seconds)
    for name, buffer in (("flush_accesses", service.accesses), ("flush_events", service.events)):
        yield repeat(name, partial(_flush, service, buffer, name), settings.flush_seconds)


async def _flush(service: Service, buffer: AccessCounter | EventBuffer, name: str) -> None:
    if buffer.waiting:
        with service.telemetry.span("job", name):
            await buffer.flush()
