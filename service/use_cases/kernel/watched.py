"""Base classes of use cases, and the decorator that records duration, outcome and span of a call."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from graph.ports.telemetry import UNWATCHED, Telemetry
from graph.ports.world import Clock, Identifiers

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCase:
    """Base of use cases, with telemetry."""

    telemetry: Telemetry = UNWATCHED


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedUseCase(UseCase):
    """Base of use cases that need the time."""

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingUseCase(TimedUseCase):
    """Base of use cases that create records, with time and uids."""

    identifiers: Identifiers


S = TypeVar("S", bound=UseCase)


def watched(
    name: str,
) -> Callable[
    [Callable[Concatenate[S, P], Coroutine[Any, Any, T]]],
    Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
]:
    """Record the calls of a use case in telemetry, by name.

    Not for generators: a span that is open between two items would take in the work of others.
    """

    def decorate(
        call: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
    ) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
        @wraps(call)
        async def run(self: S, *args: P.args, **kwargs: P.kwargs) -> T:
            with self.telemetry.span("use_case", name):
                return await call(self, *args, **kwargs)

        return run

    return decorate
