"""Metrics of one service, its traces where they are asked for, and news of the managed server."""

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
    """Make the metrics and, around them, the traces of one service; send the rest at the end.

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
    # sent although the service ends: the last spans tell why
    try:
        yield metrics, traces
    finally:
        await asyncio.to_thread(traces.close)


def refuse_untraceable(settings: Settings) -> None:
    """Look before a long start whether traces that are asked for can be made.

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
    """Tell of a death or a return of the managed Neo4j."""
    telemetry.gauge("managed_server_up", 1 if state == "up" else 0)
    telemetry.count("managed_server_restarts" if state == "up" else "managed_server_deaths")
