"""Wires settings, adapters and use cases."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import Any

from ulid import ULID

from graph.database.driver import Connection, Database, open_database
from graph.database.leases import LeaseStore
from graph.kernel.errors import StratagraphError
from graph.model.consolidation.clusters import Cluster, ConsolidationRun
from graph.model.episodes.gc import Collectable, CollectionRun
from graph.model.knowledge.executions import LEARN_JOBS
from graph.model.strata.gates import GateRun, Transition
from graph.ports.language import LanguageModel
from graph.ports.telemetry import Telemetry
from graph.ports.world import Embedder
from graph.server.disk import DiskReserve
from graph.store.erasure.checking import GraphChecks
from graph.store.memories.links import LinkStore
from graph.store.operation.embedding import EmbeddingStore
from graph.store.operation.migrate import (
    LATEST,
    check_server,
    check_version,
    index_problems,
    migrate,
    schema_state,
)
from graph.store.operation.secrets import save_api_keys
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
from service.bootstrap.language import open_callback, open_language_model
from service.bootstrap.making import made
from service.bootstrap.privacy import open_guard
from service.bootstrap.probe import Probe
from service.bootstrap.stores import Stores
from service.bootstrap.telemetry import open_telemetry
from service.bootstrap.upkeep import repeat
from service.events import EventBuffer
from service.metrics import Metrics
from service.settings import Settings
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
from service.use_cases.episodes.concept_events import ConceptEvents
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
from service.use_cases.memories.link import LinkMemories, SupersessionEvents
from service.use_cases.memories.remember import Remember
from service.use_cases.memories.removing import RemoveMemories
from service.use_cases.memories.single import DeleteMemory, GetMemory
from service.use_cases.memories.supersede import StateSupersession, UndoSupersession
from service.use_cases.operation.jobs import Expire, Job
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
from service.use_cases.utility.outcome import ReportOutcome, ReportSignal
from service.use_cases.utility.revert import InjectReward, RevertReward
from service.use_cases.utility.show import ShowUtility

_SWITCH_SECONDS = 0.0005  # seconds for which a thread that condenses notes can delay answers of the database; 0.005 by default
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
    """The system clock."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)


class Ulids:
    """ULIDs: sortable by time, unique without coordination."""

    def new_uid(self, now: datetime) -> str:
        """Return a ULID of a time."""
        return str(ULID.from_datetime(now))


