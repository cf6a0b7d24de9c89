"""The HTTP application: doors around one opened service."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.metadata import version

from fastapi import FastAPI
from starlette.routing import Route

from service.bootstrap import Service
from service.http import (
    analytics,
    arousal,
    browse,
    change,
    checking,
    concepts,
    config,
    consolidation,
    cycles,
    engines,
    episode_lines,
    episode_queries,
    episodes,
    erasures,
    events,
    export,
    gates,
    gc,
    health,
    importing,
    knowledge,
    loops,
    memories,
    metrics,
    moves,
    patches,
    profiles,
    reasoning_analytics,
    recall,
    relationships,
    retrieval,
    rewards,
    shared_knowledge,
    sharing,
    strata_analytics,
    strata_config,
    supersedes,
    surprises,
    tasks,
    traces,
)
from service.http.body import BodyLimit
from service.http.deprecation import Deprecations
from service.http.errors import install_error_handlers
from service.http.logging import RequestLog
from service.http.openapi import describe_bodies, serve_docs
from service.http.security import Guarded
from service.http.state import bind
from service.mcp.door import McpDoor
from service.worker.loop import working

DESCRIPTION = """A memory for agents that learns from outcomes which memories help.

Remember, recall for a task, report its outcome: what helped is ranked higher next time.
Errors are `application/problem+json` with a stable `type`."""

OpenService = Callable[[], AbstractAsyncContextManager[Service]]


# The order decides where paths overlap: `/v1/episodes/retrieve` before `/v1/episodes/{name}`.
_ROUTERS = tuple(
    module.router
    for module in (
        episode_queries,
        reasoning_analytics,
        concepts,
        config,
        strata_analytics,
        strata_config,
        engines,
        gates,
        moves,
        consolidation,
        knowledge,
        surprises,
        arousal,
        patches,
        cycles,
        loops,
        shared_knowledge,
        sharing,
        relationships,
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
        profiles,
        tasks,
        traces,
        export,
        importing,
        health,
        metrics,
    )
)


def create_app(service: Service | OpenService) -> FastAPI:
    """Build the application for an open service, or for one that opens with it."""
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
