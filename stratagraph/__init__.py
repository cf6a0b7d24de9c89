"""Client of Stratagraph: `from stratagraph import Client, AsyncClient`.

Names are imported lazily, so that the import of the package is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stratagraph import errors, wire
    from stratagraph.async_client import AsyncClient
    from stratagraph.call import Call
    from stratagraph.client import Client
    from stratagraph.episodes import EpisodicMemory
    from stratagraph.errors import (
        BudgetExceededError,
        ConflictError,
        ConnectionFailedError,
        InvalidRequestError,
        MethodNotAllowedError,
        NotFoundError,
        PayloadTooLargeError,
        PreconditionFailedError,
        RateLimitedError,
        RefusedError,
        RequestTimeoutError,
        ServiceError,
        StratagraphError,
        UnauthorizedError,
        UnavailableError,
        UnexpectedAnswerError,
        UsageError,
    )
    from stratagraph.exchange import Retries

__all__ = [
    "AsyncClient",
    "BudgetExceededError",
    "Call",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "EpisodicMemory",
    "InvalidRequestError",
    "MethodNotAllowedError",
    "NotFoundError",
    "PayloadTooLargeError",
    "PreconditionFailedError",
    "RateLimitedError",
    "RefusedError",
    "RequestTimeoutError",
    "Retries",
    "ServiceError",
    "StratagraphError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UsageError",
    "errors",
    "wire",
]

_MODULES = frozenset({"errors", "wire"})
_HOMES = {
    "AsyncClient": "stratagraph.async_client",
    "Call": "stratagraph.call",
    "Client": "stratagraph.client",
    "EpisodicMemory": "stratagraph.episodes",
    "Retries": "stratagraph.exchange",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'stratagraph' has no attribute {name!r}")
    if name in _MODULES:
        return import_module(f"stratagraph.{name}")
    return getattr(import_module(_HOMES.get(name, "stratagraph.errors")), name)


def __dir__() -> list[str]:
    return list(__all__)
