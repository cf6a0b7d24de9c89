"""The HTTP application: routes around one open service."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.metadata import version

from fastapi import FastAPI
from starlette.routing import Route

from service.bootstrap import Service
from service.http.consolidation import routes as consolidation
from service.http.cycles import patches
from service.http.cycles import routes as cycles
from service.http.engines import routes as engines
from service.http.episodes import concepts, gc, retrieval
from service.http.episodes import lines as episode_lines
from service.http.episodes import queries as episode_queries
from service.http.episodes import routes as episodes
from service.http.erasure import checking
from service.http.erasure import routes as erasures
from service.http.kernel.body import BodyLimit
from service.http.kernel.deprecation import Deprecations
from service.http.kernel.errors import install_error_handlers
from service.http.kernel.logging import RequestLog
from service.http.kernel.openapi import describe_bodies, serve_docs
from service.http.kernel.security import Guarded
from service.http.kernel.state import bind
from service.http.knowledge import routes as knowledge
from service.http.knowledge import sharing as shared_knowledge
from service.http.knowledge import traces
from service.http.memories import browse, change, supersedes
from service.http.memories import routes as memories
from service.http.operation import health
from service.http.recall import routes as recall
from service.http.sharing import routes as sharing
from service.http.strata import analytics as strata_analytics
from service.http.strata import arousal, gates, surprises
from service.http.strata import config as strata_config
from service.http.transfer import export, importing
from service.http.utility import analytics, config, events, rewards, tasks
from service.mcp.door import McpDoor
from service.worker.worker import working

DESCRIPTION = """A memory for agents that learns from outcomes which memories help.

Remember, recall for a task, report its outcome: what helped is ranked higher next time.
Errors are `application/problem+json` with a stable `type`."""

OpenService = Callable[[], AbstractAsyncContextManager[Service]]


# The order decides where paths overlap: `/v1/episodes/retrieve` before `/v1/episodes/{name}`.
_ROUTERS = tuple(
    module.router
    for module in (
        episode_queries,
        concepts,
        config,
        strata_analytics,
        strata_config,
        engines,
        gates,
        consolidation,
        knowledge,
        surprises,
        arousal,
        patches,
        cycles,
        shared_knowledge,
        sharing,
        analytics,
        events,
        gc,
        erasures,
        checking,
        episode_lines,
        episodes,
        rewards,
        supersedes,
        browse,
        change,
        memories,
        retrieval,
        recall,
        tasks,
        traces,
        export,
        importing,
        health,
    )
)


def create_app(service: Service | OpenService) -> FastAPI:
    """Create the application for an open service, or for one that it opens."""
    open_service: OpenService = (
        (lambda: nullcontext(service)) if isinstance(service, Service) else service
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_service() as opened, working(opened):
            bind(app, opened)
            try:
                yield
            finally:
                await mcp.close()
                bind(app, None)

    app = FastAPI(
        title="Stratagraph",
        version=version("stratagraph"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    bind(app, service if isinstance(service, Service) else None)
    for router in _ROUTERS:
        app.include_router(router)
    mcp = McpDoor(app)
    app.router.routes.append(Route(mcp.path, Guarded(mcp)))
    describe_bodies(app)
    serve_docs(app)
    install_error_handlers(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(Deprecations)
    app.add_middleware(RequestLog)
    return app