class Service:
    """An open service with its use cases.

    A line declares each use case, with the fields that have other names in the service. They are created at first use;
    ``make_all`` creates all.
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
        """Create every use case, so that errors of the wiring show at the start."""
        for name, declared in vars(type(self)).items():
            if isinstance(declared, cached_property):
                getattr(self, name)

    async def exposition(self) -> bytes:
        """Probe Neo4j and the disk, and return all metrics."""
        await self.probe.look()
        return self.metrics.exposition()

    async def readiness(self) -> Mapping[str, str]:
        """Return what is not ready and why; empty means ready."""
        try:
            state = await schema_state(self.database)
            check_version(state)
            # read here too, as the periodic check may not have run yet
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

    events = made(EventBuffer, store=Stores.events)
    accesses = made(AccessCounter, store=Stores.memories)
    _question_vectors = made(
        QuestionVectors, entries=lambda service: service.settings.embedding_cache
    )
    _meanings = made(Meanings, vectors=_question_vectors)

    _gates = made(Gates, store=Stores.strata)
    _capacity = made(MakeRoom, store=Stores.strata)

    remember = made(Remember, store=Stores.memories, make_room=_capacity)
    amend_memory = made(AmendMemory, store=Stores.memories, room=_capacity)
    get_memory = made(GetMemory, store=Stores.memories)
    delete_memory = made(DeleteMemory, store=Stores.memories)
    remove_memories = made(RemoveMemories, store=Stores.memories)
    list_memories = made(ListMemories)
    count_memories = made(CountMemories)
    list_versions = made(ListVersions, store=Stores.memories)
    show_neighbourhood = made(
        ShowNeighbourhood, mentioned=lambda service: service.settings.term_frequency_max
    )
    supersession_events = made(SupersessionEvents)
    state_supersession = made(
        StateSupersession, store=Stores.supersessions, emitter=supersession_events
    )
    undo_supersession = made(UndoSupersession, store=Stores.supersessions)
    show_profile = made(ShowProfile, store=Stores.profiles)

    recall = made(
        Recall,
        store=Stores.memories,
        strata=lambda service: service.configs,
        weights=lambda service: ranking_weights(service.settings),
        defaults=lambda service: recall_defaults(service.settings),
        engines=lambda service: service.configs,
        attention=lambda service: Attention(service.read_mind, service.configs),
    )
    retrieve_episodes = made(
        RetrieveEpisodes,
        store=Stores.reasoning,
        questions=_question_vectors,
        defaults=lambda service: retrieve_defaults(service.settings),
    )

    @cached_property
    def _task_life(self) -> timedelta:
        return timedelta(days=self.settings.task_days)

    report_outcome = made(ReportOutcome)
    report_signal = made(ReportSignal)
    inject_reward = made(InjectReward)
    revert_reward = made(RevertReward)
    show_utility = made(ShowUtility, store=Stores.memories)
    analyse_utility = made(AnalyseUtility, measures=Stores.utility)

    show_config = made(
        ShowConfig,
        store=Stores.overrides,
        section=UTILITY,
        environment=lambda service: configured_values(service.settings, UTILITY),
    )
    change_config = made(ChangeConfig, store=Stores.overrides, show=show_config)
    list_config_changes = made(ListConfigChanges, store=Stores.overrides, section=UTILITY)
    show_strata_config = made(
        ShowConfig,
        store=Stores.overrides,
        section=STRATA,
        environment=lambda service: configured_values(service.settings, STRATA),
    )
    change_strata_config = made(ChangeConfig, store=Stores.overrides, show=show_strata_config)
    list_strata_config_changes = made(ListConfigChanges, store=Stores.overrides, section=STRATA)

    configure_engines = made(ConfigureEngines, store=Stores.overrides)
    list_engine_changes = made(ListConfigChanges, store=Stores.overrides, section=SECTION)

    read_events = made(ReadEvents, store=Stores.events)

    get_episode = made(GetEpisode, store=Stores.memories)
    delete_episode = made(DeleteEpisode, store=Stores.memories)
    count_episodes = made(CountEpisodes, budget=lambda service: episode_budget(service.settings))
    export_episodes = made(ExportEpisodes)
    clear_episodes = made(ClearEpisodes, store=Stores.memories)

    query_episodes = made(
        QueryEpisodes,
        store=Stores.episode_queries,
        vectors=_question_vectors,
        limits=lambda service: query_limits(service.settings),
    )
    ask_episodes = made(AskEpisodes, query=query_episodes, store=Stores.episode_queries)
    analyse_reasoning = made(
        AnalyseReasoning,
        store=Stores.episode_queries,
        rows=lambda service: service.settings.query_rows,
    )

    collect_episodes = made(
        CollectEpisodes,
        store=Stores.collections,
        rules=lambda service: collection_rules(service.settings),
    )
    list_collections = made(
        ListRuns[CollectionRun, Collectable],
        store=Stores.collections,
        items=lambda service: service.stores.collections.hidden_by,
        unknown=UNKNOWN_COLLECTION,
    )
    undo_collection = made(
        UndoRun[CollectionRun],
        store=Stores.collections,
        at_once=COLLECTED_AT_ONCE,
        unknown=UNKNOWN_COLLECTION,
    )

    _concept_maker = made(
        ConceptMaker,
        store=Stores.concepts,
        defaults=lambda service: concept_defaults(service.settings),
    )
    _concept_events = made(ConceptEvents)
    extract_concepts = made(ExtractNow, maker=_concept_maker, emitter=_concept_events)
    archive_covered = made(
        ArchiveCovered,
        store=Stores.concepts,
        defaults=lambda service: cover_defaults(service.settings),
        emitter=_concept_events,
    )
    restore_covered = made(RestoreCovered)

    join_channels = made(JoinChannels, store=Stores.sharing)
    leave_channels = made(LeaveChannels, store=Stores.sharing)
    list_members = made(ListMembers, store=Stores.sharing)
    publish_memory = made(PublishMemory, store=Stores.sharing)
    unpublish_memory = made(UnpublishMemory, store=Stores.sharing)
    share_patterns = made(SharePatterns, store=Stores.shared_patterns)

    _mover = made(Mover, room=_capacity)
    run_gates = made(RunGates, store=Stores.strata)
    list_gate_runs = made(
        ListRuns[GateRun, Transition],
        store=Stores.strata,
        items=lambda service: service.stores.strata.moves,
        unknown=UNKNOWN_GATE_RUN,
    )
    undo_gate_run = made(
        UndoRun[GateRun], store=Stores.strata, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN
    )
    move_memories = made(MoveMemories)
    promote_proven = made(PromoteProven)
    analyse_strata = made(AnalyseStrata, measures=Stores.strata_measures)
    show_provenance = made(ShowProvenance, store=Stores.memories, measures=Stores.strata_measures)

    predict = made(Predict, store=Stores.surprises)
    report_surprise = made(ReportSurprise, store=Stores.surprises, publish=publish_memory)
    list_surprises = made(ListSurprises, store=Stores.surprises)

    observe_executions = made(
        ObserveExecutions,
        store=Stores.knowledge,
        keep=lambda service: timedelta(days=service.settings.knowledge_days),
    )
    query_knowledge = made(QueryKnowledge, store=Stores.knowledge)
    get_pattern = made(GetPattern, store=Stores.knowledge)
    store_insight = made(StoreInsight, store=Stores.knowledge)
    advise = made(Advise, query=query_knowledge)
    _foresight = made(Models, store=Stores.knowledge)
    check_tool_call = made(CheckToolCall, store=Stores.knowledge, models=_foresight)
    recommend_tool = made(RecommendTool, store=Stores.knowledge)
    predict_next_tool = made(PredictNextTool, store=Stores.knowledge, models=_foresight)
    set_preference = made(SetPreference, store=Stores.knowledge)
    correct = made(Correct, store=Stores.knowledge)
    learn = made(Learn, store=Stores.knowledge)
    validate_insight = made(ValidateInsight, store=Stores.knowledge)
    export_knowledge = made(ExportKnowledge, store=Stores.shared_knowledge)
    import_knowledge = made(ImportKnowledge, store=Stores.shared_knowledge)
    knowledge_times = made(ResponseTimes)
    analyse_knowledge = made(AnalyseKnowledge, store=Stores.knowledge, times=knowledge_times)

    attach_plugin = made(AttachPlugin, store=Stores.plugins)
    observe = made(Observe, store=Stores.plugins)
    read_mind = made(ReadMind, store=Stores.plugins)
    reset_plugin = made(ResetPlugin, store=Stores.plugins)

    open_cycle = made(OpenCycle, store=Stores.cycles)
    enter_phase = made(EnterPhase, store=Stores.cycles)
    check_steps = made(
        CheckSteps, callback=lambda service: open_callback(service.settings, service.clock.now)
    )
    report_step = made(
        ReportStep, store=Stores.cycles, check=check_steps, surprises=report_surprise
    )
    complete_cycle = made(
        CompleteCycle,
        store=Stores.cycles,
        outcome=report_outcome,
        signal=report_signal,
        observe=observe_executions,
        move=move_memories,
        promote=promote_proven,
    )
    abandon_cycle = made(AbandonCycle, store=Stores.cycles)
    read_cycles = made(ReadCycles, store=Stores.cycles)

    generate_patch = made(
        GeneratePatch,
        retrieve=retrieve_episodes,
        tools=lambda service: ToolLessons(service.stores.knowledge),
    )
    apply_patch = made(ApplyPatch)
    verify_patch = made(VerifyPatch, check=check_steps, outcome=report_outcome)
    read_patches = made(ReadPatches)

    _outer_loop = made(OuterLoop)
    run_loop = made(RunLoop, loop=_outer_loop, undo_moves=undo_gate_run)

    _consolidation = made(
        Consolidation,
        store=Stores.consolidations,
        condenser=lambda service: Condenser(service.embedders, service.language),
        patterns=lambda service: PatternFinder(
            service.stores.consolidations, service.embedders, service.identifiers
        ),
        agreements=lambda service: AgreementFinder(
            service.stores.consolidations, service.embedders, service.configs, service.identifiers
        ),
    )
    consolidate = made(Consolidate)
    list_consolidations = made(
        ListRuns[ConsolidationRun, Cluster],
        store=Stores.consolidations,
        items=lambda service: service.stores.consolidations.clusters,
        unknown=UNKNOWN_CONSOLIDATION,
        refreshed=lambda service: partial(with_progress, service.stores.consolidations),
    )
    undo_consolidation = made(
        UndoRun[ConsolidationRun],
        store=Stores.consolidations,
        at_once=CLUSTERS_AT_ONCE,
        unknown=UNKNOWN_CONSOLIDATION,
    )

    list_agreements = made(ListAgreements, store=Stores.agreements)
    vote = made(CastVote, store=Stores.agreements)
    record_interaction = made(RecordInteraction, store=Stores.relationships)
    list_relationships = made(ListRelationships, store=Stores.relationships)

    erase = made(Erase, store=Stores.erasures, buffers=lambda service: (service.events,))
    show_erasure = made(ShowErasure, store=Stores.erasures)

    async def _embedder(self) -> Embedder:
        await self.embedders.refresh()
        return self.embedders.reading.embedder

    check_graph = made(
        CheckGraph,
        checks=lambda service: GraphChecks(service.database),
        embeddings=lambda service: EmbeddingStore(service.database, service.clock),
        load=lambda service: service._embedder,
    )

    export = made(Export, store=Stores.exports)
    import_lines = made(Import, store=Stores.imports)

    @cached_property
    def links(self) -> LinkStore:
        return self.stores.links

    leases = made(LeaseStore)
    probe = made(Probe)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        return (
            *self._data_jobs,
            *concept_jobs(
                self.settings, self._concept_maker, self.stores.covers, self._concept_events
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
                self.supersession_events,
                pause=tick,
            ),
            TendEvents(self.stores.events, batch=_EXPIRY_BATCH, pause=_EVENTS_PAUSE),
            Expire("expire_tasks", self.stores.tasks, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE),
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
            Expire(
                "expire_surprises", self.stores.surprises, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE
            ),
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

    ``embedder`` is one that is loaded already; the graph may need another.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    clock = SystemClock()
    loader = loader or Loader(settings)
    async with (
        open_telemetry(settings) as (metrics, telemetry),
        open_database(connection, telemetry, _disk_check(settings)) as database,
        open_language_model(settings, telemetry) as language,
    ):
        # before anything is written: an unknown server is refused
        await check_server(database)
        embedders = GraphEmbedders(database, loader, settings.embedder, embedder)
        # the schema before the embedders, which read their record from it
        await migrate(database, identity_of(await embedders.choose()), clock.now())
        await embedders.refresh()
        await _note_api_keys(database, settings, clock.now())
        service = Service(settings, database, embedders, metrics, telemetry, language)
        service.make_all()
        # before the first request, which needs the settings of its tenant
        await service.configs.refresh()
        service.probe.describe(connection.pool_size, service.accesses)
        telemetry.watch("event_queue_length", lambda: service.events.waiting)
        background = [asyncio.create_task(each) for each in _loops(service, embedders, settings)]
        try:
            yield service
        finally:
            for task in background:
                task.cancel()
            # the loops end first: they write the same buffers
            await asyncio.gather(*background, return_exceptions=True)
            # last: buffers of requests are not lost
            await service.events.flush()
            await service.accesses.flush()


def _disk_check(settings: Settings) -> Callable[[], None]:
    """Return the disk check of the managed Neo4j; None for another one."""
    if settings.neo4j_uri is not None:
        return lambda: None
    home = settings.home.expanduser().absolute()
    return DiskReserve(home, settings.disk_reserve_mb * 2**20).check


async def migrate_schema(
    connection: Connection, target: int = LATEST, settings: Settings | None = None
) -> int:
    """Migrate a graph's schema to a version; return the resulting one."""
    async with open_database(connection) as database:
        await check_server(database)
        state = await schema_state(database)
        # only the embedder's name is written, so no model is loaded
        if state.embedding is not None:
            identity = state.embedding.embedder
        else:
            identity = identity_of(await asyncio.to_thread(load_embedder, settings))
        return (await migrate(database, identity, SystemClock().now(), target)).version


async def _note_api_keys(database: Database, settings: Settings, now: datetime) -> None:
    keys = [(tenant, key.get_secret_value()) for tenant, key in settings.api_keys]
    # a full disk refuses this write, but recalls are still served
    if keys and database.why_no_writes() is None:
        await save_api_keys(database, keys, now)


def _loops(
    service: Service, embedders: GraphEmbedders, settings: Settings
) -> Iterator[Coroutine[Any, Any, None]]:
    """Run the background loops while the service is open."""
    yield repeat("watch_embedders", embedders.refresh, settings.embedder_watch_seconds)
    yield repeat("watch_configs", service.configs.refresh, settings.config_watch_seconds)
    for name, buffer in (("flush_accesses", service.accesses), ("flush_events", service.events)):
        yield repeat(name, partial(_flush, service, buffer, name), settings.flush_seconds)


# only with work, to avoid a span every second
async def _flush(service: Service, buffer: AccessCounter | EventBuffer, name: str) -> None:
    if buffer.waiting:
        with service.telemetry.span("job", name):
            await buffer.flush()
