"""Wires settings, adapters and use cases."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from ulid import ULID

from graph.errors import StratagraphError
from graph.server.disk import DiskReserve
from graph.store.api_keys import save_api_keys
from graph.store.browsing import Neo4jBrowser
from graph.store.checking import Neo4jChecks
from graph.store.collecting import Neo4jCollections
from graph.store.concepts import Neo4jConcepts
from graph.store.configs import Neo4jConfigs
from graph.store.consolidating import Neo4jConsolidations
from graph.store.covering import Neo4jCovers
from graph.store.credits import Neo4jCredits
from graph.store.driver import Connection, Database, open_database
from graph.store.embedding import Neo4jEmbeddings
from graph.store.episodes import Neo4jEpisodes
from graph.store.erasing import Neo4jErasures
from graph.store.estimates import Neo4jEstimates
from graph.store.events import Neo4jEvents
from graph.store.exports import Neo4jExports
from graph.store.imports import Neo4jImports
from graph.store.leases import Neo4jLeases
from graph.store.links import Neo4jLinks
from graph.store.memories import Neo4jMemories
from graph.store.migrate import (
    LATEST,
    check_server,
    check_version,
    index_problems,
    migrate,
    schema_state,
)
from graph.store.moving import Neo4jPlaces
from graph.store.owners import Owners
from graph.store.reasoning import Neo4jReasoning
from graph.store.relationships import Neo4jRelationships
from graph.store.rewards import Neo4jRewards
from graph.store.shared_patterns import Neo4jSharedPatterns
from graph.store.sharing import Neo4jSharing
from graph.store.strata import Neo4jStrata
from graph.store.strata_measures import Neo4jStrataMeasures
from graph.store.superseding import Neo4jSupersessions
from graph.store.surprises import Neo4jSurprises
from graph.store.tasks import Neo4jTasks
from graph.store.utility import Neo4jUtility
from service.bootstrap.concepts import concept_defaults, concept_jobs, cover_defaults
from service.bootstrap.configs import (
    LiveConfigs,
    configured,
    configured_strata,
    configured_values,
)
from service.bootstrap.defaults import (
    collection_rules,
    episode_budget,
    event_life,
    ranking_weights,
    recall_defaults,
    retrieve_defaults,
)
from service.bootstrap.embedders import GraphEmbedders, Loader, identity_of, load_embedder
from service.bootstrap.language import open_language_model
from service.bootstrap.loops import repeat
from service.bootstrap.privacy import open_guard
from service.bootstrap.probe import Probe
from service.bootstrap.questions import question_use_cases
from service.bootstrap.telemetry import open_telemetry
from service.events import EventBuffer
from service.metrics import Metrics
from service.use_cases.accesses import AccessCounter
from service.use_cases.amend import AmendMemory
from service.use_cases.ask_episodes import AskEpisodes
from service.use_cases.browsing import CountMemories, ListMemories, ListVersions, ShowNeighbourhood
from service.use_cases.check_graph import CheckGraph
from service.use_cases.collect import (
    CollectEpisodes,
    CollectRegularly,
    ListCollections,
    UndoCollection,
)
from service.use_cases.concept_events import ConceptNews
from service.use_cases.condensing import Condenser
from service.use_cases.configure import (
    STRATA,
    UTILITY,
    ChangeConfig,
    ListConfigChanges,
    ShowConfig,
)
from service.use_cases.consolidate import (
    Consolidate,
    Consolidation,
    ListConsolidations,
    UndoConsolidation,
)
from service.use_cases.credit import ApplyCredits
from service.use_cases.embedding import QuestionVectors
from service.use_cases.episodes import (
    ClearEpisodes,
    CountEpisodes,
    DeleteEpisode,
    ExportEpisodes,
    GetEpisode,
)
from service.use_cases.erase import Erase, GoOnErasing, ShowErasure
from service.use_cases.events import ReadEvents, TendEvents
from service.use_cases.export import Export
from service.use_cases.extract_concepts import ConceptMaker, ExtractNow
from service.use_cases.find_patterns import PatternFinder
from service.use_cases.gates import (
    Gates,
    ListGateRuns,
    MakeRoom,
    RunGates,
    UndoGateRun,
)
from service.use_cases.importing import Import
from service.use_cases.inject import InjectReward
from service.use_cases.jobs import ExpireTasks, Job
from service.use_cases.link import LinkDefaults, LinkMemories
from service.use_cases.meaning import Meanings
from service.use_cases.memories import DeleteMemory, GetMemory
from service.use_cases.moving import MoveMemories, Mover, PromoteProven
from service.use_cases.outcome import ReportOutcome
from service.use_cases.query_episodes import QueryEpisodes
from service.use_cases.reasoning_analytics import AnalyseReasoning
from service.use_cases.recall import Recall
from service.use_cases.relationships import ListRelationships, RecordInteraction
from service.use_cases.remember import Remember
from service.use_cases.removing import RemoveMemories
from service.use_cases.retrieve import RetrieveEpisodes
from service.use_cases.revert import RevertReward
from service.use_cases.share_patterns import SharePatterns, SharePatternsRegularly
from service.use_cases.sharing import (
    EndSharing,
    JoinChannels,
    LeaveChannels,
    ListMembers,
    PublishMemory,
    UnpublishMemory,
)
from service.use_cases.signals import ReportSignal
from service.use_cases.strata_analytics import AnalyseStrata, ShowProvenance
from service.use_cases.supersede import StateSupersession, UndoSupersession
from service.use_cases.superseded_events import SupersessionNews
from service.use_cases.surprise import ExpireSurprises, ListSurprises, Predict, ReportSurprise
from service.use_cases.tend_concepts import ArchiveCovered, RestoreCovered
from service.use_cases.tend_strata import TendStrata
from service.use_cases.utility_analytics import AnalyseUtility
from service.use_cases.utility_of import ShowUtility

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping

    from graph.ports import (
        Clock,
        CreditStore,
        Embedder,
        EmbeddersInUse,
        EventLog,
        EventStore,
        LanguageModel,
        LeaseStore,
        LinkStore,
        TaskStore,
        Telemetry,
        UtilityConfigs,
    )
    from service.settings import Settings
    from service.use_cases.guarding import Guard

_EXPIRY_PAUSE = timedelta(hours=1)
_EXPIRY_BATCH = 1000
_COLLECTION_PAUSE = timedelta(minutes=5)
_SHARING_PAUSE = timedelta(seconds=30)
_EVENTS_PAUSE = timedelta(seconds=30)
_CREDIT_BATCH = 500


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


@dataclass(frozen=True, slots=True)
class Service:
    """An open service: its use cases, ready to be called by any door."""

    settings: Settings
    guard: Guard
    remember: Remember
    recall: Recall
    retrieve_episodes: RetrieveEpisodes
    report_outcome: ReportOutcome
    report_signal: ReportSignal
    inject_reward: InjectReward
    revert_reward: RevertReward
    show_utility: ShowUtility
    amend_memory: AmendMemory
    remove_memories: RemoveMemories
    get_memory: GetMemory
    state_supersession: StateSupersession
    undo_supersession: UndoSupersession
    supersession_news: SupersessionNews
    list_memories: ListMemories
    count_memories: CountMemories
    list_versions: ListVersions
    show_neighbourhood: ShowNeighbourhood
    delete_memory: DeleteMemory
    erase: Erase
    show_erasure: ShowErasure
    check_graph: CheckGraph
    extract_concepts: ExtractNow
    archive_covered: ArchiveCovered
    restore_covered: RestoreCovered
    get_episode: GetEpisode
    delete_episode: DeleteEpisode
    count_episodes: CountEpisodes
    export_episodes: ExportEpisodes
    clear_episodes: ClearEpisodes
    analyse_utility: AnalyseUtility
    query_episodes: QueryEpisodes
    ask_episodes: AskEpisodes
    analyse_reasoning: AnalyseReasoning
    show_config: ShowConfig
    change_config: ChangeConfig
    list_config_changes: ListConfigChanges
    show_strata_config: ShowConfig
    change_strata_config: ChangeConfig
    list_strata_config_changes: ListConfigChanges
    configs: LiveConfigs
    events: EventBuffer
    read_events: ReadEvents
    export: Export
    import_lines: Import
    collect_episodes: CollectEpisodes
    list_collections: ListCollections
    undo_collection: UndoCollection
    run_gates: RunGates
    list_gate_runs: ListGateRuns
    undo_gate_run: UndoGateRun
    move_memories: MoveMemories
    promote_proven: PromoteProven
    analyse_strata: AnalyseStrata
    show_provenance: ShowProvenance
    consolidate: Consolidate
    list_consolidations: ListConsolidations
    undo_consolidation: UndoConsolidation
    predict: Predict
    report_surprise: ReportSurprise
    list_surprises: ListSurprises
    join_channels: JoinChannels
    leave_channels: LeaveChannels
    list_members: ListMembers
    publish_memory: PublishMemory
    unpublish_memory: UnpublishMemory
    share_patterns: SharePatterns
    record_interaction: RecordInteraction
    list_relationships: ListRelationships
    accesses: AccessCounter
    embedders: GraphEmbedders
    links: LinkStore
    leases: LeaseStore
    jobs: tuple[Job, ...]
    clock: Clock
    database: Database
    telemetry: Telemetry
    metrics: Metrics
    probe: Probe
    language: LanguageModel | None

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
        service = _wire(settings, database, embedders, metrics, telemetry, language)
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


def _wire(
    settings: Settings,
    database: Database,
    embedders: GraphEmbedders,
    metrics: Metrics,
    telemetry: Telemetry,
    language: LanguageModel | None,
) -> Service:
    clock, identifiers = SystemClock(), Ulids()
    owners = Owners(database)
    config_store = Neo4jConfigs(database, event_life(settings))
    configs = LiveConfigs(config_store, configured(settings), configured_strata(settings))
    event_store = Neo4jEvents(database, event_life(settings))
    events = EventBuffer(event_store, telemetry)
    show_config, show_strata_config = (
        ShowConfig(config_store, section, configured_values(settings, section), telemetry)
        for section in (UTILITY, STRATA)
    )
    budget = episode_budget(settings)
    store = Neo4jMemories(database, configs, owners, budget)
    episodes = Neo4jEpisodes(database)
    browser = Neo4jBrowser(database)
    tasks = Neo4jTasks(database, event_life(settings))
    rewards = Neo4jRewards(database, configs, event_life(settings))
    rewarding = (rewards, clock, identifiers, configs)
    task_life = timedelta(days=settings.task_days)
    guard = open_guard(settings, database, telemetry)
    strata = Neo4jStrata(database, configs)
    gates = Gates(strata, configs, identifiers)
    room = MakeRoom(strata, gates, telemetry)
    places, measures = Neo4jPlaces(database), Neo4jStrataMeasures(database)
    mover = Mover(strata, places, room, configs, clock, identifiers, telemetry)
    remember = Remember(store, embedders, clock, identifiers, guard, room, telemetry, events)
    superseded = SupersessionNews(identifiers, telemetry, events)
    supersessions = Neo4jSupersessions(database)
    consolidations = Neo4jConsolidations(database, configs)
    consolidation = Consolidation(
        consolidations,
        strata,
        gates,
        Condenser(embedders, language),
        configs,
        embedders,
        identifiers,
        PatternFinder(consolidations, embedders, identifiers),
        telemetry,
    )
    surprises = Neo4jSurprises(database)
    sharing = Neo4jSharing(database, configs)
    relationships = Neo4jRelationships(database)
    publish = PublishMemory(sharing, embedders, clock, identifiers, telemetry)
    share_patterns = SharePatterns(
        Neo4jSharedPatterns(database, configs), embedders, configs, clock, identifiers, telemetry
    )
    imports = Neo4jImports(database, configs, owners, budget)
    links = Neo4jLinks(database, configs)
    credits = Neo4jCredits(database, configs, event_life(settings))
    accesses = AccessCounter(store, clock)
    questions = QuestionVectors(settings.embedding_cache)
    meanings = Meanings(questions)
    query_episodes, ask_episodes, analyse_reasoning = question_use_cases(
        settings, database, embedders, questions, clock, guard, telemetry, language
    )
    estimates = Neo4jEstimates(database)
    concepts, covers = Neo4jConcepts(database, configs), Neo4jCovers(database)
    maker = ConceptMaker(
        concepts, embedders, identifiers, concept_defaults(settings), guard, language
    )
    news = ConceptNews(identifiers, telemetry, events)
    collections, rules = Neo4jCollections(database), collection_rules(settings)
    erasures = Neo4jErasures(database, owners)
    erase = Erase(erasures, clock, identifiers, (events,), telemetry=telemetry)
    return Service(
        settings=settings,
        guard=guard,
        remember=remember,
        recall=Recall(
            store=store,
            links=links,
            tasks=tasks,
            embedders=embedders,
            meanings=meanings,
            clock=clock,
            accesses=accesses,
            configs=configs,
            strata=configs,
            weights=ranking_weights(settings),
            defaults=recall_defaults(settings),
            estimates=estimates,
            identifiers=identifiers,
            guard=guard,
            events=events,
            telemetry=telemetry,
        ),
        retrieve_episodes=RetrieveEpisodes(
            store=Neo4jReasoning(database),
            tasks=tasks,
            embedders=embedders,
            questions=questions,
            clock=clock,
            accesses=accesses,
            configs=configs,
            estimates=estimates,
            guard=guard,
            defaults=retrieve_defaults(settings),
            telemetry=telemetry,
        ),
        report_outcome=ReportOutcome(*rewarding, task_life, telemetry, events),
        report_signal=ReportSignal(*rewarding, task_life, telemetry, events),
        inject_reward=InjectReward(*rewarding, guard, telemetry, events),
        revert_reward=RevertReward(*rewarding, guard, telemetry, events),
        show_utility=ShowUtility(store, rewards, configs, telemetry),
        get_memory=GetMemory(store, telemetry),
        state_supersession=StateSupersession(supersessions, clock, superseded, telemetry),
        undo_supersession=UndoSupersession(supersessions, clock, telemetry),
        supersession_news=superseded,
        delete_memory=DeleteMemory(store, erase, telemetry),
        erase=erase,
        show_erasure=ShowErasure(erasures, telemetry),
        check_graph=_check_graph(database, embedders, clock, telemetry),
        get_episode=GetEpisode(store, episodes, telemetry),
        delete_episode=DeleteEpisode(store, erase, telemetry),
        count_episodes=CountEpisodes(episodes, budget, telemetry),
        export_episodes=ExportEpisodes(episodes, clock),
        clear_episodes=ClearEpisodes(episodes, erase, clock, telemetry),
        analyse_utility=AnalyseUtility(Neo4jUtility(database), configs, clock, telemetry),
        query_episodes=query_episodes,
        ask_episodes=ask_episodes,
        extract_concepts=ExtractNow(maker, clock, news, telemetry),
        archive_covered=ArchiveCovered(
            concepts, covers, store, cover_defaults(settings), clock, news, telemetry
        ),
        restore_covered=RestoreCovered(covers, store, clock, telemetry),
        analyse_reasoning=analyse_reasoning,
        show_config=show_config,
        change_config=ChangeConfig(
            config_store, show_config, configs, clock, identifiers, events, telemetry
        ),
        list_config_changes=ListConfigChanges(config_store, UTILITY, telemetry),
        show_strata_config=show_strata_config,
        change_strata_config=ChangeConfig(
            config_store, show_strata_config, configs, clock, identifiers, events, telemetry
        ),
        list_strata_config_changes=ListConfigChanges(config_store, STRATA, telemetry),
        configs=configs,
        events=events,
        read_events=ReadEvents(event_store, clock, telemetry),
        export=Export(Neo4jExports(database), clock, embedders),
        import_lines=Import(imports, remember, embedders, clock, guard),
        amend_memory=AmendMemory(store, embedders, clock, identifiers, guard, room, telemetry),
        remove_memories=RemoveMemories(store, browser, erase, clock, telemetry),
        list_memories=ListMemories(browser, clock, telemetry),
        count_memories=CountMemories(browser, clock, telemetry),
        list_versions=ListVersions(store, browser, telemetry),
        show_neighbourhood=ShowNeighbourhood(browser, settings.term_frequency_max, telemetry),
        collect_episodes=CollectEpisodes(
            collections, rules, configs, clock, identifiers, telemetry
        ),
        list_collections=ListCollections(collections, telemetry),
        undo_collection=UndoCollection(collections, clock, telemetry),
        run_gates=RunGates(strata, gates, clock, identifiers, telemetry),
        list_gate_runs=ListGateRuns(strata, telemetry),
        undo_gate_run=UndoGateRun(strata, clock, telemetry),
        move_memories=MoveMemories(mover, telemetry),
        promote_proven=PromoteProven(mover, telemetry),
        analyse_strata=AnalyseStrata(measures, configs, clock, telemetry),
        show_provenance=ShowProvenance(store, measures, telemetry),
        consolidate=Consolidate(consolidation, clock, telemetry),
        list_consolidations=ListConsolidations(consolidations, telemetry),
        undo_consolidation=UndoConsolidation(consolidations, clock, telemetry),
        predict=Predict(surprises, configs, clock, identifiers, guard, telemetry),
        report_surprise=ReportSurprise(
            store=surprises,
            remember=remember,
            embedders=embedders,
            meanings=meanings,
            configs=configs,
            clock=clock,
            identifiers=identifiers,
            guard=guard,
            publish=publish,
            telemetry=telemetry,
            events=events,
        ),
        list_surprises=ListSurprises(surprises, telemetry),
        join_channels=JoinChannels(sharing, clock, telemetry),
        leave_channels=LeaveChannels(sharing, clock, telemetry),
        list_members=ListMembers(sharing, telemetry),
        publish_memory=publish,
        unpublish_memory=UnpublishMemory(sharing, clock, telemetry),
        share_patterns=share_patterns,
        record_interaction=RecordInteraction(relationships, clock, telemetry),
        list_relationships=ListRelationships(relationships, telemetry),
        accesses=accesses,
        embedders=embedders,
        links=links,
        leases=Neo4jLeases(database),
        jobs=(
            GoOnErasing(
                erasures,
                keep=timedelta(days=settings.erasure_days),
                pause=timedelta(seconds=settings.worker_tick_seconds),
            ),
            _credit_job(settings, credits, configs, identifiers, events),
            *_jobs(settings, links, tasks, embedders, event_store, configs, superseded),
            *concept_jobs(settings, maker, covers, news),
            EndSharing(sharing, pause=_SHARING_PAUSE),
            TendStrata(strata, gates, identifiers, consolidation, telemetry),
            SharePatternsRegularly(share_patterns),
            ExpireSurprises(surprises, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE),
            CollectRegularly(
                collections,
                rules,
                configs,
                identifiers,
                active=settings.gc,
                pause=_COLLECTION_PAUSE,
                telemetry=telemetry,
            ),
        ),
        clock=clock,
        database=database,
        telemetry=telemetry,
        metrics=metrics,
        probe=Probe(telemetry, database, links, credits, settings),
        language=language,
    )


def _check_graph(
    database: Database, embedders: GraphEmbedders, clock: Clock, telemetry: Telemetry
) -> CheckGraph:
    async def load() -> Embedder:
        await embedders.refresh()
        return embedders.reading.embedder

    stores = Neo4jChecks(database), Neo4jEmbeddings(database, clock)
    return CheckGraph(*stores, load, clock, telemetry=telemetry)


def _jobs(
    settings: Settings,
    links: LinkStore,
    tasks: TaskStore,
    embedders: EmbeddersInUse,
    events: EventStore,
    configs: UtilityConfigs,
    superseded: SupersessionNews,
) -> tuple[Job, ...]:
    """List what works in the background, in the order of a tick."""
    defaults = LinkDefaults(
        batch=settings.link_batch,
        most_similar=settings.similar_memories,
        least_similarity=settings.similarity_threshold,
        phrases=settings.terms_per_memory,
    )
    return (
        LinkMemories(
            links,
            embedders,
            defaults,
            configs,
            superseded,
            pause=timedelta(seconds=settings.worker_tick_seconds),
        ),
        TendEvents(events, batch=_EXPIRY_BATCH, pause=_EVENTS_PAUSE),
        ExpireTasks(tasks, batch=_EXPIRY_BATCH, pause=_EXPIRY_PAUSE),
    )


def _credit_job(
    settings: Settings,
    credits: CreditStore,
    configs: UtilityConfigs,
    identifiers: Ulids,
    events: EventLog,
) -> Job:
    pause = timedelta(seconds=settings.worker_tick_seconds)
    return ApplyCredits(
        credits, configs, identifiers, batch=_CREDIT_BATCH, pause=pause, events=events
    )


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
