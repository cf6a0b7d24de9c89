"""One real Neo4j per run, and an empty graph per test."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import neo4j
import pytest
import pytest_asyncio
from fastapi import FastAPI
from xdist.remote import Producer

from graph.condensing.groups import Turn
from graph.database.driver import Connection, is_ready
from graph.embedding.adapter import Session
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import RecallAnswer
from graph.ports.world import Embedder
from graph.server import process
from graph.server.config import Ports, ServerConfig, conf_text
from graph.server.lock import install_jars
from graph.server.process import ManagedServer
from graph.store.memories.store import MemoryStore
from service.app import create_app
from service.bootstrap import Service, load_embedder, open_service
from service.settings import PREFIX, Settings
from service.use_cases.recall.recall import RecallRequest
from tests.remembered_states import remembered
from tests.scheduling import RoomScheduling

_LONGEST_FIRST = {"e2e": -4, "server": -3, "laws": -2, "doors": -1, "unit": 2}
_TESTS = Path(__file__).parent
_PLANNING = _TESTS / "store" / "operation"
_EXTRAS = _TESTS / "extras"
pytest_plugins = ["tests.small_disk", "tests.prepared_home", "tests.served"]

NEO4J_IMAGE = "neo4j:2026.08.1-community"
_LONGEST_SECONDS = 120.0
_ROOM = 2 * 2**30  # bytes; a home takes some hundred millions
# Concurrent collection takes a core from the tests, and runs all the time in a heap this small.
_PLAIN_COLLECTOR = "-XX:-UseG1GC -XX:+UseSerialGC"
# The optimising compiler took two fifths of a server's processor time; at eight times its usual
# thresholds it only compiles the hottest code, and the store's tests take a fifth less time. Forty
# times, or never, was no better.
_LATE_COMPILER = (
    "-XX:Tier4InvocationThreshold=40000 -XX:Tier4MinInvocationThreshold=5000 "
    "-XX:Tier4CompileThreshold=120000 -XX:Tier4BackEdgeThreshold=320000"
)
# A server of one test is young: a start with a migration takes a quarter less processor time.
_PLAIN_COMPILER = "-XX:TieredStopAtLevel=1"
_LASTING_PLANS = """\
dbms.cypher.min_replan_interval=1h
internal.cypher.use_parameter_size=false
server.memory.query_cache.per_db_cache_num_entries=5000
"""
_MARK = "MERGE (s:Schema {name: 'test'}) RETURN s"
_WIPE = """
MATCH (n) WHERE NOT n:Schema AND NOT n:Lease
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
WITH count(*) AS gone
MATCH (l:Lease) REMOVE l.holder, l.until // what a test took and did not give back
"""


def pytest_configure() -> None:
    # a machine that stalls for a second is no failure of a test
    hypothesis.settings.register_profile("tests", deadline=None)
    hypothesis.settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--server",
        choices=("managed", "docker", "none"),
        default="managed",
        help="where the tests' Neo4j runs, unless STRATAGRAPH_TEST_NEO4J_URI names one; "
        "none: leave out the tests that need it",
    )


def _runs_extras(config: pytest.Config) -> bool:
    return config.getoption("markexpr") == "extras"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the tests that `make test-extras` and `make test-docker` run."""
    if collection_path.name == "test_docker.py" and config.getoption("markexpr") != "docker":
        return True
    return True if collection_path == _EXTRAS and not _runs_extras(config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("server") == "none":
        config.hook.pytest_deselected(items=[item for item in items if _needs_server(item)])
        items[:] = [item for item in items if not _needs_server(item)]
    for item in items:
        if _EXTRAS in item.path.parents:
            item.add_marker("extras")
    # Workers take whole files in this order: none should end with a long one alone.
    items.sort(key=_turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> RoomScheduling | None:
    return RoomScheduling(config, log) if config.getoption("dist") == "loadfile" else None


def _turn(item: pytest.Item) -> int:
    if _PLANNING in item.path.parents:
        return 1  # they create an index, after which a server drops its plans
    return _LONGEST_FIRST.get(item.path.relative_to(_TESTS).parts[0], 0)


def _needs_server(item: pytest.Item) -> bool:
    return "connection" in getattr(item, "fixturenames", ())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not _runs_extras(config):
        files = len(list(_EXTRAS.glob("test_*.py")))
        terminalreporter.write_line(
            f"Not run: {files} files in tests/extras need optional packages: make test-extras"
        )
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("Not run: tests that are slow: make test-slow")


@pytest.fixture(scope="session", autouse=True)
def clean_environment() -> Generator[None]:
    """Remove the developer's settings from the environment."""
    with pytest.MonkeyPatch.context() as patch:
        kept = {
            "STRATAGRAPH_CACHE",
            "STRATAGRAPH_TEST_GSM8K",
            "STRATAGRAPH_TEST_NEO4J_URI",
            "STRATAGRAPH_TEST_NEO4J_PASSWORD",
        }
        for name in os.environ:
            if (
                name.startswith(
                    (PREFIX, "NEO4J_", "OTEL_", "QVALUE_", "RETRIEVAL_", "MEMORY_UTILITY_")
                )
                and name not in kept
            ):
                patch.delenv(name)
        patch.setenv("_JAVA_OPTIONS", _PLAIN_COMPILER)
        yield


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def connection(request: pytest.FixtureRequest) -> AsyncGenerator[Connection]:
    """Connection to a server with nothing but the data of tests."""
    uri = os.environ.get("STRATAGRAPH_TEST_NEO4J_URI")
    if uri:
        password = os.environ.get("STRATAGRAPH_TEST_NEO4J_PASSWORD", "")
        given = Connection(uri, password=password)
        _refuse_foreign_graph(given)
        yield given
    elif request.config.getoption("--server") == "docker":
        with _container() as given:
            yield given
    else:
        async with managed_server() as given:
            yield given


@asynccontextmanager
async def managed_server() -> AsyncGenerator[Connection]:
    with tempfile.TemporaryDirectory(prefix="stratagraph-test-", dir=_memory()) as home:
        cache = Settings().cache
        install_jars(cache, progress=_quiet)
        server = ManagedServer(
            ServerConfig(
                Path(home) / "home", cache, heap="768m", pagecache="64m", bolt_port=0, http_port=0
            )
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(process, "conf_text", _with_lasting_plans)
            patch.setenv("_JAVA_OPTIONS", f"{_PLAIN_COLLECTOR} {_LATE_COMPILER}")
            await server.start(lambda uri: is_ready(uri, "neo4j", server.password))
        try:
            yield Connection(server.uri, password=server.password)
        finally:
            await server.stop()


def _memory() -> Path | None:
    """Return a file system in memory with enough space, so that no commit waits for a disk."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and shutil.disk_usage(shared).free > _ROOM else None


def _with_lasting_plans(config: ServerConfig, ports: Ports) -> str:
    """Keep query plans, although counts change with every test, and parameter sizes with every call."""
    return conf_text(config, ports) + _LASTING_PLANS


def _quiet(_done: int, _total: int, _name: str) -> None:
    pass


def _container() -> Any:
    from contextlib import contextmanager

    from testcontainers.community.neo4j import Neo4jContainer

    @contextmanager
    def running() -> Generator[Connection]:
        with Neo4jContainer(NEO4J_IMAGE) as container:
            yield Connection(container.get_connection_url(), password=container.password)

    return running()


def _refuse_foreign_graph(connection: Connection) -> None:
    with sync_driver(connection) as driver:
        rows = driver.execute_query(
            "MATCH (n) RETURN count(n) AS nodes, "
            "count(CASE WHEN n:Schema AND n.name = 'test' THEN 1 END) AS marks",
            database_=connection.database,
        ).records
    if rows[0]["nodes"] and not rows[0]["marks"]:
        pytest.exit(
            f"{connection.uri} holds {rows[0]['nodes']} nodes that are not this project's tests'; "
            "tests wipe the graph they run on",
            returncode=3,
        )


def sync_driver(connection: Connection) -> neo4j.Driver:
    auth = (connection.username, connection.password) if connection.password else None
    return neo4j.GraphDatabase.driver(connection.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver


Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def cypher(connection: Connection) -> Generator[Run]:
    """Run any Cypher beside the service, like an analyst in Browser."""
    with sync_driver(connection) as driver:
        session = driver.session(database=connection.database)  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver

        def run(statement: str, **parameters: Any) -> list[dict[str, Any]]:
            # In a thread: a lock held by the test's own loop would never be released.
            query = neo4j.Query(statement, timeout=_LONGEST_SECONDS)  # pyright: ignore[reportArgumentType] -- tests may write Cypher
            return [record.data() for record in session.run(query, parameters)]

        yield run
        session.close()


@pytest.fixture(scope="session")
def embedder() -> Generator[Embedder]:
    """The default embedder; its model runs once for the same tokens, which are frequent."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "first_state", remembered(Session.first_state))
        yield load_embedder()


@pytest.fixture(scope="session")
def settings(connection: Connection) -> Settings:
    # Tests' own transactions run in this thread: the background must hold no locks. Stored texts
    # are mostly unlike the questions: any relevance is accepted.
    settings = Settings(neo4j_uri=connection.uri, flush_seconds=3600, worker=False)
    return settings.model_copy(update={"min_relevance": 0.0})


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_service(
    connection: Connection, settings: Settings, embedder: Embedder, cypher: Run
) -> AsyncGenerator[Service]:
    async with open_service(settings, connection, embedder) as service:
        cypher(_MARK)
        yield service


@pytest_asyncio.fixture(loop_scope="session")
async def service(shared_service: Service, cypher: Run) -> Service:
    """The whole service on an empty graph."""
    # In a thread: work left by a failed test must be able to end and release its locks.
    await asyncio.to_thread(cypher, _WIPE)
    store = shared_service.remember.store
    assert isinstance(store, MemoryStore)
    store.forget_cached()
    await shared_service.configs.refresh()
    shared_service.read_events.forget_cached()
    return shared_service


@lru_cache(maxsize=1)
def shared_app(service: Service) -> FastAPI:
    """One application for all tests: FastAPI builds the schemas of routes at their first request."""
    return create_app(service)


@pytest_asyncio.fixture(loop_scope="session")
async def client(service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    """HTTP client of the service, without a socket."""
    transport = httpx.ASGITransport(app=shared_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def anna() -> Caller:
    return Caller("local", "anna")


@pytest.fixture
def bert() -> Caller:
    return Caller("local", "bert")


@pytest.fixture
def now() -> datetime:
    return datetime.now(UTC)


Remembers = Callable[..., Awaitable[str]]


@pytest.fixture
def remember(service: Service) -> Remembers:
    """Store one memory for a caller; returns its uid."""

    async def run(caller: Caller, text: str, **fields: Any) -> str:
        answers = await service.remember([NewMemory(caller.writable(), text, **fields)])
        assert answers[0].uid is not None, answers[0]
        return answers[0].uid

    return run


Recalls = Callable[..., Awaitable[RecallAnswer]]


@pytest.fixture
def recall(service: Service) -> Recalls:
    """Recall until the indexes return at least as many results as expected (they lag)."""

    async def run(caller: Caller, text: str, *, expect: int = 1, **options: Any) -> RecallAnswer:
        deadline = asyncio.get_running_loop().time() + 10
        while True:
            answer = await service.recall(RecallRequest(caller, text=text, **options))
            late = asyncio.get_running_loop().time() > deadline
            if len(answer.results) >= expect or late:
                return answer
            await asyncio.sleep(0.05)

    return run


@pytest.fixture
def in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Condense neighbours of a session in pairs, whatever their texts, for tests of the procedure."""

    def paired(turns: Sequence[Turn], *_: object, **__: object) -> list[tuple[int, ...]]:
        named: dict[str | None, list[int]] = {}
        for place, turn in enumerate(turns):
            named.setdefault(turn.session or f"alone {place}", []).append(place)
        return sorted(
            tuple(places[at : at + 2])
            for places in named.values()
            for at in range(0, len(places), 2)
        )

    monkeypatch.setattr("service.use_cases.consolidation.condensing.groups", paired)
