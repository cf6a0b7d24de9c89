"""Wiring of the service; `wiring` is imported lazily.

Its import takes most of a second, in which the managed Neo4j can already start.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.bootstrap.wiring import (
        Connection,
        Service,
        load_embedder,
        migrate_schema,
        open_service,
    )

__all__ = ["Connection", "Service", "load_embedder", "migrate_schema", "open_service"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module("service.bootstrap.wiring"), name)


def service_of(app: Any) -> Service | None:
    """Return the service of an application; None while it starts."""
    return getattr(app.state, "service", None)
