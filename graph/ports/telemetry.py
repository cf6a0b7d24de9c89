"""Telemetry: durations, counts and states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Literal, Protocol, Self

Work = Literal[
    "request", "use_case", "recall_phase", "retrieval_phase", "transaction", "statement", "job"
]
Attribute = str | int | float | bool


class Span(Protocol):
    """A piece of work that is being timed; what begins inside it is its child."""

    def note(self, **attributes: Attribute) -> None:
        """Add what became known while it ran."""
        ...

    def headers(self) -> Mapping[str, str]:
        """Return the HTTP headers that carry this trace on; none without traces."""
        ...

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End; an exception that passes makes the outcome `error` or `cancelled`."""
        ...


class Telemetry(Protocol):
    """Metrics, spans and logs for whoever watches the service.

    Names of metrics stand in one catalogue and lack the prefix. Labels and attributes are names of
    ours, counts and states: never a text, an owner, an id or anything else from outside.
    """

    def span(
        self,
        work: Work,
        name: str,
        *,
        parent: Mapping[str, str] | None = None,
        **attributes: Attribute,
    ) -> Span:
        """Time a piece of work; ``parent`` holds the headers of a caller that traces.

        ``quiet=True`` keeps it out of the traces, with all that begins inside it.
        """
        ...

    def count(self, name: str, amount: float = 1.0, **labels: str) -> None:
        """Add to a counter."""
        ...

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Add a value to a distribution."""
        ...

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Say how much there is of something now."""
        ...

    def watch(self, name: str, read: Callable[[], float]) -> None:
        """Name a cheap function that says how much there is, whenever somebody looks."""
        ...


class _NoSpan:
    def note(self, **attributes: Attribute) -> None:
        del attributes

    def headers(self) -> Mapping[str, str]:
        return {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pass


_NO_SPAN = _NoSpan()


class Unwatched:
    """The telemetry of whoever is not watched: commands, measurements, tests."""

    def span(
        self,
        work: Work,
        name: str,
        *,
        parent: Mapping[str, str] | None = None,
        **attributes: Attribute,
    ) -> Span:
        """Time nothing."""
        del work, name, parent, attributes
        return _NO_SPAN

    def count(self, name: str, amount: float = 1.0, **labels: str) -> None:
        """Keep nothing."""

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Keep nothing."""

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Keep nothing."""

    def watch(self, name: str, read: Callable[[], float]) -> None:
        """Keep nothing."""


UNWATCHED = Unwatched()
