"""Metrics and optional traces of one service, and events of the managed server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import version

from graph.kernel.errors import ConfigurationError
from graph.ports.telemetry import Telemetry
from graph.server.supervise import ServerState
from service.metrics import Metrics
from service.settings import Settings


@asynccontextmanager
async def open_telemetry(settings: Settings) -> AsyncGenerator[tuple[Metrics, Telemetry]]:
    """Create metrics and, around them, traces; flush them at the end.

    Raises
    ------
    ConfigurationError
        If traces are asked for and their packages are missing.
    """
    metrics = Metrics()
    if not settings.traces:
        yield metrics, metrics
        return
    refuse_untraceable(settings)
    from service import tracing

    exporter = tracing.otlp_exporter(settings.otlp_endpoint)
    traces = tracing.Tracing(metrics, exporter, version("stratagraph"))
    # also on errors: the last spans explain them
    try:
        yield metrics, traces
    finally:
        await asyncio.to_thread(traces.close)


def refuse_untraceable(settings: Settings) -> None:
    """Check before a long start whether configured traces are available.

    Raises
    ------
    ConfigurationError
        If their packages are missing.
    """
    if not settings.traces:
        return
    try:
        import_module("service.tracing")
    except ImportError as error:
        raise ConfigurationError(
            "traces need OpenTelemetry; type: pip install 'stratagraph-server[otel]' "
            "(or set STRATAGRAPH_TRACING=false)"
        ) from error


def note_server(telemetry: Telemetry, state: ServerState) -> None:
    """Record a death or recovery of the managed Neo4j."""
    telemetry.gauge("managed_server_up", 1 if state == "up" else 0)
    telemetry.count("managed_server_restarts" if state == "up" else "managed_server_deaths")
