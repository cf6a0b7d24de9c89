"""A use case as one span: how long each call took, how it ended, and what ran inside it."""

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
    """A use case, and the telemetry that its calls are counted in."""

    telemetry: Telemetry = UNWATCHED


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedUseCase(UseCase):
    """A use case that asks for the time."""

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingUseCase(TimedUseCase):
    """A use case that stores what is new, at a time and under a uid."""

    identifiers: Identifiers


S = TypeVar("S", bound=UseCase)


def watched(
    name: str,
) -> Callable[
    [Callable[Concatenate[S, P], Coroutine[Any, Any, T]]],
    Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
]:
    """Put the calls of a use case under its name into the telemetry.

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
